import { assertOurs } from "@trellis/kernel/errors.js";
import type { CustodianName, KeyStamp } from "@trellis/kernel/ports/custodian.js";
import type { CustodianForm } from "./custodian-form.js";
import { kmsA } from "./kms-a/kms-a.js";
import { kmsB } from "./kms-b/kms-b.js";
import { kmsC } from "./kms-c/kms-c.js";

/**
 * The custodians that the interface knows (gap 35). The first holds the primary wallets of e-mail users, the second the backup ones; the
 * others are there where they are configured, as processes of their own.
 */
export const custodianForms = [kmsA, kmsB, kmsC] as const;

/** The names under which sessions of custodians stand on the wire. */
type SessionKey = (typeof custodianForms)[number]["sessionKey"];

/** The form of a provider; undefined where it is no custodian of this service. */
export function findForm(provider: string): (CustodianForm & { readonly sessionKey: SessionKey }) | undefined {
  return custodianForms.find(({ name }) => name === provider);
}

/** The form of a custodian of this service. */
export function formOf(name: CustodianName): CustodianForm & { readonly sessionKey: SessionKey } {
  const form = findForm(name);
  assertOurs(form, "every custodian has a form");
  return form;
}

/** One thing for every custodian, under the name that its sessions have on the wire. */
export function bySessionKey<T>(thing: T): Readonly<Record<SessionKey, T>> {
  return Object.fromEntries(custodianForms.map(({ sessionKey }) => [sessionKey, thing])) as Record<SessionKey, T>;
}

/** What is to be signed, and in which encoding it is sent. */
export function howToSign({ form }: KeyStamp): { readonly suggestion: string } {
  return { suggestion: `Sign with ECDSA P-256 and SHA-256 ${formOf(form).howToSign}.` };
}
