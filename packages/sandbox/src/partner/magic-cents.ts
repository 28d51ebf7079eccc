/**
 * What the simulated partner does for amounts with certain cents. docs/api/sandbox.md has a row for each, in the same words:
 * a test compares them.
 */
interface MagicCents<Way extends string, News extends string> {
  /** Which way its money goes; absent: the usual one. */
  readonly way?: Way;
  /** How its news arrives; absent: once each, in their order. */
  readonly news?: News;
  readonly words: string;
}

/** By the last two digits of an amount; `whole`: by all of it. */
interface MagicTable<Way extends string, News extends string> {
  readonly cents: Readonly<Record<string, MagicCents<Way, News>>>;
  readonly whole: Readonly<Record<string, MagicCents<Way, News>>>;
}

export type DepositWay = "reviewed" | "sent_back" | "paid_and_sent_back" | "never_paid";
export type TransferWay = "reviewed" | "refunded" | "undeliverable";

/** Of deposits to a virtual account (gap 100). */
const deposits: MagicTable<DepositWay, "twice" | "reversed"> = {
  cents: {
    ".02": { way: "reviewed", words: "it is reviewed, for 30 seconds or an hour, and paid out" },
    ".03": { way: "sent_back", words: "it goes back" },
    ".06": { news: "twice", words: "the partner reports each step of it twice" },
    ".07": { news: "reversed", words: "the partner reports its steps last to first, after all has happened" },
    ".08": { way: "paid_and_sent_back", words: "it is paid out, and goes back after 30 seconds or two days" },
  },
  whole: { "0.05": { way: "never_paid", words: "it tests the account and is never paid out" } },
};

/** Of payments with a bank (gap 104), and of payouts. */
const transfers: MagicTable<TransferWay, "twice" | "late"> = {
  cents: {
    ".02": { way: "reviewed", words: "`in_review`, for 30 seconds or ten minutes, then on as usual" },
    ".03": { way: "refunded", words: "`refunded`" },
    ".04": { way: "undeliverable", words: "`undeliverable`, `returned`, `refunded`" },
    ".06": { news: "twice", words: "the partner reports it twice" },
    ".07": { news: "late", words: "the partner reports it late" },
  },
  whole: {},
};

export const magicCents = { deposits, transfers } as const;

/** A payout that no bank takes: the cents that say so. */
export const undeliverableCents = 4n;

function rowOf<Way extends string, News extends string>(
  { cents: byCents, whole }: MagicTable<Way, News>,
  cents: bigint,
): MagicCents<Way, News> | undefined {
  const last = `.${(cents % 100n).toString().padStart(2, "0")}`;
  return whole[`${cents / 100n}${last}`] ?? byCents[last];
}

export const magicOfDeposit = (cents: bigint) => rowOf(deposits, cents);
export const magicOfTransfer = (cents: bigint) => rowOf(transfers, cents);
