/** What a mail says, before it has a recipient. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What a code mail is about. */
export type CodeMailKind = "create" | "authenticate" | "export" | "console";

const wording: Record<CodeMailKind, { subject: string; heading: string; lead: string }> = {
  create: {
    subject: "is your code to create an account",
    heading: "Create your account",
    lead: "Enter this code to confirm your e-mail address and create your account:",
  },
  authenticate: {
    subject: "is your sign-in code",
    heading: "Sign in",
    lead: "Enter this code to sign in to your account:",
  },
  console: {
    subject: "is your code for the console",
    heading: "Sign in to the console",
    lead: "Enter this code to sign in to the console:",
  },
  export: {
    subject: "is your code to export your wallet's key",
    heading: "Export your wallet's key",
    lead: "Whoever has the key can move the money of your account. Enter this code only to have it handed out to yourself:",
  },
};

/** Escapes text for HTML content and double-quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A mail without a code: paragraphs, the same in text and HTML. `senderName` as below. */
export function renderNoticeMail(facts: {
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly senderName: string;
}): MailContent {
  const { subject, heading, paragraphs } = facts;
  const name = oneLine(facts.senderName);
  const html = [...paragraphs, name].map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`);
  return {
    subject,
    text: [heading, ...paragraphs.flatMap((text) => ["", text]), "", name, ""].join("\n"),
    html: page(heading, [headingOf(heading), ...html].join("\n")),
  };
}

/** A header is one line, whatever a name contains. */
const oneLine = (name: string) => name.replace(/\s+/g, " ").trim();
const headingOf = (text: string) => `<h1 style="font-size:20px;margin:0 0 16px">${escapeHtml(text)}</h1>`;

/**
 * The mail that carries a one-time code. `senderName` is the tenant's name as people know it, escaped here; `lifetimeMs`
 * is given in whole minutes. Text and HTML say the same; the HTML needs no picture and no style sheet to be read.
 */
export function renderCodeMail(
  kind: CodeMailKind,
  facts: { readonly code: string; readonly senderName: string; readonly lifetimeMs: number },
): MailContent {
  const { subject, heading, lead } = wording[kind];
  const minutes = Math.max(1, Math.floor(facts.lifetimeMs / 60_000));
  const life = `The code is valid for ${minutes} ${minutes === 1 ? "minute" : "minutes"} and works once.`;
  const warning =
    "If you did not ask for it, ignore this mail. Never give the code to anyone: nobody will ask you for it.";
  const name = oneLine(facts.senderName);
  return {
    subject: `${facts.code} ${subject}`,
    text: [heading, "", lead, "", `    ${facts.code}`, "", life, warning, "", name, ""].join("\n"),
    html: page(
      heading,
      `${headingOf(heading)}
<p style="margin:0 0 16px">${escapeHtml(lead)}</p>
<p style="margin:0 0 16px;font-size:32px;font-weight:700;letter-spacing:6px;font-family:monospace">${escapeHtml(facts.code)}</p>
<p style="margin:0 0 16px">${escapeHtml(life)}</p>
<p style="margin:0 0 16px">${escapeHtml(warning)}</p>
<p style="margin:0">${escapeHtml(name)}</p>`,
    ),
  };
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#1a1a1a;font-family:sans-serif;font-size:16px;line-height:1.5">
<main style="max-width:480px">
${body}
</main>
</body>
</html>
`;
}
