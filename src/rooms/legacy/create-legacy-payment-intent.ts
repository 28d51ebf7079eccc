import Type from "typebox";
import { endpoint } from "../../endpoint.js";
import { TrellisError } from "../../errors.js";
import type { AccountSignerTable, Db } from "../../ports/database.js";
import { type ListenerNeeds, openListener } from "../payment-intents/intent-listener.js";
import { intentErrors, prepareIntent } from "../payment-intents/prepare-intent.js";
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
    params: Type.Object({ smart_account_address: Type.String() }),
    body: Type.Object({
      amount: Type.String({ description: "Base units, as a decimal string.", examples: ["1000000"] }),
      source: Type.Object({
        currency: Type.String({ examples: ["usdc"] }),
        account: Type.Optional(Type.String({ description: "The smart account of the path." })),
        from_address: Type.Optional(Type.String({ description: "The same." })),
        payment_rail: rail,
      }),
      destination: Type.Object({
        address: Type.Optional(Type.String({ description: "An owner, or a token account of this currency." })),
        to_address: Type.Optional(Type.String({ description: "The same." })),
        currency: Type.Optional(Type.String({ examples: ["usdc"] })),
        payment_rail: rail,
      }),
      grid_user_id: Type.Optional(Type.String()),
      webhook_url: Type.Optional(
        Type.String({ maxLength: 2_048, description: "Where the events of this payment are sent (gap 91)." }),
      ),
      transaction_signers: Type.Optional(Type.Array(Type.String(), { maxItems: 10 })),
    }),
    refusesNearMisses: true,
    preparesOnly: true,
    response: {
      status: 201,
      envelope: false,
      schema: Type.Object({
        ...LegacyPaymentIntent.properties,
        webhook_secret: Type.Optional(
          Type.String({ description: "With webhook_url: what those events are signed with. It is not shown again." }),
        ),
        intent_payload: Type.String({ description: "Base64 wire transaction, unsigned." }),
        mpc_payload: Type.Union([Type.String(), Type.Null()], {
          description:
            "Base64 of the JSON document to sign with the session's key (interface 5.6). Null: the account's own keys sign " +
            "the transaction itself.",
        }),
      }),
    },
    errors: [...intentErrors, "provider_not_available", "invalid_webhook_url"],
  },
  async (needs: ListenerNeeds & { readonly db: Db }, { params, body, network, caller }) => {
    const address = params.smart_account_address;
    requireOne(body.source.account, body.source.from_address, "source.from_address");
    requireOne(body.destination.address, body.destination.to_address, "destination.to_address");
    if (body.source.payment_rail !== undefined && body.source.payment_rail !== "solana") {
      throw new TrellisError("rail_not_available", {
        field: "source.payment_rail",
        message: `The rail ${body.source.payment_rail} is not available here.`,
      });
    }
    const { shown, ...listening } = await openListener(needs, network, caller.tenantId, body.webhook_url);
    const { address: payee = body.destination.to_address, currency, payment_rail } = body.destination;
    const { intent, prepared, account } = await prepareIntent(needs, network, caller.tenantId, address, {
      amount: body.amount,
      source: {
        account: body.source.account ?? body.source.from_address ?? address,
        currency: body.source.currency,
      },
      destination: {
        ...(payee === undefined ? {} : { address: payee }),
        ...(currency === undefined ? {} : { currency }),
        ...(payment_rail === undefined ? {} : { payment_rail }),
      },
      ...(body.transaction_signers === undefined ? {} : { transaction_signers: body.transaction_signers }),
      admits: requireOnePayload,
      ...listening,
    });
    return {
      data: {
        ...showLegacyIntent(intent, account),
        ...shown,
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

/** There is one `mpc_payload`, and `kms_a` signs it. */
function requireOnePayload(signers: readonly AccountSignerTable[]): void {
  const held = signers.filter(({ wallet_id }) => wallet_id !== null);
  if (held.length === 0 || (held.length === 1 && held[0]?.provider === "kms_a")) return;
  throw new TrellisError("provider_not_available", {
    field: "transaction_signers",
    message: "By v0 a payment is signed by one wallet of kms_a, or by the account's own keys.",
    suggestion: "Prepare it by POST /api/service/v1/accounts/{address}/payment-intent.",
  });
}
