// The move list: pairs of moves, the newest in view, and said aloud once for those who listen.

import { h, once } from "./dom.js";
import { notation, spoken, t } from "./i18n.js";

export class MoveList {
  // pick(ply): called when a move is chosen, for replay and for the desk.
  constructor({ pick = null } = {}) {
    this.pick = pick;
    this.figurines = true;
    this.list = h("ol", { class: "moves" });
    this.element = h("section", { class: "movelist", "aria-label": t("ui.moves"), tabindex: "0" }, this.list);
    this.said = null;
  }

  set(san, { fen = "", current = san.length, completed = true, times = [] } = {}) {
    const fields = fen.split(" ");
    const black = fields[1] === "b";
    const first = Number(fields[5] ?? 1) || 1;
    const changed = once(this.list, [san, fen, current, completed, this.figurines, times], () => {
      const rows = [];
      const plies = black ? [null, ...san] : san;
      for (let n = 0; n < plies.length; n += 2) {
        const row = h("li", {}, h("span", { class: "number" }, `${first + n / 2}.`));
        for (const k of [n, n + 1]) {
          if (k >= plies.length) continue;
          const ply = black ? k : k + 1;
          row.append(plies[k] === null ? h("span", { class: "gap" }, "…") : this.move(plies[k], ply, ply === current,
            completed || ply < san.length, times[ply - 1]));
        }
        rows.push(row);
      }
      return rows.length ? rows : [h("li", { class: "empty" }, t("ui.no_moves"))];
    });
    if (changed) {
      const now = this.list.querySelector(".now");
      if (now) this.element.scrollTop = now.offsetTop - this.element.clientHeight / 2;
    }
    return changed;
  }

  move(san, ply, now, completed, time) {
    const props = { class: `move${now ? " now" : ""}${completed ? "" : " open"}`, "aria-current": now ? "true" : null };
    const text = notation(san, this.figurines);
    const clock = time ? h("small", {}, time) : null;
    return this.pick
      ? h("button", { type: "button", ...props, onclick: () => this.pick(ply) }, text, clock)
      : h("span", props, text, clock);
  }

  // Say the newest move when the list has grown.
  announce(san, fen = "") {
    const key = san.join(" ");
    if (this.said !== null && key !== this.said && san.length) {
      document.getElementById("spoken").textContent =
        `${t((san.length % 2 === 1) === (fen.split(" ")[1] !== "b") ? "side.white" : "side.black")}: ${spoken(san.at(-1))}`;
    }
    this.said = key;
  }
}
