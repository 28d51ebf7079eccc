import { eachOf } from "@trellis/kernel/each-of.js";
import { limits } from "@trellis/kernel/limits.js";
import type { DelayedChange } from "@trellis/kernel/module.js";
import type { Db, GuardianChangeTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { chooseAtBothEnds } from "@trellis/kernel/tenant-turns.js";
import { sql } from "kysely";
import { type NoticeNeeds, sendNotice } from "../people/send-notice.js";
import { renderChangeNotice } from "./change-mail.js";

/** Notes that a change of settings waits at the guardian, so that its owner is mailed of it. Again: once. */
export async function noteDelayedChange(
  { db }: { readonly db: Db },
  network: Pick<Network, "name">,
  { account, walletId, changeId, notBefore }: DelayedChange,
): Promise<void> {
  // One that no date has is no time of a change: what its guardian says is not believed.
  if (notBefore > 8.64e15) return;
  await db
    .insertInto("guardian_change")
    .values({
      id: `${walletId}/${changeId ?? `at-${notBefore}`}`,
      wallet_id: walletId,
      tenant_id: account.tenantId,
      environment: network.name,
      account_address: account.address,
      not_before: BigInt(notBefore),
      notice_due_at: 0n,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

type Noticed = GuardianChangeTable & { readonly email: string; readonly address: string };

/** Claims in one pass, and mails at the same time. */
const claimedAtOnce = 100;
const atOnce = 4;

/**
 * Mails owners of changes of settings that have begun to wait at the guardian. What fails is due again later. Any number of processes may
 * do this at once; a mail whose sending a crash has hidden is sent twice. Returns how many were sent.
 */
export async function sendChangeNotices(needs: NoticeNeeds, network: Pick<Network, "name" | "clock">): Promise<number> {
  let sent = 0;
  await eachOf(await claim(needs, network), atOnce, async (row) => {
    const content = renderChangeNotice(row, needs.mailer.senderName);
    // What is refused is logged, and due again.
    if (!(await sendNotice(needs, network, { tenantId: row.tenant_id, to: row.email, content }))) return;
    await needs.db.updateTable("guardian_change").set({ notice_due_at: null }).where("id", "=", row.id).execute();
    sent += 1;
  });
  return sent;
}

const queue = {
  table: sql.table("guardian_change"),
  key: "id",
  tenant: sql.ref("waiting.tenant_id"),
  since: sql.ref("waiting.notice_due_at"),
  limit: claimedAtOnce,
};

async function claim(
  { db, realClock }: Pick<NoticeNeeds, "db" | "realClock">,
  network: Pick<Network, "name">,
): Promise<readonly Noticed[]> {
  const now = realClock.now();
  const due = sql`waiting.environment = ${network.name}::text and waiting.notice_due_at is not null
    and waiting.notice_due_at <= ${now}::int8 and not is_frozen(waiting.tenant_id)`;
  const { rows } = await sql<Noticed>`
    with ${chooseAtBothEnds({ ...queue, due })}
    update guardian_change set notice_due_at = ${now + limits.noticeApartMs}::int8
    from chosen, wallet, app_user
    where guardian_change.id = chosen.id and wallet.id = guardian_change.wallet_id and app_user.id = wallet.owner_id
    returning guardian_change.*, app_user.email, wallet.address`.execute(db);
  return rows;
}
