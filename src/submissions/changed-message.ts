import { Buffer } from "node:buffer";
import type { Db, PreparedTransactionTable } from "@trellis/kernel/ports/database.js";
import { anyOf } from "@trellis/kernel/states.js";
import { readTransaction } from "@trellis/solana/transaction-bytes.js";
import { sql } from "kysely";
import { carriesOut, type LandedTransaction } from "./carries-out.js";
import { waitingStates } from "./intent-states.js";
import { submissionStates } from "./submission-states.js";

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
  "id" | "environment" | "account_address" | "transaction" | "created_at" | "simulated_slot"
>;

/** Another prepared transaction of the account. */
type Rival = SoughtTransaction & {
  /** Whether it may still become what a carrier is counted as. */
  readonly is_open: boolean;
};

/** Prepared transactions of one account that are compared with a carrier at most. */
const rivalsMax = 1_000;
/** Which of them: a blockhash lives for a minute or two, so that those prepared at other times than this have none of its. */
const preparedApartMs = 600_000;

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
 * Each landed transaction ends one payment. What was prepared here itself, was counted already, or landed before this was
 * prepared, is not this one's. Of prepared transactions of the same content the one has it whose blockhash it has, whatever
 * became of that one, and otherwise the latest open one: a holder who prepares anew signs that one.
 */
async function ownerOf(db: Db, sought: SoughtTransaction, carrier: Carrier): Promise<CarrierOwner> {
  const blockhash = blockhashOf(carrier.wire);
  const isOrigin = (one: SoughtTransaction) => blockhashOf(bytesOf(one)) === blockhash;
  const isMine = isOrigin(sought);
  // A cluster's slot is over when it is simulated on; a sandbox's continues, with the same blockhash.
  const { simulated_slot: slot } = sought;
  if (slot === null || carrier.slot < slot || (carrier.slot === slot && !isMine)) return "another";
  const { rows: claimed } = await sql`
    select from submission where signature = ${carrier.signature} and carried
    union all select from prepared_transaction where id = ${carrier.id}
    -- Prepared transactions are forgotten before their payments.
    union all select from payment_intent where prepared_id = ${carrier.id} limit 1`.execute(db);
  if (claimed.length > 0) return "another";
  const { rows: rivals } = await sql<Rival>`
    select prepared.id, prepared.environment, prepared.account_address, prepared.transaction, prepared.created_at,
      prepared.simulated_slot, coalesce(submission.state in ${anyOf(submissionStates.open)},
        intent.state in ${anyOf(waitingStates)} and intent.open_until_height is not null, false) as is_open
    from prepared_transaction as mine join prepared_transaction as prepared
      on prepared.environment = mine.environment and prepared.account_address = mine.account_address
      and prepared.expires_at between mine.expires_at - ${preparedApartMs}::int8 and mine.expires_at + ${preparedApartMs}::int8
    left join payment_intent as intent on intent.prepared_id = prepared.id
    left join submission on submission.id = prepared.id
    where mine.id = ${sought.id} and prepared.id <> ${sought.id}
      and coalesce(prepared.simulated_slot, 0) <= ${carrier.slot}::int8
    order by prepared.created_at desc limit ${rivalsMax + 1}`.execute(db);
  if (rivals.length > rivalsMax) return "undecided";
  const isLater = (one: SoughtTransaction) =>
    one.created_at === sought.created_at ? one.id > sought.id : one.created_at > sought.created_at;
  const equal = rivals.filter((rival) => carriesOut(bytesOf(rival), carrier));
  if (!isMine && equal.some(isOrigin)) return "another";
  const isBefore = equal.some((rival) => rival.is_open && isOrigin(rival) === isMine && isLater(rival));
  return isBefore ? "undecided" : "this";
}

const blockhashOf = (wire: Uint8Array) => readTransaction(wire)?.message.lifetimeToken;
