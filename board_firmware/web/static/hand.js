// The hands over a simulated board: click to lift, click to place, or drag. Each act is one request, in order; what then
// stands where is the board's answer, never a guess of the page.

import { post, toast } from "./api.js";
import { fill, h, pieceIcon } from "./dom.js";
import { t } from "./i18n.js";

const isWhite = (piece) => piece === piece.toUpperCase();

export class Hand {
  constructor(changed) {
    this.changed = changed;
    this.table = { version: -1, standing: {}, held: [], box: [], lever: "black", faults: {} };
    this.active = 0;
    this.slide = false;
    this.letters = {};  // lit squares on which setting a piece answers a question
    this.queue = new Promise((known) => { this.known = known; });  // the first click waits for the first table
    this.floating = h("div", { class: "floating", hidden: true });
    document.body.append(this.floating);
    this.pointer = { x: 0, y: 0, type: "" };
    addEventListener("pointermove", (event) => this.follow(event), { passive: true });
    this.tray = h("div", { class: "tray" });
  }

  // What was said before may arrive after: an older table is passed over, unless the board began anew.
  set(table, fresh = false) {
    if (!fresh && table.version < this.table.version) return;
    this.table = table;
    this.known();
    this.active = Math.min(Math.max(0, table.held.length - 1), Math.max(this.active, table.held.length - 1));
    this.draw();
    this.changed();
  }

  // Acts wait for one another; what a click means is decided when those before it are done.
  then(decide) {
    this.queue = this.queue.then(async () => {
      const body = decide();
      const table = body && await post("/api/hand", body);
      if (table) this.set(table);
    });
    return this.queue;
  }

  act(body) {
    return this.then(() => body);
  }

  get held() {
    return this.table.held[this.active];
  }

  // What a click on a square means: with empty hands lift, else set down; an enemy there is taken off first.
  square(name) {
    return this.then(() => this.meaning(name));
  }

  meaning(name) {
    const { standing, held } = this.table;
    const there = standing[name];
    if (!this.held && this.letters[name]) return { do: "show", square: name };
    if (!this.held) return there ? { do: "lift", square: name } : null;
    if (!there) return { do: "place", square: name, hand: this.active };
    if (isWhite(there) !== isWhite(this.held.piece)) return { do: "capture", square: name, hand: this.active };
    if (held.length < 2) return { do: "lift", square: name };
    toast(t("ui.hands_full"));
    return null;
  }

  // Escape: back to where it came from.
  back() {
    return this.then(() => {
      const origin = this.held?.origin;
      if (origin && !this.table.standing[origin]) return { do: "place", square: origin, hand: this.active };
      return this.held ? { do: "drop", hand: this.active } : null;
    });
  }

  // A press on a piece that moves away becomes a drag; one that does not stays a click.
  grab(board, name, event) {
    if (this.held || !this.table.standing[name]) return;
    const start = [event.clientX, event.clientY];
    const path = [];
    const slide = this.slide || event.shiftKey;
    let dragging = false;
    const move = (now) => {
      if (!dragging && Math.hypot(now.clientX - start[0], now.clientY - start[1]) > 8) {
        dragging = true;
        board.element.classList.add("dragging");
        this.pointer = { x: now.clientX, y: now.clientY, type: "mouse" };
        if (!slide) this.act({ do: "lift", square: name });
      }
      if (!dragging) return;
      now.preventDefault();
      this.pointer = { x: now.clientX, y: now.clientY, type: "mouse" };
      this.hang();
      const over = board.squareAt(now.clientX, now.clientY);
      if (over && over !== (path.at(-1) ?? name)) path.push(over);
    };
    const end = (now) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (!dragging) return;
      board.element.classList.remove("dragging");
      const swallow = (click) => { click.stopPropagation(); click.preventDefault(); };
      addEventListener("click", swallow, { capture: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
      const over = board.squareAt(now.clientX, now.clientY);
      if (slide) {
        if (path.length) this.act({ do: "drag", square: name, path: path.slice(0, 16) });
      } else if (over) {
        this.square(over);
      }
    };
    addEventListener("pointermove", move, { passive: false });
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  follow(event) {
    this.pointer = { x: event.clientX, y: event.clientY, type: event.pointerType };
    this.hang();
  }

  hang() {
    const show = this.held && this.pointer.type === "mouse";
    this.floating.hidden = !show;
    if (show) this.floating.style.setProperty("transform", `translate(${this.pointer.x}px, ${this.pointer.y}px)`);
  }

  draw() {
    const { held, box } = this.table;
    fill(this.floating, this.held ? pieceIcon(this.held.piece) : "");
    this.hang();
    const inHand = held.map((one, n) => h("button", { type: "button", class: "token", "aria-pressed": String(n === this.active),
      "aria-label": t("ui.in_hand", { piece: name(one.piece) }), title: t("ui.in_hand", { piece: name(one.piece) }),
      onclick: () => { this.active = n; this.draw(); this.changed(); } }, pieceIcon(one.piece)));
    const beside = [...box].sort().map((piece) => h("button", { type: "button", class: "token small",
      "aria-label": t("ui.beside", { piece: name(piece) }), title: t("ui.beside", { piece: name(piece) }),
      onclick: () => this.act({ do: "fetch", piece }) }, pieceIcon(piece)));
    fill(this.tray,
      held.length ? h("div", { class: "held" }, h("span", {}, t("ui.hand")), inHand,
        h("button", { type: "button", class: "quiet", onclick: () => this.back() }, t("ui.put_back")),
        h("button", { type: "button", class: "quiet", onclick: () => this.act({ do: "drop", hand: this.active }) },
          t("ui.lay_aside"))) : null,
      box.length ? h("div", { class: "beside" }, beside) : null);
  }
}

function name(piece) {
  return t("ui.piece", { side: isWhite(piece) ? "white" : "black", piece: t(`piece.${piece.toLowerCase()}`) });
}
