import type { Address } from "@solana/kit";
import type { Caller } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { describe, expect, it } from "vitest";
import { createCustomAccount } from "../../src/accounts/create-custom-account.js";
import { beginPasskeyApproval } from "../../src/passkey-signers/begin-passkey-approval.js";
import { completePasskeyCeremony } from "../../src/passkey-signers/complete-passkey-ceremony.js";
import { getPasskeyCeremony } from "../../src/passkey-signers/get-passkey-ceremony.js";
import { getPaymentIntent } from "../../src/payments/get-payment-intent.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { updateAccount } from "../../src/policy-changes/update-account.js";
import { createProposal } from "../../src/proposals/create-proposal.js";
import { executeProposal } from "../../src/proposals/execute-proposal.js";
import { voteOnProposal } from "../../src/proposals/vote-on-proposal.js";
import { recoverSubmissions } from "../../src/submissions/recover-submissions.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { createSoftPasskey, type SoftPasskey } from "../support/authenticator.js";
import { answerOf, createPasskeySigner, createSessionKey, openSession } from "../support/passkey-signers.js";
import { somePayee } from "../support/payments.js";
import { useTestNetwork } from "../support/scene.js";
import { breakConnection, errorOf } from "../support/test-network.js";

const test = useTestNetwork();
const all = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];

describe("a passkey approves, without a session,", () => {
  it("one payment: its intent, its costs and its outcome are those of a submit", async () => {
    const { account, passkey, address } = await openAccount();
    const before = await balanceOf(somePayee);
    const prepared = await preparePay(account);
    expect(prepared).toMatchObject({ transaction_signers: [address], kms_payloads: [] });
    expect(prepared.summary).toMatchObject([{ type: "transfer", amount: "1000000" }]);
    const begun = await begin(account, address, prepared.transaction);
    expect(await shown(begun)).toMatchObject({
      ceremony_type: "approve",
      account_address: account,
      passkey_address: address,
    });
    const landed = await complete(answerOf(passkey, begun));
    expect((await balanceOf(somePayee)) - before).toBe(1_000_000n);
    expect(await test.call(getPaymentIntent, { params: { address: account, id: prepared.id } })).toMatchObject({
      state: "payment_processed",
    });
    // Nothing of it is left: the same answer, and the prepared transaction, answer what there is.
    expect(await complete(answerOf(passkey, begun))).toEqual(landed);
    const again = { params: { address: account }, body: { transaction: prepared.transaction, kms_payloads: [] } };
    expect(await test.call(submitTransactions, again)).toEqual(landed);
    expect((await balanceOf(somePayee)) - before).toBe(1_000_000n);
    expect((await errorOf(shown(begun))).code).toBe("passkey_ceremony_not_found");
    const costs = await test.needs.db
      .selectFrom("sponsored_cost")
      .select(["kind", "reserved_lamports", "tenant_id"])
      .where("submission_id", "=", (await rowOf(begun)).prepared_id)
      .execute();
    expect(costs).toEqual([{ kind: "fee", reserved_lamports: 10_000n, tenant_id: test.caller.tenantId }]);
  });

  it("a payment in tokens whose token account the service pays for", async () => {
    const { account, passkey, address } = await openAccount();
    await test.airdrop(account, "usdc", "5000000");
    const prepared = await preparePay(account, { currency: "usdc", payee: createSessionKey().address });
    await complete(answerOf(passkey, await begin(account, address, prepared.transaction)));
  });

  it("a change of the account, a proposal, a vote and its execution", async () => {
    const { account, passkey, address } = await openAccount();
    const approve = async (transaction: string | undefined) =>
      complete(answerOf(passkey, await begin(account, address, transaction ?? "")));
    const at = { params: { address: account } };
    const other = createSessionKey().address;
    const signers = [may(address), { address: other, permissions: ["CAN_VOTE"] }];
    const body = { signers, passkey_approval: true };
    await approve((await test.call<Prepared>(updateAccount, { ...at, body })).transaction);
    const proposed = await test.call<Prepared>(createProposal, {
      ...at,
      body: {
        type: "settings",
        signer: address,
        actions: [
          { type: "SetTimeLock", newTimeLock: 0 },
          { type: "RemoveSigner", oldSigner: other },
        ],
        passkey_approval: true,
      },
    });
    await approve(proposed.transactions[0]);
    const proposal = { params: { ...at.params, proposal_address: proposed.proposalAddress } };
    const vote = { action: "approve", signers: [address], passkey_approval: true };
    await approve((await test.call<Prepared>(voteOnProposal, { ...proposal, body: vote })).transaction);
    const execute = { signer: address, passkey_approval: true };
    await approve((await test.call<Prepared>(executeProposal, { ...proposal, body: execute })).transactions[0]);
  });

  it("whatever session there is: none, an open one, or another one since", async () => {
    const { account, passkey, address } = await openAccount();
    const first = await begin(account, address, (await preparePay(account)).transaction);
    await complete(answerOf(passkey, first));
    await openSession(test, "auth", passkey, createSessionKey().address, { seconds: 0 });
    const ended = await begin(account, address, (await preparePay(account)).transaction);
    await complete(answerOf(passkey, ended));
  });
});

describe("is carried out once:", () => {
  it("with many answers at once there is one payment, and one signature of the fee payer", async () => {
    const { account, passkey, address } = await openAccount();
    const before = await balanceOf(somePayee);
    const begun = await begin(account, address, (await preparePay(account)).transaction);
    const { feePayer } = test.network;
    let signatures = 0;
    const sign = async (message: Uint8Array) => {
      signatures += 1;
      return feePayer.sign(message);
    };
    const networks = new Map([[test.network.name, { ...test.network, feePayer: { ...feePayer, sign } }]]);
    const landed = await Promise.all(
      Array.from({ length: 5 }, () =>
        test.call(completePasskeyCeremony, {
          body: { authenticatorResponse: answerOf(passkey, begun) },
          needs: { networks },
        }),
      ),
    );
    expect(new Set(landed.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(signatures).toBe(1);
    expect((await rowOf(begun)).signing_until).toBeNull();
    expect((await balanceOf(somePayee)) - before).toBe(1_000_000n);
  });

  it("with many answers at once that are refused, each is answered the refusal, in its turn", async () => {
    const { account, passkey, address } = await openAccount();
    const begun = await begin(account, address, (await preparePay(account)).transaction);
    const { feePayer } = test.network;
    const sign = async () => {
      throw new TrellisError("sponsorship_limit_exceeded");
    };
    const networks = new Map([[test.network.name, { ...test.network, feePayer: { ...feePayer, sign } }]]);
    const refused = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const body = { authenticatorResponse: answerOf(passkey, begun) };
        return (await errorOf(test.call(completePasskeyCeremony, { body, needs: { networks } }))).code;
      }),
    );
    expect(new Set(refused)).toEqual(new Set(["sponsorship_limit_exceeded"]));
    await complete(answerOf(passkey, begun));
  });

  it("where the connection breaks before it is sent, the pass of submissions sends it, and the answer finds it", async () => {
    const { account, passkey, address } = await openAccount();
    const before = await balanceOf(somePayee);
    const begun = await begin(account, address, (await preparePay(account)).transaction);
    const silent = breakConnection(test.network, (method) => method === "sendTransaction");
    const body = { authenticatorResponse: answerOf(passkey, begun) };
    const networks = new Map([[test.network.name, silent]]);
    const lost = test.call(completePasskeyCeremony, { body, needs: { networks } });
    expect((await errorOf(lost)).code).toBe("chain_unavailable");
    expect(await balanceOf(somePayee)).toBe(before);
    test.needs.realClock.advance(20_000);
    await recoverSubmissions(test.needs, test.network, 0);
    expect((await balanceOf(somePayee)) - before).toBe(1_000_000n);
    expect(await complete(answerOf(passkey, begun))).toHaveProperty("transaction_signature");
    expect((await balanceOf(somePayee)) - before).toBe(1_000_000n);
  });

  it("where the process is gone before the bytes are stored, the same ones are signed, or none once they are out of date", async () => {
    const { account, passkey, address } = await openAccount();
    const before = await balanceOf(somePayee);
    const { feePayer } = test.network;
    const sign = async () => {
      throw new Error("gone");
    };
    const dying = new Map([[test.network.name, { ...test.network, feePayer: { ...feePayer, sign } }]]);
    const dies = async (transaction: string) => {
      const begun = await begin(account, address, transaction);
      const body = { authenticatorResponse: answerOf(passkey, begun) };
      await expect(test.call(completePasskeyCeremony, { body, needs: { networks: dying } })).rejects.toThrow("gone");
      return begun;
    };
    const begun = await dies((await preparePay(account)).transaction);
    const { transaction } = await rowOf(begun);
    await complete(answerOf(passkey, begun));
    expect((await rowOf(begun)).transaction).toBe(transaction);
    const late = await preparePay(account);
    const over = await dies(late.transaction);
    test.needs.realClock.advance(180_000);
    expect((await errorOf(complete(answerOf(passkey, over)))).code).toBe("blockhash_expired");
    const intent = { params: { address: account, id: late.id } };
    expect(await test.call(getPaymentIntent, intent)).toMatchObject({ state: "canceled" });
    expect((await balanceOf(somePayee)) - before).toBe(1_000_000n);
  });

  it("a database that has lost the submission finds it on chain, before it says that nothing has landed", async () => {
    const { isInDatabase: _, ...network } = test.network;
    const { account, passkey, address } = await openAccount();
    const { id, transaction } = await preparePay(account);
    // Another one of the same content, for which nobody was asked.
    const other = await preparePay(account);
    const begun = await begin(account, address, transaction);
    const landed = await complete(answerOf(passkey, begun));
    const { prepared_id: submission } = await rowOf(begun);
    const { db } = test.needs;
    await db.deleteFrom("sponsored_cost").where("submission_id", "=", submission).execute();
    await db.deleteFrom("submission").where("id", "=", submission).execute();
    await db.updateTable("payment_intent").set({ state: "awaiting_funds" }).where("id", "=", id).execute();
    const unfixed = { transaction: null, fee_lamports: null, last_valid_block_height: null };
    await db.updateTable("passkey_approval").set(unfixed).where("prepared_id", "=", submission).execute();
    test.needs.realClock.advance(180_000);
    expect(await complete(answerOf(passkey, begun), network)).toEqual(landed);
    const stateOf = (intent: string) =>
      test.call(getPaymentIntent, { network, params: { address: account, id: intent } });
    expect(await stateOf(id)).toMatchObject({ state: "payment_processed" });
    expect(await stateOf(other.id)).toMatchObject({ state: "canceled" });
  });

  it("two challenges for one transaction are one payment, one after the other and at once", async () => {
    const { account, passkey, address } = await openAccount();
    const before = await balanceOf(somePayee);
    for (const isAtOnce of [false, true]) {
      const { transaction } = await preparePay(account);
      const two = [await begin(account, address, transaction), await begin(account, address, transaction)];
      const landed: object[] = [];
      if (isAtOnce) landed.push(...(await Promise.all(two.map((begun) => complete(answerOf(passkey, begun))))));
      else for (const begun of two) landed.push(await complete(answerOf(passkey, begun)));
      expect(landed[1]).toEqual(landed[0]);
    }
    expect((await balanceOf(somePayee)) - before).toBe(2_000_000n);
  });
});

describe("is refused", () => {
  it("for what the passkey has not signed: another content, another passkey, another challenge", async () => {
    const { account, passkey, address } = await openAccount();
    const before = await balanceOf(somePayee);
    const begun = await begin(account, address, (await preparePay(account)).transaction);
    const more = await begin(account, address, (await preparePay(account, { amount: "2000000" })).transaction);
    const answer = answerOf(passkey, begun);
    const { response } = answerOf(passkey, more);
    const mixed = { response: { ...response, clientDataJSON: answer.response.clientDataJSON } };
    const stranger = answerOf(createSoftPasskey(), begun);
    const foreign = await createPasskeySigner(test);
    for (const bad of [mixed, stranger, answerOf(foreign.passkey, begun), answerOf(passkey, begun, { flags: 1 })]) {
      expect((await errorOf(complete(bad))).code).toBe("invalid_passkey_assertion");
    }
    // What the row says is not believed: the chain has the passkey's own word.
    await test.needs.db
      .updateTable("passkey_approval")
      .set({ prepared_id: (await rowOf(more)).prepared_id })
      .where("challenge", "=", (await rowOf(begun)).challenge)
      .execute();
    expect((await errorOf(complete(answer))).code).toBe("passkey_challenge_over");
    expect(await balanceOf(somePayee)).toBe(before);
  });

  it("after a minute, here and on chain, and once what was prepared is out of date", async () => {
    const { account, passkey, address } = await openAccount();
    const { transaction } = await preparePay(account);
    const [over, tooOld] = [await begin(account, address, transaction), await begin(account, address, transaction)];
    const later = BigInt(test.network.clock.now() + 3_600_000);
    await test.needs.db
      .updateTable("passkey_approval")
      .set({ expires_at: later })
      .where("challenge", "=", (await rowOf(tooOld)).challenge)
      .execute();
    const { prepared_id: id } = await rowOf(over);
    const ends = (at: bigint) =>
      test.needs.db.updateTable("prepared_transaction").set({ expires_at: at }).where("id", "=", id).execute();
    await ends(later);
    test.needs.realClock.advance(61_000);
    for (const begun of [over, tooOld]) {
      expect((await errorOf(complete(answerOf(passkey, begun)))).code).toBe("passkey_challenge_over");
    }
    await ends(1n);
    expect((await errorOf(complete(answerOf(passkey, tooOld)))).code).toBe("blockhash_expired");
    await ends(later);
    expect((await errorOf(complete(answerOf(passkey, tooOld)))).code).toBe("blockhash_expired");
  });

  it("for good, once a new challenge for it was refused as out of date: nothing fixed before lands after that", async () => {
    const { account, passkey, address } = await openAccount();
    const before = await balanceOf(somePayee);
    const prepared = await preparePay(account);
    const begun = await begin(account, address, prepared.transaction);
    const body = { authenticatorResponse: answerOf(passkey, begun) };
    const sponsorship = { ...test.network.sponsorship, perTenantPerDay: 1n, reservedPerTenantPerDay: 1n };
    const poor = new Map([[test.network.name, { ...test.network, sponsorship }]]);
    const unpaid = test.call(completePasskeyCeremony, { body, needs: { networks: poor } });
    expect((await errorOf(unpaid)).code).toBe("sponsorship_limit_exceeded");
    test.needs.realClock.advance(61_000);
    expect((await errorOf(begin(account, address, prepared.transaction))).code).toBe("blockhash_expired");
    await test.needs.db
      .updateTable("prepared_transaction")
      .set({ expires_at: BigInt(test.network.clock.now() + 3_600_000) })
      .where("id", "=", (await rowOf(begun)).prepared_id)
      .execute();
    expect((await errorOf(complete(answerOf(passkey, begun)))).code).toBe("blockhash_expired");
    const intent = { params: { address: account, id: prepared.id } };
    expect(await test.call(getPaymentIntent, intent)).toMatchObject({ state: "canceled" });
    expect(await balanceOf(somePayee)).toBe(before);
  });

  it("where it was submitted, without any word that another one may be prepared in its place", async () => {
    const { account, passkey, address } = await openAccount();
    const { transaction } = await preparePay(account);
    const [first, second] = [await begin(account, address, transaction), await begin(account, address, transaction)];
    const landed = await complete(answerOf(passkey, first));
    expect((await errorOf(begin(account, address, transaction))).code).toBe("submission_in_progress");
    test.needs.realClock.advance(61_000);
    expect((await errorOf(begin(account, address, transaction))).code).toBe("submission_in_progress");
    // The other challenge is over, and what it is for has landed.
    expect(await complete(answerOf(passkey, second))).toEqual(landed);
  });

  it("for another tenant: its account, its passkey, its transaction", async () => {
    const { account, address } = await openAccount();
    const { transaction } = await preparePay(account);
    const caller = await test.addTenant("hostile-approver");
    expect((await errorOf(begin(account, address, transaction, { caller }))).code).toBe("account_not_found");
    // It can make an account of its own with that signer, and still has nothing approved by its owner.
    const own = await createAccount([may(address)], {}, caller);
    const prepared = await preparePay(own, {}, caller);
    expect((await errorOf(begin(own, address, prepared.transaction, { caller }))).code).toBe(
      "passkey_account_not_found",
    );
    const mine = await openAccount();
    expect((await errorOf(begin(mine.account, mine.address, transaction))).code).toBe("transaction_not_prepared");
  });

  it("of an account that has no passkey; and what is asked for again in one slot has the same page, for one payment alone", async () => {
    const { account, address } = await openAccount();
    const none = await createAccount([may(createSessionKey().address)]);
    expect((await errorOf(preparePay(none))).code).toBe("invalid_request");
    const [one, equal] = [await preparePay(account), await preparePay(account)];
    const ask = (transaction: string, appName = "App") =>
      test.call<object>(beginPasskeyApproval, {
        params: { address: account, passkey: address },
        body: { transaction, metaInfo: { appName } },
      });
    test.needs.realClock.advance(500);
    const url = await ask(one.transaction);
    expect(await ask(one.transaction)).toEqual(url);
    expect((await errorOf(ask(equal.transaction))).code).toBe("passkey_challenge_used");
    expect((await errorOf(ask(one.transaction, "Other"))).code).toBe("passkey_challenge_used");
  });

  it("while its tenant is frozen", async () => {
    const caller = await test.addTenant("frozen-approver");
    const { account, passkey, address } = await openAccount(caller);
    const begun = await begin(account, address, (await preparePay(account, {}, caller)).transaction, { caller });
    await test.needs.db.updateTable("tenant").set({ frozen_at: 1n }).where("id", "=", caller.tenantId).execute();
    expect((await errorOf(complete(answerOf(passkey, begun)))).code).toBe("tenant_frozen");
    const freeze = (at: bigint | null) =>
      test.needs.db.updateTable("tenant").set({ frozen_at: at }).where("id", "=", caller.tenantId).execute();
    await freeze(null);
    const landed = await complete(answerOf(passkey, begun));
    await freeze(1n);
    expect(await complete(answerOf(passkey, begun))).toEqual(landed);
  });

  it("where a session's key, another signer or a payer of its own signs", async () => {
    const { account, session, address } = await openAccount();
    const bySession = await preparePay(account, { passkey_approval: false });
    expect(bySession.transaction_signers).toEqual([session]);
    expect((await errorOf(begin(account, address, bySession.transaction))).code).toBe("invalid_transaction");
    const payer = createSessionKey().address;
    await test.airdrop(payer, "sol", "1000000000");
    const own = await preparePay(account, { fee_config: { self_managed_fees: true }, payer_address: payer });
    expect((await errorOf(begin(account, address, own.transaction))).code).toBe("unsupported_fee_config");
    const other = createSessionKey().address;
    const both = await createAccount([may(address), may(other)], { threshold: 2 });
    const together = await preparePay(both);
    expect([...together.transaction_signers].sort()).toEqual([address, other].sort());
    expect((await errorOf(begin(both, address, together.transaction))).code).toBe("proposal_required");
    const stranger = await createPasskeySigner(test);
    expect((await errorOf(begin(account, stranger.address, bySession.transaction))).code).toBe(
      "passkey_account_not_found",
    );
  });

  it("where other signers than a passkey were chosen", async () => {
    const { address } = await openAccount();
    const other = createSessionKey().address;
    const account = await createAccount([may(other), may(address)]);
    const error = await errorOf(preparePay(account, { transaction_signers: [other] }));
    expect([error.code, error.details?.[0]?.field]).toEqual(["invalid_request", "passkey_approval"]);
    expect((await preparePay(account, { transaction_signers: [address] })).transaction_signers).toEqual([address]);
  });

  it("where the money is gone by then, and nothing is stored", async () => {
    const { account, passkey, address } = await openAccount();
    const begun = await begin(account, address, (await preparePay(account, { amount: "4900000000" })).transaction);
    const first = await begin(account, address, (await preparePay(account, { amount: "4800000000" })).transaction);
    await complete(answerOf(passkey, first));
    const last = await errorOf(complete(answerOf(passkey, begun)));
    // The passkey has signed for a newer slot since.
    expect(["passkey_challenge_over", "transaction_failed"]).toContain(last.code);
    expect((await rowOf(begun)).transaction).toBeNull();
  });

  it("by the code of the call inside that the chain refuses, or as over once the passkey has signed for a newer slot", async () => {
    const { account, passkey, address } = await openAccount();
    const change = () =>
      test.call<Prepared>(createProposal, {
        params: { address: account },
        body: {
          type: "settings",
          signer: address,
          actions: [{ type: "AddSigner", newSigner: may(createSessionKey().address) }],
          passkey_approval: true,
        },
      });
    const beginChange = async () => begin(account, address, (await change()).transactions[0] ?? "");
    const [first, second] = [await beginChange(), await beginChange()];
    await complete(answerOf(passkey, first));
    expect((await errorOf(complete(answerOf(passkey, second)))).code).toBe("proposal_index_conflict");
    const fixed = await begin(account, address, (await preparePay(account)).transaction);
    const sponsorship = { ...test.network.sponsorship, perTenantPerDay: 1n, reservedPerTenantPerDay: 1n };
    const unpaid = complete(answerOf(passkey, fixed), { ...test.network, sponsorship });
    expect((await errorOf(unpaid)).code).toBe("sponsorship_limit_exceeded");
    await complete(answerOf(passkey, await begin(account, address, (await preparePay(account)).transaction)));
    expect((await errorOf(complete(answerOf(passkey, fixed)))).code).toBe("passkey_challenge_over");
  });

  it("after as many answers as one challenge may have, and once there is an outcome that one is the answer", async () => {
    const { account, passkey, address } = await openAccount();
    const begun = await begin(account, address, (await preparePay(account)).transaction);
    const { challenge } = await rowOf(begun);
    const set = (answers: number) =>
      test.needs.db.updateTable("passkey_approval").set({ answers }).where("challenge", "=", challenge).execute();
    await set(limits.signerAnswersMax);
    expect((await errorOf(complete(answerOf(passkey, begun)))).code).toBe("passkey_challenge_over");
    await set(limits.signerAnswersMax - 1);
    const landed = await complete(answerOf(passkey, begun));
    expect((await rowOf(begun)).answers).toBe(limits.signerAnswersMax);
    expect(await complete(answerOf(passkey, begun))).toEqual(landed);
  });

  it("where the tenant's budget is used up: the challenge is good for a later try", async () => {
    const { account, passkey, address } = await openAccount();
    const begun = await begin(account, address, (await preparePay(account)).transaction);
    const sponsorship = { ...test.network.sponsorship, perTenantPerDay: 1n, reservedPerTenantPerDay: 1n };
    const networks = new Map([[test.network.name, { ...test.network, sponsorship }]]);
    const body = { authenticatorResponse: answerOf(passkey, begun) };
    const poor = test.call(completePasskeyCeremony, { body, needs: { networks } });
    expect((await errorOf(poor)).code).toBe("sponsorship_limit_exceeded");
    expect(await complete(answerOf(passkey, begun))).toHaveProperty("transaction_signature");
  });
});

interface Prepared {
  readonly id: string;
  readonly transaction: string;
  readonly transactions: readonly string[];
  readonly transaction_signers: readonly string[];
  readonly summary: readonly object[];
  readonly proposalAddress: string;
}

const may = (address: string) => ({ address, permissions: all });

async function balanceOf(address: string): Promise<bigint> {
  return (await test.network.rpc.getBalance(address as Address).send()).value;
}

/** An account with money whose only signer is a passkey; of the session that was open with it nothing is used. */
async function openAccount(caller?: Caller): Promise<{
  account: string;
  passkey: SoftPasskey;
  session: string;
  address: Address;
}> {
  const [passkey, session] = [createSoftPasskey(), createSessionKey()];
  const terms = caller === undefined ? {} : { caller };
  const opened = await openSession(test, "create", passkey, session.address, terms);
  const address = opened.passkey_account as Address;
  return { account: await createAccount([may(address)], {}, caller), passkey, session: session.address, address };
}

async function createAccount(signers: readonly object[], more: object = {}, caller?: Caller): Promise<string> {
  const policies = { signers, threshold: 1, ...more };
  const by = caller === undefined ? {} : { caller };
  const body = { policies, confirm_foreign_passkeys: true };
  const { address } = await test.call<{ address: string }>(createCustomAccount, { body, ...by });
  await test.airdrop(address, "sol", "5000000000");
  return address;
}

function preparePay(
  account: string,
  { payee = somePayee, currency = "sol", amount = "1000000", ...more }: Record<string, unknown> = {},
  caller?: Caller,
) {
  return test.call<Prepared>(preparePayment, {
    params: { address: account },
    body: {
      amount,
      source: { account, currency },
      destination: { address: payee, currency },
      passkey_approval: true,
      ...more,
    },
    ...(caller === undefined ? {} : { caller }),
  });
}

/** Begins an approval in a slot of its own. */
async function begin(account: string, passkey: string, transaction: string, more: { caller?: Caller } = {}) {
  test.needs.realClock.advance(500);
  const { url } = await test.call<{ url: string }>(beginPasskeyApproval, {
    params: { address: account, passkey },
    body: { transaction, metaInfo: { appName: "App" } },
    ...more,
  });
  return { challenge: Buffer.from(new URL(url).searchParams.get("challenge") ?? "", "base64") };
}

const complete = (authenticatorResponse: ReturnType<typeof answerOf>, network: Network = test.network) =>
  test.call<object>(completePasskeyCeremony, {
    body: { authenticatorResponse },
    needs: { networks: new Map([[network.name, network]]) },
  });

const shown = ({ challenge }: { readonly challenge: Buffer }) =>
  test.call<object>(getPasskeyCeremony, { query: { challenge: challenge.toString("base64") } });

const rowOf = ({ challenge }: { readonly challenge: Buffer }) =>
  test.needs.db
    .selectFrom("passkey_approval")
    .selectAll()
    .where("challenge", "=", challenge.toString("base64url"))
    .executeTakeFirstOrThrow();
