import { Buffer } from "node:buffer";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { challengeOf } from "@trellis/kernel/crypto/webauthn.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Trx } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { sql } from "kysely";
import { decodeBase64Url } from "../custody/encodings.js";
import { issueNonce, readNonce } from "../people/sign-in-nonce.js";

export interface NonceNeeds {
  readonly keyring: Keyring;
  readonly random: Random;
  /** Real time. */
  readonly realClock: Clock;
}

/** For pages of which origin, and to add a passkey in which session; null: to sign in. */
export interface NonceUse {
  readonly origin: string;
  readonly sessionId: string | null;
}

/** A challenge that was answered. */
export interface MemberNonce {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly expiresAt: number;
}

/** A challenge for a member's passkey, in base64url. */
export function issueMemberNonce(needs: NonceNeeds, { origin, sessionId }: NonceUse) {
  const expiresAt = needs.realClock.now() + limits.passkeyCeremonyMs;
  const nonce = issueNonce(needs, { console: { origin, sessionId } }, expiresAt);
  return { challenge: Buffer.from(nonce).toString("base64url"), expiresAt };
}

/** The challenge that a browser's answer is about; undefined for one that was not given here for this, or is over. */
export async function readMemberNonce(
  { keyring, realClock }: Pick<NonceNeeds, "keyring" | "realClock">,
  { origin, sessionId }: NonceUse,
  clientDataJson: Uint8Array,
): Promise<MemberNonce | undefined> {
  const text = challengeOf(clientDataJson);
  const bytes = text === undefined ? undefined : decodeBase64Url(text);
  if (text === undefined || bytes === undefined) return undefined;
  const expiresAt = await readNonce(keyring, { console: { origin, sessionId } }, bytes);
  return expiresAt === undefined || expiresAt <= realClock.now() ? undefined : { text, bytes, expiresAt };
}

/** Uses a challenge up; false: it was used, or is over by now, behind what the caller waited for. Of two at once the second waits for what becomes of the first. */
export async function spendMemberNonce(
  trx: Trx,
  { realClock }: Pick<NonceNeeds, "realClock">,
  { text, expiresAt }: MemberNonce,
): Promise<boolean> {
  if (expiresAt <= realClock.now()) return false;
  const { rows } = await sql`insert into member_nonce (nonce, expires_at) values (${text}, ${expiresAt}::int8)
    on conflict (nonce) do nothing returning 1`.execute(trx);
  return rows.length > 0;
}
