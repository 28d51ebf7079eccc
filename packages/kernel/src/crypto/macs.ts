/**
 * Keyed hashes under secrets that can be replaced while the service runs.
 *
 * A value under the root's secret is the 32 bytes of its HMAC-SHA256. A value under a secret with an id of its own is that id, two bytes,
 * and then the 32 bytes: so each value says what it was made with, and an old secret stays for as long as values need it.
 */
import { Buffer } from "node:buffer";
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";

/** A secret of one purpose. `secret` is undefined for the one that derives from the root: its id is 0. */
export interface NumberedSecret {
  readonly id: number;
  readonly secret: Uint8Array | undefined;
}

/** Which secrets there are beside those that derive from the root. */
export interface SecretBook {
  /** Those that values of a purpose may have been made with, the one for new values first. Undefined: the root's alone. */
  secretsOf(purpose: string): readonly NumberedSecret[] | undefined;
  /** Reads it again: another process may have added some. */
  refresh(): Promise<void>;
}

/** Makes and recognises the keyed hashes of one purpose. */
export interface Macs {
  /** Under the secret for new values. */
  make(text: string): Uint8Array;
  /** Every form in which a text may be stored; that of new values first. */
  all(text: string): readonly Uint8Array[];
  /** Whether a value is of this text, by the secrets this process knows. */
  holds(text: string, stored: Uint8Array | null | undefined): boolean;
  /** The same; a value under a secret that this process does not know yet has the secrets read again first. */
  verify(text: string, stored: Uint8Array | null | undefined): Promise<boolean>;
  /** What `ask` finds by one of the forms; when it finds nothing, and there turn out to be other secrets, once more by theirs. */
  find<T>(text: string, ask: (forms: readonly Uint8Array[]) => Promise<T | undefined>): Promise<T | undefined>;
  /** The id of the secret for new values. */
  currentId(): number;
}

const macBytes = 32;
const idBytes = 2;
/** The largest id that fits. */
export const secretIdMax = 0xffff;

const rootAlone: readonly NumberedSecret[] = [{ id: 0, secret: undefined }];

/** The id of the secret that a stored value was made with; undefined for bytes that are no such value. */
export function secretIdOf(stored: Uint8Array): number | undefined {
  if (stored.length === macBytes) return 0;
  if (stored.length !== macBytes + idBytes) return undefined;
  // The root's is never written: who presents such a value has made it up.
  return Buffer.from(stored.buffer, stored.byteOffset, idBytes).readUInt16BE(0) || undefined;
}

/** `root` gives the secret that derives from the root. */
export function createMacs(purpose: string, root: () => Uint8Array, book: SecretBook): Macs {
  // A secret never changes under its id.
  const keys = new Map<number, KeyObject>();
  const secrets = (): readonly NumberedSecret[] => book.secretsOf(purpose) ?? rootAlone;

  const keyOf = (numbered: NumberedSecret): KeyObject => {
    const known = keys.get(numbered.id);
    if (known !== undefined) return known;
    const key = createSecretKey(numbered.secret ?? root());
    keys.set(numbered.id, key);
    return key;
  };

  const formOf = (numbered: NumberedSecret, text: string): Uint8Array => {
    const mac = createHmac("sha256", keyOf(numbered)).update(text).digest();
    if (numbered.id === 0) return mac;
    const id = Buffer.alloc(idBytes);
    id.writeUInt16BE(numbered.id, 0);
    return Buffer.concat([id, mac]);
  };

  const newest = (): NumberedSecret => {
    const [first] = secrets();
    if (first === undefined) throw new Error(`there is no secret for ${purpose}`);
    return first;
  };

  const findSecret = (id: number | undefined) => secrets().find((numbered) => numbered.id === id);

  const holds = (text: string, stored: Uint8Array | null | undefined): boolean => {
    if (stored === null || stored === undefined) return false;
    const numbered = findSecret(secretIdOf(stored));
    return numbered !== undefined && timingSafeEqual(formOf(numbered, text), stored);
  };

  const all = (text: string) => secrets().map((numbered) => formOf(numbered, text));

  return {
    make: (text) => formOf(newest(), text),
    all,
    holds,
    async verify(text, stored) {
      if (stored === null || stored === undefined) return false;
      const id = secretIdOf(stored);
      if (id !== undefined && findSecret(id) === undefined) await book.refresh();
      return holds(text, stored);
    },
    async find(text, ask) {
      const before = secrets();
      const found = await ask(all(text));
      if (found !== undefined) return found;
      await book.refresh();
      const known = new Set(before.map(({ id }) => id));
      const added = secrets().filter(({ id }) => !known.has(id));
      return added.length === 0 ? undefined : ask(added.map((numbered) => formOf(numbered, text)));
    },
    currentId: () => newest().id,
  };
}

/** The book of a keyring whose secrets all derive from the root. */
export const emptyBook: SecretBook = { secretsOf: () => undefined, refresh: async () => {} };
