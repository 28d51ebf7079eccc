import { randomBytes } from "node:crypto";
import { type Address, createNoopSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressOfKey, type CreateProposalRequest, type SignerKey, signTransaction } from "@trellis/sdk";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CrashSite, openCrashSite, type ServiceProcess } from "../crash/crashing-service.js";
import {
  answerOf,
  type Holder,
  idOf,
  lamportsOf,
  openAccount,
  outcomeOf,
  preparePayment,
  type SignedPayment,
} from "../crash/honest-client.js";
import { expectSponsorshipSettled, submissionStates } from "../crash/invariants.js";
import { postgresUrl } from "../support/test-database.js";
import { buildTransaction } from "../vectors/build-sync-transaction.js";
import { expectRecordsMatchChain } from "./records-match-chain.js";
import { type SandboxProcess, startSandboxProcess } from "./sandbox-process.js";

/** The machine may be busy with other things. */
const timeoutMs = 240_000;

let chain: SandboxProcess;
let site: CrashSite;
let first: ServiceProcess;
let second: ServiceProcess;
let ada: Holder;
let grace: Holder;

describe.runIf(postgresUrl !== undefined)("two services on one database", { timeout: timeoutMs }, () => {
  beforeAll(async () => {
    chain = await startSandboxProcess();
    site = await openCrashSite();
    first = await start(firstName);
    second = await start(secondName);
    ada = await openAccount(first.client, "ada@example.org", startMoney);
    grace = await openAccount(second.client, "grace@example.org", startMoney);
  }, timeoutMs);
  afterAll(async () => {
    await site?.close();
    await chain?.stop();
  });

  it("make one effect and one answer of the same submit sent to both at once", async () => {
    const before = await lamportsOf(first.client, grace.address);
    for (let i = 1; i <= 20; i += 1) {
      const [here, there] = i % 2 === 0 ? [first, second] : [second, first];
      const payment = await preparePayment(here.client, ada, grace.address, BigInt(i));
      const answers = await Promise.all(
        [here, there].map(({ client }) => client.transactions.submit(ada.address, payment.submit)),
      );
      expect(answers[1], `payment ${i}`).toEqual(answers[0]);
      expect(await lamportsOf(here.client, grace.address)).toBe(before + BigInt((i * (i + 1)) / 2));
    }
  });

  it("let one complete the work that the other one was killed at, and nothing is lost or doubled", async () => {
    let leftOpen = 0;
    // In the middle of twelve submits, which are written one by one or together: when the first bytes are kept, and before and
    // after the first outcomes are recorded.
    const outcomes = "with final as|with decided as";
    for (const point of ["after 1 with open as", `before 1 ${outcomes}`, `after 1 ${outcomes}`]) {
      const before = await lamportsOf(second.client, grace.address);
      const payments: SignedPayment[] = [];
      for (let i = 1; i <= 12; i += 1) payments.push(await preparePayment(first.client, ada, grace.address, BigInt(i)));
      const connections = (db: Db) => countConnections(db, firstName);
      expect(await site.inspect(connections)).toBeGreaterThan(0);
      await first.doom(point);
      const reported = await Promise.all(
        payments.map(({ submit }) => outcomeOf(first.client.transactions.submit(ada.address, submit))),
      );
      expect(await first.exited).toMatchObject({ signal: "SIGKILL" });
      expect(reported.map(({ kind }) => kind)).toContain("silent");

      // A pass resumes what was left alone for twenty seconds. The client has not retried by then.
      await site.inspect(async (db) => {
        // The server still does what it was sent before the kill.
        await expect.poll(() => connections(db), { timeout: 60_000 }).toBe(0);
        const begun = await countSubmissions(db);
        leftOpen += await countSubmissions(db, ["signed", "sent"]);
        await chain.advanceClock(21);
        await expect.poll(() => countSubmissions(db, ["signed", "sent"]), { timeout: 60_000, interval: 250 }).toBe(0);
        expect(await countSubmissions(db)).toBe(begun);
      });
      const stored = await site.inspect((db) => submissionStates(db, payments.map(idOf)));
      let paid = 0n;
      for (const [i, payment] of payments.entries()) {
        const repeated = await outcomeOf(second.client.transactions.submit(ada.address, payment.submit));
        const former = reported[i];
        // What never was stored can have grown too old by now; then it can never be confirmed.
        if (repeated.kind === "refused" && former?.kind === "silent" && !stored.has(idOf(payment))) {
          expect(repeated.code).toBe("payload_expired");
          continue;
        }
        const answer = answerOf(repeated);
        if (former?.kind === "answered") expect(answer).toEqual(former.value);
        paid += payment.amount;
      }
      expect(await lamportsOf(second.client, grace.address)).toBe(before + paid);
      first = await start(firstName);
    }
    expect(leftOpen).toBeGreaterThan(0);
  });

  it("show each other's proposals, and close them once", async () => {
    const key: SignerKey = new Uint8Array(randomBytes(32));
    const { address: treasury } = await first.client.accounts.createCustom({
      policies: {
        signers: [{ address: addressOfKey(key), permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] }],
        threshold: 1,
      },
    });
    await first.client.sandbox.airdrop({ address: treasury, currency: "sol", amount: "1000000000" });
    const opened = [];
    for (const { client } of [first, second, first, second]) {
      const content = { type: "transfer", currency: "sol", destination: grace.address, amount: 1_000n } as const;
      opened.push((await client.proposals.create({ account: treasury, content, keys: [key] })).proposalAddress);
    }
    for (const { client } of [first, second]) {
      expect(await listed(client, treasury)).toEqual(opened.map((address) => [address, "Active"]));
    }
    for (const [i, proposal] of opened.entries()) {
      const { client } = i % 2 === 0 ? second : first;
      await client.proposals.vote({ account: treasury, proposal, action: "reject", keys: [key] });
    }
    for (const { client } of [first, second]) {
      expect(await listed(client, treasury)).toEqual(opened.map((address) => [address, "Rejected"]));
    }

    await chain.advanceClock(hourSeconds);
    await site.inspect(async (db) => {
      const closed = () =>
        db.selectFrom("proposal").select("transaction_index").where("chain_status", "=", "closed").execute();
      // Both read once a minute.
      await expect.poll(closed, { timeout: 150_000, interval: 500 }).toHaveLength(opened.length);
      // One may see on the chain what the other has yet to record.
      const unrecorded = () =>
        db
          .selectFrom("submission")
          .select("state")
          .where("purpose", "=", "proposal_close")
          .where("state", "!=", "landed")
          .execute();
      await expect.poll(unrecorded, { timeout: 60_000, interval: 500 }).toEqual([]);
    });
  });

  it("make one batch, and one proposal through a buffer, where one is killed half way and the other one continues", async () => {
    const key: SignerKey = new Uint8Array(randomBytes(32));
    const signer = addressOfKey(key);
    const permissions = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;
    const policies = { signers: [{ address: signer, permissions }] };
    for (const kind of ["batch", "buffer"]) {
      const { address: treasury } = await second.client.accounts.createCustom({
        policies: { ...policies, threshold: 1 },
      });
      for (const address of [treasury, signer]) {
        await second.client.sandbox.airdrop({ address, currency: "sol", amount: "1000000000" });
      }
      const pay = (to: Address) =>
        getTransferSolInstruction({
          source: createNoopSigner(treasury as Address),
          destination: to,
          amount: 1_000_000n,
        });
      const payees = Array.from({ length: 20 }, () => addressOfKey(new Uint8Array(randomBytes(32))));
      const written = (...to: Address[]) => buildTransaction(treasury as Address, to.map(pay));
      const content =
        kind === "batch"
          ? { transactions: Array.from({ length: 10 }, (_, i) => written(...payees.slice(2 * i, 2 * i + 2))) }
          : { transaction: written(...payees) };
      const body: CreateProposalRequest = { type: "custom", ...content, signer, approve: true };
      const prepareAt = async ({ client }: ServiceProcess) => {
        const { transactions, proposalAddress } = await client.proposals.prepareCreate(treasury, body);
        const signed = transactions.map((one) => signTransaction(one, [key]));
        return { proposal: proposalAddress, transactions: signed, kms_payloads: signed.map(() => []) };
      };
      let { proposal, ...submit } = await prepareAt(first);
      expect(submit.transactions.length).toBeGreaterThan(1);
      await first.doom("after 2 with open as");
      const submitTo = ({ client }: ServiceProcess) => outcomeOf(client.transactions.submit(treasury, submit));
      await Promise.all([submitTo(first), submitTo(first), submitTo(first), submitTo(first)]);
      expect(await first.exited).toMatchObject({ signal: "SIGKILL" });
      await chain.advanceClock(21);
      const isDone = async () => {
        const reported = await submitTo(second);
        // On a slow machine the rest grows too old meanwhile: a repeated request resumes where it stopped.
        const refused = reported.kind === "refused" ? reported.code : reported.kind;
        const failed = reported.kind === "answered" ? reported.value.partial_failure?.error_code : refused;
        if (failed === "payload_expired") ({ proposal, ...submit } = await prepareAt(second));
        return reported.kind === "answered" && failed === undefined;
      };
      await expect.poll(isDone, { timeout: 60_000, interval: 500 }).toBe(true);
      first = await start(firstName);
      const again = await Promise.all([submitTo(first), submitTo(second)]);
      expect(again[0]).toEqual(again[1]);
      for (const { client } of [first, second]) expect(await listed(client, treasury)).toHaveLength(1);
      for (let turns = 0; turns < 10; turns += 1) {
        const { status } = await second.client.proposals.get(treasury, proposal);
        if (status === "Executed") break;
        await second.client.proposals.execute({ account: treasury, proposal, keys: [key] });
      }
      for (const payee of payees) {
        const { value } = await chain.rpc.getBalance(payee, { commitment: "confirmed" }).send();
        expect(value).toBe(1_000_000n);
      }
    }
  });

  it("leave nothing open, nothing unrecorded, and budgets that are exact", async () => {
    expect(await first.stop()).toEqual({ code: 0, signal: null });
    expect(await second.stop()).toEqual({ code: 0, signal: null });
    // One more start is a recovery pass.
    expect(await (await start(firstName)).stop()).toEqual({ code: 0, signal: null });
    await site.inspect(async (db) => {
      expect(await countSubmissions(db, ["signed", "sent"])).toBe(0);
      await expectSponsorshipSettled(db);
      await expectRecordsMatchChain(db, chain.rpc);
    });
  });
});

const startMoney = 1_000_000_000n;

/** What the server calls the connections of each. */
const [firstName, secondName] = ["first of two", "second of two"];

/** Rejected proposals give their rent back after an hour. */
const hourSeconds = 3_601;

async function countSubmissions(db: Db, states?: readonly ("signed" | "sent")[]): Promise<number> {
  const rows = await db.selectFrom("submission").select("state").execute();
  return rows.filter(({ state }) => states === undefined || states.some((one) => one === state)).length;
}

async function countConnections(db: Db, name: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int4 as count from pg_stat_activity
    where datname = current_database() and application_name = ${name}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Oldest first. */
async function listed(client: ServiceProcess["client"], account: string): Promise<readonly (readonly string[])[]> {
  const { proposals } = await client.proposals.page(account);
  return proposals.map(({ proposalAddress, status }) => [proposalAddress, status]).reverse();
}

const start = (name: string) => site.start({ TRELLIS_SANDBOX_RPC_URL: chain.url, PGAPPNAME: name });
