// The games in the journal: the newest first, each to be replayed or taken away.

import { fill, h } from "./dom.js";
import { t } from "./i18n.js";

// The event of exercises: they are kept like all games, but nobody looks for them here.
export const PRACTICE = "Practice";

export async function show(main) {
  const body = h("tbody");
  const more = h("button", { type: "button", hidden: true, onclick: () => load() }, t("games.more"));
  const note = h("p", { class: "lead" }, t("games.lead"));
  const table = h("table", { class: "games" },
    h("thead", {}, h("tr", {}, ["date", "white", "black", "result", "moves"].map((name) =>
      h("th", { scope: "col", class: name === "moves" ? "wide" : "" }, t(`games.${name}`))), h("th", { scope: "col" }, h("span", { class: "spoken" }, t("games.open"))))),
    body);
  fill(main, h("div", { class: "page" }, h("h1", {}, t("nav.games")), note, table, more));
  let offset = 0;

  async function load() {
    const answer = await fetch(`/api/games?offset=${offset}`);
    if (!answer.ok) return;
    const { games, more: left } = await answer.json();
    offset += 50;
    more.hidden = !left;
    for (const game of games) if (game.running || game.event !== PRACTICE) body.append(row(game));
    if (left && !body.children.length) return load();
    table.hidden = !body.children.length;
    if (!body.children.length) note.textContent = t("games.none");
  }

  await load();
}

function row(game) {
  const playing = game.running && game.result === "*";
  const end = playing ? t("games.running") : game.termination ? t(`termination.${game.termination}`) : "";
  const path = `/games/${encodeURIComponent(game.game_id)}`;
  const named = (name, side) => (name && name !== "?" ? name : t(`side.${side}`));
  return h("tr", {},
    h("td", {}, game.date || "—"),
    h("td", {}, named(game.white, "white")),
    h("td", {}, named(game.black, "black")),
    h("td", { class: "result" }, playing ? null : game.result === "*" ? "–" : game.result.replaceAll("1/2", "½"),
      h("small", {}, end || (game.result === "*" ? t("games.unfinished") : ""))),
    h("td", { class: "wide" }, String(Math.ceil(game.plies / 2))),
    h("td", {}, h("a", { class: "button", href: path, "aria-label": `${t("games.open")}: ${named(game.white, "white")} – ${named(game.black, "black")}, ${game.date}` }, t("games.open"))));
}
