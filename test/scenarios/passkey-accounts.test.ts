import { randomBytes } from "node:crypto";
import { AccountRole, type Address } from "@solana/kit";
import {
  buildPasskeyExecution,
  derivePasskeyExecutionAddress,
  executeByPasskeySessionInstruction,
  executeTransactionSyncInstruction,
  SIGNATURE_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import { addressOfKey, type SignerKey, signTransaction } from "@trellis/sdk";
import { composeTransaction } from "@trellis/solana/compose.js";
import { describe, expect, it } from "vitest";
import { createCustomAccount } from "../../src/accounts/create-custom-account.js";
import { getAccount } from "../../src/accounts/get-account.js";
import { importAccount } from "../../src/accounts/import-account.js";
import { addAccountPasskey } from "../../src/passkey-signers/add-account-passkey.js";
import { createPasskeyAccount } from "../../src/passkey-signers/create-passkey-account.js";
import { getAccountPasskey } from "../../src/passkey-signers/get-account-passkey.js";
import { removeAccountPasskey } from "../../src/passkey-signers/remove-account-passkey.js";
import { submitPasskeyCeremony } from "../../src/passkey-signers/submit-passkey-ceremony.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { updateAccount } from "../../src/policy-changes/update-account.js";
import { createProposal } from "../../src/proposals/create-proposal.js";
import { executeProposal } from "../../src/proposals/execute-proposal.js";
import { getProposal } from "../../src/proposals/get-proposal.js";
import { voteOnProposal } from "../../src/proposals/vote-on-proposal.js";
import { createSpendingLimit } from "../../src/spending-limits/create-spending-limit.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { createSoftPasskey } from "../support/authenticator.js";
import {
  addressOfPasskey,
  answerOf,
  beginCeremony,
  createPasskeySigner,
  createSessionKey,
  openSession,
  submission,
} from "../support/passkey-signers.js";
import { somePayee } from "../support/payments.js";
import { useTestNetwork } from "../support/scene.js";
import { errorOf } from "../support/test-network.js";

const test = useTestNetwork();
const all = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];

describe("an account whose signer is a passkey", () => {
  it("is made by one challenge once, pays by the session key, and has no payload for anybody", async () => {
    const { account, session, address } = await openPasskeyAccount();
    expect(account).toMatchObject({
      type: "passkey",
      status: "active",
      policies: { signers: [{ address, permissions: all, role: "primary", provider: "passkey" }], threshold: 1 },
      authentication: [
        {
          provider: "passkey",
          session: { Passkey: { passkey_account: address, relying_party_id: "trellis.example" } },
        },
      ],
    });
    const before = await balanceOf(somePayee);
    const prepared = await preparePay(account.address, [session.address]);
    expect(prepared).toMatchObject({ transaction_signers: [session.address], kms_payloads: [] });
    expect(prepared.summary).toMatchObject([{ type: "transfer", amount: "1000000" }]);
    await submit(account.address, prepared.transaction, [session.key]);
    expect((await balanceOf(somePayee)) - before).toBe(1_000_000n);
    // Nobody has to be named, and the passkey may be.
    for (const named of [[], [address]]) {
      expect(await preparePay(account.address, named)).toMatchObject({ transaction_signers: [session.address] });
    }
    const read = { params: { address: account.address } };
    expect(await test.call(getAccountPasskey, read)).toEqual({
      account_address: account.address,
      passkey: { address, role: "primary", permissions: all, provider: "passkey", added_at: null },
    });
  });

  it("pays in tokens, also to a payee whose token account is opened", async () => {
    const { account, session } = await openPasskeyAccount();
    await test.airdrop(account.address, "usdc", "5000000");
    const payee = addressOfKey(newKey());
    const prepared = await preparePay(account.address, [session.address], { payee, currency: "usdc" });
    await submit(account.address, prepared.transaction, [session.key]);
  });

  it("is not paid from by another key, by a session that has ended, or after the passkey has another one", async () => {
    const { account, passkey, session } = await openPasskeyAccount();
    const thief = createSessionKey();
    expect((await errorOf(preparePay(account.address, [thief.address]))).code).toBe("insufficient_permissions");
    const prepared = await preparePay(account.address, [session.address]);
    const unsigned = test.call(submitTransactions, {
      params: { address: account.address },
      body: { transaction: prepared.transaction, kms_payloads: [] },
    });
    expect((await errorOf(unsigned)).code).toBe("missing_signature");
    const next = createSessionKey();
    await openSession(test, "auth", passkey, next.address);
    expect((await errorOf(submit(account.address, prepared.transaction, [session.key]))).code).toBe(
      "transaction_failed",
    );
    expect((await errorOf(preparePay(account.address, [session.address]))).code).toBe("insufficient_permissions");
    const paid = await preparePay(account.address, [next.address]);
    await submit(account.address, paid.transaction, [next.key]);
    test.needs.realClock.advance(901_000);
    expect((await errorOf(preparePay(account.address, [next.address]))).code).toBe("passkey_session_required");
  });

  it("is not commanded where a key of the service is the session key: it would sign unasked", async () => {
    const { account, passkey } = await openPasskeyAccount();
    const { feePayer } = test.network;
    const open = { ...test.network, serviceAddresses: new Set<Address>() };
    test.needs.realClock.advance(500);
    // The service hands out no such challenge; a challenge can be made without it.
    const key = feePayer.address;
    const refused = beginCeremony(test, "auth", key);
    expect((await errorOf(refused)).code).toBe("forbidden_account");
    const begun = await beginCeremony(test, "auth", key, { network: open });
    await test.call(submitPasskeyCeremony, { body: submission(begun, answerOf(passkey, begun)), network: open });
    expect((await errorOf(preparePay(account.address, []))).code).toBe("passkey_session_required");
  });

  it("changes its settings, and proposes, votes and executes by the session key", async () => {
    const { account, session, address } = await openPasskeyAccount();
    const own = newKey();
    const at = { params: { address: account.address } };
    const signers = [
      { address, permissions: all },
      { address: addressOfKey(own), permissions: all },
    ];
    const body = { signers, threshold: 2, transaction_signers: [session.address] };
    const change = await test.call<Prepared>(updateAccount, { ...at, body });
    expect(change.transaction_signers).toEqual([session.address]);
    await submit(account.address, change.transaction, [session.key]);
    // Together they act at once, in one transaction.
    const both = await preparePay(account.address, [session.address, addressOfKey(own)]);
    await submit(account.address, both.transaction, [session.key, own]);
    expect((await errorOf(preparePay(account.address, [session.address]))).code).toBe("proposal_required");

    const actions = [{ type: "ChangeThreshold", newThreshold: 1 }];
    const proposed = await test.call<Prepared>(createProposal, {
      ...at,
      body: { type: "settings", signer: session.address, approve: true, actions },
    });
    expect(proposed.transaction_signers).toEqual([session.address]);
    await submit(account.address, proposed.transactions[0] ?? "", [session.key]);
    const params = { ...at.params, proposal_address: proposed.proposalAddress };
    const vote = (signer: string) =>
      test.call<Prepared>(voteOnProposal, { params, body: { action: "approve", signers: [signer] } });
    expect((await errorOf(vote(session.address))).code).toBe("already_voted");
    const voted = await vote(addressOfKey(own));
    await submit(account.address, voted.transaction, [own]);
    const execution = await test.call<Prepared>(executeProposal, { params, body: { signer: session.address } });
    expect(execution.transaction_signers).toEqual([session.address]);
    await submit(account.address, execution.transactions[0] ?? "", [session.key]);
    expect(await test.call(getAccount, at)).toMatchObject({ policies: { threshold: 1 } });
  });

  it("gives and takes spending limits by the session key", async () => {
    const { account, session } = await openPasskeyAccount();
    const prepared = await test.call<Prepared>(createSpendingLimit, {
      params: { address: account.address },
      body: {
        amount: 1_000,
        mint: "sol",
        period: "daily",
        spending_limit_signers: [addressOfKey(newKey())],
        transaction_signers: [session.address],
      },
    });
    expect(prepared.transaction_signers).toEqual([session.address]);
    await submit(account.address, prepared.transaction, [session.key]);
  });

  it("has an admin that is a passkey, too, and it alone changes the settings", async () => {
    const admin = await createPasskeySigner(test);
    const own = newKey();
    const at = await createAccount([{ address: addressOfKey(own), permissions: all }], {
      admin_address: admin.address,
    });
    const { session } = admin;
    const body = { time_lock: 5, transaction_signers: [session.address] };
    const change = await test.call<Prepared>(updateAccount, { params: { address: at }, query: { admin: true }, body });
    expect(change.transaction_signers).toEqual([session.address]);
    await submit(at, change.transaction, [session.key]);
  });
});

it("a transaction that was built elsewhere calls the signature program in no way", async () => {
  const { account, session, address } = await openPasskeyAccount();
  const row = await test.needs.db
    .selectFrom("account")
    .select("settings_address")
    .where("address", "=", account.address)
    .executeTakeFirstOrThrow();
  const settings = row.settings_address as Address;
  const pay = (member: Address) => {
    const to = { address: somePayee, role: AccountRole.WRITABLE };
    const from = { address: account.address as Address, role: AccountRole.WRITABLE_SIGNER };
    const transfer = {
      programAddress: SYSTEM_PROGRAM_ADDRESS,
      accounts: [from, to],
      data: Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
    };
    return executeTransactionSyncInstruction({ settings, members: [member], instructions: [transfer] });
  };
  const bySession = (["passkey_account", "execution_account"] as const).map((signingAddress) => {
    const member = signingAddress === "passkey_account" ? address : derivePasskeyExecutionAddress(address);
    const execution = buildPasskeyExecution(address, signingAddress, [pay(member)]);
    return executeByPasskeySessionInstruction({
      signingAddress,
      passkeyAccount: address,
      sessionKey: session.address,
      execution,
    });
  });
  const kinds = [0, 1, 2, 3].map((kind) => ({
    programAddress: SIGNATURE_PROGRAM_ADDRESS,
    accounts: [
      { address, role: AccountRole.WRITABLE },
      { address: session.address, role: AccountRole.READONLY_SIGNER },
    ],
    data: Uint8Array.of(kind, 1, 1),
  }));
  const { value } = await test.network.rpc.getLatestBlockhash().send();
  for (const instruction of [...kinds, ...bySession]) {
    const budget = { units: 400_000, microLamportsPerUnit: 0n };
    const { bytes } = composeTransaction(session.address, value, budget, [instruction]);
    const refused = submit(account.address, Buffer.from(bytes).toString("base64"), [session.key]);
    expect((await errorOf(refused)).code).toBe("transaction_not_prepared");
  }
});

describe("the passkeys of an account", () => {
  it("are added and removed as other signers are", async () => {
    const own = newKey();
    const { session, address } = await createPasskeySigner(test);
    const at = await createAccount([{ address: addressOfKey(own), permissions: all }]);
    const params = { address: at };
    const add = { passkey: { address }, transaction_signers: [addressOfKey(own)] };
    const added = await test.call<Prepared>(addAccountPasskey, { params, body: add });
    expect(added).toMatchObject({
      status: "pending",
      threshold: 1,
      passkey: { address, role: "primary", permissions: all, provider: "passkey" },
    });
    await submit(at, added.transaction, [own]);
    const policies = (await test.call<{ policies: { signers: object[] } }>(getAccount, { params })).policies;
    expect(policies.signers).toContainEqual({ address, permissions: all, role: "primary", provider: "passkey" });
    expect((await errorOf(test.call(addAccountPasskey, { params, body: add }))).code).toBe("no_changes");
    const paid = await preparePay(at, [session.address]);
    await submit(at, paid.transaction, [session.key]);
    const of = { address: at, passkey: address };
    // As one version of a client in the field sends it.
    const body = { transaction_signers: { transaction_signers: [session.address] } };
    const removal = await test.call<Prepared>(removeAccountPasskey, { params: of, body });
    expect(removal).toMatchObject({ removed_passkey: { address }, transaction_signers: [session.address] });
    await submit(at, removal.transaction, [session.key]);
    expect(await test.call(getAccountPasskey, { params })).toEqual({ account_address: at, passkey: null });
    const again = test.call(removeAccountPasskey, { params: of, body: {} });
    expect((await errorOf(again)).code).toBe("passkey_account_not_found");
  });

  it("are those that the signature program has: no other derived address becomes a signer", async () => {
    const own = newKey();
    const { address } = await createPasskeySigner(test);
    const at = await createAccount([{ address: addressOfKey(own), permissions: all }]);
    const missing = createSoftPasskey();
    for (const [bad, code] of [
      [at, "forbidden_account"],
      [addressOfPasskey(missing), "invalid_address"],
      [addressOfKey(newKey()), "invalid_policies"],
      ["ExtSgUPtP3JyKUysFw2S5fpL5fWfUPzGUQLd2bTwftXN", "invalid_address"],
    ] as const) {
      const body = { passkey: { address: bad } };
      const refused = test.call(addAccountPasskey, { params: { address: at }, body });
      expect([bad, (await errorOf(refused)).code]).toEqual([bad, code]);
    }
    const foreign = { signers: [{ address: addressOfPasskey(missing), permissions: all }], threshold: 1 };
    const created = test.call(createCustomAccount, { body: { policies: foreign } });
    expect((await errorOf(created)).code).toBe("invalid_address");
    expect(await createAccount([{ address, permissions: all }])).toBeDefined();
  });

  it("are asked last without a session, and one at a time, where nobody is named", async () => {
    const own = newKey();
    const [one, other] = [await createPasskeySigner(test), await createPasskeySigner(test)];
    const of = (...addresses: string[]) => addresses.map((address) => ({ address, permissions: all }));
    const at = await createAccount(of(one.address, other.address, addressOfKey(own)), { threshold: 2 });
    const { transaction_signers: both } = await preparePay(at, []);
    expect(both).toHaveLength(2);
    expect(both).toContain(addressOfKey(own));
    const alone = await createAccount(of(one.address, addressOfKey(own)));
    expect((await preparePay(alone, [])).transaction_signers).toEqual([one.session.address]);
    await openSession(test, "auth", one.passkey, createSessionKey().address, { seconds: 0 });
    expect((await preparePay(alone, [])).transaction_signers).toEqual([addressOfKey(own)]);
    expect([...(await preparePay(at, [])).transaction_signers].sort()).toEqual(
      [other.session.address, addressOfKey(own)].sort(),
    );
  });

  it("have no session whose key is a signer, or another passkey's: one key never counts as two", async () => {
    const own = newKey();
    const [one, other] = [await createPasskeySigner(test), await createPasskeySigner(test)];
    const of = (...addresses: string[]) => addresses.map((address) => ({ address, permissions: all }));
    const at = await createAccount(of(one.address, addressOfKey(own)), { threshold: 2 });
    const shared = await createAccount(of(one.address, other.address, addressOfKey(own)), { threshold: 2 });
    await openSession(test, "auth", one.passkey, addressOfKey(own));
    const pay = preparePay(at, [one.address, addressOfKey(own)]);
    expect((await errorOf(pay)).code).toBe("passkey_session_required");
    await openSession(test, "auth", one.passkey, other.session.address);
    const twice = preparePay(shared, [one.address, addressOfKey(own)]);
    expect((await errorOf(twice)).code).toBe("passkey_session_required");
    expect((await preparePay(at, [one.address, addressOfKey(own)])).transaction_signers).toHaveLength(2);
  });

  it("cancel a proposal that has to grow, alone: the fee payer pays for it", async () => {
    const [{ session, address }, other] = [await createPasskeySigner(test), await createPasskeySigner(test)];
    const may = (who: string) => ({ address: who, permissions: all });
    const at = await createAccount([may(address)]);
    const params = { address: at };
    const propose = async () => {
      const actions = [{ type: "SetTimeLock", newTimeLock: 60 }];
      const body = { type: "settings", signer: session.address, approve: true, actions };
      const proposed = await test.call<Prepared>(createProposal, { params, body });
      await submit(at, proposed.transactions[0] ?? "", [session.key]);
      return proposed.proposalAddress;
    };
    const proposal = await propose();
    const signers = [may(address), may(other.address), may(addressOfKey(newKey()))];
    const change = await test.call<Prepared>(updateAccount, {
      params,
      body: { signers, threshold: 2, transaction_signers: [session.address] },
    });
    await submit(at, change.transaction, [session.key]);
    const before = [await balanceOf(address), await balanceOf(other.address)];
    const cancelled = await test.call<Prepared>(voteOnProposal, {
      params: { ...params, proposal_address: proposal },
      body: { action: "cancel", signers: [session.address, other.session.address] },
    });
    const { feePayer } = test.network;
    const [growth] = cancelled.summary;
    expect(growth).toMatchObject({ type: "transfer", from: feePayer.address, to: proposal });
    await submit(at, cancelled.transaction, [session.key, other.session.key]);
    expect([await balanceOf(address), await balanceOf(other.address)]).toEqual(before);
    expect(await test.call(getProposal, { params: { ...params, proposal_address: proposal } })).toMatchObject({
      status: "Cancelled",
    });
  });

  it("do not pay for the growth of a proposal whose rent is another's", async () => {
    const own = newKey();
    const { session, address } = await createPasskeySigner(test);
    const may = (who: string) => ({ address: who, permissions: all });
    const at = await createAccount([may(address)]);
    const params = { address: at };
    const propose = await test.call<Prepared>(createProposal, {
      params,
      body: {
        type: "settings",
        signer: session.address,
        approve: true,
        actions: [{ type: "SetTimeLock", newTimeLock: 60 }],
      },
    });
    await submit(at, propose.transactions[0] ?? "", [session.key]);
    const proposal = propose.proposalAddress;
    const change = await test.call<Prepared>(updateAccount, {
      params,
      body: {
        signers: [may(address), may(addressOfKey(own)), may(addressOfKey(newKey()))],
        threshold: 2,
        transaction_signers: [session.address],
      },
    });
    await submit(at, change.transaction, [session.key]);
    // As where another client's payer has opened the vote.
    const network = { ...test.network, feePayer: { ...test.network.feePayer, address: somePayee as Address } };
    const cancel = (named: string[]) =>
      test.call<Prepared>(voteOnProposal, {
        params: { ...params, proposal_address: proposal },
        body: { action: "cancel", signers: named },
        network,
      });
    const refused = await errorOf(cancel([session.address]));
    expect(refused).toMatchObject({ code: "insufficient_balance" });
    // Nothing that was sent to a passkey's account can leave it.
    expect(JSON.stringify(refused.details)).not.toContain(`to ${address}`);
  });

  it("are named when an account is imported", async () => {
    const own = newKey();
    const { address } = await createPasskeySigner(test);
    const at = await createAccount([
      { address, permissions: all },
      { address: addressOfKey(own), permissions: all },
    ]);
    await test.needs.db
      .updateTable("account_signer")
      .set({ provider: "external" })
      .where("account_address", "=", at)
      .execute();
    const row = await test.needs.db
      .selectFrom("account")
      .select("settings_address")
      .where("address", "=", at)
      .executeTakeFirstOrThrow();
    const imported = await test.call<{ policies: { signers: object[] } }>(importAccount, {
      body: { address: at, settings_address: row.settings_address },
    });
    const providers = [
      { address, provider: "passkey" },
      { address: addressOfKey(own), provider: "external" },
    ];
    expect(imported.policies.signers).toMatchObject(providers);
    const read = await test.call<{ policies: { signers: object[] } }>(getAccount, { params: { address: at } });
    expect(read.policies.signers).toMatchObject(providers);
  });

  it("do not sign one instruction together: each votes", async () => {
    const [one, other] = [await createPasskeySigner(test), await createPasskeySigner(test)];
    const at = await createAccount(
      [one, other].map(({ address }) => ({ address, permissions: all })),
      { threshold: 2 },
    );
    const named = [one, other].map(({ session }) => session.address);
    expect((await errorOf(preparePay(at, named))).code).toBe("proposal_required");
    const params = { address: at };
    const actions = [{ type: "ChangeThreshold", newThreshold: 1 }];
    const proposed = await test.call<Prepared>(createProposal, {
      params,
      body: { type: "settings", signer: named[0], actions },
    });
    await submit(at, proposed.transactions[0] ?? "", [one.session.key]);
    const votes = await test.call<Prepared>(voteOnProposal, {
      params: { ...params, proposal_address: proposed.proposalAddress },
      body: { action: "approve", signers: named },
    });
    expect([...votes.transaction_signers].sort()).toEqual([...named].sort());
    await submit(at, votes.transaction, [one.session.key, other.session.key]);
  });
});

interface Prepared {
  readonly transaction: string;
  readonly transactions: readonly string[];
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly unknown[];
  readonly summary: readonly object[];
  readonly proposalAddress: string;
}

const newKey = (): SignerKey & Uint8Array => new Uint8Array(randomBytes(32));

async function balanceOf(address: string): Promise<bigint> {
  return (await test.network.rpc.getBalance(address as Address).send()).value;
}

/** An account with money whose only signer is a passkey with a session. */
async function openPasskeyAccount() {
  const [passkey, session] = [createSoftPasskey(), createSessionKey()];
  const begun = await beginCeremony(test, "create", session.address);
  const body = {
    sessionKey: { key: session.address, expiration: 900 },
    slotNumber: begun.slotNumber,
    authenticatorResponse: answerOf(passkey, begun),
  };
  const create = (more = {}) =>
    test.call<{ address: string; type: string; policies: object }>(createPasskeyAccount, {
      body: { ...body, ...more },
    });
  const [account, again] = [await create(), await create()];
  expect(again).toEqual(account);
  for (const other of [{ adminAddress: createSessionKey().address }, { memo: "another" }]) {
    expect((await errorOf(create(other))).code).toBe("passkey_challenge_used");
  }
  await test.airdrop(account.address, "sol", "5000000000");
  return { account, passkey, session, address: addressOfPasskey(passkey) };
}

async function createAccount(signers: readonly object[], more: object = {}): Promise<string> {
  const policies = { signers, threshold: 1, ...more };
  const { address } = await test.call<{ address: string }>(createCustomAccount, { body: { policies } });
  await test.airdrop(address, "sol", "1000000000");
  return address;
}

function preparePay(
  account: string,
  named: readonly string[],
  { payee = somePayee, currency = "sol" }: { payee?: string; currency?: string } = {},
) {
  return test.call<Prepared>(preparePayment, {
    params: { address: account },
    body: {
      amount: "1000000",
      source: { account, currency },
      destination: { address: payee, currency },
      ...(named.length === 0 ? {} : { transaction_signers: named }),
    },
  });
}

const submit = (account: string, transaction: string, keys: readonly SignerKey[]) =>
  test.call<{ readonly transaction_signature: string }>(submitTransactions, {
    params: { address: account },
    body: { transaction: signTransaction(transaction, keys), kms_payloads: [] },
  });
