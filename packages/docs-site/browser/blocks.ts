/** Blocks of code and tables: a button that copies a block, and the keyboard where one is wider than its place. */

const live = Object.assign(document.createElement("p"), { className: "unseen" });
live.setAttribute("role", "status");
document.body.append(live);

for (const block of document.querySelectorAll<HTMLElement>(".code")) {
  const pre = block.querySelector("pre");
  if (pre) block.append(copyButton(pre));
}

function copyButton(pre: HTMLElement): HTMLButtonElement {
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: "copy",
    textContent: "Copy",
  });
  let ending: number | undefined;
  button.addEventListener("click", async () => {
    const isCopied = await copy(pre);
    button.textContent = isCopied ? "Copied" : "Selected";
    // The same words twice are read out twice only where they were removed in between.
    live.textContent = "";
    requestAnimationFrame(() => {
      live.textContent = isCopied
        ? "Copied"
        : "The browser does not let this page copy. The code is selected: copy it with the keyboard.";
    });
    clearTimeout(ending);
    ending = window.setTimeout(() => {
      button.textContent = "Copy";
      live.textContent = "";
    }, 4_000);
  });
  return button;
}

/** Whether it is in the clipboard. If not, it is selected. */
async function copy(pre: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText((pre.textContent ?? "").trimEnd());
    return true;
  } catch {
    // A page over http that is not of this machine has no clipboard, and a reader may have refused it.
    getSelection()?.selectAllChildren(pre);
    return document.execCommand("copy");
  }
}

/** What is no wider than its place is no stop of the keyboard. */
const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});
for (const place of document.querySelectorAll("main pre, main .wide")) widths.observe(place);
