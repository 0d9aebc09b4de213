// The arbiter's rulings as forms: each verb of the contract with the arguments it takes.

import { ask, field } from "./dialog.js";
import { h, store, stored } from "./dom.js";
import { t } from "./i18n.js";

const side = (extra = []) => (name) => h("select", { name }, ["white", "black", ...extra].map((one) =>
  h("option", { value: one }, one === "both" ? t("rule_form.both") : t(`side.${one}`))));
const text = (placeholder, pattern = null) => (name) => h("input", { name, placeholder, pattern, required: true, autocomplete: "off", spellcheck: "false" });
const number = (value, high) => (name) => h("input", { name, type: "number", min: 0, max: high, value, required: true });
const one = (values) => (name) => h("select", { name }, values.map((value) => h("option", { value }, value)));
const SQUARE = "[a-h][1-8]";
const TIME = "(\\d+:)?\\d{1,3}(:\\d{2})?";

export const VERBS = {
  resume: { side: side() },
  "set-clock": { white: text("1:30:00", TIME), black: text("1:30:00", TIME) },
  "set-period": { side: side(), number: number(1, 9) },
  counter: { side: side(), number: number(0, 999) },
  penalty: { side: side(), seconds: number(120, 3600) },
  warning: { side: side() },
  apply: {}, waive: {}, uphold: {}, reject: {}, accept: {}, "undo-move": {},
  accidental: { square: text("e4", SQUARE) },
  promotion: { piece: one(["q", "r", "b", "n"]) },
  position: { fen: text("FEN") },
  rewind: { ply: number(0, 999) },
  result: { result: one(["1-0", "0-1", "1/2-1/2", "*"]) },
  flag: { side: side(["both"]) },
  "dead-position": {}, "cannot-mate": { side: side() },
  "wrong-setup": {}, "colours-reversed": {}, "displaced-piece": { square: text("e4", SQUARE) },
  undo: {},
};

// "1:30:00", "5:00" or "90" as seconds.
export function seconds(value) {
  return value.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}

function argumentsOf(verb, values) {
  if (verb === "set-clock") return ["white", String(seconds(values.white)), "black", String(seconds(values.black))];
  if (verb === "position") return values.fen.trim().split(/\s+/);
  return Object.keys(VERBS[verb]).map((name) => String(values[name]).trim());
}

export async function rule(verb, send, given = {}) {
  const fields = Object.entries(VERBS[verb]).map(([name, control]) => {
    const element = control(name);
    if (given[name] !== undefined) element.value = given[name];
    return field(t(`rule_form.${name === "white" || name === "black" ? `clock_${name}` : name}`), element);
  });
  const values = await ask({ title: t(`ruling.${verb}`), confirm: t("desk.rule"), body: [...fields,
    field(t("rule_form.reason"), h("input", { name: "reason", maxlength: 300, autocomplete: "off" })),
    field(t("rule_form.author"), h("input", { name: "author", maxlength: 80, value: stored("arbiter", ""), autocomplete: "name" }))] });
  if (!values) return;
  store("arbiter", values.author);
  send("Ruled", { verb, arguments: argumentsOf(verb, values), reason: values.reason, author: values.author });
}
