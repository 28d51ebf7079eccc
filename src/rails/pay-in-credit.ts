import type { Signature } from "@solana/kit";
import { factsOf, findCoin } from "@trellis/kernel/ports/coins.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { RailTransfer } from "@trellis/kernel/ports/rails.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { sql } from "kysely";
import type { RailNeeds } from "./rail-needs.js";
import { isSignature, type TransferRow } from "./transfer-store.js";

/** What the clocks of a chain and of this service may differ by. */
const clocksApartMs = 10 * 60_000;

/** A payment as the chain shows it. */
export interface PaymentOnChain {
  readonly signature: string;
  /** Base units. */
  readonly received: bigint;
  /** When its block was made: environment time, Unix milliseconds; null: the node does not say. */
  readonly at: number | null;
}

/**
 * The payment of a transfer, if the transaction that the partner names is it: final, of this coin, made after the transfer was
 * asked for, at least what the partner says it paid, and nothing else was credited by it. The triggers of both tables have the last word on the latter.
 */
export async function findPayment(
  { db, log }: Pick<RailNeeds, "db" | "log">,
  network: Network,
  row: TransferRow,
  { receipt }: Pick<RailTransfer, "receipt">,
): Promise<PaymentOnChain | undefined> {
  const signature = receipt?.destination_tx_hash;
  if (signature === undefined || !isSignature(signature)) return undefined;
  const { rows } = await sql<{ used: boolean }>`select
    is_payment_taken(${row.environment}, ${row.account_address}, ${signature}, ${row.id}) as used`.execute(db);
  if (rows[0]?.used !== false) return undefined;
  const found = await askChain(
    network.rpc.getTransaction(signature as Signature, {
      commitment: "finalized",
      encoding: "json",
      maxSupportedTransactionVersion: 0,
    }),
  );
  if (found?.meta == null || found.meta.err !== null) return undefined;
  const heldIn = (balances: typeof found.meta.preTokenBalances) =>
    (balances ?? []).reduce(
      (sum, { owner, mint, uiTokenAmount }) =>
        owner === row.account_address && mint === row.mint ? sum + BigInt(uiTokenAmount.amount) : sum,
      0n,
    );
  const received = heldIn(found.meta.postTokenBalances) - heldIn(found.meta.preTokenBalances);
  const least = leastOf(row, receipt ?? {});
  const facts = {
    environment: row.environment,
    partner: row.partner,
    id: row.id,
    signature,
    received: received.toString(),
  };
  const at = found.blockTime == null ? null : Number(found.blockTime) * 1000;
  const isFormer = at !== null && at < Number(row.created_at) - clocksApartMs;
  if (isFormer || received <= 0n || least === "unknown" || (least !== "unsaid" && received < least)) {
    log.error(
      { event: "rail_pay_in_mismatch", ...facts },
      "payment that a partner names is not what it reports: it is not counted",
    );
    return undefined;
  }
  if (least === "unsaid")
    log.warn(
      { event: "rail_pay_in_amount_unreported", ...facts },
      "partner does not report the amount that it paid: the amount on chain counts",
    );
  return { signature, received, at };
}

/**
 * The least that has to have arrived. Where the partner does not say what it paid, and the coin stands for the currency: what
 * was paid in, less the fees it reports. `unsaid`: the rate is not known. `unknown`: it says something that is no amount.
 */
function leastOf(
  { fiat, coin, base_units, decimals }: TransferRow,
  receipt: Readonly<Record<string, string>>,
): bigint | "unsaid" | "unknown" {
  if (receipt.final_amount !== undefined) return toBaseUnits(receipt.final_amount, decimals) ?? "unknown";
  const known = findCoin(coin);
  if (known === undefined || factsOf(known).standsFor !== fiat) return "unsaid";
  const fees = [receipt.developer_fee, receipt.exchange_fee, receipt.gas_fee].map((fee) =>
    fee === undefined ? 0n : (toBaseUnits(fee, decimals) ?? 0n),
  );
  return fees.reduce((left, fee) => left - fee, BigInt(base_units));
}

/** What is below a base unit counts as one: no account is credited for less than was said. Undefined: no amount. */
function toBaseUnits(amount: string, decimals: number): bigint | undefined {
  const [, whole, fraction = ""] = /^([0-9]{1,20})(?:\.([0-9]{1,30}))?$/.exec(amount) ?? [];
  if (whole === undefined) return undefined;
  const kept = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
  return /[1-9]/.test(fraction.slice(decimals)) ? kept + 1n : kept;
}
