import { Buffer } from "node:buffer";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Macs } from "@trellis/kernel/crypto/macs.js";
import { limits } from "@trellis/kernel/limits.js";
import type { CodeShare, Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Mailer, MailMessage } from "@trellis/kernel/ports/mail.js";
import { MailRefused } from "@trellis/kernel/ports/mail.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { type RawBuilder, sql } from "kysely";
import type { CodeMailKind } from "./templates.js";

/** A mail as it is stored: what was sent, and the code in it for a sandbox's reader. */
export interface StoredMail extends MailMessage {
  /** Absent: it has none. */
  readonly otpCode?: string;
}

/** What a mail is sent for. */
export type MailPurpose = Exclude<CodeMailKind, "console"> | "notice";

/** A mail with the row that stands for it; not stored yet. */
export interface OutgoingMail {
  readonly id: string;
  readonly tenantId: string;
  readonly purpose: MailPurpose;
  readonly share: CodeShare;
  readonly recipientHash: Uint8Array;
  readonly recipientForms: readonly Uint8Array[];
  readonly sealed: Uint8Array;
  readonly mail: StoredMail;
}

/** What mails are counted by and found by: a hash, so that the table lists no addresses (gap 22). */
export function hashRecipient(keyring: Keyring, email: string): Uint8Array {
  return recipientMacs(keyring).make(email);
}

/** Every form in which a recipient may be stored: a limit counts the mails of before a new secret, too. */
export const recipientForms = (keyring: Keyring, email: string): readonly Uint8Array[] =>
  recipientMacs(keyring).all(email);

const recipientMacs = (keyring: Keyring): Macs => keyring.macs("mail-recipient");

/** Encrypts a mail for its row. */
export function prepareMail(
  keyring: Keyring,
  mail: StoredMail,
  row: Pick<OutgoingMail, "id" | "tenantId" | "purpose" | "share">,
): OutgoingMail {
  return {
    ...row,
    mail,
    recipientHash: hashRecipient(keyring, mail.to),
    recipientForms: recipientForms(keyring, mail.to),
    sealed: keyring.wrap(Buffer.from(JSON.stringify(mail), "utf8"), mailContext(row.id)),
  };
}

/** Decrypts a mail's row. */
export function openMail(keyring: Keyring, row: { readonly id: string; readonly message: Uint8Array }): StoredMail {
  return JSON.parse(Buffer.from(keyring.unwrap(row.message, mailContext(row.id))).toString("utf8")) as StoredMail;
}

/** What a stored mail is sealed with: bound to its row. */
export function mailContext(id: string): string {
  return `mail/${id}`;
}

/**
 * SQL that stores a mail if the query named by `granted` has a row: a member of a larger statement, so that the mail and
 * the code in it exist together or not at all. In the sandbox the row itself is the delivery.
 */
export function queueMailIf(
  granted: string,
  outgoing: OutgoingMail,
  network: Pick<Network, "name" | "clock">,
  realNow: number,
): RawBuilder<unknown> {
  const state = network.name === "sandbox" ? "sent" : "queued";
  return sql`insert into mail (id, tenant_id, environment, purpose, share, recipient_hash, message, state, created_at,
      queued_at_real)
    select ${outgoing.id}::text, ${outgoing.tenantId}::text, ${network.name}::text, ${outgoing.purpose}::text,
      ${outgoing.share}::text, ${outgoing.recipientHash}::bytea, ${outgoing.sealed}::bytea, ${state}::text, ${network.clock.now()}::int8, ${realNow}::int8
    from ${sql.ref(granted)}`;
}

/** How many sign-up mails all tenants together may send to an address: what pages cause is held apart (gap 123). */
export function signUpBounds(share: CodeShare): { readonly perHour: number; readonly perDay: number } {
  return share === "secret"
    ? { perHour: limits.signUpMailsPerAddressPerHour, perDay: limits.signUpMailsPerAddressPerDay }
    : { perHour: limits.pageSignUpMailsPerAddressPerHour, perDay: limits.pageSignUpMailsPerAddressPerDay };
}

/**
 * SQL with one row: how many mails an address was sent within the hour and the day before `realNow` (Unix milliseconds),
 * and when the oldest that counts was (gap 22). `last_…` and `…_frees` are those of this tenant, environment,
 * purpose and share; of what pages cause those of every purpose, which would otherwise reveal who has an account.
 * `total_…` are all of this purpose in this environment, of every tenant, that secret keys have sent, or all that publishable
 * ones have.
 */
export function countMails(
  outgoing: Pick<OutgoingMail, "tenantId" | "purpose" | "share" | "recipientForms">,
  network: Pick<Network, "name">,
  realNow: number,
): RawBuilder<unknown> {
  const own = sql`tenant_id = ${outgoing.tenantId}::text and share = ${outgoing.share}::text`;
  const bounds = signUpBounds(outgoing.share);
  const isOfPurpose = sql`purpose = ${outgoing.purpose}::text`;
  const isLately = sql`queued_at_real > ${realNow - 3_600_000}::int8`;
  const newest = (condition: RawBuilder<unknown>, place: number) =>
    sql`(array_agg(queued_at_real order by queued_at_real desc) filter (where ${condition}))[${sql.lit(place)}]`;
  return sql`select count(*) filter (where ${own} and ${isLately})::int4 as last_hour,
      count(*) filter (where ${own})::int4 as last_day,
      ${newest(own, limits.mailsPerAddressPerHour)} as hour_frees,
      ${newest(own, limits.mailsPerAddressPerDay)} as day_frees,
      count(*) filter (where ${isOfPurpose} and ${isLately})::int4 as total_hour,
      count(*) filter (where ${isOfPurpose})::int4 as total_day,
      ${newest(isOfPurpose, bounds.perHour)} as total_hour_frees,
      ${newest(isOfPurpose, bounds.perDay)} as total_day_frees
    from mail
    where recipient_hash = any(${[...outgoing.recipientForms]}::bytea[]) and queued_at_real > ${realNow - 86_400_000}::int8
      and state <> 'refused'
      -- Not to be found by: without fresh statistics a plain comparison makes the server read all mails of the environment.
      and environment || '' = ${network.name}::text
      ${outgoing.share === "secret" ? sql`and ${isOfPurpose}` : sql``} and (share = 'secret') = ${outgoing.share === "secret"}::boolean`;
}

/**
 * Hands a stored mail to the mail server and wipes it from the row, sent or not. The sandbox's outbox keeps its mail and
 * sends nothing. Throws MailRefused after the refusal is recorded.
 */
export async function deliverMail(
  needs: { readonly db: Db; readonly mailer: Mailer; readonly log: Log },
  network: Pick<Network, "name">,
  outgoing: OutgoingMail,
): Promise<void> {
  if (network.name === "sandbox") return;
  const { otpCode: _, ...mail } = outgoing.mail;
  try {
    await needs.mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    needs.log.warn(
      { event: "mail_refused", mail: outgoing.id, reason: error.reason, cause: error.message },
      "mail refused by the mail server",
    );
    await endMail(needs.db, outgoing.id, "refused");
    throw error;
  }
  await endMail(needs.db, outgoing.id, "sent");
}

async function endMail(db: Db, id: string, state: "sent" | "refused"): Promise<void> {
  await db.updateTable("mail").set({ state, message: null }).where("id", "=", id).execute();
}
