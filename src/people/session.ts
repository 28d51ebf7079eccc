import { Buffer } from "node:buffer";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Macs } from "@trellis/kernel/crypto/macs.js";
import { type P256PublicKey, parseClientEncryptionKey } from "@trellis/kernel/crypto/p256.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { CustodianName, Wallet } from "@trellis/kernel/ports/custodian.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText, publicKeyText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { custodianNames } from "../custody/custodians.js";
import { bySessionKey, formOf } from "../custody/forms.js";

/** A wallet as a session shows it (interface 2.7). */
export const SessionWallet = Type.Object(
  {
    id: Type.String(),
    address: addressText(),
    public_key: Type.String({ description: "Base58, the same 32 bytes." }),
    owner_id: Type.String(),
    chain_type: Type.String({ examples: ["solana"] }),
    created_at: Type.Integer({ description: "Unix milliseconds." }),
    exported_at: Type.Union([Type.Integer(), Type.Null()]),
    imported_at: Type.Union([Type.Integer(), Type.Null()]),
    policy_ids: Type.Array(Type.String()),
    additional_signers: Type.Array(
      Type.Object({ signer_id: Type.String(), override_policy_ids: Type.Array(Type.String()) }),
    ),
  },
  { $id: "SessionWallet" },
);

/** What a client unlocks with its own private key (gap 19, 20). */
const SealedSession = Type.Object(
  {
    encrypted_authorization_key: Type.Object({
      encapsulated_key: Type.String({ description: "Base64 ephemeral public key: the 65-byte uncompressed point." }),
      ciphertext: Type.String({ description: "Base64." }),
      encryption_type: Type.String({ examples: ["HPKE"] }),
    }),
    expires_at: Type.Integer({ description: "Unix milliseconds." }),
    wallets: Type.Array(SessionWallet),
  },
  { $id: "SealedSession" },
);

const providerSession = Type.Object(
  {
    user_id: uuidText(),
    token: Type.String(),
    kms_a_access_token: Type.String(),
    refresh_token: Type.String({ description: "Good for one refresh." }),
    session: SealedSession,
  },
  { $id: "ProviderSession" },
);

/** A session under its provider's key; `user_id` and `session` beside it are the account-verify variant (interface 2.7). */
const KeyedSession = Type.Object(
  {
    ...bySessionKey(Type.Optional(providerSession)),
    user_id: Type.Optional(uuidText()),
    session: Type.Optional(SealedSession),
  },
  { $id: "Session" },
);

/** Where a session is to be sealed to: what a client sends when it verifies a code or signs in with a passkey. */
export const SessionKeyConfig = Type.Object({ encryption_public_key: publicKeyText() }, { $id: "SessionKeyConfig" });

/** One entry of `authentication` (interface 2.7). */
export const Authentication = Type.Object(
  {
    provider: Type.Enum([...custodianNames]),
    session: KeyedSession,
  },
  { $id: "Authentication" },
);

/** A session as it leaves the house, once. */
export interface OpenedSession {
  readonly id: string;
  readonly provider: CustodianName;
  readonly userId: string;
  readonly token: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly sealed: Static<typeof SealedSession>;
}

/** The wire form of a session; `variant` adds the members that account verify carries beside the provider's key. */
export function toAuthentication(
  session: OpenedSession,
  variant: "account_verify" | "plain" = "plain",
): Static<typeof Authentication> {
  const inner = {
    user_id: session.userId,
    token: session.token,
    kms_a_access_token: session.accessToken,
    refresh_token: session.refreshToken,
    session: session.sealed,
  };
  return {
    provider: session.provider,
    session: {
      [formOf(session.provider).sessionKey]: inner,
      ...(variant === "account_verify" ? { user_id: session.userId, session: session.sealed } : {}),
    },
  };
}

/** The wire form of a wallet: no policy of the custodian's own rules it. */
export function toSessionWallet(wallet: Wallet): Static<typeof SessionWallet> {
  return {
    id: wallet.id,
    address: wallet.address,
    public_key: wallet.address,
    owner_id: wallet.ownerId,
    chain_type: "solana",
    created_at: wallet.createdAt,
    exported_at: null,
    imported_at: wallet.importedAt ?? null,
    policy_ids: [],
    additional_signers: [],
  };
}

/** Reads the client's encryption key (gap 18). Throws `invalid_encryption_public_key`. */
export function getClientKey(base64Spki: string, field = "kms_provider_config.encryption_public_key"): P256PublicKey {
  const parsed = parseClientEncryptionKey(base64Spki);
  if (!parsed.ok) {
    const why = {
      not_base64: "It is not standard padded base64.",
      not_p256_spki: "It is not the SPKI DER form of a P-256 key.",
      not_on_curve: "It does not hold a point of the curve.",
    }[parsed.fault];
    throw new TrellisError("invalid_encryption_public_key", {
      field,
      message: `encryption_public_key must be a base64 SPKI DER P-256 public key. ${why}`,
    });
  }
  return parsed.publicKey;
}

/**
 * Turns a requested end of a session into its life in milliseconds, on arrival and by real time: the caller reckons by
 * its own clock, the session by the environment's (gap 20, gap 50). Absent: 24 hours. Throws `invalid_expiration`.
 */
export function sessionLifeMs(expirationUnixSeconds: number | undefined, realNow: number): number {
  if (expirationUnixSeconds === undefined) return limits.sessionDefaultMs;
  const lifeMs = expirationUnixSeconds * 1000 - realNow;
  if (lifeMs <= 0 || lifeMs > limits.sessionMaxMs)
    throw new TrellisError("invalid_expiration", {
      field: "expiration",
      message: "expiration is an instant in Unix seconds, in the future and at most 30 days ahead.",
      suggestion:
        expirationUnixSeconds > realNow / 10
          ? "This is in milliseconds: divide it by 1000."
          : "Leave it out for 24 hours.",
    });
  return lifeMs;
}

/** The form of a token; anything else need not reach the database. */
export const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits (gap 20). */
export const drawToken = (random: Random): string => Buffer.from(random.bytes(32)).toString("base64url");

/** What tokens are hashed with (gap 20). */
export const tokenMacs = (keyring: Keyring): Macs => keyring.macs("session-token");

/** What is stored of a token. */
export const hashToken = (keyring: Keyring, token: string): Uint8Array => tokenMacs(keyring).make(token);
