import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { type Mailer, type MailMessage, MailRefused } from "@trellis/kernel/ports/mail.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { sql } from "kysely";
import { deliverMail, prepareMail, queueMailIf } from "./outgoing-mail.js";

export interface NoticeNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly mailer: Mailer;
  readonly realClock: Clock;
  readonly log: Log;
}

/** What a notice says, before it has a recipient. */
export type NoticeContent = Omit<MailMessage, "to">;

/** Mails a person something that carries no code. False where the mail server refused it, which is logged. */
export async function sendNotice(
  needs: NoticeNeeds,
  network: Pick<Network, "name" | "clock">,
  { tenantId, to, content }: { readonly tenantId: string; readonly to: string; readonly content: NoticeContent },
): Promise<boolean> {
  const { db, keyring, random, realClock } = needs;
  const row = { id: random.uuid(), tenantId, purpose: "notice", share: "secret" } as const;
  const outgoing = prepareMail(keyring, { to, ...content }, row);
  await sql`with granted as (select 1), queued as (${queueMailIf("granted", outgoing, network, realClock.now())})
    select 1`.execute(db);
  try {
    await deliverMail(needs, network, outgoing);
    return true;
  } catch (error) {
    if (error instanceof MailRefused) return false;
    throw error;
  }
}
