import { describe, expect, it } from "vitest";
import { endpoints } from "../../src/endpoints.js";
import { rank } from "./browser/rank.js";
import { docPages } from "./pages.js";
import { searchEntries } from "./search-entries.js";

const pages = docPages(endpoints.map(({ contract }) => contract));
const entries = searchEntries(pages);

describe("a search of the real pages", () => {
  it.each([
    ["webhook", "/docs/contract-events#"],
    ["webhooks", "/docs/contract-events#"],
    ["install sdk", "/docs/sdk#"],
    ["npm install", "/docs/sdk#"],
    ["sqds", "/docs/moving#"],
    ["squads", "/docs/moving#"],
    ["grid", "/docs/moving#"],
    ["migrate", "/docs/moving#"],
    ["docker", "/docs/deployment#"],
    ["production checklist", "/docs/deployment#production-checklist"],
    ["backup", "/docs/"],
    ["TRELLIS_MASTER_KEY", "/docs/configuration#"],
    ["environment variables", "/docs/configuration#"],
    ["spending limit", "/docs/contract-spending-limits#"],
    ["standing order", "/docs/contract-standing-orders#"],
    ["recurring payment", "/docs/contract-standing-orders#"],
    ["kyc", "/docs/contract-rails#"],
    ["api key", "/docs/contract-general#the-api-key"],
    ["rate limit", "/docs/contract-general#"],
    ["idempotency", "/docs/contract-general#"],
    ["airdrop", "/docs/"],
    ["react", "/docs/react#"],
    ["metrics", "/docs/contract-server#metrics"],
    ["monitoring", "/docs/operations#"],
    ["create account", "/docs/contract-accounts#create-an-account"],
    ["cors", "/docs/configuration#"],
    ["quick start", "/docs/readme#quick-start"],
    ["vote", "/docs/contract-proposals#"],
    ["balance", "/docs/contract-history#"],
    ["invalid_otp", "/docs/errors#invalid_otp"],
    ["login", "/docs/contract-sessions#"],
    ["pagination", "/docs/contract-general#"],
  ])("%s", (query, url) => {
    const [first] = rank(entries, query);
    expect(first?.url.slice(0, url.length)).toBe(url);
  });

  it("has another name for every page", () => {
    const titles = pages.map(({ title }) => title);
    expect(titles.filter((title, place) => titles.indexOf(title) !== place)).toEqual([]);
  });

  it("knows other words for pages that are there only", () => {
    const found = entries.filter(({ also }) => also !== undefined).length;
    expect(found).toBeGreaterThanOrEqual(20);
  });
});
