import { type EventObjects, eventShape, example } from "@trellis/kernel/event-objects.js";
import type { Static } from "typebox";
import { WalletExport } from "./wallet-export.js";

const { at, id, primaryCustodian, wallet } = example;

const shape = eventShape(WalletExport, {
  id: "WalletExportSnapshot",
  without: { sealed_key: "only who asks for the export gets it" },
});

const requested: Static<typeof shape.schema> = {
  id,
  grid_user_id: id,
  provider: primaryCustodian,
  signer: wallet,
  recipient_public_key:
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==",
  status: "waiting",
  requested_at: at,
  not_before: "2026-01-18T12:00:00.000Z",
  expires_at: "2026-01-25T12:00:00.000Z",
};

/** What events about exports carry. */
export const walletExportEvents = {
  "wallet_export.requested": { ...shape, example: requested },
  "wallet_export.cancelled": { ...shape, example: { ...requested, status: "cancelled", cancelled_at: at } },
  "wallet_export.completed": {
    ...shape,
    example: { ...requested, status: "exported", exported_at: "2026-01-18T12:00:00.000Z" },
  },
} as const satisfies EventObjects;
