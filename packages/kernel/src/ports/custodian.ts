import type { Address, SignatureBytes } from "@solana/kit";
import type { EnvironmentName } from "./environment.js";
import type { CertifiedChanges, CertifiedPolicy } from "./wallet-policy.js";

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
  /** When its owner brought the key, which others may have as well; absent: its custodian made it. Environment time. */
  readonly importedAt?: number;
}

/** The domain of a wallet's passkeys, and the pages that may ask for them. */
export interface WalletRelyingParty {
  readonly id: string;
  readonly origins: readonly string[];
}

/** A signature over a payload by the authorization key of a session (interface 2.10, gap 28). Its form knows what else it holds. */
export interface KeyStamp {
  readonly form: CustodianName;
  /** DER, in the encoding of the form. */
  readonly signature: string;
}

/** An assertion of a passkey whose challenge is the SHA-256 of a payload's canonical JSON (gap 161). All in base64url. */
export interface PasskeyStamp {
  readonly form: "passkey";
  readonly credentialId: string;
  readonly authenticatorData: string;
  readonly clientDataJson: string;
  /** DER. */
  readonly signature: string;
}

/** A holder's signature over a payload. */
export type Stamp = KeyStamp | PasskeyStamp;

/** What a stamp was made with, by the names that the custodian gave. */
export type Authority =
  | { readonly kind: "session"; readonly authorizationKeyId: string }
  /** `origins`: of the pages that may ask for it. A custodian that knows better does not take them from the service. */
  | { readonly kind: "passkey"; readonly passkeyId: string; readonly origins: readonly string[] };

/** A document that is to be signed by a holder, or, where a guardian meets its holder for the first time, by nobody yet. */
export interface Unauthorized {
  readonly walletId: string;
  /** Base64, exactly as it was signed. */
  readonly payload: string;
  readonly stamp?: undefined;
  readonly authority?: undefined;
  /** Environment time, Unix milliseconds: for the payload and the key. */
  readonly now: number;
  /** Real time, for a timestamp in the stamp (gap 50). */
  readonly realNow: number;
}

/** A document that a holder signed, and what with. */
export interface Authorized extends Omit<Unauthorized, "stamp" | "authority"> {
  readonly stamp: Stamp;
  readonly authority: Authority;
}

/** Why a custodian will not sign. */
export const custodyRefusalReasons = [
  "wallet_not_found",
  "invalid_payload",
  "payload_expired",
  "invalid_signature",
  "authorization_expired",
  /** The registration of a passkey is not the answer to a ceremony of this wallet that is open. */
  "invalid_registration",
  "passkey_exists",
  "passkey_limit",
  /** The holder has not allowed what is asked, and this wallet takes it from none but the holder. */
  "not_granted",
  /** What the transaction does is not what the wallet may sign. */
  "policy",
  /** What is to be the policy of a wallet is none. */
  "invalid_policy",
  /** A policy is to take the place of another version than the one that holds. */
  "policy_outdated",
  /** No change of settings of this name waits. */
  "change_not_found",
  /** A change of settings is not cancelled any more: it was signed, or its time is over. */
  "change_over",
] as const;

/** Why a custodian will not hand a key out, or take one: none of another process says so, as none is asked. */
type KeyRefusalReason =
  /** What a session's key signed needs a passkey of the wallet's instead. */
  | "passkey_signature_required"
  /** The custodian hands no key out through the service. */
  | "export_not_offered"
  | "export_not_found"
  /** Another export of the wallet is open. */
  | "export_open"
  /** The delay of an export has not passed. */
  | "export_waiting"
  /** An export was cancelled, its time is over, or its key was handed out. */
  | "export_over"
  /** The custodian takes no key of others. */
  | "import_not_offered"
  | "import_not_found"
  /** The wallet has as many imports open as it may have. */
  | "import_limit"
  /** What was sealed to the custodian is not the key of the address. */
  | "invalid_key"
  /** The key is a wallet here already. */
  | "key_held";

export type CustodyRefusalReason = (typeof custodyRefusalReasons)[number] | KeyRefusalReason;

/** Which rule of its policy a wallet keeps to that does not sign. */
export interface PolicyRefusal {
  /** One of those in docs/custodian-policy.md; a custodian of others may have its own. */
  readonly rule: string;
  /** Of what is delayed: from when on it is signed, in Unix milliseconds of the environment's time. */
  readonly notBefore?: number;
  /** Of the same: what it is listed and cancelled by. */
  readonly changeId?: string;
}

/** A custodian's refusal: final for this payload and stamp. */
export class CustodyRefusal extends Error {
  override readonly name = "CustodyRefusal";
  constructor(
    readonly reason: CustodyRefusalReason,
    message: string,
    /** Beside `policy`. */
    readonly policy?: PolicyRefusal,
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
 * Who holds keys for users (gap 17, 19, 20). A wallet signs only what a live authorization key or passkey has signed, but for
 * `proveWallet`: the custodian checks that on its own, whatever the service asks. Every method may throw CustodianUnavailable.
 */
export interface Custodian {
  readonly provider: CustodianName;
  /** A guardian's wallets obey the passkeys that it has enrolled itself, and no session. */
  readonly isGuardian?: true;
  /** It hands none of its wallets' keys out through the service, and takes none that others had. */
  readonly keepsKeys?: true;
  /** Whether it can be reached; absent: it is in this process. */
  check?(): Promise<void>;
  /**
   * The owner's wallet, made at the first call; the same one for the same owner ever after. `number` says which one is meant where others
   * follow the owner's first. A guardian makes each for a relying party, whose passkeys it will obey. Those of a built-in
   * custodian obey the authorization keys and passkeys of the owner's first wallet, by whichever of the ids these are registered or named.
   */
  ensureWallet(request: {
    ownerId: string;
    environment: EnvironmentName;
    now: number;
    relyingParty?: WalletRelyingParty;
    number?: number;
  }): Promise<Wallet>;
  /**
   * The wallet of the owner that derives from the newest root in use, made where there is none: so a wallet of a former root can be replaced
   * on chain. Undefined while no root has taken the place of another; absent: the custodian has no roots here.
   */
  ensureNewestWallet?(request: {
    readonly ownerId: string;
    readonly environment: EnvironmentName;
    readonly now: number;
  }): Promise<{ readonly wallet: Wallet; readonly number: number } | undefined>;
  /**
   * Proves that the wallet's key is there and can be used: signs a text of the custodian's own making that names the
   * wallet and holds `nonce`, 64 small hex digits. Nothing else can be signed this way, and no transaction reads like it.
   * Throws CustodyRefusal.
   */
  proveWallet(request: {
    walletId: string;
    nonce: string;
  }): Promise<{ readonly message: string; readonly signature: SignatureBytes }>;
  /**
   * Lets a P-256 key (65-byte point) command the wallet until `expiresAt` (environment time, Unix milliseconds). With `grant` only
   * if a live passkey of the wallet has signed it, a document of the method `signIn`. Throws CustodyRefusal: a guardian always does.
   */
  registerAuthorizationKey(request: {
    walletId: string;
    publicKey: Uint8Array;
    now: number;
    expiresAt: number;
    grant?: Authorized;
  }): Promise<{ readonly id: string }>;
  /** From `now` on the key commands nothing. Repeating it changes nothing. */
  revokeAuthorizationKey(request: { id: string; now: number }): Promise<void>;
  /**
   * Signs the message of the transaction inside `payload` with the wallet's key, if `stamp` is a signature over that payload by
   * the authority that is named, and that is a live one of that wallet. However many keys and passkeys the wallet has had, one
   * signature is verified. Throws CustodyRefusal.
   */
  sign(request: Authorized): Promise<SignatureBytes>;
  /** Requires that a live authority of the wallet signed `payload`, whatever that says: it lets nothing happen. Throws CustodyRefusal. */
  checkAuthority(request: Authorized): Promise<void>;
  /** Begins to let a passkey command the wallet: the challenge of its registration, good once and for a few minutes. */
  beginPasskey(request: {
    walletId: string;
    rpId: string;
    now: number;
  }): Promise<{ readonly ceremonyId: string; readonly challenge: Uint8Array; readonly expiresAt: number }>;
  /**
   * Lets the passkey of `registration` command the wallet from now on, if that answers the ceremony, and if a live authority of
   * the wallet has signed `payload`, a document of the method `addPasskey` that names both (custody/payload.ts). The first passkey
   * of a guardian's wallet needs no signature: the one who enrols it first is the holder. Again: the same. Throws CustodyRefusal.
   */
  addPasskey(
    request: (Authorized | Unauthorized) & {
      readonly ceremonyId: string;
      readonly registration: Registration;
      /** Of the pages that may register one. */
      readonly origins: readonly string[];
    },
  ): Promise<AddedPasskey & { readonly receipt?: CustodianReceipt }>;
  /** The passkeys that command the wallet, oldest first. */
  listPasskeys(request: { walletId: string }): Promise<readonly ListedPasskey[]>;
  /** Whether a guardian's wallet has no passkey, and takes the first one; absent: no guardian. */
  takesFirstPasskey?(request: { walletId: string }): Promise<boolean>;
  /**
   * From `now` on the passkey commands nothing, if a live authority of the wallet has signed that. Repeating it changes nothing.
   * Throws CustodyRefusal: the last one of a guardian's wallet stays.
   */
  removePasskey(request: Authorized & { readonly passkeyId: string }): Promise<void>;
  /**
   * Begins to hand the wallet's key out to the recipient that `payload` names, a document of the method `exportWallet`: if a live
   * passkey of the wallet signed it, or, where it has none, a live key. Nothing leaves before the delay is over, by the custodian's
   * clock. The same document again answers the same. An export of the wallet that is open is in the way, or with `replaces` is
   * cancelled. Throws CustodyRefusal.
   */
  beginWalletExport(
    request: Authorized & { readonly delaySeconds: number; readonly replaces: boolean },
  ): Promise<BegunWalletExport>;
  /** The key never leaves by this export, if a live authority of the wallet has signed that. Repeating it changes nothing. */
  cancelWalletExport(request: Authorized & { readonly exportId: string }): Promise<void>;
  /**
   * The wallet's key, sealed by HPKE to the recipient that its holder has signed for and to no other, once the delay is over and as
   * long as the export is open. Throws CustodyRefusal.
   */
  exportWallet(request: {
    readonly walletId: string;
    readonly exportId: string;
    /** Environment time, Unix milliseconds: goes for wallets of the sandbox alone. */
    readonly now: number;
  }): Promise<SealedKey>;
  /**
   * Begins to take the key of `address` from the owner of a wallet: makes a recipient for this one import, good for minutes. Lets
   * nothing happen. Throws CustodyRefusal.
   */
  beginWalletImport(request: {
    /** The owner's wallet whose authority will have to sign. */
    readonly walletId: string;
    readonly address: Address;
    readonly now: number;
  }): Promise<BegunWalletImport>;
  /**
   * Takes the key that was sealed to the recipient of an import, if a live authority of the wallet has signed `payload`, a document of
   * the method `importWallet` that names the import, its recipient and the address: a passkey where the wallet has any. The key becomes
   * another wallet of the same owner's, which obeys what the wallet obeys. The same again answers the same. Throws CustodyRefusal.
   */
  importWallet(
    request: Authorized & { readonly importId: string; readonly sealedKey: SealedKey },
  ): Promise<Wallet & { readonly importedAt: number }>;
  /** The policy by which a wallet signs, certified with `nonce`, 64 small hex digits; absent: the custodian judges by none. Throws CustodyRefusal. */
  readPolicy?(request: {
    readonly walletId: string;
    readonly nonce: string | null;
    readonly now: number;
  }): Promise<CertifiedPolicy>;
  /**
   * Takes the policy in `payload`, a document of the method `setWalletPolicy` (custody/payload.ts) that a live passkey of the
   * wallet has signed. What loosens waits. The same again answers the same. Throws CustodyRefusal.
   */
  setPolicy?(request: Authorized): Promise<CertifiedPolicy>;
  /** All changes of settings that wait for their delay, certified with `nonce`; absent: none ever does. Throws CustodyRefusal. */
  listChanges?(request: {
    readonly walletId: string;
    readonly nonce: string | null;
    readonly now: number;
  }): Promise<CertifiedChanges>;
  /**
   * Ends the one that `payload` names, a document of the method `cancelSettingsChange` that a live passkey of the wallet has signed.
   * Again: the same. Throws CustodyRefusal, also where it was signed.
   */
  cancelChange?(request: Authorized): Promise<CertifiedChanges>;
}

/** A wallet's key as only its recipient opens it: a message of HPKE. */
export interface SealedKey {
  /** 65-byte uncompressed P-256 point. */
  readonly encapsulatedKey: Uint8Array;
  readonly ciphertext: Uint8Array;
}

/** An export that its custodian keeps. Instants are the custodian's, Unix milliseconds. */
export interface BegunWalletExport {
  readonly id: string;
  /** From when on the key can leave. */
  readonly notBefore: number;
  /** From when on it cannot any more. */
  readonly expiresAt: number;
}

/** An import that its custodian waits for. */
export interface BegunWalletImport {
  readonly id: string;
  /** 65-byte uncompressed P-256 point: to whom the key is sealed. */
  readonly recipient: Uint8Array;
  /** From when on the key is not taken any more. The custodian's time, Unix milliseconds. */
  readonly expiresAt: number;
}

/** What `navigator.credentials.create` answered, as bytes. */
export interface Registration {
  readonly authenticatorData: Uint8Array;
  readonly clientDataJson: Uint8Array;
}

/** What a custodian of another process has signed of a wallet: `custodian-receipt.ts` reads it. */
export interface CustodianReceipt {
  readonly document: string;
  /** Base64url. */
  readonly signature: string;
}

/** A passkey that commands a wallet. */
export interface AddedPasskey {
  readonly id: string;
  /** Base64url. */
  readonly credentialId: string;
  /** 65-byte point. */
  readonly publicKey: Uint8Array;
  readonly aaguid: string;
  readonly isSynced: boolean;
}

/** One of those that command a wallet. */
export interface ListedPasskey extends AddedPasskey {
  readonly rpId: string;
  /** Environment time, Unix milliseconds. */
  readonly createdAt: number;
}

/** The custodians of one process, by name. */
export type Custodians = ReadonlyMap<CustodianName, Custodian>;
