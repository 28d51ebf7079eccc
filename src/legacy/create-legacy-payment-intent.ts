import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { AccountSignerTable } from "@trellis/kernel/ports/database.js";
import { addressText, decimalText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { isBankEnd } from "../payments/bank-end.js";
import { getIntent } from "../payments/get-payment-intent.js";
import { type ListenerNeeds, openListener, storedSecret } from "../payments/intent-listener.js";
import { payToBank } from "../payments/pay-to-bank.js";
import { bankIntentErrors, intentErrors, prepareIntent } from "../payments/prepare-intent.js";
import { type PayInNeeds, receiveFromBank } from "../payments/receive-from-bank.js";
import { foreignMemoWords, memoFields, refuseBankMemo } from "../transactions/payment-memo.js";
import { confirmProgramAddress } from "../transactions/require-payable.js";
import { legacyForm } from "./legacy-custodian.js";
import { LegacyPaymentIntent, showLegacyIntent } from "./legacy-payment-intent.js";

const rail = Type.Optional(Type.String({ examples: ["solana"] }));

/** Interface 2.15 and 4.16, gaps 47, 79 and 80. */
export const createLegacyPaymentIntent = endpoint(
  {
    operation: "createLegacyPaymentIntent",
    summary: "Prepare a payment (v0)",
    description:
      "The older form of POST /api/service/v1/accounts/{address}/payment-intent. What it answers is signed and confirmed; " +
      "the payment happens then.",
    tag: "Legacy",
    method: "POST",
    path: "/api/v0/service/smart-accounts/{smart_account_address}/payment-intents",
    scope: "payments:write",
    environment: "optional",
    params: Type.Object({ smart_account_address: addressText() }),
    body: Type.Object({
      amount: decimalText({
        description: "Base units, as a decimal string; of money from a bank, a decimal in its currency.",
        examples: ["1000000"],
      }),
      source: Type.Object({
        currency: Type.String({ examples: ["usdc"] }),
        account: Type.Optional(addressText({ description: "The smart account of the path." })),
        from_address: Type.Optional(addressText({ description: "The same." })),
        payment_rail: rail,
      }),
      destination: Type.Object(
        {
          address: Type.Optional(addressText({ description: "An owner, or a token account of this currency." })),
          to_address: Type.Optional(addressText({ description: "The same." })),
          confirm_program_address: confirmProgramAddress,
          currency: Type.Optional(Type.String({ examples: ["usdc"] })),
          payment_rail: rail,
          external_account_id: Type.Optional(uuidText({ description: "The bank account that is paid." })),
          reference: Type.Optional(Type.String({ maxLength: limits.paymentMemoBytes })),
          memo: memoFields.memo,
        },
        { examples: [{ address: "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2", currency: "usdc" }] },
      ),
      grid_user_id: Type.Optional(Type.String()),
      webhook_url: Type.Optional(
        Type.String({ maxLength: 2_048, description: "Where the events of this payment are sent." }),
      ),
      transaction_signers: Type.Optional(Type.Array(addressText(), { maxItems: 10 })),
      ...memoFields,
    }),
    refusesNearMisses: true,
    refusesFields: foreignMemoWords,
    preparesOnly: true,
    response: {
      status: 201,
      envelope: false,
      schema: Type.Object({
        ...LegacyPaymentIntent.properties,
        webhook_secret: Type.Optional(
          Type.String({
            description: "With webhook_url: what those events are signed with. It is not returned again.",
          }),
        ),
        intent_payload: Type.Union([Type.String(), Type.Null()], {
          description: "Base64 wire transaction, unsigned. Null for a payment from a bank: nothing is signed.",
        }),
        mpc_payload: Type.Union([Type.String(), Type.Null()], {
          description:
            "Base64 of the JSON document to sign with the session's key. Null: the account's own keys sign " +
            "the transaction itself.",
        }),
      }),
    },
    errors: [...intentErrors, ...bankIntentErrors, "provider_not_available", "invalid_webhook_url"],
  },
  async (needs: PayInNeeds & ListenerNeeds, { params, body, network, caller, operationId }) => {
    const address = params.smart_account_address;
    requireOne(body.source.account, body.source.from_address, "source.from_address");
    requireOne(body.destination.address, body.destination.to_address, "destination.to_address");
    const fromBank = isBankEnd(body.source);
    const { address: payee = body.destination.to_address, currency, payment_rail } = body.destination;
    const { external_account_id, reference, memo, confirm_program_address } = body.destination;
    const toBank = isBankEnd(body.destination);
    if (fromBank || toBank) refuseBankMemo(body, toBank);
    if (fromBank && toBank) {
      throw new TrellisError("rail_not_available", {
        field: "source.payment_rail",
        message: "One end of a payment is the smart account.",
      });
    }
    const { wire: view, ...listening } = await openListener(needs, network, caller.tenantId, body.webhook_url);
    if (fromBank) {
      const wanted = {
        amount: body.amount,
        source: body.source,
        destination: { address: payee, currency },
        ...listening,
      };
      const { intent, account } = await receiveFromBank(needs, network, caller.tenantId, address, wanted, operationId);
      const { found } = await getIntent(needs.db, network, caller.tenantId, address, intent.id);
      const secret = await storedSecret(needs, caller.tenantId, intent.id, body.webhook_url);
      return {
        data: {
          ...showLegacyIntent(intent, account, { found, keyring: needs.keyring }),
          ...secret,
          intent_payload: null,
          mpc_payload: null,
        },
      };
    }
    const wanted = {
      amount: body.amount,
      source: {
        account: body.source.account ?? body.source.from_address ?? address,
        currency: body.source.currency,
      },
      destination: {
        ...(payee === undefined ? {} : { address: payee }),
        ...(confirm_program_address === undefined ? {} : { confirm_program_address }),
        ...(currency === undefined ? {} : { currency }),
        ...(payment_rail === undefined ? {} : { payment_rail }),
        ...(external_account_id === undefined ? {} : { external_account_id }),
        ...(reference === undefined ? {} : { reference }),
        ...(memo === undefined ? {} : { memo }),
      },
      ...(body.memo === undefined ? {} : { memo: body.memo }),
      ...(body.reference === undefined ? {} : { reference: body.reference }),
      ...(body.transaction_signers === undefined ? {} : { transaction_signers: body.transaction_signers }),
      admits: requireOnePayload,
      ...listening,
    };
    if (toBank) {
      const { intent, account, prepared } = await payToBank(
        needs,
        network,
        caller.tenantId,
        address,
        wanted,
        operationId,
      );
      const { found } = await getIntent(needs.db, network, caller.tenantId, address, intent.id);
      const { transaction, kms_payloads: payloads } = prepared;
      return {
        data: {
          ...showLegacyIntent(intent, account, { found, keyring: needs.keyring }),
          ...(await storedSecret(needs, caller.tenantId, intent.id, body.webhook_url)),
          intent_payload: transaction,
          mpc_payload: payloads[0]?.payload ?? null,
        },
      };
    }
    const { intent, prepared, account } = await prepareIntent(needs, network, caller.tenantId, address, wanted);
    return {
      data: {
        ...showLegacyIntent(intent, account),
        ...view,
        intent_payload: prepared.transaction,
        mpc_payload: prepared.payloads[0]?.payload ?? null,
      },
    };
  },
);

/** Two spellings of one thing are not two things. */
function requireOne(one: string | undefined, other: string | undefined, field: string): void {
  if (one === undefined || other === undefined || one === other) return;
  throw new TrellisError("invalid_request", {
    field,
    message: `${field} says something else than its other spelling.`,
  });
}

/** There is one `mpc_payload`, and a wallet of the one custodian of v0 signs it. */
function requireOnePayload(signers: readonly AccountSignerTable[]): void {
  const held = signers.filter(({ wallet_id }) => wallet_id !== null);
  if (held.length === 0 || (held.length === 1 && held[0]?.provider === legacyForm.name)) return;
  throw new TrellisError("provider_not_available", {
    field: "transaction_signers",
    message: `By v0 a payment is signed by one wallet of ${legacyForm.name}, or by the account's own keys.`,
    suggestion: "Prepare it by POST /api/service/v1/accounts/{address}/payment-intent.",
  });
}
