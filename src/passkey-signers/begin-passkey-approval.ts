import { Buffer } from "node:buffer";
import type { Address } from "@solana/kit";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, wireTransactionText } from "@trellis/kernel/wire-texts.js";
import { addressOfBytes, executeByPasskeyChallenge, parseTransactionSync } from "@trellis/program-client";
import { readMessage } from "@trellis/solana/read-message.js";
import { parseWireTransaction } from "@trellis/solana/wire-transaction.js";
import Type from "typebox";
import { isOfAnother } from "../accounts/foreign-passkeys.js";
import { isFeePayer } from "../sponsorship/service-keys.js";
import { getActingAccount } from "../transactions/acting-account.js";
import { readKnownTokenAccounts } from "../transactions/coin-effects.js";
import { findOvertaking } from "../transactions/overtaking.js";
import { findPrepared } from "../transactions/prepared-store.js";
import { readTokenAccountOpening } from "../transactions/token-account-opening.js";
import { findApproval, type NewApproval, recordApproval } from "./approval-store.js";
import { type ApprovalPlan, assertFits, planApproval } from "./approval-transaction.js";
import { type CeremonyNeeds, pageFields, parsePage, readSlotHash } from "./begin-ceremony.js";
import { describeApproval, PasskeyApproval } from "./shown-ceremony.js";

const BegunApproval = Type.Object(
  { url: Type.String({ format: "uri" }), approval: PasskeyApproval },
  { $id: "PasskeyApprovalUrl" },
);

/** Gap 249. */
export const beginPasskeyApproval = endpoint(
  {
    operation: "beginPasskeyApproval",
    summary: "Have a passkey approve a prepared transaction",
    description:
      "For one that was prepared with `passkey_approval`. Answers the page that has the passkey sign exactly this, once, and what it shows.",
    tag: "Passkey signers",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/passkeys/{passkey}/approvals",
    scope: "transactions:write",
    environment: "optional",
    params: Type.Object({ address: addressText(), passkey: addressText() }),
    body: Type.Object(
      { transaction: wireTransactionText({ description: "As it was prepared." }), ...pageFields },
      { $id: "BeginPasskeyApprovalRequest" },
    ),
    refusesNearMisses: true,
    response: { status: 200, envelope: true, schema: BegunApproval },
    errors: [
      "account_not_found",
      "blockhash_expired",
      "chain_unavailable",
      "invalid_transaction",
      "passkey_account_not_found",
      "passkey_challenge_used",
      "passkeys_not_configured",
      "proposal_required",
      "submission_in_progress",
      "transaction_not_prepared",
      "transaction_too_large",
      "unsupported_fee_config",
    ],
  },
  async (needs: CeremonyNeeds, { params, body, caller, network }) => {
    const { tenantId } = caller;
    const wire = parseWireTransaction(body.transaction);
    const { appName, redirect, page } = await parsePage(needs, network, caller, body);
    const account = await getActingAccount(needs.db, network, tenantId, params.address);
    const [passkeyAddress, passkey] = [...account.passkeys].find(([address]) => address === params.passkey) ?? [];
    const tenant = { tenant_id: tenantId, environment: network.name };
    if (
      passkeyAddress === undefined ||
      passkey === undefined ||
      (await isOfAnother(needs, { tenantId, environment: network.name }, passkeyAddress, passkey))
    ) {
      throw new TrellisError("passkey_account_not_found", {
        field: "passkey",
        message: `${params.passkey} is no passkey of yours among the account's signers.`,
      });
    }
    if (passkey.relyingPartyId !== page.rpId) {
      throw new TrellisError("passkeys_not_configured", {
        message: `This passkey belongs to ${passkey.relyingPartyId}, and the page is on ${page.rpId}.`,
      });
    }
    const owner = { tenantId, environment: network.name, accountAddress: account.row.address };
    const found = await findPrepared(needs.db, owner, wire.id);
    if (found === undefined) throw new TrellisError("transaction_not_prepared", { field: "transaction" });
    const { prepared, isSubmitted } = found;
    if (isSubmitted) throw alreadySubmitted();
    if (!isFeePayer(network, prepared.fee_payer)) {
      throw new TrellisError("unsupported_fee_config", {
        field: "transaction",
        message: "What a passkey approves is paid for by the service: prepare it without a payer of its own.",
      });
    }
    const now = BigInt(network.clock.now());
    if (prepared.refused_at !== null || prepared.expires_at <= now) {
      const error = new TrellisError("blockhash_expired", { field: "transaction" });
      // A caller that gets this prepares anew: no answer to a former challenge may land after it.
      await findOvertaking(needs.db, network, owner, wire.id, error);
      throw alreadySubmitted();
    }
    const plan = planApproval(
      await readMessage(network, wire, { leastSlot: account.slot }),
      wire.signers,
      passkeyAddress,
    );
    assertFits(plan, passkey);
    const slotHash = await readSlotHash(network);
    const by = { feePayer: plan.payer, nonceSigner: plan.payer, passkeyAccount: passkeyAddress };
    const challenge = executeByPasskeyChallenge({ ...by, slotHash, execution: plan.execution });
    const end = now + BigInt(limits.signerCeremonyMs);
    const approval: NewApproval = {
      challenge: Buffer.from(challenge).toString("base64url"),
      ...tenant,
      account_address: account.row.address,
      passkey_address: passkeyAddress,
      prepared_id: wire.id,
      slot: slotHash.slot,
      slot_hash: addressOfBytes(slotHash.hash),
      payer: plan.payer,
      execution: Buffer.from(plan.signed).toString("base64"),
      owners: JSON.stringify(await findOwners(network, plan)),
      app_name: appName,
      redirect_url: redirect,
      relying_party_id: page.rpId,
      origin: page.origin,
      created_at: now,
      expires_at: prepared.expires_at < end ? prepared.expires_at : end,
    };
    const shown = await describeApproval(needs.db, network, approval);
    if (!(await recordApproval(needs.db, approval)) && !(await isRecorded(needs.db, approval))) {
      throw new TrellisError("passkey_challenge_used", {
        message: "The same was asked for a moment ago. Ask again shortly.",
        retryAfterSeconds: 1,
      });
    }
    return { data: { url: urlOf(page.url, approval), approval: shown } };
  },
);

/** Whether the very same was begun in the same slot: a request that is sent again has the same answer. */
async function isRecorded(db: Db, approval: NewApproval): Promise<boolean> {
  const known = await findApproval(db, approval.challenge);
  const parts = ["tenant_id", "account_address", "prepared_id", "app_name", "redirect_url", "origin"] as const;
  return known !== undefined && parts.every((part) => known[part] === approval[part]);
}

const alreadySubmitted = () =>
  new TrellisError("submission_in_progress", {
    field: "transaction",
    message:
      "It was submitted already. Do not prepare another one in its place: submit what was prepared to read its outcome.",
  });

/** Owners of the token accounts that are paid from or to, and of those that are opened for it. */
async function findOwners(network: Network, { before, inner }: ApprovalPlan): Promise<readonly Address[]> {
  const paying = inner.flatMap((call) => parseTransactionSync(call)?.instructions ?? []);
  const opened = [...before, ...paying].flatMap((call) => readTokenAccountOpening(call)?.owner ?? []);
  const known = await readKnownTokenAccounts(network, paying);
  return [...new Set([...opened, ...[...known.values()].map(({ owner }) => owner)])];
}

/** By the names that pages of sessions are addressed by. */
function urlOf(page: string, approval: NewApproval): string {
  const { redirect_url: redirectUrl } = approval;
  const query = new URLSearchParams({
    env: approval.environment,
    "app-name": approval.app_name,
    ...(redirectUrl === null ? {} : { "redirect-url": redirectUrl }),
    challenge: Buffer.from(approval.challenge, "base64url").toString("base64"),
    "slot-num": String(approval.slot),
  });
  return `${page}?${query}`;
}
