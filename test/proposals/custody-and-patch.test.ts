import { randomBytes } from "node:crypto";
import { createNoopSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import { addressOfKey, signPayload, signTransaction } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { makeKey } from "../adversarial/support.js";
import { useTestService } from "../support/scene.js";
import { dataOf, may, newKey, type Opened, only, type Prepared, pays, proposalsOf, refusalOf } from "./support.js";

const masterKey = randomBytes(32);
const trellis = useTestService({
  TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000",
  TRELLIS_MASTER_KEY: masterKey.toString("base64"),
});
const at = proposalsOf(trellis);
const sol = 1_000_000_000n;
const keyring = createKeyring({ masterKeys: [{ id: "k", key: masterKey }], activeId: "k" });

describe("signers whose keys a custodian holds", () => {
  it("create, vote and execute by stamping payloads, next to keys of the caller's own", async () => {
    const holder = await trellis.openHolder({ sol: (3n * sol).toString() });
    const account: Opened = { address: holder.address, settings: holder.settingsAddress };
    const wallet = (await trellis.client.accounts.get(holder.address)).policies.signers.find(
      ({ provider }) => provider === "kms_a",
    )?.address;
    const own = newKey();
    const stamp = (payloads: KmsPayloads) =>
      payloads.map((payload) => signPayload(payload, holder.session.authorizationKey, Date.now()));
    const send = (prepared: Prepared, transaction: string) =>
      at.request("POST", account, "/submit", {
        transactions: [
          signTransaction(transaction, prepared.transaction_signers.includes(addressOfKey(own)) ? [own] : []),
        ],
        kms_payloads: [stamp(prepared.kms_payloads.flat() as KmsPayloads)],
      });
    const landed = async (prepared: Prepared, transaction: string) =>
      expect(dataOf<{ partial_failure?: object }>(await send(prepared, transaction)).partial_failure).toBeUndefined();

    const proposed = dataOf<Prepared>(
      await at.create(account, {
        signer: wallet,
        type: "settings",
        approve: true,
        actions: [
          { type: "AddSigner", newSigner: may(own) },
          { type: "ChangeThreshold", newThreshold: 2 },
        ],
      }),
    );
    expect(proposed.kms_payloads).toMatchObject([[{ address: wallet, provider: "kms_a" }]]);
    await landed(proposed, only(proposed));
    const execution = dataOf<Prepared>(
      await at.request("POST", account, `/proposals/${proposed.proposalAddress}/execute`, { signer: wallet }),
    );
    await landed(execution, only(execution));

    const payee = makeKey().address;
    const payment = dataOf<Prepared>(await at.create(account, { signer: wallet, ...pays(payee, sol) }));
    await landed(payment, only(payment));
    const both = dataOf<Prepared>(
      await at.request("POST", account, `/proposals/${payment.proposalAddress}/vote-and-execute`, {
        signers: [wallet, addressOfKey(own)],
        feeConfig: { self_managed_fees: false },
      }),
    );
    expect(both.kms_payloads).toMatchObject([[{ address: wallet, provider: "kms_a" }]]);
    expect([...both.transaction_signers].sort()).toEqual([wallet, addressOfKey(own)].sort());
    await landed(both, only(both));
    expect(await trellis.lamportsOf(payee)).toBe(sol);
  });
});

describe("a token payment that is voted on", () => {
  it("opens the payee's account, at the service's expense where the account has no SOL", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 });
    await trellis.client.sandbox.airdrop({ address: account.address, currency: "usdc", amount: "5000000" });
    const payee = makeKey().address;
    const { proposalAddress } = await at.propose(account, a, {
      type: "transfer",
      currency: "usdc",
      amount: "2000000",
      destination: { address: payee },
      approve: true,
    });
    const view = await at.get(account, proposalAddress);
    expect(view.summary).toMatchObject([
      { type: "create_token_account", owner: payee, payer: account.address },
      { type: "transfer", from: account.address, to: payee, amount: "2000000" },
    ]);
    const executed = await at.run(account, proposalAddress, a);
    expect(executed.summary.map(({ type }) => type)).toEqual(["create_token_account", "execute_proposal"]);
    expect(BigInt(executed.fee.rent_lamports)).toBeGreaterThan(0n);
    expect(await trellis.usdcOf(payee)).toBe(2_000_000n);
  });
});

describe("a transaction of the caller's own that is voted on", () => {
  it("drops the caller's compute budget, and is refused for a service key or nothing to do", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    const payee = makeKey().address;
    const source = createNoopSigner(account.address);
    const pay = getTransferSolInstruction({ source, destination: payee, amount: 5_000_000n });
    for (const version of [0, "legacy"] as const) {
      const transaction = await trellis.compose(account.address, [pay], { version });
      const { proposalAddress } = await at.propose(account, a, { type: "custom", transaction });
      const prepared = dataOf<Prepared>(await at.voteAndExecute(account, proposalAddress, [a]));
      dataOf(await at.submit(account, only(prepared), [a]));
    }
    expect(await trellis.lamportsOf(payee)).toBe(10_000_000n);
    const nothing = await trellis.compose(account.address, []);
    const body = { signer: addressOfKey(a), type: "custom" };
    expect(refusalOf(await at.create(account, { ...body, transaction: nothing }))).toEqual([
      400,
      "invalid_transaction",
    ]);
    expect(refusalOf(await at.create(account, { ...body, transaction: "AAAA" }))).toEqual([400, "invalid_transaction"]);
  });
});

describe("approvals", () => {
  it("that count are pointed out once they are older than a day", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await at.open({ signers: [may(a), may(b)], threshold: 2 }, sol);
    const made = await at.propose(account, a, { ...pays(makeKey().address, 5_000_000n), approve: true });
    await trellis.network.sandbox?.advanceClock(86_400 - 60);
    expect((await at.get(account, made.proposalAddress)).warnings).toEqual([]);
    await trellis.network.sandbox?.advanceClock(120);
    expect((await at.get(account, made.proposalAddress)).warnings).toMatchObject([
      { code: "old_approvals", signers: [addressOfKey(a)] },
    ]);
  });
});

describe("another tenant", () => {
  it("finds neither the account nor its proposals", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    const { proposalAddress } = await at.propose(account, a, pays(makeKey().address, 5_000_000n));
    const { value } = await trellis.addTenant("stranger", keyring.macs("api-key"));
    const as = (method: string, path: string, body?: unknown) =>
      trellis.request(method, `/api/service/v1/accounts/${account.address}/proposals${path}`, body, {
        authorization: `Bearer ${value}`,
      });
    for (const answer of [
      await as("GET", ""),
      await as("GET", `/${proposalAddress}`),
      await as("POST", `/${proposalAddress}/vote`, { action: "approve", signers: [addressOfKey(a)] }),
    ]) {
      expect(refusalOf(answer)).toEqual([404, "account_not_found"]);
    }
  });
});

describe("a PATCH that cannot be made at once", () => {
  type Patched = Prepared & { proposal_address?: string; transaction_index?: number };

  it("is proposed under a time lock, approved by the signers named, and takes effect when executed", async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()];
    const account = await at.open({ signers: [may(a, ["CAN_VOTE"]), may(b), may(c)], threshold: 2, time_lock: 60 });
    const patched = dataOf<Patched>(
      await at.request("PATCH", account, "", {
        time_lock: 0,
        threshold: 1,
        transaction_signers: [a, b, c].map(addressOfKey),
      }),
    );
    expect(patched).toMatchObject({ proposal_address: expect.any(String), transaction_index: 1 });
    expect(patched.summary).toMatchObject([
      {
        type: "create_proposal",
        creator: addressOfKey(b),
        actions: [
          { type: "change_threshold", threshold: 1 },
          { type: "set_time_lock", time_lock: 0 },
        ],
      },
      { type: "vote", signer: addressOfKey(b) },
      { type: "vote", signer: addressOfKey(a) },
    ]);
    dataOf(await at.submit(account, patched.transaction, [a, b]));
    const proposal = patched.proposal_address ?? "";
    const view = await at.get(account, proposal);
    expect(view.status).toBe("Approved");
    expect(view.warnings.map(({ code }) => code)).toEqual(["lowers_threshold", "changes_time_lock"]);
    expect(refusalOf(await at.execute(account, proposal, c))).toEqual([409, "time_lock_not_released"]);
    await trellis.network.sandbox?.advanceClock(60);
    await at.run(account, proposal, c);
    const { policies } = await trellis.client.accounts.get(account.address);
    expect(policies).toMatchObject({ threshold: 1, time_lock: 0 });
  });

  it("is proposed where the signers named are too few, and needs one of them to initiate", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await at.open({ signers: [may(a), may(b, ["CAN_VOTE"])], threshold: 2 });
    const ask = (keys: Uint8Array[]) =>
      at.request("PATCH", account, "", { threshold: 1, transaction_signers: keys.map(addressOfKey) });
    expect(refusalOf(await ask([b]))).toEqual([403, "insufficient_permissions"]);
    const patched = dataOf<Patched>(await ask([a]));
    dataOf(await at.submit(account, patched.transaction, [a]));
    const prepared = dataOf<Prepared>(await at.voteAndExecute(account, patched.proposal_address ?? "", [b, a]));
    dataOf(await at.submit(account, only(prepared), [a, b]));
    expect((await trellis.client.accounts.get(account.address)).policies.threshold).toBe(1);
  });
});

type KmsPayloads = Parameters<typeof signPayload>[0][];
