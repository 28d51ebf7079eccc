import { dateTime, type EventObjects, example, maybe } from "@trellis/kernel/event-objects.js";
import { addressText, emailText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";

const { account, at, backupCustodian, id, primaryCustodian, settings, wallet } = example;

const accountObject = Type.Object(
  {
    address: addressText(),
    grid_user_id: uuidText(),
    status: Type.Literal("active"),
    type: Type.Enum(["email", "signers", "custom"]),
    settings_address: addressText(),
    email: maybe(emailText()),
    memo: maybe(Type.String()),
    signers: Type.Array(Type.Object({ address: addressText(), role: Type.String(), provider: Type.String() }), {
      description: "As the service knows them; the policy itself is read from the chain.",
    }),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "AccountSnapshot" },
);
const accountExample: Static<typeof accountObject> = {
  address: account,
  grid_user_id: id,
  status: "active",
  type: "email",
  settings_address: settings,
  email: "ada@example.org",
  signers: [
    { address: wallet, role: "primary", provider: primaryCustodian },
    { address: "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi", role: "backup", provider: backupCustodian },
  ],
  created_at: at,
  updated_at: at,
};

const creationObject = Type.Object(
  {
    id: Type.String(),
    grid_user_id: uuidText(),
    type: Type.String(),
    email: maybe(emailText()),
    created_at: dateTime,
  },
  { $id: "AccountCreationSnapshot" },
);

/** What events about accounts carry. */
export const accountEvents = {
  "account.created": { schema: accountObject, example: accountExample },
  "account.updated": { schema: accountObject, example: accountExample },
  "account.creation_failed": {
    schema: creationObject,
    example: { id, grid_user_id: id, type: "email", email: "ada@example.org", created_at: at },
  },
} as const satisfies EventObjects;
