import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db, Trx } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Mailer } from "@trellis/kernel/ports/mail.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { sql } from "kysely";
import { drawCode } from "../people/one-time-code.js";
import { codeMail, trySend } from "./member-mails.js";
import { codeText, countCodes, insertSecret, isBrowserOf, secretMacs, spendSecret } from "./secret-store.js";

export interface SignInMailNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly realClock: Clock;
  readonly mailer: Mailer;
  readonly log: Log;
}

/** Who asks to sign in; nothing says that there is such a member. */
export interface SignInRequest {
  /** That of the answer: only who asked has it, and the code is good with it alone. */
  readonly id: string;
  /** In stored form. */
  readonly email: string;
  readonly tenantId: string | undefined;
  /** What a browser was given that has signed a member in before. */
  readonly browser: string | undefined;
}

/** Mails codes behind the back of the answer, which so is the same, and as fast, whether there is such a member or not. */
export interface SignInMails {
  /** False: too many wait already. */
  request(request: SignInRequest): boolean;
  /** When all that was requested so far has been done. */
  settled(): Promise<void>;
}

export function createSignInMails(needs: SignInMailNeeds): SignInMails {
  const waiting: SignInRequest[] = [];
  const running = new Set<Promise<void>>();

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await mailCode(needs, next).catch((err: unknown) =>
        needs.log.error({ event: "console_code_failed", err }, "code for the console could not be mailed"),
      );
    }
  }

  return {
    request: (request) => {
      if (waiting.length >= limits.signInMailsWaiting) return false;
      waiting.push(request);
      if (running.size < limits.signInMailsAtOnce) {
        const worker: Promise<void> = work().finally(() => running.delete(worker));
        running.add(worker);
      }
      return true;
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

async function mailCode(needs: SignInMailNeeds, request: SignInRequest): Promise<void> {
  const { db, mailer, realClock } = needs;
  const made = await db.transaction().execute((trx) => makeCode(trx, needs, request));
  if (made === undefined) return;
  if (await trySend(needs, codeMail(request.email, made.code, mailer.senderName))) return;
  await db.transaction().execute((trx) => spendSecret(trx, request.id, realClock.now()));
}

/**
 * Makes the code of a request. Those of other requests stay good: a stranger who asks takes nobody's code away. Undefined where there is no
 * such member, or one who requires a passkey, or has had enough codes.
 */
async function makeCode(
  trx: Trx,
  { keyring, random, realClock }: SignInMailNeeds,
  request: SignInRequest,
): Promise<{ readonly memberId: string; readonly code: string } | undefined> {
  const now = realClock.now();
  const memberId = await lockAddressed(trx, request);
  if (memberId === undefined) return undefined;
  const isKnownBrowser = isBrowserOf(keyring, memberId, request.browser);
  const { lastHour, lastDay } = await countCodes(trx, { memberId, isKnownBrowser, now });
  if (lastHour >= limits.mailsPerAddressPerHour || lastDay >= limits.mailsPerAddressPerDay) return undefined;
  const { id } = request;
  const code = drawCode(random, limits.memberCodeDigits);
  await insertSecret(trx, {
    id,
    member_id: memberId,
    kind: "code",
    secret_hash: secretMacs(keyring).make(codeText(id, code)),
    created_at: BigInt(now),
    expires_at: BigInt(now + limits.memberCodeMs),
    is_known_browser: isKnownBrowser,
  });
  return { memberId, code };
}

/** Of a person who is a member of several tenants and names none: the one where they last signed in. */
async function lockAddressed(
  trx: Trx,
  { email, tenantId }: Pick<SignInRequest, "email" | "tenantId">,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select member.id from member join tenant on tenant.id = member.tenant_id
    where member.email = ${email} and member.status = 'active' and tenant.disabled_at is null
      and not member.passkey_required
      and (${tenantId ?? null}::text is null or member.tenant_id = ${tenantId ?? null}::text)
    order by member.last_signed_in_at desc nulls last, member.created_at, member.id limit 1 for update of member`.execute(
    trx,
  );
  return rows[0]?.id;
}
