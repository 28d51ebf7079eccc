import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createSolanaRpc,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import {
  addSpendingLimitAction,
  addSpendingLimitAsAuthorityInstruction,
  changeAsAuthorityInstruction,
  deriveSpendingLimitAddress,
  executeSettingsTransactionSyncInstruction,
  Period,
  type PlainInstruction,
} from "@trellis/program-client";
import { addressOfKey, type Permission, type SignerKey, signTransaction } from "@trellis/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { newKey } from "../proposals/support.js";
import { useTestService } from "../support/scene.js";

let payer: SignerKey;
const trellis = useTestService();
beforeAll(async () => {
  payer = newKey();
  await trellis.client.sandbox.airdrop({ address: addressOfKey(payer), currency: "sol", amount: "1000000000" });
});

describe("spending limits that outlive a signer", () => {
  it("are listed, and removed on demand, by the members", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await open({ signers: [may(a), may(b)], threshold: 1 });
    const limits = [limitOf([b]), limitOf([a])];
    await submitForeign(
      account,
      executeSettingsTransactionSyncInstruction({
        settings: account.settings,
        members: [addressOfKey(a)],
        rentPayer: addressOfKey(payer),
        actions: limits.map(addSpendingLimitAction),
      }),
      [a],
    );
    const [ofB, ofA] = limits.map(({ seed }) => deriveSpendingLimitAddress(account.settings, seed)) as [
      Address,
      Address,
    ];

    const body = { signers: [may(a)], transaction_signers: [addressOfKey(a)] };
    const kept = await patch(account, body);
    expect(kept.remaining_spending_limits).toEqual([ofB]);
    expect(removalsIn(kept)).toEqual([]);
    const removed = await patch(account, body, "?remove_spending_limits=true");
    expect(removed.remaining_spending_limits).toEqual([]);
    expect(removalsIn(removed)).toEqual([ofB]);
    await trellis.client.transactions.submit(account.address, {
      transaction: signTransaction(removed.transaction, [a]),
    });
    expect([await exists(ofB), await exists(ofA)]).toEqual([false, true]);
  });

  it("are removed by the admin, also one who hands over in the same transaction", async () => {
    const [a, b, admin, next] = [newKey(), newKey(), newKey(), newKey()];
    const account = await open({ signers: [may(a), may(b)], threshold: 1, admin_address: addressOfKey(admin) });
    const limit = limitOf([b]);
    await submitForeign(
      account,
      addSpendingLimitAsAuthorityInstruction({
        settings: account.settings,
        settingsAuthority: addressOfKey(admin),
        rentPayer: addressOfKey(payer),
        limit,
      }),
      [admin],
    );
    const ofB = deriveSpendingLimitAddress(account.settings, limit.seed);
    const body = { signers: [may(a)], admin_address: addressOfKey(next) };
    expect((await patch(account, body, "?admin=true")).remaining_spending_limits).toEqual([ofB]);
    const removed = await patch(account, body, "?admin=true&remove_spending_limits=true");
    expect(removalsIn(removed)).toEqual([ofB]);
    await trellis.client.transactions.submit(account.address, {
      transaction: signTransaction(removed.transaction, [admin]),
    });
    expect(await exists(ofB)).toBe(false);
    const { policies } = await trellis.client.accounts.get(account.address);
    expect(policies.admin_address).toBe(addressOfKey(next));
    expect(policies.signers.map(({ address }) => address)).toEqual([addressOfKey(a)]);
  });
});

describe("a change of settings that was built elsewhere", () => {
  const addSigner = (account: Opened, member: SignerKey, key: Address) =>
    executeSettingsTransactionSyncInstruction({
      settings: account.settings,
      members: [addressOfKey(member)],
      rentPayer: addressOfKey(payer),
      actions: [{ __kind: "AddSigner", newSigner: { key, permissions: 7 } }],
    });

  it("is submitted, and the new signer can act through the service", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await open({ signers: [may(a)], threshold: 1 });
    await submitForeign(account, addSigner(account, a, addressOfKey(b)), [a]);
    const { policies } = await trellis.client.accounts.get(account.address);
    expect(policies.signers.map(({ address }) => address).sort()).toEqual([addressOfKey(a), addressOfKey(b)].sort());
    const next = await patch(account, { signers: [may(b)], transaction_signers: [addressOfKey(b)] });
    await trellis.client.transactions.submit(account.address, { transaction: signTransaction(next.transaction, [b]) });
  });

  it("makes no key of the service a signer or the admin", async () => {
    const [a, admin] = [newKey(), newKey()];
    const free = await open({ signers: [may(a)], threshold: 1 });
    const { body } = await trellis.request("PATCH", `/api/service/v1/accounts/${free.address}`, { time_lock: 1 });
    const { paid_by: serviceKey } = (body as { data: { fee: { paid_by: Address } } }).data.fee;
    await expect(submitForeign(free, addSigner(free, a, serviceKey), [a])).rejects.toMatchObject({
      code: "forbidden_account",
    });
    const held = await open({ signers: [may(a)], threshold: 1, admin_address: addressOfKey(admin) });
    const handOver = changeAsAuthorityInstruction({
      settings: held.settings,
      settingsAuthority: addressOfKey(admin),
      rentPayer: addressOfKey(payer),
      change: { __kind: "SetSettingsAuthority", newSettingsAuthority: serviceKey },
    });
    await expect(submitForeign(held, handOver, [admin])).rejects.toMatchObject({ code: "forbidden_account" });
  });

  it("needs the authority of that account", async () => {
    const [a, stranger, admin] = [newKey(), newKey(), newKey()];
    const held = await open({ signers: [may(a)], threshold: 1, admin_address: addressOfKey(admin) });
    const free = await open({ signers: [may(a)], threshold: 1 });
    const refused = { status: 403, code: "insufficient_permissions" };
    const key = addressOfKey(newKey());
    await expect(submitForeign(free, addSigner(free, stranger, key), [stranger])).rejects.toMatchObject(refused);
    await expect(submitForeign(held, addSigner(held, a, key), [a])).rejects.toMatchObject(refused);
    const byStranger = changeAsAuthorityInstruction({
      settings: held.settings,
      settingsAuthority: addressOfKey(stranger),
      rentPayer: addressOfKey(payer),
      change: { __kind: "SetTimeLock", newTimeLock: 5 },
    });
    await expect(submitForeign(held, byStranger, [stranger])).rejects.toMatchObject(refused);
  });

  it("is refused when it cannot be read", async () => {
    const a = newKey();
    const account = await open({ signers: [may(a)], threshold: 1 });
    const whole = addSigner(account, a, addressOfKey(newKey()));
    const cut = { ...whole, data: whole.data.slice(0, 12) };
    await expect(submitForeign(account, cut, [a])).rejects.toMatchObject({ code: "invalid_transaction" });
  });
});

interface Opened {
  readonly address: string;
  readonly settings: Address;
}

interface PatchAnswer {
  readonly data: {
    readonly transaction: string;
    readonly remaining_spending_limits: string[];
    readonly summary: { actions: { type: string; spending_limit?: string }[] }[];
  };
}

const everything: Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
const may = (key: SignerKey) => ({ address: addressOfKey(key) as string, permissions: everything });

async function open(policies: object): Promise<Opened> {
  const { body } = await trellis.request("POST", "/api/service/v1/accounts:custom", { policies });
  const { data } = body as { data: { address: string; settings_address: Address } };
  return { address: data.address, settings: data.settings_address };
}

/** Submits what was built elsewhere: paid by a key of the caller's own. */
async function submitForeign({ address }: Opened, instruction: PlainInstruction, keys: SignerKey[]) {
  const url = `${trellis.url}/api/service/v1/sandbox/rpc?api-key=${trellis.apiKey}`;
  const { value: lifetime } = await createSolanaRpc(url).getLatestBlockhash().send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(addressOfKey(payer), m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    (m) => appendTransactionMessageInstructions([instruction], m),
  );
  const transaction = getBase64EncodedWireTransaction(compileTransaction(message));
  return trellis.client.transactions.submit(address, { transaction: signTransaction(transaction, [payer, ...keys]) });
}

async function patch({ address }: Opened, body: unknown, query = ""): Promise<PatchAnswer["data"]> {
  const answer = await trellis.request("PATCH", `/api/service/v1/accounts/${address}${query}`, body);
  expect(answer.status).toBe(200);
  return (answer.body as PatchAnswer).data;
}

const limitOf = (signers: readonly SignerKey[]) => ({
  seed: addressOfKey(newKey()),
  mint: null,
  amountBaseUnits: 1_000n,
  period: Period.Day,
  signers: signers.map(addressOfKey),
  destinations: [],
  expiration: null,
});

async function exists(address: Address): Promise<boolean> {
  const url = `${trellis.url}/api/service/v1/sandbox/rpc?api-key=${trellis.apiKey}`;
  return (await createSolanaRpc(url).getAccountInfo(address, { encoding: "base64" }).send()).value !== null;
}

const removalsIn = ({ summary }: PatchAnswer["data"]) =>
  summary
    .flatMap(({ actions }) => actions)
    .flatMap(({ spending_limit: limit }) => (limit === undefined ? [] : [limit]));
