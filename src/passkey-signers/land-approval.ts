import { Buffer } from "node:buffer";
import type { Address } from "@solana/kit";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { PreparedTransactionTable, SubmissionTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { derivePasskeyAddress, SIGNATURE_PROGRAM_ADDRESS } from "@trellis/program-client";
import { readMessage } from "@trellis/solana/read-message.js";
import { readPlainMessage } from "@trellis/solana/transaction-bytes.js";
import { parseWireTransaction, toBase64 } from "@trellis/solana/wire-transaction.js";
import type { Static } from "typebox";
import { findSubmission } from "../submissions/submission-store.js";
import { type ActingAccount, getActingAccount } from "../transactions/acting-account.js";
import { checkCarrier } from "../transactions/check-item.js";
import { executeItem, type SubmitNeeds } from "../transactions/execute-item.js";
import { belongsTo, findOvertaking } from "../transactions/overtaking.js";
import { findPrepared, type Owner } from "../transactions/prepared-store.js";
import type { ExecutableItem } from "../transactions/submit-item.js";
import { type Approval, type ApprovedTransaction, approvalTurn, findFixed, fixTransaction } from "./approval-store.js";
import { composeApproval, planApproval } from "./approval-transaction.js";
import { signatureProgramRefusal } from "./ceremony-transaction.js";
import { type AuthenticatorResponse, readAnswer, refusedAnswer, type SignedAnswer } from "./read-answer.js";
import { countAnswer, signAlone } from "./signing-turn.js";

/**
 * Carries out what a passkey has approved, once, however often and by whatever process it is asked for. It is a submit of what was prepared,
 * under its identity and with all of its checks; the bytes are those that have the passkey's signature in them. They are fixed before they are
 * signed, so that two calls never have two transactions signed, and one call at a time has them signed.
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
  const { tenant_id: tenantId, account_address: accountAddress, prepared_id: id } = approval;
  const owner: Owner = { tenantId, environment: network.name, accountAddress };
  const submission = await findSubmission(needs.db, id);
  const turn = approvalTurn(id);
  if (submission === undefined) await countAnswer(needs, approval.challenge, turn);
  const account = await getActingAccount(needs.db, network, tenantId, accountAddress);
  const landing = { needs, network, account, approval, owner, answer: { ...answer, publicKey } };
  const context = { needs, network, account, byAgent: false };
  const fixed = submission === undefined ? await fixApproved(landing) : toKnown(submission, owner);
  if ("kind" in fixed) return executeItem(context, fixed);
  const landed = await signAlone(needs, turn, async () => executeItem(context, await checkFixed(landing, fixed)));
  if (landed !== undefined) return landed;
  const meanwhile = await findSubmission(needs.db, id);
  if (meanwhile === undefined) throw new TrellisError("submission_in_progress");
  return executeItem(context, toKnown(meanwhile, owner));
}

interface Landing {
  readonly needs: SubmitNeeds;
  readonly network: Network;
  readonly account: ActingAccount;
  readonly approval: Approval;
  readonly owner: Owner;
  readonly answer: SignedAnswer & { readonly publicKey: Uint8Array };
}

type KnownItem = Extract<ExecutableItem, { readonly kind: "known" }>;

/** What is submitted, with the bytes that were sent. */
function toKnown(submission: SubmissionTable, owner: Owner): KnownItem {
  assertOurs(belongsTo(submission, owner), "what was prepared for an owner is submitted for that owner");
  return { kind: "known", submission, wire: parseWireTransaction(toBase64(submission.wire_transaction)) };
}

/** What is fixed of it, with what was prepared. */
interface FixedApproval {
  readonly fixed: ApprovedTransaction;
  readonly prepared: PreparedTransactionTable;
}

/** The one transaction that carries it out; or the submission that there is of it meanwhile. */
async function fixApproved(landing: Landing): Promise<FixedApproval | KnownItem> {
  const { needs, network, account, approval, owner, answer } = landing;
  const { prepared_id: id, passkey_address: passkeyAddress } = approval;
  const now = BigInt(network.clock.now());
  const found = await findPrepared(needs.db, owner, id);
  if (found === undefined) throw new TrellisError("passkey_challenge_over");
  const { prepared } = found;
  const draft = parseWireTransaction(prepared.transaction);
  if (prepared.refused_at !== null || prepared.expires_at <= now) {
    const error = new TrellisError("blockhash_expired");
    return toKnown(await findOvertaking(needs.db, network, owner, id, error), owner);
  }
  return { fixed: (await findFixed(needs.db, id)) ?? (await fix()), prepared };

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

/** The same with all that a submit requires of it. */
async function checkFixed(
  { needs, network, account, approval, owner }: Landing,
  { fixed, prepared: draft }: FixedApproval,
): Promise<ExecutableItem> {
  const wire = { ...parseWireTransaction(fixed.transaction), id: approval.prepared_id };
  const prepared = {
    ...draft,
    fee_lamports: fixed.feeLamports,
    last_valid_block_height: fixed.lastValidBlockHeight,
  };
  const item = { transaction: fixed.transaction, entries: [], field: "transaction" };
  const present = new Set([approval.passkey_address as Address]);
  const message = readPlainMessage(Uint8Array.from(wire.transaction.messageBytes));
  const program = message?.staticAccounts.indexOf(SIGNATURE_PROGRAM_ADDRESS);
  const at = message?.instructions.findIndex(({ programAddressIndex }) => programAddressIndex === program);
  assertOurs(at !== undefined, "what is fixed is a transaction");
  return checkCarrier(
    { needs, network, account, byAgent: false, owner, item, wire },
    {
      wire,
      prepared,
      stamps: [],
      carriesOut: true,
      present,
      refusalOf: (refused) => signatureProgramRefusal(needs.log, refused, at),
    },
  );
}
