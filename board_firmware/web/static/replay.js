// One game from the journal, ply by ply, with the clock times that were on the board.

import { BoardView, placement } from "./board.js";
import { face } from "./clocks.js";
import { fill, h, icon, stored } from "./dom.js";
import { t } from "./i18n.js";
import { MoveList } from "./moves.js";

export async function show(main) {
  const id = location.pathname.split("/").at(-1);
  const answer = await fetch(`/api/games/${id}`);
  if (!answer.ok) {
    fill(main, h("div", { class: "page" }, h("h1", {}, t("games.gone")), h("p", {}, h("a", { href: "/games" }, t("games.back")))));
    return;
  }
  const game = await answer.json();
  const { plies, tags } = game;
  let at = plies.length;
  const board = new BoardView();
  const moves = new MoveList({ pick: (ply) => go(ply) });
  moves.figurines = stored("figurines", true);
  const name = (side) => {
    const tag = tags[side === "white" ? "White" : "Black"];
    return tag && tag !== "?" ? tag : t(`side.${side}`);
  };
  const strip = (side) => {
    const time = h("span", { class: "time" });
    return { time, element: h("div", { class: `strip ${side}` }, h("span", { class: "dot", "aria-hidden": "true" }),
      h("span", { class: "name" }, name(side)), h("span", { class: "state" }), h("div", { class: "clock" }, time)) };
  };
  const strips = { white: strip("white"), black: strip("black") };
  const button = (symbol, label, act) => h("button", { type: "button", class: "quiet round", "aria-label": label, title: label, onclick: act }, icon(symbol));
  const middle = h("div", { class: "boardcolumn" }, strips.black.element, board.element, strips.white.element);
  const steps = h("div", { class: "buttons replay" },
    button("first", t("replay.first"), () => go(0)), button("back", t("replay.back"), () => go(at - 1)),
    button("next", t("replay.next"), () => go(at + 1)), button("last", t("replay.last"), () => go(plies.length)));
  fill(main, h("div", { class: "game" },
    h("section", { class: "waiting", "data-tone": "end", "aria-label": t("games.result") },
      h("h1", { class: "sentence" }, `${name("white")} – ${name("black")}`),
      h("p", { class: "detail" }, [t(`outcome.${game.result}`), tags.Date?.includes("?") ? "" : tags.Date].filter(Boolean).join(" · "))),
    middle,
    h("div", { class: "side" }, steps, h("div", { class: "movebox" }, moves.element),
      h("div", { class: "buttons" },
        h("a", { class: "button", href: `/api/games/${id}/pgn`, download: `${id}.pgn` }, icon("down"), t("games.pgn")),
        h("button", { type: "button", class: "quiet", onclick: () => flip() }, icon("flip"), t("ui.flip")),
        h("a", { class: "button", href: "/games" }, t("games.back"))))));

  const black = (game.fen.split(" ")[1] ?? "w") === "b";

  function flip() {
    board.turn(!board.turned);
    const [top, bottom] = board.turned ? ["white", "black"] : ["black", "white"];
    middle.prepend(strips[top].element);
    board.element.after(strips[bottom].element);
  }

  function go(ply) {
    at = Math.max(0, Math.min(plies.length, ply));
    const now = plies[at - 1];
    const marks = {};
    if (now) for (const square of [now.uci.slice(0, 2), now.uci.slice(2, 4)]) marks[square] = ["last_move"];
    board.show({ pieces: placement(now?.fen ?? game.fen), marks, ghosts: {}, closed: null });
    moves.set(plies.map((one) => one.san), { fen: game.fen, current: at, times: plies.map((one) => (one.clk_s === undefined ? "" : face(one.clk_s))) });
    for (const [side, parity] of [["white", 0], ["black", 1]]) {
      const mine = plies.slice(0, at).filter((one, n) => (n + (black ? 1 : 0)) % 2 === parity && one.clk_s !== undefined).at(-1);
      strips[side].time.textContent = mine ? face(mine.clk_s) : "";
      strips[side].time.parentElement.hidden = !mine;
    }
  }

  addEventListener("keydown", (event) => {
    if (event.target.closest(".board, input, select")) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: plies.length }[event.key];
    if (to !== undefined) { go(to); event.preventDefault(); }
  });
  go(at);
}
