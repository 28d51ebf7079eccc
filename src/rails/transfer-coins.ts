import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { SubmissionTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { RailTransferState } from "@trellis/kernel/ports/rails.js";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { decodeTokenAccount, tokenPrograms } from "@trellis/solana/token-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { sql } from "kysely";
import { isOpenSubmission } from "../submissions/submission-states.js";
import type { RailNeeds } from "./rail-needs.js";
import { isBrokenOff, type Standing } from "./transfer-states.js";
import type { TransferRow } from "./transfer-store.js";

/**
 * Where the coins of a payment to a bank are. `sent`: its transaction has landed; `sending`: it is submitted and may land;
 * `there`: the partner's address holds some; `none`: neither; `unknown`: neither, and no node reports what the address holds.
 */
export type Coins = "sent" | "sending" | "there" | "none" | "unknown";

/** What a partner says it has paid, or should have seen, is on chain sooner than this. */
export const unseenMs = 3_600_000;

/** Reads the payment's own submission, and then at the address its partner takes coins at. */
export async function findCoins(
  { db, log }: Pick<RailNeeds, "db" | "log">,
  network: Network,
  row: TransferRow,
): Promise<Coins> {
  if (row.direction === "in") return "none";
  const { rows } = await sql<Pick<SubmissionTable, "state">>`select submission.state from payment_intent as intent
    join submission on submission.id = intent.prepared_id where intent.id = ${row.id}`.execute(db);
  const [submission] = rows;
  if (submission?.state === "landed") return "sent";
  if (isOpenSubmission(submission)) return "sending";
  if (row.to_address === null) return "none";
  const to = row.to_address as Address;
  const mint = row.mint as Address;
  // The coin may have left the configuration since: its mint is one of the two programs'.
  try {
    const accounts = await readAccounts(network, [
      to,
      ...tokenPrograms.map((own) => deriveTokenAccount(to, mint, own)),
    ]);
    const held = accounts.map((account) => account && decodeTokenAccount(account));
    return held.some((one) => one?.mint === mint && one.amount > 0n) ? "there" : "none";
  } catch (error) {
    if (!(error instanceof TrellisError) || error.code !== "chain_unavailable") throw error;
    log.warn(
      { event: "rail_balance_unread", environment: row.environment, partner: row.partner, id: row.id, err: error },
      "balance of a partner's address could not be read: nothing is cancelled there yet",
    );
    return "unknown";
  }
}

/**
 * Why money is where no party moves it on, in words for an operator; undefined: it is not, as far as it is known. `isOff`:
 * its payment has ended here; `unpaidForMs`: the partner says that it paid, and the chain does not show it.
 */
export async function findAstray(
  { db }: Pick<RailNeeds, "db">,
  network: Network,
  row: TransferRow,
  seen: {
    readonly told: RailTransferState;
    readonly standing: Standing;
    readonly coins: Coins;
    readonly isOff: boolean;
    /** A bank has not accepted it, and the partner has had the time to give it back. */
    readonly isLeftThere: boolean;
    /** The chain shows that it was paid, where it pays the account. */
    readonly isCredited: boolean;
    /** For so long the partner has said that it paid what the chain does not show; undefined: it does not say so. */
    readonly unpaidForMs: number | undefined;
  },
): Promise<string | undefined> {
  const { standing, coins, isOff, isLeftThere, isCredited, unpaidForMs } = seen;
  if (unpaidForMs !== undefined && unpaidForMs > unseenMs) {
    return "a partner says it has made a payment that is not seen on chain";
  }
  if (row.direction === "in") {
    if (isLeftThere) return "a partner has neither delivered a payment from a bank nor given it back in 30 days";
    return (standing.state === "refunded" || standing.state === "returned") && isCredited
      ? "a partner says it gave a payment from a bank back, and the account was paid"
      : undefined;
  }
  const isHeld = coins === "sent" || coins === "sending" || coins === "there";
  if (isBrokenOff(standing) && isHeld) {
    const where = {
      sent: "whose coins were sent",
      sending: "whose coins may still be sent",
      there: "whose address holds coins",
    };
    return `a partner has ended (${standing.state}) a payment to a bank ${where[coins]}`;
  }
  if (isLeftThere && isHeld) {
    return "a bank has rejected a payment, and the partner has not given it back in 30 days";
  }
  if (isOff && isHeld) {
    return "the address of a payment to a bank that has ended holds coins: it is not cancelled at the partner";
  }
  const isWaiting = standing.state === "awaiting_funds" || standing.state === "in_review";
  if (!isWaiting || seen.told !== "awaiting_funds" || row.answer === null) return undefined;
  const isLate = await wasConfirmedBefore(db, row, network.clock.now() - unseenMs);
  return isLate ? "a payment to a bank is confirmed, and the partner does not see it" : undefined;
}

/** Whether its transaction has landed for so long: environment time, Unix milliseconds. */
async function wasConfirmedBefore(db: RailNeeds["db"], { id }: TransferRow, before: number): Promise<boolean> {
  const { rows } = await sql`select from payment_intent as intent join submission on submission.id = intent.prepared_id
    where intent.id = ${id} and submission.state = 'landed'
      and submission.updated_at < ${Math.floor(before)}::int8`.execute(db);
  return rows.length > 0;
}
