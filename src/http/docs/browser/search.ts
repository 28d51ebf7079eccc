/** Finds sections of the documentation by words. The list is loaded when somebody begins to search. */

interface Entry {
  readonly title: string;
  readonly page: string;
  readonly url: string;
  readonly text: string;
}

const shownMax = 12;
const form = document.querySelector<HTMLFormElement>("#search");
const input = document.querySelector<HTMLInputElement>("#words");
const list = document.querySelector<HTMLUListElement>("#found");
const contents = document.querySelector<HTMLDetailsElement>("#contents");

// Beside the text there is room for the pages; above it, on a small screen, they stay folded.
const wide = matchMedia("(min-width: 60.01rem)");
const unfold = () => {
  if (contents) contents.open = wide.matches;
};
wide.addEventListener("change", unfold);
unfold();

let loading: Promise<readonly Entry[]> | undefined;
function load(): Promise<readonly Entry[]> {
  loading ??= fetch("/docs/search.json").then((answer) => answer.json() as Promise<Entry[]>);
  return loading;
}

async function search(): Promise<void> {
  if (!input || !list) return;
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    list.hidden = true;
    return;
  }
  const scored = (await load()).flatMap((entry) => {
    const title = entry.title.toLowerCase();
    const text = entry.text.toLowerCase();
    if (!words.every((word) => title.includes(word) || text.includes(word))) return [];
    const score = words.reduce((sum, word) => sum + (title === word ? 20 : title.includes(word) ? 5 : 1), 0);
    return [{ entry, score }];
  });
  scored.sort((a, b) => b.score - a.score);
  list.replaceChildren(...scored.slice(0, shownMax).map(({ entry }) => item(entry)));
  if (scored.length === 0) list.append(Object.assign(document.createElement("li"), { textContent: "Nothing found." }));
  list.hidden = false;
}

function item({ title, page, url }: Entry): HTMLLIElement {
  const made = document.createElement("li");
  const link = document.createElement("a");
  link.href = url;
  link.textContent = title;
  link.append(Object.assign(document.createElement("small"), { textContent: page }));
  made.append(link);
  return made;
}

input?.addEventListener("input", () => void search());
input?.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && list) list.hidden = true;
});
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const first = list?.querySelector("a");
  if (first) location.assign(first.href);
});
list?.addEventListener("click", () => {
  list.hidden = true;
});
