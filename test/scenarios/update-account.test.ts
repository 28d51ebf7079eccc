import {
  addressOfKey,
  generateEncryptionKeyPair,
  openSession,
  type Permission,
  type PreparedTransaction,
  type SignerKey,
  signPayload,
  signTransaction,
  type TrellisSession,
} from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { newKey } from "../proposals/support.js";
import { useTestService } from "../support/scene.js";

const everything: Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
const trellis = useTestService();

describe("an account that belongs to its signers", () => {
  it("holds the smallest change, described from the bytes, and takes effect when submitted", async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()];
    const address = await open({ signers: [may(a), may(b)], threshold: 1 });
    const prepared = await prepare(address, {
      signers: [may(a), may(b, ["CAN_VOTE"]), may(c)],
      threshold: 2,
      transaction_signers: [addressOfKey(a)],
    });
    expect(prepared.transaction_signers).toEqual([addressOfKey(a)]);
    expect(prepared.kms_payloads).toEqual([]);
    expect(prepared.summary).toHaveLength(1);
    expect(prepared.summary[0]).toMatchObject({ type: "settings_change", by: [addressOfKey(a)] });
    expect(actionsOf(prepared)).toEqual([
      { type: "remove_signer", address: addressOfKey(b) },
      { type: "add_signer", address: addressOfKey(b), permissions: ["CAN_VOTE"] },
      { type: "add_signer", ...may(c) },
      { type: "change_threshold", threshold: 2 },
    ]);
    expect(await membersOf(address)).toHaveLength(2);
    await submit(address, prepared, [a]);
    const policies = await policiesOf(address);
    expect(policies).toMatchObject({ threshold: 2, time_lock: 0, admin_address: null });
    expect(policies.signers.find((signer) => signer.address === addressOfKey(b))?.permissions).toEqual(["CAN_VOTE"]);
  });

  it("charges the growth of the account to the fee payer, and says so", async () => {
    const a = newKey();
    const address = await open({ signers: [may(a)], threshold: 1 });
    const prepared = await prepare(address, { signers: [may(a), may(newKey())] });
    expect(BigInt(prepared.fee.rent_lamports)).toBeGreaterThan(0n);
    await submit(address, prepared, [a]);
    const smaller = await prepare(address, { signers: [may(a)] });
    expect(smaller.fee.rent_lamports).toBe("0");
  });

  it("takes as many signers as the threshold needs", async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()];
    const address = await open({ signers: [may(a), may(b), may(c)], threshold: 2 });
    const prepared = await prepare(address, { threshold: 3 });
    expect(prepared.transaction_signers).toHaveLength(2);
    await submit(
      address,
      prepared,
      [a, b, c].filter((key) => prepared.transaction_signers.includes(addressOfKey(key))),
    );
    expect((await policiesOf(address)).threshold).toBe(3);
    await expect(submit(address, await prepare(address, { threshold: 1 }), [a, b])).rejects.toMatchObject({
      code: "missing_signature",
    });
    const proposed = await prepare(address, { threshold: 1, transaction_signers: [addressOfKey(a)] });
    expect(proposed).toMatchObject({ proposal_address: expect.any(String), transaction_index: 1 });
    expect(await refusal(address, { threshold: 1, transaction_signers: [addressOfKey(newKey())] })).toEqual([
      403,
      "insufficient_permissions",
      "transaction_signers",
    ]);
  });

  it("lets an e-mail user swap the custodians' keys for an own one, and back", async () => {
    const { address, session } = await openEmail("leaver@example.org");
    const wallets = await membersOf(address);
    const own = newKey();
    const prepared = await prepare(address, { signers: [may(own)] });
    expect(prepared.kms_payloads).toHaveLength(1);
    expect(prepared.transaction_signers).toEqual([prepared.kms_payloads[0]?.address]);
    await trellis.client.transactions.submit(address, {
      transaction: prepared.transaction,
      kms_payloads: prepared.kms_payloads.map((payload) => signPayload(payload, session.authorizationKey)),
    });
    const account = await trellis.client.accounts.get(address);
    expect(account.policies.signers).toEqual([{ ...may(own), role: "primary", provider: "external" }]);
    expect(Date.parse(account.updated_at)).toBeGreaterThan(Date.parse(account.created_at));
    // The address signs for nothing any more.
    await expect(trellis.client.auth.start({ email: "leaver@example.org" })).rejects.toMatchObject({
      code: "user_not_found",
    });

    const back = await prepare(address, {
      signers: wallets.map((wallet) => ({ address: wallet, permissions: everything })),
    });
    expect(back.kms_payloads).toEqual([]);
    await submit(address, back, [own]);
    const { signers } = await policiesOf(address);
    expect(signers.map(({ provider }) => provider).sort()).toEqual(["kms_a", "kms_b"]);
    expect((await signIn("leaver@example.org", "auth")).address).toBe(address);
  });

  it("proposes the change under a time lock", async () => {
    const a = newKey();
    const address = await open({ signers: [may(a)], threshold: 1, time_lock: 60 });
    const proposed = await prepare(address, { time_lock: 0 });
    expect(proposed).toMatchObject({ proposal_address: expect.any(String), transaction_index: 1 });
    await submit(address, proposed, [a]);
    expect((await policiesOf(address)).time_lock).toBe(60);
  });

  it("gives itself a time lock at once", async () => {
    const a = newKey();
    const address = await open({ signers: [may(a)], threshold: 1 });
    await submit(address, await prepare(address, { time_lock: 60 }), [a]);
    expect((await policiesOf(address)).time_lock).toBe(60);
  });

  it("can never have an admin, and takes its own present policy for no change", async () => {
    const a = newKey();
    const address = await open({ signers: [may(a)], threshold: 1 });
    expect(await refusal(address, { admin_address: addressOfKey(newKey()) })).toEqual([
      400,
      "account_has_no_admin",
      "admin_address",
    ]);
    expect(await refusal(address, { threshold: 1 }, "?admin=true")).toEqual([400, "account_has_no_admin", "admin"]);
    const { signers, threshold, time_lock, admin_address } = await policiesOf(address);
    expect(await refusal(address, { signers, threshold, time_lock, admin_address })).toEqual([400, "no_changes"]);
    expect(await refusal(address, { signers: null, threshold: null, time_lock: null })).toEqual([400, "no_changes"]);
    expect(await refusal(address, {})).toEqual([400, "no_changes"]);
  });

  it("refuses a result that breaks the rules, with the field named", async () => {
    const a = newKey();
    const address = await open({ signers: [may(a)], threshold: 1 });
    const { settings_address: settings } = await trellis.client.accounts.get(address);
    const { fee } = await prepare(address, { signers: [may(a), may(newKey())] });
    const cases: [unknown, unknown[]][] = [
      [{ threshold: 2 }, [400, "invalid_policies", "threshold"]],
      [{ signers: [] }, [400, "invalid_policies", "signers"]],
      [{ signers: [may(a, ["CAN_VOTE"])] }, [400, "invalid_policies", "signers"]],
      [{ signers: [may(a), may(a)] }, [400, "invalid_policies", "signers.1.address"]],
      [{ time_lock: -1 }, [400, "invalid_policies", "time_lock"]],
      [{ signers: [{ address: "?", permissions: everything }] }, [400, "invalid_address", "signers.0.address"]],
      [
        { signers: [may(a), { address: fee.paid_by, permissions: everything }] },
        [400, "forbidden_account", "signers.1.address"],
      ],
      [{ signers: [may(a), { address, permissions: everything }] }, [400, "forbidden_account", "signers.1.address"]],
      [
        { signers: [may(a), { address: settings, permissions: everything }] },
        [400, "forbidden_account", "signers.1.address"],
      ],
    ];
    for (const [body, expected] of cases) expect(await refusal(address, body)).toEqual(expected);
  });

  it("does not submit a change whose signers stopped being enough meanwhile", async () => {
    const [a, b] = [newKey(), newKey()];
    const address = await open({ signers: [may(a), may(b)], threshold: 1 });
    const late = await prepare(address, { time_lock: 60, transaction_signers: [addressOfKey(a)] });
    const removal = { signers: [may(b)], transaction_signers: [addressOfKey(b)] };
    await submit(address, await prepare(address, removal), [b]);
    await expect(submit(address, late, [a])).rejects.toMatchObject({ status: 403, code: "insufficient_permissions" });
    expect((await policiesOf(address)).time_lock).toBe(0);
  });

  it("is hidden from another tenant, and unknown where it does not exist", async () => {
    expect(await refusal(addressOfKey(newKey()), { threshold: 1 })).toEqual([404, "account_not_found"]);
  });
});

describe("an account with an admin", () => {
  it("is changed by the admin alone, whatever the time lock, and only on demand", async () => {
    const [a, b, admin] = [newKey(), newKey(), newKey()];
    const address = await open({
      signers: [may(a)],
      threshold: 1,
      admin_address: addressOfKey(admin),
      time_lock: 3600,
    });
    expect(await refusal(address, { threshold: 1 })).toEqual([400, "admin_required"]);
    expect(await refusal(address, { time_lock: 0, transaction_signers: [addressOfKey(a)] }, "?admin=true")).toEqual([
      403,
      "insufficient_permissions",
      "transaction_signers",
    ]);
    // The only signer is removed and the threshold rises: each step has to be valid on its own.
    const c = newKey();
    const prepared = await prepare(address, { signers: [may(b), may(c)], threshold: 2, time_lock: 0 }, "?admin=true");
    expect(prepared.transaction_signers).toEqual([addressOfKey(admin)]);
    expect(typesOf(prepared)).toEqual([
      "add_signer",
      "add_signer",
      "remove_signer",
      "change_threshold",
      "set_time_lock",
    ]);
    await expect(submit(address, prepared, [])).rejects.toMatchObject({ code: "missing_signature" });
    await submit(address, prepared, [admin]);
    expect(await membersOf(address)).toEqual([addressOfKey(b), addressOfKey(c)].sort());
    expect(await policiesOf(address)).toMatchObject({ threshold: 2, time_lock: 0, admin_address: addressOfKey(admin) });
  });

  it("swaps the permissions of two signers in one transaction, through a threshold of 1 where needed", async () => {
    const [a, b, admin] = [newKey(), newKey(), newKey()];
    const voter: Permission[] = ["CAN_VOTE"];
    const address = await open({
      signers: [may(a), may(b, voter)],
      threshold: 2,
      admin_address: addressOfKey(admin),
    });
    const prepared = await prepare(address, { signers: [may(a, voter), may(b)] }, "?admin=true");
    expect(typesOf(prepared)).toEqual([
      "change_threshold",
      "remove_signer",
      "add_signer",
      "remove_signer",
      "add_signer",
      "change_threshold",
    ]);
    await submit(address, prepared, [admin]);
    const { signers, threshold } = await policiesOf(address);
    expect(threshold).toBe(2);
    expect(signers.find((signer) => signer.address === addressOfKey(a))?.permissions).toEqual(voter);
    expect(signers.find((signer) => signer.address === addressOfKey(b))?.permissions).toEqual(everything);
  });

  it("says so when no order of steps works", async () => {
    const [a, admin] = [newKey(), newKey()];
    const address = await open({ signers: [may(a)], threshold: 1, admin_address: addressOfKey(admin) });
    const split = [may(a, ["CAN_INITIATE", "CAN_VOTE"]), may(newKey(), ["CAN_EXECUTE"])];
    expect(await refusal(address, { signers: split }, "?admin=true")).toEqual([400, "invalid_policies", "signers"]);
  });

  it("gets a new admin last, and loses it for good", async () => {
    const [a, first, second] = [newKey(), newKey(), newKey()];
    const address = await open({ signers: [may(a)], threshold: 1, admin_address: addressOfKey(first) });
    const handed = await prepare(
      address,
      { admin_address: addressOfKey(second), time_lock: 5, signers: [may(a), may(newKey())] },
      "?admin=true",
    );
    expect(typesOf(handed).at(-1)).toBe("set_admin");
    // Prepared before, submitted after the admin has changed.
    const late = await prepare(address, { time_lock: 9 }, "?admin=true");
    await submit(address, handed, [first]);
    await expect(submit(address, late, [first])).rejects.toMatchObject({ code: "insufficient_permissions" });

    const freed = await prepare(address, { admin_address: null }, "?admin=true");
    expect(actionsOf(freed)).toEqual([{ type: "set_admin", admin_address: null, irreversible: true }]);
    await submit(address, freed, [second]);
    expect((await policiesOf(address)).admin_address).toBeNull();
    expect(await refusal(address, { threshold: 1 }, "?admin=true")).toEqual([400, "account_has_no_admin", "admin"]);
  });

  it("has no limit of its own on what fits: too much is refused with the size", async () => {
    const admin = newKey();
    const address = await open({
      signers: Array.from({ length: 10 }, () => may(newKey())),
      threshold: 1,
      admin_address: addressOfKey(admin),
    });
    const body = { signers: Array.from({ length: 10 }, () => may(newKey())) };
    const answer = await patch(address, body, "?admin=true");
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: "transaction_too_large",
      details: [{ limit_bytes: 1232, size_bytes: expect.any(Number), suggestion: expect.any(String) }],
    });
  });
});

type Prepared = Omit<PreparedTransaction, "summary"> & {
  readonly remaining_spending_limits: readonly string[];
  readonly summary: readonly { type: string; by: string[]; actions: { type: string }[] }[];
};

const may = (key: SignerKey, permissions: readonly Permission[] = everything) => ({
  address: addressOfKey(key) as string,
  permissions,
});

async function open(policies: object): Promise<string> {
  const { body } = await trellis.request("POST", "/api/service/v1/accounts:custom", { policies });
  return (body as { data: { address: string } }).data.address;
}

const patch = (address: string, body: unknown, query = "") =>
  trellis.request("PATCH", `/api/service/v1/accounts/${address}${query}`, body);

async function prepare(address: string, body: unknown, query = ""): Promise<Prepared> {
  const answer = await patch(address, body, query);
  expect(answer.body).toMatchObject({ data: { transaction: expect.any(String) } });
  return (answer.body as { data: Prepared }).data;
}

/** The code of a refusal and the field it is about. */
async function refusal(address: string, body: unknown, query = ""): Promise<unknown[]> {
  const answer = await patch(address, body, query);
  const { code, details } = answer.body as { code: string; details: { field?: string }[] };
  return [answer.status, code, ...(details[0]?.field === undefined ? [] : [details[0].field])];
}

const submit = (address: string, { transaction }: Prepared, keys: SignerKey[]) =>
  trellis.client.transactions.submit(address, { transaction: signTransaction(transaction, keys) });

const actionsOf = ({ summary }: Prepared) => summary.flatMap(({ actions }) => actions);

const typesOf = (prepared: Prepared) => actionsOf(prepared).map(({ type }) => type);

const policiesOf = async (address: string) => (await trellis.client.accounts.get(address)).policies;

const membersOf = async (address: string) =>
  (await policiesOf(address)).signers.map(({ address: signer }) => signer).sort();

async function openEmail(email: string): Promise<{ address: string; session: TrellisSession }> {
  await trellis.client.accounts.create({ type: "email", email });
  return signIn(email, "create");
}

async function signIn(email: string, purpose: "create" | "auth") {
  if (purpose === "auth") await trellis.client.auth.start({ email });
  const [mail] = await trellis.client.sandbox.outbox(email);
  const keyPair = generateEncryptionKeyPair();
  const request = {
    email,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  };
  const verified =
    purpose === "create" ? await trellis.client.accounts.verify(request) : await trellis.client.auth.verify(request);
  return { address: verified.address, session: await openSession(verified.authentication[0], keyPair) };
}
