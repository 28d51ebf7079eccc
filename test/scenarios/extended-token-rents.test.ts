import type { Address } from "@solana/kit";
import { addressOfKey, type SignerKey, signTransaction } from "@trellis/sdk";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { beforeAll, describe, expect, it } from "vitest";
import { createCustomAccount } from "../../src/accounts/create-custom-account.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { createProposal } from "../../src/proposals/create-proposal.js";
import { executeProposal } from "../../src/proposals/execute-proposal.js";
import { createSpendingLimit } from "../../src/spending-limits/create-spending-limit.js";
import { prepareLimitPayment } from "../../src/spending-limits/prepare-limit-payment.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { everything, may, newKey } from "../proposals/support.js";
import { openPlayedCluster, type PlayedCluster } from "../support/played-cluster.js";
import { useTestNetwork } from "../support/scene.js";
import { hashOf, type TestNetwork } from "../support/test-network.js";
import { type ExtendedMint, openExtendedMint } from "../support/token-2022.js";

/** 165 bytes, the mark, and four extensions of an account of this mint. */
const accountBytes = 191n;
const plainBytes = 165n;
let cluster: PlayedCluster;
let mint: ExtendedMint;
const test = useTestNetwork();
beforeAll(async () => {
  const [key, authority] = [serviceKeyOf(hashOf("an extended mint")), serviceKeyOf(hashOf("its issuer"))];
  mint = await openExtendedMint(test.network, key, authority);
  cluster = await openPlayedCluster(test, [() => undefined], { mints: new Map([["pyusd", mint.address]]) });
});
const owner = newKey();

describe("the token account of a payee, of a mint with extensions", () => {
  it("is announced, reserved and paid for at its whole size by a payment", async () => {
    const [address, to] = [await open(), payee()];
    const prepared = await pay(address, to);
    const rent = await rentOf(accountBytes);
    expect(prepared.fee).toMatchObject({
      rent_lamports: rent.toString(),
      paid_by: cluster.network.feePayer.address,
    });
    await submit(address, prepared.transaction, [owner]);
    expect(await lamportsOf(mint.tokenOf(to))).toBe(rent);
    const costs = await test.needs.db
      .selectFrom("sponsored_cost")
      .select("reserved_lamports")
      .where("account_address", "=", address)
      .where("kind", "=", "token_account_rent")
      .execute();
    expect(costs).toEqual([{ reserved_lamports: rent }]);
  });

  it("is paid for by the account only where it has enough for all of it", async () => {
    const minimum = await rentOf(0n);
    const [nearly, enough] = [
      await open((await rentOf(plainBytes)) + minimum),
      await open((await rentOf(accountBytes)) + minimum),
    ];
    const rent = await rentOf(accountBytes);
    for (const [address, rentLamports] of [
      [nearly, rent],
      [enough, 0n],
    ] as const) {
      const to = payee();
      const prepared = await pay(address, to);
      expect(prepared.fee.rent_lamports).toBe(rentLamports.toString());
      await submit(address, prepared.transaction, [owner]);
      expect(await lamportsOf(mint.tokenOf(to))).toBe(rent);
    }
    expect(await lamportsOf(enough)).toBe(minimum);
  });

  it("is by a payment out of a spending limit", async () => {
    const [address, spender, to] = [await open(), newKey(), payee()];
    const granted = await call<Prepared & { spending_limit_address: string }>(createSpendingLimit, address, {
      amount: "5000000",
      mint: "pyusd",
      period: "day",
      spending_limit_signers: [addressOfKey(spender)],
    });
    await submit(address, granted.transaction, [owner]);
    const paid = await call<Prepared>(
      prepareLimitPayment,
      address,
      { amount: "1000000", signer_address: addressOfKey(spender), recipient_address: to },
      { spending_limit_address: granted.spending_limit_address },
    );
    const rent = await rentOf(accountBytes);
    expect(paid.fee.rent_lamports).toBe(rent.toString());
    await submit(address, paid.transaction, [spender]);
    expect(await lamportsOf(mint.tokenOf(to))).toBe(rent);
  });

  it("is by the execution of a proposal", async () => {
    const [address, to] = [await open(), payee()];
    const proposed = await call<{ transactions: string[]; proposalAddress: string }>(createProposal, address, {
      signer: addressOfKey(owner),
      approve: true,
      type: "transfer",
      currency: "pyusd",
      amount: "1000000",
      destination: to,
    });
    for (const transaction of proposed.transactions) await submit(address, transaction, [owner]);
    const executed = await call<Prepared & { transactions: string[] }>(
      executeProposal,
      address,
      { signer: addressOfKey(owner) },
      { proposal_address: proposed.proposalAddress },
    );
    const rent = await rentOf(accountBytes);
    expect(executed.fee.rent_lamports).toBe(rent.toString());
    for (const transaction of executed.transactions) await submit(address, transaction, [owner]);
    expect(await lamportsOf(mint.tokenOf(to))).toBe(rent);
  });
});

interface Prepared {
  readonly transaction: string;
  readonly fee: { readonly rent_lamports: string; readonly paid_by: string };
}

const payee = () => addressOfKey(newKey());

const call = <T>(endpoint: Parameters<TestNetwork["call"]>[0], address: string, body: object, params: object = {}) =>
  test.call<T>(endpoint, { network: cluster.network, params: { address, ...params }, body });

const submit = (address: string, transaction: string, keys: readonly SignerKey[]) =>
  call(submitTransactions, address, { transaction: signTransaction(transaction, keys), kms_payloads: [] });

const rentOf = (bytes: bigint) => test.network.rpc.getMinimumBalanceForRentExemption(bytes).send();

const lamportsOf = async (address: Address) => (await test.network.rpc.getBalance(address).send()).value;

/** An account of one key with tokens, and as many lamports. */
async function open(lamports = 0n): Promise<Address> {
  const { address } = await test.call<{ address: Address }>(createCustomAccount, {
    network: cluster.network,
    body: { policies: { signers: [may(owner, everything)], threshold: 1 } },
  });
  await mint.mintTo(address, 9_000_000n);
  if (lamports > 0n) await test.network.sandbox?.airdrop(address, lamports);
  return address;
}

const pay = (address: string, to: string) =>
  call<Prepared>(preparePayment, address, {
    amount: "1000000",
    source: { account: address, currency: "pyusd" },
    destination: { address: to, currency: "pyusd" },
  });
