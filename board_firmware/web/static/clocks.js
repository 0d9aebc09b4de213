// The two clocks: counted down here between the board's words, pressed through the board's own lever.

import { boardNow } from "./api.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

export function face(seconds) {
  const left = Math.max(0, seconds);
  if (left < 20) return (Math.floor(left * 10) / 10).toFixed(1);
  const whole = Math.ceil(left);
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  const tail = `${String(minutes).padStart(hours ? 2 : 1, "0")}:${String(whole % 60).padStart(2, "0")}`;
  return hours ? `${hours}:${tail}` : tail;
}

// One player's strip: a name, whose turn it is, the clock, and room for a menu.
export class Strip {
  constructor(side, { press = null, menu = null } = {}) {
    this.side = side;
    this.time = h("span", { class: "time" });
    this.verb = h("span", { class: "verb" });
    this.clock = press
      ? h("button", { type: "button", class: "clock", "aria-keyshortcuts": "Space", "aria-disabled": "true",
        onclick: () => { if (this.mayPress) press(side); } },
        h("span", { class: "spoken" }, t("ui.clock_of", { side })), this.time, this.verb)
      : h("div", { class: "clock" }, this.time);
    this.name = h("span", { class: "name" });
    this.state = h("span", { class: "state" });
    this.menu = menu;
    this.element = h("section", { class: `strip ${side}`, "aria-label": t(`side.${side}`) },
      h("span", { class: "dot", "aria-hidden": "true" }), this.name, this.state, menu, this.clock);
    this.canPress = Boolean(press);
  }

  set(step, name, { presses = false } = {}) {
    const { state } = step;
    this.name.textContent = name || t(`side.${this.side}`);
    const moves = state.turn === this.side;
    this.element.classList.toggle("turn", moves);
    if (this.menu) this.menu.hidden = state.status === "ended";
    const running = state.clock === this.side;
    this.element.classList.toggle("running", running);
    const seconds = state.clock_s?.[this.side];
    this.seconds = seconds;
    this.since = running ? step.at_ms : null;
    this.clock.hidden = seconds === undefined || seconds === null;
    this.state.textContent = moves ? t("ui.to_move") : "";
    this.mayPress = this.canPress && presses && running;
    if (this.canPress) {
      this.clock.classList.toggle("may", this.mayPress);
      this.clock.setAttribute("aria-disabled", String(!this.mayPress));
      this.verb.textContent = this.mayPress ? t("ui.press") : "";
    }
    this.tick();
  }

  tick() {
    if (this.seconds === undefined || this.seconds === null) return;
    const used = this.since === null ? 0 : Math.max(0, boardNow() - this.since) / 1000;
    const text = face(this.seconds - used);
    if (this.time.textContent !== text) this.time.textContent = text;
    this.clock.classList.toggle("low", this.seconds - used < 20);
  }
}

export function keepTicking(strips) {
  const tick = () => {
    for (const strip of strips) strip.tick();
    setTimeout(tick, 100);
  };
  tick();
}
