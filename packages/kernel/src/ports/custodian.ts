import type { Address, SignatureBytes } from "@solana/kit";
import type { EnvironmentName } from "./environment.js";

/** The name of a custodian on the wire (gap 35). Which ones there are is in the list of their forms, `custody/forms.ts`. */
export type CustodianName = `kms_${string}`;

/** An Ed25519 key a custodian holds for one owner. */
export interface Wallet {
  readonly id: string;
  readonly provider: CustodianName;
  readonly ownerId: string;
  readonly address: Address;
  /** Environment time, Unix milliseconds. */
  readonly createdAt: number;
}

/** A holder's signature over a payload (interface 2.10, gap 28). What else it holds is known to its custodian's form. */
export interface Stamp {
  readonly form: CustodianName;
  /** DER, in the encoding of the form. */
  readonly signature: string;
}

/** Why a custodian will not sign. */
export type CustodyRefusalReason =
  | "wallet_not_found"
  | "invalid_payload"
  | "payload_expired"
  | "invalid_signature"
  | "authorization_expired";

/** A custodian's refusal: final for this payload and stamp. */
export class CustodyRefusal extends Error {
  override readonly name = "CustodyRefusal";
  constructor(
    readonly reason: CustodyRefusalReason,
    message: string,
  ) {
    super(message);
  }
}

/** The custodian did not answer, or answered nonsense: the same call may succeed later. */
export class CustodianUnavailable extends Error {
  override readonly name = "CustodianUnavailable";
  constructor(
    readonly reason: "timeout" | "provider_error",
    message: string,
  ) {
    super(message);
  }
}

/**
 * Who holds keys for users (gap 17, 19, 20). A wallet signs only what a live authorization key has signed, but for
 * `proveWallet`: the custodian checks that on its own, whatever the service asks. Every method may throw CustodianUnavailable.
 */
export interface Custodian {
  readonly provider: CustodianName;
  /** The owner's wallet, made at the first call; the same one for the same owner ever after. */
  ensureWallet(request: { ownerId: string; environment: EnvironmentName; now: number }): Promise<Wallet>;
  /**
   * Proves that the wallet's key is there and can be used: signs a text of the custodian's own making that names the
   * wallet and holds `nonce`, 64 small hex digits. Nothing else can be signed this way, and no transaction reads like it.
   * Throws CustodyRefusal.
   */
  proveWallet(request: {
    walletId: string;
    nonce: string;
  }): Promise<{ readonly message: string; readonly signature: SignatureBytes }>;
  /** Lets a P-256 key (65-byte point) command the wallet until `expiresAt` (environment time, Unix milliseconds). */
  registerAuthorizationKey(request: {
    walletId: string;
    publicKey: Uint8Array;
    now: number;
    expiresAt: number;
  }): Promise<{ readonly id: string }>;
  /** From `now` on the key commands nothing. Repeating it changes nothing. */
  revokeAuthorizationKey(request: { id: string; now: number }): Promise<void>;
  /**
   * Signs the message of the transaction inside `payload` (base64, exactly as handed out) with the wallet's key, if
   * `stamp` is a signature over that payload by the authorization key that is named, and that key is a live one of that
   * wallet. However many keys the wallet has had, one signature is verified. Throws CustodyRefusal.
   */
  sign(request: {
    walletId: string;
    /** As `registerAuthorizationKey` answered it. */
    authorizationKeyId: string;
    payload: string;
    stamp: Stamp;
    /** Environment time, for the payload and the key. */
    now: number;
    /** Real time, for a timestamp in the stamp (gap 50). */
    realNow: number;
  }): Promise<SignatureBytes>;
}

/** The custodians of one process, by name. */
export type Custodians = ReadonlyMap<CustodianName, Custodian>;
