import { type Address, createNoopSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { addressOfKey, decodeTransaction, type SignerKey, signTransaction } from "@trellis/sdk";
import { expect, it } from "vitest";
import { createSoftPasskey } from "../support/authenticator.js";
import { openByClient } from "../support/passkey-signers.js";
import { useTestService } from "../support/scene.js";
import { dataOf, everything, newKey, type Prepared, proposalsOf, refusalOf } from "./support.js";

const trellis = useTestService({ TRELLIS_PUBLIC_URL: "http://localhost:3000" });
const api = proposalsOf(trellis);
const payee = addressOfKey(newKey());

it("a batch by a passkey's session leaves units for the signature program in what cannot be simulated yet", async () => {
  const { account, key } = await open();
  const prepared = dataOf<Prepared>(await propose(account.address, key, 8, 1));
  const [, ...following] = prepared.transactions;
  expect(following.length).toBeGreaterThan(0);
  for (const transaction of following) {
    const { computeBudget, otherInstructions } = decodeTransaction(transaction);
    expect(computeBudget.unitLimit).toBeGreaterThan(200_000 * otherInstructions.length);
  }
  const transactions = prepared.transactions.map((transaction) => signTransaction(transaction, [key]));
  const submitted = await api.request("POST", account, "/submit", {
    transactions,
    kms_payloads: transactions.map(() => []),
  });
  expect(dataOf<{ results: unknown[] }>(submitted).results).toHaveLength(transactions.length);
  for (let executed = 0; executed < 8; ) {
    await api.run(account, prepared.proposalAddress, key);
    const next = dataOf<{ batch: { executed: number } }>(
      await api.request("GET", account, `/proposals/${prepared.proposalAddress}`),
    ).batch.executed;
    expect(next).toBeGreaterThan(executed);
    executed = next;
  }
  expect(await trellis.lamportsOf(payee)).toBe(8_000_000n);
});

it("what is too long for one transaction is proposed by no passkey: a buffer's rent would be lost", async () => {
  const { account, key } = await open();
  expect(refusalOf(await propose(account.address, key, 1, 60))).toEqual([400, "transaction_too_large"]);
});

/** Proposes that many transactions, with that many payments in each. */
async function propose(account: Address, key: SignerKey, transactions: number, payments: number) {
  const source = createNoopSigner(account);
  const one = getTransferSolInstruction({ source, destination: payee, amount: 1_000_000n });
  const written = await trellis.compose(account, Array(payments).fill(one));
  const content = transactions === 1 ? { transaction: written } : { transactions: Array(transactions).fill(written) };
  const body = { type: "custom", signer: addressOfKey(key), approve: true, ...content };
  return trellis.request("POST", `/api/service/v1/accounts/${account}/proposals`, body);
}

/** An account of a passkey alone, and the key of its session. */
async function open() {
  const { passkeyAccount, key } = await openByClient(trellis.client, createSoftPasskey(), newKey() as Uint8Array);
  const signers = [{ address: passkeyAccount, permissions: everything }];
  return { account: await api.open({ signers, threshold: 1 }, 1_000_000_000n), key: key as SignerKey };
}
