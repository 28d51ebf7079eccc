import { createHash, generateKeyPairSync, sign } from "node:crypto";
import {
  type Address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  compileTransaction,
  createTransactionMessage,
  getAddressDecoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { getApproveInstruction } from "@solana-program/token";
import {
  addressBytes,
  addSpendingLimitAction,
  buildPasskeyExecution,
  checkPasskeySignatureInstruction,
  closeTransactionInstruction,
  compileWrappedMessage,
  createProposalInstruction,
  createSettingsTransactionInstruction,
  createSmartAccountInstruction,
  createTransactionInstruction,
  decodeNewestSlotHash,
  decodeProgramConfig,
  derivePasskeyAddress,
  derivePasskeyExecutionAddress,
  derivePolicyAddress,
  deriveSettingsAddress,
  deriveSmartAccountAddress,
  deriveSpendingLimitAddress,
  discriminatorOf,
  executeByPasskeySessionInstruction,
  executeSettingsTransactionSyncInstruction,
  executeTransactionInstruction,
  executeTransactionSyncInstruction,
  initializePasskeyChallenge,
  initializePasskeyInstruction,
  Period,
  type PlainInstruction,
  PROGRAM_CONFIG_ADDRESS,
  readPasskeyAssertion,
  SLOT_HASHES_ADDRESS,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
  voteInstruction,
} from "@trellis/program-client";
import { addressOfKey, type Permission, type SignerKey, signTransaction } from "@trellis/sdk";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { beforeAll, describe, expect, it } from "vitest";
import { DoctorError } from "../../src/cli/doctor/doctor-error.js";
import { type DoctorOptions, runDoctor } from "../../src/cli/doctor.js";
import { tokenProgram, usdcMint } from "../adversarial/support.js";
import { type Behaviour, type RpcRequest, startRpcProxy } from "../cluster/rpc-proxy.js";
import { runTrellis, startSandboxProcess } from "../cluster/sandbox-process.js";
import { newKey } from "../proposals/support.js";
import { use } from "../support/scene.js";
import { startTestService } from "../support/test-service.js";

const everything: Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
/** Where the loader keeps the code of the smart account program. */
const codeAddress = "2g3u9qgz4adKQVN1TUoh7bbBKqaSsjXtz1yX2ptagW5T";
const chain = use(startSandboxProcess);
const trellis = use(() => startTestService({ TRELLIS_SANDBOX_RPC_URL: chain.url }));
const payer = newKey();
beforeAll(() => chain.airdrop(addressOfKey(payer), 10_000_000_000n));

describe("an account whose holder takes it over", () => {
  let own: SignerKey;
  let limit: Address;
  let custody: Address[];
  let keys: string;

  const ada = use(() => trellis.openHolder({ sol: "1000000000" }));
  beforeAll(async () => {
    own = newKey();
    const { policies } = await trellis.client.accounts.get(ada.address);
    custody = policies.signers.map(({ address }) => address as Address);
    const { fee } = await trellis.client.accounts.prepareUpdate(ada.address, { time_lock: 1 });
    keys = [...custody, fee.paid_by].join(",");
  });

  it("is ruled by the custodians at first", async () => {
    const { report, found } = await examine(ada.address, {
      "expect-signers": addressOfKey(own),
      "service-keys": keys,
    });
    expect(report).toMatchObject({ address: ada.address, settings_address: ada.settingsAddress, verdict: "FAIL" });
    expect(found("signers", "FAIL")).toHaveLength(3);
    expect(found("service_keys", "FAIL")).toHaveLength(2);
    expect(found("service_keys", "PASS")).toHaveLength(1);
    const { report: expected } = await examine(ada.address, { "expect-signers": custody.join(",") });
    expect(expected.verdict).toBe("PASS");
  });

  it("names a spending limit that a removed custodian can still use", async () => {
    const { session } = ada;
    const both = [...custody.map((address) => ({ address, permissions: everything })), may(own)];
    await trellis.client.accounts.update({ account: ada.address, session, changes: { signers: both } });
    const wanted = limitFor(custody.slice(0, 1));
    limit = deriveSpendingLimitAddress(ada.settingsAddress, wanted.seed);
    await changeSettings(ada.settingsAddress, own, [addSpendingLimitAction(wanted)]);
    const swapped = await trellis.client.accounts.update({
      account: ada.address,
      session,
      changes: { signers: [may(own)] },
    });
    expect(swapped.remainingSpendingLimits).toEqual([limit]);

    const { report, found } = await examine(ada.address, {
      "expect-signers": addressOfKey(own),
      "service-keys": keys,
    });
    expect(report.verdict).toBe("FAIL");
    expect(report.signers).toEqual([may(own)]);
    expect(report.spending_limits).toMatchObject([
      { address: limit, usable: true, signers_who_are_no_members: custody.slice(0, 1) },
    ]);
    expect(found("signers", "PASS")).toHaveLength(1);
    expect(found("spending_limits", "FAIL")).toEqual([expect.stringContaining(limit)]);
    expect(found("service_keys", "FAIL")).toEqual([expect.stringContaining(custody[0] ?? "")]);
    const { found: unasked } = await examine(ada.address);
    expect(unasked("spending_limits", "WARN")).toHaveLength(1);
  });

  it("passes once that limit is removed", async () => {
    await changeSettings(ada.settingsAddress, own, [{ __kind: "RemoveSpendingLimit", spendingLimit: limit }]);
    const { report } = await examine(ada.address, { "expect-signers": addressOfKey(own), "service-keys": keys });
    expect(report.verdict).toBe("PASS");
    expect(report.checks.map(({ status }) => status)).not.toContain("FAIL");
    expect(report.spending_limits).toEqual([]);
  });
});

describe("who acts alone", () => {
  it("is every signer of an account whose custodians each decide, and a single key", async () => {
    const { address } = await trellis.openHolder();
    const { policies } = await trellis.client.accounts.get(address);
    const { report } = await examine(address);
    expect(new Set(report.acts_alone)).toEqual(new Set(policies.signers.map(({ address: signer }) => signer)));
    expect(report.signers_needed).toBe(1);
  });

  it("is nobody where two of three decide, and an admin where there is one", async () => {
    const [one, other, recovery, admin] = [newKey(), newKey(), newKey(), newAddress()];
    const votes = { address: addressOfKey(recovery), permissions: ["CAN_VOTE"] satisfies Permission[] };
    const policies = { signers: [may(one), may(other), votes], threshold: 2 };
    const { address } = await trellis.client.accounts.createCustom({ policies });
    const { report } = await examine(address);
    expect(report).toMatchObject({ acts_alone: [], signers_needed: 2 });
    expect(await printed(address)).toContain("Alone: nobody. 2 signers have to agree.");
    const ruled = await trellis.client.accounts.createCustom({ policies: { ...policies, admin_address: admin } });
    expect(await printed(ruled.address)).toContain(`Alone: ${admin} alone can make others the signers.`);
  });
});

describe("authority besides the signers", () => {
  it("counts no spending limit that cannot be used any more", async () => {
    const [key, stranger] = [newKey(), newAddress()];
    const { address, settings } = await openAccount(key);
    const now = await chain.rpc.getBlockTime(await chain.rpc.getSlot({ commitment: "confirmed" }).send()).send();
    const soon = BigInt(now ?? 0) + 100n;
    await changeSettings(settings, key, [addSpendingLimitAction(limitFor([stranger], { expiration: soon }))]);
    const expected = { "expect-signers": addressOfKey(key) };
    expect((await examine(address, expected)).report.verdict).toBe("FAIL");
    await chain.advanceClock(200);
    const { report } = await examine(address, expected);
    expect(report).toMatchObject({ verdict: "PASS", spending_limits: [{ usable: false }] });
  });

  it("is an admin's, and a service key's in whatever place", async () => {
    const [key, admin] = [newKey(), newAddress()];
    const policies = { signers: [may(key)], threshold: 1, admin_address: admin };
    const { address } = await trellis.client.accounts.createCustom({ policies });
    const { report, found } = await examine(address, { "expect-signers": addressOfKey(key), "service-keys": admin });
    expect(report.verdict).toBe("FAIL");
    expect(found("admin", "FAIL")).toEqual([expect.stringContaining(admin)]);
    expect(found("service_keys", "FAIL")).toEqual([expect.stringContaining("admin")]);
    expect((await examine(address)).report.verdict).toBe("PASS");
    // Who is meant to be the admin, and nothing else, is named as such.
    const meant = { "expect-signers": addressOfKey(key), "expect-admin": admin };
    const named = await examine(address, meant);
    expect(named.report.verdict).toBe("PASS");
    expect(named.found("admin", "PASS")).toEqual([expect.stringContaining(admin)]);
    const wrong = await examine(address, { ...meant, "expect-admin": addressOfKey(key) });
    expect(wrong.found("admin", "FAIL")).toHaveLength(2);
    const none = await openAccount(newKey());
    expect((await examine(none.address, { "expect-admin": admin })).found("admin", "FAIL")).toHaveLength(1);
  });

  it("is a delegate's of one of its token accounts", async () => {
    const [key, delegate] = [newKey(), newAddress()];
    const { address, settings } = await openAccount(key);
    await chain.mint(address, usdcMint, 5_000n);
    const source = deriveTokenAccount(address, usdcMint, tokenProgram);
    const approve = getApproveInstruction({ source, delegate, owner: address, amount: 700n });
    const call = executeTransactionSyncInstruction({ settings, members: [addressOfKey(key)], instructions: [approve] });
    await send([call], key);
    const { report, found } = await examine(address, { "expect-signers": addressOfKey(key) });
    expect(report.token_delegates).toMatchObject([{ delegate, right: "delegate", amount: "700" }]);
    expect(found("token_delegates", "FAIL")).toEqual([expect.stringContaining(delegate)]);
  });

  it("is a policy's signer's", async () => {
    const [key, stranger] = [newKey(), newAddress()];
    const { address, settings } = await openAccount(key);
    const proxy = await startRpcProxy(chain.url, withListed(settings, policyAccount(settings, 1n, stranger)));
    try {
      const options = { rpc: proxy.url, "expect-signers": addressOfKey(key), "service-keys": stranger };
      const { report, found } = await examine(address, options);
      const policy = derivePolicyAddress(settings, 1n);
      expect(report.policies).toMatchObject([
        { address: policy, type: "spendingLimit", signers: [{ address: stranger }] },
      ]);
      expect(found("policies", "FAIL")).toEqual([expect.stringContaining(policy)]);
      expect(found("service_keys", "FAIL")).toEqual([expect.stringContaining(policy)]);
    } finally {
      await proxy.close();
    }
  });
});

describe("open proposals", () => {
  it("that were approved can still pay after the signers changed; changes of settings cannot", async () => {
    const [former, next, coming] = [newKey(), newKey(), newAddress()];
    const { address, settings } = await openAccount(former);
    const message = compileWrappedMessage(address, [
      getTransferSolInstruction({
        source: { address } as never,
        destination: newAddress(),
        amount: 5n,
      }),
    ]);
    const member = { settings, creator: addressOfKey(former), rentPayer: addressOfKey(payer) };
    const addSigner = { __kind: "AddSigner", newSigner: { key: coming, permissions: 7 } } as const;
    const stored = [
      createTransactionInstruction({ ...member, transactionIndex: 1n, message }),
      createSettingsTransactionInstruction({ ...member, transactionIndex: 2n, actions: [addSigner] }),
      createTransactionInstruction({ ...member, transactionIndex: 3n, message }),
    ];
    for (const [i, one] of stored.entries()) {
      const transactionIndex = BigInt(i + 1);
      const vote = voteInstruction({ action: "approve", settings, transactionIndex, signer: addressOfKey(former) });
      await send([...propose(settings, transactionIndex, former, one), ...(i < 2 ? [vote] : [])], former);
    }
    const before = await examine(address, { "service-keys": coming });
    expect(before.found("service_keys", "WARN")).toEqual([expect.stringContaining("proposal 2")]);
    expect(before.found("proposals", "WARN")).toHaveLength(3);
    expect(before.report.verdict).toBe("PASS");

    await changeSettings(settings, former, [
      { __kind: "AddSigner", newSigner: { key: addressOfKey(next), permissions: 7 } },
      { __kind: "RemoveSigner", oldSigner: addressOfKey(former) },
    ]);
    const { report, found } = await examine(address, {
      "expect-signers": addressOfKey(next),
      "service-keys": `${addressOfKey(former)},${coming}`,
    });
    expect(report.proposals).toMatchObject([
      { index: 3, status: "active", stale: true, can_execute: false },
      { index: 2, status: "approved", stale: true, can_execute: false, content: { kind: "settings_change" } },
      { index: 1, status: "approved", stale: true, can_execute: true, content: { kind: "transaction" } },
    ]);
    expect(found("proposals", "WARN")).toEqual([expect.stringContaining("Proposal 1")]);
    expect(found("service_keys", "PASS")).toHaveLength(2);
    expect(report.verdict).toBe("PASS");
  });
});

describe("proposals that a signer should not approve", () => {
  it("are named: about the account itself, with too many throw-away signers, about what was closed", async () => {
    const key = newKey();
    const { address, settings } = await openAccount(key);
    await chain.airdrop(address, 1_000_000_000n);
    const [signer, rentPayer] = [addressOfKey(key), addressOfKey(payer)];
    const plain = compileWrappedMessage(address, [
      getTransferSolInstruction({ source: { address } as never, destination: newAddress(), amount: 900_000n }),
    ]);
    const member = { settings, creator: signer, rentPayer };
    const inner = createTransactionInstruction({
      settings,
      transactionIndex: 2n,
      creator: signer,
      rentPayer: address,
      message: plain,
    });
    const about = compileWrappedMessage(address, [inner]);
    for (const [transactionIndex, stored] of [
      [1n, createTransactionInstruction({ ...member, transactionIndex: 1n, message: plain })],
      [2n, createTransactionInstruction({ ...member, transactionIndex: 2n, message: about })],
      [3n, createTransactionInstruction({ ...member, transactionIndex: 3n, message: plain, ephemeralSigners: 16 })],
    ] as const) {
      const vote = voteInstruction({ action: "approve", settings, transactionIndex, signer });
      await send([...propose(settings, transactionIndex, key, stored), vote], key);
    }
    await send(
      [
        executeTransactionInstruction({ settings, transactionIndex: 1n, signer, message: plain }),
        closeTransactionInstruction({
          settings,
          transactionIndex: 1n,
          proposalRentCollector: rentPayer,
          transactionRentCollector: rentPayer,
        }),
      ],
      key,
    );
    await send([createProposalInstruction({ ...member, transactionIndex: 1n })], key);

    const { report, found } = await examine(address);
    const warned = (index: number) => found("proposals", "WARN").filter((text) => text.includes(`Proposal ${index} `));
    expect(warned(1)).toContainEqual(expect.stringContaining("was closed"));
    expect(warned(2)).toContainEqual(expect.stringContaining("about the account itself"));
    expect(warned(3)).toEqual([expect.stringContaining("more than 15 throw-away signers")]);
    expect(report.proposals.map(({ can_execute }) => can_execute)).toEqual([false, true, false]);
    expect(report.verdict).toBe("PASS");
  });
});

describe("finding the settings", () => {
  const refusesLists = ({ method, params }: RpcRequest): Behaviour =>
    method === "getProgramAccounts" && JSON.stringify(params).includes("dataSlice") ? { status: 403 } : "honest";

  it("works for a fresh account, by the settings' own address, and by name", async () => {
    const { address, settings } = await openAccount(newKey());
    for (const [named, options] of [
      [address, {}],
      [settings, {}],
      [address, { settings }],
    ] as const) {
      expect((await examine(named, options)).report).toMatchObject({ address, settings_address: settings });
    }
  });

  it("takes the account's history where a node does not list all settings", async () => {
    const key = newKey();
    const { address, settings } = await openAccount(key);
    const asked = await examineThrough(refusesLists, address);
    expect(asked).toContain("--settings");
    await chain.airdrop(address, 10_000_000n);
    const pay = getTransferSolInstruction({
      source: { address } as never,
      destination: newAddress(),
      amount: 5_000_000n,
    });
    await send(
      [executeTransactionSyncInstruction({ settings, members: [addressOfKey(key)], instructions: [pay] })],
      key,
    );
    const proxy = await startRpcProxy(chain.url, refusesLists);
    try {
      expect((await examine(address, { rpc: proxy.url })).report.settings_address).toBe(settings);
    } finally {
      await proxy.close();
    }
  });

  it("refuses settings of another account, and addresses of nothing", async () => {
    const [one, other] = [await openAccount(newKey()), await openAccount(newKey())];
    expect(await refusal(one.address, { settings: other.settings })).toContain(other.address);
    expect(await refusal(newAddress())).toContain("no smart account");
    expect(await refusal(one.address, { settings: one.address })).toMatch(/no account|not a settings account/);
  });
});

describe("a node that lies", () => {
  it("is caught by the addresses it gives, and by whom they belong to", async () => {
    const key = newKey();
    const { address, settings } = await openAccount(key);
    const another = await openAccount(newKey());
    await changeSettings(settings, key, [addSpendingLimitAction(limitFor([addressOfKey(key)]))]);
    expect((await examine(address)).report.spending_limits).toHaveLength(1);

    const settingsOfAnother = (request: RpcRequest): Behaviour =>
      request.method === "getAccountInfo" && request.params?.[0] === settings
        ? (result) => ({ ...(result as object), value: { ...accountOf(result), data: [swapSeed(result), "base64"] } })
        : "honest";
    expect(await examineThrough(settingsOfAnother, address, { settings })).toContain("contradicts itself");

    const foreignOwner = (request: RpcRequest): Behaviour =>
      request.method === "getAccountInfo" && request.params?.[0] === settings
        ? (result) => ({ ...(result as object), value: { ...accountOf(result), owner: newAddress() } })
        : "honest";
    expect(await examineThrough(foreignOwner, address, { settings })).toContain("not a settings account");

    type Listed = { pubkey: string; account: { owner: string } }[];
    const lies: ((listed: Listed) => Listed)[] = [
      (listed) => listed.map((one) => ({ ...one, pubkey: newAddress() })),
      (listed) => listed.map((one) => ({ ...one, account: { ...one.account, owner: newAddress() } })),
    ];
    for (const lie of lies) {
      const liar = (request: RpcRequest): Behaviour =>
        isListOf(request, settings) ? (result) => lie(result as Listed) : "honest";
      expect(await examineThrough(liar, address)).toContain("contradicts itself");
    }
    const ofAnother = withListed(settings, policyAccount(another.settings, 1n, newAddress()));
    expect(await examineThrough(ofAnother, address)).toContain("contradicts itself");
    const misplaced = { ...policyAccount(settings, 1n, newAddress()), pubkey: newAddress() };
    expect(await examineThrough(withListed(settings, misplaced), address)).toContain("contradicts itself");
  });

  it("or does not answer, is no PASS", async () => {
    const { address } = await openAccount(newKey());
    expect(await examineThrough(() => ({ status: 500 }), address)).toContain("does not answer");
  });
});

describe("the command", { timeout: 240_000 }, () => {
  it("says PASS with 0, FAIL with 1, and with 2 that it cannot decide", async () => {
    const key = newKey();
    const { address } = await openAccount(key);
    const doctor = (...args: string[]) => runTrellis(["doctor", address, "--rpc", chain.url, ...args]);
    const pass = await doctor("--expect-signers", addressOfKey(key));
    expect(pass).toMatchObject({ code: 0, stdout: expect.stringContaining("Verdict: PASS"), stderr: "" });
    expect(pass.stdout).toContain(addressOfKey(key));
    const fail = await doctor("--expect-signers", newAddress(), "--json");
    expect(fail.code).toBe(1);
    expect(JSON.parse(fail.stdout)).toMatchObject({ address, verdict: "FAIL" });
    const unable = await doctor("--settings", newAddress());
    expect(unable).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("no account") });
  });

  it("says what it needs", async () => {
    const { address } = await openAccount(newKey());
    expect(await refusal(address, { knownPrograms: "x" })).toContain("TRELLIS_KNOWN_PROGRAMS");
    expect(await refusal(address, { rpc: undefined })).toContain("--rpc");
    expect(await refusal(address, { rpc: "nowhere" })).toContain("--rpc");
    expect(await refusal("x")).toContain("not an address");
    expect(await refusal(address, { "expect-signers": `${address},` })).toContain("--expect-signers");
    expect(await refusal(address, { "service-keys": "x" })).toContain("--service-keys");
    await expect(runDoctor({ address: undefined, rpc: chain.url })).rejects.toThrow(/Name the smart account/);
  });
});

describe("the program that the cluster runs", () => {
  /** The examination through a node, whatever that makes of questions about the program's code. */
  async function examineCode(behaviour: Behaviour, options: Partial<DoctorOptions> = {}, patienceMs?: number) {
    const { address } = await openAccount(newKey());
    const isAboutCode = ({ method, params }: RpcRequest) =>
      ["getAccountInfo", "getMultipleAccounts"].includes(method) && JSON.stringify(params).includes(codeAddress);
    const proxy = await startRpcProxy(chain.url, (request) => (isAboutCode(request) ? behaviour : "honest"));
    try {
      const { text, exitCode } = await runDoctor({ rpc: proxy.url, json: true, ...options, address }, patienceMs);
      const { program, checks, verdict } = JSON.parse(text) as Report;
      const warnings = checks
        .filter(({ check }) => check === "program")
        .map(({ status, message }) => `${status} ${message}`);
      return { program, warnings, verdict, exitCode };
    } finally {
      await proxy.close();
    }
  }
  /** Its code, but for one byte in the middle of the first piece. */
  const another: Behaviour = (result, { method }) => {
    if (method !== "getAccountInfo") return result;
    const { value, ...rest } = result as { readonly value: { readonly data: readonly [string, string] } };
    const bytes = Buffer.from(value.data[0], "base64");
    bytes[1_000] = (bytes[1_000] ?? 0) ^ 1;
    return { ...rest, value: { ...value, data: [bytes.toString("base64"), "base64"] } };
  };

  it("is printed, with a warning where it is none of the known ones", async () => {
    const { program, warnings } = await examineCode("honest");
    expect(program).toMatchObject({ known: true, deployed_slot: 0, upgrade_authority: null });
    expect(warnings).toEqual([]);

    const changed = await examineCode(another);
    const hash = changed.program?.sha256 ?? "";
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(changed).toMatchObject({ verdict: "PASS", exitCode: 0, program: { known: false } });
    expect(changed.warnings).toEqual([
      expect.stringMatching(`^WARN The cluster runs a build .* then name ${hash} in TRELLIS_KNOWN_PROGRAMS.$`),
    ]);

    const trusted = await examineCode(another, { knownPrograms: hash.toUpperCase() });
    expect(trusted).toMatchObject({ warnings: [], program: { known: true } });
  });

  it("is printed for people", async () => {
    const { address } = await openAccount(newKey());
    const { text } = await runDoctor({ rpc: chain.url, address });
    expect(text).toMatch(/^Program {8}SHA-256 [0-9a-f]{64}, deployed at slot 0, no key can replace it$/m);
  });

  it.each<[string, Behaviour, number | undefined]>([
    ["refuses", { status: 403 }, undefined],
    ["is silent", "silent", 50],
    ["answers with something else", { result: "x" }, undefined],
    ["knows no program", { result: { context: { slot: 1 }, value: [null, null] } }, undefined],
  ])("holds up nothing where a node %s about it", async (_, behaviour, patienceMs) => {
    const { program, warnings, verdict, exitCode } = await examineCode(behaviour, {}, patienceMs);
    expect({ program, verdict, exitCode }).toEqual({ program: null, verdict: "PASS", exitCode: 0 });
    expect(warnings).toEqual([
      expect.stringMatching(/^WARN Which build of the program the cluster runs could not be read: .*[^.]\.$/),
    ]);
  });
});

describe("an account for which a passkey acts", () => {
  const host = "wallet.example.com";
  const session = newKey();
  const plainText = { ceremony: "get", isCrossOrigin: false, isHttp: false, hasRemark: false, port: null } as const;

  /** Makes a passkey's account on the chain, with a session of an hour, of `by`. */
  async function openPasskey(by: SignerKey = session): Promise<Address> {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const point = publicKey.export({ format: "der", type: "spki" }).subarray(-65);
    const compressed = Uint8Array.of(2 | ((point[64] ?? 0) & 1), ...point.subarray(1, 33));
    const { value } = await chain.rpc.getAccountInfo(SLOT_HASHES_ADDRESS, { encoding: "base64" }).send();
    const slotHash = decodeNewestSlotHash(Buffer.from(value?.data[0] ?? "", "base64"));
    const now = await chain.rpc.getBlockTime(slotHash.slot).send();
    const ending = { key: addressOfKey(by), expiration: (now ?? 0n) + 3_600n };
    const challenge = initializePasskeyChallenge({ slotHash, payer: addressOfKey(payer), session: ending });
    const text = Buffer.from(challenge).toString("base64url");
    const clientDataJson = Buffer.from(
      JSON.stringify({ type: "webauthn.get", challenge: text, origin: `https://${host}`, crossOrigin: false }),
    );
    const digest = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();
    const authenticatorData = Buffer.concat([digest(host), Buffer.of(0x1d, 0, 0, 0, 0)]);
    const signature = sign("sha256", Buffer.concat([authenticatorData, digest(clientDataJson)]), privateKey);
    const read = readPasskeyAssertion(
      { authenticatorData, clientDataJson, signature },
      { relyingPartyId: host, challenge },
    );
    if (!read.ok) throw new Error(read.fault);
    expect(read.form).toEqual(plainText);
    await send([
      checkPasskeySignatureInstruction(compressed, read),
      initializePasskeyInstruction({
        ...{ publicKey: compressed, form: read.form, slot: slotHash.slot },
        ...{ payer: addressOfKey(payer), relyingPartyId: host, session: ending },
      }),
    ]);
    return derivePasskeyAddress(compressed);
  }

  it("is paid from by the session of a signer, which is shown and held against the expected signers", async () => {
    const passkey = await openPasskey();
    const owner = newKey();
    const { address, settings } = await openAccount(owner);
    const newSigner = { key: passkey, permissions: 7 };
    await changeSettings(settings, owner, [{ __kind: "AddSigner", newSigner }]);
    await chain.airdrop(address, 1_000_000_000n);
    const payee = newAddress();
    const payment = executeTransactionSyncInstruction({
      settings,
      members: [passkey],
      instructions: [
        getTransferSolInstruction({ source: { address } as never, destination: payee, amount: 1_000_000n }),
      ],
    });
    const execution = buildPasskeyExecution(passkey, "passkey_account", [payment]);
    const pay = executeByPasskeySessionInstruction({
      ...{ execution, signingAddress: "passkey_account", passkeyAccount: passkey },
      sessionKey: addressOfKey(session),
    });
    await send([pay], session);
    const { value: paid } = await chain.rpc.getBalance(payee).send();
    expect(paid).toBe(1_000_000n);

    const { text } = await runDoctor({ rpc: chain.url, address });
    expect(text).toMatch(/^Passkeys by {4}SHA-256 [0-9a-f]{64}, deployed at slot 0, no key can replace it$/m);
    expect(text).toContain(`${passkey}  of ${host}`);
    const signers = [addressOfKey(owner), passkey].join(",");
    const { report, found } = await examine(address, { "expect-signers": signers });
    expect(report).toMatchObject({
      verdict: "FAIL",
      signature_program: { known: true },
      passkeys: [{ address: passkey, relying_party_id: host, session_key: addressOfKey(session), session_live: true }],
    });
    expect(found("sessions", "FAIL")).toEqual([expect.stringContaining(`signs for the passkey ${passkey} until`)]);
    const known = await examine(address, { "expect-signers": signers, "service-keys": addressOfKey(session) });
    expect(known.found("service_keys", "FAIL")).toHaveLength(1);
    await chain.advanceClock(4_000);
    const later = await examine(address, { "expect-signers": signers });
    expect(later.report).toMatchObject({ verdict: "PASS", passkeys: [{ session_live: false }] });
    await expect(send([pay], session)).rejects.toThrow();
  });

  /** An account of these signers with all permissions, made past the service, which refuses addresses that no key has. */
  async function openFor(signers: readonly Address[], threshold: number, settingsAuthority: Address | null = null) {
    const { value } = await chain.rpc.getAccountInfo(PROGRAM_CONFIG_ADDRESS, { encoding: "base64" }).send();
    const config = decodeProgramConfig(Buffer.from(value?.data[0] ?? "", "base64"));
    const settings = deriveSettingsAddress(config.smartAccountIndex + 1n);
    await send([
      createSmartAccountInstruction({
        ...{ creator: addressOfKey(payer), treasury: config.treasury, candidates: [settings] },
        signers: signers.map((address) => ({ address, mask: 7 })),
        ...{ threshold, timeLockSeconds: 0, settingsAuthority },
      }),
    ]);
    return deriveSmartAccountAddress(settings);
  }

  it("is changed by the session of its admin", async () => {
    const admin = await openPasskey();
    const key = newKey();
    const address = await openFor([addressOfKey(key)], 1, admin);
    const { report, found } = await examine(address, {
      ...{ "expect-signers": addressOfKey(key), "expect-admin": admin, "service-keys": addressOfKey(session) },
    });
    expect(report).toMatchObject({
      verdict: "FAIL",
      passkeys: [{ address: admin }],
      signature_program: { known: true },
    });
    expect(found("sessions", "FAIL")).toEqual([expect.stringContaining(`signs for the passkey ${admin} until`)]);
    expect(found("service_keys", "FAIL")).toEqual([expect.stringContaining(addressOfKey(session))]);
  });

  it("is paid from by the sessions of those who hold spending limits and rights to tokens", async () => {
    const [ofLimit, ofTokens] = [await openPasskey(), await openPasskey()];
    const key = newKey();
    const { address, settings } = await openAccount(key);
    await changeSettings(settings, key, [addSpendingLimitAction(limitFor([ofLimit]))]);
    await chain.mint(address, usdcMint, 5_000n);
    const source = deriveTokenAccount(address, usdcMint, tokenProgram);
    const approve = getApproveInstruction({ source, delegate: ofTokens, owner: address, amount: 700n });
    await send(
      [executeTransactionSyncInstruction({ settings, members: [addressOfKey(key)], instructions: [approve] })],
      key,
    );
    const { report, found } = await examine(address);
    expect(report).toMatchObject({ passkeys: [{ address: ofLimit }, { address: ofTokens }] });
    expect(found("sessions", "WARN")).toEqual([
      expect.stringContaining(`signs for the passkey ${ofLimit} until`),
      expect.stringContaining(`signs for the passkey ${ofTokens} until`),
    ]);
  });

  it("warns of every derived address whose signers it cannot read", async () => {
    const key = newKey();
    const execution = derivePasskeyExecutionAddress(await openPasskey());
    const nobody = derivePasskeyAddress(Uint8Array.of(2, ...new Uint8Array(32).fill(7)));
    const signers = [addressOfKey(key), execution, nobody];
    const address = await openFor(signers, 1);
    const { report, found } = await examine(address, {
      ...{ "expect-signers": signers.join(","), "service-keys": addressOfKey(session) },
    });
    expect(found("derived_addresses", "WARN")).toEqual(
      sorted(execution, nobody).map((one) =>
        expect.stringContaining(`${one} is derived; who signs for it cannot be read.`),
      ),
    );
    expect(found("sessions", "PASS")).toEqual([]);
    expect(found("service_keys", "PASS")).toEqual([]);
    expect(found("service_keys", "WARN")).toEqual([expect.stringContaining(addressOfKey(session))]);
    expect(report.verdict).toBe("PASS");
    const plain = await openAccount(key);
    const { found: unwarned } = await examine(plain.address, { "expect-signers": addressOfKey(key) });
    expect(unwarned("derived_addresses", "WARN")).toEqual([]);
    expect(unwarned("sessions", "PASS")).toHaveLength(1);
  });

  it("is not called its own stranger where it holds a right itself", async () => {
    const key = newKey();
    const { address, settings } = await openAccount(key);
    await changeSettings(settings, key, [addSpendingLimitAction(limitFor([address]))]);
    expect((await examine(address)).found("derived_addresses", "WARN")).toEqual([]);
  });

  it("says which execution account is the same passkey, and that both are one signer", async () => {
    const passkey = await openPasskey();
    const execution = derivePasskeyExecutionAddress(passkey);
    const address = await openFor([passkey, execution], 2);
    const { report, found } = await examine(address, { "expect-signers": `${passkey},${execution}` });
    expect(found("derived_addresses", "WARN")).toEqual([]);
    expect(report).toMatchObject({
      ...{ verdict: "FAIL", signers_needed: 1, acts_alone: [passkey, addressOfKey(session)] },
      passkeys: [{ address: passkey, execution_account: execution, execution_account_holds: true }],
    });
    expect(found("shared_keys", "FAIL")).toEqual([
      expect.stringContaining(`${passkey} signs for each of the signers ${sorted(passkey, execution).join(", ")}`),
      expect.stringContaining(
        `${addressOfKey(session)} signs for each of the signers ${sorted(passkey, execution).join(", ")}`,
      ),
    ]);
    expect(await printed(address)).toContain(`and its execution account ${execution}, the same passkey`);
  });

  it("counts signers of one session key as one", async () => {
    const key = newKey();
    const [ofKey, one, other] = [await openPasskey(key), await openPasskey(), await openPasskey()];
    const first = await openFor([ofKey, addressOfKey(key)], 2);
    const ofFirst = await examine(first, { "expect-signers": `${ofKey},${addressOfKey(key)}` });
    expect(ofFirst.report).toMatchObject({ verdict: "FAIL", signers_needed: 1, acts_alone: [addressOfKey(key)] });
    expect(ofFirst.found("sessions", "PASS")).toHaveLength(1);
    expect(ofFirst.found("shared_keys", "FAIL")).toEqual([expect.stringContaining(addressOfKey(key))]);
    const second = await openFor([one, other, newAddress()], 3);
    const ofSecond = await examine(second);
    expect(ofSecond.report).toMatchObject({ signers_needed: 2, acts_alone: [] });
    expect(ofSecond.found("shared_keys", "WARN")).toEqual([
      expect.stringContaining(
        `${addressOfKey(session)} signs for each of the signers ${sorted(one, other).join(", ")}`,
      ),
    ]);
  });

  it("is reported with a session that never ends, and with an account that cannot be read", async () => {
    const passkey = await openPasskey();
    const key = newKey();
    const address = await openFor([addressOfKey(key), passkey], 1);
    const through = async (change: (data: Buffer) => Buffer) => {
      const isAbout = ({ method, params }: RpcRequest) => method === "getAccountInfo" && params?.[0] === passkey;
      const changed: Behaviour = (result) => {
        const data = change(Buffer.from(accountOf(result).data[0], "base64")).toString("base64");
        return { ...(result as object), value: { ...accountOf(result), data: [data, "base64"] } };
      };
      const proxy = await startRpcProxy(chain.url, (request) => (isAbout(request) ? changed : "honest"));
      try {
        return (await runDoctor({ rpc: proxy.url, address })).text;
      } finally {
        await proxy.close();
      }
    };
    const endless = await through((data) => data.fill(255, 136, 144));
    expect(endless).toContain(`the session of ${addressOfKey(session)} lasts until second 18446744073709551616`);
    expect(endless).toMatch(/WARN {2}.* signs for the passkey .* until second 18446744073709551615 of Unix time,/);
    expect(await through((data) => data.fill(2, 0, 1))).toContain(`WARN  ${passkey} is derived; who signs for it`);
  });
});

const may = (key: SignerKey) => ({ address: addressOfKey(key) as string, permissions: everything });

interface Report {
  readonly address: string;
  readonly settings_address: string;
  readonly signers: { address: string; permissions: string[] }[];
  readonly acts_alone: string[];
  readonly signers_needed: number | null;
  readonly spending_limits: { address: string; usable: boolean; signers_who_are_no_members: string[] }[];
  readonly policies: { address: string; signers: { address: string }[]; type: string }[];
  readonly proposals: { index: number; status: string; stale: boolean; can_execute: boolean; content: object | null }[];
  readonly token_delegates: { delegate: string; right: string; amount: string }[];
  readonly checks: { status: string; check: string; message: string }[];
  readonly verdict: string;
  readonly program: { readonly sha256: string; readonly known: boolean } | null;
}

async function openAccount(...keys: SignerKey[]): Promise<{ address: Address; settings: Address }> {
  const policies = { signers: keys.map(may), threshold: 1 };
  const { address, settings_address } = await trellis.client.accounts.createCustom({ policies });
  return { address: address as Address, settings: settings_address as Address };
}

function isListOf({ method, params }: RpcRequest, settings: Address): boolean {
  const wanted = Buffer.from(addressBytes(settings)).toString("base64");
  return method === "getProgramAccounts" && JSON.stringify(params).includes(wanted);
}

/** A node whose list of accounts under some settings has one more. */
function withListed(settings: Address, extra: object) {
  return (request: RpcRequest): Behaviour =>
    isListOf(request, settings) ? (result) => [...(result as object[]), extra] : "honest";
}

/** A policy account as a node would list it: a spending limit for one signer. */
function policyAccount(settings: Address, seed: bigint, signer: Address) {
  const numbers = Buffer.alloc(25);
  numbers.writeBigUInt64LE(seed, 0);
  numbers[8] = 255;
  const count = Buffer.from([1, 0, 0, 0]);
  const rules = Buffer.from([7, 1, 0, 0, 0, 0, 0, 1]);
  const parts = [discriminatorOf("policy"), addressBytes(settings), numbers, count, addressBytes(signer), rules];
  const data = Buffer.concat([...parts.map((part) => Uint8Array.from(part)), Buffer.alloc(64)]);
  return {
    pubkey: derivePolicyAddress(settings, seed),
    account: {
      owner: SMART_ACCOUNT_PROGRAM_ADDRESS,
      data: [data.toString("base64"), "base64"],
      lamports: 1,
      executable: false,
      space: data.length,
    },
  };
}

function accountOf(result: unknown): { data: [string, string]; owner: string } {
  return (result as { value: { data: [string, string]; owner: string } }).value;
}

/** The settings' data with another number in it. */
function swapSeed(result: unknown): string {
  const data = Buffer.from(getBase64Encoder().encode(accountOf(result).data[0]) as Uint8Array);
  data[8] = ((data[8] ?? 0) + 1) & 0xff;
  expect(getAddressDecoder().decode(data, 24)).toBeTruthy();
  return data.toString("base64");
}

/** As the program stores signers. */
const sorted = (...addresses: Address[]): Address[] =>
  addresses.sort((one, other) => Buffer.compare(addressBytes(one), addressBytes(other)));

const newAddress = (): Address => addressOfKey(newKey());

async function examine(address: string, options: Partial<DoctorOptions> = {}) {
  const { text, exitCode } = await runDoctor({ rpc: chain.url, json: true, ...options, address });
  const report = JSON.parse(text) as Report;
  expect(exitCode).toBe(report.verdict === "PASS" ? 0 : 1);
  const found = (check: string, status: string) =>
    report.checks.filter((one) => one.check === check && one.status === status).map(({ message }) => message);
  return { report, found };
}

/** The report for people. */
const printed = async (address: string) => (await runDoctor({ rpc: chain.url, address })).text;

async function refusal(address: string, options: Partial<DoctorOptions> = {}): Promise<string> {
  const outcome = await runDoctor({ rpc: chain.url, ...options, address }).catch((error: unknown) => error);
  if (!(outcome instanceof DoctorError)) throw new Error("the doctor gave an answer", { cause: outcome });
  return outcome.message;
}

/** Examines through a node that is not honest. */
async function examineThrough(
  behaviour: (request: RpcRequest) => Behaviour,
  address: string,
  options: Partial<DoctorOptions> = {},
): Promise<string> {
  const proxy = await startRpcProxy(chain.url, behaviour);
  try {
    return await refusal(address, { ...options, rpc: proxy.url });
  } finally {
    await proxy.close();
  }
}

/** Sends straight to the chain, past the service. */
async function send(instructions: readonly (Instruction | PlainInstruction)[], ...keys: SignerKey[]): Promise<void> {
  const { value: lifetime } = await chain.rpc.getLatestBlockhash().send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(addressOfKey(payer), m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    (m) => appendTransactionMessageInstructions(instructions, m),
  );
  const wire = getBase64EncodedWireTransaction(compileTransaction(message));
  const signed = signTransaction(wire, [payer, ...keys]) as Base64EncodedWireTransaction;
  await chain.rpc.sendTransaction(signed, { encoding: "base64" }).send();
}

function changeSettings(
  settings: Address,
  key: SignerKey,
  actions: Parameters<typeof executeSettingsTransactionSyncInstruction>[0]["actions"],
): Promise<void> {
  const [rentPayer, members] = [addressOfKey(payer), [addressOfKey(key)]];
  return send([executeSettingsTransactionSyncInstruction({ settings, members, rentPayer, actions })], key);
}

const limitFor = (signers: readonly Address[], more: { period?: Period; expiration?: bigint } = {}) => ({
  seed: newAddress(),
  mint: null,
  amountBaseUnits: 1_000n,
  period: more.period ?? Period.Day,
  signers: [...signers],
  destinations: [],
  expiration: more.expiration ?? null,
});

function propose(settings: Address, transactionIndex: bigint, key: SignerKey, stored: PlainInstruction) {
  const parts = { settings, transactionIndex, creator: addressOfKey(key), rentPayer: addressOfKey(payer) };
  return [stored, createProposalInstruction(parts)];
}
