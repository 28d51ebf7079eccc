import type { Address, Signature } from "@solana/kit";
import { sql } from "kysely";
import type { Db } from "../../../ports/database.js";
import { addressBytes, signatureBytes, signatureOf } from "./address-bytes.js";
import type { TransactionFault } from "./transaction-error.js";
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

/** Reads what has landed, for ever back. */
export type HistoryStore = ReturnType<typeof createHistoryStore>;

/** Makes the store over a database. */
export function createHistoryStore(db: Db) {
  return {
    /** A landed transaction by its signature. */
    findTransaction: async (
      signature: Signature,
    ): Promise<{ slot: bigint; blockTime: bigint; wire: Uint8Array; record: TransactionRecord } | undefined> => {
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
      if (before)
        query = query.where(sql<boolean>`(entry.slot, entry.position) < (${before.slot}, ${before.position})`);
      if (after) query = query.where(sql<boolean>`(entry.slot, entry.position) > (${after.slot}, ${after.position})`);
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

/** Reads the error column. */
export function faultOf(error: string | null): TransactionFault | null {
  return error === null ? null : (JSON.parse(error) as TransactionFault);
}
