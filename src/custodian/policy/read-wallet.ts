import type { Selectable, Transaction } from "kysely";
import type { PolicyWallet } from "../signing-policy.js";
import { bindHead, digestOf, isSame } from "./policy-bindings.js";
import type { PolicyTables } from "./policy-tables.js";
import type { Pending, Spent, WalletState } from "./wallet-state.js";

type Trx = Transaction<PolicyTables>;

/**
 * What is pending of a wallet, and the latest time that it knows. It is for readers who may be anybody: it locks nothing, waits for nothing
 * and makes no row. Empty where there is no row; undefined where that was altered. The transaction has to see one state of the database.
 */
export async function peekPending(
  trx: Trx,
  secret: Uint8Array,
  wallet: PolicyWallet,
): Promise<Pick<WalletState, "pending" | "latestAt"> | undefined> {
  const head = await trx
    .selectFrom("custodian_policy")
    .selectAll()
    .where("wallet_id", "=", wallet.id)
    .executeTakeFirst();
  return head === undefined ? { pending: [], latestAt: 0 } : readBound(trx, secret, wallet, head);
}

/** What the rows of a wallet say, by its head; undefined where they were altered. */
export async function readBound(
  trx: Trx,
  secret: Uint8Array,
  { id, environment, kind }: PolicyWallet,
  head: Selectable<PolicyTables["custodian_policy"]>,
): Promise<WalletState | undefined> {
  const spent = await readSpent(trx, id);
  const pending = await readPending(trx, id);
  const isOurs =
    isSame(head.binding, bindHead(secret, head)) &&
    isSame(head.rows_digest, digestOf(spent, pending)) &&
    head.environment === environment &&
    head.kind === kind;
  if (!isOurs) return undefined;
  const { policy, version, next_policy: nextPolicy, next_from: nextFrom } = head;
  return {
    isNew: head.latest_at.toString() === "0",
    policy,
    version,
    next: nextPolicy === null ? null : { policy: nextPolicy, from: Number(nextFrom) },
    setBy: head.set_by === null ? null : Buffer.from(head.set_by).toString("hex"),
    latestAt: Number(head.latest_at),
    spent,
    pending,
  };
}

async function readSpent(trx: Trx, walletId: string): Promise<readonly Spent[]> {
  const rows = await trx.selectFrom("custodian_spent").selectAll().where("wallet_id", "=", walletId).execute();
  return rows.map(({ mint, hour, amount }) => ({ mint, hour: Number(hour), amount: BigInt(amount) }));
}

async function readPending(trx: Trx, walletId: string): Promise<readonly Pending[]> {
  const rows = await trx.selectFrom("custodian_pending").selectAll().where("wallet_id", "=", walletId).execute();
  return rows.map((row) => ({
    what: row.what,
    notBefore: Number(row.not_before),
    endsAt: Number(row.ends_at),
    cancelledAt: row.cancelled_at === null ? null : Number(row.cancelled_at),
    usedAt: row.used_at === null ? null : Number(row.used_at),
    usedBy: row.used_by === null ? null : Buffer.from(row.used_by).toString("hex"),
    change: row.change,
  }));
}
