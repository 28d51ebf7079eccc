import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { CodeShare, Db, OneTimeCodeTable } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { readTogether } from "@trellis/kernel/read-together.js";
import { isUuid } from "@trellis/kernel/wire-texts.js";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { type CodePurpose, verifyCode } from "./one-time-code.js";

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Whose code is checked. */
export interface CodeOwner {
  readonly tenantId: string;
  readonly email: string;
  readonly purpose: CodePurpose;
  /** By what kind of key it is tried: it has to be asked for by the same (gap 123). */
  readonly share: CodeShare;
}

/** The newest code of an address and a share, of whatever state, with the wrong tries of the last 24 hours across codes. */
export type LatestCode = Pick<
  Selectable<OneTimeCodeTable>,
  "id" | "provider" | "code_hmac" | "attempts" | "state" | "requested_session_seconds" | "expires_at"
> & { readonly failures: number; readonly oldest_failure: bigint | null; readonly tenant_failures: number };

const askedColumns = {
  tenant_id: "text",
  environment: "text",
  email: "text",
  purpose: "text",
  share: "text",
  now: "int8",
} as const;

type FoundCode = LatestCode | (Omit<LatestCode, "id"> & { id: null });

/**
 * SQL for the wrong tries of a tenant's users in an environment and by a share within the last hour, counted up to the number that raises
 * the alarm: over the columns `tenant_id`, `environment`, `share` and `now` of `asked`.
 */
const failuresOfTenant = `(select count(*) from (
      select from otp_failure
      where tenant_id = asked.tenant_id and environment = asked.environment and share = asked.share
        and failed_at > asked.now - ${hourMs}
      limit ${limits.otpFailuresPerTenantPerHourAlarm}
    ) as lately)::int4`;

const readLatestCode = readTogether<typeof askedColumns, FoundCode>(
  askedColumns,
  (
    asked,
  ) => `select asked.at as asked_at, code.*, failed.failures, failed.oldest_failure, ${failuresOfTenant} as tenant_failures
    from ${asked} cross join lateral (
      select count(*)::int4 as failures, min(failed_at) as oldest_failure from otp_failure
      where tenant_id = asked.tenant_id and environment = asked.environment and email = asked.email
        and share = asked.share and failed_at > asked.now - ${dayMs}
    ) as failed left join lateral (
      select id, provider, code_hmac, attempts, state, requested_session_seconds, expires_at from one_time_code
      where tenant_id = asked.tenant_id and environment = asked.environment and email = asked.email
        and purpose = asked.purpose and share = asked.share
      order by created_at desc, (state = 'live') desc limit 1
    ) as code on true`,
);

/**
 * Reads the newest code of an address and a share. Throws `otp_address_blocked` after too many wrong tries for the address, which are
 * fewer while the tenant's users try many wrong ones (gap 22), and `invalid_otp` when there was never a code.
 */
export async function getLatestCode(db: Db, network: Network, owner: CodeOwner): Promise<LatestCode> {
  const now = network.clock.now();
  const [code] = await readLatestCode(db, {
    tenant_id: owner.tenantId,
    environment: network.name,
    email: owner.email,
    purpose: owner.purpose,
    share: owner.share,
    now: BigInt(now),
  });
  assertOurs(code, "an aggregate answers with one row");
  if (code.failures >= limits.otpFailuresPerAddressPerDay) throw addressBlocked(code, now);
  const isUnderAlarm = code.tenant_failures >= limits.otpFailuresPerTenantPerHourAlarm;
  if (isUnderAlarm && code.failures >= limits.otpFailuresPerAddressUnderAlarm) {
    throw new TrellisError("otp_address_blocked", { retryAfterSeconds: hourMs / 1000 });
  }
  if (code.id === null) throw await noCode(db, network, owner);
  return code;
}

/**
 * Finds whose code an id names, of whatever state, among those the tenant has asked for with secret keys. Throws `invalid_otp` when there is no such
 * code.
 */
export async function getCodeOwner(
  db: Db,
  network: Network,
  tenantId: string,
  purpose: CodePurpose,
  codeId: string,
): Promise<CodeOwner> {
  const row = isUuid(codeId)
    ? await db
        .selectFrom("one_time_code")
        .select("email")
        .where("id", "=", codeId)
        .where("tenant_id", "=", tenantId)
        .where("environment", "=", network.name)
        .where("purpose", "=", purpose)
        .where("share", "=", "secret")
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw new TrellisError("invalid_otp", { field: "otp_id" });
  return { tenantId, email: row.email, purpose, share: "secret" };
}

/**
 * Compares a live code with the one given and returns when it is right; it is not spent by that. A wrong try is counted
 * and committed before the error is thrown, three at most, however many calls run in parallel (gap 22).
 *
 * Throws `invalid_otp` (wrong, void or spent), `otp_expired`, `otp_attempts_exceeded` (the right code too).
 */
export async function assertRightCode(
  needs: { readonly db: Db; readonly keyring: Keyring; readonly random: Random; readonly log: Log },
  network: Network,
  owner: CodeOwner,
  latest: LatestCode,
  given: string,
): Promise<void> {
  if (latest.state !== "live") throw await codeIsOver(needs.db, network, owner);
  if (latest.expires_at <= BigInt(network.clock.now())) throw new TrellisError("otp_expired");
  if (latest.attempts >= limits.otpAttempts) throw new TrellisError("otp_attempts_exceeded");
  if (await verifyCode(needs.keyring, latest, given)) return;
  const counted = await countWrongTry(needs, network, owner, latest.id);
  // A try that was counted is an outcome: the same request again must not cost another one.
  if (!counted) throw new TrellisError("otp_attempts_exceeded");
  const hint = codeForm.test(given)
    ? await hintFor(needs.db, network, owner)
    : "A code has six digits, and nothing before, between or after them.";
  throw refused(owner, hint, true);
}

/** Counts a try whose code was right, and whose second factor was not. Throws `otp_attempts_exceeded` where there was none left. */
export async function countWrongFactor(
  needs: Parameters<typeof countWrongTry>[0],
  network: Network,
  owner: CodeOwner,
  { id }: Pick<LatestCode, "id">,
): Promise<void> {
  if (!(await countWrongTry(needs, network, owner, id))) throw new TrellisError("otp_attempts_exceeded");
}

/** The error where no code was asked for. */
async function noCode(db: Db, network: Network, owner: CodeOwner): Promise<TrellisError> {
  const path = { create: "accounts", authenticate: "auth", export: "accounts/{address}/wallet-exports:options" }[
    owner.purpose
  ];
  const suggestion = `No code was requested for this address recently: request one with POST /api/service/v1/${path}.`;
  return refused(owner, (await hintFor(db, network, owner)) ?? suggestion);
}

/** The error for a code that cannot be used any more, or not for this. */
export async function codeIsOver(db: Db, network: Network, owner: CodeOwner): Promise<TrellisError> {
  const suggestion = "This code was used, or a newer one replaced it. Request a new one.";
  return refused(owner, (await hintFor(db, network, owner)) ?? suggestion);
}

/** The error for a code that is not good, where there is no more to say. */
export const wrongCode = (): TrellisError => new TrellisError("invalid_otp", { field: "otp_code" });

/** The one error for a code. What would reveal more than that is for holders of secret keys: to pages all are alike (gap 123). */
function refused({ share }: CodeOwner, suggestion: string | undefined, isOutcome = false): TrellisError {
  const hint = share === "secret" && suggestion !== undefined ? { suggestion } : {};
  return new TrellisError("invalid_otp", { field: "otp_code", ...hint, isOutcome });
}

const codeForm = /^[0-9]{6}$/;

/**
 * Where an address has a live code for the other purpose, the right code may only have been sent to the wrong path; where a page
 * has asked for one, with the wrong key. Not looked up for publishable keys, whose response does not say it.
 */
async function hintFor(
  db: Db,
  network: Network,
  { tenantId, email, purpose, share }: CodeOwner,
): Promise<string | undefined> {
  if (share !== "secret" || purpose === "export") return undefined;
  const other = purpose === "create" ? "authenticate" : "create";
  const { rows } = await sql<{ share: CodeShare }>`
    select share from one_time_code
    where tenant_id = ${tenantId} and environment = ${network.name} and email = ${email}
      and (purpose = ${other} or share <> 'secret') and purpose <> 'export'
      and ${isLive} and expires_at > ${network.clock.now()}::int8
    order by share = 'secret' desc, created_at desc limit 1`.execute(db);
  const [found] = rows;
  if (found === undefined) return undefined;
  if (found.share !== "secret") {
    return "A page has asked for a code for this address: send it by the same publishable key.";
  }
  return other === "create"
    ? "The code of this address is for its account: send it to POST /api/service/v1/accounts/verify."
    : "The code of this address is for signing in: send it to POST /api/service/v1/auth/verify.";
}

/** Not to be found by: without fresh statistics a plain comparison makes the server read the index of all live codes. */
const isLive = sql`state || '' = 'live'`;

/**
 * SQL that spends a code, with one row if this call is the one that spends it: only a live code with a try left, in time, and where
 * `condition` holds. Meant as a member of the statement that does what the code was good for.
 */
export function spendCode(network: Network, codeId: string, condition: RawBuilder<unknown> = sql`true`) {
  return sql`update one_time_code set state = 'spent' where id = ${codeId} and ${isGood(network)} and ${condition} returning id`;
}

/**
 * The same for the codes whose ids the query `codes` gives: a row for each that this call spends. They are locked in one order, so that two
 * statements never wait for each other's rows.
 */
export function spendCodes(network: Network, codes: RawBuilder<unknown>) {
  return sql`update one_time_code set state = 'spent' from (
      select code.id from one_time_code as code where code.id in (${codes}) order by code.id for no key update
    ) as held
    where one_time_code.id = held.id and ${isGood(network)}
    returning one_time_code.id`;
}

/** SQL: whether a code is live, has a try left, and is in time. */
const isGood = (network: Network) => sql`${isLive} and attempts < ${limits.otpAttempts}::int4
  and expires_at > ${network.clock.now()}::int8`;

/** False when parallel calls had used up the tries before. */
async function countWrongTry(
  needs: { readonly db: Db; readonly random: Random; readonly log: Log },
  network: Network,
  owner: CodeOwner,
  codeId: string,
): Promise<boolean> {
  const now = network.clock.now();
  const { rows } = await sql<{ counted: boolean; tenant_failures: number }>`
    with tried as (
      update one_time_code set attempts = attempts + 1
      where id = ${codeId} and ${isLive} and attempts < ${limits.otpAttempts}::int4
      returning id
    ), failed as (
      insert into otp_failure (id, tenant_id, environment, email, share, failed_at)
      select ${needs.random.uuid()}::text, ${owner.tenantId}::text, ${network.name}::text, ${owner.email}::text,
        ${owner.share}::text, ${now}::int8
      from tried
    )
    select exists (select 1 from tried) as counted, ${sql.raw(failuresOfTenant)} as tenant_failures
    from (select ${owner.tenantId}::text as tenant_id, ${network.name}::text as environment, ${owner.share}::text as share,
      ${now}::int8 as now) as asked
  `.execute(needs.db);
  const row = rows[0];
  assertOurs(row, "a select of values answers with one row");
  // The count is of the moment before this try.
  const tenantFailures = row.tenant_failures + (row.counted ? 1 : 0);
  if (tenantFailures >= limits.otpFailuresPerTenantPerHourAlarm) {
    needs.log.error(
      {
        event: "wrong_codes_alarming",
        tenant: owner.tenantId,
        environment: network.name,
        wrongCodesLastHourAtLeast: tenantFailures,
      },
      "one-time codes are wrong unusually often at one tenant: addresses are blocked sooner while this lasts",
    );
  }
  return row.counted;
}

function addressBlocked(code: { readonly oldest_failure: bigint | null }, now: number): TrellisError {
  const frees = Number(code.oldest_failure ?? BigInt(now)) + dayMs;
  return new TrellisError("otp_address_blocked", { retryAfterSeconds: Math.max(1, Math.ceil((frees - now) / 1000)) });
}
