// The arbiter's desk for one board: what needs him, all that was seen and decided, and his rulings.

import { post, session } from "./api.js";
import { ask, choices, field } from "./dialog.js";
import { face } from "./clocks.js";
import { fill, h, once } from "./dom.js";
import { has, part, reason, t, word } from "./i18n.js";
import { joinForm } from "./join.js";
import { Game } from "./play.js";
import { rule, VERBS } from "./rulings.js";
import { reasonsOf } from "./waiting.js";

const SHOWN = 400;
const send = (name, fields = {}) => post("/api/desk/command", { command: name, ...fields });

export async function show(main) {
  if (!session.may_rule) return joinForm(main, "/api/desk/enter", "join.desk");
  const top = h("div");
  const body = h("div", { class: "deskbody" });
  const needs = h("div");
  fill(main, top, body);
  const game = new Game(top, { audience: "desk", title: "join.desk_title", send, pick: (ply) => rule("rewind", send, { ply }), extra: () => needs });
  new Desk(game, needs, body);
}

class Desk {
  constructor(game, needs, body) {
    this.game = game;
    this.gameId = null;
    this.rows = [];
    this.seen = 0;
    this.needs = h("ul", { class: "needs" });
    this.facts = h("dl", { class: "facts" });
    this.reports = h("ul", { class: "heard" });
    this.touches = h("p", {});
    this.log = h("ol", { class: "log", tabindex: "0", "aria-label": t("desk.log") });
    this.files = h("div", { class: "buttons" });
    const verbs = h("select", { "aria-label": t("desk.ruling") }, Object.keys(VERBS).map((verb) => h("option", { value: verb }, t(`ruling.${verb}`))));
    const panel = (title, ...children) => h("section", { class: "panel", "aria-label": title }, h("h2", {}, title), ...children);
    fill(needs,
      panel(t("desk.needs"), this.needs, h("div", { class: "line" }, verbs,
        h("button", { type: "button", class: "main", onclick: () => rule(verbs.value, send, this.usual(verbs.value)) }, t("desk.rule"))),
      h("div", { class: "line" }, h("button", { type: "button", class: "quiet", onclick: () => rule("undo", send) }, t("ruling.undo")))));
    fill(body,
      panel(t("desk.state"), this.facts, h("h3", {}, t("desk.reports")), this.reports, h("h3", {}, t("desk.touches")), this.touches),
      panel(t("desk.log"), this.log),
      panel(t("desk.evidence"), h("p", { class: "soft" }, t("desk.evidence_note")), this.files,
        h("div", { class: "buttons" },
          h("button", { type: "button", onclick: () => this.newGame() }, t("game.new")),
          h("button", { type: "button", onclick: () => this.note() }, t("desk.note")),
          h("button", { type: "button", onclick: () => this.delay() }, t("desk.delay")),
          h("button", { type: "button", class: "quiet", onclick: async () => { await post("/api/desk/leave", {}); location.assign("/"); } }, t("desk.leave")))));
    this.queue = Promise.resolve();
    game.changed = (step) => { this.queue = this.queue.then(() => this.step(step)); };
  }

  async step(step) {
    if (step.game_id !== this.gameId) {
      this.gameId = step.game_id;
      this.rows = [];
      this.seen = 0;
      this.heard = undefined;
      await this.past(step.game_id);
    }
    if (step.number > this.seen) {
      this.seen = step.number;
      for (const one of step.decisions) this.rows.push({ ...one, wall_ms: step.wall_ms });
    }
    this.draw(step);
  }

  // All that was decided before this page was opened, from the journal.
  async past(gameId) {
    const answer = await fetch(`/api/desk/games/${encodeURIComponent(gameId)}/journal`);
    if (!answer.ok) return;
    for (const line of (await answer.text()).split("\n")) {
      if (!line) continue;
      const row = JSON.parse(line);
      this.seen = Math.max(this.seen, row.seq ?? 0);
      for (const one of row.decisions ?? []) this.rows.push({ ...one, wall_ms: row.wall_ms });
    }
  }

  draw(step) {
    const { state } = step;
    // A button stays itself while it says the same: reeds go on closing under the arbiter's finger.
    const needs = this.needed(step);
    once(this.needs, needs.map((one) => one.textContent), () => needs);
    once(this.facts, [state, step.profile, step.outstanding], () => facts(step));
    const words = this.reported(step);
    once(this.reports, words, () => (words.length ? words.map(([time, one]) => h("li", {}, h("time", {}, time), h("span", {}, one)))
      : [h("li", { class: "soft" }, t("desk.nothing"))]));
    const touched = this.touched();
    this.touches.textContent = touched.length ? touched.join(" → ") : t("desk.nothing");
    once(this.log, [this.rows.length, this.gameId], () => this.rows.slice(-SHOWN).reverse().map(line));
    once(this.files, this.gameId, () => ["report", "trace", "journal"].map((kind) =>
      h("a", { class: "button", href: `/api/desk/games/${encodeURIComponent(this.gameId)}/${kind}`, target: "_blank", rel: "noopener" }, t(`desk.${kind}`))));
  }

  // Breaches and reports with the time at which this page first heard of them; those it found here bear none.
  reported({ state, wall_ms }) {
    const now = [...state.violations.map((one) => `violation ${one}`), ...(state.board?.report ?? []).map((one) => `report ${one}`)];
    const first = this.heard === undefined;
    this.heard = new Map(now.map((one) => [one, this.heard?.get(one) ?? (first ? "" : clockTime(wall_ms))]));
    return now.map((one) => [this.heard.get(one), word(one.split(" ")[0], one.slice(one.indexOf(" ") + 1))]);
  }

  // The order of touches since the last move was made.
  touched() {
    const order = [];
    for (const one of this.rows) {
      if (one.kind === "touched") order.push(one.square);
      if (one.kind === "move_made" || one.kind === "game_started") order.length = 0;
    }
    return order;
  }

  needed(step) {
    const { state } = step;
    const out = [];
    const item = (text, ...buttons) => out.push(h("li", {}, h("p", {}, text), h("div", { class: "buttons" }, buttons)));
    const button = (verb, given = () => ({})) => h("button", { type: "button", onclick: () => rule(verb, send, given(this.game.step)) }, t(`ruling.${verb}`));
    const settled = this.rows.findLastIndex((one) => one.kind === "ruled" && (one.verb === "apply" || one.verb === "waive"));
    const waits = this.rows.findLastIndex((one) => one.kind === "penalty_proposed") > settled;
    for (const one of waits ? state.penalties ?? [] : []) item(t(`penalty.${one.kind}`, { to: one.to, seconds: one.seconds }), button("apply"), button("waive"));
    const reports = state.board?.report ?? [];
    if (reports.some((one) => one.startsWith("claim_in_time") || one.startsWith("touch_move_violation"))) item(t("desk.objection"), button("uphold"), button("reject"));
    if (reports.some((one) => /^(mate_not_final|illegal_not_completed|possible_release)/.test(one))) item(t("desk.move_in_question"), button("accept"), button("undo-move"));
    if (state.clock === "paused") item(t("desk.clocks_stopped"), button("resume", (now) => ({ side: now.state.turn ?? "white" })), button("set-clock", (now) => clocks(now.state)));
    if (state.status === "identification") item(t("desk.answer_above"));
    if (state.board?.ask === "actual_position") item(t("ask.actual_position"), button("position", (now) => ({ fen: now.state.fen })), button("rewind", (now) => ({ ply: Math.max(0, now.san.length - 1) })));
    if (!out.length) out.push(h("li", { class: "soft" }, t("desk.no_needs")));
    return out;
  }

  // What stands on the board now, for forms that change it.
  usual(verb) {
    const { state, san } = this.game.step;
    return { "set-clock": clocks(state), resume: { side: state.turn ?? "white" }, position: { fen: state.fen },
      rewind: { ply: Math.max(0, san.length - 1) } }[verb] ?? {};
  }

  async newGame() {
    const values = await ask({ title: t("game.new"), confirm: t("game.start"), body: [
      choices("profile", t("game.rules"), ["tournament", "friendly", "practice"].map((one) => [one, t(`profile.${one}`)]), "tournament"),
      field(t("game.time"), h("input", { name: "control", value: "5400+30", required: true, autocomplete: "off" })),
      h("div", { class: "pair" }, field(t("game.white"), h("input", { name: "White", maxlength: 80, autocomplete: "off" })),
        field(t("game.black"), h("input", { name: "Black", maxlength: 80, autocomplete: "off" }))),
      field("FEN", h("input", { name: "fen", maxlength: 100, autocomplete: "off" }), t("game.fen_note"))] });
    if (!values) return;
    const tags = Object.fromEntries(["White", "Black"].filter((name) => values[name]).map((name) => [name, values[name]]));
    post("/api/game", { profile: values.profile, control: values.control, fen: values.fen, tags });
  }

  async note() {
    const kinds = ["two-hands", "other-hand", "unpromoted", "victim-not-removed"];
    const values = await ask({ title: t("desk.note"), confirm: t("desk.enter_note"), body: [
      choices("what", t("desk.note_what"), kinds.map((one) => [one, t(`note.${one}`)]), "two-hands"),
      field(t("desk.note_subject"), h("input", { name: "subject", required: true, placeholder: "white, black, e4", pattern: "white|black|[a-h][1-8]" }))] });
    if (values) send("Noted", { what: values.what, subject: values.subject });
  }

  async delay() {
    const values = await ask({ title: t("desk.delay"), confirm: t("desk.set"), body: [
      field(t("desk.delay_minutes"), h("input", { name: "minutes", type: "number", min: 0, max: 120, step: "any", value: session.delay_s / 60, required: true }))] });
    if (values && await post("/api/desk/delay", { seconds: Number(values.minutes) * 60 })) session.delay_s = Number(values.minutes) * 60;
  }
}

function owed(word) {
  const [kind, squares = ""] = word.split(":");
  return kind === "none" ? "–" : t(`obligation.${kind}`, { squares: squares.split(",") });
}

const clockTime = (ms) => new Date(ms).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });

function clocks(state) {
  return state.clock_s ? { white: face(state.clock_s.white), black: face(state.clock_s.black) } : {};
}

function facts(step) {
  const { state } = step;
  const allowed = state.allowed === "all" ? t("desk.all") : Array.isArray(state.allowed) ? state.allowed.slice(0, 24).join(" ") : "–";
  const rows = [
    [t("desk.profile"), t(`profile.${step.profile}`)],
    [t("desk.status"), t(`status.${state.status}`)],
    [t("desk.turn"), state.turn ? t(`side.${state.turn}`) : "–"],
    [t("desk.clock"), state.clock ? (has(`side.${state.clock}`) ? t(`side.${state.clock}`) : t(`clock_state.${state.clock}`)) : "–"],
    [t("desk.obligation"), owed(state.obligation ?? "none")],
    [t("desk.allowed"), allowed],
    [t("desk.confidence"), t(`confidence.${state.board?.confidence ?? "certain"}`)],
    [t("desk.illegal"), `${t("side.white")} ${state.illegal?.white ?? 0} · ${t("side.black")} ${state.illegal?.black ?? 0}`],
    ...(step.outstanding.length ? [[t("desk.faults"), step.outstanding.map(part).join(", ")]] : []),
    ["FEN", state.fen],
  ];
  return rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]);
}

function line(one) {
  const time = one.wall_ms ? clockTime(one.wall_ms) : `${one.at_s} s`;
  const fields = { ...one, what: has(`note.${one.what}`) ? t(`note.${one.what}`) : one.what, part: one.part && part(one.part), claim: has(`claim.${one.claim}`) ? t(`claim.${one.claim}`) : one.claim, ask: has(`ask.${one.ask}`) ? t(`ask.${one.ask}`) : one.ask,
    violation: one.violation ? word("violation", one.violation) : one.violation, verb: has(`ruling.${one.verb}`) ? t(`ruling.${one.verb}`) : one.verb,
    termination: one.termination ? t(`termination.${one.termination}`) : "", correct: one.correct === undefined ? "" : t(one.correct ? "desk.correct" : "desk.incorrect") };
  const said = has(`decision.${one.kind}`) ? t(`decision.${one.kind}`, fields) : one.kind;
  const why = reasonsOf(one).map(reason).join("; ");
  return h("li", {}, h("time", {}, time), h("span", {}, said, why ? `: ${why}` : "", one.final === false ? "" : "",
    one.article ? h("span", { class: "article" }, ` ${t("desk.article", { article: one.article })}`) : null));
}
