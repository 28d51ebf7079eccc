import { eachOf } from "@trellis/kernel/each-of.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { chooseAtBothEnds } from "@trellis/kernel/tenant-turns.js";
import { type RawBuilder, sql } from "kysely";
import { type NoticeNeeds, sendNotice } from "../people/send-notice.js";
import { renderNotice } from "./notice-mail.js";
import type { WalletExportRow } from "./wallet-export.js";

type Noticed = WalletExportRow & { readonly email: string };

/** Claims in one pass, and mails at the same time. */
const claimedAtOnce = 100;
const atOnce = 4;

/**
 * Mails owners what became of exports of their keys: of all that are due, or of one. What fails is due again later. Any number of
 * processes may do this at once; a mail whose sending a crash has hidden is sent twice. Returns how many were sent.
 */
export async function sendNotices(
  needs: NoticeNeeds,
  network: Pick<Network, "name" | "clock">,
  only?: { readonly id: string },
): Promise<number> {
  const claimed = await claim(needs, network, only);
  let sent = 0;
  await eachOf(claimed, atOnce, async (row) => {
    if (await send(needs, network, row)) sent += 1;
  });
  return sent;
}

const queue = {
  table: sql.table("wallet_export"),
  key: "id",
  tenant: sql.ref("waiting.tenant_id"),
  since: sql.ref("waiting.notice_due_at"),
  limit: claimedAtOnce,
};

const chooseOne = (id: string, due: RawBuilder<unknown>) => sql`chosen as (
  select id from wallet_export as waiting where id = ${id} and ${due} for update skip locked)`;

async function claim(
  { db, realClock }: NoticeNeeds,
  network: Pick<Network, "name">,
  only: { readonly id: string } | undefined,
): Promise<readonly Noticed[]> {
  const now = realClock.now();
  const due = sql`waiting.environment = ${network.name}::text and waiting.noticed_state is distinct from waiting.state
    and waiting.notice_due_at <= ${now}::int8 and not is_frozen(waiting.tenant_id)`;
  const { rows } = await sql<Noticed>`
    with ${only === undefined ? chooseAtBothEnds({ ...queue, due }) : chooseOne(only.id, due)}
    update wallet_export set notice_due_at = ${now + limits.noticeApartMs}::int8
    from chosen, app_user
    where wallet_export.id = chosen.id and app_user.id = wallet_export.user_id
    returning wallet_export.*, app_user.email`.execute(db);
  return rows;
}

async function send(needs: NoticeNeeds, network: Pick<Network, "name" | "clock">, row: Noticed): Promise<boolean> {
  const content = renderNotice(row, needs.mailer.senderName);
  // What is refused is logged, and due again.
  if (!(await sendNotice(needs, network, { tenantId: row.tenant_id, to: row.email, content }))) return false;
  await needs.db.updateTable("wallet_export").set({ noticed_state: row.state }).where("id", "=", row.id).execute();
  return true;
}
