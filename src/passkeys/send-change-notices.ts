import { limits } from "@trellis/kernel/limits.js";
import type { DelayedChange } from "@trellis/kernel/module.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db, GuardianChangeTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { type DueNotice, type NoticeQueue, sendDueNotices } from "../people/due-notices.js";
import type { NoticeNeeds } from "../people/send-notice.js";
import { renderChangeNotice } from "./change-mail.js";

/**
 * Notes that a change of settings waits at the guardian, so that its owner is mailed of it. Again: once. It joins what is to be mailed
 * of the wallet already, and waits for a while behind a mail: who has a passkey of the owner's could else fill the mailbox, so that
 * nothing is found in it.
 */
export async function noteDelayedChange(
  { db, realClock }: { readonly db: Db; readonly realClock: Clock },
  network: Pick<Network, "name">,
  { account, walletId, changeId, notBefore }: DelayedChange,
): Promise<void> {
  // One that no date has is no time of a change: what its guardian says is not believed.
  if (notBefore > 8.64e15) return;
  const id = `${walletId}/${changeId ?? `at-${notBefore}`}`;
  await sql`insert into guardian_change (id, wallet_id, tenant_id, environment, account_address, not_before, notice_due_at)
    select ${id}::text, ${walletId}::text, ${account.tenantId}::text, ${network.name}::text, ${account.address}::text,
      ${notBefore}::int8, greatest(${realClock.now()}::int8, max(notice_due_at), max(noticed_at) + ${apart})
    from guardian_change where wallet_id = ${walletId}::text
    on conflict do nothing`.execute(db);
}

const apart = sql.lit(limits.changeNoticesApartMs);

/** All that is to be mailed of one wallet. */
interface ChangeNotice extends DueNotice {
  readonly changes: readonly GuardianChangeTable[];
  readonly address: string;
}

/** Mails owners of changes of settings that have begun to wait at the guardian. Returns how many mails were sent. */
export async function sendChangeNotices(needs: NoticeNeeds, network: Pick<Network, "name" | "clock">): Promise<number> {
  return sendDueNotices(needs, network, queueOf(needs));
}

type Claimed = GuardianChangeTable & { readonly email: string; readonly address: string };

const queueOf = ({ db, realClock }: NoticeNeeds): NoticeQueue<ChangeNotice> => ({
  table: "guardian_change",
  claim: async (choose, next) => {
    // The first of a wallet stands for all of it: two processes never take two of one wallet.
    const first = sql`waiting.notice_due_at is not null and not exists (select from guardian_change as before
      where before.wallet_id = waiting.wallet_id and before.notice_due_at is not null and before.id < waiting.id)`;
    const { rows } = await sql<Claimed>`
      with ${choose(first)}
      update guardian_change set ${next} from chosen, guardian_change as first_due, wallet, app_user
      where first_due.id = chosen.id and guardian_change.wallet_id = first_due.wallet_id
        and guardian_change.notice_due_at is not null
        and wallet.id = first_due.wallet_id and app_user.id = wallet.owner_id
      returning guardian_change.*, app_user.email, wallet.address`.execute(db);
    const wallets = new Set(rows.map(({ wallet_id }) => wallet_id));
    return [...wallets].map((id) => ofWallet(rows.filter(({ wallet_id }) => wallet_id === id)));
  },
  render: renderChangeNotice,
  noteSent: async ({ id, changes }) => {
    const mailed = sql`id = any(${changes.map((change) => change.id)}::text[])`;
    const now = realClock.now();
    // What began to wait while the mail was sent is in none yet.
    await sql`update guardian_change set
        noticed_at = case when ${mailed} then ${now}::int8 end,
        notice_due_at = case when ${mailed} then null else greatest(notice_due_at, ${now}::int8 + ${apart}) end
      where wallet_id = ${id}::text and notice_due_at is not null`.execute(db);
  },
  giveUp: ({ changes }) =>
    db
      .updateTable("guardian_change")
      .set({ notice_due_at: null })
      .where(
        "id",
        "in",
        changes.map(({ id }) => id),
      )
      .execute(),
});

const ofWallet = (changes: readonly Claimed[]): ChangeNotice => {
  const [{ wallet_id: id, tenant_id, email, address }] = changes as readonly [Claimed];
  // Each is tried as often as any: one that has joined others, too.
  return { id, tenant_id, email, address, changes, notice_tries: Math.min(...changes.map((one) => one.notice_tries)) };
};
