// Sentences for machine words, from the same catalogue that the board's display and terminal use.

const FIELD = /\{(\w+)\}/g;
const TAIL = /\s*[(（]([^()（）]*\{\w+\}[^()（）]*)[)）]/g;

let sentences = {};
export let lang = document.documentElement.lang || "en";

export async function loadCatalogue(name) {
  const answer = await fetch(`/api/catalogue/${name}`);
  if (!answer.ok) throw new Error(`no sentences: ${answer.status}`);
  sentences = await answer.json();
  lang = name;
}

// The reader's own choice: kept, and stronger than all else.
export function choose(name) {
  document.cookie = `touchmove_lang=${name}; path=/; max-age=31536000; samesite=strict`;
  const here = new URL(location.href);
  here.searchParams.delete("lang");
  if (here.href === location.href) location.reload();
  else location.replace(here);
}

function shown(value) {
  if (Array.isArray(value)) return value.map(shown).join(", ");
  if (value === "white" || value === "black") return sentences[`side.${value}`] ?? value;
  return String(value);
}

export function has(key) {
  return key in sentences;
}

export function t(key, fields = {}, count = 1) {
  const forms = sentences[key];
  if (forms === undefined) return key;
  const template = Array.isArray(forms) ? forms[Math.min(forms.length - 1, count === 1 ? 0 : 1)] : forms;
  const known = (name) => {
    const value = fields[name];
    return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
  };
  return template
    .replace(TAIL, (whole, inner) => ([...inner.matchAll(FIELD)].every((match) => known(match[1])) ? whole : ""))
    .replace(FIELD, (_, name) => (known(name) ? shown(fields[name]) : "…"));
}

// A word of the contract with its subject: "touch_move:g1" of the family "violation".
export function word(family, text) {
  const [name, subject = ""] = text.split(/:(.*)/s);
  const key = `${family}.${name}`;
  return has(key) ? t(key, { subject: subject.replace(">", " → ").replaceAll(",", ", ") }) : text;
}

// A part of the board: "square e4", "line rank 4", "link".
export function part(name) {
  const [kind, ...rest] = name.split(" ");
  const key = `part.${kind === "line" ? `${kind}_${rest.shift()}` : kind}`;
  return has(key) ? t(key, { subject: rest.join(" ") }) : name;
}

export function reason(one) {
  return t(`reason.${one.word}`, { squares: one.squares ?? [], by: one.by ?? [] }, (one.squares ?? []).length || 1);
}

const FIGURINES = { K: "♔", Q: "♕", R: "♖", B: "♗", N: "♘" };

export function notation(san, figurines) {
  return figurines ? san.replace(/[KQRBN]/g, (letter) => `${FIGURINES[letter]}\uFE0E`) : san;
}

// A move as it is said: "knight f3", not "N f 3".
export function spoken(san) {
  if (/^O-O-O/.test(san)) return t("say.castles_long") + suffix(san);
  if (/^O-O/.test(san)) return t("say.castles_short") + suffix(san);
  const match = /^([KQRBN])?([a-h]?[1-8]?)(x)?([a-h][1-8])(?:=([QRBN]))?/.exec(san);
  if (!match) return san;
  const [, letter, from, takes, to, becomes] = match;
  const parts = [t(`piece.${(letter ?? "p").toLowerCase()}`), from, takes ? t("say.takes") : "", to];
  if (becomes) parts.push(t(`piece.${becomes.toLowerCase()}`));
  return parts.filter(Boolean).join(" ") + suffix(san);
}

function suffix(san) {
  if (san.endsWith("#")) return `, ${t("termination.checkmate")}`;
  return san.endsWith("+") ? `, ${t("say.check")}` : "";
}
