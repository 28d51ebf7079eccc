import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { CodeShare, Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { type Mailer, MailRefused } from "@trellis/kernel/ports/mail.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { type RawBuilder, sql } from "kysely";
import { type CodePurpose, drawCode, hashCode } from "./one-time-code.js";
import { countMails, deliverMail, type OutgoingMail, prepareMail, queueMailIf, signUpBounds } from "./outgoing-mail.js";
import { renderCodeMail } from "./templates.js";

export interface IssueCodeNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly mailer: Mailer;
  readonly realClock: Clock;
  readonly log: Log;
  /** Life of a code where it is configured to be shorter than 15 minutes. */
  readonly otpLifetimeMs?: number;
}

/** Who asks for a code, and what for. */
export interface CodeRequest {
  readonly tenantId: string;
  /** In stored form (gap 13). */
  readonly email: string;
  readonly purpose: CodePurpose;
  /** Whose codes it is one of, and what it counts towards (gap 123). */
  readonly share: CodeShare;
  readonly provider: string;
  /** Session life asked for together with the code, if any. */
  readonly requestedSessionSeconds: number | null;
}

/** A code on its way. Instants are environment time in Unix milliseconds. */
export interface IssuedCode {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** What else the one statement does that issues a code. */
export interface IssueConditions {
  /** A boolean expression: true means that no code may be issued now. */
  readonly refuseWhen?: RawBuilder<boolean>;
  /** A data-modifying statement to run when the code is issued; it reads from `granted`, which then has one row. */
  readonly alongside?: RawBuilder<unknown>;
}

/** A statement that lost against another for the same address is tried again, as its answer depends on the other's. */
const attemptsMax = 50;

/**
 * Issues a code, voids the former one of the same purpose and share and mails it: one statement, then the delivery (gap 22).
 * Returns undefined, and changes nothing, when `refuseWhen` holds.
 *
 * Throws `mail_limit_exceeded` with the seconds to wait, and `mail_unavailable`, after which the code is void.
 */
export async function issueCode(
  needs: IssueCodeNeeds,
  network: Network,
  request: CodeRequest,
  conditions: IssueConditions = {},
): Promise<IssuedCode | undefined> {
  const id = needs.random.uuid();
  const code = drawCode(needs.random);
  const lifetimeMs = Math.min(needs.otpLifetimeMs ?? limits.otpLifetimeMs, limits.otpLifetimeMs);
  const createdAt = network.clock.now();
  const issued: IssuedCode = { id, createdAt, expiresAt: createdAt + lifetimeMs };
  const content = renderCodeMail(request.purpose, {
    code,
    senderName: needs.mailer.senderName,
    lifetimeMs,
  });
  const outgoing = prepareMail(
    needs.keyring,
    { to: request.email, ...content, otpCode: code },
    { id: needs.random.uuid(), tenantId: request.tenantId, purpose: request.purpose, share: request.share },
  );
  const granted = await store(needs, network, request, conditions, issued, code, outgoing);
  if (!granted) return undefined;
  try {
    await deliverMail(needs, network, outgoing);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    await needs.db.updateTable("one_time_code").set({ state: "void" }).where("id", "=", id).execute();
    throw new TrellisError("mail_unavailable", { cause: error });
  }
  return issued;
}

interface Facts {
  refused: boolean;
  last_hour: number;
  last_day: number;
  hour_frees: bigint | null;
  day_frees: bigint | null;
  total_hour: number;
  total_day: number;
  total_hour_frees: bigint | null;
  total_day_frees: bigint | null;
}

async function store(
  needs: IssueCodeNeeds,
  network: Network,
  request: CodeRequest,
  conditions: IssueConditions,
  issued: IssuedCode,
  code: string,
  outgoing: OutgoingMail,
): Promise<boolean> {
  const realNow = needs.realClock.now();
  // Sign-in mail goes to users only. A bound on all of it together would let one tenant use up another's.
  const isShared = request.purpose === "create";
  const total = signUpBounds(request.share);
  const withinTotal = isShared
    ? sql`total_hour < ${total.perHour}::int4 and total_day < ${total.perDay}::int4`
    : sql`true`;
  const statement = sql<Facts>`
    with facts as materialized (
      select mails.*, ${conditions.refuseWhen ?? sql`false`} as refused
      from (${countMails(outgoing, network, realNow)}) as mails
    ), granted as materialized (
      select 1 from facts
      where not refused
        and last_hour < ${limits.mailsPerAddressPerHour}::int4 and last_day < ${limits.mailsPerAddressPerDay}::int4
        and ${withinTotal}
    ), voided as (
      update one_time_code set state = 'void'
      where tenant_id = ${request.tenantId} and environment = ${network.name} and email = ${request.email}
        and purpose = ${request.purpose} and share = ${request.share} and state = 'live' and exists (select 1 from granted)
      returning id
    ), queued as (${queueMailIf("granted", outgoing, network, realNow)}),
    alongside as (${conditions.alongside ?? sql`select 1`}),
    issued as (
      insert into one_time_code (id, tenant_id, environment, email, purpose, share, provider, code_hmac, attempts, state,
        requested_session_seconds, created_at, expires_at)
      select ${issued.id}::text, ${request.tenantId}::text, ${network.name}::text, ${request.email}::text,
        ${request.purpose}::text, ${request.share}::text, ${request.provider}::text, ${hashCode(needs.keyring, issued.id, code)}::bytea, 0,
        'live', ${request.requestedSessionSeconds}::int8, ${issued.createdAt}::int8, ${issued.expiresAt}::int8
      -- Counting the voided ones first makes sure that the former code is out of the way.
      from granted, (select count(*) from voided) as former
    )
    select * from facts`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const facts = (await statement.execute(needs.db)).rows[0];
      assertOurs(facts, "the statement that issues a code answers with one row");
      return isGranted(facts, realNow, isShared ? total : undefined);
    } catch (error) {
      if (!isLostRace(error) || attempt === attemptsMax) throw error;
    }
  }
}

/** Throws `mail_limit_exceeded`; false when the caller's own condition refused. */
function isGranted(facts: Facts, realNow: number, total: ReturnType<typeof signUpBounds> | undefined): boolean {
  if (facts.refused) return false;
  const waits = [
    waitMs(facts.last_hour, limits.mailsPerAddressPerHour, facts.hour_frees, 3_600_000, realNow),
    waitMs(facts.last_day, limits.mailsPerAddressPerDay, facts.day_frees, 86_400_000, realNow),
    total
      ? Math.max(
          waitMs(facts.total_hour, total.perHour, facts.total_hour_frees, 3_600_000, realNow),
          waitMs(facts.total_day, total.perDay, facts.total_day_frees, 86_400_000, realNow),
        )
      : 0,
  ];
  const longest = Math.max(...waits);
  if (longest === 0) return true;
  throw new TrellisError("mail_limit_exceeded", { retryAfterSeconds: Math.ceil(longest / 1000) });
}

/** How long until one of `count` mails is older than the window; 0 while there are fewer than `limit`. */
function waitMs(count: number, limit: number, frees: bigint | null, windowMs: number, realNow: number): number {
  return count < limit ? 0 : Math.max(1, Number(frees ?? BigInt(realNow)) + windowMs - realNow);
}

/** Two requests for one address issued a code at once: the unique index lets one through. */
function isLostRace(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const isDeadlock = code === "40P01";
  return isDeadlock || (code === "23505" && constraint === "one_time_code_live");
}
