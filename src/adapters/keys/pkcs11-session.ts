import { Buffer } from "node:buffer";
import type { Pkcs11Place } from "../../config/pkcs11-uri.js";
import { KeyStoreError } from "./key-store-error.js";

/** What is used of pkcs11js. */
export interface Pkcs11Library {
  readonly PKCS11: new () => Pkcs11Module;
}

type Handle = Buffer;
interface Attribute {
  readonly type: number;
  readonly value: number | Buffer | string;
}

interface Pkcs11Module {
  load(path: string): void;
  C_Initialize(options: { readonly flags: number }): void;
  C_GetSlotList(withToken: boolean): Handle[];
  C_GetTokenInfo(slot: Handle): { readonly label: string };
  C_OpenSession(slot: Handle, flags: number): Handle;
  C_CloseSession(session: Handle): void;
  C_Login(session: Handle, user: number, pin: string): void;
  C_FindObjectsInit(session: Handle, attributes: readonly Attribute[]): void;
  C_FindObjects(session: Handle, most: number): Handle[];
  C_FindObjectsFinal(session: Handle): void;
  C_SignInit(session: Handle, mechanism: { readonly mechanism: number; readonly parameter: null }, key: Handle): void;
  C_SignAsync(session: Handle, message: Buffer, room: Buffer): Promise<Buffer>;
}

/** The standard's numbers (PKCS#11 3.0). */
const cka = { class: 0x00, label: 0x03, id: 0x102 } as const;
const privateKeyClass = 3;
const serialSession = 4;
const osLocking = 2;
const ordinaryUser = 1;
const eddsa = { mechanism: 0x1057, parameter: null } as const;

/** What is to be signed, by which key. */
export interface Pkcs11Request {
  readonly place: Pkcs11Place;
  readonly pin: string;
  readonly message: Buffer;
}

/** A loaded module. */
export interface Pkcs11Session {
  /** Ed25519 over the message itself, not yet verified. Throws KeyStoreError, and what the module throws. */
  sign(request: Pkcs11Request): Promise<Uint8Array>;
  /** How many calls are under way or wait. */
  waiting(): number;
}

interface OpenKey {
  readonly session: Handle;
  readonly key: Handle;
}

/** Opens a module when it is first asked. A session that is lost is opened anew, once for each signature. */
export function createPkcs11Session(library: Pkcs11Library, modulePath: string): Pkcs11Session {
  let loaded: Pkcs11Module | undefined;
  const open = new Map<string, OpenKey>();
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  const find = ({ place, pin }: Pkcs11Request): OpenKey => {
    const name = JSON.stringify([place.token, place.object, place.id]);
    const known = open.get(name);
    if (known !== undefined) return known;
    loaded ??= loadModule(library, modulePath);
    const made = openKey(loaded, place, pin);
    open.set(name, made);
    return made;
  };

  const signOnce = async (request: Pkcs11Request): Promise<Uint8Array> => {
    const { session, key } = find(request);
    if (loaded === undefined) throw new KeyStoreError("unavailable", "The PKCS#11 module is not loaded.");
    loaded.C_SignInit(session, eddsa, key);
    return Uint8Array.from(await loaded.C_SignAsync(session, request.message, Buffer.alloc(64)));
  };

  /** Closes what is open, so that the next call opens it anew. */
  const forget = (): void => {
    for (const { session } of open.values()) {
      try {
        loaded?.C_CloseSession(session);
      } catch {
        // It was lost: there is nothing left to close.
      }
    }
    open.clear();
  };

  const signOrReopen = (request: Pkcs11Request): Promise<Uint8Array> =>
    signOnce(request).catch((error) => {
      const wasOpen = open.size > 0;
      forget();
      if (error instanceof KeyStoreError || !wasOpen) throw error;
      return signOnce(request);
    });

  return {
    waiting: () => waiting,
    sign: (request) => {
      waiting += 1;
      const next = last.then(() => signOrReopen(request));
      last = next
        .catch(() => {})
        .finally(() => {
          waiting -= 1;
        });
      return next;
    },
  };
}

function loadModule({ PKCS11 }: Pkcs11Library, modulePath: string): Pkcs11Module {
  const module = new PKCS11();
  module.load(modulePath);
  try {
    module.C_Initialize({ flags: osLocking });
  } catch (error) {
    if (!isNamed(error, "CKR_CRYPTOKI_ALREADY_INITIALIZED")) throw error;
  }
  return module;
}

function openKey(module: Pkcs11Module, { token, object, id }: Pkcs11Place, pin: string): OpenKey {
  const slots = module.C_GetSlotList(true).filter((slot) => module.C_GetTokenInfo(slot).label.trim() === token);
  const [slot] = slots;
  if (slot === undefined || slots.length > 1) {
    throw new KeyStoreError(
      "refused",
      `There ${slot ? "are several PKCS#11 tokens" : "is no PKCS#11 token"} ${token}.`,
    );
  }
  const session = module.C_OpenSession(slot, serialSession);
  try {
    module.C_Login(session, ordinaryUser, pin);
  } catch (error) {
    if (!isNamed(error, "CKR_USER_ALREADY_LOGGED_IN")) throw error;
  }
  module.C_FindObjectsInit(session, [
    { type: cka.class, value: privateKeyClass },
    ...(object === null ? [] : [{ type: cka.label, value: object }]),
    ...(id === null ? [] : [{ type: cka.id, value: Buffer.from(id, "hex") }]),
  ]);
  const keys = module.C_FindObjects(session, 2);
  module.C_FindObjectsFinal(session);
  const [key] = keys;
  if (key === undefined || keys.length > 1) {
    module.C_CloseSession(session);
    const what = key === undefined ? "no such private key" : "several such private keys: name its id";
    throw new KeyStoreError("refused", `The PKCS#11 token ${token} holds ${what}.`);
  }
  return { session, key };
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.message.includes(name);
}
