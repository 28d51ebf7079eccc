import { type EventObjects, example } from "@trellis/kernel/event-objects.js";
import type { Static } from "typebox";
import { Passkey } from "./passkey.js";

const { at, id, primaryCustodian, wallet } = example;

const passkeyExample: Static<typeof Passkey> = {
  id,
  grid_user_id: id,
  provider: primaryCustodian,
  signer: wallet,
  credential_id: "KEDetxZcUfinhVi6Za5nZQ",
  rp_id: "app.example",
  name: "Ada's phone",
  aaguid: "00000000-0000-0000-0000-000000000000",
  synced: true,
  created_at: at,
};

/** What events about passkeys carry: what their list shows. */
export const passkeyEvents = {
  "passkey.added": { schema: Passkey, of: Passkey, example: passkeyExample },
  "passkey.removed": { schema: Passkey, of: Passkey, example: passkeyExample },
} as const satisfies EventObjects;
