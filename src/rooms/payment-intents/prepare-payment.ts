import Type from "typebox";
import { endpoint } from "../../endpoint.js";
import type { Db } from "../../ports/database.js";
import { feeFields } from "../transactions/fee-config.js";
import { preparedFields, toPreparedFields } from "../transactions/prepared-transaction.js";
import { type ListenerNeeds, openListener } from "./intent-listener.js";
import { IntentSource, intentFields } from "./payment-intent.js";
import { intentErrors, prepareIntent, WantedDestination } from "./prepare-intent.js";

/** A payment from the smart account to an address on chain (gap 33). */
export const preparePayment = endpoint(
  {
    operation: "preparePayment",
    summary: "Prepare a payment",
    description:
      "Prepares a transfer of SOL or of a token. The answer holds the transaction and what is to be signed; the payment " +
      "happens when the result is submitted.",
    tag: "Payments",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/payment-intent",
    scope: "payments:write",
    environment: "optional",
    params: Type.Object({ address: Type.String() }),
    body: Type.Object({
      amount: Type.String({ description: "Base units, as a decimal string.", examples: ["1000000"] }),
      source: IntentSource,
      destination: WantedDestination,
      grid_user_id: Type.Optional(Type.String()),
      webhook_url: Type.Optional(
        Type.String({
          maxLength: 2_048,
          description: "Where the events of this payment are sent, besides to the tenant's webhook endpoints (gap 91).",
        }),
      ),
      transaction_signers: Type.Optional(Type.Array(Type.String(), { maxItems: 10 })),
      provider: Type.Optional(Type.String()),
      ...feeFields,
    }),
    refusesNearMisses: true,
    preparesOnly: true,
    response: {
      status: 201,
      envelope: true,
      schema: Type.Object({
        ...intentFields,
        webhook_secret: Type.Optional(
          Type.String({ description: "With webhook_url: what those events are signed with. It is not shown again." }),
        ),
        ...preparedFields,
      }),
    },
    errors: [...intentErrors, "invalid_webhook_url"],
  },
  async (needs: ListenerNeeds & { readonly db: Db }, { params, body, network, caller }) => {
    const { shown, ...listening } = await openListener(needs, network, caller.tenantId, body.webhook_url);
    const { intent, prepared } = await prepareIntent(needs, network, caller.tenantId, params.address, {
      ...body,
      ...listening,
    });
    return { data: { ...intent, ...shown, ...toPreparedFields(prepared) } };
  },
);
