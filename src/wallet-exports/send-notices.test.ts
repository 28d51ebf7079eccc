import { randomUUID } from "node:crypto";
import { limits } from "@trellis/kernel/limits.js";
import { type Mailer, MailRefused } from "@trellis/kernel/ports/mail.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { createRecipient, exportsOf } from "../../test/support/wallet-exports.js";
import { sendNotices } from "./send-notices.js";
import { endExport } from "./wallet-export-store.js";

const test = useTestNetwork({ each: true });
const hourMs = 3_600_000;

/** The sandbox sends nothing. */
const devnet = (): Network => ({ ...test.network, name: "devnet" });

const sendBy = (send: Mailer["send"]) =>
  sendNotices({ ...test.needs, mailer: { senderName: "Trellis", send } }, devnet());

/** An export of devnet whose owner was not mailed. */
async function leave() {
  const { id } = await exportsOf(test, await test.openHolder("owner@example.org")).order(createRecipient());
  const unsent = { noticed_state: null, notice_due_at: 2n, notice_tries: 0, environment: "devnet" };
  const { db } = test.needs;
  return db.updateTable("wallet_export").set(unsent).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

describe("A notice that the mail server refuses", () => {
  for (const [name, failure] of [
    ["refuses", () => new MailRefused("rejected", "no")],
    ["answers otherwise", () => new Error("no such answer")],
  ] as const) {
    it(`is tried ever more rarely, and given up after a day, where it ${name}`, async () => {
      const { id } = await leave();
      const began = test.needs.realClock.now();
      const tries: number[] = [];
      const refuse = async () => {
        tries.push((test.needs.realClock.now() - began) / 60_000);
        throw failure();
      };
      for (let minute = 0; minute < 3 * 24 * 60; minute += 1) {
        await sendBy(refuse).catch(() => undefined);
        test.needs.realClock.advance(minute < 60 ? 60_000 : hourMs);
        if (minute > 120) break;
      }
      expect(tries.slice(0, 4)).toEqual([0, 1, 6, 36]);
      expect(tries).toHaveLength(limits.noticeTries);
      expect(tries.at(-1)).toBeGreaterThan(20 * 60);
      // What becomes of it afterwards is mailed.
      const now = test.needs.realClock.now();
      await endExport(test.needs.db, id, "cancelled", { now: test.network.clock.now(), realNow: now });
      expect(await sendBy(async () => undefined)).toBe(1);
    });
  }
});

describe("Owners", () => {
  it("are mailed once, by however many processes, while each mail takes as long as it may", async () => {
    const row = await leave();
    const copies = Array.from({ length: 59 }, () => ({ ...row, id: randomUUID() }));
    await test.needs.db.insertInto("wallet_export").values(copies).execute();
    const mailed: string[] = [];
    const note = (text: string) => mailed.push(/Export: (\S+)\./.exec(text)?.[1] ?? "");
    await sendBy(async ({ text }) => {
      // Four at once, ten seconds each.
      test.needs.realClock.advance(2_500);
      if (mailed.length % 10 === 9) await sendBy(async (other) => void note(other.text));
      note(text);
    });
    expect(mailed).toHaveLength(60);
    expect(new Set(mailed).size).toBe(60);
  });

  it("are not mailed while their tenant is frozen, and no try is counted", async () => {
    const { id, tenant_id } = await leave();
    const { db } = test.needs;
    const freeze = (at: bigint | null) =>
      db.updateTable("tenant").set({ frozen_at: at }).where("id", "=", tenant_id).execute();
    await freeze(1n);
    expect(await sendBy(async () => undefined)).toBe(0);
    await freeze(null);
    const row = await db.selectFrom("wallet_export").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ noticed_state: null, notice_tries: 0 });
    expect(await sendBy(async () => undefined)).toBe(1);
  });
});
