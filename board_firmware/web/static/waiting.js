// What the board waits for: one sentence, why it refused, the question it asks, and what is offered.

import { command } from "./api.js";
import { placement } from "./board.js";
import { h, once, pieceIcon } from "./dom.js";
import { has, notation, part, reason, t } from "./i18n.js";

// The plain explanation that belongs to an article of the Laws.
const RULES = [
  ["4.2", "adjust"], ["4.4", "castling"], ["4.6", "promotion"], ["4", "touch"], ["3.7.3.1", "en_passant"],
  ["3.7.3.2", "en_passant"], ["3.7", "promotion"], ["3.8", "castling"], ["3.9", "check"], ["7.5", "illegal"],
  ["5", "end"], ["6", "clock"], ["9", "draw"], ["A", "illegal"], ["B", "illegal"],
];

export function ruleOf(article) {
  if (!article) return null;
  return RULES.find(([head]) => article === head || article.startsWith(`${head}.`))?.[1] ?? null;
}

export function ruleOfReason(word) {
  if (word.startsWith("castling")) return "castling";
  if (word.startsWith("en_passant")) return "en_passant";
  if (word.startsWith("promotion")) return "promotion";
  return word.includes("check") ? "check" : "moves";
}

export function reasonsOf(trouble) {
  return (trouble?.reasons ?? []).filter((one) => one.word && has(`reason.${one.word}`));
}

// Before the start: whether so few squares are lit as wrong that their reeds may be broken, at most a line.
function unseen(state) {
  const lit = Object.keys(state.lamps ?? {}).length;
  return state.status === "not_started" && !state.board?.ask && lit > 0 && lit <= 8;
}

export class Waiting {
  constructor(send = command) {
    this.send = send;
    this.sentence = h("p", { class: "sentence" });
    this.detail = h("p", { class: "detail" });
    this.why = h("div", { class: "why" });
    this.question = h("div", { class: "question" });
    this.offer = h("div", { class: "offer" });
    this.element = h("section", { class: "waiting", "aria-label": t("ui.waiting") },
      h("div", { "aria-live": "polite", "aria-atomic": "true" }, this.sentence, this.detail, this.why),
      this.question, this.offer);
  }

  // hint: how it is done; wood: whether the pieces stand right (null: only people see that); inHand: pieces in the hand.
  set(step, { may = true, figurines = true, tidy = null, hint = "", wood = null, inHand = null, offers = true, again = null } = {}) {
    const { prompt, state } = step;
    this.element.dataset.tone = prompt.tone;
    set(this.sentence, t(prompt.key, { result: step.proposed, ...prompt.fields }));
    const doubt = state.restore && wood ? t("ui.reed_doubt") : "";
    set(this.detail, prompt.detail ? t(prompt.detail.key, prompt.detail.fields) : doubt || hint);
    const trouble = state.restore || state.status === "irregularity" || state.status === "paused" ? step.trouble : null;
    if (trouble?.kind === "move_taken_back") this.element.dataset.tone = "ask";
    this.refusal(trouble, placement(state.fen));
    once(this.question, [may, prompt.key, state.status, state.board?.ask, step.candidates, Boolean(tidy && state.restore), wood, inHand, figurines, unseen(state)],
      () => (may ? this.answers(step, { figurines, tidy, wood, inHand, again }) : []));
    const from = state.draw_offer ?? step.takeback;
    const open = may && state.status !== "ended";
    once(this.offer, [open, offers, state.draw_offer, step.takeback, step.adjusting, step.outstanding], () => [
      ...(open && offers && from ? this.offered(from, state.draw_offer ? "ui.draw_offered" : "ui.takeback_asked") : []),
      ...(open && step.adjusting ? this.adjusting(step.adjusting) : []),
      ...(step.outstanding?.length ? [h("p", { class: "soft" }, t("ui.faults", { parts: step.outstanding.map(part) }))] : []),
    ]);
  }

  refusal(trouble, pieces) {
    const named = (square) => (pieces[square] ? pieces[square].toUpperCase().replace("P", "") + square : square);
    const reasons = reasonsOf(trouble).map((one) => ({ ...one, by: (one.by ?? []).map(named) }));
    once(this.why, [reasons, trouble?.kind, trouble?.article], () => {
      if (!trouble) return [];
      const rule = reasons.length ? ruleOfReason(reasons[0].word) : ruleOf(trouble.article);
      const lines = reasons.map((one) => h("li", {}, reason(one)));
      if (!lines.length && has(`refused.${trouble.kind}`)) lines.push(h("li", {}, t(`refused.${trouble.kind}`, { square: trouble.owed?.split(":")[1] })));
      return [
        lines.length ? h("ul", {}, lines) : null,
        rule ? h("a", { href: `/rules#${rule}` }, t("ui.why_rule", { rule: t(`rule.${rule}.title`), article: reasons[0]?.article ?? trouble.article })) : null,
      ];
    });
  }

  answers(step, { figurines, tidy, wood, inHand, again }) {
    const { prompt, state } = step;
    if (state.status === "ended" && again) {
      return h("div", { class: "buttons" },
        h("button", { type: "button", class: "main", onclick: again }, t("game.new")),
        h("a", { class: "button", href: `/games/${encodeURIComponent(step.game_id)}` }, t("games.open")));
    }
    const ask = state.board?.ask;
    const choose = (choice) => () => this.send("Chosen", { choice });
    const answer = (yes) => () => this.send("Answered", { yes });
    if (ask === "promotion_piece") {
      const white = (state.board?.candidates?.[0]?.[3] ?? (state.turn === "black" ? "1" : "8")) === "8";
      return h("div", { class: "pieces", role: "group", "aria-label": t("ask.promotion_piece") }, [..."qrbn"].map((piece) =>
        h("button", { type: "button", class: "token", "aria-label": t(`piece.${piece}`), onclick: choose(piece) },
          pieceIcon(white ? piece.toUpperCase() : piece), h("span", {}, t(`piece.${piece}`)))));
    }
    if (ask === "which_move" || ask === "which_capture") {
      const candidates = Object.entries(step.candidates ?? {});
      return h("div", { class: "buttons" }, candidates.map(([uci, san]) =>
        h("button", { type: "button", onclick: choose(uci) }, notation(san, figurines))),
      ask === "which_move" ? h("button", { type: "button", class: "quiet", onclick: answer(false) }, t("ui.none_of_these")) : null);
    }
    if (ask === "confirm_setup") {
      return h("div", { class: "buttons" },
        h("button", { type: "button", class: "main", onclick: () => this.send("StartAsked") }, t("ui.begin")));
    }
    if (ask && ask !== "actual_position") {
      return h("div", { class: "buttons" },
        h("button", { type: "button", class: "main", onclick: answer(true) }, t("ui.yes")),
        h("button", { type: "button", onclick: answer(false) }, t("ui.no")));
    }
    if (unseen(state) && wood !== false) {  // asked twice, a start goes over a broken reed
      return h("div", { class: "buttons" }, h("button", { type: "button", class: wood ? "main" : "quiet", onclick: () => this.send("StartAsked") }, t("ui.insist")));
    }
    const friendly = step.profile !== "tournament";
    if (state.restore) {
      const buttons = [
        tidy && !wood ? h("button", { type: "button", class: "main", onclick: tidy }, t("ui.tidy")) : null,
        friendly && wood !== false ? h("button", { type: "button", class: wood ? "main" : "quiet", onclick: answer(true) }, t("ui.insist")) : null,
      ].filter(Boolean);
      return buttons.length ? h("div", { class: "buttons" }, buttons) : [];
    }
    if (friendly && prompt.key === "prompt.place_lifted" && !inHand) {  // only where no reed saw it come down
      return h("div", { class: "buttons late" }, h("button", { type: "button", class: "quiet", onclick: answer(true) }, t("ui.set_down")));
    }
    return [];
  }

  adjusting(side) {
    return [
      h("p", {}, t("ui.adjusting", { side })),
      h("div", { class: "buttons" }, h("button", { type: "button", onclick: () => this.send("AdjustPressed", { side }) }, t("ui.adjusted"))),
    ];
  }

  offered(from, key) {
    const to = from === "white" ? "black" : "white";
    return [
      h("p", {}, t(key, { side: from })),
      h("div", { class: "buttons" },
        h("button", { type: "button", class: "main", onclick: () => this.send("DrawAccepted", { side: to }) }, t("ui.accept")),
        h("button", { type: "button", onclick: () => this.send("DrawDeclined", { side: to }) }, t("ui.decline"))),
    ];
  }
}

function set(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
