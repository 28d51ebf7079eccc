import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import type { Address } from "@solana/kit";
import { addressOfKey, generateEncryptionKeyPair, type SignerKey, type TrellisClient } from "@trellis/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrations } from "../../src/adapters/db/migrations/index.js";
import { expectRecordsMatchChain } from "../cluster/records-match-chain.js";
import { type SandboxProcess, startSandboxProcess } from "../cluster/sandbox-process.js";
import { type CrashSite, openCrashSite, type ServiceProcess, StartFailed } from "../crash/crashing-service.js";
import {
  accountsOnChain,
  type Holder,
  type Outcome,
  openAccount,
  outcomeOf,
  preparePayment,
  readCode,
  verifyRequest,
} from "../crash/honest-client.js";
import { expectEventsMatchChanges, expectSponsorshipSettled } from "../crash/invariants.js";
import { compileTree } from "../support/compiled-program.js";
import { postgresUrl } from "../support/test-database.js";
import { hasPrevious, previousMigrations, unpackPrevious } from "./previous.js";

/** The machine may be busy with other things. */
const timeoutMs = 600_000;
/** How often each kind of work is done in each part of an upgrade, by all processes together. */
const rounds = 4;

describe.runIf(postgresUrl !== undefined && hasPrevious)("two releases on one database", { timeout: timeoutMs }, () => {
  let folder: string;
  let formerService: string;
  let chain: SandboxProcess;
  let site: CrashSite;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "trellis-releases-"));
    const tree = join(folder, "tree");
    mkdirSync(tree);
    unpackPrevious(tree);
    ({ service: formerService } = await compileTree(tree, join(folder, "former")));
    chain = await startSandboxProcess();
    site = await openCrashSite();
  }, timeoutMs);
  afterAll(async () => {
    await site?.close();
    await chain?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("work through an upgrade that is taken back once, and nothing is lost, doubled or refused", async () => {
    const former = await startService(formerService);
    const load = await beginLoad(former);
    await load.through();

    // Up, through the migrations.
    const first = await startService();
    load.add(first);
    await load.through();

    // Down: the former release goes on alone, on the new schema. It would not start anew there.
    await load.remove(first);
    await load.through();
    const isNewer = Object.keys(migrations).length > previousMigrations().size;
    if (isNewer) await expect(startService(formerService)).rejects.toThrow(StartFailed);

    // And up to the end.
    const second = await startService();
    load.add(second);
    await load.through();
    await load.remove(former);
    await load.through();
    const expected = await load.end();

    await site.inspect(async (db) => {
      const open = () => db.selectFrom("submission").select("id").where("state", "in", ["signed", "sent"]).execute();
      await expect.poll(open, { timeout: timeoutMs, interval: 500 }).toEqual([]);
    });
    // The last orders are yet to be paid.
    await expect.poll(() => load.received(chain), { timeout: timeoutMs, interval: 500 }).toEqual(expected);
    expect(await second.stop()).toEqual({ code: 0, signal: null });
    // One more start is a recovery pass.
    expect(await (await startService()).stop()).toEqual({ code: 0, signal: null });
    expect(await load.received(chain)).toEqual(expected);
    await site.inspect(async (db) => {
      const accounts = await db.selectFrom("account").select("settings_address").execute();
      expect(BigInt(accounts.length)).toBe(await accountsOnChain(chain));
      await expectRecordsMatchChain(db, chain.rpc);
      await expectSponsorshipSettled(db);
      await expectEventsMatchChanges(db);
    });
  });

  const startService = (service?: string) =>
    site.start({ TRELLIS_SANDBOX_RPC_URL: chain.url, TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "10000" }, service);
});

/** What is sent each time, in lamports. */
const amount = 1_000_000n;
/** What everyone begins with. */
const gift = 100_000_000_000n;

/** Lanes of work that go on until they are ended, at the processes in turn: one step of a lane here, the next one there. */
async function beginLoad(first: ServiceProcess) {
  /** Those that get work. */
  const chosen = [first];
  /** Those that answer, of which one may be about to end. */
  const reached = [first];
  const running = new Map<ServiceProcess, Set<Promise<unknown>>>([[first, new Set()]]);
  const unwanted: string[] = [];
  let turn = 0;
  let isEnded = false;
  const nextOf = (services: readonly ServiceProcess[]): ServiceProcess => {
    turn += 1;
    return services[turn % services.length] ?? first;
  };
  const call = async <Value>(does: (client: TrellisClient) => Promise<Value>): Promise<Value> => {
    const service = nextOf(chosen);
    const done = does(service.client);
    running.get(service)?.add(done);
    try {
      return await done;
    } finally {
      running.get(service)?.delete(done);
    }
  };

  const payees = { payments: newAddress(), proposals: newAddress(), orders: newAddress() };
  const give = (address: string) =>
    call(({ sandbox }) => sandbox.airdrop({ address, currency: "sol", amount: gift.toString() }));
  for (const payee of Object.values(payees)) await give(payee);
  const openTreasury = async () => {
    const key: SignerKey = new Uint8Array(randomBytes(32));
    const signer = { address: addressOfKey(key), permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const };
    const { address } = await call(({ accounts }) =>
      accounts.createCustom({ policies: { signers: [signer], threshold: 1 } }),
    );
    for (const each of [address, signer.address]) await give(each);
    return { account: address, keys: [key] };
  };
  const holders: Holder[] = [];
  for (const name of ["ada", "grace", "mary"]) {
    holders.push(await openAccount(first.client, `${name}@example.org`, gift));
  }
  const voting = await openTreasury();
  let ordering = await openTreasury();

  const made = { payments: 0, proposals: 0, orders: 0, accounts: 0 };
  /** Pays, and repeats the same bytes elsewhere where the answer was lost: a process that ends is not spared these. */
  const pay = async (holder: Holder) => {
    const payment = await call((client) => preparePayment(client, holder, payees.payments, amount));
    for (let outcome: Outcome<unknown> = { kind: "silent" }; outcome.kind !== "answered"; ) {
      outcome = await outcomeOf(nextOf(reached).client.transactions.submit(holder.address, payment.submit));
      if (outcome.kind === "refused") throw new Error(`a payment was refused: ${outcome.code}`);
    }
    made.payments += 1;
  };
  const propose = async () => {
    const content = { type: "transfer", currency: "sol", destination: payees.proposals, amount } as const;
    const { proposalAddress } = await call(({ proposals }) => proposals.create({ ...voting, content }));
    const proposal = { ...voting, proposal: proposalAddress };
    await call(({ proposals }) => proposals.vote({ ...proposal, action: "approve" }));
    await call(({ proposals }) => proposals.execute(proposal));
    made.proposals += 1;
  };
  const order = async () => {
    const terms = { currency: "sol", amount, payee: payees.orders, frequency: "monthly" } as const;
    await call(({ standingOrders }) => standingOrders.create({ ...ordering, order: terms }));
    made.orders += 1;
    // An account may have twenty.
    if (made.orders % 20 === 0) ordering = await openTreasury();
  };
  const create = async () => {
    const email = `holder-${made.accounts}@example.org`;
    await call(({ accounts }) => accounts.create({ type: "email", email }));
    const code = await call((client) => readCode(client, email));
    await call(({ accounts }) => accounts.verify(verifyRequest(email, code, generateEncryptionKeyPair())));
    made.accounts += 1;
  };
  const works = [...holders.map((holder) => () => pay(holder)), propose, order, create];
  const lanes = works.map(async (work) => {
    while (!isEnded && unwanted.length === 0) await work().catch((error: unknown) => unwanted.push(inspect(error)));
  });

  return {
    /** Gives it its share from now on. */
    add: (service: ServiceProcess) => {
      running.set(service, new Set());
      chosen.push(service);
      reached.push(service);
    },
    /** Gives it no more work but payments, and ends it. */
    remove: async (service: ServiceProcess) => {
      chosen.splice(chosen.indexOf(service), 1);
      await Promise.allSettled(running.get(service) ?? []);
      expect(await service.stop()).toEqual({ code: 0, signal: null });
      reached.splice(reached.indexOf(service), 1);
    },
    /** Until each kind of work was done some times more. */
    through: async () => {
      const goals = Object.entries(made).map(([kind, count]) => [kind as keyof typeof made, count + rounds] as const);
      const isDone = () => unwanted.length > 0 || goals.every(([kind, goal]) => made[kind] >= goal);
      await expect.poll(isDone, { timeout: timeoutMs, interval: 100 }).toBe(true);
      expect(unwanted).toEqual([]);
    },
    /** Ends it; what each payee has to have in the end. */
    end: async () => {
      isEnded = true;
      await Promise.all(lanes);
      expect(unwanted).toEqual([]);
      const owed = (count: number) => gift + BigInt(count) * amount;
      return { payments: owed(made.payments), proposals: owed(made.proposals), orders: owed(made.orders) };
    },
    /** What each payee has, according to the chain. */
    received: async ({ rpc }: SandboxProcess) => {
      const lamportsOf = async (payee: string) => (await rpc.getBalance(payee as Address).send()).value as bigint;
      return {
        payments: await lamportsOf(payees.payments),
        proposals: await lamportsOf(payees.proposals),
        orders: await lamportsOf(payees.orders),
      };
    },
  };
}

const newAddress = (): string => addressOfKey(new Uint8Array(randomBytes(32)));
