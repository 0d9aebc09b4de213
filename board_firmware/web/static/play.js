// At the board, and the spectators' view of it: the same picture, with or without hands.

import { command, listen, session, toast } from "./api.js";
import { menuFor, newGame } from "./actions.js";
import { Bench, closedOf } from "./bench.js";
import { BoardView, placement, SQUARES } from "./board.js";
import { Strip, keepTicking } from "./clocks.js";
import { fill, h, icon, store, stored } from "./dom.js";
import { Hand } from "./hand.js";
import { t } from "./i18n.js";
import { joinForm } from "./join.js";
import { MoveList } from "./moves.js";
import { Press } from "./press.js";
import { Waiting } from "./waiting.js";

export class Game {
  // options: watch (no hands), extra(game): more for the side column, send(name, fields): where commands go.
  constructor(main, { watch = false, audience = "players", extra = null, send = command, pick = null, title = "nav.play" } = {}) {
    this.watch = watch;
    this.audience = audience;
    this.step = null;
    this.hints = [];
    this.lifting = new Set();
    const simulated = session.simulated && !watch;
    this.hand = simulated ? new Hand(() => this.draw()) : null;
    this.press = watch ? null : new Press(this.hand);
    this.board = new BoardView({
      square: (name) => (this.bench?.picks ? this.bench.picked(name) : this.hand?.square(name)),
      escape: () => this.hand?.back(),
      space: (event) => this.press?.space(event) ?? false,
      grab: (name, event) => this.hand?.grab(this.board, name, event),
    });
    this.waiting = new Waiting(send);
    this.moves = new MoveList({ pick });
    this.moves.figurines = stored("figurines", true);
    const menu = (side) => (watch ? null : menuFor(side, () => this.step));
    const press = this.press && ((side) => this.press.press(side));
    this.strips = { white: new Strip("white", { press, menu: menu("white") }),
      black: new Strip("black", { press, menu: menu("black") }) };
    this.bench = this.hand ? new Bench(this.hand, () => this.draw()) : null;
    this.link = h("p", { class: "link", role: "status", hidden: true }, t("ui.no_board"));
    const letters = h("button", { type: "button", class: "quiet letters", "aria-pressed": String(this.moves.figurines), title: t("ui.figurines"),
      onclick: (event) => {
        this.moves.figurines = !this.moves.figurines;
        event.currentTarget.setAttribute("aria-pressed", String(this.moves.figurines));
        store("figurines", this.moves.figurines);
        this.draw();
      } }, h("span", { "aria-hidden": "true" }, "♘\uFE0E / N"), h("span", { class: "spoken" }, t("ui.figurines")));
    const tool = (name, label, act) => h("button", { type: "button", class: "quiet", onclick: act }, icon(name), h("span", {}, label));
    const tools = h("div", { class: "toolbar" },
      tool("flip", t("ui.flip"), () => this.flip()),
      audience !== "players" ? null : tool("plus", t("game.new"), () => newGame(this.step ?? {})),
      this.hand ? tool("tidy", t("ui.tidy_short"), () => this.hand.act({ do: "tidy" })) : null);

    this.middle = h("div", { class: "boardcolumn" });
    fill(main, h("div", { class: "game" },
      h("h1", { class: "spoken" }, t(title)),
      this.link,
      this.waiting.element,
      this.middle,
      h("div", { class: "side" }, this.hand?.tray, extra ? extra(this) : null, h("div", { class: "movebox" }, this.moves.element, letters), tools,
        this.bench?.element)));
    this.lay();
    keepTicking(Object.values(this.strips));
    addEventListener("keydown", (event) => this.press?.space(event));
    listen(audience, {
      link: (up) => { this.link.hidden = up; },
      table: (table, fresh) => { this.hand?.set(table, fresh); this.bench?.set(table); },
      hint: ({ square }) => { if (!this.hand) { this.lifting.add(square); this.draw(); } },
      step: (step) => {
        this.step = step;
        if (this.press) this.press.step = step;
        this.lifting.clear();
        for (const one of step.decisions) if (one.kind.endsWith("_refused")) toast(t(`decision.${one.kind}`, one));
        this.draw();
        this.changed?.(step);
      },
    });
  }

  // How it is done, said where it is needed first.
  hint({ san, prompt }) {
    if (this.watch) return session.delay_s ? t("ui.delayed", { minutes: Math.round(session.delay_s / 6) / 10 }) : "";
    const fingers = matchMedia("(hover: none)").matches;
    if (prompt.key === "prompt.press" && this.press.can) return t(fingers ? "ui.press_touch" : "ui.press_hint");
    if (san.length || prompt.key !== "prompt.to_move" || this.hand?.table.held.length) return "";
    return t(!this.hand ? "ui.first_board" : fingers ? "ui.first_touch" : "ui.first");
  }

  // Whether the pieces stand as the position says; null where only people can see that.
  wood(believed) {
    if (!this.hand) return null;
    const { standing, held } = this.hand.table;
    const names = new Set([...Object.keys(standing), ...Object.keys(believed)]);
    return !held.length && [...names].every((name) => standing[name] === believed[name]);
  }

  lay() {
    const [top, bottom] = this.board.turned ? ["white", "black"] : ["black", "white"];
    fill(this.middle, this.strips[top].element, this.board.element, this.strips[bottom].element);
  }

  flip() {
    this.board.turn(!this.board.turned);
    this.lay();
  }

  draw() {
    const { step } = this;
    if (!step) return;
    const { state } = step;
    const believed = placement(state.fen);
    const closed = step.occupancy ? closedOf(step.occupancy) : null;
    const what = { pieces: believed, ghosts: {}, marks: {}, closed: null, faults: this.hand?.table.faults };
    if (this.hand) {
      what.pieces = this.hand.table.standing;
      for (const one of this.hand.table.held) if (one.origin) what.ghosts[one.origin] = one.piece;
      if (this.bench.reeds) what.closed = closed;
      this.bench.show(state.fen, believed, closed);
    } else if (closed && !this.watch) {
      what.pieces = {};
      for (const [name, piece] of Object.entries(believed)) {
        (closed.has(name) && !this.lifting.has(name) ? what.pieces : what.ghosts)[name] = piece;
      }
    }
    const mark = (name, word) => (what.marks[name] ??= []).push(word);
    if (state.move) for (const name of [state.move.slice(0, 2), state.move.slice(2, 4)]) mark(name, "last_move");
    for (const [name, word] of Object.entries(state.lamps ?? {})) if (word !== "last_move") mark(name, word);
    for (const name of this.hints) mark(name, "hint");
    if (closed && !this.hand && !this.watch) for (const name of closed) if (!believed[name]) mark(name, "unknown");
    if (state.board?.ask === "promotion_piece") what.letters = promotionLetters(state);
    if (this.hand) this.hand.letters = what.letters ?? {};
    this.board.show(what);
    for (const strip of Object.values(this.strips)) strip.set(step, step.names?.[strip.side], { presses: this.press?.can });
    this.waiting.set(step, { may: !this.watch, hint: this.hint(step), wood: this.wood(believed), inHand: this.hand ? this.hand.table.held.length : null,
      again: this.audience === "players" ? () => newGame(step) : null, figurines: this.moves.figurines,
      offers: this.audience === "players",
      tidy: this.hand ? () => this.hand.act({ do: "tidy" }) : null });
    const open = state.board?.ask === "promotion_piece";
    const san = open ? step.san.map((one, n) => (n === step.san.length - 1 ? one.replace(/=[QRBN].*/, "=?") : one)) : step.san;
    this.moves.set(san, { fen: step.started_fen, completed: state.completed !== false });
    this.moves.announce(step.san, step.started_fen);
  }
}

// Setting a piece on a lit square chooses it: the nearest for a queen, then rook, bishop, knight; of equals the lowest.
function promotionLetters(state) {
  const move = state.board.candidates?.[0] ?? state.move ?? "";
  const target = SQUARES.indexOf(move.slice(2, 4));
  const lit = Object.keys(state.lamps ?? {}).filter((name) => state.lamps[name] === "promotion");
  const away = (name) => {
    const square = SQUARES.indexOf(name);
    return Math.max(Math.abs((square % 8) - (target % 8)), Math.abs(Math.floor(square / 8) - Math.floor(target / 8))) * 64 + square;
  };
  lit.sort((one, other) => away(one) - away(other));
  return Object.fromEntries(lit.map((name, n) => [name, "QRBN"[n] ?? ""]));
}

export async function show(main, view) {
  const watch = view === "watch";
  if (!watch && !session.may_play) return joinForm(main, "/api/join", "join.player");
  return new Game(main, watch ? { watch, audience: "spectators", title: "nav.watch" } : {});
}
