// Small ways to build and keep elements; everything shown goes through textContent, so no text can become markup.

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "value" || name === "checked" || name === "hidden" || name === "disabled") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Rebuild only when what is shown differs: keeps focus, scrolling and screen readers calm.
export function once(element, key, build) {
  const text = JSON.stringify(key);
  if (element.shownKey === text) return false;
  element.shownKey = text;
  const built = build();
  fill(element, ...(Array.isArray(built) ? built : [built]));
  return true;
}

export function stored(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? fallback;
  } catch {
    return fallback;
  }
}

export function store(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch { /* private mode: the choice lasts as long as the page */ }
}

const SVG = "http://www.w3.org/2000/svg";

export function pieceIcon(letter, extra = "") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", `piece ${letter === letter.toUpperCase() ? "white" : "black"} ${extra}`);
  svg.setAttribute("viewBox", "0 0 45 45");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `/static/pieces.svg#${letter.toLowerCase()}`);
  svg.append(use);
  return svg;
}

// Line icons of the interface, 24 by 24.
const ICONS = {
  flip: "M7 4v13m0 0-3-3m3 3 3-3M17 20V7m0 0-3 3m3-3 3 3",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  plus: "M12 5v14M5 12h14",
  hand: "M8 12V6a1.5 1.5 0 0 1 3 0v5m0-1V4.5a1.5 1.5 0 0 1 3 0V11m0-4a1.5 1.5 0 0 1 3 0v7a6 6 0 0 1-6 6h-1a6 6 0 0 1-5-3l-2.5-4.2a1.4 1.4 0 0 1 2.3-1.6L8 13",
  down: "M12 4v12m0 0-4-4m4 4 4-4M5 20h14",
  first: "M18 6l-6 6 6 6M7 6v12",
  back: "M15 6l-6 6 6 6",
  next: "M9 6l6 6-6 6",
  last: "M6 6l6 6-6 6M17 6v12",
  tidy: "M4 12a8 8 0 1 1 2.3 5.6M4 20v-4h4",
  bulb: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.2 1 2V16h5v-.1c0-.8.4-1.5 1-2A6 6 0 0 0 12 3z",
  reeds: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z",
  aim: "M12 3v4m0 10v4M3 12h4m10 0h4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  check: "M5 12.5l4.5 4.5L19 7.5",
};

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.dataset.icon = name;
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}
