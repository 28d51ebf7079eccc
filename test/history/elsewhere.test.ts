import { randomBytes } from "node:crypto";
import type { Address } from "@solana/kit";
import {
  addSpendingLimitAction,
  deriveSpendingLimitAddress,
  executeSettingsTransactionSyncInstruction,
  Period,
  useSpendingLimitInstruction,
} from "@trellis/program-client";
import { addressOfKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { createHistoryFollower } from "../../src/history/follow-histories.js";
import { wakeChanged } from "../../src/proposals/follow-proposals.js";
import { callsOn, openAccount, openChainClient, payee } from "../proposals/index-chain-client.js";
import { useTestNetwork } from "../support/scene.js";
import { transactionsOf, transfersOf } from "./support.js";

/** What other clients do with an account, and what uses a spending limit, without a report to the service. */
const test = useTestNetwork({ each: true });

describe("the history of an account", () => {
  it("has what a spending limit paid", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    const client = await openChainClient(test);
    const [member] = account.members as [Uint8Array];
    const spender = new Uint8Array(randomBytes(32));
    const seed = addressOfKey(new Uint8Array(randomBytes(32)));
    const settings = account.settings;
    const limit = {
      seed,
      mint: null,
      amountBaseUnits: 5_000_000n,
      period: Period.Day,
      signers: [addressOfKey(spender)],
      destinations: [],
      expiration: null,
    };
    later();
    const members = [addressOfKey(member)];
    const actions = [addSpendingLimitAction(limit)];
    await client.send(
      [executeSettingsTransactionSyncInstruction({ settings, members, rentPayer: client.payerAddress, actions })],
      [member],
    );
    later();
    const use = useSpendingLimitInstruction({
      settings,
      spendingLimit: deriveSpendingLimitAddress(settings, seed),
      signer: addressOfKey(spender),
      destination: payee,
      amountBaseUnits: 2_000_000n,
      token: null,
    });
    const signature = await client.send([use], [spender]);
    expect(await transfersOf(test, account.address, { type: "outflow" })).toMatchObject([
      { signature, amount: "2000000", from_address: account.address, to_address: payee },
    ]);
    const kinds = (await transactionsOf(test, account.address)).map(({ kind }) => kind);
    expect(kinds.slice(0, 2)).toEqual(["spending_limit_payment", "settings_change"]);
    expect(kinds.slice(2).sort()).toEqual(["account_creation", "deposit"]);
  });

  it("has proposals, votes and executions by others, and nothing of other accounts' creation", async () => {
    const account = await openAccount(test, { members: 2, threshold: 2 });
    const client = await openChainClient(test);
    const calls = callsOn(account, client, 1n);
    later();
    await calls.createPayment(1_000_000n);
    later();
    await calls.vote("approve", 0);
    later();
    await calls.vote("approve", 1);
    later();
    await calls.executePayment(1_000_000n);
    later();
    await calls.close();
    await openAccount(test, { members: 1, threshold: 1 });
    const listed = await transactionsOf(test, account.address);
    expect(listed.slice(0, 5).map(({ kind }) => kind)).toEqual([
      "proposal_close",
      "proposal_execution",
      "proposal_vote",
      "proposal_vote",
      "proposal_creation",
    ]);
    expect(
      listed
        .slice(5)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(["account_creation", "deposit"]);
    expect(await transfersOf(test, account.address, { type: "outflow" })).toMatchObject([
      { amount: "1000000", to_address: payee },
    ]);
  });

  it("is recorded after it happens, without a request", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    const follower = createHistoryFollower(test.needs);
    const count = async () =>
      (
        await test.needs.db
          .selectFrom("history_transfer")
          .selectAll()
          .where("account_address", "=", account.address)
          .execute()
      ).length;
    const tick = async () => {
      test.needs.realClock.advance(5_000);
      await wakeChanged(test.needs.db, test.network);
      await follower.tick(test.network);
    };
    await tick();
    expect(await count()).toBe(1);
    const address: Address = account.address;
    await test.network.sandbox?.mintTo(address, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" as Address, 5n);
    await tick();
    expect(await count()).toBe(2);
    // Nothing is due any more until something happens.
    await tick();
    const subscriptions = await test.needs.db.selectFrom("history_watch").select("due_at").execute();
    expect(subscriptions).toEqual([{ due_at: null }]);
  });
});

const later = () => test.needs.realClock.advance(2_000);
