import type { Address, Signature } from "@solana/kit";
import type { Db, SubmissionTable } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { readTransaction } from "@trellis/solana/transaction-bytes.js";
import { sql } from "kysely";
import { payerAt } from "../sponsorship/service-keys.js";
import { changedMessage, type SoughtTransaction } from "./changed-message.js";
import { type FoundMessage, findMessage } from "./find-message.js";
import { alarmUnprovable } from "./find-standing.js";
import type { FinalOutcome } from "./submission.js";
import { submissionStates } from "./submission-states.js";

type Row = SubmissionTable & {
  readonly settings_address: string | null;
  /** Base64 of what was prepared, when, and a slot at which it had not landed; null where it was built elsewhere. */
  readonly transaction: string | null;
  readonly prepared_at: bigint | null;
  readonly simulated_slot: bigint | null;
};

/**
 * What became of a submission whose stored signature has provably not landed and never will. Where its fee payer is not the
 * service's, that key can have signed the same message a second time, with another signature, and a wallet have sent it: the
 * chain takes a message once. Then the account's history is searched for the message (gap 136), and what is found takes the
 * place of what was stored. So does what a wallet has made of a message that was prepared here (gap 143), and sent before the
 * submission or after it. Undefined while it cannot be decided: it stays open. Does not reject as the chain does.
 */
export async function decideExpired(
  needs: { readonly db: Db; readonly log: Log },
  network: Network,
  { id, signature }: Pick<SubmissionTable, "id" | "signature">,
): Promise<FinalOutcome | undefined> {
  const expired: FinalOutcome = { state: "expired", signature };
  const { rows } = await sql<Row>`select submission.*, account.settings_address, prepared.transaction,
      prepared.created_at as prepared_at, prepared.simulated_slot from submission
    left join account on account.address = submission.account_address and account.environment = submission.environment
    left join prepared_transaction as prepared on prepared.id = submission.id
    where submission.id = ${id}`.execute(needs.db);
  const [row] = rows;
  if (row === undefined || row.settings_address === null || !isSelfPaid(network, row)) return expired;
  const sought = soughtOf(row);
  const standing = await findMessage(
    network,
    { id, ...(sought && { changed: changedMessage(needs.db, sought) }) },
    {
      address: row.settings_address as Address,
      lastValidBlockHeight: row.last_valid_block_height,
      recordedAt: Number(sought?.created_at ?? row.created_at),
      recordedSlot: sought ? row.simulated_slot : row.recorded_slot,
      before: row.searched_to as Signature | null,
    },
  );
  switch (standing.kind) {
    case "absent":
      return expired;
    case "found":
      // Made final elsewhere, or counted as another one's in this very moment: decided anew at the next check.
      if (!(await takeOver(needs.db, id, standing))) return undefined;
      needs.log.warn(
        {
          event: "submission_message_changed",
          submission: id,
          transaction_signature: standing.signature,
          changed: standing.carried,
        },
        "message is on chain under another signature, or changed",
      );
      return standing.outcome;
    case "unfinished":
      await open(needs.db, id).set({ searched_to: standing.before }).execute();
      return undefined;
    case "unprovable":
      await alarmUnprovable(needs, network, [row], standing.reason);
      return undefined;
    default:
      return undefined;
  }
}

/** What was prepared here of it. */
function soughtOf({
  transaction,
  prepared_at: created_at,
  account_address,
  ...row
}: Row): SoughtTransaction | undefined {
  if (account_address === null || transaction === null || created_at === null) return undefined;
  return { ...row, account_address, transaction, created_at };
}

function isSelfPaid(network: Network, { wire_transaction }: SubmissionTable): boolean {
  const payer = readTransaction(wire_transaction)?.message.staticAccounts[0];
  return payer !== undefined && payerAt(network, payer) === undefined;
}

const open = (db: Db, id: string) =>
  db.updateTable("submission").where("id", "=", id).where("state", "in", submissionStates.open);

const uniqueViolation = "23505";

/** Whether its row is now that of what was found. */
async function takeOver(db: Db, id: string, { signature, wireTransaction, carried }: FoundMessage): Promise<boolean> {
  const claimed = db
    .selectFrom("submission as other")
    .select("other.id")
    .where("other.signature", "=", signature)
    .where("other.carried", "=", carried)
    .where("other.id", "<>", id);
  try {
    const { numUpdatedRows } = await open(db, id)
      .set({ signature, carried, wire_transaction: wireTransaction })
      .where(({ not, exists }) => not(exists(claimed)))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  } catch (error) {
    if (error instanceof Object && "code" in error && error.code === uniqueViolation) return false;
    throw error;
  }
}
