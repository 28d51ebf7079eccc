/** What ties a custodian's rows to what they say, under a secret that is in no database. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Selectable } from "kysely";
import type { PolicyTables } from "./policy-tables.js";
import type { Pending, Spent } from "./wallet-state.js";

type Head = Selectable<PolicyTables["custodian_policy"]>;

/** Of all sums and of all that waits: it stands in the wallet's row. */
export function digestOf(spent: readonly Spent[], pending: readonly Pending[]): Uint8Array {
  const rows = [
    ...spent.map(({ mint, hour, amount }) => JSON.stringify(["spent", mint, hour, amount.toString()])),
    ...pending.map((row) =>
      JSON.stringify([
        ...["pending", row.what, row.notBefore, row.endsAt, row.cancelledAt, row.usedAt, row.usedBy],
        // A row of before this was kept is bound as it was then.
        ...(row.change === null ? [] : [row.change]),
      ]),
    ),
  ];
  return createHash("sha256").update(JSON.stringify(rows.sort())).digest();
}

const bind = (secret: Uint8Array, values: readonly unknown[]): Uint8Array =>
  createHmac("sha256", secret).update(JSON.stringify(values)).digest();

export function bindHead(secret: Uint8Array, head: Omit<Head, "binding">): Uint8Array {
  const { wallet_id, environment, kind, policy, version, latest_at, rows_digest } = head;
  const digest = Buffer.from(rows_digest).toString("hex");
  const values = ["policy", wallet_id, environment, kind, policy, version, latest_at.toString(), digest];
  const { next_policy, next_from, set_by } = head;
  // A row of before there were documents is bound as it was then.
  if (next_policy === null && next_from === null && set_by === null) return bind(secret, values);
  const setBy = set_by === null ? null : Buffer.from(set_by).toString("hex");
  return bind(secret, [...values, next_policy, next_from?.toString() ?? null, setBy]);
}

export const bindCounted = (secret: Uint8Array, walletId: string, hash: Uint8Array, at: bigint) =>
  bind(secret, ["counted", walletId, Buffer.from(hash).toString("hex"), at.toString()]);

export const bindDestination = (secret: Uint8Array, walletId: string, address: string, at: bigint) =>
  bind(secret, ["destination", walletId, address, at.toString()]);

export const isSame = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && timingSafeEqual(left, right);
