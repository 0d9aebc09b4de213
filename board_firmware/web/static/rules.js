// The rules that the board speaks of, in plain words; each can be linked to.

import { fill, h } from "./dom.js";
import { t } from "./i18n.js";

export const RULES = { touch: "4.3", adjust: "4.2", moves: "3.1–3.8", castling: "3.8.2", en_passant: "3.7.3", promotion: "3.7.3.3, 4.6",
  check: "3.9", illegal: "7.5", clock: "6.2", draw: "9.1–9.6", end: "5.1–5.2" };

export async function show(main) {
  fill(main, h("div", { class: "page" }, h("h1", {}, t("nav.rules")), h("p", { class: "lead" }, t("rules.lead")),
    h("nav", { class: "contents", "aria-label": t("nav.rules") }, Object.keys(RULES).map((name) => h("a", { href: `#${name}` }, t(`rule.${name}.title`)))),
    Object.entries(RULES).map(([name, article]) => h("section", { id: name },
      h("h2", {}, t(`rule.${name}.title`)),
      h("p", {}, t(`rule.${name}.text`)),
      h("p", { class: "soft" }, t("rules.article", { article })))),
    h("p", { class: "soft" }, t("rules.source"))));
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}
