// What a player may say without touching a piece: adjust, offer, claim, take back, resign, call the arbiter.

import { command, post } from "./api.js";
import { ask, choices, field } from "./dialog.js";
import { h, icon } from "./dom.js";
import { t } from "./i18n.js";

export function menuFor(side, getStep) {
  const list = h("div", { class: "menu", role: "menu", hidden: true });
  const button = h("button", { type: "button", class: "quiet round", "aria-haspopup": "menu", "aria-expanded": "false",
    "aria-label": t("ui.actions_of", { side }), title: t("ui.actions_of", { side }) }, icon("more"));
  const close = (refocus) => {
    list.hidden = true;
    button.setAttribute("aria-expanded", "false");
    if (refocus) button.focus();
  };
  const item = (label, act, danger = false) => h("button", { type: "button", role: "menuitem", tabindex: "-1",
    class: danger ? "danger-text" : "", onclick: () => { close(true); act(); } }, label);
  button.addEventListener("click", () => {
    if (!list.hidden) return close(true);
    const step = getStep();
    list.replaceChildren(...items(side, step, item));
    list.hidden = false;
    button.setAttribute("aria-expanded", "true");
    list.querySelector("button")?.focus();
    setTimeout(() => addEventListener("click", (event) => { if (!list.contains(event.target)) close(false); }, { once: true }));
  });
  list.addEventListener("keydown", (event) => {
    const all = [...list.querySelectorAll("button")];
    const at = all.indexOf(document.activeElement);
    if (event.key === "Escape") close(true);
    else if (event.key === "ArrowDown") all[(at + 1) % all.length].focus();
    else if (event.key === "ArrowUp") all[(at + all.length - 1) % all.length].focus();
    else return;
    event.preventDefault();
  });
  return h("div", { class: "menubox" }, button, list);
}

function items(side, step, item) {
  const friendly = step?.profile !== "tournament";
  const timed = Boolean(step?.state.clock_s);
  return [
    item(t("act.adjust"), () => command("AdjustPressed", { side })),
    item(t("act.draw"), () => confirmed(t("act.draw"), t("act.draw_confirm", { side }), "DrawOffered", { side })),
    item(t("act.claim"), () => claim(side, timed)),
    friendly && step?.san.length ? item(t("act.takeback"), () => command("TakebackAsked", { side })) : null,
    item(t("act.object"), () => object(side)),
    timed || !friendly ? item(t(friendly ? "act.pause" : "act.arbiter"), () => command("PauseAsked", { side })) : null,
    item(t("act.resign"), () => confirmed(t("act.resign"), t("act.resign_confirm", { side }), "Resigned", { side }, true), true),
  ].filter(Boolean);
}

async function confirmed(title, text, name, fields, danger = false) {
  if (await ask({ title, body: h("p", {}, text), confirm: title, danger })) command(name, fields);
}

async function claim(side, timed) {
  const kinds = [["threefold", t("claim.threefold")], ["fifty", t("claim.fifty")], ...(timed ? [["time", t("claim.time")]] : [])];
  const move = h("input", { name: "move", pattern: "[a-h][1-8][a-h][1-8][qrbn]?", placeholder: "e2e4", autocomplete: "off",
    spellcheck: "false" });
  const values = await ask({ title: t("act.claim"), confirm: t("act.claim_do"), body: [
    h("p", {}, t("act.claim_confirm", { side })),
    choices("kind", t("act.claim_kind"), kinds, "threefold"),
    field(t("act.claim_move"), move, t("act.claim_move_note"))] });
  if (values) command("Claimed", { side, kind: values.kind, ...(values.move ? { move: values.move } : {}) });
}

async function object(side) {
  const values = await ask({ title: t("act.object"), confirm: t("act.object"), body: [
    h("p", {}, t("act.object_confirm")),
    choices("about", t("act.object_about"), [["touch-move", t("act.object_touch")], ["illegal", t("act.object_illegal")]], "touch-move")] });
  if (values) command("Objected", { side, about: values.about });
}

const CONTROLS = ["none", "180+2", "300+3", "600+5", "900+10", "5400+30"];

export async function newGame({ profile, san = [], state } = {}) {
  const running = san.length > 0 && state.status !== "ended";
  const advanced = h("details", {}, h("summary", {}, t("game.more")),
    h("div", { class: "pair" }, field(t("game.white"), h("input", { name: "White", maxlength: 80, autocomplete: "off" })),
      field(t("game.black"), h("input", { name: "Black", maxlength: 80, autocomplete: "off" }))),
    h("label", { class: "check" }, h("input", { type: "checkbox", name: "chess960" }), h("span", {}, t("game.chess960"))),
    field("FEN", h("input", { name: "fen", maxlength: 100, autocomplete: "off", spellcheck: "false" }), t("game.fen_note")));
  const values = await ask({ title: t("game.new"), confirm: t("game.start"), body: [
    choices("control", t("game.time"), CONTROLS.map((one) => [one, t(`control.${one}`)]), "none"),
    choices("profile", t("game.rules"), [["friendly", t("game.friendly")], ["practice", t("game.practice")]],
      profile === "practice" ? "practice" : "friendly"),
    advanced, running ? h("p", { class: "soft" }, t("game.replace_note")) : null] });
  if (!values) return;
  const tags = Object.fromEntries(["White", "Black"].filter((name) => values[name]).map((name) => [name, values[name]]));
  post("/api/game", { control: values.control, profile: values.profile, fen: values.fen ?? "",
    chess960: values.chess960 === "on", tags });
}
