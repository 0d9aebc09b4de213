// Talks to the board: a session with its token, commands, and the stream of events, all of which outlive its restarts.

import { has, t } from "./i18n.js";

export const session = { csrf: "", run: "", simulated: false, may_play: true, may_rule: false };

export async function loadSession() {
  const answer = await fetch("/api/session", { cache: "no-store" });
  if (!answer.ok) throw new Error(String(answer.status));
  Object.assign(session, await answer.json());
  return session;
}

// A POST; after a restart of the board the token is old: get a new one and try once more.
export async function post(path, body, again = true) {
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRF-Token": session.csrf },
      body: JSON.stringify(body),
    });
  } catch {
    toast(t("ui.no_board"));
    return null;
  }
  if (answer.status === 403 && again) {
    const before = session.csrf;
    await loadSession().catch(() => null);
    if (session.csrf !== before) return post(path, body, false);
  }
  const out = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    toast(has(`refusal.${out.word}`) ? t(`refusal.${out.word}`, { why: out.error }) : out.error ?? String(answer.status));
    return null;
  }
  return out;
}

export const command = (name, fields = {}) => post("/api/command", { command: name, ...fields });

let toastTimer = 0;

export function toast(text) {
  const element = document.getElementById("toast");
  element.textContent = text;
  element.classList.add("up");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => element.classList.remove("up"), 4000);
}

// The board's milliseconds, from what it said when we connected.
let offset = 0;

export const boardNow = () => performance.now() + offset;

export function listen(audience, handlers) {
  let last = "";
  let source = null;
  let pause = 500;
  let run = "";
  let gone = 0;

  const lost = () => {
    clearTimeout(gone);
    gone = setTimeout(() => handlers.link?.(false), 700);
  };

  function open() {
    source = new EventSource(`/api/stream/${audience}${last ? `?after=${last}` : ""}`);
    source.onerror = () => {
      lost();
      if (source.readyState === EventSource.CLOSED) {
        setTimeout(open, pause);
        pause = Math.min(pause * 2, 8000);
      }
    };
    const on = (name, act) =>
      source.addEventListener(name, (event) => {
        if (event.lastEventId) last = event.lastEventId;
        act(JSON.parse(event.data));
      });
    on("hello", async (hello) => {
      pause = 500;
      clearTimeout(gone);
      offset = hello.now_ms - performance.now();
      const page = document.documentElement.dataset.version;
      if (hello.version !== page) return location.reload();
      if (run && run !== hello.run) await loadSession().catch(() => null);
      run = hello.run;
      handlers.link?.(true);
      if (hello.table) handlers.table?.(hello.table, true);
    });
    for (const name of ["step", "table", "hint"]) on(name, (payload) => handlers[name]?.(payload));
  }

  open();
  return () => source?.close();
}
