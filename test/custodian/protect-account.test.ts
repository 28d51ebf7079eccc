import { type KeyObject, randomUUID } from "node:crypto";
import { createSolanaRpcFromTransport, type Rpc, type SolanaRpcApi } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { discriminatorOf, SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { addressOfKey, signTransaction } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { createAccount } from "../../src/accounts/create-account.js";
import { createCustomAccount } from "../../src/accounts/create-custom-account.js";
import { getAccount } from "../../src/accounts/get-account.js";
import { verifyAccount } from "../../src/accounts/verify-account.js";
import { createRemoteCustodian } from "../../src/adapters/kms/remote-custodian.js";
import { recordWallets } from "../../src/custody/wallet-directory.js";
import { addPasskey } from "../../src/passkeys/add-passkey.js";
import { listPasskeys } from "../../src/passkeys/list-passkeys.js";
import { noteDelayedChange, sendChangeNotices } from "../../src/passkeys/send-change-notices.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { readOutbox } from "../../src/people/sandbox-outbox.js";
import { ensureUser } from "../../src/people/user-store.js";
import { protectAccount } from "../../src/policy-changes/protect-account.js";
import { updateAccount } from "../../src/policy-changes/update-account.js";
import { createProposal } from "../../src/proposals/create-proposal.js";
import { executeProposal } from "../../src/proposals/execute-proposal.js";
import { voteOnProposal } from "../../src/proposals/vote-on-proposal.js";
import { startAuthentication } from "../../src/sign-in/start-authentication.js";
import { verifyAuthentication } from "../../src/sign-in/verify-authentication.js";
import { createSpendingLimit } from "../../src/spending-limits/create-spending-limit.js";
import { listSpendingLimits } from "../../src/spending-limits/list-spending-limits.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { setWalletExportTerms } from "../../src/wallet-exports/export-terms.js";
import { newKey } from "../proposals/support.js";
import { createSoftPasskey, type SoftPasskey } from "../support/authenticator.js";
import { startTestCustodian } from "../support/custodian.js";
import { addition, begin, byPasskey, bySession, page } from "../support/passkeys.js";
import { use, useTestNetwork } from "../support/scene.js";
import {
  breakConnection,
  createClientKey,
  errorOf,
  type HeldAccount,
  importAuthorizationKey,
  publicKeyOf,
  sessionOf,
  stampKmsB,
  type Verified,
} from "../support/test-network.js";
import { createRecipient, exportsOf } from "../support/wallet-exports.js";
import { importsOf } from "../support/wallet-imports.js";

const test = useTestNetwork();
const custodian = use(async () => {
  const started = await startTestCustodian({ variables: { TRELLIS_CUSTODIAN_NAME: "kms_c" } });
  test.needs.custodians.set("kms_c", connect(started));
  return started;
});
function connect(guardian: Awaited<ReturnType<typeof startTestCustodian>>) {
  const { db } = test.needs;
  const parts = { client: guardian.clientWith(), keys: guardian.keys, db, isGuardian: true };
  return recordWallets(db, createRemoteCustodian({ provider: "kms_c", ...parts }));
}

const drawer = newKey();
const recovery = { address: addressOfKey(drawer) };
const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];

describe("a plain account that becomes a guarded one", () => {
  it("has the policy of one that was created so, and pays with a session and a passkey, and with neither alone", async () => {
    const holder = await openPlain();
    const begun = await protect(holder);
    expect(begun).toMatchObject({ guardian: { provider: "kms_c", passkeys: 0 }, remaining_spending_limits: [] });
    expect(begun.change).toBeUndefined();
    expect(await protect(holder)).toEqual(begun);
    const passkey = await enrol(holder, begun.guardian.address);
    const { change, guardian } = await protect(holder);
    expect(guardian).toEqual({ ...begun.guardian, passkeys: 1 });
    await submit(holder, change, { session: true });
    const account = await test.call(getAccount, { params: { address: holder.address } });
    expect(account).toMatchObject({
      protection: "guarded",
      policies: { threshold: 2, time_lock: 0, admin_address: null },
    });
    const signers = [
      {
        address: holder.verified.policies.signers[0]?.address,
        permissions: everything,
        role: "primary",
        provider: "kms_a",
      },
      { address: guardian.address, permissions: everything, role: "primary", provider: "kms_c" },
      { address: recovery.address, permissions: ["CAN_VOTE"], role: "backup", provider: "external" },
    ];
    expect(signersOf(account)).toHaveLength(3);
    expect(signersOf(account)).toEqual(expect.arrayContaining(signers));
    await expectTwoOfTwo(holder, passkey);
    expect((await errorOf(protect(holder))).code).toBe("no_changes");
  });

  it("is never given a signer that obeys nobody: the change waits for a passkey that guardian and service both know", async () => {
    const holder = await openPlain();
    const { guardian } = await protect(holder);
    await enrol(holder, guardian.address);
    await test.needs.db.deleteFrom("passkey").where("signer_address", "=", guardian.address).execute();
    const lost = await protect(holder);
    expect([lost.guardian.passkeys, lost.change]).toEqual([0, undefined]);
    expect((await errorOf(enrol(holder, guardian.address))).code).toBe("insufficient_permissions");
    const next = await protect(holder, { replace_guardian: true });
    expect(next.guardian.address).not.toBe(guardian.address);
    expect(await protect(holder, { replace_guardian: true })).toEqual(next);
    const passkey = await enrol(holder, next.guardian.address);
    await submit(holder, (await protect(holder)).change, { session: true });
    await expectTwoOfTwo(holder, passkey);
  });

  it("gets another wallet where a guardian that was restored takes no first passkey for the one that waits", async () => {
    const [holder, other] = [await openPlain(), await openPlain()];
    const [begun, replaced] = [await protect(holder), await protect(other)];
    await custodian.stop();
    // Where the service knows it.
    await custodian.start(Number(new URL(custodian.url).port), { afterRestore: true });
    expect((await errorOf(enrol(holder, begun.guardian.address))).code).toBe("insufficient_permissions");
    const next = await protect(holder);
    expect(next).toMatchObject({ guardian: { passkeys: 0 } });
    expect(next.guardian.address).not.toBe(begun.guardian.address);
    expect(await protect(holder)).toEqual(next);
    const passkey = await enrol(holder, next.guardian.address);
    await submit(holder, (await protect(holder)).change, { session: true });
    await expectTwoOfTwo(holder, passkey);
    const asked = await protect(other, { replace_guardian: true });
    expect(asked.guardian.address).not.toBe(replaced.guardian.address);
    expect(await protect(other, { replace_guardian: true })).toEqual(asked);
    await enrol(other, asked.guardian.address);
  });

  it("is made anew with another wallet where the one that a former sign-up left is dead since the guardian was restored", async () => {
    const email = `${randomUUID()}@example.org`;
    const { db } = test.needs;
    const userId = await ensureUser(test.needs, test.caller.tenantId, "sandbox", email, test.network.clock.now());
    const relyingParty = { id: page.rpId, origins: [page.origin] };
    const wish = { ownerId: userId, environment: "sandbox", relyingParty, now: test.network.clock.now() } as const;
    const left = await test.needs.custodians.get("kms_c")?.ensureWallet(wish);
    await custodian.stop();
    await custodian.start(Number(new URL(custodian.url).port), { afterRestore: true });
    const holder = await signUp(email);
    const [guardian] = holder.verified.policies.signers.filter(({ provider }) => provider === "kms_c");
    expect(guardian?.address).not.toBe(left?.address);
    const passkey = await enrol(holder, guardian?.address ?? "");
    await test.airdrop(holder.address, "sol", "1000000000");
    await expectTwoOfTwo(holder, passkey);
    const numbers = db.selectFrom("wallet").select("number").where("owner_id", "=", userId);
    expect(
      (await numbers.where("provider", "=", "kms_c").orderBy("number").execute()).map((row) => row.number),
    ).toEqual([1, 2]);
  });

  it("uses no wallet up while the guardian is away, and the limit of a week holds for a week", async () => {
    const holder = await openPlain();
    const first = await protect(holder, { replace_guardian: true });
    await custodian.stop();
    for (let n = 0; n < 3; n += 1) {
      expect((await errorOf(protect(holder, { replace_guardian: true }))).code).toBe("provider_unavailable");
    }
    await custodian.start(Number(new URL(custodian.url).port));
    expect(await protect(holder, { replace_guardian: true })).toEqual(first);
    const asked = async (address: string) => {
      await enrol(holder, address);
      return protect(holder, { replace_guardian: true });
    };
    let newest = first.guardian.address;
    for (let n = 2; n <= 20; n += 1) newest = (await asked(newest)).guardian.address;
    const refused = await errorOf(asked(newest));
    expect([refused.code, refused.message]).toEqual(["invalid_request", expect.stringContaining("within a week")]);
    await test.network.sandbox?.advanceClock(7 * 86_400);
    expect((await protect(holder, { replace_guardian: true })).guardian.address).not.toBe(newest);
  });

  it("does not ask its holder's other requests for the guardian before it is a signer", async () => {
    const holder = await openPlain();
    const { guardian } = await protect(holder);
    expect((await begin(test, holder.address)).signer).toBe(holder.verified.policies.signers[0]?.address);
    await enrol(holder, guardian.address);
    expect(await test.call(listPasskeys, { params: { address: holder.address } })).toMatchObject([
      { signer: guardian.address },
    ]);
    expect((await payment(holder.address)).kms_payloads.map(({ provider }) => provider)).toEqual(["kms_a"]);
  });

  it("says which spending limits stay, and removes them where that is asked for", async () => {
    const holder = await openPlain();
    const wallet = holder.verified.policies.signers[0]?.address;
    const terms = { amount: 1_000, mint: "sol", period: "daily", spending_limit_signers: [wallet] };
    const limit = await test.call<Change & { spending_limit_address: string }>(createSpendingLimit, {
      params: { address: holder.address },
      body: terms,
    });
    await submit(holder, limit, { session: true });
    const { guardian } = await protect(holder);
    await enrol(holder, guardian.address);
    const kept = await protect(holder);
    expect(kept.remaining_spending_limits).toEqual([limit.spending_limit_address]);
    await submit(holder, kept.change, { session: true });
    const limits = () => test.call(listSpendingLimits, { params: { address: holder.address } });
    expect(await limits()).toMatchObject([{ address: limit.spending_limit_address, usable: true }]);
    const account = { params: { address: holder.address } };
    expect(await test.call(getAccount, account)).toMatchObject({ protection: "guarded" });
  });

  it("removes spending limits in the same transaction where that is asked for", async () => {
    const holder = await openPlain();
    const user = publicKeyOf("an errand boy");
    const terms = { amount: 1_000, mint: "sol", period: "daily", spending_limit_signers: [user] };
    const limit = await test.call<Change>(createSpendingLimit, { params: { address: holder.address }, body: terms });
    await submit(holder, limit, { session: true });
    const { guardian } = await protect(holder);
    const passkey = await enrol(holder, guardian.address);
    const removing = await protect(holder, { remove_spending_limits: true });
    expect(removing.remaining_spending_limits).toEqual([]);
    await submit(holder, removing.change, { session: true });
    expect(await test.call(listSpendingLimits, { params: { address: holder.address } })).toEqual([]);
    await expectTwoOfTwo(holder, passkey);
  });

  it("ends the votes that are open: nothing that was proposed before is approved after", async () => {
    const holder = await openPlain();
    const [a, b] = holder.verified.policies.signers.map(({ address }) => address);
    const both = await test.call<Change>(updateAccount, {
      params: { address: holder.address },
      body: { threshold: 2 },
    });
    await submit(holder, both, { session: true });
    const proposed = await test.call<Proposed>(createProposal, {
      params: { address: holder.address },
      body: { type: "transfer", amount: "1000000", currency: "sol", destination: publicKeyOf("a shop"), signer: a },
    });
    await submit(holder, openingOf(proposed), { session: true });
    const { guardian } = await protect(holder);
    await enrol(holder, guardian.address);
    // Two of two, and the session of the one alone is here: the change is put to a vote itself.
    const { change } = await protect(holder, { transaction_signers: [a] });
    expect(change?.proposal_address).toEqual(expect.any(String));
    const atOnce = (await protect(holder)).change;
    expect(atOnce?.transaction_signers).toEqual(expect.arrayContaining([a, b]));
    const other = await openSessionAt(holder, "kms_b");
    await submit(holder, atOnce, { session: true, backup: other });
    const vote = test.call(voteOnProposal, {
      params: { address: holder.address, proposal_address: proposed.proposalAddress },
      body: { action: "approve", signers: [a] },
    });
    expect((await errorOf(vote)).code).toBe("stale_proposal");
  });

  it("is refused where something is approved, unless the caller keeps it: one signer can still execute it", async () => {
    const holder = await openPlain();
    const [a] = holder.verified.policies.signers.map(({ address }) => address);
    const approve = (content: object) =>
      test.call<Proposed>(createProposal, {
        params: { address: holder.address },
        body: { ...content, signer: a, approve: true },
      });
    const transfer = { type: "transfer", amount: "1000000", currency: "sol", destination: publicKeyOf("a shop") };
    const { guardian } = await protect(holder);
    await enrol(holder, guardian.address);
    const proposed = await approve(transfer);
    await submit(holder, openingOf(proposed), { session: true });
    // It changes settings, so the change of settings ends it.
    const ended = await approve({ type: "settings", actions: [{ type: "SetTimeLock", newTimeLock: 60 }] });
    await submit(holder, openingOf(ended), { session: true });
    await expectRefusal(protect(holder), { remaining_proposals: [proposed.proposalAddress] });
    await expectRefusal(protect(holder, { keep_remaining: false }));
    const kept = await protect(holder, { keep_remaining: true });
    expect(kept).toMatchObject({
      remaining_proposals: [proposed.proposalAddress],
      remaining_policies: [],
      exported_signers: [],
    });
    await submit(holder, kept.change, { session: true });
    const execute = () =>
      test.call<Proposed>(executeProposal, {
        params: { address: holder.address, proposal_address: proposed.proposalAddress },
        body: { signer: a },
      });
    await submit(holder, openingOf(await execute()), { session: true });
    expect((await errorOf(protect(holder))).code).toBe("no_changes");
  });

  it("is refused where a policy of the program acts for it, unless the caller keeps it", async () => {
    const holder = await openPlain();
    const policy = publicKeyOf(`policy of ${holder.address}`);
    const network = withPolicy(policy);
    const call = (body: object = {}, parts = {}) =>
      test.call<Protection>(protectAccount, {
        params: { address: holder.address },
        body: { recovery, ...body },
        ...parts,
      });
    await expectRefusal(call({}, { network }), { remaining_policies: [policy] });
    expect(await call({ keep_remaining: true }, { network })).toMatchObject({ remaining_policies: [policy] });
    const broken = breakConnection(test.network, (method) => method === "getProgramAccounts");
    expect((await errorOf(call({ keep_remaining: true }, { network: broken }))).code).toBe("chain_unavailable");
  });

  it("is refused where the service's key was handed out, unless the caller keeps it or another wallet signs", async () => {
    const holder = await openPlain();
    const wallet = holder.verified.policies.signers[0]?.address ?? "";
    await handOutKey(holder);
    await expectRefusal(protect(holder), { exported_signers: [wallet] });
    expect(await protect(holder, { keep_remaining: true })).toMatchObject({ exported_signers: [wallet] });
    expect(await protect(holder, { session_provider: "kms_b" })).toMatchObject({ exported_signers: [] });
  });

  it("is signed for by the wallet that was never elsewhere, be an imported one a signer beside it or in its place", async () => {
    const { holder, key, sign } = await openBesideImported();
    const own = holder.verified.policies.signers[0]?.address;
    expect(await protect(holder, { keep_remaining: true })).toMatchObject({ session_wallet: { address: own } });
    await sign([addressOfKey(key)]);
    const imported = await protect(holder, { keep_remaining: true, session_provider: "kms_a" });
    expect(imported).toMatchObject({ session_wallet: { address: addressOfKey(key) } });
    const replaced = await protect(holder, { session_provider: "kms_a", replace_session_wallet: true });
    expect(replaced).toMatchObject({ session_wallet: { address: own } });
  });

  it("is an e-mail account without an admin, where there is a guardian and a wallet of the holder's", async () => {
    const policies = { signers: [{ address: recovery.address, permissions: everything }], threshold: 1 };
    const custom = await test.call<{ address: string }>(createCustomAccount, { body: { policies } });
    const code = async (address: string, body: object = {}, needs = {}) => {
      const call = test.call(protectAccount, { params: { address }, body: { recovery, ...body }, needs });
      return (await errorOf(call)).code;
    };
    expect(await code(custom.address)).toBe("provider_not_available");
    const { address, verified } = await openPlain();
    const custodians = new Map([...test.needs.custodians].filter(([name]) => name !== "kms_c"));
    expect(await code(address, {}, { custodians })).toBe("guardian_not_configured");
    expect(await code(address, { guardian: verified.policies.signers[0]?.address })).toBe("invalid_request");
    expect(await code(address, { recovery: { address: verified.policies.signers[1]?.address } })).toBe(
      "invalid_request",
    );
    expect(await code(address, { session_provider: "kms_c" })).toBe("provider_not_available");
    const stranger = await test.addTenant(`tenant-${randomUUID()}`);
    const foreign = test.call(protectAccount, { params: { address }, body: { recovery }, caller: stranger });
    expect((await errorOf(foreign)).code).toBe("account_not_found");
  });
});

describe("a guarded account of which something is lost", () => {
  it("gets another wallet at the guardian by a session and the recovery key, when the only passkey is lost", async () => {
    const { holder, passkey, guardian } = await openGuarded();
    const [a] = holder.verified.policies.signers.map(({ address }) => address);
    const next = await protect(holder, { replace_guardian: true });
    expect(next).toMatchObject({ guardian: { passkeys: 0 } });
    const renewed = await enrol(holder, next.guardian.address);
    const named = { guardian: next.guardian.address, transaction_signers: [a, recovery.address] };
    const { change } = await protect(holder, named);
    expect([...(change?.transaction_signers ?? [])].sort()).toEqual([a, recovery.address].sort());
    // The recovery key and the service's word, and a session without it.
    for (const signed of [{ recovery: true }, { session: true }]) {
      expect((await errorOf(submit(holder, change, signed))).code).toBe("missing_signature");
    }
    await submit(holder, change, { session: true, recovery: true });
    expect(await addressesOf(holder)).toEqual([a, recovery.address, next.guardian.address].sort());
    await expectTwoOfTwo(holder, renewed);
    const prepared = await payment(holder.address);
    const [bySessionOf, byOld] = [sessionStamp(holder, prepared), passkeyStamp(passkey, prepared)];
    expect((await errorOf(send(holder.address, prepared.transaction, [bySessionOf, byOld]))).code).toBe(
      "invalid_signature",
    );
    expect(guardian).not.toBe(next.guardian.address);
  });

  it("gets a wallet at another guardian by a session and the recovery key, when the guardian is lost", async () => {
    const { holder, guardian } = await openGuarded();
    const [a] = holder.verified.policies.signers.map(({ address }) => address);
    const former = test.needs.custodians.get("kms_c");
    const other = await startTestCustodian({ variables: { TRELLIS_CUSTODIAN_NAME: "kms_c" } });
    try {
      test.needs.custodians.set("kms_c", connect(other));
      const unknown = begin(test, holder.address, { body: { signer: guardian } });
      expect((await errorOf(unknown)).code).toBe("invalid_signature");
      const next = await protect(holder, { replace_guardian: true });
      expect(next.guardian.address).not.toBe(guardian);
      const passkey = await enrol(holder, next.guardian.address);
      const named = { guardian: next.guardian.address, transaction_signers: [a, recovery.address] };
      await submit(holder, (await protect(holder, named)).change, { session: true, recovery: true });
      await expectTwoOfTwo(holder, passkey);
      expect(await test.call(getAccount, { params: { address: holder.address } })).toMatchObject({
        protection: "guarded",
      });
    } finally {
      if (former !== undefined) test.needs.custodians.set("kms_c", former);
      await other.close();
    }
  });

  it("whose owner is mailed of a change that waits, once for each time that it does", async () => {
    const { holder, passkey, guardian } = await openGuarded();
    const [wallet] = await test.needs.db.selectFrom("wallet").select("id").where("address", "=", guardian).execute();
    const mails = async () => {
      await sendChangeNotices(test.needs, test.network);
      const sent = await test.call<readonly { readonly subject: string; readonly text: string }[]>(readOutbox, {
        query: { email: holder.email },
      });
      return sent.filter(({ subject }) => subject.includes("settings"));
    };
    const ask = async (keptIn: string) => {
      const { change } = await protect(holder, { recovery: { address: publicKeyOf(keptIn) }, guardian });
      expect((await errorOf(submit(holder, change, { session: true, passkey }))).code).toBe("guardian_refused");
    };
    expect(await mails()).toEqual([]);
    await Promise.all([ask("kept in a safe"), ask("kept in a safe")]);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail?.text).toContain(holder.address);
    expect(mail?.text).toContain("cancel all that waits before that time");
    await ask("kept in a safe");
    expect(await mails()).toHaveLength(1);
    // However many are asked for meanwhile, the next mail is sent a while behind the last, and says how many.
    await ask("kept under a stone");
    await ask("kept in a tree");
    expect(await mails()).toHaveLength(1);
    test.needs.realClock.advance(limits.changeNoticesApartMs);
    const [next] = await mails();
    expect(next?.text).toContain("2 changes of who disposes over your account");
    expect(await mails()).toHaveLength(2);
    test.needs.realClock.advance(limits.changeNoticesApartMs);
    // A guardian that names no change: by its time.
    const delayed = { account: { address: holder.address, tenantId: "tenant-1" }, walletId: wallet?.id ?? "" };
    for (const notBefore of [1, 1, 2, 9e15]) {
      await noteDelayedChange(test.needs, test.network, { ...delayed, changeId: undefined, notBefore });
    }
    expect(await mails()).toHaveLength(3);
  });

  it("gets another recovery key by a session and a passkey", async () => {
    const { holder, passkey, guardian } = await openGuarded();
    const safe = publicKeyOf("kept in a safe");
    const { change } = await protect(holder, { recovery: { address: safe }, guardian });
    expect(change?.kms_payloads.map(({ provider }) => provider)).toEqual(["kms_a", "kms_c"]);
    for (const one of [{ session: true }, { passkey }]) {
      expect((await errorOf(submit(holder, change, one))).code).toBe("missing_signature");
    }
    await expectDelay(submit(holder, change, { session: true, passkey }));
    const again = await protect(holder, { recovery: { address: safe }, guardian });
    const later = { ...holder, authorizationKey: await openSessionAt(holder, "kms_a") };
    await submit(later, again.change, { session: true, passkey });
    const account = await test.call(getAccount, { params: { address: holder.address } });
    expect(account).toMatchObject({ protection: "guarded" });
    expect(signersOf(account)).toContainEqual({
      address: safe,
      permissions: ["CAN_VOTE"],
      role: "backup",
      provider: "external",
    });
    await expectTwoOfTwo(later, passkey);
  });

  it("does not get a recovery key that a custodian here took since the change was prepared", async () => {
    const { holder, passkey, guardian } = await openGuarded();
    const taken = publicKeyOf("imported meanwhile");
    const { change } = await protect(holder, { recovery: { address: taken }, guardian });
    const { db } = test.needs;
    const held = await db.selectFrom("wallet").selectAll().where("is_guarded", "=", false).executeTakeFirstOrThrow();
    await db
      .insertInto("wallet")
      .values({ ...held, id: randomUUID(), owner_id: randomUUID(), address: taken })
      .execute();
    expect((await errorOf(submit(holder, change, { session: true, passkey }))).code).toBe("forbidden_account");
    const again = await errorOf(protect(holder, { recovery: { address: taken }, guardian }));
    expect(again).toMatchObject({ code: "invalid_request", details: [{ field: "recovery.address" }] });
  });

  it("gets another wallet of the service by a passkey and the recovery key, when the service's keys are stolen", async () => {
    const { holder, passkey, guardian } = await openGuarded();
    const named = { session_provider: "kms_b", transaction_signers: [guardian, recovery.address] };
    const { change } = await protect(holder, named);
    expect(change?.kms_payloads.map(({ provider }) => provider)).toEqual(["kms_c"]);
    await expectDelay(submit(holder, change, { passkey, recovery: true }));
    await submit(holder, (await protect(holder, named)).change, { passkey, recovery: true });
    const account = await test.call(getAccount, { params: { address: holder.address } });
    expect(signersOf(account).map(({ provider }) => provider)).toEqual(expect.arrayContaining(["kms_b", "kms_c"]));
    const prepared = await payment(holder.address);
    expect(prepared.kms_payloads.map(({ provider }) => provider).sort()).toEqual(["kms_b", "kms_c"]);
    const session = await openSessionAt(holder, "kms_b");
    const stamped = [backupStamp(session, prepared), passkeyStamp(passkey, prepared)];
    await send(holder.address, prepared.transaction, stamped);
    // The next change keeps it there.
    expect((await errorOf(protect(holder))).code).toBe("no_changes");
  });
});

interface Proposed {
  readonly proposalAddress: string;
  readonly transactions: readonly string[];
  readonly kms_payloads: readonly Prepared["kms_payloads"][];
}

const openingOf = ({ transactions: [transaction = ""], kms_payloads: [payloads = []] }: Proposed): Prepared => ({
  transaction,
  transaction_signers: [],
  kms_payloads: payloads,
});

type Change = Prepared & { readonly proposal_address?: string };

interface Protection {
  readonly guardian: { readonly address: string; readonly provider: string; readonly passkeys: number };
  readonly change?: Change;
  readonly remaining_spending_limits: readonly string[];
}

interface Prepared {
  readonly transaction: string;
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly { readonly provider: string; readonly payload: string }[];
}

function openPlain(): Promise<HeldAccount> {
  // Read, so that it is started.
  expect(custodian.url).toMatch(/^https:/);
  return test.openHolder(`${randomUUID()}@example.org`, { sol: "1000000000" });
}

/** A plain account, for which an imported wallet signs beside that of its holder. */
async function openBesideImported() {
  const [holder, key] = [await openPlain(), newKey()];
  const [own = "", backup = ""] = holder.verified.policies.signers.map(({ address }) => address);
  const sign = async (addresses: readonly string[]) => {
    const signers = [...addresses, backup].map((address) => ({ address, permissions: everything }));
    const { address } = holder;
    const body = { signers, threshold: 1, transaction_signers: [own] };
    const change = await test.call<Prepared>(updateAccount, { params: { address }, body });
    await submit(holder, change, { session: true });
  };
  await sign([own, addressOfKey(key)]);
  await importsOf(test, { holder, key }).all();
  return { holder, key, sign };
}

/** A guarded account from the first. */
async function signUp(email: string): Promise<HeldAccount> {
  await test.call(createAccount, { body: { type: "email", email, protection: "guarded", recovery } });
  const clientKey = await createClientKey();
  const verified = await test.call<Verified>(verifyAccount, {
    body: {
      email,
      otp_code: await test.latestCode(email),
      kms_provider_config: { encryption_public_key: clientKey.spki },
    },
  });
  const opened = await clientKey.open(sessionOf(verified).session.encrypted_authorization_key);
  const address = verified.address as HeldAccount["address"];
  return { email, address, verified, clientKey, authorizationKey: importAuthorizationKey(opened) };
}

const protect = ({ address }: HeldAccount, body: object = {}) =>
  test.call<Protection>(protectAccount, { params: { address }, body: { recovery, ...body } });

async function openGuarded() {
  const holder = await openPlain();
  const { guardian } = await protect(holder);
  const passkey = await enrol(holder, guardian.address);
  await submit(holder, (await protect(holder)).change, { session: true });
  return { holder, passkey, guardian: guardian.address };
}

/** Adds the first passkey of a guardian's wallet, by the session that the creation opened. */
async function enrol(holder: HeldAccount, signer: string): Promise<SoftPasskey> {
  const { address } = holder;
  const begun = await begin(test, address, { body: { signer } });
  const passkey = createSoftPasskey();
  const challenge = Buffer.from(begun.public_key.challenge, "base64url");
  const { clientDataJSON, authenticatorData } = passkey.register({ ...page, challenge });
  await test.call(addPasskey, {
    params: { address },
    body: {
      ceremony_id: begun.ceremony_id,
      signer,
      name: "Phone",
      credential: { response: { clientDataJSON, authenticatorData } },
      authorization: bySession(holder, addition(begun, passkey)),
    },
  });
  return passkey;
}

const payment = (address: string) =>
  test.call<Prepared>(preparePayment, {
    params: { address },
    body: {
      amount: "5000000",
      source: { account: address, currency: "sol" },
      destination: { address: publicKeyOf("a shop"), currency: "sol" },
    },
  });

async function expectTwoOfTwo(holder: HeldAccount, passkey: SoftPasskey): Promise<void> {
  const prepared = await payment(holder.address);
  expect(prepared.kms_payloads.map(({ provider }) => provider)).toEqual(["kms_a", "kms_c"]);
  for (const one of [{ session: true }, { passkey }]) {
    expect((await errorOf(submit(holder, prepared, one))).code).toBe("missing_signature");
  }
  await submit(holder, prepared, { session: true, passkey });
}

/** Signs with what is named, and submits. */
function submit(
  holder: HeldAccount,
  prepared: Prepared | undefined,
  by: {
    readonly session?: boolean;
    readonly passkey?: SoftPasskey;
    readonly backup?: KeyObject;
    readonly recovery?: boolean;
  },
) {
  if (prepared === undefined) throw new Error("nothing was prepared");
  const stamps = [
    ...(by.session === true ? [sessionStamp(holder, prepared)] : []),
    ...(by.passkey === undefined ? [] : [passkeyStamp(by.passkey, prepared)]),
    ...(by.backup === undefined ? [] : [backupStamp(by.backup, prepared)]),
  ];
  const { transaction } = prepared;
  return send(holder.address, by.recovery === true ? signTransaction(transaction, [drawer]) : transaction, stamps);
}

const send = (address: string, transaction: string, kms_payloads: readonly object[]) =>
  test.call(submitTransactions, { params: { address }, body: { transaction, kms_payloads } });

const payloadOf = ({ kms_payloads }: Prepared, name: string) =>
  kms_payloads.find(({ provider }) => provider === name)?.payload ?? "";
const sessionStamp = (holder: HeldAccount, prepared: Prepared) =>
  bySession(holder, JSON.parse(Buffer.from(payloadOf(prepared, "kms_a"), "base64").toString("utf8")));
const passkeyStamp = (passkey: SoftPasskey, prepared: Prepared) =>
  byPasskey(passkey, payloadOf(prepared, "kms_c"), {}, "kms_c");
const backupStamp = (key: KeyObject, prepared: Prepared) => ({
  provider: "kms_b",
  kms_signed_payload: stampKmsB(payloadOf(prepared, "kms_b"), key, test.needs.realClock.now()),
});

/** The key of a session of the same user's at another custodian. */
async function openSessionAt({ email }: HeldAccount, provider: string): Promise<KeyObject> {
  await test.call(startAuthentication, { body: { email, provider } });
  const clientKey = await createClientKey();
  const signedIn = await test.call<Verified>(verifyAuthentication, {
    body: {
      email,
      otp_code: await test.latestCode(email),
      provider,
      kms_provider_config: { encryption_public_key: clientKey.spki },
    },
  });
  return importAuthorizationKey(await clientKey.open(sessionOf(signedIn).session.encrypted_authorization_key));
}

const signersOf = (account: unknown) =>
  (
    account as {
      readonly policies: { readonly signers: readonly { readonly address: string; readonly provider: string }[] };
    }
  ).policies.signers;
const addressesOf = async ({ address }: HeldAccount) =>
  signersOf(await test.call(getAccount, { params: { address } }))
    .map((signer) => signer.address)
    .sort();

/** Nothing is prepared, and the error names what would act without the guardian. */
async function expectRefusal(call: Promise<unknown>, facts: object = {}): Promise<void> {
  const { code, details } = await errorOf(call);
  expect(code).toBe("invalid_request");
  expect(details).toMatchObject([{ field: "keep_remaining", ...facts }]);
}

/** A node that lists a policy: the sandbox's program makes none. */
function withPolicy(pubkey: string): Network {
  const wanted = Buffer.from(discriminatorOf("policy") as Uint8Array).toString("base64");
  const rpc = createSolanaRpcFromTransport(async <Response>({ payload }: { payload: unknown }) => {
    const answer = (await test.network.sandbox?.handleRpc(payload)) as object;
    const isMeant = JSON.stringify((payload as { readonly params: unknown }).params, withBigInts).includes(wanted);
    const account = { owner: SMART_ACCOUNT_PROGRAM_ADDRESS, data: ["", "base64"], lamports: 1, executable: false };
    return (
      isMeant ? { ...answer, result: { context: { slot: 1 }, value: [{ pubkey, account }] } } : answer
    ) as Response;
  }) as Rpc<SolanaRpcApi>;
  return { ...test.network, rpc };
}
const withBigInts = (_: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);

/** Has the custodian of the service hand out the key of the holder's wallet. */
async function handOutKey(holder: HeldAccount): Promise<void> {
  await test.call(setWalletExportTerms, { body: { delay_seconds: 3_600 } });
  const exports = exportsOf(test, holder);
  const { id } = await exports.order(createRecipient());
  await test.network.sandbox?.advanceClock(3_600);
  expect(await exports.get(id)).toMatchObject({ status: "exported" });
}

/** The guardian signs a change of settings a day after it was asked for the first time. */
async function expectDelay(first: Promise<unknown>): Promise<void> {
  const { code, details } = await errorOf(first);
  expect(code).toBe("guardian_refused");
  const inADay = new Date(test.network.clock.now() + 86_400_000).toISOString();
  expect(details).toMatchObject([{ rule: "settings_change_delayed", not_before: inADay }]);
  await test.network.sandbox?.advanceClock(86_400);
}
