import { eachOf } from "@trellis/kernel/each-of.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { chooseAtBothEnds } from "@trellis/kernel/tenant-turns.js";
import { type RawBuilder, sql } from "kysely";
import { type NoticeContent, type NoticeNeeds, sendNotice } from "./send-notice.js";

/** What an owner is to be mailed, as it was claimed. */
export interface DueNotice {
  readonly id: string;
  readonly tenant_id: string;
  readonly email: string;
  /** With this one. */
  readonly notice_tries: number;
}

/** A table whose rows have owners who are mailed of them: `notice_due_at` (real time) and `notice_tries` stand in the row. */
export interface NoticeQueue<Notice extends DueNotice> {
  readonly table: "wallet_export" | "wallet_import" | "guardian_change" | "proposal_mail";
  /** Claims what is due: `chosen` is common table expressions up to `chosen` (id), `next` what is set of each row. */
  claim(
    chosen: (due: RawBuilder<unknown>) => RawBuilder<unknown>,
    next: RawBuilder<unknown>,
  ): Promise<readonly Notice[]>;
  render(notice: Notice, senderName: string): NoticeContent;
  noteSent(notice: Notice): Promise<unknown>;
  /** It was tried often enough. */
  giveUp(notice: Notice): Promise<unknown>;
}

/**
 * Few, so that all mails of a claim end before its rows are due again, though each takes as long as a mail server may: no other process
 * sends them meanwhile. Those of a claim before are under way yet when the next is made.
 */
const claimedAtOnce = 16;
const atOnce = 4;
const claims = 6;

/** No row is due at this time: what was given up. */
export const neverDue = 8_640_000_000_000_000n;

/**
 * Mails owners what is due of a queue, or of one row of it. What fails is due again later, each time later than before, and is given up
 * after about a day. Any number of processes may do this at once; a mail whose sending a crash has hidden is sent twice. Returns how
 * many were sent.
 */
export async function sendDueNotices<Notice extends DueNotice>(
  needs: NoticeNeeds,
  network: Pick<Network, "name" | "clock">,
  queue: NoticeQueue<Notice>,
  only?: { readonly id: string },
): Promise<number> {
  let sent = 0;
  const due = async function* () {
    for (let claim = 0; claim < claims; claim += 1) {
      const claimed = await claimDue(needs, network, queue, only);
      yield* claimed;
      if (claimed.length < claimedAtOnce) break;
    }
  };
  await eachOf(due(), atOnce, async (notice) => {
    if (await send(needs, network, queue, notice)) sent += 1;
  });
  return sent;
}

function claimDue<Notice extends DueNotice>(
  { realClock }: NoticeNeeds,
  { name }: Pick<Network, "name">,
  queue: NoticeQueue<Notice>,
  only: { readonly id: string } | undefined,
): Promise<readonly Notice[]> {
  const table = sql.table(queue.table);
  const now = realClock.now();
  const isDue = (due: RawBuilder<unknown>) => sql`waiting.environment = ${name}::text and ${due}
    and waiting.notice_due_at <= ${now}::int8 and not is_frozen(waiting.tenant_id)`;
  const tenant = sql.ref("waiting.tenant_id");
  const since = sql.ref("waiting.notice_due_at");
  const choose = (due: RawBuilder<unknown>) =>
    only === undefined
      ? chooseAtBothEnds({ table, key: "id", tenant, since, due: isDue(due), limit: claimedAtOnce })
      : sql`chosen as (select id from ${table} as waiting where id = ${only.id} and ${isDue(due)} for update skip locked)`;
  const waits = sql.join(limits.noticeBackOffMs.map((wait) => sql.lit(wait)));
  const tries = sql`${table}.notice_tries + 1`;
  const wait = sql`(array[${waits}])[least(${tries}, ${sql.lit(limits.noticeBackOffMs.length)})]`;
  return queue.claim(choose, sql`notice_tries = ${tries}, notice_due_at = ${now}::int8 + ${wait}`);
}

async function send<Notice extends DueNotice>(
  needs: NoticeNeeds,
  network: Pick<Network, "name" | "clock">,
  queue: NoticeQueue<Notice>,
  notice: Notice,
): Promise<boolean> {
  const { id, tenant_id: tenantId, email: to, notice_tries: tries } = notice;
  try {
    const content = queue.render(notice, needs.mailer.senderName);
    if (await sendNotice(needs, network, { tenantId, to, content })) {
      await queue.noteSent(notice);
      return true;
    }
  } catch (error) {
    if (tries < limits.noticeTries) throw error;
    needs.log.warn({ event: "notice_failed", err: error }, "notice to an owner failed for the last time");
  }
  if (tries >= limits.noticeTries) {
    await queue.giveUp(notice);
    needs.log.warn({ event: "notice_given_up", of: queue.table, id, tries }, "notice to an owner was given up");
  }
  return false;
}
