import { formatUnits, knownMints, type SummaryEntry } from "@trellis/sdk";

/** A piece of a sentence: words, or a whole address, which a screen shows in full and lets people copy. */
export type SentencePart = { readonly text: string } | { readonly address: string };

/** How an amount of base units reads; `mint` null is SOL. */
export type SpellAmount = (amount: bigint, mint: string | null) => readonly SentencePart[];

const words = (text: string): SentencePart => ({ text });
const whole = (address: unknown): SentencePart => ({ address: String(address) });

/** Spells amounts of the currencies that the library knows; of others base units and the whole address of the mint. */
export function createSpelling(environment: Parameters<typeof knownMints>[0]): SpellAmount {
  const symbols = new Map(
    Object.entries(knownMints(environment)).map(([symbol, mint]) => [mint as string | null, symbol]),
  );
  return (amount, mint) => {
    const symbol = symbols.get(mint);
    if (symbol !== undefined) {
      return [words(`${formatUnits(amount, mint === null ? 9 : 6)} ${symbol.toUpperCase()}`)];
    }
    return [words(`${amount} base units of the token `), whole(mint)];
  };
}

/**
 * What an entry of a proposal's summary does, as a sentence for people with whole addresses. Undefined for one that this version
 * does not know: then nobody can say what is approved.
 */
export function describeEffect(entry: SummaryEntry, spell: SpellAmount): readonly SentencePart[] | undefined {
  switch (entry.type) {
    case "transfer": {
      const amount = amountOf(entry.amount);
      if (amount === undefined || !isMint(entry.mint) || !isText(entry.to)) return undefined;
      const account = entry.to_token_account;
      const target = isText(account) && account !== entry.to ? [words(", to the token account "), whole(account)] : [];
      return [words("Pays "), ...spell(amount, entry.mint), words(" to "), whole(entry.to), ...target];
    }
    case "create_token_account":
      return [words("Opens a token account for "), whole(entry.owner), words(", for the token "), whole(entry.mint)];
    case "memo":
      return isText(entry.text)
        ? [words(`Writes into the transaction, for everybody to read: “${entry.text}”`)]
        : undefined;
    case "use_spending_limit": {
      const amount = amountOf(entry.amount);
      if (amount === undefined || !isMint(entry.mint) || !isText(entry.to)) return undefined;
      const limit = [words(", out of the spending limit "), whole(entry.spending_limit)];
      return [words("Pays "), ...spell(amount, entry.mint), words(" to "), whole(entry.to), ...limit];
    }
    default:
      return undefined;
  }
}

/** The same for one change of an account's settings. */
export function describeAction(action: SummaryEntry, spell: SpellAmount): readonly SentencePart[] | undefined {
  switch (action.type) {
    case "add_signer":
      return [words("Adds the signer "), whole(action.address), words(`, who may ${rightsOf(action.permissions)}`)];
    case "remove_signer":
      return [words("Removes the signer "), whole(action.address)];
    case "change_threshold":
      return [words(`Changes how many approvals a decision needs, to ${String(action.threshold)}`)];
    case "set_time_lock":
      return action.time_lock === 0
        ? [words("Ends the waiting time between approval and payment")]
        : [words(`Changes the waiting time between approval and payment, to ${durationOf(Number(action.time_lock))}`)];
    case "set_admin":
      return isText(action.admin_address)
        ? [words("Makes "), whole(action.admin_address), words(" the administrator, who changes the rules alone")]
        : [words("Removes the administrator, for good")];
    case "add_spending_limit": {
      const amount = amountOf(action.amount);
      const destinations = listOf(action.destinations);
      if (amount === undefined || !isMint(action.mint) || destinations === undefined) return undefined;
      const signers = listOf(action.signers);
      if (signers === undefined || signers.length === 0) return undefined;
      const payees = destinations.length === 0 ? [words("anybody")] : joined(destinations, " or ");
      const end =
        action.expires_at === undefined || action.expires_at === null
          ? "without an end"
          : `until ${new Date(Number(action.expires_at) * 1_000).toISOString().slice(0, 10)}`;
      return [
        words("Lets "),
        ...joined(signers, " or "),
        words(" pay up to "),
        ...spell(amount, action.mint),
        words(` ${periods[String(action.period)] ?? `per ${String(action.period)}`}, without any vote, to `),
        ...payees,
        words(`, ${end}`),
      ];
    }
    case "remove_spending_limit":
      return [words("Ends the spending limit "), whole(action.spending_limit)];
    default:
      return undefined;
  }
}

const periods: Readonly<Record<string, string>> = {
  one_time: "once",
  day: "a day",
  week: "a week",
  month: "a month",
};
const rights: Readonly<Record<string, string>> = {
  CAN_INITIATE: "propose",
  CAN_VOTE: "vote",
  CAN_EXECUTE: "execute what is approved",
};

function rightsOf(permissions: unknown): string {
  const names = (listOf(permissions) ?? []).map((permission) => rights[permission] ?? permission);
  return names.length === 0 ? "do nothing" : names.join(", ");
}

/** Seconds as people say them: "2 days", "90 seconds". */
export function durationOf(seconds: number): string {
  const [unit, size] = (
    [
      ["day", 86_400],
      ["hour", 3_600],
      ["minute", 60],
    ] as const
  ).find(([, one]) => seconds >= one && seconds % one === 0) ?? ["second", 1];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

function joined(addresses: readonly string[], between: string): readonly SentencePart[] {
  return addresses.flatMap((address, at) => (at === 0 ? [whole(address)] : [words(between), whole(address)]));
}

const isText = (value: unknown): value is string => typeof value === "string";
const isMint = (value: unknown): value is string | null => value === null || isText(value);
const amountOf = (value: unknown): bigint | undefined =>
  isText(value) && /^[0-9]{1,20}$/.test(value) ? BigInt(value) : undefined;
const listOf = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every(isText) ? value : undefined;
