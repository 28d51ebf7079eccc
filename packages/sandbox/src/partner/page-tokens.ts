import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { limits } from "@trellis/kernel/limits.js";

/** What a link leads to. */
export interface PageTarget {
  readonly kind: "verification" | "terms";
  readonly ref: string;
}

const letters = { verification: "v", terms: "t" } as const;
const form = /^([vt])-([0-9a-z]{1,12})-([0-9a-f-]{36})-([A-Za-z0-9_-]{43})$/;

/** A link's name for its page: no one can make one up, and it ends after a day. `now`: environment time. */
export function makePageToken(keyring: Keyring, { kind, ref }: PageTarget, now: number): string {
  const named = `${letters[kind]}-${Math.floor(now).toString(36)}-${ref}`;
  return `${named}-${proof(keyring, named).toString("base64url")}`;
}

/** What a token stands for; null where it was not made here, or too long ago. */
export function readPageToken(keyring: Keyring, token: string, now: number): PageTarget | null {
  const [, letter, instant, ref, given] = form.exec(token) ?? [];
  if (letter === undefined || instant === undefined || ref === undefined || given === undefined) return null;
  const expected = proof(keyring, `${letter}-${instant}-${ref}`);
  const bytes = Buffer.from(given, "base64url");
  if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) return null;
  if (now - Number.parseInt(instant, 36) >= limits.kycLinkMs) return null;
  return { kind: letter === "v" ? "verification" : "terms", ref };
}

function proof(keyring: Keyring, named: string): Buffer {
  return createHmac("sha256", keyring.deriveSecret("sandbox-rails-page")).update(named).digest();
}
