import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Address } from "@solana/kit";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import {
  addressOfKey,
  createTrellisClient,
  decodeTransaction,
  fetchInOldNames,
  generateEncryptionKeyPair,
  moveAccount,
  openSession,
  signTransaction,
} from "@trellis/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { takeLockFile } from "../../src/adapters/lock-file.js";
import { runDoctor } from "../../src/cli/doctor.js";
import { InputEndedError, moveAccounts } from "../../src/cli/move.js";
import { type Holder, makeKey } from "../adversarial/support.js";
import { dataOf, everything, may, newKey, pays, proposalsOf, refusalOf } from "../proposals/support.js";
import { startTestService, type TestService } from "../support/test-service.js";
import { type SandboxProcess, startSandboxProcess } from "./sandbox-process.js";

/** Two services that know nothing of each other on one chain: accounts are made at the old one, and move to the new one. */
let chain: SandboxProcess;
let old: TestService;
let trellis: TestService;
let asOther: Record<string, string>;
const timeout = 240_000;
beforeAll(async () => {
  chain = await startSandboxProcess();
  const master = randomBytes(32);
  old = await startTestService({ TRELLIS_SANDBOX_RPC_URL: chain.url, TRELLIS_DIALECT: "grid" });
  trellis = await startTestService({
    TRELLIS_SANDBOX_RPC_URL: chain.url,
    TRELLIS_MASTER_KEY: master.toString("base64"),
    TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "1000",
  });
  const keyring = createKeyring({ masterKeys: [{ id: "1", key: new Uint8Array(master) }], activeId: "1" });
  asOther = { authorization: `Bearer ${(await trellis.addTenant("other", keyring.macs("api-key"))).value}` };
}, timeout);
afterAll(async () => {
  await old?.close();
  await trellis?.close();
  await chain?.stop();
});

describe("an account that was made elsewhere", { timeout }, () => {
  it("can be read by any caller, and is served to none until a signer has proven itself", async () => {
    const key = newKey();
    const account = await openElsewhere([key]);
    for (const headers of [{}, asOther]) {
      const imported = dataOf<Imported>(await ask({ settings_address: account.settings }, headers));
      expect(imported).toMatchObject({ address: account.address, status: "unproven", wallets: [] });
      expect(imported.policies.signers).toMatchObject([{ address: addressOfKey(key), provider: "external" }]);
      expect(imported).not.toHaveProperty("grid_user_id");
      expect(refusalOf(await read(account.address, headers))).toEqual([404, "account_not_found"]);
      const payment = await trellis.request(
        "POST",
        `/api/service/v1/accounts/${account.address}/payment-intent`,
        {
          amount: "1",
          source: { account: account.address, currency: "sol" },
          destination: { address: makeKey().address, currency: "sol" },
        },
        headers,
      );
      expect(refusalOf(payment)).toEqual([404, "account_not_found"]);
    }
  });

  it("is served once a signer has signed the challenge: balances, history, proposals made elsewhere, payments", async () => {
    const [key, second] = [newKey(), newKey()];
    const account = await openElsewhere([key, second], 2);
    const payee = makeKey().address;
    const made = await proposalsOf(old).propose(account, key, pays(payee, 5_000_000n));
    const { challenge } = dataOf<Imported>(await ask({ settings_address: account.settings }));
    const proof = await prove(key, challenge?.message ?? "");
    const imported = dataOf<Imported>(await ask({ settings_address: account.settings, memo: "mine", proof }));
    expect(imported).toMatchObject({ status: "active", address: account.address });
    expect(imported).not.toHaveProperty("challenge");
    // Again, with and without a proof: the same.
    expect(dataOf<Imported>(await ask({ address: account.settings })).grid_user_id).toBe(imported.grid_user_id);
    expect(dataOf<Imported>(await ask({ address: account.settings, proof })).status).toBe("active");

    expect(dataOf(await read(account.address))).toMatchObject({ type: "custom", memo: "mine", status: "active" });
    const balances = dataOf<{ lamports: number }>(
      await trellis.request("GET", `/api/service/v1/accounts/${account.address}/balances`),
    );
    expect(balances.lamports).toBe(1_000_000_000);
    const here = proposalsOf(trellis);
    expect((await here.get(account, made.proposalAddress)).status).toBe("Active");
    await here.cast(account, made.proposalAddress, "approve", [key, second]);
    await here.run(account, made.proposalAddress, second);
    // By its own address alone, now that it has sent something.
    expect(dataOf<Imported>(await ask({ address: account.address }, asOther)).settings_address).toBe(account.settings);
    await expect
      .poll(async () => JSON.stringify((await here.request("GET", account, "/transfers")).body), { timeout: 120_000 })
      .toMatch(/1000000000.*5000000|5000000.*1000000000/s);
  });

  it("is what it was where it was made here", async () => {
    const holder = await trellis.openHolder();
    const imported = dataOf<Imported>(await ask({ settings_address: holder.settingsAddress }));
    expect(imported).toMatchObject({
      status: "active",
      policies: { signers: [{ provider: "kms_a" }, { provider: "kms_b" }] },
    });
    expect(dataOf<Imported>(await ask({ settings_address: holder.settingsAddress }, asOther)).status).toBe("unproven");
    expect(dataOf(await read(holder.address))).toMatchObject({ type: "email", email: holder.email });
  });

  it("has an e-mail address whose wallets become its signers: that is the proof, and its owner signs in here", async () => {
    const key = newKey();
    const account = await openElsewhere([key]);
    const email = "grace@example.org";
    const first = dataOf<Imported>(await ask({ settings_address: account.settings, email }));
    expect(first.wallets.map(({ provider }) => provider)).toEqual(["kms_a", "kms_b"]);
    expect(first.status).toBe("unproven");
    const signers = first.wallets.map(({ address }) => ({ address, permissions: everything }));
    const path = `/api/grid/v1/accounts/${account.address}`;
    const prepared = dataOf<{ transaction: string }>(await old.request("PATCH", path, { signers, threshold: 1 }));
    expect(decodeTransaction(prepared.transaction).feePayer).toBeDefined();
    dataOf(
      await old.request("POST", `${path}/submit`, {
        transaction: signTransaction(prepared.transaction, [key]),
        kms_payloads: [],
      }),
    );
    const moved = dataOf<Imported>(await ask({ settings_address: account.settings, email }));
    expect(moved).toMatchObject({ status: "active", wallets: first.wallets });
    expect(moved.policies.signers.map(({ provider, role }) => [provider, role])).toEqual([
      ["kms_a", "primary"],
      ["kms_b", "backup"],
    ]);

    const { client } = trellis;
    await client.auth.start({ email });
    const [mail] = await client.sandbox.outbox(email);
    const keyPair = generateEncryptionKeyPair();
    const verified = await client.auth.verify({
      email,
      otp_code: mail?.otp_code ?? "",
      kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
    });
    expect(verified.address).toBe(account.address);
    const session = await openSession(verified.authentication[0], keyPair);
    const sent = await client.transfers.send({
      account: account.address,
      session,
      currency: "sol",
      destination: makeKey().address,
      amount: 5_000_000n,
    });
    expect(sent.signature).toBeTypeOf("string");
  });
});

describe("an e-mail account of a service that closes", { timeout }, () => {
  const oldClient = (fetch = globalThis.fetch) =>
    createTrellisClient({
      baseUrl: old.url,
      apiKey: old.apiKey,
      environment: "sandbox",
      fetch: fetchInOldNames(fetch),
    });
  const readCode = async (email: string) => (await old.client.sandbox.outbox(email))[0]?.otp_code ?? "";
  const moveOf = (holder: Pick<Holder, "email" | "settingsAddress">, more: object = {}) =>
    moveAccount({
      trellis: trellis.client,
      old: oldClient(),
      email: holder.email,
      settingsAddress: holder.settingsAddress,
      readCode,
      ...more,
    });

  /** An account at the old service with a policy of its own, whose owner has signed in there never yet. */
  const openCustomHolder = async (policy: object, keys: readonly Key[] = []) => {
    const email = `custom-${randomBytes(6).toString("hex")}@example.org`;
    const { permissions } = may(newKey());
    const { address } = await old.client.accounts.createCustom({
      policies: {
        signers: [
          { type: "email", email, permissions: permissions as never },
          ...keys.map((key) => ({
            type: "pubkey" as const,
            address: addressOfKey(key),
            permissions: permissions as never,
          })),
        ],
        threshold: 1 + keys.length,
        ...policy,
      },
    });
    const { settings_address } = await old.client.accounts.get(address);
    return { email, address, settingsAddress: settings_address } as Pick<
      Holder,
      "email" | "address" | "settingsAddress"
    >;
  };

  const signInHere = async (email: string) => {
    const { client } = trellis;
    await client.auth.start({ email });
    const [mail] = await client.sandbox.outbox(email);
    const keyPair = generateEncryptionKeyPair();
    const kms_provider_config = { encryption_public_key: keyPair.publicKeySpkiBase64 };
    const verified = await client.auth.verify({ email, otp_code: mail?.otp_code ?? "", kms_provider_config });
    return openSession(verified.authentication[0], keyPair);
  };

  type Data = { readonly policies: { readonly signers: readonly object[] } };
  /** An old service whose answers to this method say something else. */
  const answering =
    (method: string, change: (data: Data) => object): typeof fetch =>
    async (url, init) => {
      const answer = await fetch(url, init);
      if (init?.method !== method) return answer;
      const whole = (await answer.json()) as { data: Data };
      return Response.json({ ...whole, data: change(whole.data) });
    };

  it("moves with its owner, who alone has authority afterwards; again, it stays as it is", async () => {
    const holder = await old.openHolder({ sol: "1000000000" });
    const asked: string[] = [];
    const send: typeof fetch = (url, init) => {
      asked.push(`${init?.method} ${new URL(String(url)).pathname.replace(holder.address, "…")}`);
      return fetch(url, init);
    };
    const moved = await moveOf(holder, { old: oldClient(send) });
    // The calls that the old service still answers, and no others.
    expect(asked).toEqual([
      "POST /api/grid/v1/auth",
      "POST /api/grid/v1/auth/verify",
      "GET /api/grid/v1/accounts/…",
      "PATCH /api/grid/v1/accounts/…",
      "POST /api/grid/v1/accounts/…/submit",
    ]);
    const wallets = moved.wallets.map(({ address }) => address);
    expect(moved).toMatchObject({ status: "active", address: holder.address });
    expect(moved.policies.signers.map(({ address }) => address)).toEqual(wallets);
    const report = await runDoctor({
      address: holder.address,
      rpc: chain.url,
      settings: holder.settingsAddress,
      "expect-signers": wallets.join(),
      json: true,
    });
    expect(JSON.parse(report.text)).toMatchObject({ verdict: "PASS" });
    // Without a code: nothing is left to be done at the old service.
    const again = await moveOf(holder, { readCode: () => Promise.reject(new Error("no code is needed")) });
    expect(again).toMatchObject({ status: "active", wallets: moved.wallets, grid_user_id: moved.grid_user_id });
    // The wallets it left command nothing any more.
    await expect(
      old.client.transfers.send({
        account: holder.address,
        session: holder.session,
        currency: "sol",
        destination: makeKey().address,
        amount: 1n,
      }),
    ).rejects.toThrow();
  });

  it("resumes where it died, after any call that changes something, and asks for no code once the change is confirmed", async () => {
    const calls = ["import", "prove", "start", "verify", "get", "patch", "submit"];
    for (const name of ["import", "verify", "patch", "submit"]) {
      const last = calls.indexOf(name);
      const holder = await old.openHolder();
      let made = 0;
      const dying: typeof fetch = async (url, init) => {
        if (made > last) throw new TypeError("dead");
        made += 1;
        const answer = await fetch(url, init);
        if (made <= last) return answer;
        await answer.arrayBuffer();
        throw new TypeError("dead");
      };
      const clients = { apiKey: trellis.apiKey, environment: "sandbox", maxRetries: 0, fetch: dying } as const;
      const dead = {
        trellis: createTrellisClient({ ...clients, baseUrl: trellis.url }),
        old: createTrellisClient({ ...clients, baseUrl: old.url, apiKey: old.apiKey, fetch: fetchInOldNames(dying) }),
        pause: async () => undefined,
      };
      await expect(moveOf(holder, dead), name).rejects.toThrow();
      const noCode = () => Promise.reject(new Error("no code is needed"));
      const moved = await moveOf(holder, name === "submit" ? { readCode: noCode } : {});
      expect([moved.status, moved.isMoved], name).toEqual(["active", true]);
      const wallets = moved.wallets.map(({ address }) => address);
      expect(moved.policies.signers.map(({ address }) => address)).toEqual(wallets);
    }
  });

  it("takes the chain's word where the answer to submit is lost, without another sign-in", async () => {
    const holder = await old.openHolder();
    const losing: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init);
      if (!String(url).endsWith("/submit")) return answer;
      await answer.arrayBuffer();
      throw new TypeError("lost");
    };
    const client = createTrellisClient({
      baseUrl: old.url,
      apiKey: old.apiKey,
      environment: "sandbox",
      maxRetries: 0,
      fetch: fetchInOldNames(losing),
    });
    expect(await moveOf(holder, { old: client })).toMatchObject({ isMoved: true, status: "active" });
  });

  it("signs nothing when the old service prepares something else", async () => {
    const holder = await old.openHolder({ sol: "1000000000" });
    const thief = makeKey().address;
    const lying: typeof fetch = async (url, init) => {
      if (init?.method !== "PATCH") return fetch(url, init);
      const body = JSON.parse(String(init.body));
      body.signers.push({ address: thief, permissions: everything });
      return fetch(url, { ...init, body: JSON.stringify(body) });
    };
    await expect(moveOf(holder, { old: oldClient(lying) })).rejects.toMatchObject({ difference: "settings_change" });
    const prepared = await old.client.transfers.prepare(holder.address, {
      amount: "5000000",
      source: { account: holder.address, currency: "sol" },
      destination: { address: thief, currency: "sol" },
    });
    // A payment in the place of the change; and a wallet of that service which it says another holder has.
    const paying = answering("PATCH", (data) => ({ ...data, ...prepared, remaining_spending_limits: [] }));
    await expect(moveOf(holder, { old: oldClient(paying) })).rejects.toMatchObject({
      difference: "unexpected_instruction",
    });
    const posing = answering("GET", (data) => {
      const [first, ...others] = data.policies.signers;
      return {
        ...data,
        policies: { ...data.policies, signers: [first, ...others.map((one) => ({ ...one, provider: "external" }))] },
      };
    });
    await expect(moveOf(holder, { old: oldClient(posing) })).rejects.toMatchObject({ reason: "unknown_signers" });
    // It hides a signer that the chain has, so that this one would stay.
    const hiding: typeof fetch = async (url, init) => {
      if (init?.method !== "PATCH") return fetch(url, init);
      const body = JSON.parse(String(init.body));
      body.signers.push({ address: holder.session.wallets[0]?.address, permissions: everything });
      return fetch(url, { ...init, body: JSON.stringify(body) });
    };
    await expect(moveOf(holder, { old: oldClient(hiding) })).rejects.toMatchObject({ difference: "settings_change" });
    const { policies } = await old.client.accounts.get(holder.address);
    expect(policies.signers.map(({ provider }) => provider)).toEqual(["kms_a", "kms_b"]);
  });

  it("keeps signers whose keys are held by other people", async () => {
    const holder = await old.openHolder({ sol: "1000000000" });
    const key = newKey();
    const { policies } = await old.client.accounts.get(holder.address);
    await old.client.accounts.update({
      account: holder.address,
      session: holder.session,
      changes: {
        signers: [...policies.signers.map(({ address, permissions }) => ({ address, permissions })), may(key)] as never,
      },
    });
    await expect(moveOf(holder)).rejects.toMatchObject({ reason: "unknown_signers", addresses: [addressOfKey(key)] });
    const moved = await moveOf(holder, { keep: [addressOfKey(key)] });
    const after = moved.policies.signers.map(({ address, provider }) => [address as string, provider]);
    expect(after).toContainEqual([addressOfKey(key), "external"]);
    expect(after).toHaveLength(3);
    expect(moved.status).toBe("active");
  });

  it("moves by command, one account after the other, asks no owner twice, and has the doctor prove it", async () => {
    const [first, second] = [await old.openHolder(), await old.openHolder()];
    const directory = await mkdtemp(join(tmpdir(), "trellis-move-"));
    const list = join(directory, "accounts.csv");
    const lines = [
      `${first.email},${first.settingsAddress}`,
      "# one that is nowhere",
      `nobody@example.org,${makeKey().address}`,
      `${second.email},${second.settingsAddress}`,
    ];
    await writeFile(list, lines.join("\n"));
    const run = async (answer: (email: string) => Promise<string>) => {
      const [reported, asked]: [string[], string[]] = [[], []];
      const code = await moveAccounts(
        { TRELLIS_API_KEY: trellis.apiKey, OLD_API_KEY: old.apiKey },
        { url: trellis.url, old: old.url, rpc: chain.url, list },
        {
          write: (text) => reported.push(text),
          readCode: (email) => {
            asked.push(email);
            return answer(email);
          },
        },
      );
      return { code, told: reported.join(""), asked };
    };
    // The operator who entered codes has left: no other owner is sent one.
    const left = await run(() => Promise.reject(new InputEndedError("gone")));
    expect(left).toMatchObject({ code: 1, asked: [first.email] });
    const begun = await run((email) => (email === second.email ? Promise.resolve("000000") : readCode(email)));
    expect(begun).toMatchObject({ code: 1, asked: [first.email, second.email] });
    expect(begun.told).toContain(`moved: ${first.address}: no other key holds authority`);
    expect(begun.told).toContain("1 of 3 moved and proven.");
    const state = await readFile(`${list}.state.json`, "utf8");
    expect(JSON.parse(state)).toMatchObject({
      route: { from: old.url, to: trellis.url, environment: "sandbox" },
      accounts: {
        [first.settingsAddress]: { outcome: "moved", address: first.address },
        [second.settingsAddress]: { outcome: "failed" },
      },
    });
    // What is true of two services says nothing about two others, and no other run is overwritten.
    const elsewhere = {
      ...JSON.parse(state),
      route: { from: "http://old.example", to: trellis.url, environment: "sandbox" },
    };
    await writeFile(`${list}.state.json`, JSON.stringify(elsewhere));
    await expect(run(readCode)).rejects.toThrow("lists moves from http://old.example");
    await writeFile(`${list}.state.json`, state);
    const otherRun = await takeLockFile(`${list}.state.json.lock`);
    await expect(run(readCode)).rejects.toThrow("is being written by another run");
    await otherRun.release();
    for (const secret of [trellis.apiKey, old.apiKey, await readCode(first.email)]) expect(state).not.toContain(secret);
    const again = await run(readCode);
    expect(again).toMatchObject({ code: 1, asked: [second.email] });
    expect(again.told).toContain("2 of 3 moved and proven.");
    // The file is no authority: without it the chain says the same, and no owner is asked.
    await rm(`${list}.state.json`);
    const anew = await run(() => Promise.reject(new Error("no code is needed")));
    expect(anew).toMatchObject({ code: 1, asked: [] });
    expect(anew.told).toContain("2 of 3 moved and proven.");
    await rm(directory, { recursive: true });
  });

  it("names by command the party that refused, and begins nothing where no key could prove it afterwards", async () => {
    const holder = await old.openHolder();
    const run = async (keys: object, rpc = chain.url) => {
      const reported: string[] = [];
      const code = await moveAccounts(
        { TRELLIS_API_KEY: trellis.apiKey, OLD_API_KEY: old.apiKey, ...keys },
        { url: trellis.url, old: old.url, rpc, email: holder.email, place: holder.settingsAddress },
        { write: (text) => reported.push(text), readCode: () => Promise.reject(new Error("no code is needed")) },
      );
      return { code, told: reported.join("") };
    };
    const unknown = "This API key is not known.";
    expect((await run({ TRELLIS_API_KEY: "sk_test_wrong" })).told).toContain(`failed: Trellis: ${unknown}`);
    expect((await run({ OLD_API_KEY: "sk_test_wrong" })).told).toContain(`failed: the old service: ${unknown}`);
    await expect(run({}, "http://127.0.0.1:9")).rejects.toThrow("--rpc");
    expect(await old.client.sandbox.outbox(holder.email)).toHaveLength(1);
  });

  it("loses the spending limits of those who leave, and counts as moved once those of others are removed too", async () => {
    const holder = await old.openHolder({ sol: "2000000000" });
    const { policies } = await old.client.accounts.get(holder.address);
    const stranger = newKey();
    const { session } = holder;
    for (const signer of [policies.signers[0]?.address ?? "", addressOfKey(stranger)]) {
      await old.client.spendingLimits.create({
        account: holder.address,
        session,
        limit: { currency: "sol", amount: 1_000n, period: "day", signers: [signer] },
      });
    }
    const move = async () => {
      const reported: string[] = [];
      const code = await moveAccounts(
        { TRELLIS_API_KEY: trellis.apiKey, OLD_API_KEY: old.apiKey },
        { url: trellis.url, old: old.url, rpc: chain.url, email: holder.email, place: holder.settingsAddress },
        { write: (text) => reported.push(text), readCode },
      );
      return { code, told: reported.join("") };
    };
    const found = await move();
    expect(found.code).toBe(1);
    expect(found.told).toContain("moved with findings");
    expect(found.told).toContain(addressOfKey(stranger));
    const left = (await trellis.client.spendingLimits.page(holder.address)).spendingLimits;
    expect(left.map(({ signers }) => signers)).toEqual([[addressOfKey(stranger)]]);
    const ours = await signInHere(holder.email);
    await trellis.client.spendingLimits.remove({
      account: holder.address,
      session: ours,
      spendingLimit: left[0]?.address ?? "",
    });
    expect(await move()).toMatchObject({ code: 0, told: expect.stringContaining("no other key holds authority") });
  });

  it("is changed by its admin where it has one, and moves then without a code", async () => {
    const admin = newKey();
    const holder = await openCustomHolder({ admin_address: addressOfKey(admin) });
    const account = holder.address;
    const noCode = () => Promise.reject(new Error("no code is needed"));
    await expect(moveOf(holder, { readCode: noCode })).rejects.toMatchObject({ reason: "has_admin" });
    const { wallets } = await trellis.client.accounts.import({
      settings_address: holder.settingsAddress,
      email: holder.email,
    });
    const signers = wallets.map(({ address }) => ({ address, permissions: may(newKey()).permissions }));
    await old.client.accounts.update({ account, keys: [admin], admin: true, changes: { signers: signers as never } });
    const { policies, status } = await trellis.client.accounts.import({
      settings_address: holder.settingsAddress,
      email: holder.email,
    });
    expect([status, policies.admin_address]).toEqual(["active", addressOfKey(admin)]);
    // The holder of the admin's key still decides: that is said, and is no move.
    await expect(moveOf(holder, { readCode: noCode })).rejects.toMatchObject({ reason: "has_admin" });
    const kept = await moveOf(holder, { readCode: noCode, keep: [addressOfKey(admin)] });
    expect(kept).toMatchObject({ isMoved: true, policies: { admin_address: addressOfKey(admin) } });
    const reported: string[] = [];
    const code = await moveAccounts(
      { TRELLIS_API_KEY: trellis.apiKey, OLD_API_KEY: old.apiKey },
      {
        url: trellis.url,
        old: old.url,
        rpc: chain.url,
        email: holder.email,
        place: holder.settingsAddress,
        keep: addressOfKey(admin),
      },
      { write: (text) => reported.push(text), readCode: noCode },
    );
    expect(code, reported.join("")).toBe(0);
    await old.client.accounts.update({ account, keys: [admin], admin: true, changes: { admin_address: null } });
    expect(await moveOf(holder, { readCode: noCode })).toMatchObject({ isMoved: true, status: "active" });
  });

  it("moves with the keys of the owner's own that have to sign too, and keeps them", async () => {
    const device = newKey();
    const holder = await openCustomHolder({}, [device]);
    const kept = { keep: [addressOfKey(device)] };
    await expect(moveOf(holder, kept)).rejects.toMatchObject({ reason: "needs_proposal" });
    const moved = await moveOf(holder, { ...kept, keys: [device] });
    expect(moved).toMatchObject({ isMoved: true, status: "active", policies: { threshold: 2 } });
    expect(moved.policies.signers.map(({ address }) => address).sort()).toEqual(
      [...moved.wallets.map(({ address }) => address), addressOfKey(device)].sort(),
    );
  });

  it("moves also when it was served here before by a key that stays, and its owner signs in then", async () => {
    const device = newKey();
    const holder = await openCustomHolder({ threshold: 1 }, [device]);
    const settings_address = holder.settingsAddress;
    const { challenge } = dataOf<Imported>(await ask({ settings_address }));
    const proof = await prove(device, challenge?.message ?? "");
    expect(dataOf<Imported>(await ask({ settings_address, proof })).status).toBe("active");
    const moved = await moveOf(holder, { keep: [addressOfKey(device)] });
    expect(moved).toMatchObject({ isMoved: true, status: "active" });
    expect(moved.policies.signers.map(({ provider }) => provider).sort()).toEqual(["external", "kms_a", "kms_b"]);
    const session = await signInHere(holder.email);
    expect(session.wallets[0]?.address).toBe(moved.wallets[0]?.address);
  });

  it("is left where it is when another tenant has it served here: its new wallets could do nothing with it", async () => {
    const device = newKey();
    const holder = await openCustomHolder({ threshold: 1 }, [device]);
    const settings_address = holder.settingsAddress;
    const { challenge } = dataOf<Imported>(await ask({ settings_address }, asOther));
    const proof = await prove(device, challenge?.message ?? "");
    expect(dataOf<Imported>(await ask({ settings_address, proof }, asOther)).status).toBe("active");
    const { policies } = await old.client.accounts.get(holder.address);
    const noCode = () => Promise.reject(new Error("no code is needed"));
    const trying = moveOf(holder, { keep: [addressOfKey(device)], readCode: noCode });
    await expect(trying).rejects.toMatchObject({ reason: "served_elsewhere" });
    expect((await old.client.accounts.get(holder.address)).policies).toEqual(policies);
    // An owner whose signers all stay is not asked.
    expect(dataOf<Imported>(await ask({ settings_address, email: holder.email })).status).toBe("unproven");
  });

  it("waits for its time lock at the old service, and moves then without a code", async () => {
    const holder = await old.openHolder({ sol: "1000000000" });
    const { address: account, session } = holder;
    await old.client.accounts.update({ account, session, changes: { time_lock: 1 } });
    const noCode = () => Promise.reject(new Error("no code is needed"));
    await expect(moveOf(holder, { readCode: noCode })).rejects.toMatchObject({ reason: "needs_proposal" });
    const waiting = await moveOf(holder, { mayPropose: true });
    expect(waiting).toMatchObject({ isMoved: false, proposal: { transactionIndex: 1 } });
    const { proposalAddress } = waiting.proposal ?? { proposalAddress: "" };
    for (;;) {
      const refused = await old.client.proposals.execute({ account, session, proposal: proposalAddress }).then(
        () => undefined,
        (error: { code?: string }) => error,
      );
      if (refused === undefined) break;
      expect(refused).toMatchObject({ code: "time_lock_not_released" });
    }
    const moved = await moveOf(holder, { readCode: noCode });
    expect(moved).toMatchObject({ isMoved: true, status: "active", policies: { time_lock: 1 } });
  });

  it("leaves an account alone that no key could command afterwards, or that needs more than the owner's code", async () => {
    const holder = await old.openHolder();
    const key = newKey();
    const { policies } = await old.client.accounts.get(holder.address);
    const reply = (account: object): typeof trellis.client => ({
      ...trellis.client,
      accounts: {
        ...trellis.client.accounts,
        import: async (request) => {
          const reported = await trellis.client.accounts.import(request);
          return { ...reported, policies: { ...reported.policies, ...account } };
        },
      },
    });
    const noCode = () => Promise.reject(new Error("no code is needed"));
    for (const [account, reason] of [
      [{ admin_address: addressOfKey(key) }, "has_admin"],
      [{ time_lock: 60 }, "needs_proposal"],
    ] as const) {
      const trying = moveOf(holder, { trellis: reply(account), readCode: noCode });
      await expect(trying).rejects.toMatchObject({ reason });
    }
    await expect(moveOf(holder, { trellis: reply({ threshold: 2 }) })).rejects.toMatchObject({
      reason: "needs_proposal",
    });
    await expect(moveOf(holder, { trellis: reply({ threshold: 3 }), mayPropose: true })).rejects.toMatchObject({
      reason: "locked_out",
    });
    const unable = {
      ...trellis.client,
      accounts: {
        ...trellis.client.accounts,
        import: ({ wallet_nonce: _, ...request }: Parameters<typeof trellis.client.accounts.import>[0]) =>
          trellis.client.accounts.import(request),
      },
    };
    await expect(moveOf(holder, { trellis: unable, readCode: noCode })).rejects.toMatchObject({
      reason: "unproven_wallets",
    });
    expect((await old.client.accounts.get(holder.address)).policies).toEqual(policies);
  });
});

interface Imported {
  readonly address: Address;
  readonly settings_address: Address;
  readonly status: string;
  readonly policies: {
    readonly signers: { readonly address: string; readonly provider: string; readonly role: string }[];
  };
  readonly wallets: { readonly address: string; readonly provider: string }[];
  readonly grid_user_id?: string;
  readonly challenge?: { readonly message: string; readonly expires_at: string };
}

type Key = ReturnType<typeof newKey>;

const ask = (body: object, headers: Record<string, string> = {}) =>
  trellis.request("POST", "/api/service/v1/accounts:import", body, headers);

const read = (address: string, headers: Record<string, string> = {}) =>
  trellis.request("GET", `/api/service/v1/accounts/${address}`, undefined, headers);

/** Signs a challenge as a wallet does: the text, and nothing else. */
async function prove(key: Key, message: string) {
  const { subtle } = globalThis.crypto;
  const pkcs8 = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.from(key as Uint8Array)]);
  const imported = await subtle.importKey("pkcs8", pkcs8, "Ed25519", false, ["sign"]);
  const signature = Buffer.from(await subtle.sign("Ed25519", imported, Buffer.from(message))).toString("base64");
  return { signer_address: addressOfKey(key), message, signature };
}

async function openElsewhere(keys: readonly Key[], threshold = 1, lamports = 1_000_000_000n) {
  return proposalsOf(old).open({ signers: keys.map((key) => may(key)), threshold }, lamports);
}
