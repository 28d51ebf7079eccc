import type { AddressInfo } from "node:net";
import type { Signature } from "@solana/kit";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { openRemoteSandbox } from "@trellis/sandbox/process/remote-network.js";
import { createSandboxServer } from "@trellis/sandbox/process/server.js";
import { transactionQuestion } from "@trellis/solana/transaction-question.js";
import pino from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { use, useTestNetwork } from "../support/scene.js";

const payee = "9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g" as never;
const other = "EdMSvMoHfsemd2s7eHCrRnuM1dzPu2CpUrHJN98XYC9y" as never;
/** Methods, in the order in which the process was asked. */
const asked: string[] = [];
let nowMs = 1_700_000_000_000;
const test = useTestNetwork();
const remote = use(openRemote);
beforeEach(() => {
  asked.length = 0;
});

describe("what a service remembers of a sandbox process", () => {
  it("is what a landed transaction did, and the time of its slot", async () => {
    const { rpc, blockTimeOf } = remote.network;
    const paid = (await test.network.sandbox?.airdrop(payee, 1_000_000n)) as Signature;
    const found = await rpc.getTransaction(paid, transactionQuestion).send();
    expect(await rpc.getTransaction(paid, transactionQuestion).send()).toEqual(found);
    const slot = found?.slot ?? 0n;
    const time = await blockTimeOf(slot, slot);
    expect(BigInt(time)).toBe(found?.blockTime);
    expect(await blockTimeOf(slot, slot)).toBe(time);
    expect(asked).toEqual(["getTransaction", "getBlockTime"]);
  });

  it("is not what has still to land", async () => {
    const { rpc } = remote.network;
    const unknown = "1".repeat(64) as Signature;
    for (let i = 0; i < 2; i += 1) expect(await rpc.getTransaction(unknown, transactionQuestion).send()).toBeNull();
    expect(asked).toEqual(["getTransaction", "getTransaction"]);
  });

  it("is what others bid, for all accounts, for a second or until the service changes what goes wrong on purpose", async () => {
    const { rpc, sandbox } = remote.network;
    const bidFor = async (...accounts: (typeof payee)[]) =>
      (await rpc.getRecentPrioritizationFees(accounts).send()).at(-1)?.prioritizationFee;
    expect(await bidFor(payee)).toBe(0n);
    expect(await bidFor(other)).toBe(0n);
    expect(asked).toHaveLength(1);
    nowMs += 1_000;
    await bidFor(payee);
    expect(asked).toHaveLength(2);
    await sandbox?.setFaults({ drop: 0, blockhashNotFound: 0, fullBlocks: 0, price: 7, fork: 0, lag: 0 });
    expect(await bidFor(payee)).toBe(7n);
    expect(asked).toHaveLength(3);
  });

  it("is not what an account holds", async () => {
    const { rpc } = remote.network;
    const before = (await rpc.getBalance(other).send()).value;
    await test.network.sandbox?.airdrop(other, 5n * 890_880n);
    expect((await rpc.getBalance(other).send()).value).toBe(before + 5n * 890_880n);
  });
});

/** The chain of the test behind the server of a sandbox process, and a service's network that asks it. */
async function openRemote(): Promise<{ readonly network: Network; close(): Promise<unknown> }> {
  const { network, needs } = test;
  const { sandbox } = network;
  if (sandbox === undefined) throw new Error("the test's chain is a sandbox");
  const answerRpc: typeof sandbox.answerRpc = (text, room) => {
    asked.push((JSON.parse(text) as { readonly method: string }).method);
    return sandbox.answerRpc(text, room);
  };
  const server = await createSandboxServer(
    { ...network, sandbox: { ...sandbox, answerRpc } },
    "key",
    pino({ level: "silent" }),
  );
  await server.listen({ port: 0, host: "127.0.0.1" });
  const opened = await openRemoteSandbox({
    url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/?api-key=key`,
    keyring: createKeyring({ masterKeys: [{ id: "test", key: new Uint8Array(32).fill(7) }], activeId: "test" }),
    realClock: { now: () => nowMs },
    sponsorship: network.sponsorship,
    log: needs.log,
  });
  return { network: opened.network, close: () => server.close() };
}
