import { eachOf } from "@trellis/kernel/each-of.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { type NoticeQueue, neverDue, sendDueNotices } from "../people/due-notices.js";
import type { NoticeNeeds } from "../people/send-notice.js";
import { renderNotice } from "./notice-mail.js";
import type { CompletedImportRow } from "./wallet-import.js";
import { completeImport, findUnnoted } from "./wallet-import-store.js";

/** Mails owners whose keys were imported: all that are due, or one. Returns how many mails were sent. */
export async function sendImportNotices(
  needs: NoticeNeeds,
  network: Pick<Network, "name" | "clock">,
  only?: { readonly id: string },
): Promise<number> {
  return sendDueNotices(needs, network, queueOf(needs), only);
}

/**
 * Notes what a custodian did where a process died before it could, then mails owners. What fails of the first holds up nothing of the
 * second.
 */
export async function resumeImports(needs: NoticeNeeds, network: Pick<Network, "name" | "clock">): Promise<void> {
  await eachOf([noteImports, sendImportNotices], 1, async (step) => {
    await step(needs, network);
  });
}

const notedAtOnce = 100;

async function noteImports({ db, realClock }: NoticeNeeds, { name }: Pick<Network, "name">): Promise<void> {
  await eachOf(await findUnnoted(db, name, notedAtOnce), 1, async ({ id, imported_wallet_id, imported_at }) => {
    const times = { importedAt: Number(imported_at), realNow: realClock.now() };
    await completeImport(db, id, times, imported_wallet_id);
  });
}

const queueOf = ({ db }: NoticeNeeds): NoticeQueue<CompletedImportRow & { readonly email: string }> => ({
  table: "wallet_import",
  claim: async (choose, next) => {
    const { rows } = await sql<CompletedImportRow & { readonly email: string }>`
      with ${choose(sql`waiting.state = 'imported' and not waiting.is_noticed`)}
      update wallet_import set ${next} from chosen, app_user
      where wallet_import.id = chosen.id and app_user.id = wallet_import.user_id
      returning wallet_import.*, app_user.email`.execute(db);
    return rows;
  },
  render: renderNotice,
  noteSent: ({ id }) => db.updateTable("wallet_import").set({ is_noticed: true }).where("id", "=", id).execute(),
  giveUp: ({ id }) => db.updateTable("wallet_import").set({ notice_due_at: neverDue }).where("id", "=", id).execute(),
});
