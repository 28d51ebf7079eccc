import type { Address, Signature } from "@solana/kit";
import { sql } from "kysely";
import type { Db, SubmissionTable } from "../../ports/database.js";
import type { Log } from "../../ports/log.js";
import type { Network } from "../../ports/network.js";
import { readTransaction } from "../chain/transaction-bytes.js";
import { type FoundMessage, findMessage } from "./find-message.js";
import { alarmUnprovable } from "./find-standing.js";
import type { FinalOutcome } from "./submission.js";

type Row = SubmissionTable & { readonly settings_address: string | null };

/**
 * What became of a submission whose stored signature has provably not landed and never will. Where its fee payer is not the
 * service's, that key can have signed the same message a second time, with another signature, and a wallet have sent it: the
 * chain takes a message once. Then the account's history is searched for the message (gap 136), and what is found takes the
 * place of what was stored. Undefined while nobody can tell: it stays open. Does not reject as the chain does.
 */
export async function decideExpired(
  needs: { readonly db: Db; readonly log: Log },
  network: Network,
  { id, signature }: Pick<SubmissionTable, "id" | "signature">,
): Promise<FinalOutcome | undefined> {
  const expired: FinalOutcome = { state: "expired", signature };
  const { rows } = await sql<Row>`select submission.*, account.settings_address from submission
    left join account on account.address = submission.account_address and account.environment = submission.environment
    where submission.id = ${id}`.execute(needs.db);
  const [row] = rows;
  if (row === undefined || row.settings_address === null || !isSelfPaid(network, row)) return expired;
  const standing = await findMessage(network, id, {
    address: row.settings_address as Address,
    lastValidBlockHeight: row.last_valid_block_height,
    recordedAt: Number(row.created_at),
    recordedSlot: row.recorded_slot,
    before: row.searched_to as Signature | null,
  });
  switch (standing.kind) {
    case "absent":
      return expired;
    case "found":
      await takeOver(needs.db, id, standing);
      needs.log.warn({ submission: id, signature: standing.signature }, "a message has landed under another signature");
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

function isSelfPaid(network: Network, { wire_transaction }: SubmissionTable): boolean {
  const payer = readTransaction(wire_transaction)?.message.staticAccounts[0];
  return payer !== undefined && payer !== network.feePayer.address;
}

const open = (db: Db, id: string) =>
  db.updateTable("submission").where("id", "=", id).where("state", "in", ["signed", "sent"]);

const takeOver = (db: Db, id: string, { signature, wireTransaction }: FoundMessage) =>
  open(db, id).set({ signature, wire_transaction: wireTransaction }).execute();
