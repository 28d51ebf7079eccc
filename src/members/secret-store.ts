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

export async function insertSecret(trx: Trx, row: Omit<MemberSecretTable, "attempts" | "used_at">): Promise<void> {
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
  const { rows } = await sql`update member_secret set used_at = ${now}::int8,
      attempts = case when kind = 'code' then attempts - 1 else attempts end
    where id = ${id} and used_at is null and expires_at > ${now}::int8 returning id`.execute(trx);
  return rows.length > 0;
}

/** Gives tries back that were taken of codes which no wrong one was tried for. */
export async function giveBack(db: Db, ids: readonly string[]): Promise<void> {
  await sql`update member_secret set attempts = attempts - 1
    where id in (select id from member_secret where id = any(${[...ids]}::text[]) order by id for update)`.execute(db);
}

const dayMs = 86_400_000;

/** What was mailed to a member within a day, and how often a wrong code was tried. */
export async function countCodes(
  trx: Trx,
  memberId: string,
  now: number,
): Promise<{ readonly lastHour: number; readonly lastDay: number; readonly wrongTries: number }> {
  const { rows } = await sql<{ hour: number; day: number; tries: number }>`select
      count(*) filter (where created_at > ${now - 3_600_000}::int8)::int4 as hour,
      count(*)::int4 as day, coalesce(sum(attempts), 0)::int4 as tries
    from member_secret where member_id = ${memberId} and kind = 'code' and created_at > ${now - dayMs}::int8`.execute(
    trx,
  );
  return { lastHour: rows[0]?.hour ?? 0, lastDay: rows[0]?.day ?? 0, wrongTries: rows[0]?.tries ?? 0 };
}

/**
 * Counts a try of every code that may be tried for an address, before any is compared: so no number of calls at once has more tries than
 * there are. One that turns out right is given back (`spendSecret`), and so are those of the other tenants then (`giveBack`).
 */
export async function takeTries(
  db: Db,
  email: string,
  now: number,
): Promise<readonly { readonly id: string; readonly member_id: string; readonly secret_hash: Uint8Array }[]> {
  const { rows } = await sql<{ id: string; member_id: string; secret_hash: Uint8Array }>`
    update member_secret set attempts = attempts + 1
    where id in (
      select live.id from member join member_secret as live on live.member_id = member.id
      where member.email = ${email} and member.status = 'active' and live.kind = 'code' and live.used_at is null
        and live.expires_at > ${now}::int8
        and (select coalesce(sum(attempts), 0) from member_secret as tried where tried.member_id = member.id
          and tried.kind = 'code' and tried.created_at > ${now - dayMs}::int8) < ${limits.otpFailuresPerAddressPerDay}::int4
      order by live.id for update of live)
      and used_at is null and attempts < ${limits.otpAttempts}::int4
    returning id, member_id, secret_hash`.execute(db);
  return rows;
}
