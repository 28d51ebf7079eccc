import { type EventObjects, eventShape, example, leftOut } from "@trellis/kernel/event-objects.js";
import Type, { type Static } from "typebox";
import { Account } from "./get-account.js";

const exportsReported = "events of exports report it";
const { account, at, id, settings } = example;

const accountShape = eventShape(Account, {
  id: "AccountSnapshot",
  without: { policies: leftOut.chain, protection: leftOut.chain, exported_signers: exportsReported },
});

const accountExample: Static<typeof accountShape.schema> = {
  address: account,
  grid_user_id: id,
  status: "active",
  type: "email",
  settings_address: settings,
  email: "ada@example.org",
  created_at: at,
  updated_at: at,
};

/** What a tenant had, when it let go of it. */
const releasedShape = eventShape(Account, {
  id: "ReleasedAccountSnapshot",
  without: { policies: leftOut.chain, protection: leftOut.chain, exported_signers: exportsReported },
  own: { status: { schema: Type.Literal("released"), why: "it is not served any more" } },
});

const nothing = "there is no account";

/** What was to be an account, of whichever type; no call answers one that was not created. */
const creationShape = eventShape(Account, {
  id: "AccountCreationSnapshot",
  without: {
    exported_signers: nothing,
    address: nothing,
    status: nothing,
    policies: nothing,
    protection: nothing,
    settings_address: nothing,
    updated_at: nothing,
  },
});

const creationExample: Static<typeof creationShape.schema> = {
  grid_user_id: id,
  type: "email",
  email: "ada@example.org",
  created_at: at,
};

/** What events about accounts carry. */
export const accountEvents = {
  "account.created": { ...accountShape, example: accountExample },
  "account.updated": { ...accountShape, example: accountExample },
  "account.released": { ...releasedShape, example: { ...accountExample, type: "custom", status: "released" } },
  "account.creation_failed": { ...creationShape, example: creationExample },
} as const satisfies EventObjects;
