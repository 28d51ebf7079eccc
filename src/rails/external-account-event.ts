import { dateTime, type EventObjects, example } from "@trellis/kernel/event-objects.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";

const { account, at, id } = example;

const externalAccountObject = Type.Object(
  {
    id: Type.String(),
    account: addressText(),
    account_type: Type.Enum(["us", "iban", "gb", "clabe", "pix"]),
    currency: Type.String(),
    last_4: Type.String(),
    active: Type.Boolean(),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "ExternalAccountSnapshot", description: "Without the owner's name, which is read by GET." },
);
const externalAccount = (active: boolean): Static<typeof externalAccountObject> => ({
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
  "external_account.created": { schema: externalAccountObject, example: externalAccount(true) },
  "external_account.updated": { schema: externalAccountObject, example: externalAccount(false) },
  "external_account.deleted": { schema: externalAccountObject, example: externalAccount(false) },
} as const satisfies EventObjects;
