// Questions that need a second thought: a native dialog, closed by Escape, with the safe answer first.

import { fill, h } from "./dom.js";
import { t } from "./i18n.js";

export function ask({ title, body = [], confirm, danger = false }) {
  return new Promise((resolve) => {
    const form = h("form", { method: "dialog" });
    const dialog = h("dialog", { "aria-labelledby": "dialog-title" }, form);
    fill(form,
      h("h2", { id: "dialog-title" }, title), body,
      h("div", { class: "buttons end" },
        h("button", { value: "", type: "submit", formnovalidate: true }, t("ui.cancel")),
        h("button", { value: "yes", type: "submit", class: danger ? "danger" : "main" }, confirm)));
    dialog.addEventListener("close", () => {
      const values = dialog.returnValue === "yes" ? Object.fromEntries(new FormData(form)) : null;
      dialog.remove();
      resolve(values);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

export function field(label, control, note = "") {
  return h("label", { class: "field" }, h("span", {}, label), control, note ? h("small", {}, note) : null);
}

export function choices(name, legend, options, chosen) {
  return h("fieldset", { class: "choices" }, h("legend", {}, legend), options.map(([value, label]) =>
    h("label", {}, h("input", { type: "radio", name, value, checked: value === chosen }), h("span", {}, label))));
}
