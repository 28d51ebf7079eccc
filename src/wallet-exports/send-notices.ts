import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { type NoticeQueue, neverDue, sendDueNotices } from "../people/due-notices.js";
import type { NoticeNeeds } from "../people/send-notice.js";
import { renderNotice } from "./notice-mail.js";
import type { WalletExportRow } from "./wallet-export.js";

/** Mails owners what became of exports of their keys: of all that are due, or of one. Returns how many mails were sent. */
export async function sendNotices(
  needs: NoticeNeeds,
  network: Pick<Network, "name" | "clock">,
  only?: { readonly id: string },
): Promise<number> {
  return sendDueNotices(needs, network, queueOf(needs), only);
}

const queueOf = ({ db }: NoticeNeeds): NoticeQueue<WalletExportRow & { readonly email: string }> => ({
  table: "wallet_export",
  claim: async (choose, next) => {
    const { rows } = await sql<WalletExportRow & { readonly email: string }>`
      with ${choose(sql`waiting.noticed_state is distinct from waiting.state`)}
      update wallet_export set ${next} from chosen, app_user
      where wallet_export.id = chosen.id and app_user.id = wallet_export.user_id
      returning wallet_export.*, app_user.email`.execute(db);
    return rows;
  },
  render: renderNotice,
  noteSent: ({ id, state }) =>
    db.updateTable("wallet_export").set({ noticed_state: state }).where("id", "=", id).execute(),
  // Of a state that it has left meanwhile it is due anew.
  giveUp: ({ id, state }) =>
    db
      .updateTable("wallet_export")
      .set({ notice_due_at: neverDue })
      .where("id", "=", id)
      .where("state", "=", state)
      .execute(),
});
