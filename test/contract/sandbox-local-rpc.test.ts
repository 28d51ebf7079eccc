import { randomBytes } from "node:crypto";
import { createSolanaRpcFromTransport, type KeyPairSigner, type RpcTransport, type Signature } from "@solana/kit";
import { stringifyJsonWithBigInts } from "@solana/rpc-spec-types";
import { getTransferSolInstruction, SYSTEM_PROGRAM_ADDRESS } from "@solana-program/system";
import { sandboxMints } from "@trellis/sandbox/node/genesis.js";
import { createLocalRpc } from "@trellis/sandbox/node/local-rpc.js";
import { beforeAll, describe, expect, it } from "vitest";
import { buildTransaction, createTestClock, freshAddress, fundedSigner, useTestNode } from "./sandbox-rpc-fixture.js";

const realClock = createTestClock();
const node = useTestNode(() => ({ realClock }));
let payer: KeyPairSigner;

describe("the short way to a node in the same process", () => {
  beforeAll(async () => {
    payer = await fundedSigner(node, 10_000_000_000n);
  });

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
    for (const config of [undefined, { limit: 2 }, { commitment: "confirmed" }, { commitment: "finalized" }]) {
      await sameBothWays("getSignaturesForAddress", payer.address, config);
      await sameBothWays("getBalance", payer.address, config);
      await sameBothWays("getSlot", config);
      await sameBothWays(
        "getTokenAccountsByOwner",
        payer.address,
        { mint: sandboxMints.USDC },
        { ...base64, ...config },
      );
      await sameBothWays("getProgramAccounts", SYSTEM_PROGRAM_ADDRESS, { ...base64, ...config });
    }
    await sameBothWays(
      "getTokenAccountsByOwner",
      payer.address,
      { mint: sandboxMints.USDC },
      { encoding: "jsonParsed" },
    );
    await sameBothWays("getEpochInfo");
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

type Method = (...params: unknown[]) => { send(): Promise<unknown> };

const base64 = { encoding: "base64" } as const;

/** What comes of a call by one of the two ways, errors included; the second call gets the first one's answer. */
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
  const asked: unknown[] = [];
  const note = ({ method: name, params: sent }: { readonly method?: unknown; readonly params?: unknown }) =>
    asked.push(JSON.parse(stringifyJsonWithBigInts([name, sent])));
  const transport: RpcTransport = async <Response>({ payload }: { payload: unknown }) => {
    note(payload as object);
    return (answer ?? (await node.handle(payload))) as Response;
  };
  const short = await outcome(
    createLocalRpc(async (payload) => {
      note(payload as object);
      answer = await node.handle(payload);
      return answer;
    }),
    method,
    params,
  );
  const long = await outcome(createSolanaRpcFromTransport(transport), method, params);
  expect(short).toEqual(long);
  expect(short).toHaveProperty(answer === undefined || "error" in (answer as object) ? "message" : "result");
  expect(asked[0]).toEqual(asked[1]);
  return short;
}
