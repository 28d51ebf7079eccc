/** What bytes do, in words for the person who approves them. Pure: it says what was read, and nothing that others reported. */
import type { Address } from "@solana/kit";
import { formatUnits } from "@trellis/kernel/money.js";
import { coins, factsOf } from "@trellis/kernel/ports/coins.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { ChangeAction, Fact, OpaqueFact, SettingsChangeFact, StepFact, TransferFact } from "../policy/facts.js";

/** One thing that happens. `isUnseen`: it cannot be said what. */
export interface Described {
  readonly title: string;
  readonly isUnseen: boolean;
  readonly rows: readonly (readonly [label: string, value: string])[];
}

/** Everything that a signature would do. What is harmless is left out. */
export function describeFacts(facts: readonly Fact[], environment: EnvironmentName): readonly Described[] {
  return facts.flatMap((fact) => describeFact(fact, environment));
}

function describeFact(fact: Fact, environment: EnvironmentName): readonly Described[] {
  switch (fact.kind) {
    case "transfer":
      return [describeTransfer(fact, environment)];
    case "settings_change":
      return describeChange(fact);
    case "step":
      return [describeStep(fact)];
    case "opaque":
      return [describeOpaque(fact)];
    case "harmless":
      return [];
  }
}

function describeTransfer(
  { mint, amountBaseUnits, source, destination, via }: TransferFact,
  environment: EnvironmentName,
): Described {
  const { account, owner } = destination;
  const to = owner ?? account;
  const rows: [string, string][] = [[owner === null && mint !== null ? "To the token account" : "To", to]];
  if (account !== to) rows.push(["Into the token account", account]);
  if (mint !== null) rows.push(["Mint", mint]);
  rows.push(["From", source]);
  if (via === "proposal") rows.push(["When", "As soon as a vote on it has passed"]);
  if (via === "spending_limit") rows.push(["By", "A spending limit"]);
  return { title: `Pay ${amountOf(mint, amountBaseUnits, environment)}`, isUnseen: false, rows };
}

/** In major units where the coin is known here; otherwise in base units, as the bytes have it. */
function amountOf(mint: Address | null, amount: bigint, environment: EnvironmentName): string {
  if (mint === null) return `${formatUnits(amount, 9)} SOL`;
  const cluster = environment === "devnet" ? "devnet" : "mainnet";
  const coin = coins.find((each) => factsOf(each).mints[cluster] === mint);
  return coin === undefined
    ? `${amount} base units of a token`
    : `${formatUnits(amount, factsOf(coin).decimals)} ${coin.toUpperCase()}`;
}

/** A change that waits, as it was kept. */
export function describeWaiting(change: string | null): readonly Described[] {
  if (change === null) return [{ title: "Change settings of your account", isUnseen: true, rows: [] }];
  // As the custodian wrote it: a row that others wrote is not read. Amounts are texts.
  return (JSON.parse(change) as readonly SettingsChangeFact[]).flatMap(describeChange);
}

function describeChange({ settings, by, actions }: SettingsChangeFact): readonly Described[] {
  const when: [string, string][] = by === "proposal" ? [["When", "As soon as a vote on it has passed"]] : [];
  return actions.map((action) => ({
    title: titles[action.__kind],
    isUnseen: false,
    rows: [...rowsOf(action), ["Settings of", settings], ...when],
  }));
}

const titles: Readonly<Record<ChangeAction["__kind"], string>> = {
  AddSigner: "Add a signer to your account",
  RemoveSigner: "Remove a signer from your account",
  ChangeThreshold: "Change how many signers are needed",
  SetTimeLock: "Change how long decisions wait",
  AddSpendingLimit: "Allow payments without a vote",
  RemoveSpendingLimit: "End a spending limit",
  PolicyRemove: "Remove a policy of the account",
  SetSettingsAuthority: "Give your account another admin",
};

/** Every member of a change under its own name, so that none is left out. */
function rowsOf(action: ChangeAction): [string, string][] {
  return flatten(Object.entries(action).filter(([name]) => name !== "__kind"));
}

function flatten(members: readonly (readonly [string, unknown])[]): [string, string][] {
  return members.flatMap(([name, value]): [string, string][] => {
    if (name === "permissions" && typeof value === "number") return [["May", rightsOf(value)]];
    if (Array.isArray(value)) return [[labelOf(name), value.length === 0 ? "any" : value.map(String).join(", ")]];
    if (typeof value === "object" && value !== null) return flatten(Object.entries(value));
    return [[labelOf(name), String(value)]];
  });
}

const rights = [
  [1, "propose"],
  [2, "vote"],
  [4, "execute"],
] as const;

const rightsOf = (mask: number): string =>
  rights
    .filter(([bit]) => (mask & bit) !== 0)
    .map(([, name]) => name)
    .join(", ") || "do nothing";

/** `newThreshold` is "New threshold". */
function labelOf(name: string): string {
  const words = name.replace(/([A-Z])/g, " $1").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const steps: Readonly<Record<StepFact["step"], string>> = {
  store: "Store what is to be voted on",
  open: "Open a vote",
  activate: "Let a vote begin",
  approve: "Vote yes",
  reject: "Vote no",
  cancel: "Cancel a vote that has passed",
  close: "Clear away a vote that is over",
};

function describeStep({ step, isSeen, settings }: StepFact): Described {
  const isUnseen = step === "approve" && !isSeen;
  const rows: [string, string][] = [["Settings of", settings]];
  if (isUnseen) rows.unshift(["On", "Something that was stored before. This page cannot see what."]);
  return { title: steps[step], isUnseen, rows };
}

function describeOpaque({ reason, instruction, program }: OpaqueFact): Described {
  const rows: [string, string][] = [["Why", reason.replaceAll("_", " ")]];
  if (instruction !== null) rows.push(["Where", `Instruction ${instruction + 1}`]);
  if (program !== null) rows.push(["Program", program]);
  return { title: "Something that cannot be read", isUnseen: true, rows };
}
