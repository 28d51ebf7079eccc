import type { CustodianName } from "@trellis/kernel/ports/custodian.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { custodianNames } from "../custody/custodians.js";
import type { PasskeyRow } from "../custody/passkey/passkey-store.js";

const dateTime = (description: string) => Type.String({ format: "date-time", description });

/** A passkey that signs for one wallet, as answers and events show it. */
export const Passkey = Type.Object(
  {
    id: uuidText(),
    grid_user_id: uuidText({ description: "Whose it is." }),
    provider: Type.Enum([...custodianNames], { description: "Who holds the wallet that it commands." }),
    signer: addressText({ description: "That wallet: a signer of the account." }),
    credential_id: Type.String({ description: "Base64url: what browsers call it by." }),
    rp_id: Type.String({ description: "The domain it belongs to." }),
    name: Type.String(),
    aaguid: Type.String({ description: "The model of its authenticator, as that says; all zeros: it does not." }),
    synced: Type.Boolean({ description: "It can be on several devices." }),
    created_at: dateTime("When it was added."),
    last_used_at: Type.Optional(dateTime("When it last signed, to the minute.")),
  },
  { $id: "Passkey" },
);

/** One that was just added, with what its custodian certifies. */
export const AddedPasskey = Type.Object(
  {
    ...Passkey.properties,
    receipt: Type.Optional(
      Type.Object(
        {
          document: Type.String({
            description: "Canonical JSON: which passkeys command the wallet, and by which terms.",
          }),
          signature: Type.String({ description: "Base64url: Ed25519 of the custodian's identity." }),
        },
        {
          $id: "CustodianReceipt",
          description: "Of a custodian of its own process: who pins its identity can verify it.",
        },
      ),
    ),
  },
  { $id: "AddedPasskey" },
);

/** A name, as the holder gives it. */
export const PasskeyName = Type.String({ minLength: 1, maxLength: 64, examples: ["Ada's phone"] });

/** What one is called whose name was never stored. */
export const unnamed = "Unnamed passkey";

export function toWirePasskey(row: PasskeyRow): Static<typeof Passkey> {
  const instant = (at: bigint) => new Date(Number(at)).toISOString();
  return {
    id: row.id,
    grid_user_id: row.user_id,
    provider: row.provider as CustodianName,
    signer: row.signer_address,
    credential_id: row.credential_id,
    rp_id: row.rp_id,
    name: row.name,
    aaguid: row.aaguid,
    synced: row.is_synced,
    created_at: instant(row.created_at),
    ...(row.last_used_at === null ? {} : { last_used_at: instant(row.last_used_at) }),
  };
}
