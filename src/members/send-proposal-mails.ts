import { eachOf } from "@trellis/kernel/each-of.js";
import { DatabaseUnavailable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { type NoticeQueue, neverDue, sendDueNotices } from "../people/due-notices.js";
import type { NoticeNeeds } from "../people/send-notice.js";
import { type ProposalDigest, renderProposalMail } from "./proposal-mail.js";
import { parseSettings } from "./proposal-mail-settings.js";
import {
  type ClaimedMail,
  claimMails,
  findNews,
  handOnNews,
  noteMailed,
  noteNothingToTell,
} from "./proposal-mail-store.js";

type Place = Pick<Network, "name" | "clock">;

/** Tenants whose news are handed on in one run. */
const tenantsAtOnce = 100;

/**
 * Mails members what happened to their tenants' proposals, where the tenant has that turned on (gap 210). What fails of one tenant or one
 * mail holds up no other. Any number of processes may do this at once. Returns how many mails were sent.
 */
export async function sendProposalMails(needs: NoticeNeeds, network: Place): Promise<number> {
  let sent = 0;
  await eachOf([handOn, sendDue], 1, async (step) => {
    sent += await step(needs, network);
  });
  return sent;
}

async function handOn({ db, random, realClock, log }: NoticeNeeds, { name }: Place): Promise<number> {
  for (let tenants = 0; tenants < tenantsAtOnce; tenants += 1) {
    try {
      if (!(await handOnNews(db, random, name, realClock.now()))) break;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      log.error(
        { event: "proposal_news_kept", err: error, environment: name },
        "mails about proposals of a tenant are late",
      );
    }
  }
  return 0;
}

const sendDue = (needs: NoticeNeeds, network: Place): Promise<number> =>
  sendDueNotices(needs, network, queueOf(needs, network));

/** `digest` throws what kept it from being read: that concerns this mail alone, and it is tried again as one that was refused. */
type DueMail = ClaimedMail & { readonly digest: () => ProposalDigest };

const queueOf = ({ db, realClock }: NoticeNeeds, { name }: Place): NoticeQueue<DueMail> => ({
  table: "proposal_mail",
  claim: async (choose, next) => {
    const due: DueMail[] = [];
    for (const claimed of await claimMails(db, name, choose(sql`true`), next, realClock.now())) {
      try {
        const settings = parseSettings(claimed.proposal_mails);
        const found = await findNews(db, name, claimed, settings);
        const digest = { environment: name, tenantName: claimed.tenant_name, settings, ...found };
        // Of kinds that the tenant does not want any more, or of before the time for which events are kept.
        if (found.count === 0) await noteNothingToTell(db, claimed, realClock.now());
        else due.push({ ...claimed, digest: () => digest });
      } catch (error) {
        const digest = () => {
          throw error;
        };
        due.push({ ...claimed, digest });
      }
    }
    return due;
  },
  render: ({ digest }, senderName) => renderProposalMail(digest(), senderName),
  noteSent: (mail) => noteMailed(db, mail, realClock.now()),
  // With what happens next, what this would have told is mailed after all.
  giveUp: ({ id }) => db.updateTable("proposal_mail").set({ notice_due_at: neverDue }).where("id", "=", id).execute(),
});
