import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { AccountTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import { readMessage } from "@trellis/solana/read-message.js";
import { parseWireTransaction, type WireTransaction } from "@trellis/solana/wire-transaction.js";
import Type from "typebox";
import { readStamp, verifyClaim } from "../custody/stamp.js";
import { getIntent } from "../payments/get-payment-intent.js";
import type { FoundIntent } from "../payments/intent-store.js";
import { showIntent } from "../payments/payment-intent.js";
import { getActingAccount } from "../transactions/acting-account.js";
import { explainAltered } from "../transactions/altered-transaction.js";
import { assertExecutable, checkItem } from "../transactions/check-item.js";
import { executeItem, type SubmitNeeds } from "../transactions/execute-item.js";
import { findPrepared, type Owner } from "../transactions/prepared-store.js";
import { LegacyPaymentIntent, showLegacyIntent } from "./legacy-payment-intent.js";
import { readMpcPayload, type SignedMpcPayload } from "./mpc-payload.js";

/**
 * Interface 4.16 and 2.15, gap 79: submit by another name. The same bytes answer the first result, as there, whichever caller
 * confirms them again and under whichever idempotency key.
 */
export const confirmLegacyPaymentIntent = endpoint(
  {
    operation: "confirmLegacyPaymentIntent",
    summary: "Confirm a payment intent (v0)",
    description:
      "Takes back what the creation answered, with the holder's signature, and pays. Confirming again answers the same.",
    tag: "Legacy",
    method: "POST",
    path: "/api/v0/service/smart-accounts/{smart_account_address}/payment-intents/{payment_intent_id}/confirm",
    scope: "payments:write",
    environment: "optional",
    params: Type.Object({ smart_account_address: addressText(), payment_intent_id: uuidText() }),
    body: Type.Object({
      intent_payload: Type.Optional(
        Type.String({ description: "The transaction, as the creation answered it. Absent for money from a bank." }),
      ),
      mpc_payload: Type.Optional(
        Type.String({
          description:
            "The JSON of one signed payload, or base64 of it: {provider, signature} or {public_key, signature}. Empty where " +
            "the account's own keys have signed the transaction.",
        }),
      ),
    }),
    response: { status: 200, envelope: false, schema: LegacyPaymentIntent },
    errors: [
      "account_not_found",
      "payment_intent_not_found",
      "invalid_transaction",
      "transaction_too_large",
      "transaction_not_prepared",
      "forbidden_account",
      "missing_signature",
      "invalid_signature",
      "wrong_signing_key",
      "payload_expired",
      "payload_already_used",
      "session_expired",
      "blockhash_expired",
      "transaction_failed",
      "guardian_refused",
      "insufficient_permissions",
      "proposal_required",
      "submission_in_progress",
      "sponsorship_limit_exceeded",
      "rent_not_sponsored",
      "provider_not_available",
      "provider_unavailable",
      "chain_unavailable",
    ],
  },
  async (needs: SubmitNeeds & { readonly keyring: Keyring }, { params, body, network, caller }) => {
    const { smart_account_address: address, payment_intent_id: id } = params;
    const read = () => getIntent(needs.db, network, caller.tenantId, address, id);
    const { account, found } = await read();
    // Money from a bank has nothing to sign: the response to a confirmation says where it stands (gap 103).
    if (found.intent.rail === "in") return { data: show(found, account, needs) };
    const { intent_payload: payload } = body;
    if (payload === undefined) {
      throw new TrellisError("invalid_request", {
        field: "intent_payload",
        message: "intent_payload must be the transaction, as the creation answered it.",
      });
    }
    const wire = parseWireTransaction(payload, "intent_payload");
    const owner = { tenantId: caller.tenantId, environment: network.name, accountAddress: address };
    if (wire.id !== found.intent.prepared_id) throw await explainOther(needs, network, owner, wire);
    const signed = readMpcPayload(body.mpc_payload ?? "");
    requireNotOver(found);
    if (found.submission === undefined) await requireNamedKey(needs, owner, wire.id, signed);

    const acting = await getActingAccount(needs.db, network, caller.tenantId, address);
    const context = { needs, network, account: acting, byAgent: false };
    const item = await checkItem(context, {
      transaction: payload,
      entries: signed === undefined ? [] : [signed.entry],
      field: "intent_payload",
    });
    await executeItem(context, assertExecutable(item));
    return { data: show((await read()).found, account, needs) };
  },
);

const show = (found: FoundIntent, account: AccountTable, { keyring }: { readonly keyring: Keyring }) =>
  showLegacyIntent(showIntent(found, keyring), account, { found, keyring });

/** The error for bytes that are not the intent's: changed ones, or another transaction. */
async function explainOther(
  { db }: SubmitNeeds,
  network: Network,
  owner: Owner,
  wire: WireTransaction,
): Promise<TrellisError> {
  const field = "intent_payload";
  const altered =
    (await findPrepared(db, owner, wire.id)) === undefined
      ? await explainAltered(db, network, owner, { wire, message: await readMessage(network, wire) }, field)
      : undefined;
  const message = "intent_payload is not the transaction of this payment intent.";
  return altered ?? new TrellisError("transaction_not_prepared", { field, message });
}

/** Where nothing was submitted, what the transaction would be refused with may be forgotten already; this is not. */
function requireNotOver({ intent, submission }: FoundIntent): void {
  if (intent.state !== "canceled" || submission !== undefined) return;
  throw new TrellisError("payload_expired", {
    field: "intent_payload",
    message: "This payment intent was not confirmed in time and is canceled. Nothing was paid. Create a new one.",
  });
}

/** A payload that names its key has to be signed by that one; whether the key may sign is decided where it is matched. */
async function requireNamedKey(
  needs: SubmitNeeds,
  owner: Owner,
  preparedId: string,
  signed: SignedMpcPayload | undefined,
): Promise<void> {
  if (signed?.publicKey === undefined) return;
  const { publicKey, entry } = signed;
  const prepared = await findPrepared(needs.db, owner, preparedId);
  const isSigned = prepared?.payloads.some(({ payload }) => {
    if (entry.stamp.form === "passkey") return false;
    const stamp = readStamp(payload, entry.stamp, { realNow: needs.realClock.now() });
    return stamp.ok && verifyClaim(stamp.claim, publicKey).ok;
  });
  if (isSigned !== false) return;
  throw new TrellisError("invalid_signature", {
    field: entry.field,
    message: "mpc_payload is not signed with the key that its public_key names.",
  });
}
