// A view that needs a token asks for it once.

import { post } from "./api.js";
import { field } from "./dialog.js";
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";

export function joinForm(main, path, key) {
  const token = h("input", { name: "token", type: "password", autocomplete: "off", required: true });
  fill(main, h("form", { class: "card narrow", onsubmit: async (event) => {
    event.preventDefault();
    if (await post(path, { token: token.value.trim() })) location.reload();
  } },
  h("h1", {}, t(`${key}_title`)), h("p", {}, t(`${key}_note`)), field(t("join.token"), token),
  h("div", { class: "buttons" }, h("button", { class: "main", type: "submit" }, t("join.enter")))));
  token.focus();
}
