import { Buffer } from "node:buffer";
import type { Address } from "@solana/kit";
import { addressText } from "@trellis/kernel/wire-texts.js";
import type { PasskeyAccount } from "@trellis/program-client";
import Type, { type Static } from "typebox";
import type { OpenedSession } from "./land-ceremony.js";
import { KeyBytes, keyWriter, SessionKey } from "./session-key.js";

/** A passkey with the key that signs in its place, as clients expect it. */
export const PasskeySession = Type.Object(
  {
    passkey_account: KeyBytes,
    session_key: SessionKey,
  },
  { $id: "PasskeySession" },
);

/** `key` is the caller's own, whose form the answer has. */
export function toWireSession(
  { passkeyAddress, sessionKey, endsAt }: Pick<OpenedSession, "passkeyAddress" | "sessionKey" | "endsAt">,
  key: Static<typeof KeyBytes>,
): Static<typeof PasskeySession> {
  const write = keyWriter(key);
  return {
    passkey_account: write(passkeyAddress),
    session_key: { key: write(sessionKey), expiration: Number(endsAt) },
  };
}

/** A passkey as its account on chain says. */
export const PasskeyAccountOnChain = Type.Object(
  {
    address: addressText({ description: "What is a signer of accounts." }),
    public_key: Type.String({ description: "Hex: P-256, compressed." }),
    relying_party_id: Type.String({ description: "The domain it belongs to, for ever." }),
    session_key: Type.Union([SessionKey, Type.Null()], {
      description: "Null: there never was one. It may have ended.",
    }),
  },
  { $id: "PasskeyAccount" },
);

export function toWirePasskeyAccount(address: Address, passkey: PasskeyAccount): Static<typeof PasskeyAccountOnChain> {
  const { session } = passkey;
  return {
    address,
    public_key: Buffer.from(passkey.publicKey).toString("hex"),
    relying_party_id: passkey.relyingPartyId,
    session_key: session === null ? null : { key: session.key, expiration: Number(session.expiresAt) },
  };
}

/** A session as clients of accounts hold it: one entry of `authentication`. */
export const PasskeyAuthentication = Type.Object(
  {
    provider: Type.Literal("passkey"),
    session: Type.Object({
      Passkey: Type.Object({
        passkey_account: KeyBytes,
        pubkey: Type.String({ description: "Hex: P-256, compressed." }),
        relying_party_id: Type.String(),
        session_key: SessionKey,
      }),
    }),
  },
  { $id: "PasskeyAuthentication" },
);

export function toWireAuthentication(
  opened: OpenedSession,
  key: Static<typeof KeyBytes>,
): Static<typeof PasskeyAuthentication> {
  const { passkey } = opened;
  return {
    provider: "passkey",
    session: {
      Passkey: {
        ...toWireSession(opened, key),
        pubkey: Buffer.from(passkey.publicKey).toString("hex"),
        relying_party_id: passkey.relyingPartyId,
      },
    },
  };
}
