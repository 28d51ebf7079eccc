import { Buffer } from "node:buffer";
import { sql } from "kysely";
import type { Db, PreparedTransactionTable } from "../../ports/database.js";
import { readTransaction } from "../chain/transaction-bytes.js";
import { carriesOut, type LandedTransaction } from "./carries-out.js";

/** A landed transaction of another message, which carries a prepared one out. */
export interface Carrier extends LandedTransaction {
  /** Base58. */
  readonly signature: string;
  /** The identity of its message. */
  readonly id: string;
  readonly slot: bigint;
}

/** Whose a carrier is: this payment's, another one's, or perhaps that of another one, which is still searched for. */
export type CarrierOwner = "this" | "another" | "undecided";

/** What a search takes for a prepared transaction besides its own message, because others can have changed it (gap 143). */
export interface ChangedMessage {
  /** Whether this carries it out. */
  matches(landed: LandedTransaction): boolean;
  ownerOf(carrier: Carrier): Promise<CarrierOwner>;
}

/** The prepared transaction that is searched for. */
export type SoughtTransaction = Pick<
  PreparedTransactionTable,
  "id" | "environment" | "account_address" | "transaction" | "created_at"
>;

/** Open payments of one account that are compared with a carrier, the newest. */
const rivalsMax = 100;

/** What else may have become of a prepared transaction than its own message. */
export function changedMessage(db: Db, sought: SoughtTransaction): ChangedMessage {
  const wire = bytesOf(sought);
  return {
    matches: (landed) => carriesOut(wire, landed),
    ownerOf: (carrier) => ownerOf(db, sought, carrier),
  };
}

const bytesOf = ({ transaction }: Pick<SoughtTransaction, "transaction">) =>
  new Uint8Array(Buffer.from(transaction, "base64"));

/**
 * Each landed transaction ends one payment. What was prepared here itself, or was counted already, is another one's. Of open
 * payments of the same content the one has it whose blockhash it has, and otherwise the latest: whoever prepares anew signs
 * that one.
 */
async function ownerOf(db: Db, sought: SoughtTransaction, carrier: Carrier): Promise<CarrierOwner> {
  const { rows: taken } = await sql`
    select from submission where signature = ${carrier.signature} and carried
    union all select from prepared_transaction where id = ${carrier.id}
    -- Prepared transactions are forgotten before their payments.
    union all select from payment_intent where prepared_id = ${carrier.id} limit 1`.execute(db);
  if (taken.length > 0) return "another";
  const { rows } = await sql<SoughtTransaction>`
    select prepared.id, prepared.environment, prepared.account_address, prepared.transaction, prepared.created_at
    from payment_intent as other join prepared_transaction as prepared on prepared.id = other.prepared_id
    where other.environment = ${sought.environment} and other.account_address = ${sought.account_address}
      and other.state in ('awaiting_funds', 'in_review') and other.open_until_height is not null
      and prepared.id <> ${sought.id} and coalesce(prepared.simulated_slot, 0) <= ${carrier.slot}::int8
      and not exists (select from submission where submission.id = prepared.id)
    order by other.created_at desc limit ${rivalsMax}`.execute(db);
  const blockhash = blockhashOf(carrier.wire);
  const isOrigin = (one: SoughtTransaction) => blockhashOf(bytesOf(one)) === blockhash;
  const isLater = (one: SoughtTransaction) =>
    one.created_at === sought.created_at ? one.id > sought.id : one.created_at > sought.created_at;
  const isMine = isOrigin(sought);
  const isBefore = rows
    .filter((rival) => carriesOut(bytesOf(rival), carrier))
    .some((rival) => (isOrigin(rival) === isMine ? isLater(rival) : !isMine));
  return isBefore ? "undecided" : "this";
}

const blockhashOf = (wire: Uint8Array) => readTransaction(wire)?.message.lifetimeToken;
