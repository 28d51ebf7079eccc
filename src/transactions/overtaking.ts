import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db, PreparedTransactionTable, SubmissionTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { wakeProposals } from "../following/proposal-subscriptions.js";
import { isFeePayer } from "../sponsorship/service-keys.js";
import { changedMessage } from "../submissions/changed-message.js";
import { findMessage } from "../submissions/find-message.js";
import { recordForgotten } from "../submissions/record-forgotten.js";
import { recordFound } from "../submissions/record-found.js";
import { findSubmission } from "../submissions/submission-store.js";
import type { Owner } from "./prepared-store.js";
import { refuseForGood } from "./record-submission.js";

/**
 * What to make of an error on the way to recording a submission: another copy of it may have been faster. What that one did
 * is the reason then, and its outcome the answer. Otherwise throws the error, and if that one says that the bytes are out
 * of date, no slower copy can record them any more. Bytes that a wallet can send alone are out of date once it is proven
 * that it has not: until then throws `submission_in_progress`, and what it has sent is the answer.
 */
export async function findOvertaking(
  db: Db,
  network: Network,
  owner: Owner,
  id: string,
  error: unknown,
): Promise<SubmissionTable> {
  if (!(error instanceof TrellisError)) throw error;
  if (isForGood(error)) {
    if (await mayBeSent(db, network, owner, id)) throw undecided();
    await refuseForGood(db, owner, id, network.clock.now());
  }
  const meanwhile = await findSubmission(db, id);
  if (meanwhile === undefined || !belongsTo(meanwhile, owner)) throw error;
  return meanwhile;
}

/**
 * Whether a wallet may have sent a prepared transaction alone, or still may, and it is not known yet: its fee payer is not
 * the service's then, and it was not submitted here. The chain's history is searched for it (gap 134), and for what a wallet
 * has made of it (gap 143); what is found is recorded as a submission. What the service has sent and its database has lost is
 * found and recorded, too.
 */
export async function mayBeSent(db: Db, network: Network, owner: Owner, id: string): Promise<boolean> {
  const prepared = await findUndecided(db, owner, id);
  if (prepared === undefined) return false;
  if (isFeePayer(network, prepared.fee_payer)) {
    const found = await recordForgotten({ db }, network, {
      account: owner.accountAddress,
      since: Number(prepared.created_at),
    });
    await wakeProposals(db, network.name, found, network.clock.now());
    return false;
  }
  const { settings_address: settings, last_valid_block_height, simulated_slot, created_at } = prepared;
  const changed = changedMessage(db, {
    id,
    environment: network.name,
    account_address: owner.accountAddress,
    ...prepared,
  });
  const standing = await findMessage(
    network,
    { id, changed },
    {
      address: settings as Address,
      lastValidBlockHeight: last_valid_block_height,
      recordedAt: Number(created_at),
      recordedSlot: simulated_slot,
      before: null,
    },
  );
  if (standing.kind === "absent") return false;
  if (standing.kind !== "found") return true;
  // What it did to the account's settings and proposals is read as after a submit.
  await wakeProposals(db, network.name, [settings], network.clock.now());
  const isRecorded = await recordFound(
    db,
    network,
    {
      id,
      tenant_id: owner.tenantId,
      environment: owner.environment,
      account_address: owner.accountAddress,
      last_valid_block_height,
      recorded_slot: simulated_slot,
      changesSettings: true,
    },
    standing,
  );
  return !isRecorded && (await findSubmission(db, id)) === undefined;
}

/** Whether a prepared transaction cannot land unless the service signs it, as its fee payer. */
export async function needsServiceKey(
  db: Db,
  network: Pick<Network, "feePayer" | "formerFeePayer">,
  id: string,
): Promise<boolean> {
  const prepared = await db
    .selectFrom("prepared_transaction")
    .select("fee_payer")
    .where("id", "=", id)
    .executeTakeFirst();
  return isFeePayer(network, prepared?.fee_payer);
}

type Undecided = Pick<
  PreparedTransactionTable,
  "last_valid_block_height" | "simulated_slot" | "created_at" | "fee_payer" | "transaction"
> & {
  readonly settings_address: string;
};

/** Undefined where it was submitted, and where its refusal was recorded before. */
async function findUndecided(db: Db, owner: Owner, id: string): Promise<Undecided | undefined> {
  return db
    .selectFrom("prepared_transaction as prepared")
    .innerJoin("account", (join) =>
      join
        .onRef("account.address", "=", "prepared.account_address")
        .onRef("account.environment", "=", "prepared.environment"),
    )
    .select([
      "prepared.last_valid_block_height",
      "prepared.simulated_slot",
      "prepared.created_at",
      "prepared.fee_payer",
      "prepared.transaction",
      "account.settings_address",
    ])
    .where("prepared.id", "=", id)
    .where("prepared.tenant_id", "=", owner.tenantId)
    .where("prepared.environment", "=", owner.environment)
    .where("prepared.account_address", "=", owner.accountAddress)
    .where("prepared.refused_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("submission").select("id").whereRef("submission.id", "=", "prepared.id"))),
    )
    .executeTakeFirst();
}

const undecided = () =>
  new TrellisError("submission_in_progress", {
    message:
      "It is out of date here, but its fee payer is yours: a wallet may have sent it on its own, and this cannot be ruled out yet. " +
      "Do not send another one in its place; ask again later.",
  });

/** Whether a refusal is for good: a caller that gets this prepares anew, so the old bytes must not land after it. */
function isForGood({ code }: TrellisError): boolean {
  return code === "payload_expired" || code === "blockhash_expired";
}

/** Whether a submission is this owner's: another tenant's does not exist (gap 2). */
export function belongsTo(row: SubmissionTable, owner: Owner): boolean {
  return (
    row.tenant_id === owner.tenantId &&
    row.environment === owner.environment &&
    row.account_address === owner.accountAddress
  );
}
