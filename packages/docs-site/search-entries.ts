import { anchorOf, type DocPage, headingOf } from "./page.js";
import type { Entry } from "./search-entry.js";
import { splitAtHeadings } from "./sections.js";

/** Words by which strangers search for a page, and which its headings do not have. */
const alsoCalled: Readonly<Record<string, string>> = {
  readme: "install start quickstart getting started begin",
  sdk: "install sdk npm javascript typescript js library package client",
  react: "install react npm hook frontend wallet",
  recipes: "tutorial howto sample",
  examples: "sample app wallet vite next",
  moving: "squads sqds grid migrate migration switch",
  deployment: "production docker compose systemd kubernetes install server deploy host",
  configuration: "env environment variable setting config cors",
  "moving-a-tenant": "export import archive leave backup freeze",
  operations: "monitor monitoring prometheus alert metric backup",
  "rails-bridge": "bridge",
  "contract-general": "authentication authorization header pagination idempotency rate limit",
  "contract-accounts": "wallet multisig signer threshold",
  "contract-sessions": "otp login signin code mail email",
  "contract-payment-intents": "send payment transfer usdc",
  "contract-history": "balance history transfer",
  "contract-proposals": "vote approve approval multisig treasury",
  "contract-spending-limits": "allowance budget",
  "contract-standing-orders": "recurring subscription schedule",
  "contract-rails": "kyc bank iban ach sepa fiat deposit",
  "contract-events": "webhook notification callback",
  "contract-api-keys": "apikey tenant publishable",
  "contract-audit": "transparency log merkle proof witness",
  "contract-requests": "log refused failed error debug request id",
  "contract-sandbox": "faucet airdrop clock test",
  security: "vulnerability threat custody audit",
  "personal-data": "privacy gdpr retention deletion",
};

/** Pages about the project itself: what they say is seldom what is searched for. */
const seldom: Readonly<Record<string, number>> = {
  security: 0.6,
  architecture: 0.4,
  contributing: 0.4,
  changelog: 0.25,
};

/** What a search finds: the sections of the pages, by their headings. */
export function searchEntries(pages: readonly DocPage[]): readonly Entry[] {
  return pages.flatMap(entriesOf);
}

function entriesOf({ slug, title, markdown }: DocPage): readonly Entry[] {
  // Of two sections with the same heading, the contract's is first: it has all of it.
  const weight = slug.startsWith("contract") ? 1.1 : seldom[slug];
  return splitAtHeadings(markdown())
    .filter(([line]) => line?.startsWith("#") && !line.endsWith("# Errors of each call"))
    .map(([line = "", ...rest], index) => {
      const heading = headingOf(line);
      const also = [
        index === 0 ? alsoCalled[slug] : undefined,
        slug === "configuration" ? variablesIn(rest) : undefined,
      ]
        .filter(Boolean)
        .join(" ");
      return {
        title: heading,
        page: title,
        url: `/docs/${slug}#${anchorOf(heading)}`,
        text: plainText(rest.join("\n")),
        ...(also === "" ? {} : { also }),
        ...(weight === undefined ? {} : { weight }),
      };
    });
}

/** The variables that rows of a table are about. */
const variablesIn = (lines: readonly string[]): string =>
  lines.flatMap((line) => /^\| `([A-Z0-9_]+)`/.exec(line)?.[1] ?? []).join(" ");

function plainText(markdown: string): string {
  return (
    markdown
      // Of examples in JSON, their fields stand in the tables.
      .replace(/^```json$[\s\S]*?^```$/gm, "")
      .replace(/^```.*$|^\[Try it in the API explorer\].*$/gm, "")
      .replace(/<a id="[^"]*"><\/a>/g, "")
      .replace(/\]\([^)\s]*\)/g, "]")
      .replace(/\||-{3,}|<br>/g, " ")
      .replace(/[`*[\]]/g, "")
      .replace(/\s+/g, " ")
      .trim()
  );
}
