/** The console for every call: the library's own, with our colours, a key that the page was given, and names for what it leaves unnamed. */

/** Its script, which runs before this one. */
declare const Scalar: { createApiReference(target: string, configuration: object): unknown };

// Its own greys, and the colours of its methods, are too pale to be read on its own grounds.
const customCss = `
.light-mode{--scalar-color-1:#1b1b1b;--scalar-color-2:#4f544f;--scalar-color-3:#5c625c;--scalar-color-accent:#14532d;
--scalar-color-green:#0b6b3a;--scalar-color-blue:#0b5f9e;--scalar-color-red:#b3140e;--scalar-color-orange:#9a4600;--scalar-color-yellow:#7a5600;--scalar-color-purple:#6d3fb0;
--scalar-background-1:#fff;--scalar-background-2:#f3f5f2;--scalar-background-3:#e6eae4}
.dark-mode{--scalar-color-1:#ececec;--scalar-color-2:#b9c0b9;--scalar-color-3:#a6aea6;--scalar-color-accent:#86efac;
--scalar-background-1:#141614;--scalar-background-2:#1f231f;--scalar-background-3:#2a2f2a}
[class*="group-button"]>[class*="p-0.75"]{min-width:24px;min-height:24px}
`;

// `/docs/api/#key=…` fills the key in: what stands behind # is sent to no server, and it is kept nowhere.
const given = new URLSearchParams(location.hash.slice(1)).get("key");
if (given !== null) history.replaceState(null, "", location.pathname);

Scalar.createApiReference("#app", {
  url: "/openapi.json",
  // Whatever address the document names: this page may speak to its own server alone.
  servers: [{ url: location.origin }],
  authentication: {
    preferredSecurityScheme: "apiKey",
    ...(given === null ? {} : { securitySchemes: { apiKey: { token: given } } }),
  },
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  customCss,
});

/** What its library leaves without a name or a role for people who do not see it, or out of the keyboard's reach; by selector. */
const mends: readonly (readonly [selector: string, mend: (element: Element) => void])[] = [
  [
    '.scalar-code-block button:not([aria-label]), button[class*="copy-button"]:not([aria-label])',
    (button) => button.setAttribute("aria-label", "Copy"),
  ],
  // Called something else than they show.
  ['button[aria-label^="Show all"]', (button) => button.removeAttribute("aria-label")],
  ['button[role="none"]', (button) => button.removeAttribute("role")],
  [".cm-content:not([aria-label])", (editor) => editor.setAttribute("aria-label", "Body")],
  ['[role="combobox"]:not([aria-expanded])', (field) => field.setAttribute("aria-expanded", "false")],
  ['.endpoints:not([tabindex]), .cm-scroller:not([tabindex="0"])', (list) => list.setAttribute("tabindex", "0")],
  [
    "button[aria-controls]",
    (button) => {
      const controlled = button.getAttribute("aria-controls") ?? "";
      if (document.getElementById(controlled) === null) button.removeAttribute("aria-controls");
    },
  ],
];

function mend(): void {
  for (const [selector, change] of mends) document.querySelectorAll(selector).forEach(change);
}
let isAsked = false;
new MutationObserver(() => {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(() => {
    isAsked = false;
    mend();
  });
}).observe(document.body, { childList: true, subtree: true });
