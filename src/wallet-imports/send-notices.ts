import { eachOf } from "@trellis/kernel/each-of.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { chooseAtBothEnds } from "@trellis/kernel/tenant-turns.js";
import { type RawBuilder, sql } from "kysely";
import { type NoticeNeeds, sendNotice } from "../people/send-notice.js";
import { renderNotice } from "./notice-mail.js";
import type { CompletedImportRow } from "./wallet-import.js";
import { completeImport, findUnnoted } from "./wallet-import-store.js";

type Noticed = CompletedImportRow & { readonly email: string };

/** Claims in one pass, and mails at the same time. */
const claimedAtOnce = 100;
const atOnce = 4;

/**
 * Mails owners whose keys were imported: all that are due, or one. What fails is due again later. Before that, what a custodian did
 * is noted where a process died before it could. Both also for a tenant that is frozen, as no archive has its imports. Any number of processes may do this at once; a mail whose sending a crash has hidden
 * is sent twice. Returns how many were sent.
 */
export async function sendImportNotices(
  needs: NoticeNeeds,
  network: Pick<Network, "name" | "clock">,
  only?: { readonly id: string },
): Promise<number> {
  if (only === undefined) await noteImports(needs, network);
  const claimed = await claim(needs, network, only);
  let sent = 0;
  await eachOf(claimed, atOnce, async (row) => {
    if (await send(needs, network, row)) sent += 1;
  });
  return sent;
}

async function noteImports({ db, realClock }: NoticeNeeds, { name }: Pick<Network, "name">): Promise<void> {
  for (const { id, imported_wallet_id, imported_at } of await findUnnoted(db, name, claimedAtOnce)) {
    const times = { importedAt: Number(imported_at), realNow: realClock.now() };
    await completeImport(db, id, times, imported_wallet_id);
  }
}

const queue = {
  table: sql.table("wallet_import"),
  key: "id",
  tenant: sql.ref("waiting.tenant_id"),
  since: sql.ref("waiting.notice_due_at"),
  limit: claimedAtOnce,
};

const chooseOne = (id: string, due: RawBuilder<unknown>) => sql`chosen as (
  select id from wallet_import as waiting where id = ${id} and ${due} for update skip locked)`;

async function claim(
  { db, realClock }: NoticeNeeds,
  network: Pick<Network, "name">,
  only: { readonly id: string } | undefined,
): Promise<readonly Noticed[]> {
  const now = realClock.now();
  const due = sql`waiting.environment = ${network.name}::text and waiting.state = 'imported' and not waiting.is_noticed
    and waiting.notice_due_at <= ${now}::int8`;
  const { rows } = await sql<Noticed>`
    with ${only === undefined ? chooseAtBothEnds({ ...queue, due }) : chooseOne(only.id, due)}
    update wallet_import set notice_due_at = ${now + limits.noticeApartMs}::int8
    from chosen, app_user
    where wallet_import.id = chosen.id and app_user.id = wallet_import.user_id
    returning wallet_import.*, app_user.email`.execute(db);
  return rows;
}

async function send(needs: NoticeNeeds, network: Pick<Network, "name" | "clock">, row: Noticed): Promise<boolean> {
  const content = renderNotice(row, needs.mailer.senderName);
  // What is refused is logged, and due again.
  if (!(await sendNotice(needs, network, { tenantId: row.tenant_id, to: row.email, content }))) return false;
  await needs.db.updateTable("wallet_import").set({ is_noticed: true }).where("id", "=", row.id).execute();
  return true;
}
