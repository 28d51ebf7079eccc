import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { addressBytes, addressOfBytes } from "@trellis/program-client";
import Type, { type Static } from "typebox";
import { parseMember } from "../accounts/member-address.js";

/** 32 bytes in base58, or as an array of numbers: clients of the first service with this interface have keys so. */
export const KeyBytes = Type.Union(
  [
    addressText(),
    Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), { minItems: 32, maxItems: 32, description: "32 bytes." }),
  ],
  { $id: "KeyBytes" },
);

/** A key that is to sign in a passkey's place, and for how long. */
export const RequestedSessionKey = Type.Object(
  {
    key: KeyBytes,
    expiration: Type.Integer({
      minimum: 0,
      description: "For how many seconds it signs, 90 days at most.",
      examples: [900],
    }),
  },
  { $id: "RequestedSessionKey" },
);

/** The same as answers show it: written as the caller wrote its own. */
export const SessionKey = Type.Object(
  { key: KeyBytes, expiration: Type.Integer({ description: "When it ends: Unix seconds." }) },
  { $id: "PasskeySessionKey" },
);

type Key = Static<typeof KeyBytes>;

/** The address of a key that a person holds. Throws `invalid_address` and `forbidden_account`. */
export function parseSessionKey(key: Key, network: Network): Address {
  const text = typeof key === "string" ? key : addressOfBytes(Uint8Array.from(key));
  return parseMember(text, network, "sessionKey.key");
}

/** Makes the function that writes addresses as the caller wrote its session key. */
export const keyWriter =
  (key: Key) =>
  (address: Address): Key =>
    typeof key === "string" ? address : [...addressBytes(address)];

/** Whether `expiration` means the same: seconds as they were asked for, or the end that came of them. */
export const isSameExpiration = (
  expiration: number,
  { session_seconds, session_ends_at }: { readonly session_seconds: number; readonly session_ends_at: bigint | null },
): boolean => expiration === session_seconds || (session_ends_at !== null && BigInt(expiration) === session_ends_at);

/** Throws `invalid_expiration` for a length that the signature program refuses. `least` is 0 where a session may be ended so. */
export function assertSessionSeconds(
  seconds: number,
  { least, most }: { readonly least: number; readonly most: number },
): void {
  if (seconds >= least && seconds <= most) return;
  throw new TrellisError("invalid_expiration", {
    field: "sessionKey.expiration",
    message: `A session lasts ${least} to ${most} seconds.`,
  });
}
