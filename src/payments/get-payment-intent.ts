import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { AccountTable, Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { type FoundIntent, findIntent } from "./intent-store.js";
import { PaymentIntent, showIntent } from "./payment-intent.js";

/** A payment intent as it stands now (gap 78). */
export const getPaymentIntent = endpoint(
  {
    operation: "getPaymentIntent",
    summary: "Read a payment intent",
    description: "A payment intent with its state, and what became of its transaction.",
    tag: "Payments",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/payment-intent/{id}",
    scope: "payments:read",
    environment: "optional",
    params: Type.Object({ address: addressText(), id: uuidText() }),
    response: { status: 200, envelope: true, schema: PaymentIntent },
    errors: ["account_not_found", "payment_intent_not_found"],
  },
  async ({ db, keyring }: { readonly db: Db; readonly keyring: Keyring }, { params, network, caller }) => {
    const { found } = await getIntent(db, network, caller.tenantId, params.address, params.id);
    return { data: showIntent(found, keyring) };
  },
);

/** The account, and its intent of this id. Throws `account_not_found` and `payment_intent_not_found`. */
export async function getIntent(
  db: Db,
  network: Network,
  tenantId: string,
  accountAddress: string,
  id: string,
): Promise<{ readonly account: AccountTable; readonly found: FoundIntent }> {
  const account = await getAccountRow(db, { tenantId, environment: network.name, address: accountAddress });
  const found = idForm.test(id) ? await findIntent(db, network, { tenantId, accountAddress }, id) : undefined;
  if (found === undefined) throw new TrellisError("payment_intent_not_found");
  return { account, found };
}

/** Anything else need not reach the database, which refuses some characters. */
const idForm = /^[0-9a-f-]{36}$/;
