import { assertOurs } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { type InstructionsRequest, prepareInstructions } from "./prepare-synchronous.js";
import { type PreparedFields, type PreparedTransaction, toPreparedFields } from "./prepared-transaction.js";

/** One of several; `rentLamports` is all that it can cost in rent, since it cannot be simulated yet. */
export type FollowingRequest = InstructionsRequest & { readonly rentLamports: bigint };

/**
 * Prepares transactions of which each depends on the one before: the first is simulated, the others take their lifetime
 * from it, a bound for their units, and their rent by the rules. None can be submitted before the one it follows has
 * landed; each is simulated when its turn arrives (gap 109). Throws what prepareInstructions throws.
 */
export async function prepareSequence(
  needs: { readonly db: Db; readonly random: Random },
  network: Network,
  requests: readonly FollowingRequest[],
): Promise<readonly PreparedTransaction[]> {
  const prepared: PreparedTransaction[] = [];
  for (const request of requests) {
    const follows = prepared.at(-1);
    prepared.push(await prepareInstructions(needs, network, follows ? { ...request, follows } : request));
  }
  return prepared;
}

/** The wire form of several: everybody who signs any of them, all that they do, what they cost together. */
export function toSequenceFields(all: readonly PreparedTransaction[]) {
  const fields = all.map(toPreparedFields);
  const [first] = fields;
  assertOurs(first, "something was prepared");
  const sum = (of: (fee: PreparedFields["fee"]) => string) =>
    fields.reduce((total, { fee }) => total + BigInt(of(fee)), 0n).toString();
  return {
    transactions: fields.map(({ transaction }) => transaction),
    transaction_signers: [...new Set(fields.flatMap(({ transaction_signers }) => transaction_signers))],
    kms_payloads: fields.map(({ kms_payloads }) => kms_payloads),
    expires_at: first.expires_at,
    summary: fields.flatMap(({ summary }) => summary),
    fee: {
      lamports: sum(({ lamports }) => lamports),
      rent_lamports: sum(({ rent_lamports }) => rent_lamports),
      paid_by: first.fee.paid_by,
    },
  };
}
