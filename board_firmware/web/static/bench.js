// Under the board: each reed as it is beside what the board believes, and faults to be switched on.

import { h, icon, once } from "./dom.js";
import { BoardView, SQUARES } from "./board.js";
import { t } from "./i18n.js";

const FAULTS = ["stuck_open", "stuck_closed", "intermittent", "chatter"];

export function closedOf(occupancy) {
  const bits = BigInt(`0x${occupancy || "0"}`);
  return new Set(SQUARES.filter((_, n) => (bits >> BigInt(n)) & 1n));
}

export class Bench {
  constructor(hand, changed) {
    this.hand = hand;
    this.reeds = false;
    this.picks = false;
    const toggle = (label, set) => h("label", { class: "check" },
      h("input", { type: "checkbox", onchange: (event) => { set(event.target.checked); changed(); } }), h("span", {}, label));
    const square = h("input", { class: "short", maxlength: 2, pattern: "[a-h][1-8]", placeholder: "e4", "aria-label": t("bench.square") });
    const fault = h("select", { "aria-label": t("bench.fault") }, FAULTS.map((one) => h("option", { value: one }, t(`fault.${one}`))));
    this.square = square;
    this.pick = h("button", { type: "button", class: "round", "aria-pressed": "false", "aria-label": t("bench.pick"), title: t("bench.pick"),
      onclick: () => this.picking(!this.picks) }, icon("aim"));
    const at = () => square.value.trim().toLowerCase();
    const act = (body) => /^[a-h][1-8]$/.test(at()) && hand.act({ square: at(), ...body });
    this.faults = h("ul", { class: "faults" });
    this.mini = new BoardView({}, { still: true });
    this.fen = h("small");
    this.believed = h("figure", { class: "believed", hidden: true }, this.mini.element, h("figcaption", {}, t("bench.believed"), h("br"), this.fen));
    this.element = h("details", { class: "bench" },
      h("summary", {}, t("bench.title")),
      h("p", { class: "soft" }, t("bench.note")),
      toggle(t("bench.reeds"), (on) => { this.reeds = on; }),
      this.believed,
      toggle(t("bench.slide"), (on) => { hand.slide = on; }),
      h("div", { class: "line" }, square, this.pick,
        h("button", { type: "button", onclick: () => act({ do: "adjust" }) }, t("bench.adjust")),
        h("button", { type: "button", onclick: () => act({ do: "knock" }) }, t("bench.knock"))),
      h("div", { class: "line" }, fault,
        h("button", { type: "button", onclick: () => act({ do: "fault", fault: fault.value }) }, t("bench.break"))),
      this.faults);
  }

  // What the board believes to stand there, each reed as it is beside it.
  show(fen, pieces, closed) {
    this.believed.hidden = !this.reeds;
    if (!this.reeds) return;
    this.mini.show({ pieces, marks: {}, closed });
    this.fen.textContent = fen;
  }

  // The next click on the board names a square instead of lifting its piece.
  picking(on) {
    this.picks = on;
    this.pick.setAttribute("aria-pressed", String(on));
  }

  picked(name) {
    this.square.value = name;
    this.picking(false);
  }

  set(table) {
    once(this.faults, table.faults, () => Object.entries(table.faults).map(([square, fault]) =>
      h("li", {}, `${square}: ${t(`fault.${fault}`)} `, h("button", { type: "button", class: "quiet",
        onclick: () => this.hand.act({ do: "fault", square, fault: null }) }, t("bench.mend")))));
  }
}
