import { type EventObjects, eventShape, example, leftOut } from "@trellis/kernel/event-objects.js";
import type { Static } from "typebox";
import { ExternalAccount } from "./external-account.js";

const { account, at, id } = example;

const shape = eventShape(ExternalAccount, {
  id: "ExternalAccountSnapshot",
  without: { account_owner_name: leftOut.sealed, bank_name: leftOut.sealed },
});

const externalAccount = (active: boolean): Static<typeof shape.schema> => ({
  id,
  account,
  account_type: "us",
  currency: "usd",
  last_4: "6789",
  active,
  created_at: at,
  updated_at: at,
});

/** What events about bank accounts carry. */
export const externalAccountEvents = {
  "external_account.created": { ...shape, example: externalAccount(true) },
  "external_account.updated": { ...shape, example: externalAccount(false) },
  "external_account.deleted": { ...shape, example: externalAccount(false) },
} as const satisfies EventObjects;
