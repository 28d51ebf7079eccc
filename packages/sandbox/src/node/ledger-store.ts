import type { Address, Signature } from "@solana/kit";
import type { Db, Trx } from "@trellis/kernel/ports/database.js";
import { CompiledQuery, sql } from "kysely";
import type { AccountState } from "./account-state.js";
import { addressBytes, addressOf, signatureBytes, signatureOf } from "./address-bytes.js";
import { messageIdOf } from "./guard.js";
import { faultOf, type TransactionFault } from "./transaction-error.js";
import { encodeRecord, type TransactionRecord } from "./transaction-record.js";

/** Another process has claimed the chain; this node must not answer any more. */
export class SandboxFencedError extends Error {
  override readonly name = "SandboxFencedError";
  constructor() {
    super("another process runs the sandbox chain now; this node no longer answers");
  }
}

/** The chain's head as stored. */
export interface StoredChain {
  readonly sealedSeed: Uint8Array;
  readonly genesisAtMs: bigint;
  readonly clockOffsetMs: bigint;
  readonly writerEpoch: bigint;
}

/** A transaction that has landed. */
export interface LandedTransaction {
  readonly signature: Signature;
  /** Lower-case hex SHA-256 of its message. */
  readonly messageId: string;
  readonly slot: bigint;
  readonly position: number;
  /** Unix seconds. */
  readonly blockTime: bigint;
  readonly wire: Uint8Array;
  readonly record: TransactionRecord;
  readonly memo: string | null;
  readonly addresses: readonly Address[];
}

/** What one commit writes. */
export interface CommitGroup {
  readonly transactions: readonly LandedTransaction[];
  /** The accounts as they are to be; undefined removes one. */
  readonly accounts: ReadonlyMap<Address, AccountState | undefined>;
  readonly slot: bigint;
}

const accountPageSize = 2_000;
// PostgreSQL takes at most 65,535 parameters in a statement.
const rowsPerInsert = 2_000;

/** The chain's tables. Every write checks the writer's epoch inside its own transaction. */
export type LedgerStore = ReturnType<typeof createLedgerStore>;

/**
 * Makes the store over a database in which no statement waits for another one's connection: a commit whose connection was
 * lost has then begun or never will, and `inspect` sees what became of it.
 */
export function createLedgerStore(db: Db) {
  return {
    /** The stored chain, if there is one. */
    findChain: async (): Promise<StoredChain | undefined> => {
      const row = await db.selectFrom("chain_state").selectAll().where("id", "=", 1).executeTakeFirst();
      return (
        row && {
          sealedSeed: row.seed,
          genesisAtMs: row.genesis_at,
          clockOffsetMs: row.clock_offset_ms,
          writerEpoch: row.writer_epoch,
        }
      );
    },

    /** Writes slot 0 of a new chain, unless another process was faster. */
    createChain: async (
      chain: Omit<StoredChain, "writerEpoch">,
      accounts: ReadonlyMap<Address, AccountState>,
    ): Promise<void> => {
      await db.transaction().execute(async (trx) => {
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto("chain_state")
          .values({
            id: 1,
            seed: chain.sealedSeed,
            genesis_at: chain.genesisAtMs,
            clock_offset_ms: chain.clockOffsetMs,
            writer_epoch: 0n,
          })
          .onConflict((conflict) => conflict.column("id").doNothing())
          .executeTakeFirstOrThrow();
        if (numInsertedOrUpdatedRows === 1n) await writeAccounts(trx, accounts, 0n);
      });
    },

    /** Makes the caller the only writer and returns its epoch. Waits for a commit of the former writer to end. */
    takeOver: async (): Promise<bigint> => {
      const row = await db
        .updateTable("chain_state")
        .set({ writer_epoch: sql<bigint>`writer_epoch + 1` })
        .where("id", "=", 1)
        .returning("writer_epoch")
        .executeTakeFirstOrThrow();
      return row.writer_epoch;
    },

    /** Every account, in pages; executable ones last, as a program needs its data in place first. */
    loadAccounts: async (visit: (address: Address, state: AccountState) => void): Promise<void> => {
      for (const executable of [false, true]) {
        let last: Uint8Array | undefined;
        for (;;) {
          let query = db
            .selectFrom("chain_account")
            .selectAll()
            .where("executable", "=", executable)
            .orderBy("address")
            .limit(accountPageSize);
          if (last) query = query.where("address", ">", last);
          const rows = await query.execute();
          for (const row of rows) visit(addressOf(row.address), stateOf(row));
          last = rows.at(-1)?.address;
          if (rows.length < accountPageSize || last === undefined) break;
        }
      }
    },

    /** The landed transactions from a slot on, oldest first: signature, slot, position and fault. */
    loadRecent: async (
      fromSlot: bigint,
    ): Promise<{ signature: Signature; messageId: string; slot: bigint; fault: TransactionFault | null }[]> => {
      const rows = await db
        .selectFrom("chain_transaction")
        .select(["signature", "slot", "error", "wire_transaction"])
        .where("slot", ">=", fromSlot)
        .orderBy("slot")
        .orderBy("position")
        .execute();
      return rows.map((row) => ({
        signature: signatureOf(row.signature),
        messageId: messageIdOf(row.wire_transaction),
        slot: row.slot,
        fault: faultOf(row.error),
      }));
    },

    /** Where the newest transaction landed. */
    findLastPosition: async (): Promise<{ slot: bigint; position: number } | undefined> =>
      db
        .selectFrom("chain_transaction")
        .select(["slot", "position"])
        .orderBy("slot", "desc")
        .orderBy("position", "desc")
        .limit(1)
        .executeTakeFirst(),

    /** Stores a group in one transaction: all of it, or nothing. Throws SandboxFencedError under an old epoch. */
    commit: async (epoch: bigint, group: CommitGroup): Promise<void> => {
      const { rows } = await db.executeQuery<{ written: boolean }>(
        CompiledQuery.raw(commitStatement, commitParameters(epoch, group)),
      );
      if (rows[0]?.written !== true) throw new SandboxFencedError();
    },

    /**
     * Says, after a commit whose fate is unknown, what is stored: which of the signatures, and the accounts. It waits
     * for that commit to end, because it takes the same lock.
     */
    inspect: async (epoch: bigint, signatures: readonly Signature[], addresses: readonly Address[]) =>
      db.transaction().execute(async (trx) => {
        await assertWriter(trx, epoch);
        const accounts = new Map<Address, AccountState | undefined>(addresses.map((address) => [address, undefined]));
        const stored = new Set<Signature>();
        for (const part of slices(addresses)) {
          const found = await trx
            .selectFrom("chain_account")
            .selectAll()
            .where("address", "in", part.map(addressBytes))
            .execute();
          for (const row of found) accounts.set(addressOf(row.address), stateOf(row));
        }
        for (const part of slices(signatures)) {
          const found = await trx
            .selectFrom("chain_transaction")
            .select("signature")
            .where("signature", "in", part.map(signatureBytes))
            .execute();
          for (const row of found) stored.add(signatureOf(row.signature));
        }
        return { accounts, stored };
      }),

    /** Puts accounts in place that are not there yet. */
    addMissingAccounts: async (epoch: bigint, accounts: ReadonlyMap<Address, AccountState>): Promise<void> => {
      if (accounts.size === 0) return;
      await db.transaction().execute(async (trx) => {
        await assertWriter(trx, epoch);
        await trx
          .insertInto("chain_account")
          .values([...accounts].map(([address, state]) => accountRow(address, state, 0n)))
          .onConflict((conflict) => conflict.column("address").doNothing())
          .execute();
      });
    },

    /** Stores how far environment time runs ahead. Throws SandboxFencedError under an old epoch. */
    saveClockOffset: async (epoch: bigint, offsetMs: bigint): Promise<void> => {
      const { numUpdatedRows } = await db
        .updateTable("chain_state")
        .set({ clock_offset_ms: offsetMs })
        .where("id", "=", 1)
        .where("writer_epoch", "=", epoch)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows !== 1n) throw new SandboxFencedError();
    },
  };
}

async function assertWriter(trx: Trx, epoch: bigint): Promise<void> {
  const row = await trx
    .selectFrom("chain_state")
    .select("writer_epoch")
    .where("id", "=", 1)
    .forUpdate()
    .executeTakeFirst();
  if (row?.writer_epoch !== epoch) throw new SandboxFencedError();
}

async function writeAccounts(trx: Trx, accounts: ReadonlyMap<Address, AccountState>, slot: bigint): Promise<void> {
  const rows = [...accounts].map(([address, state]) => accountRow(address, state, slot));
  for (const part of slices(rows)) await trx.insertInto("chain_account").values(part).execute();
}

/**
 * A group in one statement, which is a transaction of its own: the row of the writer is locked first, and without it
 * nothing is written. One text for groups of any size, so that the server keeps its plan.
 */
const commitStatement = `
  with writer as materialized (
    select id from chain_state where id = 1 and writer_epoch = $1::int8 for update
  ), removed as (
    delete from chain_account using writer where chain_account.address = any($2::bytea[])
  ), kept as (
    insert into chain_account (address, lamports, owner, executable, data, slot)
    select account.address, account.lamports, account.owner, account.executable, account.data, $8::int8
    from writer, unnest($3::bytea[], $4::int8[], $5::bytea[], $6::bool[], $7::bytea[])
      as account (address, lamports, owner, executable, data)
    on conflict (address) do update set lamports = excluded.lamports, owner = excluded.owner,
      executable = excluded.executable, data = excluded.data, slot = excluded.slot
  ), landed as (
    insert into chain_transaction (signature, slot, position, block_time, wire_transaction, meta, error, memo)
    select landed.* from writer,
      unnest($9::bytea[], $10::int8[], $11::int4[], $12::int8[], $13::bytea[], $14::text[], $15::text[], $16::text[])
        as landed (signature, slot, position, block_time, wire_transaction, meta, error, memo)
  ), entries as (
    insert into chain_address_signature (address, slot, position, signature)
    select entry.* from writer,
      unnest($17::bytea[], $18::int8[], $19::int4[], $20::bytea[]) as entry (address, slot, position, signature)
  )
  select exists (select 1 from writer) as written`;

function commitParameters(epoch: bigint, { accounts, transactions, slot }: CommitGroup): unknown[] {
  const removed = [...accounts].flatMap(([address, state]) => (state === undefined ? [addressBytes(address)] : []));
  const kept = [...accounts].flatMap(([address, state]) =>
    state === undefined ? [] : [accountRow(address, state, slot)],
  );
  const landed = transactions.map((each) => ({
    ...each,
    signature: signatureBytes(each.signature),
    meta: encodeRecord(each.record),
    error: each.record.fault === null ? null : JSON.stringify(each.record.fault),
  }));
  const entries = landed.flatMap(({ addresses, signature, slot: at, position }) =>
    addresses.map((address) => ({ address: addressBytes(address), slot: at, position, signature })),
  );
  return [
    epoch,
    removed,
    kept.map(({ address }) => address),
    kept.map(({ lamports }) => lamports),
    kept.map(({ owner }) => owner),
    kept.map(({ executable }) => executable),
    kept.map(({ data }) => data),
    slot,
    landed.map(({ signature }) => signature),
    landed.map(({ slot: at }) => at),
    landed.map(({ position }) => position),
    landed.map(({ blockTime }) => blockTime),
    landed.map(({ wire }) => wire),
    landed.map(({ meta }) => meta),
    landed.map(({ error }) => error),
    landed.map(({ memo }) => memo),
    entries.map(({ address }) => address),
    entries.map(({ slot: at }) => at),
    entries.map(({ position }) => position),
    entries.map(({ signature }) => signature),
  ];
}

function accountRow(address: Address, state: AccountState, slot: bigint) {
  return {
    address: addressBytes(address),
    lamports: state.lamports,
    owner: addressBytes(state.owner),
    executable: state.executable,
    data: state.data,
    slot,
  };
}

function stateOf(row: { lamports: bigint; owner: Uint8Array; data: Uint8Array; executable: boolean }): AccountState {
  return {
    lamports: row.lamports,
    owner: addressOf(row.owner),
    data: new Uint8Array(row.data),
    executable: row.executable,
  };
}

function* slices<Item>(items: readonly Item[]): Iterable<Item[]> {
  for (let start = 0; start < items.length; start += rowsPerInsert) yield items.slice(start, start + rowsPerInsert);
}
