import type { Signature } from "@solana/kit";
import { sql } from "kysely";
import type { Network } from "../../ports/network.js";
import type { RailTransfer } from "../../ports/rails.js";
import { askChain } from "../chain/ask-chain.js";
import type { RailNeeds } from "./rail-needs.js";
import type { TransferRow } from "./transfer-store.js";

/**
 * Whether the transaction that a partner names paid this transfer: final, of this coin, at least what the partner says it
 * paid, and nothing else was credited by it. The triggers of both tables have the last word on the latter.
 */
export async function isPaid(
  { db, log }: Pick<RailNeeds, "db" | "log">,
  network: Network,
  row: TransferRow,
  { receipt }: Pick<RailTransfer, "receipt">,
): Promise<boolean> {
  const signature = receipt?.destination_tx_hash;
  if (signature === undefined || !/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(signature)) return false;
  const { rows } = await sql<{ taken: boolean }>`select
    is_payment_taken(${row.environment}, ${row.account_address}, ${signature}, ${row.id}) as taken`.execute(db);
  if (rows[0]?.taken !== false) return false;
  const found = await askChain(
    network.rpc.getTransaction(signature as Signature, {
      commitment: "finalized",
      encoding: "json",
      maxSupportedTransactionVersion: 0,
    }),
  );
  if (found?.meta == null || found.meta.err !== null) return false;
  const heldIn = (balances: typeof found.meta.preTokenBalances) =>
    (balances ?? []).reduce(
      (sum, { owner, mint, uiTokenAmount }) =>
        owner === row.account_address && mint === row.mint ? sum + BigInt(uiTokenAmount.amount) : sum,
      0n,
    );
  const received = heldIn(found.meta.postTokenBalances) - heldIn(found.meta.preTokenBalances);
  const told = receipt?.final_amount;
  const least = told === undefined ? BigInt(row.base_units) : toBaseUnits(told, row.decimals);
  if (least !== undefined && received > 0n && received >= least) return true;
  log.error(
    { environment: row.environment, partner: row.partner, id: row.id, signature, received: received.toString() },
    "a partner names a payment that is not what it says it paid: it is not counted",
  );
  return false;
}

/** What is below a base unit counts as one: nobody is credited for less than was said. Undefined: no amount. */
function toBaseUnits(amount: string, decimals: number): bigint | undefined {
  const [, whole, fraction = ""] = /^([0-9]{1,20})(?:\.([0-9]{1,30}))?$/.exec(amount) ?? [];
  if (whole === undefined) return undefined;
  const kept = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
  return /[1-9]/.test(fraction.slice(decimals)) ? kept + 1n : kept;
}
