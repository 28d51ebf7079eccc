import { Buffer } from "node:buffer";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Macs } from "@trellis/kernel/crypto/macs.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db, MemberSecretTable, Trx } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { sql } from "kysely";

const tokenBytes = 32;
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** A token of a link or a session: 32 random bytes in base64url. */
export const drawToken = (random: Random): string => Buffer.from(random.bytes(tokenBytes)).toString("base64url");

/** Whether a text could be a token at all: saves a look-up for anything else. */
export const isToken = (text: string): boolean => tokenForm.test(text);

/** The keyed hashes of what signs a member in once. */
export const secretMacs = (keyring: Keyring): Macs => keyring.macs("member-secret");

/** What a code is hashed as: bound to its row, as equal codes of two members have nothing in common. */
export const codeText = (id: string, code: string): string => `${id}\n${code}`;

export interface SecretNeeds {
  readonly keyring: Keyring;
  readonly random: Random;
}

/** A link as it was made; `token` exists here and nowhere else. */
export interface MadeLink {
  readonly token: string;
  readonly expiresAt: number;
}

/** Makes a link for a member, in place of those of its kind from before. `now`: real time. */
export async function makeLink(
  trx: Trx,
  { keyring, random }: SecretNeeds,
  link: { readonly memberId: string; readonly kind: "invitation" | "link"; readonly now: number },
): Promise<MadeLink> {
  const { memberId, kind, now } = link;
  const token = drawToken(random);
  const expiresAt = now + (kind === "invitation" ? limits.memberInvitationMs : limits.memberLinkMs);
  await voidSecrets(trx, memberId, now, kind);
  await insertSecret(trx, {
    id: random.uuid(),
    member_id: memberId,
    kind,
    secret_hash: secretMacs(keyring).make(token),
    created_at: BigInt(now),
    expires_at: BigInt(expiresAt),
  });
  return { token, expiresAt };
}

export async function insertSecret(
  trx: Trx,
  row: Omit<MemberSecretTable, "attempts" | "used_at" | "is_known_browser"> & { readonly is_known_browser?: boolean },
): Promise<void> {
  await trx.insertInto("member_secret").values(row).execute();
}

/** Ends what would sign a member in: all of it, or what is of one kind. */
export async function voidSecrets(
  trx: Trx,
  memberId: string,
  now: number,
  kind?: MemberSecretTable["kind"],
): Promise<void> {
  let live = trx
    .updateTable("member_secret")
    .set({ used_at: BigInt(now) })
    .where("member_id", "=", memberId)
    .where("used_at", "is", null);
  if (kind !== undefined) live = live.where("kind", "=", kind);
  await live.execute();
}

/** Whose link this is, whatever has become of it. Nothing is held back. */
export async function findLink(
  db: Db,
  keyring: Keyring,
  token: string,
): Promise<{ readonly id: string; readonly memberId: string; readonly kind: "invitation" | "link" } | undefined> {
  if (!isToken(token)) return undefined;
  return secretMacs(keyring).find(token, async (forms) => {
    const row = await db
      .selectFrom("member_secret")
      .select(["id", "member_id", "kind"])
      .where("secret_hash", "in", [...forms])
      .executeTakeFirst();
    return row === undefined || row.kind === "code"
      ? undefined
      : { id: row.id, memberId: row.member_id, kind: row.kind };
  });
}

/** Uses a secret up. False: it was used before, or is out of date. */
export async function spendSecret(trx: Trx, id: string, now: number): Promise<boolean> {
  const { rows } = await sql`update member_secret set used_at = ${now}::int8
    where id = ${id} and used_at is null and expires_at > ${now}::int8 returning id`.execute(trx);
  return rows.length > 0;
}

const dayMs = 86_400_000;

/**
 * How many codes were mailed to a member within an hour and a day: those that known browsers asked for, or those of all others. Each has a
 * share of its own, so that strangers who use theirs up leave the member's.
 */
export async function countCodes(
  trx: Trx,
  {
    memberId,
    isKnownBrowser,
    now,
  }: { readonly memberId: string; readonly isKnownBrowser: boolean; readonly now: number },
): Promise<{ readonly lastHour: number; readonly lastDay: number }> {
  const { rows } = await sql<{ hour: number; day: number }>`select
      count(*) filter (where created_at > ${now - 3_600_000}::int8)::int4 as hour, count(*)::int4 as day
    from member_secret where member_id = ${memberId} and kind = 'code' and is_known_browser = ${isKnownBrowser}::boolean
      and created_at > ${now - dayMs}::int8`.execute(trx);
  return { lastHour: rows[0]?.hour ?? 0, lastDay: rows[0]?.day ?? 0 };
}

/** A code that may be tried. */
export interface TriedCode {
  readonly id: string;
  readonly member_id: string;
  readonly secret_hash: Uint8Array;
}

/**
 * Counts a try of the code of one request, before it is compared: so no number of calls at once has more tries than there are. Wrong tries
 * of other requests do not count here: who does not know this one's id cannot use it up.
 */
export async function takeTry(db: Db, requestId: string, now: number): Promise<TriedCode | undefined> {
  const { rows } = await sql<TriedCode>`update member_secret as tried set attempts = attempts + 1 from member
    where tried.id = ${requestId} and tried.kind = 'code' and tried.used_at is null and tried.expires_at > ${now}::int8
      and tried.attempts < ${limits.otpAttempts}::int4
      and member.id = tried.member_id and member.status = 'active' and not member.passkey_required
    returning tried.id, tried.member_id, tried.secret_hash`.execute(db);
  return rows[0];
}

/** What tells a browser that has signed a member in from others: it is good for codes of its own share, and for nothing else. */
export const browserTokenOf = (keyring: Keyring, memberId: string): string =>
  Buffer.from(browserMacs(keyring).make(memberId)).toString("base64url");

/** Whether a browser has signed the member in before, by the token that it was given. */
export const isBrowserOf = (keyring: Keyring, memberId: string, token: string | undefined): boolean =>
  token !== undefined && browserMacs(keyring).holds(memberId, Buffer.from(token, "base64url"));

const browserMacs = (keyring: Keyring): Macs => keyring.macs("member-browser");
