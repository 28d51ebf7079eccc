import type { Address } from "@solana/kit";
import { addressOfKey } from "@trellis/sdk";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { decodeTokenAccount } from "@trellis/solana/token-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { describe, expect, it } from "vitest";
import { makeKey, tokenProgram, usdcMint } from "../../test/adversarial/support.js";
import {
  dataOf,
  may,
  newKey,
  only,
  type Prepared,
  pays,
  proposalsOf,
  refusalOf,
  type View,
} from "../../test/proposals/support.js";
import { useTestService } from "../../test/support/scene.js";

const trellis = useTestService();
const at = proposalsOf(trellis);

describe("a payment that is voted on", () => {
  it("is created, approved, waits for the time lock, and is confirmed; every answer says what it does", async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()];
    const account = await at.open({ signers: [may(a), may(b), may(c)], threshold: 2, time_lock: 3600 }, 10n * sol);
    const payee = makeKey().address;
    const created = await at.propose(account, a, { ...pays(payee, sol), approve: true });
    const { proposalAddress } = created;
    expect(created.summary).toMatchObject([
      {
        type: "create_proposal",
        proposal: proposalAddress,
        transaction_index: 1,
        creator: addressOfKey(a),
        effects: [{ type: "transfer", from: account.address, to: payee, mint: null, amount: sol.toString() }],
      },
      { type: "vote", proposal: proposalAddress, transaction_index: 1, action: "approve", signer: addressOfKey(a) },
    ]);
    expect(BigInt(created.fee.rent_lamports)).toBeGreaterThan(0n);

    const before = await at.get(account, proposalAddress);
    expect(before).toMatchObject({
      status: "Active",
      approved: [addressOfKey(a)],
      votesNeeded: 1,
      kind: "transaction",
    });
    expect(before.balanceChanges).toEqual([
      {
        address: account.address,
        mint: null,
        before: (10n * sol).toString(),
        after: (9n * sol).toString(),
        change: (-sol).toString(),
      },
      { address: payee, mint: null, before: "0", after: sol.toString(), change: sol.toString() },
    ]);
    expect(before.warnings).toEqual([]);

    const against = await at.cast(account, proposalAddress, "reject", [c]);
    expect(against.summary).toMatchObject([{ type: "vote", action: "reject", signer: addressOfKey(c) }]);
    await at.cast(account, proposalAddress, "approve", [b]);
    const approved = await at.get(account, proposalAddress);
    expect(approved).toMatchObject({ status: "Approved", rejected: [addressOfKey(c)], votesNeeded: 0 });
    const early = await at.execute(account, proposalAddress, c);
    expect(refusalOf(early)).toEqual([409, "time_lock_not_released"]);
    expect((early.body as { details: { released_at: string }[] }).details[0]?.released_at).toBe(approved.executableAt);

    await trellis.network.sandbox?.advanceClock(3600);
    const executed = await at.run(account, proposalAddress, c);
    expect(executed.summary).toMatchObject([
      { type: "execute_proposal", signer: addressOfKey(c), effects: [{ type: "transfer", to: payee }] },
    ]);
    expect(await trellis.lamportsOf(payee)).toBe(sol);
    const { body } = await at.list(account);
    expect((body as { data: View[] }).data).toMatchObject([{ proposalAddress, status: "Executed", closed: false }]);
  });

  it("is approved and executed in one transaction where no time lock stands in between", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await at.open({ signers: [may(a), may(b)], threshold: 2 }, 10n * sol);
    const payee = makeKey().address;
    const { proposalAddress } = await at.propose(account, a, pays(payee, 6n * sol));
    const prepared = dataOf<Prepared>(await at.voteAndExecute(account, proposalAddress, [a, b]));
    expect(prepared.signers).toEqual([addressOfKey(a), addressOfKey(b)]);
    expect(prepared.proposal.warnings).toMatchObject([{ code: "no_time_lock", mint: null }]);
    dataOf(await at.submit(account, only(prepared), [a, b]));
    expect(await trellis.lamportsOf(payee)).toBe(6n * sol);
    expect((await at.get(account, proposalAddress)).status).toBe("Executed");
  });
});

describe("several payments that are voted on together", () => {
  it("are stored as a batch, continued where that broke off, and each payee has what is theirs", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    const { client } = trellis;
    await client.sandbox.airdrop({ address: account.address, currency: "usdc", amount: "10000000" });
    const [one, other] = [makeKey().address, makeKey().address];
    const transfers = [
      { currency: "usdc", destination: one, amount: 1_000_000n, memo: "March" },
      // Twice to one that has no token account yet.
      { currency: "usdc", destination: other, amount: 2_000_000n },
      { currency: "usdc", destination: other, amount: 3_000_000n },
      { currency: "sol", destination: one, amount: 5_000_000n },
    ];
    const content = { type: "transfers", transfers } as const;
    const wire = transfers.map(({ amount, ...rest }) => ({ ...rest, amount: amount.toString() }));
    const request = { type: "transfers", signer: addressOfKey(a), transfers: wire };
    const begun = dataOf<Prepared>(await at.create(account, request));
    expect(begun.transactions.length).toBeGreaterThan(1);
    await at.send(account, begun.transactions[0] ?? "", [a]);
    const { proposalAddress: proposal } = await client.proposals.create({
      account: account.address,
      keys: [a],
      content,
      approve: true,
    });
    expect(proposal).toBe(begun.proposalAddress);
    const view = await client.proposals.get(account.address, proposal);
    expect(view).toMatchObject({ kind: "batch", status: "Approved", batch: { size: 4 } });
    const act = { account: account.address, proposal, keys: [a], content };
    const others = { ...content, transfers: [...transfers.slice(0, 3), { ...transfers[3], amount: 6_000_000n }] };
    await expect(client.proposals.execute({ ...act, content: others as typeof content })).rejects.toMatchObject({
      difference: "content",
    });
    await client.proposals.execute(act);
    const held = async (owner: Address) => {
      const [found] = await readAccounts(trellis.network, [deriveTokenAccount(owner, usdcMint, tokenProgram)]);
      return found && decodeTokenAccount(found)?.amount;
    };
    expect([await held(one), await held(other)]).toEqual([1_000_000n, 5_000_000n]);
    expect(await trellis.lamportsOf(one)).toBe(5_000_000n);
  });

  it("say which of them is wrong", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    const good = { currency: "sol", amount: "1", destination: makeKey().address };
    for (const [transfers, field, code] of [
      [[good, { ...good, amount: "0" }], "transfers.1.amount", "invalid_amount"],
      [[{ ...good, destination: "nobody" }, good], "transfers.0.destination.address", "invalid_address"],
      [[good, { ...good, currency: "gold" }], "transfers.1.currency", "unsupported_currency"],
      [[good], "transfers", "invalid_request"],
      [Array.from({ length: 21 }, () => good), "transfers", "invalid_request"],
    ] as const) {
      const refused = await at.create(account, { type: "transfers", signer: addressOfKey(a), transfers });
      expect(refused.body).toMatchObject({ code, details: [{ field }] });
    }
    const memo = await at.create(account, {
      type: "transfers",
      signer: addressOfKey(a),
      transfers: [good, good],
      memo: "x",
    });
    expect(memo.body).toMatchObject({ code: "invalid_request", details: [{ field: "memo" }] });
  });
});

describe("a change of settings that is voted on", () => {
  it("takes effect when it is executed, and makes older proposals stale", async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()];
    const account = await at.open({ signers: [may(a), may(b)], threshold: 1 }, 10n * sol);
    const older = await at.propose(account, a, pays(makeKey().address, sol));
    const { proposalAddress } = await at.propose(account, a, {
      type: "settings",
      actions: [
        { type: "AddSigner", newSigner: { address: addressOfKey(c), mask: 7 } },
        { RemoveSigner: { oldSigner: addressOfKey(b) } },
        { type: "ChangeThreshold", newThreshold: 2 },
      ],
    });
    const vote = await at.cast(account, proposalAddress, "approve", [b]);
    expect(vote.proposal.warnings).toMatchObject([
      { code: "removes_signer", signers: [addressOfKey(b)], caller: true },
    ]);
    await at.run(account, proposalAddress, a);
    const { policies } = await trellis.client.accounts.get(account.address);
    expect(policies.threshold).toBe(2);
    expect(policies.signers.map(({ address }) => address).sort()).toEqual([addressOfKey(a), addressOfKey(c)].sort());
    const stale = await at.get(account, older.proposalAddress);
    expect(stale).toMatchObject({ status: "Active", stale: true });
    expect(refusalOf(await at.vote(account, older.proposalAddress, "approve", [a]))).toEqual([409, "stale_proposal"]);
  });
});

const sol = 1_000_000_000n;
