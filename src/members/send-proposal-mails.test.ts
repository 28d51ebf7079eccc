import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import { type Mailer, type MailMessage, MailRefused } from "@trellis/kernel/ports/mail.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { callsOn, openAccount, openServiceClient } from "../../test/proposals/index-chain-client.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { postgresUrl } from "../../test/support/test-database.js";
import { errorOf, publicKeyOf } from "../../test/support/test-network.js";
import { publishEvents } from "../events/publish-events.js";
import { openMail } from "../people/outgoing-mail.js";
import { passesOf } from "../scheduler/passes.js";
import { deleteProposalMails, getProposalMails, setProposalMails } from "./proposal-mails.js";
import { sendProposalMails } from "./send-proposal-mails.js";

const test = useTestNetwork({ each: true });
const minuteMs = 60_000;
const everything = ["waiting", "approved", "executed"];
/** The sandbox sends nothing: its outbox keeps what would be sent. */
const devnet = (): Network => ({ ...test.network, name: "devnet" });

describe("What members are mailed", () => {
  it("is nothing until their tenant turns it on, and nothing of before that", async () => {
    await addMember("ada@example.org");
    await happen("proposal.created");
    expect(await mailed()).toEqual([]);
    expect(await errorOf(test.call(getProposalMails))).toMatchObject({ status: 404, code: "proposal_mails_not_found" });
    await turnOn();
    expect(await mailed()).toEqual([]);
    await happen("proposal.created", { index: 7 });
    const mails = await mailed();
    expect(mails.map(({ to }) => to)).toEqual(["ada@example.org"]);
    expect(mails[0]?.text).toContain("A proposal waits for votes: number 7 of the account");
    expect(mails[0]?.subject).toBe("Proposals of tenant-1: 1 new");
    expect(mails[0]).not.toHaveProperty("html");
    expect(await mailed()).toEqual([]);
  });

  it("is nothing once it is off, what waits included, and nothing of meanwhile when it is on again", async () => {
    await addMember("ada@example.org");
    await turnOn();
    await happen("proposal.created", { index: 1 });
    await run();
    expect(await test.call(deleteProposalMails)).toMatchObject({ kinds: everything });
    await happen("proposal.created", { index: 2 });
    expect(await mailed()).toEqual([]);
    await turnOn();
    await happen("proposal.created", { index: 3 });
    const [mail] = await mailed();
    expect(numbersIn(mail)).toEqual([3]);
  });

  it("is what votes on chain have come to, of the kinds that the tenant chose", async () => {
    await addMember("ada@example.org", { environments: '["sandbox"]' });
    await turnOn({ kinds: ["waiting", "executed"] });
    const account = await openAccount(test, { members: 1, threshold: 1 });
    const calls = callsOn(account, openServiceClient(test), 1n);
    await calls.createPayment(1_000_000n);
    await follow();
    await calls.vote("approve", 0);
    await follow();
    await runIn(test.network);
    test.needs.realClock.advance(limits.proposalMailGatherMs);
    expect(await runIn(test.network)).toBe(1);
    const [first] = await outbox();
    expect(first?.text).toContain(`Account: ${account.address}`);
    expect(first?.text).toContain("A proposal waits for votes: number 1");
    expect(first?.text).not.toContain("was approved");
    await calls.executePayment(1_000_000n);
    await follow();
    await runIn(test.network);
    test.needs.realClock.advance(limits.proposalMailsApartMs);
    expect(await runIn(test.network)).toBe(1);
    const texts = (await outbox()).map(({ text }) => text);
    expect(texts.filter((text) => text.includes("A proposal was executed: number 1"))).toHaveLength(1);
  });

  it("is in one mail whatever has happened since the last one, the oldest first, and bounded", async () => {
    await addMember("ada@example.org");
    await turnOn();
    for (const index of [1, 2, 3]) await happen("proposal.created", { index });
    await happen("proposal.approved", { index: 1 });
    const [first, ...others] = await mailed();
    expect(others).toEqual([]);
    expect(numbersIn(first)).toEqual([1, 2, 3, 1]);
    expect(first?.subject).toContain("4 new");
    for (let index = 10; index < 50; index += 1) await happen("proposal.created", { index });
    // No sooner than half an hour after the last one.
    expect(await mailed()).toEqual([]);
    test.needs.realClock.advance(limits.proposalMailsApartMs);
    const [second] = await mailed();
    expect(numbersIn(second)).toEqual(Array.from({ length: limits.proposalMailItems }, (_, i) => 10 + i));
    expect(second?.text).toContain(`And ${40 - limits.proposalMailItems} more.`);
  });

  it("is ten mails a day at most, and the next day all that was held back", async () => {
    await addMember("ada@example.org", { environments: '["devnet","mainnet"]' });
    await turnOn();
    test.needs.realClock.advance(86_400_000 - (test.needs.realClock.now() % 86_400_000));
    let count = 0;
    for (let index = 1; index <= 14; index += 1) {
      await happen("proposal.created", { index });
      count += (await mailed()).length;
      test.needs.realClock.advance(limits.proposalMailsApartMs);
    }
    expect(count).toBe(limits.proposalMailsPerDay);
    // The bound is the member's, whatever the environment.
    const mainnet: Network = { ...test.network, name: "mainnet" };
    await happen("proposal.created", { index: 99, network: mainnet });
    expect(await mailed(mainnet)).toEqual([]);
    test.needs.realClock.advance(86_400_000 - (test.needs.realClock.now() % 86_400_000));
    const [next, ...others] = await mailed();
    expect(others).toEqual([]);
    expect(numbersIn(next)).toEqual([11, 12, 13, 14]);
  });

  it("is of the mails of a day only what was mailed: kinds that the tenant does not want use up none", async () => {
    await addMember("ada@example.org");
    test.needs.realClock.advance(86_400_000 - (test.needs.realClock.now() % 86_400_000));
    await turnOn({ kinds: ["executed"] });
    for (let index = 1; index <= limits.proposalMailsPerDay; index += 1) {
      await happen("proposal.created", { index });
      expect(await mailed()).toEqual([]);
    }
    // Nor what the tenant does not want any more once it is due.
    for (let index = 1; index <= limits.proposalMailsPerDay; index += 1) {
      await turnOn();
      await happen("proposal.approved", { index });
      await run();
      await turnOn({ kinds: ["executed"] });
      expect(await mailed()).toEqual([]);
    }
    await happen("proposal.executed", { index: 77 });
    expect((await mailed()).map(numbersIn)).toEqual([[77]]);
  });

  it("is nothing that was passed over, when the tenant wants that kind later", async () => {
    await addMember("ada@example.org");
    await turnOn({ kinds: ["executed"] });
    await happen("proposal.executed", { index: 1 });
    expect((await mailed()).map(numbersIn)).toEqual([[1]]);
    await happen("proposal.created", { index: 2 });
    expect(await mailed()).toEqual([]);
    await turnOn();
    await happen("proposal.created", { index: 3 });
    expect((await mailed(devnet(), limits.proposalMailsApartMs)).map(numbersIn)).toEqual([[3]]);
  });

  it("is not about another tenant's proposals, also for a member of both", async () => {
    const other = await test.addTenant("tenant-2");
    await addMember("ada@example.org");
    await addMember("ada@example.org", { tenant_id: "tenant-2" });
    await addMember("grace@example.org", { tenant_id: "tenant-2" });
    await turnOn();
    await happen("proposal.created", { index: 1, tenantId: "tenant-2" });
    expect(await mailed()).toEqual([]);
    await turnOn({}, other);
    await happen("proposal.created", { index: 2 });
    await happen("proposal.created", { index: 3, tenantId: "tenant-2" });
    const mails = (await mailed()).map((mail) => `${mail.to} ${numbersIn(mail)} ${mail.subject}`);
    expect(mails.toSorted()).toEqual([
      "ada@example.org 2 Proposals of tenant-1: 1 new",
      "ada@example.org 3 Proposals of tenant-2: 1 new",
      "grace@example.org 3 Proposals of tenant-2: 1 new",
    ]);
  });

  it("is nothing for who wants none, is disabled or invited, or does not reach the environment", async () => {
    await addMember("wants@example.org");
    await addMember("wants-none@example.org", { proposal_mails: false });
    await addMember("disabled@example.org", { status: "disabled" });
    await addMember("invited@example.org", { status: "invited" });
    await addMember("elsewhere@example.org", { environments: '["mainnet"]' });
    await turnOn({ environments: ["devnet", "sandbox"] });
    const mainnet: Network = { ...test.network, name: "mainnet" };
    await happen("proposal.created");
    await happen("proposal.created", { network: mainnet });
    expect((await mailed()).map(({ to }) => to)).toEqual(["wants@example.org"]);
    expect(await mailed(mainnet)).toEqual([]);
  });

  it("is nothing any more for who has opted out or was removed before the mail was sent, and nothing of meanwhile", async () => {
    const [ada, grace] = [await addMember("ada@example.org"), await addMember("grace@example.org")];
    await turnOn();
    await happen("proposal.created", { index: 1 });
    await run();
    const { db } = test.needs;
    const want = (proposal_mails: boolean) =>
      db.updateTable("member").set({ proposal_mails }).where("id", "=", ada).execute();
    await want(false);
    await db.deleteFrom("member").where("id", "=", grace).execute();
    expect(await mailed()).toEqual([]);
    await happen("proposal.created", { index: 2 });
    expect(await mailed()).toEqual([]);
    await want(true);
    await happen("proposal.created", { index: 3 });
    expect((await mailed()).map(numbersIn)).toEqual([[3]]);
  });
});

describe("Any number of processes", () => {
  it("mail each member once, while each mail takes as long as it may", async () => {
    const members = Array.from({ length: 40 }, (_, i) => `member-${i}@example.org`);
    for (const email of members) await addMember(email);
    await turnOn();
    await happen("proposal.created");
    await Promise.all([run(), run(), run()]);
    test.needs.realClock.advance(limits.proposalMailGatherMs);
    const sent: string[] = [];
    const sendBy = (send: Mailer["send"]) => run({ send });
    const slow = sendBy(async ({ to }) => {
      // Four at once, ten seconds each.
      test.needs.realClock.advance(2_500);
      if (sent.length % 10 === 9) await sendBy(async (mail) => void sent.push(mail.to));
      sent.push(to);
    });
    await Promise.all([slow, sendBy(async ({ to }) => void sent.push(to))]);
    expect(sent.toSorted()).toEqual(members.toSorted());
  });

  it("hand news on that arrive while others are handed on", async () => {
    await addMember("ada@example.org");
    await turnOn();
    const works: Promise<unknown>[] = [];
    for (let index = 1; index <= 15; index += 1) works.push(happen("proposal.created", { index }), run());
    await Promise.all(works);
    const [mail] = await mailed();
    expect(numbersIn(mail).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, i) => i + 1));
  });

  it("send what a process that was killed had claimed, once its claim has run out, and what came meanwhile with it", async () => {
    await addMember("ada@example.org");
    await turnOn();
    await happen("proposal.created", { index: 1 });
    await run();
    test.needs.realClock.advance(limits.proposalMailGatherMs);
    // It dies between the claim and the mail: nothing comes back.
    void run({ send: () => new Promise<void>(() => undefined) });
    await until(async () => (await triesOf()) === 1);
    await happen("proposal.executed", { index: 1 });
    expect(await mailed(devnet(), 0)).toEqual([]);
    test.needs.realClock.advance(limits.noticeBackOffMs[0]);
    expect((await mailed(devnet(), 0)).map(numbersIn)).toEqual([[1, 1]]);
    expect(await mailed()).toEqual([]);
  });

  it("try again what a mail server refuses, which holds up no other, and tell it with the next news once it was given up", async () => {
    await addMember("refused@example.org");
    await addMember("ada@example.org");
    await turnOn();
    await happen("proposal.created", { index: 1 });
    await run();
    test.needs.realClock.advance(limits.proposalMailGatherMs);
    const refuse = async ({ to }: MailMessage) => {
      if (to.startsWith("refused")) throw new MailRefused("rejected", "no");
    };
    expect(await run({ send: refuse })).toBe(1);
    for (let days = 0; days < 4 * 24; days += 1) {
      test.needs.realClock.advance(60 * minuteMs);
      await run({ send: refuse });
    }
    await happen("proposal.executed", { index: 2 });
    const mails = (await mailed()).map((mail) => `${mail.to} ${numbersIn(mail)}`);
    expect(mails.toSorted()).toEqual(["ada@example.org 2", "refused@example.org 1,2"]);
  });
});

describe("What fails of one tenant", () => {
  it("holds up neither the news nor the mails of another, and is tried again", async () => {
    const { db } = test.needs;
    const other = await test.addTenant("tenant-2");
    await addMember("ada@example.org");
    await addMember("grace@example.org", { tenant_id: "tenant-2" });
    await turnOn();
    await turnOn({}, other);
    const { proposal_mails: set } = await db
      .selectFrom("tenant")
      .select("proposal_mails")
      .where("id", "=", "tenant-1")
      .executeTakeFirstOrThrow();
    const setRaw = (proposal_mails: string | null) =>
      db.updateTable("tenant").set({ proposal_mails }).where("id", "=", "tenant-1").execute();
    /** What no version of the service has stored: it cannot be read. */
    const unreadable = JSON.stringify({ ...JSON.parse(set ?? ""), subject: 1 });
    await happen("proposal.created", { index: 1 });
    await happen("proposal.created", { index: 2, tenantId: "tenant-2" });
    await setRaw(unreadable);
    expect((await mailed()).map((mail) => `${mail.to} ${numbersIn(mail)}`)).toEqual(["grace@example.org 2"]);
    await setRaw(set);
    const due = await sql<{ is_later: boolean }>`select due_at > extract(epoch from now()) * 1000 as is_later
      from proposal_mail_feed where tenant_id = 'tenant-1' and environment = 'devnet'`.execute(db);
    expect(due.rows).toEqual([{ is_later: true }]);
    await sql`update proposal_mail_feed set due_at = 0 where tenant_id = 'tenant-1' and environment = 'devnet'`.execute(
      db,
    );
    await run();
    // The same, of mails that are claimed together.
    await happen("proposal.created", { index: 3, tenantId: "tenant-2" });
    await run();
    await setRaw(unreadable);
    test.needs.realClock.advance(limits.proposalMailsApartMs);
    const sent: MailMessage[] = [];
    const send = async (mail: MailMessage) => void sent.push(mail);
    await expect(run({ send })).rejects.toThrow();
    expect(sent.map((mail) => `${mail.to} ${numbersIn(mail)}`)).toEqual(["grace@example.org 3"]);
    await setRaw(set);
    expect((await mailed()).map((mail) => `${mail.to} ${numbersIn(mail)}`)).toEqual(["ada@example.org 1"]);
  });

  // The embedded database works on one transaction at a time.
  it.runIf(postgresUrl !== undefined)("keeps no event from its place while its news are handed on", async () => {
    const { db } = test.needs;
    const ada = await addMember("ada@example.org");
    await turnOn();
    await happen("proposal.created", { index: 1 });
    const works = await db.transaction().execute(async (trx) => {
      await trx.selectFrom("member").select("id").where("id", "=", ada).forUpdate().execute();
      const handing = run();
      await until(async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
        return rows.length > 0;
      });
      const placing = happen("proposal.created", { index: 2 }).then(() => "placed");
      const first = await Promise.race([placing, sleep(5_000, "waits")]);
      return { handing, placing, first };
    });
    await Promise.all([works.handing, works.placing]);
    expect(works.first).toBe("placed");
    const [mail] = await mailed();
    expect(numbersIn(mail)).toEqual([1, 2]);
  });
});

describe("What strangers wrote", () => {
  it("stands in a mail as data: bounded, with its hidden letters seen, and no link", async () => {
    await addMember("ada@example.org");
    await turnOn();
    const account = await openAccount(test, { members: 1, threshold: 1 });
    const memo = `rent \u202eCDSU\r\nBcc: x@evil.example\u200b https://evil.example/a "quoted" ${"x".repeat(400)}`;
    const { db } = test.needs;
    const row = db.selectFrom("account").selectAll().where("address", "=", account.address);
    const { number: _, ...copied } = await row.executeTakeFirstOrThrow();
    await db
      .insertInto("account")
      .values({ ...copied, memo, environment: "devnet" } as never)
      .execute();
    await happen("proposal.created", { account: account.address });
    const [mail] = await mailed();
    expect(mail?.text).toContain(
      'of the account "rent [U+202E]CDSU[U+000D][U+000A]Bcc: x[@]evil[.]example[U+200B] https[:]//evil[.]example/a ["]quo…"',
    );
    expect(mail?.text).not.toContain("x".repeat(20));
    expect(mail?.text).not.toMatch(/[\r\u202e\u200b]|evil\.example|https:/);
    expect(mail?.text.length).toBeLessThan(1_000);
  });

  it("is not taken for a placeholder, and makes no second line of a subject", async () => {
    await addMember("ada@example.org");
    const name = "{count}\r\nBcc: a@evil.example";
    await test.needs.db.updateTable("tenant").set({ name }).where("id", "=", "tenant-1").execute();
    await turnOn({ subject: "{tenant}/{environment}/{count}", text: "Dear members of {tenant},\nread this: {count}" });
    await happen("proposal.created");
    const [mail] = await mailed();
    expect(mail?.subject).toBe("{count}[U+000D][U+000A]Bcc: a[@]evil[.]example/devnet/1");
    expect(mail?.text).toContain("Dear members of {count}[U+000D][U+000A]Bcc: a[@]evil[.]example,\nread this: 1\n");
  });
});

const turnOn = (body: object = {}, caller: Caller = test.caller) =>
  test.call(setProposalMails, { body: { kinds: everything, ...body }, caller });

async function addMember(email: string, more: object = {}): Promise<string> {
  const id = randomUUID();
  const row = { id, tenant_id: "tenant-1", email, name: null, role: "viewer", created_at: 1n } as const;
  const stands = { environments: '["sandbox","devnet"]', status: "active" } as const;
  await test.needs.db
    .insertInto("member")
    .values({ ...row, ...stands, ...more })
    .execute();
  return id;
}

/** Reports what the trigger on proposals would, of an environment that has no chain here, and gives it its place. */
async function happen(
  type: string,
  {
    index = 1,
    tenantId = "tenant-1",
    network = devnet(),
    account = publicKeyOf("the account"),
  }: { index?: number; tenantId?: string; network?: Network; account?: string } = {},
): Promise<void> {
  const { db } = test.needs;
  const proposalAddress = publicKeyOf(`proposal ${index}`);
  const body = JSON.stringify({ proposalAddress, mainAccountAddress: account, transactionIndex: index });
  await sql`select report(${tenantId}, ${network.name}, ${type}, ${proposalAddress}, ${network.clock.now()}::int8, ${body}::json)`.execute(
    db,
  );
  await publishEvents(db, network);
}

const runIn = (network: Network, mailer: Pick<Mailer, "send"> = { send: async () => undefined }): Promise<number> =>
  sendProposalMails({ ...test.needs, mailer: { senderName: "Trellis", ...mailer } }, network);

const run = (mailer?: Pick<Mailer, "send">): Promise<number> => runIn(devnet(), mailer);

/** What is mailed from now until `waitMs` later, which is what a first mail waits for others. */
async function mailed(network = devnet(), waitMs: number = limits.proposalMailGatherMs): Promise<MailMessage[]> {
  const sent: MailMessage[] = [];
  const send = async (mail: MailMessage) => void sent.push(mail);
  await runIn(network, { send });
  test.needs.realClock.advance(waitMs);
  await runIn(network, { send });
  return sent;
}

const numbersIn = (mail: MailMessage | undefined): number[] =>
  [...(mail?.text ?? "").matchAll(/: number (\d+) of/g)].map(([, number]) => Number(number));

async function triesOf(): Promise<number | undefined> {
  const row = await test.needs.db.selectFrom("proposal_mail").select("notice_tries").executeTakeFirst();
  return row?.notice_tries;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    if (await isSo()) return;
  }
  throw new Error("it never was so");
}

/** Reads the chain for proposals, and gives what happened its place. */
async function follow(): Promise<void> {
  await test.network.sandbox?.advanceClock(10);
  await passesOf(test.needs, test.network)
    .find(({ name }) => name === "follow_proposals")
    ?.run();
  await publishEvents(test.needs.db, test.network);
}

async function outbox(): Promise<readonly MailMessage[]> {
  const rows = await test.needs.db
    .selectFrom("mail")
    .select(["id", "message"])
    .where("purpose", "=", "notice")
    .orderBy("queued_at_real")
    .execute();
  return rows.flatMap(({ id, message }) => (message === null ? [] : [openMail(test.needs.keyring, { id, message })]));
}
