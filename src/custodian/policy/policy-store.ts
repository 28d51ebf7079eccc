/**
 * What is known of a wallet, read and written under a lock on its row. Every row is bound by a secret that is not in the
 * database: sums and what is pending by a digest in the wallet's row, so that none can be edited, moved, taken away or put back
 * alone; the others each by itself, because taking one away only makes the custodian stricter.
 */
import type { Address } from "@solana/kit";
import type { RawBuilder, Transaction } from "kysely";
import type { PolicyWallet } from "../signing-policy.js";
import { hourOf } from "./periods.js";
import { bindCounted, bindDestination, bindHead, digestOf, isSame } from "./policy-bindings.js";
import type { PolicyTables } from "./policy-tables.js";
import { readBound } from "./read-wallet.js";
import { longestPeriodSeconds } from "./wallet-policy.js";
import type { Pending, Spent, WalletState } from "./wallet-state.js";

type Trx = Transaction<PolicyTables>;

const sol = "sol";
/** Sums, and messages that were counted, leave when no period can reach them; what is pending some time behind its end. */
const keptMs = (longestPeriodSeconds + 86_400) * 1_000;

export const mintName = (mint: Address | null): string => mint ?? sol;

/** What another row of a wallet, bound as well, says of its policy. */
export interface PolicyPresence {
  /** Whether its policy ever had a row, held until the transaction has ended; undefined where that was altered. */
  lock(trx: Trx, walletId: string): Promise<boolean | undefined>;
  /** It has one from now on. */
  note(trx: Trx, walletId: string): Promise<void>;
}

/** Without other rows: every wallet may be a new one. */
export const noPresence: PolicyPresence = { lock: async () => false, note: async () => undefined };

const findHead = (trx: Trx, id: string) =>
  trx.selectFrom("custodian_policy").selectAll().where("wallet_id", "=", id).forUpdate().executeTakeFirst();

/** Makes the row of a wallet that never had one; undefined where it had one, which was taken away. */
async function makeHead(
  trx: Trx,
  { secret, presence }: PolicyBinding,
  { id, environment, kind }: PolicyWallet,
): ReturnType<typeof findHead> {
  const hadOne = await presence.lock(trx, id);
  // Another request has made it while this one stood in line.
  const made = await findHead(trx, id);
  if (made !== undefined || hadOne !== false) return made;
  const empty = {
    wallet_id: id,
    environment,
    kind,
    policy: null,
    version: 0,
    latest_at: 0n,
    rows_digest: digestOf([], []),
    next_policy: null,
    next_from: null,
    set_by: null,
  };
  await trx
    .insertInto("custodian_policy")
    .values({ ...empty, binding: bindHead(secret, empty) })
    .onConflict((conflict) => conflict.column("wallet_id").doNothing())
    .execute();
  await presence.note(trx, id);
  return findHead(trx, id);
}

/** What ties the rows of wallets to what they say. */
export interface PolicyBinding {
  readonly secret: Uint8Array;
  readonly presence: PolicyPresence;
}

/** Locks a wallet's row, which is made where there never was one, and reads what it binds; undefined where that was altered, or taken away. */
export async function lockWallet(
  trx: Trx,
  binding: PolicyBinding,
  wallet: PolicyWallet,
): Promise<WalletState | undefined> {
  const head = (await findHead(trx, wallet.id)) ?? (await makeHead(trx, binding, wallet));
  return head && readBound(trx, binding.secret, wallet, head);
}

interface Saving {
  readonly before: WalletState;
  readonly after: WalletState;
  /** What writes an entry of the log, by the same statement. */
  readonly entry?: RawBuilder<unknown> | undefined;
}

/** Writes what became of a wallet that was locked. What is too old to matter is left out. */
export async function saveWallet(
  trx: Trx,
  secret: Uint8Array,
  wallet: PolicyWallet,
  { before, after, entry }: Saving,
): Promise<void> {
  const { id, environment, kind } = wallet;
  const oldest = after.latestAt - keptMs;
  const spent = after.spent.filter(({ hour }) => hour >= oldest);
  const pending = after.pending.filter(({ endsAt }) => endsAt >= oldest);
  await writeSpent(trx, id, before.spent, spent);
  await writePending(trx, id, before.pending, pending);
  await trx.deleteFrom("custodian_counted").where("wallet_id", "=", id).where("at", "<", BigInt(oldest)).execute();
  const head = {
    wallet_id: id,
    environment,
    kind,
    policy: after.policy,
    version: after.version,
    latest_at: BigInt(after.latestAt),
    rows_digest: digestOf(spent, pending),
    next_policy: after.next?.policy ?? null,
    next_from: after.next === null ? null : BigInt(after.next.from),
    set_by: after.setBy === null ? null : Buffer.from(after.setBy, "hex"),
  };
  const saving = trx
    .updateTable("custodian_policy")
    .set({ ...head, binding: bindHead(secret, head) })
    .where("wallet_id", "=", id);
  await (entry === undefined ? saving : saving.returning(entry.as("logged"))).execute();
}

async function writeSpent(trx: Trx, id: string, before: readonly Spent[], after: readonly Spent[]): Promise<void> {
  for (const old of before.filter((row) => !after.some(({ mint, hour }) => mint === row.mint && hour === row.hour))) {
    await trx
      .deleteFrom("custodian_spent")
      .where("wallet_id", "=", id)
      .where("mint", "=", old.mint)
      .where("hour", "=", BigInt(old.hour))
      .execute();
  }
  for (const { mint, hour, amount } of after.filter((row) => !before.includes(row))) {
    await trx
      .insertInto("custodian_spent")
      .values({ wallet_id: id, mint, hour: BigInt(hour), amount: amount.toString() })
      .onConflict((conflict) =>
        conflict.columns(["wallet_id", "mint", "hour"]).doUpdateSet({ amount: amount.toString() }),
      )
      .execute();
  }
}

async function writePending(
  trx: Trx,
  id: string,
  before: readonly Pending[],
  after: readonly Pending[],
): Promise<void> {
  for (const { what } of before.filter((old) => !after.includes(old))) {
    await trx.deleteFrom("custodian_pending").where("wallet_id", "=", id).where("what", "=", what).execute();
  }
  const made = after.filter((row) => !before.includes(row));
  if (made.length === 0) return;
  await trx
    .insertInto("custodian_pending")
    .values(
      made.map(({ what, notBefore, endsAt, cancelledAt, usedAt, usedBy, change }) => ({
        wallet_id: id,
        what,
        not_before: BigInt(notBefore),
        ends_at: BigInt(endsAt),
        cancelled_at: cancelledAt === null ? null : BigInt(cancelledAt),
        used_at: usedAt === null ? null : BigInt(usedAt),
        used_by: usedBy === null ? null : Buffer.from(usedBy, "hex"),
        change,
      })),
    )
    .execute();
}

/** The sums with what is signed for now. */
export function withSpent(
  spent: readonly Spent[],
  sums: ReadonlyMap<Address | null, bigint>,
  now: number,
): readonly Spent[] {
  const hour = hourOf(now);
  const added = [...sums].map(([mint, amount]) => ({ mint: mintName(mint), hour, amount }));
  const isAdded = (row: Spent) => row.hour === hour && added.some(({ mint }) => mint === row.mint);
  return [
    ...spent.filter((row) => !isAdded(row)),
    ...added.map(({ mint, amount }) => {
      const former = spent.find((row) => row.hour === hour && row.mint === mint);
      return { mint, hour, amount: (former?.amount ?? 0n) + amount };
    }),
  ];
}

/** Whether a message was counted. */
export async function isCounted(trx: Trx, secret: Uint8Array, walletId: string, hash: Uint8Array): Promise<boolean> {
  const row = await trx
    .selectFrom("custodian_counted")
    .selectAll()
    .where("wallet_id", "=", walletId)
    .where("message_hash", "=", hash)
    .executeTakeFirst();
  return row !== undefined && isSame(row.binding, bindCounted(secret, walletId, hash, row.at));
}

/** Counts a message that was not. A row that was altered is written over. */
export async function count(
  trx: Trx,
  secret: Uint8Array,
  { walletId, hash, now }: { readonly walletId: string; readonly hash: Uint8Array; readonly now: number },
): Promise<void> {
  const at = BigInt(now);
  const binding = bindCounted(secret, walletId, hash, at);
  await trx
    .insertInto("custodian_counted")
    .values({ wallet_id: walletId, message_hash: hash, at, binding })
    .onConflict((conflict) => conflict.columns(["wallet_id", "message_hash"]).doUpdateSet({ at, binding }))
    .execute();
}

/** Those of the addresses that were approved. */
export async function approvedAmong(
  trx: Trx,
  secret: Uint8Array,
  walletId: string,
  addresses: readonly Address[],
): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set();
  const rows = await trx
    .selectFrom("custodian_destination")
    .selectAll()
    .where("wallet_id", "=", walletId)
    .where("address", "in", addresses)
    .execute();
  const ours = rows.filter((row) =>
    isSame(row.binding, bindDestination(secret, walletId, row.address, row.approved_at)),
  );
  return new Set(ours.map(({ address }) => address));
}

export async function approve(
  trx: Trx,
  secret: Uint8Array,
  {
    walletId,
    addresses,
    now,
  }: { readonly walletId: string; readonly addresses: readonly Address[]; readonly now: number },
): Promise<void> {
  const at = BigInt(now);
  for (const address of new Set(addresses)) {
    const binding = bindDestination(secret, walletId, address, at);
    await trx
      .insertInto("custodian_destination")
      .values({ wallet_id: walletId, address, approved_at: at, binding })
      .onConflict((conflict) => conflict.columns(["wallet_id", "address"]).doUpdateSet({ approved_at: at, binding }))
      .execute();
  }
}
