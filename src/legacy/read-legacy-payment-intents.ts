import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { listAnswer } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getIntent } from "../payments/get-payment-intent.js";
import { intentListQuery, listIntents } from "../payments/list-payment-intents.js";
import { showIntent } from "../payments/payment-intent.js";
import { LegacyPaymentIntent, showLegacyIntent } from "./legacy-payment-intent.js";

/** Gap 79: any intent of the account, by whichever path it was created. */
export const getLegacyPaymentIntent = endpoint(
  {
    operation: "getLegacyPaymentIntent",
    summary: "Read a payment intent (v0)",
    description: "The older form of GET /api/service/v1/accounts/{address}/payment-intent/{id}.",
    tag: "Legacy",
    method: "GET",
    path: "/api/v0/service/smart-accounts/{smart_account_address}/payment-intents/{payment_intent_id}",
    scope: "payments:read",
    environment: "optional",
    params: Type.Object({ smart_account_address: addressText(), payment_intent_id: uuidText() }),
    response: { status: 200, envelope: false, schema: LegacyPaymentIntent },
    errors: ["account_not_found", "payment_intent_not_found"],
  },
  async ({ db, keyring }: { readonly db: Db; readonly keyring: Keyring }, { params, network, caller }) => {
    const { smart_account_address: address, payment_intent_id: id } = params;
    const { account, found } = await getIntent(db, network, caller.tenantId, address, id);
    return { data: showLegacyIntent(showIntent(found, keyring), account, { found, keyring }) };
  },
);

/** Gap 79. A bare array: where the next page begins is in a header. */
export const listLegacyPaymentIntents = endpoint(
  {
    operation: "listLegacyPaymentIntents",
    summary: "List payment intents (v0)",
    description: "The older form of GET /api/service/v1/accounts/{address}/payment-intents; x-next-cursor leads on.",
    tag: "Legacy",
    method: "GET",
    path: "/api/v0/service/smart-accounts/{smart_account_address}/payment-intents",
    scope: "payments:read",
    environment: "optional",
    params: Type.Object({ smart_account_address: addressText() }),
    query: intentListQuery,
    response: { status: 200, envelope: false, schema: Type.Array(LegacyPaymentIntent) },
    errors: ["account_not_found", "invalid_cursor"],
  },
  async ({ db, keyring }: { readonly db: Db; readonly keyring: Keyring }, { params, query, network, caller }) => {
    const page = await listIntents(db, network, caller.tenantId, params.smart_account_address, query);
    const data = page.rows.map((found) =>
      showLegacyIntent(showIntent(found, keyring), page.account, { found, keyring }),
    );
    return listAnswer(data, page.cursor);
  },
);
