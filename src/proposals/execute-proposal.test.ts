import { createNoopSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { deriveProposalAddress } from "@trellis/program-client";
import { addressOfKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { makeKey } from "../../test/adversarial/support.js";
import { dataOf, may, newKey, only, pays, preparedOf, refusalOf, useProposals } from "../../test/proposals/support.js";
import { asOtherTenant } from "../../test/support/other-tenant.js";

const { trellis, at } = useProposals();
const sol = 1_000_000_000n;
const payee = makeKey().address;

describe("200", () => {
  it("prepares the execution of an approved proposal, which is made once it is submitted", async () => {
    const [a, account, proposal] = await openApproved();
    const before = await trellis.lamportsOf(payee);
    const prepared = preparedOf(await at.execute(account, proposal, a));
    expect(prepared).toMatchObject({
      signers: [addressOfKey(a)],
      transaction_signers: [addressOfKey(a)],
      kms_payloads: [[]],
      summary: [{ type: "execute_proposal", proposal, signer: addressOfKey(a), effects: [{ to: payee }] }],
      proposal: { proposalAddress: proposal, status: "Approved" },
    });
    expect(await trellis.lamportsOf(payee)).toBe(before);
    await at.send(account, only(prepared), [a]);
    expect(await trellis.lamportsOf(payee)).toBe(before + 2_000_000n);
    expect((await at.get(account, proposal)).status).toBe("Executed");
  });

  it("asks for the signatures of others who sign inside besides the account", async () => {
    const [a, friend] = [newKey(), newKey()];
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    await trellis.network.sandbox?.airdrop(addressOfKey(friend), sol);
    const source = createNoopSigner(addressOfKey(friend));
    const transaction = await trellis.compose(account.address, [
      getTransferSolInstruction({ source, destination: account.address, amount: 5_000_000n }),
    ]);
    const { proposalAddress } = await at.propose(account, a, { type: "custom", transaction, approve: true });
    const prepared = preparedOf(await at.execute(account, proposalAddress, a));
    expect([...prepared.transaction_signers].sort()).toEqual([a, friend].map(addressOfKey).sort());
    await at.send(account, only(prepared), [a, friend]);
    expect((await at.get(account, proposalAddress)).status).toBe("Executed");
  });
});

describe("400", () => {
  it("refuses a fee payer that cannot sign, and one of the service's", async () => {
    const [a, account, proposal] = await openApproved();
    const paidBy = async (payer_address: string) =>
      refusalOf(
        await at.request("POST", account, `/proposals/${proposal}/execute`, {
          signer: addressOfKey(a),
          fee_config: { self_managed_fees: true },
          payer_address,
        }),
      );
    expect(await paidBy(account.address)).toEqual([400, "unsupported_fee_config"]);
    expect(await paidBy(trellis.feePayer)).toEqual([400, "forbidden_account"]);
  });

  it("refuses a transfer that the account cannot pay any more", async () => {
    const [a, account, proposal] = await openApproved({}, 3n * sol);
    expect(refusalOf(await at.execute(account, proposal, a))).toEqual([400, "transaction_failed"]);
  });
});

describe("403", () => {
  it("refuses a signer without CAN_EXECUTE, and who is no signer", async () => {
    const voter = newKey();
    const [, account, proposal] = await openApproved({ signers: [may(voter, ["CAN_VOTE"])] });
    for (const key of [voter, newKey()]) {
      expect(refusalOf(await at.execute(account, proposal, key))).toEqual([403, "insufficient_permissions"]);
    }
  });

  it("refuses a proposal of other settings", async () => {
    const [a, account] = await openApproved();
    const [, , foreign] = await openApproved();
    expect(refusalOf(await at.execute(account, foreign, a))).toEqual([403, "proposal_account_mismatch"]);
  });
});

describe("404", () => {
  it("is the answer for a proposal that there is not, and to another tenant", async () => {
    const [a, account, proposal] = await openApproved();
    for (const missing of [deriveProposalAddress(account.settings, 9n), account.address, "nobody"]) {
      expect(refusalOf(await at.execute(account, missing, a))).toEqual([404, "proposal_not_found"]);
    }
    const body = { signer: addressOfKey(a) };
    const path = `/proposals/${proposal}/execute`;
    const theirs = await at.request("POST", account, path, body, await asOtherTenant(trellis));
    expect(refusalOf(theirs)).toEqual([404, "account_not_found"]);
  });
});

describe("409", () => {
  it("is the answer before the approval, and once it is executed: of two that are prepared, one is made", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    const { proposalAddress: proposal } = await at.propose(account, a, pays(payee, 2_000_000n));
    const wrongStatus = [409, "invalid_proposal_status"];
    expect(refusalOf(await at.execute(account, proposal, a))).toEqual(wrongStatus);
    await at.cast(account, proposal, "approve", [a]);
    const prepare = async () => only(preparedOf(await at.execute(account, proposal, a)));
    const both = [await prepare(), await prepare()];
    const outcomes = await Promise.all(both.map((transaction) => at.submit(account, transaction, [a])));
    expect(outcomes.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status >= 300).map(refusalOf)).toEqual([wrongStatus]);
    expect(refusalOf(await at.execute(account, proposal, a))).toEqual(wrongStatus);
  });

  it("is the answer as long as the time lock holds", async () => {
    const [a, account, proposal] = await openApproved({ time_lock: 60 });
    const early = await at.execute(account, proposal, a);
    expect(refusalOf(early)).toEqual([409, "time_lock_not_released"]);
    const { executableAt } = await at.get(account, proposal);
    expect(early.body).toMatchObject({ details: [{ released_at: executableAt }] });
    await trellis.network.sandbox?.advanceClock(60);
    dataOf(await at.execute(account, proposal, a));
  });

  it("is the answer for a change of settings that was voted on before another change", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    const change = (newTimeLock: number) =>
      at.propose(account, a, { type: "settings", actions: [{ type: "SetTimeLock", newTimeLock }], approve: true });
    const [older, newer] = [await change(5), await change(6)];
    await at.run(account, newer.proposalAddress, a);
    await trellis.network.sandbox?.advanceClock(60);
    expect(refusalOf(await at.execute(account, older.proposalAddress, a))).toEqual([409, "stale_proposal"]);
  });
});

/** A key with every permission, its account with one SOL, and an approved payment of two thousandths. */
async function openApproved(
  { signers = [], ...policies }: { signers?: object[]; time_lock?: number } = {},
  amount = 2_000_000n,
) {
  const a = newKey();
  const account = await at.open({ signers: [may(a), ...signers], threshold: 1, ...policies }, sol);
  const { proposalAddress } = await at.propose(account, a, { ...pays(payee, amount), approve: true });
  return [a, account, proposalAddress] as const;
}
