import { type Address, createNoopSigner, type Instruction } from "@solana/kit";
import { getSetComputeUnitLimitInstruction } from "@solana-program/compute-budget";
import { getTransferSolInstruction } from "@solana-program/system";
import { addressOfKey, decodeTransaction } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { makeKey, stamp } from "../../test/adversarial/support.js";
import { dataOf, may, newKey, type Opened, refusalOf, useProposals } from "../../test/proposals/support.js";
import { asOtherTenant } from "../../test/support/other-tenant.js";

const { trellis, at } = useProposals();
const sol = 1_000_000_000n;
const payee = makeKey().address;

describe("200", () => {
  it("has the smart account do what the transaction says, once it is signed and submitted", async () => {
    const [key, account] = await open();
    const before = await trellis.lamportsOf(payee);
    const prepared = dataOf<Prepared>(await prepare(account, [pay(account, 3_000_000n), pay(account, 2_000_000n)]));
    const effect = { type: "transfer", from: account.address, to: payee, mint: null };
    expect(prepared).toMatchObject({
      transaction_signers: [addressOfKey(key)],
      kms_payloads: [],
      summary: [
        { ...effect, amount: "3000000" },
        { ...effect, amount: "2000000" },
      ],
      fee: { paid_by: trellis.feePayer, rent_lamports: "0" },
    });
    expect(prepared.simulation_logs.join("\n")).toMatch(/success/);
    expect(decodeTransaction(prepared.transaction).feePayer).toBe(trellis.feePayer);
    expect(await trellis.lamportsOf(payee)).toBe(before);
    dataOf(await at.submit(account, prepared.transaction, [key]));
    expect(await trellis.lamportsOf(payee)).toBe(before + 5_000_000n);
  });

  it("replaces the blockhash and the compute budget of the caller", async () => {
    const [key, account] = await open();
    const transaction = await trellis.compose(
      account.address,
      [getSetComputeUnitLimitInstruction({ units: 1 }), pay(account)],
      { blockhash: payee },
    );
    const prepared = dataOf<Prepared>(await ask(account, { transaction }));
    expect(prepared.summary).toHaveLength(1);
    dataOf(await at.submit(account, prepared.transaction, [key]));
  });

  it("asks a custodian's wallet for a stamp", async () => {
    const { address, settingsAddress: settings, session } = await trellis.openHolder({ sol: sol.toString() });
    const account = { address, settings };
    const prepared = dataOf<Prepared>(await prepare(account, [pay(account)]));
    expect(prepared.kms_payloads).toMatchObject([{ provider: "kms_a", address: prepared.transaction_signers[0] }]);
    const body = { transaction: prepared.transaction, kms_payloads: stamp(prepared, session) };
    dataOf(await at.request("POST", account, "/submit", body));
  });

  it("has those signers sign who are named, by either name of the field", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await at.open({ signers: [may(a), may(b)], threshold: 1 }, sol);
    const named = [addressOfKey(b)];
    for (const more of [{ account_signers: named }, { transaction_signers: named }]) {
      const prepared = dataOf<Prepared>(await prepare(account, [pay(account)], more));
      expect(prepared.transaction_signers).toEqual(named);
    }
  });
});

describe("400", () => {
  it("refuses what is no transaction, and one that has nothing to do", async () => {
    const [, account] = await open();
    for (const transaction of ["", "AAAA", "no base64!"]) {
      expect((await ask(account, { transaction })).status).toBe(400);
    }
    expect(refusalOf(await ask(account, { transaction: "AAAA" }))).toEqual([400, "invalid_transaction"]);
    const budget = getSetComputeUnitLimitInstruction({ units: 200_000 });
    expect(refusalOf(await prepare(account, [budget]))).toEqual([400, "invalid_transaction"]);
  });

  it("refuses a transaction that names a key of the service, in whatever place", async () => {
    const [, account] = await open();
    const { feePayer } = trellis.network;
    const from = { ...account, address: feePayer.address };
    for (const instruction of [pay(account, 1n, feePayer.address), pay(from)]) {
      expect(refusalOf(await prepare(account, [instruction]))).toEqual([400, "forbidden_account"]);
    }
  });

  it("refuses what would fail on chain, and what does not fit once it is wrapped", async () => {
    const [, account] = await open();
    expect(refusalOf(await prepare(account, [pay(account, 2n * sol)]))).toEqual([400, "transaction_failed"]);
    const many = Array.from({ length: 20 }, () => pay(account, 1_000_000n, makeKey().address));
    expect(refusalOf(await prepare(account, many))).toEqual([400, "transaction_too_large"]);
  });

  it("refuses a fee payer that cannot sign, and the memo of a payment", async () => {
    const [, account] = await open();
    const unpaid = { fee_config: { self_managed_fees: true }, payer_address: account.address };
    expect(refusalOf(await prepare(account, [pay(account)], unpaid))).toEqual([400, "unsupported_fee_config"]);
    expect(refusalOf(await prepare(account, [pay(account)], { memo: "hello" }))).toEqual([400, "invalid_request"]);
  });
});

describe("403", () => {
  it("refuses a named signer who is no member", async () => {
    const [, account] = await open();
    const refused = await prepare(account, [pay(account)], { account_signers: [makeKey().address] });
    expect(refusalOf(refused)).toEqual([403, "insufficient_permissions"]);
  });
});

describe("404", () => {
  it("is the answer for an account that there is not, and to another tenant", async () => {
    const [, account] = await open();
    const instructions = [pay(account)];
    const nowhere = await prepare({ ...account, address: payee }, instructions);
    const theirs = await prepare(account, instructions, {}, await asOtherTenant(trellis));
    for (const refused of [nowhere, theirs]) expect(refusalOf(refused)).toEqual([404, "account_not_found"]);
  });
});

describe("409", () => {
  it("is the answer where the signers cannot act at once: too few, or under a time lock", async () => {
    const [a, b] = [newKey(), newKey()];
    const shared = await at.open({ signers: [may(a), may(b)], threshold: 2 }, sol);
    const alone = await prepare(shared, [pay(shared)], { account_signers: [addressOfKey(a)] });
    const locked = await at.open({ signers: [may(a)], threshold: 1, time_lock: 60 }, sol);
    for (const refused of [alone, await prepare(locked, [pay(locked)])]) {
      expect(refusalOf(refused)).toEqual([409, "proposal_required"]);
    }
    dataOf(await prepare(shared, [pay(shared)]));
  });
});

interface Prepared {
  readonly transaction: string;
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: Parameters<typeof stamp>[0]["kms_payloads"];
  readonly summary: readonly object[];
  readonly simulation_logs: readonly string[];
}

/** A key, and its account with one SOL. */
async function open() {
  const key = newKey();
  return [key, await at.open({ signers: [may(key)], threshold: 1 }, sol)] as const;
}

const pay = ({ address }: Opened, amount = 1_000_000n, destination: Address = payee): Instruction =>
  getTransferSolInstruction({ source: createNoopSigner(address), destination, amount });

const ask = (account: Opened, body: object, headers?: Record<string, string>) =>
  at.request("POST", account, "/transactions", body, headers);

const prepare = async (
  account: Opened,
  instructions: readonly Instruction[],
  more: object = {},
  headers?: Record<string, string>,
) => ask(account, { transaction: await trellis.compose(account.address, instructions), ...more }, headers);
