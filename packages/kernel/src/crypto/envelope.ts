/**
 * Encryption of stored secrets under a master key that lives outside the database.
 *
 * Layout of an envelope, version 1:
 *
 *   1 version | 1 length of the key id | n key id (ASCII)
 *   12 nonce | 32 data key, encrypted | 16 tag        (under the key-encryption key)
 *   12 nonce | plaintext, encrypted   | 16 tag        (under the data key)
 *
 * Both layers are AES-256-GCM and bind the caller's context, so that a value moved to another row does not open. The
 * inner layer does not bind the master key's id: re-wrapping to a new master key replaces the outer layer only.
 * Nonces are random; one master key is good for 2^32 envelopes (NIST SP 800-38D section 8.3), then rotate.
 */
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto";
import { createMacs, emptyBook, type Macs, type SecretBook } from "./macs.js";

/** A 32-byte master key and the name it is known by in envelopes: 1 to 32 characters of `A-Z a-z 0-9 . _ -`. */
export type MasterKey = {
  readonly id: string;
  readonly key: Uint8Array;
};

export type KeyringOptions = {
  /** Every key that envelopes in the database may name. */
  readonly masterKeys: readonly MasterKey[];
  /** The key new envelopes are wrapped with. */
  readonly activeId: string;
  /**
   * The key that `deriveSecret` starts from; the first of the list when absent. It has to stay the same when `activeId`
   * moves on: stored hashes (API keys, codes, fingerprints) were made with it.
   */
  readonly derivationId?: string;
  /** What `deriveSecret` starts from instead, 32 bytes: the key it began with, where that is not in the list any more. */
  readonly derivationRoot?: Uint8Array;
  /** The secrets with ids of their own; none when absent. */
  readonly book?: SecretBook;
};

/** Seals and opens stored values; see `createKeyring`. */
export type Keyring = {
  readonly activeId: string;
  /** Encrypts `plaintext`; `context` names the row (for example `wallet/<id>`) and has to be given again to open it. */
  readonly wrap: (plaintext: Uint8Array, context: string) => Uint8Array;
  /** Opens an envelope, or throws `EnvelopeError`. */
  readonly unwrap: (envelope: Uint8Array, context: string) => Uint8Array;
  /** Moves an envelope to the active master key without touching the ciphertext of the value. */
  readonly rewrap: (envelope: Uint8Array, context: string) => Uint8Array;
  /** The same with a new data key: who has opened the envelope before learns nothing of it that helps with the new one. */
  readonly rekey: (envelope: Uint8Array, context: string) => Uint8Array;
  /** Names the master key of an envelope, so that rotation finds what is still to be moved. */
  readonly masterKeyIdOf: (envelope: Uint8Array) => string;
  /** Seals what `deriveSecret` starts from, so that its master key can be left out from then on (`derivationRoot`). */
  readonly wrapDerivationRoot: (context: string) => Uint8Array;
  /** Derives a 32-byte secret for one use, the same for the same label on every start (HKDF-SHA256, RFC 5869). */
  readonly deriveSecret: (label: string) => Uint8Array;
  /** The keyed hashes of a purpose: they begin with `deriveSecret` of the same name, and their secret can be replaced. */
  readonly macs: (purpose: string) => Macs;
  /** Reads again which secrets there are. */
  readonly refreshSecrets: () => Promise<void>;
};

export type EnvelopeFault = "malformed" | "unsupported_version" | "unknown_master_key" | "authentication_failed";

/** An envelope that cannot be opened. The message names no secret; `fault` says what is wrong. */
export class EnvelopeError extends Error {
  override readonly name = "EnvelopeError";
  readonly fault: EnvelopeFault;

  constructor(fault: EnvelopeFault) {
    super(`the envelope cannot be opened: ${fault.replaceAll("_", " ")}`);
    this.fault = fault;
  }
}

const version = 1;
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const wrappedKeyBytes = nonceBytes + keyBytes + tagBytes;
const idPattern = /^[A-Za-z0-9._-]{1,32}$/;
const outerDomain = "trellis/envelope/1/key\n";
const innerDomain = "trellis/envelope/1/value\n";
const wrappingKeyLabel = "trellis/master-key/wrapping";
const secretLabelPrefix = "trellis/master-key/secret/";

function derive(masterKey: Uint8Array, label: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", masterKey, "", label, keyBytes));
}

function encrypt(key: KeyObject | Uint8Array, nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Buffer {
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(aad);
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: KeyObject | Uint8Array, sealed: Uint8Array, aad: Uint8Array): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(aad);
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes));
  const head = decipher.update(sealed.subarray(nonceBytes, sealed.length - tagBytes));
  try {
    return Buffer.concat([head, decipher.final()]);
  } catch {
    head.fill(0);
    throw new EnvelopeError("authentication_failed");
  }
}

type Parts = {
  readonly masterKeyId: string;
  readonly header: Uint8Array;
  readonly wrappedKey: Uint8Array;
  readonly sealedValue: Uint8Array;
};

function split(envelope: Uint8Array): Parts {
  const idLength = envelope[1];
  if (idLength === undefined) throw new EnvelopeError("malformed");
  if (envelope[0] !== version) throw new EnvelopeError("unsupported_version");
  const headerEnd = 2 + idLength;
  const valueStart = headerEnd + wrappedKeyBytes;
  const masterKeyId = Buffer.from(envelope.subarray(2, headerEnd)).toString("latin1");
  if (envelope.length < valueStart + nonceBytes + tagBytes || !idPattern.test(masterKeyId)) {
    throw new EnvelopeError("malformed");
  }
  return {
    masterKeyId,
    header: envelope.subarray(0, headerEnd),
    wrappedKey: envelope.subarray(headerEnd, valueStart),
    sealedValue: envelope.subarray(valueStart),
  };
}

/**
 * Makes a keyring from master keys of 32 bytes each. Throws a `RangeError` when a key, an id or a reference is not well
 * formed: the service is then misconfigured and must not start.
 */
export function createKeyring(options: KeyringOptions): Keyring {
  const wrappingKeys = new Map<string, KeyObject>();
  for (const { id, key } of options.masterKeys) {
    if (!idPattern.test(id)) throw new RangeError("a master key id has 1 to 32 characters of A-Z a-z 0-9 . _ -");
    if (key.length !== keyBytes) throw new RangeError(`master key ${id} does not have 32 bytes`);
    if (wrappingKeys.has(id)) throw new RangeError(`master key ${id} is given twice`);
    wrappingKeys.set(id, createSecretKey(derive(key, wrappingKeyLabel)));
  }
  const activeKey = wrappingKeys.get(options.activeId);
  if (activeKey === undefined) throw new RangeError(`the active master key ${options.activeId} is not in the list`);
  const derivationId = options.derivationId ?? options.masterKeys[0]?.id;
  const source = options.masterKeys.find(({ id }) => id === derivationId);
  if (source === undefined)
    throw new RangeError(`the master key ${derivationId} for derived secrets is not in the list`);
  const derivationKey = Uint8Array.from(options.derivationRoot ?? source.key);
  if (derivationKey.length !== keyBytes) throw new RangeError("the root of derived secrets does not have 32 bytes");
  // Labels are names in the code, so there are few.
  const secrets = new Map<string, Uint8Array>();
  const macs = new Map<string, Macs>();
  const book = options.book ?? emptyBook;
  const activeHeader = Buffer.from([version, options.activeId.length, ...Buffer.from(options.activeId, "latin1")]);

  const outerAad = (header: Uint8Array, context: string) =>
    Buffer.concat([Buffer.from(outerDomain), header, Buffer.from(context)]);
  const innerAad = (context: string) => Buffer.from(innerDomain + context);

  const openDataKey = (parts: Parts, context: string): Buffer => {
    const wrappingKey = wrappingKeys.get(parts.masterKeyId);
    if (wrappingKey === undefined) throw new EnvelopeError("unknown_master_key");
    return decrypt(wrappingKey, parts.wrappedKey, outerAad(parts.header, context));
  };

  const wrap = (plaintext: Uint8Array, context: string): Uint8Array => {
    const random = randomBytes(keyBytes + 2 * nonceBytes);
    const dataKey = random.subarray(0, keyBytes);
    const outerNonce = random.subarray(keyBytes, keyBytes + nonceBytes);
    const innerNonce = random.subarray(keyBytes + nonceBytes);
    const wrappedKey = encrypt(activeKey, outerNonce, dataKey, outerAad(activeHeader, context));
    const sealedValue = encrypt(dataKey, innerNonce, plaintext, innerAad(context));
    dataKey.fill(0);
    return Buffer.concat([activeHeader, wrappedKey, sealedValue]);
  };

  const unwrap = (envelope: Uint8Array, context: string): Uint8Array => {
    const parts = split(envelope);
    const dataKey = openDataKey(parts, context);
    try {
      return decrypt(dataKey, parts.sealedValue, innerAad(context));
    } finally {
      dataKey.fill(0);
    }
  };

  const deriveSecret = (label: string): Uint8Array => {
    const known = secrets.get(label);
    if (known !== undefined) return Uint8Array.from(known);
    const secret = derive(derivationKey, secretLabelPrefix + label);
    secrets.set(label, secret);
    return Uint8Array.from(secret);
  };

  return {
    activeId: options.activeId,
    wrap,
    unwrap,
    rewrap: (envelope, context) => {
      const parts = split(envelope);
      const dataKey = openDataKey(parts, context);
      const wrappedKey = encrypt(activeKey, randomBytes(nonceBytes), dataKey, outerAad(activeHeader, context));
      dataKey.fill(0);
      return Buffer.concat([activeHeader, wrappedKey, parts.sealedValue]);
    },
    rekey: (envelope, context) => {
      const plaintext = unwrap(envelope, context);
      try {
        return wrap(plaintext, context);
      } finally {
        plaintext.fill(0);
      }
    },
    masterKeyIdOf: (envelope) => split(envelope).masterKeyId,
    wrapDerivationRoot: (context) => wrap(derivationKey, context),
    deriveSecret,
    macs: (purpose) => {
      const known = macs.get(purpose);
      if (known !== undefined) return known;
      const made = createMacs(purpose, () => deriveSecret(purpose), book);
      macs.set(purpose, made);
      return made;
    },
    refreshSecrets: () => book.refresh(),
  };
}
