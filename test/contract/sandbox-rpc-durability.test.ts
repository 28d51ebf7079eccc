import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import {
  type Base64EncodedWireTransaction,
  getBase64Encoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type KeyPairSigner,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressOf } from "@trellis/sandbox/node/address-bytes.js";
import { sandboxMints } from "@trellis/sandbox/node/genesis.js";
import { SandboxFencedError } from "@trellis/sandbox/node/ledger-store.js";
import type { SandboxNode } from "@trellis/sandbox/node/sandbox-node.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../src/adapters/db/open-database.js";
import { openTestDatabase } from "../support/test-database.js";
import {
  buildTransaction,
  createBreakableDatabase,
  createTestClock,
  createTestLog,
  freshAddress,
  fundedSigner,
  openTestNode,
  programAddress,
} from "./sandbox-rpc-fixture.js";

describe("a sandbox chain", () => {
  const withDatabase = async (work: (db: Db) => Promise<void>) => {
    const database = await openTestDatabase();
    try {
      await work(database.db);
    } finally {
      await database.close();
    }
  };

  it("is the same chain after a restart, and still refuses what it has run", () =>
    withDatabase(async (db) => {
      const realClock = createTestClock();
      const first = await openTestNode(db, { realClock });
      const payer = await fundedSigner(first, 10n * sol);
      const to = await freshAddress();
      const { wire, signature } = await buildTransaction(first.rpc, payer, [transferOf(payer, to)]);
      await send(first, wire);
      await first.mintTo(to, sandboxMints.PYUSD, 42n);
      const emptied = await fundedSigner(first, sol);
      await send(first, (await buildTransaction(first.rpc, emptied, [transferOf(emptied, to, sol - 5_000n)])).wire);
      await first.advanceClock(40);
      const reported = async (node: SandboxNode) => ({
        genesis: await node.rpc.getGenesisHash().send(),
        slot: await node.rpc.getSlot().send(),
        blockhash: (await node.rpc.getLatestBlockhash().send()).value,
        now: node.clock.now(),
        balances: await Promise.all(
          [payer.address, to, emptied.address].map(async (one) => (await node.rpc.getBalance(one).send()).value),
        ),
        tokens: (
          await node.rpc.getTokenAccountsByOwner(to, { mint: sandboxMints.PYUSD }, { encoding: "jsonParsed" }).send()
        ).value,
        transaction: await node.rpc
          .getTransaction(signature, { encoding: "json", maxSupportedTransactionVersion: 0 })
          .send(),
        history: await node.rpc.getSignaturesForAddress(to).send(),
        status: (await node.rpc.getSignatureStatuses([signature]).send()).value,
      });
      const before = await reported(first);
      await first.close();
      await expect(first.handle({ id: 1, jsonrpc: "2.0", method: "getSlot" })).rejects.toThrow("closed");

      const second = await openTestNode(db, { realClock });
      expect(await reported(second)).toEqual(before);
      expect(before.balances).toEqual([9n * sol - 5_000n, 2n * sol - 5_000n, 0n]);
      await expect(send(second, wire)).rejects.toMatchObject({
        context: { __code: -32002 },
        cause: { context: { __code: SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED } },
      });
      await send(second, (await buildTransaction(second.rpc, payer, [transferOf(payer, to)])).wire);
      await second.close();
    }));

  it("never moves back in time, even if the host's clock does", () =>
    withDatabase(async (db) => {
      const realClock = createTestClock();
      const first = await openTestNode(db, { realClock });
      realClock.moveMs(60_000);
      const payer = await fundedSigner(first, sol);
      const slot = await first.rpc.getSlot().send();
      const now = first.clock.now();
      realClock.moveMs(-3_600_000);
      expect(first.clock.now()).toBe(now);
      await first.close();
      const second = await openTestNode(db, { realClock });
      expect(await second.rpc.getSlot().send()).toBe(slot);
      realClock.moveMs(400);
      expect(await second.rpc.getSlot().send()).toBe(slot + 1n);
      expect((await second.rpc.getBalance(payer.address).send()).value).toBe(sol);
      await second.close();
    }));

  it("fills up the funded and places the genesis accounts, once", () =>
    withDatabase(async (db) => {
      const [funded, placed] = [await freshAddress(), await freshAddress()];
      const options = {
        funded: [{ address: funded, lamports: 10n * sol }],
        genesisAccounts: [
          { address: placed, lamports: 2_000_000n, owner: programAddress, data: Uint8Array.of(1, 2, 3) },
        ],
      };
      for (let start = 0; start < 2; start += 1) {
        const node = await openTestNode(db, options);
        expect((await node.rpc.getBalance(funded).send()).value).toBe(10n * sol);
        expect((await node.rpc.getAccountInfo(placed, base64).send()).value).toMatchObject({
          data: [Buffer.from([1, 2, 3]).toString("base64"), "base64"],
          owner: programAddress,
        });
        expect(await node.rpc.getSignaturesForAddress(funded).send()).toHaveLength(1);
        await node.close();
      }
    }));

  it("has one writer: an older node is fenced at its next write and answers no more", () =>
    withDatabase(async (db) => {
      const realClock = createTestClock();
      const older = await openTestNode(db, { realClock });
      const payer = await fundedSigner(older, 10n * sol);
      const to = await freshAddress();
      const { wire } = await buildTransaction(older.rpc, payer, [transferOf(payer, to)]);
      const newer = await openTestNode(db, { realClock });
      await expect(send(older, wire)).rejects.toThrow(SandboxFencedError);
      await expect(older.rpc.getSlot().send()).rejects.toThrow(SandboxFencedError);
      await expect(older.advanceClock(1)).rejects.toThrow(SandboxFencedError);
      await expect(older.airdrop(to, sol)).rejects.toThrow(SandboxFencedError);
      expect((await newer.rpc.getBalance(to).send()).value).toBe(0n);
      await send(newer, wire);
      expect((await newer.rpc.getBalance(to).send()).value).toBe(sol);
      await newer.close();
    }));

  it("fences an older node that moves its clock", () =>
    withDatabase(async (db) => {
      const older = await openTestNode(db);
      const newer = await openTestNode(db);
      await expect(older.advanceClock(1)).rejects.toThrow(SandboxFencedError);
      await expect(older.rpc.getSlot().send()).rejects.toThrow(SandboxFencedError);
      await newer.close();
    }));

  it("undoes what it could not store, reports it to every sender, and continues", () =>
    withDatabase(async (db) => {
      const log = createTestLog();
      const node = await openTestNode(db, { log });
      const payer = await fundedSigner(node, 10n * sol);
      const [one, two] = [await freshAddress(), await freshAddress()];
      const first = await buildTransaction(node.rpc, payer, [transferOf(payer, one)]);
      const second = await buildTransaction(node.rpc, payer, [transferOf(payer, two)]);
      await sql`alter table chain_transaction add constraint full_disk check (slot < 0) not valid`.execute(db);
      const results = await Promise.allSettled([send(node, first.wire), send(node, second.wire)]);
      expect(results.map((result) => result.status)).toEqual(["rejected", "rejected"]);
      expect(log.entries.some((entry) => entry.message.includes("could not store"))).toBe(true);
      const balances = () =>
        Promise.all([payer.address, one, two].map(async (of) => (await node.rpc.getBalance(of).send()).value));
      expect(await balances()).toEqual([10n * sol, 0n, 0n]);
      expect(
        (await node.rpc.getSignatureStatuses([first.signature], { searchTransactionHistory: true }).send()).value,
      ).toEqual([null]);
      await sql`alter table chain_transaction drop constraint full_disk`.execute(db);
      await Promise.all([send(node, first.wire), send(node, second.wire)]);
      expect(await balances()).toEqual([8n * sol - 10_000n, sol, sol]);
      await node.close();
      const reopened = await openTestNode(db);
      expect((await reopened.rpc.getBalance(payer.address).send()).value).toBe(8n * sol - 10_000n);
      await reopened.close();
    }));

  it("acknowledges a transaction whose commit was stored though its answer was lost", () =>
    withDatabase(async (real) => {
      const { db, fate } = createBreakableDatabase(real);
      const node = await openTestNode(db);
      const payer = await fundedSigner(node, 10n * sol);
      const to = await freshAddress();
      const { wire, signature } = await buildTransaction(node.rpc, payer, [transferOf(payer, to)]);
      fate.losesNextAnswer = true;
      expect(await send(node, wire)).toBe(signature);
      expect((await node.rpc.getBalance(to).send()).value).toBe(sol);
      await send(node, (await buildTransaction(node.rpc, payer, [transferOf(payer, to, 2n * sol)])).wire);
      expect((await node.rpc.getBalance(to).send()).value).toBe(3n * sol);
      await node.close();
    }));

  it("answers nothing while it cannot read what is stored, and then what is", () =>
    withDatabase(async (real) => {
      const { db, fate } = createBreakableDatabase(real);
      const node = await openTestNode(db);
      const payer = await fundedSigner(node, 10n * sol);
      const to = await freshAddress();
      const { wire, signature } = await buildTransaction(node.rpc, payer, [transferOf(payer, to)]);
      fate.losesNextAnswer = true;
      fate.staysAway = true;
      const internal = { context: { __code: -32603 } };
      await expect(send(node, wire)).rejects.toMatchObject(internal);
      await expect(node.rpc.getBalance(to).send()).rejects.toMatchObject(internal);
      await expect(send(node, wire)).rejects.toMatchObject(internal);
      fate.unreachable = false;
      expect((await node.rpc.getBalance(to).send()).value).toBe(sol);
      expect((await node.rpc.getSignatureStatuses([signature]).send()).value[0]).toMatchObject({ err: null });
      await expect(send(node, wire)).rejects.toMatchObject({ context: { __code: -32002 } });
      await node.close();
    }));

  it("shows nothing of a transaction before it is stored", () =>
    withDatabase(async (db) => {
      const node = await openTestNode(db);
      const payer = await fundedSigner(node, 10n * sol);
      const to = await freshAddress();
      const { wire, signature } = await buildTransaction(node.rpc, payer, [transferOf(payer, to)]);
      let acknowledged = false;
      const sending = send(node, wire).then(() => {
        acknowledged = true;
      });
      const seen: { acknowledged: boolean; balance: bigint; status: unknown }[] = [];
      while (!acknowledged) {
        const [{ value: balance }, { value: status }] = await Promise.all([
          node.rpc.getBalance(to).send(),
          node.rpc.getSignatureStatuses([signature]).send(),
        ]);
        seen.push({ acknowledged, balance, status: status[0] });
        await new Promise((resolve) => setImmediate(resolve));
      }
      await sending;
      expect(seen.length).toBeGreaterThan(0);
      for (const { balance, status } of seen) expect(balance === sol).toBe(status !== null);
      expect(seen[0]).toMatchObject({ balance: 0n, status: null });
      await node.close();
    }));
});

describe("a sandbox chain whose process is killed", () => {
  it("loses no acknowledged transaction and runs none twice", { timeout: 240_000 }, async () => {
    const directory = await mkdtemp(join(tmpdir(), "trellis-sandbox-"));
    try {
      const acknowledged = new Set<number>();
      const sent = new Map<number, Base64EncodedWireTransaction>();
      for (const round of [0, 1, 2]) {
        // Killed at a different moment each time: after so many acknowledgements, whatever is under way then.
        await loadUntilKilled(directory, round * 1_000_000, 40 + 83 * round, { acknowledged, sent });
      }
      const database = await openDatabase({ kind: "embedded", directory });
      const node = await openTestNode(database.db, { realClock: { now: () => Date.now() } });
      const balanceOf = async (number: number) => (await node.rpc.getBalance(receiver(number)).send()).value;
      expect(acknowledged.size).toBeGreaterThan(300);
      for (const number of acknowledged) expect(await balanceOf(number), `transfer ${number}`).toBe(1_000_000n);
      // Everything is sent again: what had landed is refused, what had not may land now, nothing lands twice.
      for (const [number, wire] of sent) {
        const landedBefore = (await balanceOf(number)) > 0n;
        const outcome = await send(node, wire).then(
          () => "landed",
          () => "refused",
        );
        if (landedBefore) expect(outcome).toBe("refused");
        expect(await balanceOf(number)).toBe(landedBefore || outcome === "landed" ? 1_000_000n : 0n);
        const { signatures, messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(wire));
        const signature = getSignatureFromTransaction({ signatures, messageBytes });
        const found = await node.rpc
          .getTransaction(signature, { encoding: "json", maxSupportedTransactionVersion: 0 })
          .send();
        expect(found !== null).toBe(landedBefore || outcome === "landed");
      }
      await node.close();
      await database.close();
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});

const sol = 1_000_000_000n;
const base64 = { encoding: "base64" } as const;

function receiver(number: number) {
  const bytes = new Uint8Array(32).fill(5);
  new DataView(bytes.buffer).setUint32(0, number);
  return addressOf(bytes);
}

async function loadUntilKilled(
  directory: string,
  first: number,
  acknowledgements: number,
  record: { acknowledged: Set<number>; sent: Map<number, Base64EncodedWireTransaction> },
): Promise<void> {
  const script = fileURLToPath(new URL("./sandbox-rpc-load-child.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, directory, String(first)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<string | null>((resolve) => {
    child.on("close", (_code, signal) => resolve(signal));
  });
  let seen = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, number, wire] = line.split(" ");
    if (word === "sent" && wire !== undefined) record.sent.set(Number(number), wire as Base64EncodedWireTransaction);
    if (word !== "acknowledged") continue;
    record.acknowledged.add(Number(number));
    seen += 1;
    if (seen === acknowledgements) child.kill("SIGKILL");
  }
  expect(await ended).toBe("SIGKILL");
}

const send = (node: SandboxNode, wire: Base64EncodedWireTransaction) => node.rpc.sendTransaction(wire, base64).send();

const transferOf = (payer: KeyPairSigner, to: Awaited<ReturnType<typeof freshAddress>>, amount = sol) =>
  getTransferSolInstruction({ source: payer, destination: to, amount });
