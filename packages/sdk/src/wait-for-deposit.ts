import type { MaybeAmount } from "./base-units.js";
import type { HistoryPage } from "./history.js";
import type { Currencies } from "./mints.js";
import type { SplTransfer, Transfer, TransfersQuery } from "./wire.js";

/** What is waited for. The amount is the least that has to arrive in one transfer; default: anything. */
export type DepositWanted = MaybeAmount & {
  /** A symbol, or a mint. Default: any; a `uiAmount` needs it. */
  readonly currency?: string;
  /** Only from this owner. */
  readonly from?: string;
  /**
   * Only what the chain has from then on: a date-time or Unix seconds, by the clock of the environment. Default: what is not
   * there yet when the call is made. Give it where the payer may be faster than you.
   */
  readonly since?: string;
  /** True: only what the chain cannot take back any more. */
  readonly isFinal?: boolean;
  /** Ends the waiting at once, which has no end of its own: `AbortSignal.timeout(60_000)`. */
  readonly signal?: AbortSignal;
  /** From one poll to the next. Default 2,000 ms. */
  readonly pauseMs?: number;
};

type Needs = Currencies & {
  readonly transfersPage: (account: string, query: TransfersQuery) => Promise<HistoryPage<Transfer>>;
  readonly pause: (milliseconds: number) => Promise<void>;
};

/**
 * Waits until an account has received money, as the chain has it, and answers that transfer; of several one of the oldest slot. Rejects
 * with the signal's reason once it is aborted, and with the error of a poll that was refused or not answered.
 *
 * @example
 * const { ui_amount } = await trellis.history.waitForDeposit(account, { currency: "usdc", signal: AbortSignal.timeout(600_000) });
 */
export async function waitForDeposit(
  { transfersPage, pause, mintOf, exactAmount }: Needs,
  account: string,
  wanted: DepositWanted = {},
): Promise<SplTransfer> {
  const { signal } = wanted;
  const least = leastOf(wanted, { mintOf, exactAmount });
  const query: TransfersQuery = {
    type: "inflow",
    limit: 100,
    ...(wanted.currency === undefined ? {} : { currency: wanted.currency }),
    ...(wanted.since === undefined ? {} : { start_date: wanted.since }),
  };
  const isReady = ({ confirmation_status: status }: SplTransfer) => wanted.isFinal !== true || status === "finalized";
  const known = new Set<string>();

  /** Pages from the newest on, up to the one after which `isEnough`. What is ready on them counts as known afterwards. */
  const read = async (isEnough: (rows: readonly SplTransfer[]) => boolean): Promise<readonly SplTransfer[]> => {
    const news: SplTransfer[] = [];
    for (let cursor: string | undefined; ; ) {
      const asked = transfersPage(account, { ...query, ...(cursor === undefined ? {} : { cursor }) });
      const page = await orAborted(asked, signal);
      const rows = page.items.flatMap(({ Spl }) => (Spl === undefined ? [] : [Spl]));
      news.push(...rows.filter((row) => isReady(row) && !known.has(row.id)));
      cursor = page.nextCursor;
      if (cursor === undefined || isEnough(rows)) break;
    }
    for (const { id } of news) known.add(id);
    return news;
  };

  if (wanted.since === undefined) {
    // What was there before is not waited for. One page of it shows where the news will end.
    await read((rows) => {
      for (const { id } of rows) known.add(id);
      return rows.length > 0;
    });
  }
  for (;;) {
    const news = await read((rows) => rows.some(({ id }) => known.has(id)));
    const fitting = news.filter(
      ({ amount, from_address: from }) =>
        BigInt(amount) >= least && (wanted.from === undefined || wanted.from === from),
    );
    const oldest = fitting[fitting.length - 1];
    if (oldest !== undefined) return oldest;
    await orAborted(pause(wanted.pauseMs ?? 2_000), signal);
  }
}

function leastOf(wanted: DepositWanted, { mintOf, exactAmount }: Currencies): bigint {
  const { amount, uiAmount, currency } = wanted;
  if (amount === undefined && uiAmount === undefined) return 1n;
  if (uiAmount !== undefined && currency === undefined) throw new TypeError("a uiAmount needs its currency beside it");
  return exactAmount(wanted, uiAmount === undefined || currency === undefined ? null : mintOf(currency)).amount;
}

/** What is waited for, or the signal's reason as soon as it is aborted. */
function orAborted<Answer>(waiting: Promise<Answer>, signal: AbortSignal | undefined): Promise<Answer> {
  if (signal === undefined) return waiting;
  return new Promise((resolve, reject) => {
    // React Native's signals have no reason.
    const abort = () => {
      signal.removeEventListener("abort", abort);
      reject(signal.reason ?? new Error("the waiting was aborted"));
    };
    waiting.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
  });
}
