import type { Address, Signature } from "@solana/kit";
import { isAfter, isBefore } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";
import { addressBytes, addressOf, signatureBytes, signatureOf } from "./address-bytes.js";
import type { LandedTransaction } from "./ledger-store.js";
import { faultOf, type TransactionFault } from "./transaction-error.js";
import { decodeRecord, type TransactionRecord } from "./transaction-record.js";

/** One line of an address's history. */
export interface SignatureEntry {
  readonly signature: Signature;
  readonly slot: bigint;
  readonly position: number;
  readonly blockTime: bigint;
  readonly fault: TransactionFault | null;
  readonly memo: string | null;
}

interface Place {
  readonly slot: bigint;
  readonly position: number;
}

const placeOf = ({ slot, position }: Place) => ({ "entry.slot": slot, "entry.position": position });

/** A transaction where it landed, and what was recorded of it. */
export type FoundTransaction = Pick<LandedTransaction, "slot" | "blockTime" | "wire" | "record">;

/** Who sends a transaction asks for it soon after it has landed. So many of the latest are at hand for that. */
const transactionsAtHand = 1_000;

/** Reads what has landed, for ever back. */
export type HistoryStore = ReturnType<typeof createHistoryStore>;

/** Makes the store over a database. */
export function createHistoryStore(db: Db) {
  const atHand = new Map<Signature, FoundTransaction>();
  return {
    /** Keeps transactions at hand that are stored now. What is stored never changes. */
    keepAtHand: (landed: readonly LandedTransaction[]): void => {
      for (const { signature, slot, blockTime, wire, record } of landed) {
        atHand.set(signature, { slot, blockTime, wire, record });
      }
      for (const oldest of atHand.keys()) {
        if (atHand.size <= transactionsAtHand) break;
        atHand.delete(oldest);
      }
    },

    /** A landed transaction by its signature. */
    findTransaction: async (signature: Signature): Promise<FoundTransaction | undefined> => {
      const latest = atHand.get(signature);
      if (latest !== undefined) return latest;
      const row = await db
        .selectFrom("chain_transaction")
        .select(["slot", "block_time", "wire_transaction", "meta"])
        .where("signature", "=", signatureBytes(signature))
        .executeTakeFirst();
      return (
        row && {
          slot: row.slot,
          blockTime: row.block_time,
          wire: new Uint8Array(row.wire_transaction),
          record: decodeRecord(row.meta),
        }
      );
    },

    /** The transactions of one slot in their order. */
    listBlock: async (slot: bigint): Promise<{ wire: Uint8Array; record: TransactionRecord }[]> => {
      const rows = await db
        .selectFrom("chain_transaction")
        .select(["wire_transaction", "meta"])
        .where("slot", "=", slot)
        .orderBy("position")
        .execute();
      return rows.map((row) => ({ wire: new Uint8Array(row.wire_transaction), record: decodeRecord(row.meta) }));
    },

    /** Their signatures alone. */
    listBlockSignatures: async (slot: bigint): Promise<Signature[]> => {
      const rows = await db
        .selectFrom("chain_transaction")
        .select("signature")
        .where("slot", "=", slot)
        .orderBy("position")
        .execute();
      return rows.map(({ signature }) => signatureOf(signature));
    },

    /** How many transactions have landed, ever. */
    countTransactions: async (): Promise<number> => {
      const { count } = await db
        .selectFrom("chain_transaction")
        .select(({ fn }) => fn.countAll<bigint>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** How many landed from one slot on and before another, by slot divided by `slots`. */
    countPerMinute: async (from: bigint, before: bigint, slots: bigint): Promise<ReadonlyMap<bigint, number>> => {
      const rows = await db
        .selectFrom("chain_transaction")
        .select(({ fn }) => [sql<bigint>`slot / ${slots}`.as("minute"), fn.countAll<bigint>().as("count")])
        .where("slot", ">=", from)
        .where("slot", "<", before)
        .groupBy(sql`1`)
        .execute();
      return new Map(rows.map(({ minute, count }) => [BigInt(minute), Number(count)]));
    },

    /** All lamports there are. */
    sumLamports: async (): Promise<bigint> => {
      const row = await db
        .selectFrom("chain_account")
        .select(sql<bigint>`coalesce(sum(lamports), 0)::int8`.as("total"))
        .executeTakeFirstOrThrow();
      return BigInt(row.total);
    },

    /** The accounts with the most lamports, richest first. */
    listLargest: async (count: number): Promise<{ address: Address; lamports: bigint }[]> => {
      const rows = await db
        .selectFrom("chain_account")
        .select(["address", "lamports"])
        .orderBy("lamports", "desc")
        .limit(count)
        .execute();
      return rows.map(({ address, lamports }) => ({ address: addressOf(address), lamports }));
    },

    /** Slot, position and fault of those of the signatures that have landed. */
    findOutcomes: async (signatures: readonly Signature[]) => {
      if (signatures.length === 0)
        return new Map<Signature, { slot: bigint; position: number; fault: TransactionFault | null }>();
      const rows = await db
        .selectFrom("chain_transaction")
        .select(["signature", "slot", "position", "error"])
        .where("signature", "in", signatures.map(signatureBytes))
        .execute();
      return new Map(
        rows.map((row) => [
          signatureOf(row.signature),
          { slot: row.slot, position: row.position, fault: faultOf(row.error) },
        ]),
      );
    },

    /** An address's transactions, newest first, strictly between two places in the ledger where given. */
    listSignatures: async (
      address: Address,
      range: { before?: Place | undefined; after?: Place | undefined; limit: number },
    ): Promise<SignatureEntry[]> => {
      const { before, after } = range;
      let query = db
        .selectFrom("chain_address_signature as entry")
        .innerJoin("chain_transaction as landed", "landed.signature", "entry.signature")
        .select([
          "landed.signature",
          "landed.slot",
          "landed.position",
          "landed.block_time",
          "landed.error",
          "landed.memo",
        ])
        .where("entry.address", "=", addressBytes(address))
        .orderBy("entry.slot", "desc")
        .orderBy("entry.position", "desc")
        .limit(range.limit);
      if (before) query = query.where(isBefore(placeOf(before)));
      if (after) query = query.where(isAfter(placeOf(after)));
      const rows = await query.execute();
      return rows.map((row) => ({
        signature: signatureOf(row.signature),
        slot: row.slot,
        position: row.position,
        blockTime: row.block_time,
        fault: faultOf(row.error),
        memo: row.memo,
      }));
    },
  };
}
