import { type Address, createNoopSigner, createSolanaRpcFromTransport, type Rpc, type SolanaRpcApi } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { getCloseAccountInstruction, TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import type { Network } from "@trellis/kernel/ports/network.js";
import { readAccount } from "@trellis/solana/read-accounts.js";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { openControlledAccount, openOrder, orderOf, runsOf, sendAs } from "../../test/support/standing-orders.js";
import { hashOf } from "../../test/support/test-network.js";
import { payStandingOrders } from "./pay-orders.js";
import { judgeFailure } from "./sign-payment.js";

const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" as Address;
const dayMs = 86_400_000;
const test = useTestNetwork();

describe("an account that would hold less SOL than one must", () => {
  it("is named: a payee who has emptied his wallet is not the account's fault", async () => {
    const { network, needs } = test;
    const account = await openControlledAccount(network, "rich holder");
    await network.sandbox?.airdrop(account.address, 100_000_000_000n);
    const payee = serviceKeyOf(hashOf("payee who empties his wallet"));
    await network.sandbox?.airdrop(payee.address, 1_000_000n);
    const startAt = network.clock.now();
    const terms = { id: "poor", amount: 100_000n, frequency: "daily", startAt, payee: payee.address } as const;
    await openOrder(needs.db, network, account, terms);
    await payStandingOrders(needs, network);
    const source = createNoopSigner(payee.address);
    const emptying = getTransferSolInstruction({ source, destination: account.address, amount: 1_100_000n });
    await sendAs(network, [emptying], [payee]);
    await advance(dayMs);
    await payStandingOrders(needs, network);
    expect(await statesOf("poor")).toEqual(["paid", "retrying destination_below_minimum"]);
    await network.sandbox?.airdrop(payee.address, 1_000_000n);
    await advance(300_000);
    await payStandingOrders(needs, network);
    expect(await statesOf("poor")).toEqual(["paid", "paid"]);
  });

  it("is named by its place in the message, and blames no party where that is not known", () => {
    const places = ["fee payer", "executor", "account", "payee", "another"];
    const order = { amount: "1", account_address: "account", payee: "payee" };
    const judge = (index: number, addressAt = (at: number): string | undefined => places[at]) =>
      judgeFailure(
        { error: { InsufficientFundsForRent: { account_index: index } }, logs: [] },
        { order, now: 0, opensTokenAccount: false, addressAt },
      );
    expect(judge(0)).toMatchObject({ kind: "wait", error: "service_unavailable" });
    expect(judge(2)).toEqual({ kind: "refuse", error: "insufficient_balance" });
    expect(judge(3)).toEqual({ kind: "refuse", error: "destination_below_minimum" });
    expect(judge(4)).toEqual({ kind: "refuse", error: "transaction_failed" });
    expect(judge(2, () => undefined)).toEqual({ kind: "refuse", error: "transaction_failed" });
  });
});

describe("an account that is closed between the reading and the trial of a payment", () => {
  const open = async (id: string) => {
    const { network, needs } = test;
    const account = await openControlledAccount(network, `holder of ${id}`);
    const payee = serviceKeyOf(hashOf(`payee of ${id}`));
    await network.sandbox?.mintTo(account.address, usdc, 5_000_000n);
    await network.sandbox?.mintTo(payee.address, usdc, 0n);
    const startAt = network.clock.now();
    const terms = { id, amount: 1_000_000n, frequency: "monthly", startAt, mint: usdc, payee: payee.address } as const;
    const order = await openOrder(needs.db, network, account, terms);
    return { account, payee, order };
  };
  const closing = (account: Address, owner: Address, destination: Address) =>
    getCloseAccountInstruction({ account, destination, owner: createNoopSigner(owner) });

  it("does not count as the limit where it is the payee's token account, which is opened again", async () => {
    const { network, needs } = test;
    const { payee, order } = await open("race");
    const tokenAccount = deriveTokenAccount(payee.address, usdc, TOKEN_PROGRAM_ADDRESS);
    const raced = beforeTrial(network, () =>
      sendAs(network, [closing(tokenAccount, payee.address, payee.address)], [payee]),
    );
    await payStandingOrders(needs, raced);
    expect(await orderOf(needs.db, "race")).toMatchObject({ status: "active", mandate: "active", reason: null });
    expect(await readAccount(network, order.spending_limit_address as Address)).toBeDefined();
    await advance(2_000);
    await payStandingOrders(needs, network);
    expect(await statesOf("race")).toEqual(["paid"]);
  });
});

const statesOf = async (id: string) => (await runsOf(test.needs.db, id)).map((run) => run.slice(17));

const advance = (ms: number) => test.network.sandbox?.advanceClockTo(test.network.clock.now() + ms);

/** Lets something happen between the reading of a payment's accounts and its trial, once. */
function beforeTrial(network: Network, act: () => Promise<void>): Network {
  let isDone = false;
  const rpc = createSolanaRpcFromTransport(async <Response>({ payload }: { payload: unknown }) => {
    if ((payload as { method: string }).method === "simulateTransaction" && !isDone) {
      isDone = true;
      await act();
    }
    return (await network.sandbox?.handleRpc(payload)) as Response;
  }) as Rpc<SolanaRpcApi>;
  return { ...network, rpc };
}
