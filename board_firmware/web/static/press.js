// The press of the clock: the simulated board's own lever, or the page's where a board has none.

import { post } from "./api.js";
import { closedOf } from "./bench.js";
import { placement } from "./board.js";

const TYPING = "a, button, input, select, textarea, summary, dialog, [role=menu]";

export class Press {
  constructor(hand) {
    this.hand = hand;
    this.step = null;
  }

  // Whether this page presses at all; a board with a lever is pressed there.
  get can() {
    return Boolean(this.step && (this.hand || this.step.presses_here));
  }

  press(side) {
    return this.hand ? this.hand.act({ do: "press", side }) : post("/api/press", { side });
  }

  // The space bar must not press by mistake: something has been played, and no piece hangs in the hand.
  get ready() {
    if (!this.can || this.hand?.held) return false;
    const { state } = this.step;
    if (!state.clock_s || !["white", "black"].includes(state.clock)) return false;
    return (state.made && !state.completed) || differs(this.step);
  }

  // True if the key was a press; then it is nothing else.
  space(event) {
    if (event.key !== " " || event.repeat || event.target.closest?.(TYPING) || !this.ready) return false;
    event.preventDefault();
    this.press(this.step.state.clock);
    return true;
  }
}

function differs({ state, occupancy }) {
  const believed = Object.keys(placement(state.fen));
  const closed = closedOf(occupancy);
  return closed.size !== believed.length || believed.some((name) => !closed.has(name));
}
