import { type ErrorCode, errorCatalogue, wireCode } from "@trellis/kernel/errors.js";
import { errorHelp } from "./error-help.js";
import type { DocPage } from "./page.js";

/** Every error with its status, its cause and what to do: `/docs/errors#<code>`. */
export function errorPage(): DocPage {
  return { slug: "errors", title: "Errors", group: "Reference", markdown };
}

function markdown(): string {
  const entries = (Object.keys(errorCatalogue) as ErrorCode[]).map((code) => {
    const [status, meaning] = errorCatalogue[code];
    const [cause, remedy] = errorHelp[code];
    const view = wireCode(code);
    const also = view === code ? "" : ` Its \`code\` in answers is \`${view}\`; the status distinguishes the two.`;
    return `## ${code}\n\n**${status}** ${meaning}${also}\n\n- Cause: ${cause}\n- What to do: ${remedy}\n`;
  });
  return `# Errors

Every error has one body: \`message\`, \`code\`, \`details\`, \`timestamp\` and \`request_id\`. Branch on \`code\`: codes never change, texts may
become more exact. \`details\` says which field is meant, and often what to send instead. With 429 and 503 comes \`retry-after\`, in seconds.

After 502, 503, a lost connection or no answer at all, repeat the request **under the same idempotency key**: you get the
first answer, and nothing is done twice.

${entries.join("\n")}`;
}
