import type { HistoryPage, TransfersQuery } from "./history.js";
import type { SplTransfer, Transfer } from "./wire.js";

export type DepositWanted = {
  /** A symbol, or a mint. Default: any. */
  readonly currency?: string;
  /** The least that has to arrive in one transfer, in base units. Default: anything. */
  readonly amount?: bigint;
  /** Only from this owner. */
  readonly from?: string;
  /**
   * Only what the chain has from then on: a date-time or Unix seconds, by the clock of the environment. Default: what is not
   * there yet when the call is made. Give it where the payer may be faster than you.
   */
  readonly since?: string;
  /** True: only what the chain cannot take back any more. */
  readonly isFinal?: boolean;
  /** Ends the waiting, which has no end of its own: `AbortSignal.timeout(60_000)`. */
  readonly signal?: AbortSignal;
  /** From one look to the next. Default 2,000 ms. */
  readonly pauseMs?: number;
};

type Needs = {
  readonly transfersPage: (account: string, query: TransfersQuery) => Promise<HistoryPage<Transfer>>;
  readonly pause: (milliseconds: number) => Promise<void>;
};

/**
 * Waits until money has come to an account, as the chain has it, and answers that transfer; of several one of the oldest slot. Rejects
 * with the signal's reason once it is aborted, and with the error of a look that was refused or not answered.
 *
 * @example
 * const { ui_amount } = await trellis.history.waitForDeposit(account, { currency: "usdc", signal: AbortSignal.timeout(600_000) });
 */
export async function waitForDeposit(
  { transfersPage, pause }: Needs,
  account: string,
  wanted: DepositWanted = {},
): Promise<SplTransfer> {
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
      const page = await transfersPage(account, { ...query, ...(cursor === undefined ? {} : { cursor }) });
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
    wanted.signal?.throwIfAborted();
    const news = await read((rows) => rows.some(({ id }) => known.has(id)));
    const fitting = news.filter(
      ({ amount, from_address: from }) =>
        BigInt(amount) >= (wanted.amount ?? 1n) && (wanted.from === undefined || wanted.from === from),
    );
    const oldest = fitting.at(-1);
    if (oldest !== undefined) return oldest;
    await pausedOrAborted(pause(wanted.pauseMs ?? 2_000), wanted.signal);
  }
}

function pausedOrAborted(paused: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return paused;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    paused.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
