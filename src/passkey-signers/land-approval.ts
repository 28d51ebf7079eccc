import { Buffer } from "node:buffer";
import type { Address } from "@solana/kit";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { derivePasskeyAddress } from "@trellis/program-client";
import { readMessage } from "@trellis/solana/read-message.js";
import { parseWireTransaction, toBase64 } from "@trellis/solana/wire-transaction.js";
import type { Static } from "typebox";
import { findSubmission } from "../submissions/submission-store.js";
import { type ActingAccount, getActingAccount } from "../transactions/acting-account.js";
import { checkCarrier } from "../transactions/check-item.js";
import { executeItem, type SubmitNeeds } from "../transactions/execute-item.js";
import { belongsTo, findOvertaking } from "../transactions/overtaking.js";
import { findPrepared } from "../transactions/prepared-store.js";
import type { ExecutableItem } from "../transactions/submit-item.js";
import { type Approval, type ApprovedTransaction, findFixed, fixTransaction } from "./approval-store.js";
import { composeApproval, planApproval } from "./approval-transaction.js";
import { type AuthenticatorResponse, readAnswer, refusedAnswer, type SignedAnswer } from "./read-answer.js";

/**
 * Carries out what a passkey has approved, once, however often and by whatever process it is asked for. It is a submit of what was prepared,
 * under its identity and with all of its checks; the bytes are those that have the passkey's signature in them. They are fixed before they are
 * signed, so that two calls never have two transactions signed.
 *
 * Throws `invalid_passkey_assertion`, `passkey_challenge_over`, and the errors of a submit.
 */
export async function landApproval(
  needs: SubmitNeeds,
  network: Network,
  approval: Approval,
  { response }: Static<typeof AuthenticatorResponse>,
): Promise<{ readonly signature: string; readonly confirmedAt: string }> {
  const answer = readAnswer({ ...approval, kind: "approve" }, response);
  const publicKey = answer.keys.find((key) => derivePasskeyAddress(key) === approval.passkey_address);
  if (publicKey === undefined) throw refusedAnswer("passkey");
  const account = await getActingAccount(needs.db, network, approval.tenant_id, approval.account_address);
  const context = { needs, network, account, byAgent: false };
  return executeItem(context, await checkApproved(needs, network, account, approval, { ...answer, publicKey }));
}

/** The transaction with all that a submit requires of it; or the submission that there is of it. */
async function checkApproved(
  needs: SubmitNeeds,
  network: Network,
  account: ActingAccount,
  approval: Approval,
  answer: SignedAnswer & { readonly publicKey: Uint8Array },
): Promise<ExecutableItem> {
  const { prepared_id: id, passkey_address: passkeyAddress } = approval;
  const owner = { tenantId: approval.tenant_id, environment: network.name, accountAddress: account.row.address };
  const [found, submission] = await Promise.all([findPrepared(needs.db, owner, id), findSubmission(needs.db, id)]);
  if (submission !== undefined) {
    assertOurs(belongsTo(submission, owner), "what was prepared for an owner is submitted for that owner");
    return { kind: "known", submission, wire: parseWireTransaction(toBase64(submission.wire_transaction)) };
  }
  const now = BigInt(network.clock.now());
  if (found === undefined) throw new TrellisError("passkey_challenge_over");
  const draft = parseWireTransaction(found.prepared.transaction);
  if (found.prepared.refused_at !== null || found.prepared.expires_at <= now) {
    const error = new TrellisError("blockhash_expired");
    return { kind: "known", submission: await findOvertaking(needs.db, network, owner, id, error), wire: draft };
  }
  const fixed = (await findFixed(needs.db, id)) ?? (await fix());
  const wire = { ...parseWireTransaction(fixed.transaction), id };
  const prepared = {
    ...found.prepared,
    fee_lamports: fixed.feeLamports,
    last_valid_block_height: fixed.lastValidBlockHeight,
  };
  const item = { transaction: fixed.transaction, entries: [], field: "transaction" };
  return checkCarrier(
    { needs, network, account, byAgent: false, owner, item, wire },
    { wire, prepared, stamps: [], carriesOut: true, present: new Set([passkeyAddress as Address]) },
  );

  async function fix(): Promise<ApprovedTransaction> {
    if (approval.expires_at <= now) throw new TrellisError("passkey_challenge_over");
    const message = await readMessage(network, draft, { leastSlot: account.slot });
    const plan = planApproval(message, draft.signers, passkeyAddress as Address);
    // Its lookup tables have others in them by now: the passkey has signed for the former ones.
    if (Buffer.from(plan.signed).toString("base64") !== approval.execution) {
      throw new TrellisError("passkey_challenge_over");
    }
    const by = { publicKey: answer.publicKey, slot: approval.slot };
    try {
      const made = await composeApproval(needs, network, account, plan, answer.assertion, by);
      return await fixTransaction(needs.db, approval, made);
    } catch (error) {
      // Another call was faster: what that one has landed is why the chain refuses this.
      const fixed = error instanceof TrellisError ? await findFixed(needs.db, id) : undefined;
      if (fixed === undefined) throw error;
      return fixed;
    }
  }
}
