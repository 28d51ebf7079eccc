import { Buffer } from "node:buffer";
import type { CustodianName, SealedKey } from "@trellis/kernel/ports/custodian.js";
import type { WalletExportTable } from "@trellis/kernel/ports/database.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { custodianNames } from "../custody/custodians.js";

/** An export as the service knows it. */
export type WalletExportRow = WalletExportTable;

const dateTime = (description: string) => Type.String({ format: "date-time", description });

/** A wallet's key, as only the recipient's private key opens it. */
export const SealedWalletKey = Type.Object(
  {
    encapsulated_key: Type.String({ description: "Base64: the sender's point, 65 bytes." }),
    ciphertext: Type.String({ description: "Base64. Opened it is 64 bytes: the seed, and the address's 32 bytes." }),
  },
  { $id: "SealedWalletKey" },
);

/** A P-256 key in base64, as requests name a recipient. */
export const RecipientKey = Type.String({
  maxLength: 200,
  description: "The key that the wallet's key is sealed to: base64 of the SPKI DER of a P-256 public key.",
});

/** An export of a wallet's key, as answers show it (gap 182). */
export const WalletExport = Type.Object(
  {
    id: uuidText(),
    grid_user_id: uuidText({ description: "Whose wallet it is." }),
    provider: Type.Enum([...custodianNames], { description: "Who holds the wallet." }),
    signer: addressText({ description: "That wallet." }),
    recipient_public_key: Type.String({ description: "As it was signed." }),
    status: Type.Enum(["waiting", "ready", "exported", "cancelled", "expired"]),
    requested_at: dateTime("When its owner asked for it."),
    not_before: dateTime("From when on the key can be read."),
    expires_at: dateTime("From when on it cannot be read any more."),
    exported_at: Type.Optional(dateTime("When the key was first read.")),
    cancelled_at: Type.Optional(dateTime("When it was cancelled.")),
    sealed_key: Type.Optional(SealedWalletKey),
  },
  { $id: "WalletExport" },
);
export type WireWalletExport = Static<typeof WalletExport>;

/** `now` is environment time in Unix milliseconds. */
export function toWireWalletExport(row: WalletExportRow, now: number, sealed?: SealedKey): WireWalletExport {
  const instant = (at: bigint) => new Date(Number(at)).toISOString();
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  return {
    id: row.id,
    grid_user_id: row.user_id,
    provider: row.provider as CustodianName,
    signer: row.signer_address,
    recipient_public_key: row.recipient_public_key,
    status: statusOf(row, now),
    requested_at: instant(row.requested_at),
    not_before: instant(row.not_before),
    expires_at: instant(row.expires_at),
    ...(row.exported_at === null ? {} : { exported_at: instant(row.exported_at) }),
    ...(row.cancelled_at === null ? {} : { cancelled_at: instant(row.cancelled_at) }),
    ...(sealed === undefined
      ? {}
      : { sealed_key: { encapsulated_key: base64(sealed.encapsulatedKey), ciphertext: base64(sealed.ciphertext) } }),
  };
}

/** Until its owner was mailed about it an export waits, however late it is. */
function statusOf(row: WalletExportRow, now: number): WireWalletExport["status"] {
  if (row.state !== "waiting") return row.state;
  if (row.expires_at <= BigInt(now)) return "expired";
  return row.not_before <= BigInt(now) && row.noticed_state !== null ? "ready" : "waiting";
}

/** Whether the custodian may be asked for the key. */
export function canBeRead(row: WalletExportRow, now: number): boolean {
  const status = statusOf(row, now);
  return status === "ready" || (status === "exported" && row.expires_at > BigInt(now));
}
