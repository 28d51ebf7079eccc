import type { Address } from "@solana/kit";
import { createNoopSigner } from "@solana/kit";
import { getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget";
import { getTransferSolInstruction } from "@solana-program/system";
import { addressOfKey, type SignerKey, signTransaction } from "@trellis/sdk";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { use, useTestService } from "../support/scene.js";
import { changeAsWallet } from "../support/self-paid.js";
import { dataOf, may, newKey, only, type Prepared, pays, proposalsOf, refusalOf } from "./support.js";

/** What is confirmed and is not in the database: a failover lost its submission, or a wallet has sent it on its own. */
const [ana, ben, payer] = [newKey(), newKey(), newKey()];
const payee = addressOfKey(newKey());
const rich = 1_000_000_000n;
const trellis = useTestService({ TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000" });
const api = proposalsOf(trellis);
beforeAll(async () => {
  await trellis.network.sandbox?.airdrop(addressOfKey(payer), rich);
  await trellis.network.sandbox?.airdrop(addressOfKey(ana), rich);
  await trellis.network.sandbox?.airdrop(payee, 1_000_000n);
});
const account = use(() => api.open({ signers: [may(ana), may(ben)], threshold: 2 }, rich), { each: true });

describe("a submission that was lost after its confirmation is answered as confirmed when it is repeated", () => {
  it("of a proposal, its votes and its execution", async () => {
    const before = await lamportsOf(payee);
    const prepared = dataOf<Prepared>(await api.create(account, { signer: addressOfKey(ana), ...pays(payee, 1_000n) }));
    await submitTwice([only(prepared)], [ana]);
    const at = prepared.proposalAddress;
    for (const key of [ana, ben]) {
      const { approved } = await api.get(account, at);
      if (approved.includes(addressOfKey(key))) continue;
      await submitTwice([dataOf<Prepared>(await api.vote(account, at, "approve", [key])).transaction], [key]);
    }
    expect((await api.get(account, at)).status).toBe("Approved");
    await submitTwice([only(dataOf<Prepared>(await api.execute(account, at, ana)))], [ana]);
    expect((await api.get(account, at)).status).toBe("Executed");
    expect((await lamportsOf(payee)) - before).toBe(1_000n);
  });

  it("of a proposal that is written through a buffer", async () => {
    const source = createNoopSigner(account.address);
    const payments = Array.from({ length: 20 }, (_, i) =>
      getTransferSolInstruction({ source, destination: addressOfKey(newKey()), amount: 1_000_000n + BigInt(i) }),
    );
    const transaction = await trellis.compose(account.address, payments);
    const prepared = dataOf<Prepared>(
      await api.create(account, { type: "custom", transaction, signer: addressOfKey(ana) }),
    );
    expect(prepared.transactions.length).toBeGreaterThan(1);
    await submitTwice(prepared.transactions, [ana]);
    expect((await api.get(account, prepared.proposalAddress)).status).toBe("Active");
  });
});

describe("a vote that a wallet has sent", () => {
  const prepareVote = async () => {
    const { proposalAddress: at } = await api.propose(account, ana, pays(payee, 1_000n));
    const own = { fee_config: { self_managed_fees: true }, payer_address: addressOfKey(payer) };
    const { approved } = await api.get(account, at);
    const voter = approved.includes(addressOfKey(ana)) ? ben : ana;
    const body = { action: "approve", signers: [addressOfKey(voter)], ...own };
    const { transaction } = dataOf<Prepared>(await api.request("POST", account, `/proposals/${at}/vote`, body));
    const wire = signTransaction(transaction, [voter, payer]);
    const submit = () => api.request("POST", account, "/submit", { transaction: wire, kms_payloads: [] });
    return { at, voter, wire, submit };
  };
  const outlive = () => trellis.network.sandbox?.advanceClock(150);

  it("is answered as confirmed where it is submitted after its time", async () => {
    const { at, voter, wire, submit } = await prepareVote();
    const signature = await trellis.network.rpc.sendTransaction(wire as never, { encoding: "base64" }).send();
    await outlive();
    expect(dataOf<Submitted>(await submit())).toMatchObject({ transaction_signature: signature });
    expect((await api.get(account, at)).approved).toContain(addressOfKey(voter));
  });

  it("is answered as confirmed where the wallet has changed it", async () => {
    const { at, voter, wire, submit } = await prepareVote();
    const price = getSetComputeUnitPriceInstruction({ microLamports: 7 });
    const changed = changeAsWallet(wire, ({ instructions }) => ({ instructions: [...instructions, price] }));
    const signature = await trellis.network.rpc
      .sendTransaction(signTransaction(changed, [voter, payer]) as never, { encoding: "base64" })
      .send();
    await outlive();
    expect(dataOf<Submitted>(await submit())).toMatchObject({ transaction_signature: signature });
    expect((await api.get(account, at)).approved).toContain(addressOfKey(voter));
  });

  it("is refused for good where it was never sent", async () => {
    const { at, voter, submit } = await prepareVote();
    await outlive();
    expect(refusalOf(await submit())).toEqual([400, "blockhash_expired"]);
    expect((await api.get(account, at)).approved).not.toContain(addressOfKey(voter));
  });
});

interface Submitted {
  readonly transaction_signature?: string;
  readonly results?: readonly { readonly transaction_signature: string }[];
  readonly partial_failure?: object;
}

/** What a failover to a replica that lags takes back. */
async function loseSubmissions(): Promise<void> {
  const { db } = trellis.service;
  await sql`delete from sponsored_cost where submission_id in (select id from submission
    where account_address = ${account.address} and purpose = 'transaction')`.execute(db);
  await sql`delete from submission where account_address = ${account.address} and purpose = 'transaction'`.execute(db);
}

/** Submits, forgets that, and submits the same bytes again. */
async function submitTwice(transactions: readonly string[], keys: readonly SignerKey[]): Promise<void> {
  const signed = transactions.map((transaction) => signTransaction(transaction, keys));
  const [single, ...more] = signed;
  const body =
    more.length === 0
      ? { transaction: single, kms_payloads: [] }
      : { transactions: signed, kms_payloads: signed.map(() => []) };
  const submit = async () => dataOf<Submitted>(await api.request("POST", account, "/submit", body));
  const signaturesOf = ({ transaction_signature: one, results = [], partial_failure }: Submitted) => {
    expect(partial_failure).toBeUndefined();
    return one === undefined ? results.map((result) => result.transaction_signature) : [one];
  };
  const first = signaturesOf(await submit());
  await loseSubmissions();
  expect(signaturesOf(await submit())).toEqual(first);
}

const lamportsOf = async (address: Address) =>
  (await trellis.network.rpc.getBalance(address, { commitment: "confirmed" }).send()).value;
