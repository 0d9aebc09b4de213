// Starts the view that the shell names, once the session and the sentences are here.

import { loadSession, session } from "./api.js";
import { fill, h, icon, store } from "./dom.js";
import { choose, lang, loadCatalogue, t } from "./i18n.js";

const VIEWS = ["play", "practice", "games", "rules", "watch", "desk"];
const PATHS = { play: "/", practice: "/practice", games: "/games", rules: "/rules", watch: "/watch", desk: "/desk" };
const NAMES = { en: "English", ja: "日本語", ko: "한국어" };

const view = document.documentElement.dataset.view;

function bar() {
  const current = view === "replay" ? "games" : view;
  const links = VIEWS.filter((name) => name !== "practice" || session.simulated || session.may_play).map((name) =>
    h("a", { href: PATHS[name], "aria-current": name === current ? "page" : null }, t(`nav.${name}`)));
  const picker = h("select", { class: "plain", "aria-label": t("ui.language"), onchange: (event) => choose(event.target.value) }, Object.entries(NAMES).map(([code, name]) => h("option", { value: code, lang: code, selected: code === lang }, name)));
  const theme = h("button", { class: "quiet round", type: "button", "aria-label": t("ui.theme"), title: t("ui.theme"),
    onclick: () => {
      const root = document.documentElement;
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      try { localStorage.setItem("theme", root.dataset.theme); } catch { store("theme", root.dataset.theme); }
    } }, icon("moon"));
  fill(document.getElementById("bar"),
    h("a", { class: "brand", href: "/" }, h("img", { src: "/static/icon.svg", alt: "", width: 26, height: 26 }), "touchmove"),
    h("nav", { "aria-label": t("ui.views") }, links),
    h("div", { class: "tools" }, picker, theme));
}

async function start() {
  for (let pause = 300; ; pause = Math.min(pause * 2, 5000)) {
    try {
      await Promise.all([loadSession(), loadCatalogue(document.documentElement.lang)]);
      break;
    } catch {
      await new Promise((go) => setTimeout(go, pause));
    }
  }
  const skip = document.querySelector(".skip");
  skip.textContent = t("ui.skip");
  document.title = view === "play" ? "touchmove" : `${t(`nav.${view === "replay" ? "games" : view}`)} · touchmove`;
  bar();
  const module = await import(`./${view === "watch" ? "play" : view}.js`);
  await module.show(document.getElementById("main"), view);
}

start();
