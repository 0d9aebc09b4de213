// Practice at the board: free play with the legal squares lit, and drills that ask for one thing and name the reason.

import { post, session } from "./api.js";
import { ask } from "./dialog.js";
import { fill, h, icon, store, stored } from "./dom.js";
import { PRACTICE } from "./games.js";
import { DRILLS } from "./drills.js";
import { reason, t } from "./i18n.js";
import { joinForm } from "./join.js";
import { Game } from "./play.js";

export async function show(main) {
  if (!session.may_play) return joinForm(main, "/api/join", "join.player");
  const panel = h("div", { class: "drills" });
  const game = new Game(main, { title: "nav.practice", extra: () => panel });
  new Practice(game, panel);
}

class Practice {
  constructor(game, panel) {
    this.game = game;
    this.panel = panel;
    this.done = new Set(stored("drills", []));
    this.drill = null;
    this.verdict = null;
    this.from = 0;
    game.changed = (step) => this.step(step);
    this.draw();
  }

  // Another game on the board is not thrown away by a click.
  async begin(drill, game) {
    const { step } = this.game;
    const running = step && step.profile !== "practice" && step.san.length > 0 && step.state.status !== "ended";
    if (running && !await ask({ title: t("game.replace"), confirm: t("game.replace_do"), body: h("p", {}, t("game.replace_note")) })) return;
    this.drill = drill;
    this.verdict = this.wanted = null;
    this.from = step?.number ?? 0;
    this.draw();
    scrollTo(0, 0);  // on a phone the list lies far below the board
    if (await post("/api/game", { profile: "practice", control: "none", tags: { Event: PRACTICE }, ...game })) return;
    this.drill = null;
    this.draw();
  }

  free() {
    return this.begin(null, {});
  }

  async choose(drill) {
    await this.begin(drill, { fen: drill.fen, history: drill.history });
  }

  // What the board decided on the try: the move meant, another one, or the refusal that the drill is about.
  step(step) {
    if (this.game.hints.length) { this.game.hints = []; this.game.draw(); }
    if (step.profile !== this.profile) {
      this.profile = step.profile;
      this.draw();
    }
    const { drill } = this;
    if (!drill || this.verdict?.good) return;
    if (step.number <= this.from) return;
    for (const decision of step.decisions) {
      if (decision.kind === "game_started") this.wanted = step.game_id;
      if (this.wanted !== step.game_id) continue;
      if (decision.kind === "move_made" && decision.move) this.tried(decision.move);
      if (decision.kind === "move_illegal") this.refused(decision);
      if (decision.kind === "game_over" && decision.termination === "stalemate") this.trapped();
    }
  }

  tried(move) {
    const { drill } = this;
    if (move === drill.move && !drill.reason) this.judge(true);
    else this.verdict = { good: false, text: t("drill.other") };
    this.draw();
  }

  refused(decision) {
    const { drill } = this;
    // A game taken up from a diagram knows that the right is gone, not always by which move.
    const named = (word) => word === drill.reason || (word === "castling_right_lost" && drill.reason?.startsWith("castling") && drill.reason.endsWith("moved"));
    if (drill.reason && (decision.reasons ?? []).some((one) => named(one.word))) this.judge(true, true);
    else if (!drill.reason) this.verdict = { good: false, text: t("drill.other") };
    this.draw();
  }

  trapped() {
    this.verdict = { good: false, text: t("drill.stalemate") };
    this.draw();
  }

  answered(allowed) {
    this.judge(allowed === !this.drill.reason);
    this.draw();
  }

  judge(good, refused = false) {
    const { drill } = this;
    const head = good ? t("drill.right") : t("drill.wrong");
    const fact = drill.reason ? reason({ word: drill.reason }) : drill.group === "promotion" ? "" : t("drill.allowed");
    this.verdict = { good, text: head, fact, refused };
    if (good) {
      this.done.add(drill.id);
      store("drills", [...this.done]);
    }
  }

  hint() {
    this.game.hints = Object.keys(this.game.step?.legal_by_origin ?? {});
    this.game.draw();
  }

  draw() {
    const share = DRILLS.filter((one) => this.done.has(one.id)).length;
    const bar = h("div", { class: "bar-of", role: "progressbar", "aria-valuemin": "0", "aria-valuemax": String(DRILLS.length),
      "aria-valuenow": String(share), "aria-label": t("drill.progress", { done: share, all: DRILLS.length }) }, h("span"));
    bar.style.setProperty("--share", String(share / DRILLS.length));
    const groups = ["castling", "en_passant", "promotion"].map((group) => [
      h("h2", {}, t(`rule.${group}.title`)),
      h("ul", {}, DRILLS.filter((one) => one.group === group).map((one) => h("li", {},
        h("button", { type: "button", class: "drill", "aria-current": one === this.drill ? "true" : null, onclick: () => this.choose(one) },
          this.done.has(one.id) ? icon("check") : h("span", { class: "ring", "aria-hidden": "true" }),
          h("span", {}, t(`drill.${one.id}.name`)),
          this.done.has(one.id) ? h("span", { class: "spoken" }, t("drill.done")) : null)))),
    ]);
    const free = this.game.step?.profile === "practice";
    fill(this.panel, this.drill ? this.task() : free ? null : h("p", { class: "lead" }, t("drill.choose")),
      h("div", { class: "buttons" },
        h("button", { type: "button", onclick: () => this.free() }, t("drill.free")),
        h("button", { type: "button", class: "quiet", onclick: () => this.hint() }, icon("bulb"), t("drill.hint"))),
      h("p", { class: "soft" }, t("drill.progress", { done: share, all: DRILLS.length })), bar, ...groups.flat());
  }

  task() {
    const { drill, verdict } = this;
    const next = DRILLS[(DRILLS.indexOf(drill) + 1) % DRILLS.length];
    return h("section", { class: "task", "aria-label": t("drill.task") },
      h("h2", {}, t(`drill.${drill.id}.name`)),
      h("p", {}, t(`drill.${drill.id}.task`)),
      h("div", { "aria-live": "polite" }, verdict ? [
        h("p", { class: `verdict ${verdict.good ? "good" : "bad"}` }, verdict.text),
        verdict.fact ? h("p", { class: "fact" }, verdict.fact) : null,
        verdict.good || verdict.fact ? h("p", { class: "soft" }, t(`drill.${drill.id}.lesson`)) : null] : []),
      h("div", { class: "buttons" },
        drill.group !== "promotion" && !verdict?.good ? [
          h("button", { type: "button", onclick: () => this.answered(true) }, t("drill.say_allowed")),
          h("button", { type: "button", onclick: () => this.answered(false) }, t("drill.say_forbidden"))] : null,
        verdict ? h("button", { type: "button", class: verdict.good ? "" : "main", onclick: () => this.choose(drill) }, t("drill.again")) : null,
        verdict?.good ? h("button", { type: "button", class: "main", onclick: () => this.choose(next) }, t("drill.next")) : null));
  }
}
