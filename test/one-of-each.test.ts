import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { coins, factsOf } from "@trellis/kernel/ports/coins.js";
import { describe, expect, it } from "vitest";
import { custodianForms } from "../src/custody/forms.js";
import { type Literal, literalsIn, literalsOf } from "./support/literals-in.js";
import { ownSources } from "./support/modules.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const literals = ownSources.flatMap((folder) => literalsIn(root, folder));

const examples: Exceptions = [{ file: /^packages\/kernel\/src\/event-objects\.ts$/, because: "examples of events" }];

describe("a coin", () => {
  const mints = coins.flatMap((coin) => Object.values(factsOf(coin).mints));
  const quoted = new RegExp(`'(${coins.join("|")})'`);
  const isCoin = ({ text }: Pick<Literal, "text">) =>
    coins.some((coin) => coin === text.toLowerCase()) || mints.includes(text) || quoted.test(text);
  const named = literals.filter(isCoin);
  const exceptions: Exceptions = [
    ...examples,
    { file: /^packages\/kernel\/src\/ports\/coins\.ts$/, because: "the table" },
    { file: /^packages\/sandbox\/src\/partner\/partner-coins\.ts$/, because: "which coin this partner exchanges" },
    { file: /^src\/adapters\/db\/migrations\/0039-partner-words\.ts$/, because: "SQL that a test holds to the table" },
    { file: /^src\/cli\/commands\/agent\.ts$/, because: "what an allowance is of where nothing else is said" },
    { file: /^src\/cli\/demo.*\.ts$/, because: "stories that somebody plays" },
    { file: /^src\/cli\/trigger-stories\.ts$/, because: "stories that somebody plays" },
  ];

  it("is named in the table of coins, and elsewhere only where it is an example or one partner's own choice", () => {
    expect(outside(named, exceptions)).toEqual([]);
  });

  it("has no exception that nothing needs any more", () => {
    expect(forgotten(named, exceptions)).toEqual([]);
  });

  it.each(["payment-intents", "rails", "sandbox"])("is listed with all the others on the page %s", (page) => {
    const text = readFileSync(`${root}docs/api/${page}.md`, "utf8").toLowerCase();
    expect(coins.filter((coin) => !new RegExp(`\\b${coin}\\b`).test(text))).toEqual([]);
  });

  it.each([
    ["a literal", 'const coin = "usdc";'],
    ["a symbol in capitals", "const held = sandbox.USDC;"],
    ["the name of a property", "const rates = { eurc: 1 };"],
    ["a type", 'type Coin = "pyusd";'],
    ["a mint", `const mint = \`${mints[0]}\`;`],
    ["SQL", "sql`select from deposit where coin in ('usdt')`;"],
  ])("counts as named by %s", (_, text) => {
    const found = literalsOf("packages/kernel/src/money.ts", text).filter(isCoin);
    expect(outside(found, exceptions)).toHaveLength(1);
  });

  it("does not count as named by a sentence, an import or a schema's example", () => {
    const text = 'import { a } from "usdc";\nthrow new Error("Name USDC.");\nconst schema = { examples: ["usdc"] };';
    expect(outside(literalsOf("packages/kernel/src/money.ts", text).filter(isCoin), exceptions)).toEqual([]);
  });
});

describe("a custodian", () => {
  const names: readonly string[] = custodianForms.flatMap(({ name, sessionKey }) => [name, sessionKey]);
  const word = new RegExp(`\\b(${names.join("|")})\\b`);
  const isCustodian = ({ text }: Pick<Literal, "text">) => word.test(text);
  const named = literals.filter(isCustodian);
  const exceptions: Exceptions = [
    ...examples,
    { file: /^src\/custody\/(kms-[a-z])\/\1\.ts$/, because: "its form" },
    { file: /^src\/http\/dialects\/grid\.ts$/, because: "another service's words for ours" },
    { file: /^src\/config\/(variables|remote-custodians)\.ts$/, because: "settings are for names" },
  ];

  it("is named in its form, and elsewhere only where it is an example or another service's word", () => {
    expect(outside(named, exceptions)).toEqual([]);
  });

  it("has no exception that nothing needs any more", () => {
    expect(forgotten(named, exceptions)).toEqual([]);
  });

  it.each([
    ["a comparison", 'if (provider === "kms_b") return;'],
    ["a type", 'type Name = "kms_a";'],
    ["the name of a property", "const session = { KmsA: inner };"],
    ["a session that is read", "const token = session.KmsB?.token;"],
    ["SQL", "sql`select from wallet where provider = 'kms_b'`;"],
    ["a sentence", 'throw new Error("By v0 a payment is signed by kms_a.");'],
  ])("counts as named by %s", (_, text) => {
    const found = literalsOf("src/people/session.ts", text).filter(isCustodian);
    expect(outside(found, exceptions)).toHaveLength(1);
  });

  it("has a folder and a form of its own name", () => {
    const folders = readdirSync(`${root}src/custody`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    // Passkeys sign for wallets of all of them, and the protocol speaks to any that is a process of its own.
    expect(folders.map(({ name }) => name.replace("-", "_")).sort()).toEqual(
      [...custodianForms.map(({ name }): string => name), "passkey", "protocol"].sort(),
    );
  });
});

/** Whoever names one of a kind outside the place where the kind is kept, and why it may. */
type Exceptions = readonly { readonly file: RegExp; readonly because: string }[];

const outside = (found: readonly Literal[], exceptions: Exceptions) => [
  ...new Set(
    found
      .filter(({ under }) => !under.some((name) => name === "examples" || name === "description"))
      .filter(({ file }) => !exceptions.some((exception) => exception.file.test(file)))
      .map(({ file, text }) => `${file}: ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`),
  ),
];

const forgotten = (found: readonly Literal[], exceptions: Exceptions) =>
  exceptions.filter(({ file }) => !found.some((literal) => file.test(literal.file))).map(({ file }) => file.source);
