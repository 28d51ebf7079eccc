import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { limits } from "@trellis/kernel/limits.js";
import type { Pkcs11Place } from "../../config/pkcs11-uri.js";
import { KeyStoreError } from "./key-store-error.js";
import { createPkcs11Session, type Pkcs11Library, type Pkcs11Session } from "./pkcs11-session.js";

/** Loads pkcs11js, which the operator installs: it is no dependency of the service. Throws whatever loading throws. */
export type LoadPkcs11 = () => Pkcs11Library;

const loadInstalled: LoadPkcs11 = () => createRequire(import.meta.url)("pkcs11js") as Pkcs11Library;

/** Signs by keys of PKCS#11 tokens. */
export type SignByPkcs11 = (place: Pkcs11Place, message: Uint8Array) => Promise<Uint8Array>;

/**
 * The door to PKCS#11 tokens. Each module is loaded once for all its keys, as the standard has it. Its calls are made one after
 * the other, signatures outside the thread that answers requests. A call is waited for no longer than `limits.keyStoreCallMs`; one
 * that hangs keeps the others waiting, and they fail by the same bound.
 */
export function createPkcs11Door(load: LoadPkcs11 = loadInstalled, totalMs: number = limits.keyStoreCallMs) {
  const sessions = new Map<string, Pkcs11Session>();
  const sign: SignByPkcs11 = async (place, message) => {
    const store = nameOfPkcs11Key(place);
    const pin = await readPin(place, store);
    let session = sessions.get(place.modulePath);
    if (session === undefined) {
      session = createPkcs11Session(loadOrExplain(load), place.modulePath);
      sessions.set(place.modulePath, session);
    }
    if (session.waiting() >= limits.keyStoreCallsWaiting) {
      throw new KeyStoreError("unavailable", `${store} is asked too much at once.`);
    }
    const asked = { place, pin, message: Buffer.from(message) };
    return withinTime(session.sign(asked), totalMs, store).catch((error) => {
      throw error instanceof KeyStoreError ? error : explain(error, store);
    });
  };
  return sign;
}

/** It in words for the operator. */
export function nameOfPkcs11Key({ token, object, id }: Pkcs11Place): string {
  return `PKCS#11 key ${object ?? id ?? ""} of the token ${token}`;
}

function loadOrExplain(load: LoadPkcs11): Pkcs11Library {
  try {
    return load();
  } catch {
    throw new KeyStoreError(
      "refused",
      "A key of PKCS#11 needs the package pkcs11js, which is not installed: npm install --no-save pkcs11js@2.1.7",
    );
  }
}

async function readPin({ pinFile }: Pkcs11Place, store: string): Promise<string> {
  const pin = await readFile(pinFile, "utf8").then(
    (text) => text.replace(/\r?\n$/, ""),
    () => "",
  );
  if (pin !== "" && pin.length <= 256) return pin;
  throw new KeyStoreError("unavailable", `${store} has a pin-source that names no file with a PIN.`);
}

/** Faults have names, `CKR_PIN_INCORRECT`, and messages that are not repeated. */
function explain(error: unknown, store: string): KeyStoreError {
  const name = /\b(CKR_[A-Z0-9_]{1,60})\b/.exec(error instanceof Error ? error.message : "")?.[1];
  const isRefused = name !== undefined && /^CKR_(PIN|USER_PIN|KEY|MECHANISM|ARGUMENTS|FUNCTION_NOT)/.test(name);
  return new KeyStoreError(isRefused ? "refused" : "unavailable", `${store} fails${name ? ` (${name})` : ""}.`);
}

async function withinTime<T>(work: Promise<T>, ms: number, store: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new KeyStoreError("unavailable", `${store} does not answer within ${ms / 1000} seconds.`);
    timer = setTimeout(() => reject(error), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
