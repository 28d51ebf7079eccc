import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { HostedPage, HostedPages, VerificationStatus } from "@trellis/kernel/ports/rails.js";
import type { FastifyInstance, FastifyReply } from "fastify";

/** The pages of a simulated partner, and what lets a choice on them take effect before the browser continues. */
export interface HostedPagesOptions {
  readonly pages: HostedPages;
  /** Follows what was chosen. */
  readonly settle: () => Promise<void>;
}

const path = "/sandbox/pages/:token";
const bodyBytes = 1_024;

const style = `body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
h1{font-size:1.5rem}.note{border-left:.3rem solid #b45309;padding-left:.8rem}
button{display:block;width:100%;margin:.6rem 0;padding:.7rem 1rem;font:inherit;text-align:left;border:2px solid #1b1b1b;border-radius:.4rem;background:#fff;color:#1b1b1b;cursor:pointer}
button:hover{background:#eef2ff}button:focus-visible{outline:.2rem solid #1d4ed8;outline-offset:.15rem}
@media (prefers-color-scheme:dark){body,button{color:#f3f3f3;background:#161616;border-color:#f3f3f3}button:hover{background:#26304d}button:focus-visible{outline-color:#93b4ff}}`;
const styleHash = createHash("sha256").update(style).digest("base64");

const choices: Readonly<Record<HostedPage["kind"], readonly (readonly [VerificationStatus, string])[]>> = {
  verification: [
    ["approved", "Approve: the documents are fine"],
    ["under_review", "Leave it under review: a person has to decide"],
    ["incomplete", "Incomplete: a document is missing"],
    ["rejected", "Reject: the check fails"],
    ["not_started", "Go back without doing anything"],
  ],
  terms: [
    ["approved", "Accept the terms"],
    ["not_started", "Go back without accepting"],
  ],
};

/**
 * Adds the pages behind the links of simulated verifications. They need no API key: who has the link has the page. They run
 * no script, load nothing, and send their form nowhere but here and on to where the verification was set to return.
 */
export async function addHostedPages(app: FastifyInstance, { pages, settle }: HostedPagesOptions): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: bodyBytes },
      (_request, text, done) => done(null, String(text)),
    );
    scope.get<{ Params: { token: string } }>(path, async (request, reply) => {
      return answer(reply, await pages.open(request.params.token));
    });
    scope.post<{ Params: { token: string }; Body: string }>(path, async (request, reply) => {
      const chosen = new URLSearchParams(request.body).get("outcome");
      const page = await pages.open(request.params.token);
      const outcome = page === null ? undefined : choices[page.kind].find(([value]) => value === chosen)?.[0];
      if (page === null || outcome === undefined) return answer(reply, page);
      const after = await pages.choose(request.params.token, outcome);
      await settle();
      const next = after?.redirectUri ?? `/sandbox/pages/${request.params.token}`;
      return protect(reply, after).code(303).header("location", next).send();
    });
  });
}

/** A browser holds the answer to a form, too, against where the form may lead. */
function protect(reply: FastifyReply, page: HostedPage | null): FastifyReply {
  const origin = page?.redirectUri == null ? "" : ` ${new URL(page.redirectUri).origin}`;
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'${origin}; base-uri 'none'; frame-ancestors 'none'`;
  return reply.header("content-security-policy", policy).header("referrer-policy", "no-referrer");
}

function answer(reply: FastifyReply, page: HostedPage | null): FastifyReply {
  const html = page === null ? removed() : render(page);
  return protect(reply, page)
    .code(page === null ? 404 : 200)
    .header("content-type", "text/html; charset=utf-8")
    .send(Buffer.from(html));
}

function render({ kind, status, terms }: HostedPage): string {
  const title = kind === "terms" ? "Terms of the simulated partner" : "Verification at the simulated partner";
  const state =
    kind === "terms"
      ? `The terms are ${terms === "approved" ? "accepted" : "not accepted yet"}.`
      : `The verification is now: ${status.replaceAll("_", " ")}.`;
  const isOver = kind === "terms" ? terms === "approved" : status === "approved";
  const buttons = choices[kind]
    .map(([value, text]) => `<button type="submit" name="outcome" value="${value}">${text}</button>`)
    .join("\n");
  const form = isOver
    ? "<p>Nothing is left to do here. You can close this page.</p>"
    : `<form method="post">\n<h2>What is to happen?</h2>\n${buttons}\n</form>`;
  return document(title, `<p role="status">${state}</p>\n${form}`);
}

const removed = (): string =>
  document(
    "This link leads nowhere",
    "<p>It was not made here, or it is older than a day. Ask your application for a new one.</p>",
  );

const document = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="note">This is a sandbox. No person is checked here, no document is required, and no money is real.</p>
${content}
</main>
</body>
</html>
`;
