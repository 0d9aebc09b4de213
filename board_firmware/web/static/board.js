// The board as a grid: 64 cells that keep their pieces and marks, moved over by arrow keys, flipped at will.

import { h, pieceIcon } from "./dom.js";
import { t } from "./i18n.js";

const FILES = "abcdefgh";
export const SQUARES = [...Array(64).keys()].map((n) => FILES[n % 8] + (Math.floor(n / 8) + 1));

export function placement(fen) {
  const found = {};
  (fen ?? "").split(" ")[0].split("/").forEach((row, n) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) file += Number(letter);
      else found[FILES[file++] + (8 - n)] = letter;
    }
  });
  return found;
}

export class BoardView {
  // on.square(name, event): clicked or entered; on.escape(); on.grab(name, event): pointer down on a piece;
  // on.space(event): true if the space bar meant something else.
  // still: a picture of a board, which nobody plays on.
  constructor(on = {}, { still = false } = {}) {
    this.on = on;
    this.still = still;
    this.turned = false;
    this.cells = {};
    this.focus = "e2";
    this.element = h("div", { class: "board", role: "grid", "aria-label": t("ui.board") });
    this.element.inert = still;
    for (let row = 0; row < 8; row++) {
      const line = h("div", { class: "row", role: "row" });
      for (let column = 0; column < 8; column++) {
        const cell = h("div", { class: "cell", role: "gridcell", tabindex: "-1" });
        cell.place = [row, column];
        line.append(cell);
      }
      this.element.append(line);
    }
    this.element.addEventListener("click", (event) => this.clicked(event));
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("pointerdown", (event) => {
      const cell = event.target.closest(".cell");
      if (cell && event.button === 0) this.on.grab?.(cell.dataset.square, event);
    });
    this.lay();
  }

  lay() {
    for (const cell of this.element.querySelectorAll(".cell")) {
      const [row, column] = cell.place;
      const file = this.turned ? 7 - column : column;
      const rank = this.turned ? row : 7 - row;
      const name = FILES[file] + (rank + 1);
      cell.dataset[this.still ? "spot" : "square"] = name;
      cell.className = `cell ${(file + rank) % 2 ? "light" : "dark"}`;
      cell.shown = null;
      cell.dataset.rank = column === 0 ? String(rank + 1) : "";
      cell.dataset.file = row === 7 ? FILES[file] : "";
      cell.replaceChildren(h("span", { class: "mark", "aria-hidden": "true" }));
      this.cells[name] = cell;
    }
    this.tab();
  }

  turn(turned) {
    if (turned === this.turned) return;
    this.turned = turned;
    const had = this.element.contains(document.activeElement);
    this.lay();
    if (this.last) this.show(this.last);
    if (had) this.cells[this.focus].focus();
  }

  // letters: what a lit square stands for, such as the piece that is chosen there.
  // { pieces: {e4: "P"}, ghosts: {e2: "P"}, marks: {e4: "last_move"}, closed: Set or null, faults: {} }
  show(what) {
    this.last = what;
    for (const [name, cell] of Object.entries(this.cells)) {
      const piece = what.pieces[name] ?? "";
      const ghost = piece ? "" : what.ghosts?.[name] ?? "";
      const marks = (what.marks[name] ?? []).join(" ");
      const reed = what.closed ? (what.closed.has(name) ? "closed" : "open") : "";
      const fault = what.faults?.[name] ?? "";
      const letter = what.letters?.[name] ?? "";
      const key = [piece, ghost, marks, reed, fault, letter].join("|");
      if (cell.shown === key) continue;
      cell.shown = key;
      cell.dataset.marks = marks;
      cell.dataset.reed = reed;
      cell.dataset.fault = fault;
      cell.firstElementChild.dataset.letter = letter;
      cell.querySelector(".piece")?.remove();
      if (piece || ghost) cell.append(pieceIcon(piece || ghost, ghost ? "ghost" : ""));
      cell.setAttribute("aria-label", this.label(name, piece, ghost, what.marks[name] ?? []));
    }
  }

  label(name, piece, ghost, marks) {
    const letter = piece || ghost;
    const parts = [name];
    if (letter) {
      const side = letter === letter.toUpperCase() ? "white" : "black";
      parts.push(t(ghost ? "ui.lifted_piece" : "ui.piece", { side, piece: t(`piece.${letter.toLowerCase()}`) }));
    }
    for (const mark of marks) parts.push(t(`lamp.${mark}`));
    return parts.join(", ");
  }

  clicked(event) {
    const cell = event.target.closest(".cell");
    if (!cell) return;
    this.focus = cell.dataset.square;
    this.tab();
    this.on.square?.(cell.dataset.square, event);
  }

  key(event) {
    this.focus = event.target.closest(".cell")?.dataset.square ?? this.focus;
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (step) {
      const [row, column] = this.cells[this.focus].place;
      const to = [Math.min(7, Math.max(0, row + step[0])), Math.min(7, Math.max(0, column + step[1]))];
      for (const [name, cell] of Object.entries(this.cells)) {
        if (cell.place[0] === to[0] && cell.place[1] === to[1]) this.focus = name;
      }
      this.tab();
      this.cells[this.focus].focus();
      event.preventDefault();
    } else if (event.key === " " && this.on.space?.(event)) {
      event.stopPropagation();
    } else if (event.key === "Enter" || event.key === " ") {
      this.on.square?.(this.focus, event);
      event.preventDefault();
    } else if (event.key === "Escape") {
      this.on.escape?.();
    }
  }

  tab() {
    for (const [name, cell] of Object.entries(this.cells)) cell.tabIndex = name === this.focus ? 0 : -1;
  }

  squareAt(x, y) {
    return document.elementsFromPoint(x, y).find((one) => one.classList?.contains("cell"))?.dataset.square;
  }
}
