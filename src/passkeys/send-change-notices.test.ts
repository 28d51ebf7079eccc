import { limits } from "@trellis/kernel/limits.js";
import { type Mailer, MailRefused } from "@trellis/kernel/ports/mail.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { noteDelayedChange, sendChangeNotices } from "./send-change-notices.js";

const test = useTestNetwork({ each: true });

/** The sandbox sends nothing. */
const devnet = (): Network => ({ ...test.network, name: "devnet" });

const sendBy = (send: Mailer["send"]) =>
  sendChangeNotices({ ...test.needs, mailer: { senderName: "Trellis", send } }, devnet());

/** Notes changes of one wallet. */
async function openWallet() {
  const { address, verified } = await test.openHolder("owner@example.org");
  const signer = verified.policies.signers[0]?.address ?? "";
  const wallet = test.needs.db.selectFrom("wallet").select("id").where("address", "=", signer);
  const { id: walletId } = await wallet.executeTakeFirstOrThrow();
  const account = { address, tenantId: "tenant-1" };
  return (changeId: string) =>
    noteDelayedChange(test.needs, devnet(), { account, walletId, changeId, notBefore: 86_400_000 });
}

it("A change that begins to wait while a mail is sent is in the next, by whichever process", async () => {
  const note = await openWallet();
  await note("b");
  const texts: string[] = [];
  const keep: Mailer["send"] = async ({ text }) => void texts.push(text);
  await sendBy(async (mail) => {
    // Before and behind it in the order of names.
    await Promise.all([note("a"), note("c")]);
    expect(await sendBy(keep)).toBe(0);
    await keep(mail);
  });
  test.needs.realClock.advance(limits.changeNoticesApartMs - 1);
  expect(await sendBy(keep)).toBe(0);
  test.needs.realClock.advance(1);
  expect(await Promise.all([sendBy(keep), sendBy(keep)])).toContain(1);
  expect(texts).toHaveLength(2);
  expect(texts[0]).toContain("sign a change of who");
  expect(texts[1]).toContain("sign 2 changes of who");
});

it("A mail that is given up keeps no later change from being mailed", async () => {
  const note = await openWallet();
  await note("a");
  for (let tried = 0; tried < limits.noticeTries; tried += 1) {
    await sendBy(() => Promise.reject(new MailRefused("rejected", "no")));
    test.needs.realClock.advance(limits.noticeBackOffMs.at(-1) ?? 0);
  }
  expect(await sendBy(async () => undefined)).toBe(0);
  await note("b");
  expect(await sendBy(async () => undefined)).toBe(1);
});
