import { type Address, generateKeyPairSigner, type KeyPairSigner, type Signature } from "@solana/kit";
import { getCreateAccountInstruction, getTransferSolInstruction } from "@solana-program/system";
import { limits } from "@trellis/kernel/limits.js";
import { noFaults } from "@trellis/sandbox/node/faults.js";
import { sandboxMints } from "@trellis/sandbox/node/genesis.js";
import type { SandboxNodeOptions } from "@trellis/sandbox/node/sandbox-node.js";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  buildTransaction,
  createTestClock,
  createTestLog,
  freshAddress,
  fundedSigner,
  systemProgram,
  useTestNode,
} from "./sandbox-rpc-fixture.js";

const node = useTestNode(() => ({ realClock, log, onStored, onLanded: (addresses) => named.push(...addresses) }));
let payer: KeyPairSigner;
beforeAll(async () => {
  payer = await fundedSigner(node, 1_000n * sol);
});
beforeEach(async () => {
  await node.setFaults(noFaults);
  // Transfers alike in everything, sent within one slot, are one transaction.
  pass(1);
  stored.length = 0;
  named.length = 0;
});

describe("a node that lags", () => {
  it("stands still where it was, follows at its distance, and never moves back", async () => {
    const before = await slotOf();
    await lagBy(3);
    const seen = [await slotOf()];
    for (let slot = 0; slot < 6; slot += 1) {
      pass(1);
      seen.push(await slotOf());
    }
    // It began with a slot of its own: two more pass before it moves.
    expect(seen.map((slot) => slot - before)).toEqual([0n, 0n, 0n, 1n, 2n, 3n, 4n]);
    await lagBy(5);
    const later = [await slotOf()];
    for (let slot = 0; slot < 4; slot += 1) {
      pass(1);
      later.push(await slotOf());
    }
    expect(later.map((slot) => slot - before)).toEqual([4n, 4n, 4n, 5n, 6n]);
    await lagBy(0);
    expect((await slotOf()) - before).toBe(11n);
  });

  it("knows of a transaction when it has reached its slot, everywhere at once", async () => {
    const to = await freshAddress();
    await node.mintTo(payer.address, sandboxMints.USDC, 1n);
    await lagBy(4);
    const { wire, signature } = await signedTransfer(to);
    expect(await send(wire)).toBe(signature);
    await node.mintTo(to, sandboxMints.USDC, 7n);
    const landedAt = (await slotOf()) + 1n;
    const supply = { supply: 0n };
    const view = async () => {
      const { context, value: account } = await node.rpc.getAccountInfo(to, base64).send();
      const [several, tokens, programs, supplied, statuses] = await Promise.all([
        node.rpc.getMultipleAccounts([to], base64).send(),
        node.rpc.getTokenAccountsByOwner(to, { mint: sandboxMints.USDC }, { encoding: "jsonParsed" }).send(),
        node.rpc
          .getProgramAccounts(tokenProgram, {
            ...base64,
            filters: [{ memcmp: { offset: 32n, bytes: to as never, encoding: "base58" } }],
          })
          .send(),
        node.rpc.getTokenSupply(sandboxMints.USDC).send(),
        node.rpc.getSignatureStatuses([signature]).send(),
      ]);
      expect(several.context.slot).toBe(context.slot);
      expect(await lamportsOf(to)).toBe(account?.lamports ?? 0n);
      expect(several.value[0]?.lamports ?? 0n).toBe(account?.lamports ?? 0n);
      expect(tokens.value).toHaveLength(programs.length);
      const known = [
        account !== null,
        tokens.value.length > 0,
        BigInt(supplied.value.amount) > supply.supply,
        statuses.value[0] !== null,
        (await statusOf(signature, true)) !== null,
        (await node.rpc.getTransaction(signature, { encoding: "json", maxSupportedTransactionVersion: 0 }).send()) !==
          null,
        (await node.rpc.getSignaturesForAddress(to).send()).length === 2,
      ];
      expect(new Set(known).size, JSON.stringify(known)).toBe(1);
      return { isKnown: known[0], slot: context.slot };
    };
    supply.supply = BigInt((await node.rpc.getTokenSupply(sandboxMints.USDC).send()).value.amount);
    const seen: (boolean | undefined)[] = [];
    for (let slot = 0; slot < 7; slot += 1) {
      const { isKnown, slot: at } = await view();
      expect(isKnown).toBe(at >= landedAt);
      seen.push(isKnown);
      pass(1);
    }
    expect(seen).toEqual([false, false, false, false, true, true, true]);
    expect(await statusOf(signature)).toMatchObject({ slot: landedAt, confirmationStatus: "finalized" });
  });

  it("reports all of it at once when the clock is moved past it, or when it no longer lags", async () => {
    for (const end of [() => node.advanceClock(60), () => lagBy(0)]) {
      await lagBy(100);
      const to = await freshAddress();
      const { wire, signature } = await signedTransfer(to);
      await send(wire);
      pass(50);
      expect(await statusOf(signature, true)).toBeNull();
      await end();
      expect(await statusOf(signature)).toMatchObject({ err: null });
      expect(await lamportsOf(to)).toBe(sol);
      await lagBy(0);
    }
  });

  it("reports several changes of one account one after the other, each in its slot", async () => {
    const to = await freshAddress();
    await lagBy(10);
    // Its newest blockhash stays the same for as long as it stands still: payments that are alike would be one.
    for (const amount of [1n, 2n, 4n]) {
      await send((await signedTransfer(to, amount * sol)).wire);
      pass(2);
    }
    const balances: bigint[] = [];
    const transactions: number[] = [];
    for (let slot = 0; slot < 10; slot += 1) {
      balances.push((await lamportsOf(to)) / sol);
      transactions.push((await node.rpc.getSignaturesForAddress(to).send()).length);
      pass(1);
    }
    expect(balances).toEqual([0n, 0n, 0n, 0n, 1n, 1n, 3n, 3n, 7n, 7n]);
    expect(transactions).toEqual([0, 0, 0, 0, 1, 1, 2, 2, 3, 3]);
  });

  it("reports to subscribers, and to the service, no earlier", async () => {
    const to = await freshAddress();
    await lagBy(4);
    const client = listen();
    const { wire, signature } = await signedTransfer(to);
    await client.subscribe("accountSubscribe", to, { encoding: "base64" });
    await client.subscribe("signatureSubscribe", signature);
    await client.subscribe("logsSubscribe", { mentions: [to] });
    await client.subscribe("programSubscribe", "11111111111111111111111111111111", { encoding: "base64" });
    await send(wire);
    pass(3);
    await slotOf();
    expect(client.told).toEqual([]);
    expect([stored, named]).toEqual([[], []]);
    pass(1);
    const slot = Number(await slotOf());
    expect(client.told.map(({ method }) => method).sort()).toEqual([
      "accountNotification",
      "logsNotification",
      "programNotification",
      "programNotification",
      "signatureNotification",
    ]);
    expect(new Set(client.told.map(({ result }) => result.context.slot))).toEqual(new Set([slot]));
    expect(stored).toContainEqual({ address: to, before: 0n, after: sol });
    expect(named).toContain(to);
    client.close();
  });

  it("has blocks, blockhashes, fees, counts and samples of where it is, and refuses what is later", async () => {
    await lagBy(5);
    const counted = await node.rpc.getTransactionCount().send();
    const fresh = await node.rpc.getLatestBlockhash().send();
    await send((await signedTransfer(await freshAddress())).wire);
    const slot = await slotOf();
    expect(fresh.context.slot).toBe(slot);
    expect(fresh.value.lastValidBlockHeight).toBe(slot + 150n);
    expect((await node.rpc.getEpochInfo({ commitment: "processed" }).send()).absoluteSlot).toBe(slot);
    expect(await node.rpc.getBlockHeight({ commitment: "confirmed" }).send()).toBe(slot);
    expect(await node.rpc.getTransactionCount().send()).toBe(counted);
    expect((await node.rpc.getBlocks(slot - 2n).send()).at(-1)).toBe(slot - 1n);
    expect((await node.rpc.getRecentPrioritizationFees().send()).at(-1)?.slot).toBe(slot);
    await expect(node.rpc.getBlock(slot, { maxSupportedTransactionVersion: 0 }).send()).rejects.toMatchObject({
      context: { __code: -32_004 },
    });
    await expect(node.rpc.getBlockTime(slot + 1n).send()).rejects.toMatchObject({ context: { __code: -32_004 } });
    await expect(node.rpc.getBalance(payer.address, { minContextSlot: slot + 1n }).send()).rejects.toMatchObject({
      context: { __code: -32_016 },
    });
    const clockSysvar = "SysvarC1ock11111111111111111111111111111111" as Address;
    const { value: sysvar } = await node.rpc.getAccountInfo(clockSysvar, base64).send();
    expect(Buffer.from(sysvar?.data[0] ?? "", "base64").readBigUInt64LE(0)).toBe(slot);
    pass(6);
    expect(await node.rpc.getTransactionCount().send()).toBe(counted + 1n);
    // A blockhash from elsewhere is one it has not seen yet.
    const now = await slotOf();
    await lagBy(0);
    const { value: newer } = await node.rpc.getLatestBlockhash().send();
    expect((await slotOf()) > now).toBe(true);
    expect((await node.rpc.isBlockhashValid(newer.blockhash).send()).value).toBe(true);
  });

  it("says that it is behind when it is far behind, as validators do", async () => {
    await lagBy(140);
    expect(await node.rpc.getHealth().send()).toBe("ok");
    pass(130);
    const answer = await node.handle({ jsonrpc: "2.0", id: 1, method: "getHealth" });
    expect(answer).toMatchObject({
      error: { code: -32_005, message: "Node is behind by 131 slots", data: { numSlotsBehind: 131 } },
    });
  });

  it("still knows of the latest minutes without reading through its ledger", async () => {
    const { wire, signature } = await signedTransfer(await freshAddress());
    await send(wire);
    await lagBy(limits.sandboxLagMax);
    pass(limits.sandboxLagMax + 140);
    expect(await statusOf(signature)).toMatchObject({ err: null });
    pass(20);
    expect(await statusOf(signature)).toBeNull();
    expect(await statusOf(signature, true)).toMatchObject({ err: null });
  });

  it("counts all the lamports there were, and who had the most", async () => {
    const rich = await freshAddress();
    pass(30);
    await lagBy(60);
    const reported = async () => {
      const { value } = await node.rpc.getLargestAccounts().send();
      return value.find(({ address }) => address === rich)?.lamports ?? 0n;
    };
    const { value: before } = await node.rpc.getSupply().send();
    expect(await reported()).toBe(0n);
    // Another read than the one that is answered for ten seconds.
    pass(30);
    await node.airdrop(rich, 5_000n * sol);
    pass(35);
    const { value: meanwhile } = await node.rpc.getSupply().send();
    expect(meanwhile.total).toBe(before.total);
    expect(await reported()).toBe(0n);
    pass(80);
    expect(await reported()).toBe(5_000n * sol);
    expect((await node.rpc.getSupply().send()).value.total).toBe(before.total - 5_000n);
  });

  it("simulates and reads first on what it knows, and passes on what then fails on chain", async () => {
    const poor = await fundedSigner(node, sol);
    const to = await freshAddress();
    const first = await signedTransfer(to, sol - 5_000n, poor);
    pass(1);
    await lagBy(5);
    await send(first.wire);
    const second = await signedTransfer(await freshAddress(), sol / 2n, poor);
    const simulated = await node.rpc
      .simulateTransaction(second.wire, { ...base64, accounts: { encoding: "base64", addresses: [poor.address] } })
      .send();
    expect(simulated.value.err).toBeNull();
    expect(simulated.value.accounts?.[0]?.lamports).toBe(sol / 2n - 5_000n);
    // The head is as it was: the simulation has left nothing behind.
    expect(await send(second.wire)).toBe(second.signature);
    pass(6);
    expect(await lamportsOf(poor.address)).toBe(0n);
    expect(await lamportsOf(to)).toBe(sol - 5_000n);
    // Its payer could not even pay for it.
    expect(await statusOf(second.signature, true)).toBeNull();
  });

  it("lets a transaction fail on chain that would have been refused, and its payer pays", async () => {
    const spender = await fundedSigner(node, 2n * sol);
    pass(1);
    await lagBy(5);
    await send((await signedTransfer(await freshAddress(), sol + sol / 2n, spender)).wire);
    const { wire, signature } = await signedTransfer(await freshAddress(), sol, spender);
    expect(await send(wire)).toBe(signature);
    pass(6);
    expect(await statusOf(signature)).toMatchObject({ err: { InstructionError: [0n, { Custom: 1n }] } });
    expect(await lamportsOf(spender.address)).toBe(sol / 2n - 10_000n);
  });

  it("refuses what it does not know to be paid for yet, and takes it later", async () => {
    const late = await freshAddress();
    await lagBy(5);
    const heir = await fundedSigner(node, sol);
    const { wire } = await signedTransfer(late, sol / 2n, heir);
    await expect(send(wire)).rejects.toMatchObject({ context: { __code: -32_002 } });
    pass(6);
    await send(wire);
    pass(6);
    expect(await lamportsOf(late)).toBe(sol / 2n);
  });

  it("passes on what has expired elsewhere, and nothing becomes of it", async () => {
    await lagBy(20);
    pass(20);
    const { wire, signature, lastValidBlockHeight } = await signedTransfer(await freshAddress());
    pass(140);
    expect((await slotOf()) < lastValidBlockHeight).toBe(true);
    expect(await send(wire)).toBe(signature);
    pass(40);
    expect((await slotOf()) > lastValidBlockHeight).toBe(true);
    expect(await statusOf(signature, true)).toBeNull();
  });

  it("lags less where more transactions landed than it keeps, and says so by its slot", async () => {
    await lagBy(100);
    const before = await slotOf();
    const { wire, signature } = await signedTransfer(await freshAddress());
    await send(wire);
    pass(1);
    await Promise.all(Array.from({ length: limits.sandboxLagTransactionsMax }, () => node.airdrop(payer.address, 1n)));
    // What was oldest is known, and with it all of its slot.
    expect((await slotOf()) > before).toBe(true);
    expect(await statusOf(signature)).toMatchObject({ err: null });
  }, 120_000);

  it("lags less where what it keeps of accounts is large, however few transactions change them", async () => {
    const large = await generateKeyPairSigner();
    const space = 4 * 1024 * 1024;
    const rent = await node.rpc.getMinimumBalanceForRentExemption(BigInt(space)).send();
    const create = getCreateAccountInstruction({
      payer,
      newAccount: large,
      lamports: rent,
      space: BigInt(space),
      programAddress: systemProgram,
    });
    await send((await buildTransaction(node.rpc, payer, [create])).wire);
    pass(1);
    await lagBy(100);
    const before = await slotOf();
    // Each is kept as it was and as it is.
    const kept = limits.sandboxLagBytesMax / (2 * space);
    for (let changes = 1; changes < kept; changes += 1) {
      pass(1);
      await node.airdrop(large.address, 1n);
    }
    expect(await slotOf()).toBe(before);
    for (let changes = 0; changes < 2; changes += 1) {
      pass(1);
      await node.airdrop(large.address, 1n);
    }
    expect((await slotOf()) > before).toBe(true);
    expect((await lamportsOf(large.address)) > rent).toBe(true);
  });
});

describe("a fork that is left", () => {
  const forked = { confirmationStatus: "processed", confirmations: 0n, err: null };

  it("shows a transaction as processed for a few slots, and then it has never been", async () => {
    const to = await freshAddress();
    await node.setFaults({ ...noFaults, fork: 1 });
    const { wire, signature } = await signedTransfer(to);
    const before = await lamportsOf(payer.address);
    expect(await send(wire)).toBe(signature);
    const landedAt = await slotOf();
    for (let slot = 0; slot < limits.sandboxForkSlots; slot += 1) {
      expect(await statusOf(signature, true)).toMatchObject({ ...forked, slot: landedAt });
      pass(1);
    }
    expect(await statusOf(signature, true)).toBeNull();
    expect(
      await node.rpc.getTransaction(signature, { encoding: "json", maxSupportedTransactionVersion: 0 }).send(),
    ).toBeNull();
    expect(await node.rpc.getSignaturesForAddress(to).send()).toEqual([]);
    expect(await lamportsOf(to)).toBe(0n);
    expect(await lamportsOf(payer.address)).toBe(before);

    expect(await send(wire)).toBe(signature);
    expect(await statusOf(signature)).toMatchObject({ confirmationStatus: "finalized", err: null });
    expect(await lamportsOf(to)).toBe(sol);
    // A repetition is none.
    expect(await send(wire, { skipPreflight: true })).toBe(signature);
    expect(await lamportsOf(to)).toBe(sol);
  });

  it("is over when the same bytes are sent again, before it ends on its own", async () => {
    const to = await freshAddress();
    await node.setFaults({ ...noFaults, fork: 2 });
    const { wire, signature } = await signedTransfer(to);
    for (const times of [1, 2]) {
      await send(wire);
      expect(await statusOf(signature), `sent ${times} times`).toMatchObject(forked);
      pass(1);
    }
    await send(wire);
    expect(await statusOf(signature)).toMatchObject({ confirmationStatus: "finalized" });
    expect(await lamportsOf(to)).toBe(sol);
  });

  it("is reported to readers at commitment processed, and to no others", async () => {
    const to = await freshAddress();
    await node.setFaults({ ...noFaults, fork: 1 });
    const { wire, signature } = await signedTransfer(to);
    const [hasty, careful] = [listen(), listen()];
    for (const [client, commitment] of [
      [hasty, "processed"],
      [careful, "confirmed"],
    ] as const) {
      await client.subscribe("signatureSubscribe", signature, { commitment });
      await client.subscribe("logsSubscribe", { mentions: [to] }, { commitment });
      await client.subscribe("accountSubscribe", to, { commitment, encoding: "base64" });
    }
    await send(wire);
    const methods = ({ told: reported }: ReturnType<typeof listen>) => reported.map(({ method }) => method);
    expect(methods(hasty)).toEqual(["logsNotification", "signatureNotification"]);
    expect(methods(careful)).toEqual([]);
    const late = listen();
    await late.subscribe("signatureSubscribe", signature, { commitment: "processed" });
    expect(methods(late)).toEqual(["signatureNotification"]);

    await send(wire);
    expect(methods(hasty).slice(2)).toEqual(["accountNotification", "logsNotification"]);
    expect(methods(careful)).toEqual(["accountNotification", "logsNotification", "signatureNotification"]);
    for (const { close } of [hasty, careful, late]) close();
  });

  it("takes nothing that preflight refuses, and shows what fails there as failed", async () => {
    await node.setFaults({ ...noFaults, fork: 1 });
    const poor = await fundedSigner(node, sol);
    const { wire, signature } = await signedTransfer(await freshAddress(), 2n * sol, poor);
    await expect(send(wire)).rejects.toMatchObject({ context: { __code: -32_002 } });
    expect(await statusOf(signature)).toBeNull();
    const failed = { err: { InstructionError: [0n, { Custom: 1n }] } };
    expect(await send(wire, { skipPreflight: true })).toBe(signature);
    expect(await statusOf(signature)).toMatchObject({ ...failed, confirmationStatus: "processed" });
    expect(await lamportsOf(poor.address)).toBe(sol);
    await send(wire, { skipPreflight: true });
    expect(await statusOf(signature)).toMatchObject({ ...failed, confirmationStatus: "finalized" });
    expect(await lamportsOf(poor.address)).toBe(sol - 5_000n);
  });

  it("is known to a node that lags when it has reached its slot, and no longer than elsewhere", async () => {
    const to = await freshAddress();
    await node.setFaults({ ...noFaults, fork: 1, lag: 4 });
    const client = listen();
    const { wire, signature } = await signedTransfer(to);
    await client.subscribe("signatureSubscribe", signature, { commitment: "processed" });
    await send(wire);
    const seen: string[] = [];
    for (let slot = 0; slot < limits.sandboxForkSlots + 6; slot += 1) {
      const status = await statusOf(signature);
      seen.push(status?.confirmationStatus ?? "unknown");
      expect(client.told.length).toBe(slot >= 4 ? 1 : 0);
      pass(1);
    }
    const unknown = (times: number) => Array.from({ length: times }, () => "unknown");
    expect(seen).toEqual([
      ...unknown(4),
      ...Array.from({ length: limits.sandboxForkSlots }, () => "processed"),
      ...unknown(2),
    ]);
    expect(await lamportsOf(to)).toBe(0n);
    client.close();
  });
});

it("nothing of all this was an error", () => {
  expect(log.entries.filter(({ level }) => level === "error")).toEqual([]);
});

/** A node that lags on purpose, and forks that are left (gap 126): what it shows, slot by slot, with a clock that stands still. */
const sol = 1_000_000_000n;
const slotMs = 400;
const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" as Address;
const base64 = { encoding: "base64" } as const;
const realClock = createTestClock();
const log = createTestLog();
/** What the service is told, which reads by JSON-RPC like everybody. */
const stored: { address: Address; before: bigint; after: bigint }[] = [];
const named: Address[] = [];

async function signedTransfer(to: Address, amount = sol, from = payer) {
  const transfer = getTransferSolInstruction({ source: from, destination: to, amount });
  return buildTransaction(node.rpc, from, [transfer]);
}

type Wire = Awaited<ReturnType<typeof signedTransfer>>["wire"];

const pass = (slots: number) => realClock.moveMs(slots * slotMs);

const lagBy = (lag: number) => node.setFaults({ ...noFaults, lag });

const slotOf = () => node.rpc.getSlot({ commitment: "processed" }).send();

const statusOf = async (signature: Signature, deep = false) =>
  (await node.rpc.getSignatureStatuses([signature], { searchTransactionHistory: deep }).send()).value[0];

const lamportsOf = async (address: Address) => (await node.rpc.getBalance(address).send()).value;

const send = (wire: Wire, config: { skipPreflight?: boolean } = {}) =>
  node.rpc.sendTransaction(wire, { ...base64, ...config }).send();

/** A conversation with subscriptions; its notifications, without the context's version. */
function listen() {
  const reported: { method: string; result: { context: { slot: number }; value: unknown } }[] = [];
  const answers: { id: number; result: unknown }[] = [];
  const session = node.openSession({
    owner: "test",
    isOpen: () => true,
    deliver: (text) => {
      const message = JSON.parse(text);
      if (message.method === undefined) answers.push(message);
      else reported.push({ method: message.method, result: message.params.result });
    },
    hangUp: () => undefined,
    cutOff: () => undefined,
  });
  return {
    told: reported,
    close: session.close,
    subscribe: async (method: string, ...params: unknown[]) => {
      await session.receive(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
      expect(answers.at(-1)?.result).toEqual(expect.any(Number));
    },
  };
}

const onStored: NonNullable<SandboxNodeOptions["onStored"]> = (address, before, after) =>
  stored.push({ address, before: before?.lamports ?? 0n, after: after?.lamports ?? 0n });
