import { randomBytes } from "node:crypto";
import { createSolanaRpcFromTransport, type KeyPairSigner, type RpcTransport, type Signature } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { sandboxMints } from "@trellis/sandbox/node/genesis.js";
import { createLocalRpc } from "@trellis/sandbox/node/local-rpc.js";
import type { SandboxNode } from "@trellis/sandbox/node/sandbox-node.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../src/adapters/db/open-database.js";
import { openTestDatabase } from "../support/test-database.js";
import { buildTransaction, createTestClock, freshAddress, fundedSigner, openTestNode } from "./sandbox-rpc-fixture.js";

type Method = (...params: unknown[]) => { send(): Promise<unknown> };

describe("the short way to a node in the same process", () => {
  const realClock = createTestClock();
  let database: OpenDatabase;
  let node: SandboxNode;
  let payer: KeyPairSigner;

  beforeAll(async () => {
    database = await openTestDatabase();
    node = await openTestNode(database.db, { realClock });
    payer = await fundedSigner(node, 10_000_000_000n);
  });
  afterAll(async () => {
    await node.close();
    await database.close();
  });

  /** The result of a call by one of the two ways, errors included; the second call gets the first one's answer. */
  const outcome = async (rpc: unknown, method: string, params: unknown[]) => {
    try {
      return { result: await ((rpc as Record<string, Method>)[method] as Method)(...params).send() };
    } catch (error) {
      const { name, message, context, cause } = error as Error & { context?: unknown };
      return { name, message, context, cause: cause instanceof Error ? { ...cause, message: cause.message } : cause };
    }
  };

  async function sameBothWays(method: string, ...params: unknown[]) {
    // One answer of the node for both, so that a slot or a clock between the two makes no difference.
    let answer: unknown;
    const transport: RpcTransport = async <Response>({ payload }: { payload: unknown }) =>
      (answer ?? (await node.handle(payload))) as Response;
    const short = await outcome(
      createLocalRpc(async (payload) => {
        answer = await node.handle(payload);
        return answer;
      }),
      method,
      params,
    );
    const long = await outcome(createSolanaRpcFromTransport(transport), method, params);
    expect(short).toEqual(long);
    expect(short).toHaveProperty(answer === undefined || "error" in (answer as object) ? "message" : "result");
    return short;
  }

  const base64 = { encoding: "base64" } as const;

  it("answers as the long way does, for every method and for what is unusual about it", async () => {
    const noCaller = await freshAddress();
    const signature = (await node.airdrop(payer.address, 5n)) as Signature;
    // With inner instructions, of the token account that is created, and token balances.
    const minted = await node.mintTo(payer.address, sandboxMints.USDC, 1_000_000n);
    const tokens = (await node.rpc
      .getTokenAccountsByOwner(payer.address, { mint: sandboxMints.USDC }, base64)
      .send()) as unknown as { value: { pubkey: string }[] };
    const token = tokens.value[0]?.pubkey;
    expect(token).toBeDefined();
    for (const address of [payer.address, noCaller, sandboxMints.USDC, token, "rubbish"]) {
      for (const config of [
        base64,
        { encoding: "jsonParsed" },
        { encoding: "base58" },
        undefined,
        { ...base64, dataSlice: { offset: 0, length: 8 } },
        { ...base64, minContextSlot: 2n ** 60n },
        { ...base64, minContextSlot: 2n ** 40n },
        { ...base64, commitment: "nonsense" },
      ]) {
        await sameBothWays("getAccountInfo", address, config);
        await sameBothWays("getMultipleAccounts", [address, payer.address], config);
      }
    }
    await sameBothWays("getSignatureStatuses", [signature]);
    await sameBothWays("getSignatureStatuses", [signature, "1".repeat(64)], { searchTransactionHistory: true });
    await sameBothWays("getSignatureStatuses", ["x"]);
    for (const method of [
      "getSlot",
      "getBlockHeight",
      "getLatestBlockhash",
      "getRecentPrioritizationFees",
      "getVersion",
    ]) {
      await sameBothWays(method);
    }
    await sameBothWays("getLatestBlockhash", { commitment: "confirmed" });
    await sameBothWays("getRecentPrioritizationFees", [payer.address]);
    for (const slot of [1_000n, 10n ** 12n, 2n ** 63n, -1n, "x"]) await sameBothWays("getBlockTime", slot);
    for (const size of [0n, 165n, 2n ** 60n]) await sameBothWays("getMinimumBalanceForRentExemption", size);
    for (const landed of [signature, minted, "1".repeat(88), "x"]) {
      for (const encoding of ["json", "base64", "jsonParsed"]) {
        await sameBothWays("getTransaction", landed, { maxSupportedTransactionVersion: 0, encoding });
        await sameBothWays("getTransaction", landed, { encoding });
      }
    }
    await sameBothWays("getSignaturesForAddress", payer.address);
    await sameBothWays("getTokenAccountBalance", token);
    await expect(sameBothWays("noSuchMethod")).resolves.toHaveProperty("message");
  });

  it("simulates, sends and refuses as the long way does", async () => {
    const to = await freshAddress();
    const wireOf = async (amount: bigint) =>
      (await buildTransaction(node.rpc, payer, [getTransferSolInstruction({ source: payer, destination: to, amount })]))
        .wire;
    const fine = await wireOf(1_000_000n);
    const tooMuch = await wireOf(10n ** 15n);
    for (const wire of [fine, tooMuch, randomBytes(200).toString("base64"), "*"]) {
      for (const config of [
        { ...base64, sigVerify: false, replaceRecentBlockhash: false },
        { ...base64, replaceRecentBlockhash: true },
        { ...base64, innerInstructions: true },
        { ...base64, accounts: { addresses: [payer.address], encoding: "jsonParsed" } },
      ]) {
        await sameBothWays("simulateTransaction", wire, config);
      }
    }
    await sameBothWays("sendTransaction", tooMuch, base64);
    await sameBothWays("sendTransaction", randomBytes(200).toString("base64"), { ...base64, skipPreflight: true });
    await sameBothWays("sendTransaction", fine, { ...base64, skipPreflight: true, maxRetries: 0n });
    await sameBothWays("sendTransaction", await wireOf(10n ** 15n - 1n), { ...base64, skipPreflight: true });
    await sameBothWays("sendTransaction", fine, base64);
  });
});
