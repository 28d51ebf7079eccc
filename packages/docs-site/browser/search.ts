/** Finds sections of the documentation by words. The list is loaded when a reader begins to search. */
import type { Entry } from "../search-entry.js";
import { excerptOf, rank } from "./rank.js";

const viewMax = 12;
const form = document.querySelector<HTMLFormElement>("#search");
const input = document.querySelector<HTMLInputElement>("#words");
const list = document.querySelector<HTMLUListElement>("#found");
/** For people who do not see the list: how much is in it. */
const heard = document.querySelector<HTMLElement>("#heard");
const contents = document.querySelector<HTMLDetailsElement>("#contents");

// Beside the text there is room for the pages; above it, on a small screen, they stay folded.
const wide = matchMedia("(min-width: 60.01rem)");
const unfold = () => {
  if (contents) contents.open = wide.matches;
};
wide.addEventListener("change", unfold);
unfold();

// A list that is longer than the window begins a little before the page that is open.
const nav = document.querySelector<HTMLElement>("#pages");
const current = nav?.querySelector<HTMLElement>("[aria-current]");
if (nav && current && current.offsetTop > nav.clientHeight / 2)
  nav.scrollTop = current.offsetTop - nav.clientHeight / 4;

let loading: Promise<readonly Entry[]> | undefined;
let isLoaded = false;
function load(): Promise<readonly Entry[]> {
  loading ??= fetch("/docs/search.json")
    .then((answer) => {
      if (!answer.ok) throw new Error(`the search list: status ${answer.status}`);
      return answer.json() as Promise<Entry[]>;
    })
    .catch((error: unknown) => {
      // The next letter that is typed tries again.
      loading = undefined;
      throw error;
    });
  return loading;
}

function say(text: string): void {
  if (!list) return;
  hear(text);
  list.replaceChildren(Object.assign(document.createElement("li"), { textContent: text }));
  list.hidden = false;
}

function hear(text: string): void {
  if (heard) heard.textContent = text;
}

async function search(): Promise<void> {
  if (!input || !list) return;
  const query = input.value.trim();
  if (query === "") {
    list.replaceChildren();
    list.hidden = true;
    hear("");
    return;
  }
  if (!isLoaded) say("Searching…");
  const entries = await load().catch(() => undefined);
  if (entries === undefined) return say("The search could not be loaded. Type on to try again.");
  isLoaded = true;
  // The reader has typed on while the list was loading.
  if (query !== input.value.trim()) return;
  const found = rank(entries, query).slice(0, viewMax);
  if (found.length === 0) return say("Nothing found.");
  list.replaceChildren(...found.map((entry) => item(entry, query)));
  list.hidden = false;
  hear(found.length === 1 ? "1 place found." : `${found.length} places found. The arrow keys go through them.`);
}

function item(entry: Entry, query: string): HTMLLIElement {
  const made = document.createElement("li");
  const link = document.createElement("a");
  link.href = entry.url;
  const title = Object.assign(document.createElement("b"), { textContent: entry.title });
  const page = Object.assign(document.createElement("small"), { textContent: entry.page });
  const excerpt = Object.assign(document.createElement("small"), { textContent: excerptOf(entry, query) });
  link.append(title, " ", page, excerpt);
  made.append(link);
  return made;
}

/** Goes up or down from what has the focus: the field itself, or one of the places found. */
function step(by: 1 | -1): void {
  const stops: HTMLElement[] = [...(input ? [input] : []), ...(list?.querySelectorAll("a") ?? [])];
  const { activeElement } = document;
  const place = activeElement instanceof HTMLElement ? stops.indexOf(activeElement) : -1;
  stops[place + by]?.focus();
}

// What is searched is there when the first word is.
input?.addEventListener("focus", () => void load().catch(() => undefined), { once: true });
input?.addEventListener("input", () => void search());
form?.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && list) {
    input?.focus();
    list.hidden = true;
    return;
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  step(event.key === "ArrowDown" ? 1 : -1);
});
/** Whether what received the focus, or was touched, is something else than the search. */
const isElsewhere = (target: EventTarget | null) => target instanceof Node && form?.contains(target) === false;
form?.addEventListener("focusout", ({ relatedTarget }) => {
  if (list && isElsewhere(relatedTarget)) list.hidden = true;
});
document.addEventListener("pointerdown", ({ target }) => {
  if (list && isElsewhere(target)) list.hidden = true;
});
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  await search();
  const first = list?.querySelector("a");
  if (first) location.assign(first.href);
});
list?.addEventListener("click", () => {
  list.hidden = true;
});
// As on other sites of this kind: a slash begins a search.
document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  event.preventDefault();
  input?.focus();
});
