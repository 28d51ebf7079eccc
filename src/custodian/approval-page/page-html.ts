/** The page on which a holder approves: one document, with nothing from elsewhere. */
import { createHash } from "node:crypto";

const style = `
:root { color-scheme: light dark; --ink: #14201b; --soft: #55635c; --line: #d9e0dc; --card: #ffffff; --back: #f3f6f4; --go: #0b6b46; --go-ink: #ffffff; --warn: #8a3b00; --warn-back: #fff3e6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9f0ec; --soft: #a7b5ae; --line: #34423b; --card: #1a231f; --back: #101713; --go: #4fd1a0; --go-ink: #06231a; --warn: #ffc48a; --warn-back: #3a2510; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 34rem; margin: 0 auto; padding: 1.5rem 1rem 9rem; }
h1:focus { outline: none; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 .75rem; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; }
.soft { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; margin: 0 0 1rem; }
.card.unseen { background: var(--warn-back); border-color: var(--warn); }
.card.unseen h2 { color: var(--warn); }
dl { margin: 0; }
dt { color: var(--soft); font-size: .875rem; }
dd { margin: 0 0 .625rem; overflow-wrap: anywhere; }
dd:last-child { margin-bottom: 0; }
dd.address { font-family: ui-monospace, monospace; font-size: .9375rem; }
.bar { position: fixed; inset: auto 0 0; background: var(--card); border-top: 1px solid var(--line); padding: .75rem 1rem max(.75rem, env(safe-area-inset-bottom)); }
.bar div { max-width: 32rem; margin: 0 auto; display: flex; gap: .75rem; }
.back { flex: 1; min-height: 3rem; border-radius: .75rem; display: grid; place-items: center; background: var(--go); color: var(--go-ink); font-weight: 600; text-decoration: none; }
button { flex: 1; min-height: 3rem; border-radius: .75rem; border: 1px solid var(--line); background: transparent; color: var(--ink); font: inherit; font-weight: 600; cursor: pointer; }
button.go { background: var(--go); border-color: var(--go); color: var(--go-ink); }
button:disabled { opacity: .55; cursor: default; }
button:focus-visible, .back:focus-visible { outline: 3px solid var(--go); outline-offset: 2px; }
[hidden] { display: none !important; }
`;

const script = `
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const say = (title, text) => {
    byId("title").textContent = title;
    document.title = title;
    byId("text").textContent = text;
  };
  const end = (title, text) => {
    say(title, text);
    byId("what").hidden = true;
    byId("facts").hidden = true;
    byId("waiting").hidden = true;
    byId("bar").hidden = true;
  };
  const make = (name, text, style) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (style) made.className = style;
    return made;
  };
  const listOf = (rows) => {
    const list = document.createElement("dl");
    for (const [label, value] of rows) {
      list.append(make("dt", label), make("dd", value, /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value) ? "address" : ""));
    }
    return list;
  };
  const bytesOf = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
  const textOf = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=+$/, "");

  // Read once: what opened this page can change the fragment later.
  const asked = new URLSearchParams(location.hash.slice(1));
  const isRedirect = asked.get("form") === "redirect";
  const payload = asked.get("payload") || "";
  const credentials = (asked.get("credentials") || "").split(",").filter(Boolean);
  const state = asked.get("state") || "";
  let isAnswered = false;
  const addressOf = (approval, outcome, stamp) =>
    approval.return_to + "#" + new URLSearchParams({ trellis_approval: outcome, state, ...stamp });
  const offerWayBack = (address) => {
    byId("decline").hidden = true;
    byId("approve").hidden = true;
    byId("back").href = address;
    byId("back").hidden = false;
    byId("bar").hidden = false;
  };
  // Systems open an application by what a user touches, and not always by a script: so the way back stays as a link, too.
  const giveBack = (approval, outcome, stamp, title, text) => {
    if (isAnswered) return;
    isAnswered = true;
    if (!isRedirect) {
      window.opener.postMessage({ type: "trellis.approval", state, ...(stamp ? { stamp } : { [outcome]: true }) }, approval.return_to);
      end(title, text + " You can close this page.");
      if (outcome !== "expired") window.close();
      return;
    }
    const address = addressOf(approval, outcome, stamp);
    end(title, text);
    offerWayBack(address);
    if (outcome !== "expired") location.replace(address);
  };

  const show = (approval) => {
    const isUnseen = approval.what.some((each) => each.isUnseen);
    say(isUnseen ? "Not all of this can be read" : "Do you want this?", isUnseen
      ? "Your guardian has read the transaction itself. Parts of it do not show what they do. Approve it only if you know them."
      : "Your guardian has read the transaction itself. If you approve, exactly this is signed.");
    for (const { title, isUnseen, rows } of approval.what) {
      const card = make("section", "", isUnseen ? "card unseen" : "card");
      card.append(make("h2", title), listOf(rows));
      byId("what").append(card);
    }
    if (approval.what.length === 0) byId("what").append(make("p", "It moves nothing and changes nothing.", "card"));
    byId("facts").append(listOf([["Asked for by", approval.return_to], ["Your guardian's wallet", approval.wallet], ["Network", approval.environment]]));
    byId("facts").hidden = false;
    for (const { from, what } of approval.waiting) {
      const card = make("section", "", "card unseen");
      card.append(make("h2", "Waiting since earlier"), make("p", "Your guardian signs this from " + new Date(from).toLocaleString() + " on. If you do not want it, cancel it in your application before."));
      for (const { title, rows } of what) card.append(make("p", title), listOf(rows));
      byId("waiting").append(card);
    }
    byId("bar").hidden = false;
    byId("decline").onclick = () => giveBack(approval, "declined", undefined, "You have declined", "Nothing was signed.");
    byId("approve").onclick = async () => {
      byId("approve").disabled = true;
      byId("status").textContent = "Waiting for your passkey.";
      try {
        const { rawId, response } = await navigator.credentials.get({ publicKey: {
          challenge: bytesOf(approval.challenge),
          rpId: approval.rp_id,
          allowCredentials: credentials.map((id) => ({ type: "public-key", id: bytesOf(id) })),
          userVerification: "required",
          timeout: 120000,
        } });
        byId("status").textContent = "";
        giveBack(approval, "approved", {
          credential_id: textOf(rawId),
          authenticator_data: textOf(response.authenticatorData),
          client_data_json: textOf(response.clientDataJSON),
          signature: textOf(response.signature),
        }, "Approved", "Your application goes on with it.");
      } catch (error) {
        byId("approve").disabled = false;
        byId("status").textContent = "Your passkey did not approve it. You can try again.";
      }
    };
    // A click that was meant for what stood here a moment ago does not count.
    setTimeout(() => { byId("approve").disabled = false; }, 700);
    if (!isRedirect) window.opener.postMessage({ type: "trellis.approval.shown", state }, approval.return_to);
    byId("title").focus();
  };

  const begin = async () => {
    if (window.top !== window.self) return end("This page stands alone", "It shows nothing inside another page.");
    if (payload === "") return end("Nothing to approve", "Your application opens this page when there is something to approve.");
    if (!isRedirect && !window.opener) return end("This page cannot answer", "Your browser has cut it off from your application. Close it, and go back to your application.");
    if (isRedirect && !/^[\\w-]{16,128}$/.test(state)) return end("This cannot be approved here", "Your application did not say how it knows its answer again.");
    const body = JSON.stringify({ payload, return_to: asked.get("return_to") || "", ...(isRedirect ? { form: "redirect" } : {}) });
    const answer = await fetch("/approvals", { method: "POST", headers: { "content-type": "application/json" }, body });
    if (!answer.ok) return end("This cannot be approved here", "It is not for a wallet of this guardian, or what asks is not what the wallet knows.");
    const approval = await answer.json();
    if (approval.is_over) return giveBack(approval, "expired", undefined, "Too late", "This was to be approved earlier. Ask your application for a new one.");
    show(approval);
  };
  begin().catch(() => end("Your guardian does not answer", "Close this page, and try again in a minute."));
})();
`;

/** The document. What it shows arrives later, as text. */
export const pageHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Your guardian</title>
<style>${style}</style>
</head>
<body>
<main>
<h1 id="title" tabindex="-1">One moment</h1>
<p id="text" class="soft" role="status">Your guardian reads what is to be approved.</p>
<div id="what"></div>
<section id="facts" class="card" aria-label="Who asks" hidden></section>
<div id="waiting"></div>
<p id="status" class="soft" role="status"></p>
</main>
<footer id="bar" class="bar" hidden><div>
<button id="decline" type="button">Decline</button>
<button id="approve" type="button" class="go" disabled>Approve</button>
<a id="back" class="back" hidden>Back to your application</a>
</div></footer>
<noscript><p>This page needs JavaScript: your passkey cannot be asked without it.</p></noscript>
<script>${script}</script>
</body>
</html>
`;

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Of every answer. Nothing from elsewhere runs, loads or is sent, and no page frames this one. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; "),
  "permissions-policy": "publickey-credentials-get=(self)",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};
