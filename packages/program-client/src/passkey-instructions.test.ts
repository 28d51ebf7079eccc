import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from "node:crypto";
import {
  AccountRole,
  type Address,
  isSignerRole,
  isWritableRole,
  type Instruction as KitInstruction,
} from "@solana/kit";
import { describe, expect, it } from "vitest";
import { named, SYSTEM } from "../../../program/test/support/keys.js";
import type { Instruction } from "../../../program/test/support/ledger.js";
import { transferData } from "../../../program/test/support/messages.js";
import { w, ws } from "../../../program/test/support/metas.js";
import { expectSuccess } from "../../../program/test/support/outcomes.js";
import { createPasskeyScene, GET, innerOf } from "../../../program/test/support/passkeys.js";
import { use } from "../../../test/support/use.js";
import {
  addressBytes,
  addressOfBytes,
  buildPasskeyExecution,
  type ClientDataForm,
  checkPasskeySignatureInstruction,
  decodeNewestSlotHash,
  decodePasskeyAccount,
  derivePasskeyAddress,
  derivePasskeyExecutionAddress,
  executeByPasskeyChallenge,
  executeByPasskeyInstruction,
  executeByPasskeySessionInstruction,
  initializePasskeyChallenge,
  initializePasskeyInstruction,
  lowSignatureOf,
  type PlainInstruction,
  ProgramDataError,
  parsePasskeyExecution,
  parsePasskeySessionExecution,
  readPasskeyAssertion,
  refreshPasskeySessionChallenge,
  refreshPasskeySessionInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from "./index.js";

const scene = use(() => createPasskeyScene(), { each: true });

const plainForm: ClientDataForm = {
  ceremony: "get",
  isCrossOrigin: false,
  isHttp: false,
  hasRemark: false,
  port: null,
};
const payee = named("payee");

const of = (bytes: Uint8Array): Address => addressOfBytes(bytes);
/** As the ledger of the program's own tests takes it. */
const raw = ({ programAddress, accounts, data }: PlainInstruction): Instruction => ({
  program: addressBytes(programAddress),
  accounts: accounts.map(({ address, role }) => ({
    key: addressBytes(address),
    signer: isSignerRole(role),
    writable: isWritableRole(role),
  })),
  data: new Uint8Array(data),
});
const slotHash = () => ({ slot: scene.recent(), hash: scene.hashOf(scene.recent()) });
const claim = (form = plainForm) => ({ publicKey: scene.passkey.key, form, slot: scene.recent() });
const transferBy = (address: Address): KitInstruction => ({
  programAddress: SYSTEM_PROGRAM_ADDRESS,
  accounts: [
    { address, role: AccountRole.WRITABLE_SIGNER },
    { address: of(payee), role: AccountRole.WRITABLE },
  ],
  data: transferData(1_000_000),
});

/** What the client library sends to the chain for an honest answer of the passkey. */
const checkOf = (challenge: Uint8Array): Instruction => {
  const { signature, message } = scene.passkey.sign(challenge);
  return raw(checkPasskeySignatureInstruction(scene.passkey.key, { signature, message }));
};

describe("instructions of the signature program", () => {
  it("are the bytes that the program's own tests write, and are accepted", () => {
    const { ledger, passkey } = scene;
    const account = derivePasskeyAddress(passkey.key);
    const executionAccount = derivePasskeyExecutionAddress(account);
    expect([addressBytes(account), addressBytes(executionAccount)]).toEqual([
      passkey.account,
      passkey.executionAccount,
    ]);

    const session = { key: of(scene.session), expiration: 1_700_000_900n };
    const rawSession = { key: scene.session, expiration: 1_700_000_900n };
    const begin = initializePasskeyChallenge({ slotHash: slotHash(), payer: of(scene.payer), session });
    expect(begin).toEqual(scene.initializeChallenge(rawSession));
    const initialize = initializePasskeyInstruction({
      ...claim(),
      payer: of(scene.payer),
      relyingPartyId: passkey.rpId,
      session,
    });
    expect(raw(initialize)).toEqual(scene.initialize(rawSession));
    expectSuccess(ledger.send(checkOf(begin), raw(initialize)));

    scene.moveTo(scene.slot + 1n);
    const next = { key: of(scene.session), expiration: 60n };
    const refresh = refreshPasskeySessionChallenge({
      slotHash: slotHash(),
      nonceSigner: of(scene.nonce),
      session: next,
    });
    expect(refresh).toEqual(scene.refreshChallenge({ key: scene.session, expiration: 60n }));
    const refreshed = refreshPasskeySessionInstruction({ ...claim(), nonceSigner: of(scene.nonce), session: next });
    expect(raw(refreshed)).toEqual(scene.refresh({ key: scene.session, expiration: 60n }));
    expectSuccess(ledger.send(checkOf(refresh), raw(refreshed)));
    expect(decodePasskeyAccount(scene.stored() ?? new Uint8Array())).toEqual({
      relyingPartyId: "wallet.example.com",
      publicKey: passkey.key,
      session: { key: of(scene.session), expiresAt: 1_700_000_060n },
      counter: 0n,
    });

    scene.moveTo(scene.slot + 1n);
    ledger.fund(passkey.executionAccount);
    const execution = buildPasskeyExecution(account, "execution_account", [transferBy(executionAccount)]);
    const transaction = { feePayer: of(scene.payer), passkeyAccount: account, nonceSigner: of(scene.nonce) };
    const challenge = executeByPasskeyChallenge({ ...transaction, slotHash: slotHash(), execution });
    const inner = innerOf(
      [{ program: SYSTEM, accounts: [ws(passkey.executionAccount), w(payee)], data: transferData(1_000_000) }],
      [passkey.executionAccount],
    );
    expect(challenge).toEqual(scene.executeChallenge(inner));
    const approved = { signingAddress: "execution_account", execution } as const;
    const execute = executeByPasskeyInstruction({ ...claim(), ...approved, nonceSigner: of(scene.nonce) });
    expect(raw(execute)).toEqual(scene.execute(inner, 0));
    expectSuccess(ledger.send(checkOf(challenge), raw(execute)));

    const bySession = executeByPasskeySessionInstruction({
      ...approved,
      passkeyAccount: account,
      sessionKey: of(scene.session),
    });
    expect(raw(bySession)).toEqual(scene.executeBySession(inner, 0));
    expectSuccess(ledger.send(raw(bySession)));
    expect(ledger.balance(payee)).toBe(2_000_000n);
  });

  it("name the passkey's own account where that signs, and accounts by the rights that the transaction gives them", () => {
    const account = derivePasskeyAddress(scene.passkey.key);
    const ask: KitInstruction = {
      programAddress: SYSTEM_PROGRAM_ADDRESS,
      accounts: [
        { address: account, role: AccountRole.READONLY_SIGNER },
        { address: of(scene.nonce), role: AccountRole.READONLY },
        { address: of(scene.payer), role: AccountRole.READONLY },
      ],
      data: new Uint8Array(4),
    };
    const execution = buildPasskeyExecution(account, "passkey_account", [ask]);
    expect(execution.accounts[0]).toEqual({ address: account, role: AccountRole.READONLY });
    const transaction = { feePayer: of(scene.payer), passkeyAccount: account, nonceSigner: of(scene.nonce) };
    const { accounts } = raw({
      programAddress: SYSTEM_PROGRAM_ADDRESS,
      accounts: execution.accounts,
      data: new Uint8Array(),
    });
    expect(executeByPasskeyChallenge({ ...transaction, slotHash: slotHash(), execution })).toEqual(
      scene.executeChallenge({
        accounts,
        instructions: [{ program: 3, accounts: [0, 1, 2], data: new Uint8Array(4) }],
      }),
    );
    const approved = { signingAddress: "passkey_account", execution, nonceSigner: of(scene.nonce) } as const;
    const form = { ...claim().form, port: 8_443 };
    for (const execute of [
      { ...claim(), ...approved },
      { ...claim(), form, ...approved },
    ].map(executeByPasskeyInstruction)) {
      expect(parsePasskeyExecution(execute)).toEqual({ passkeyAccount: account, instructions: [ask] });
      expect(parsePasskeySessionExecution(execute)).toBeUndefined();
      expect(() =>
        parsePasskeyExecution({ ...execute, data: execute.data?.slice(0, -1) ?? new Uint8Array() }),
      ).toThrow();
    }
    const byOther = executeByPasskeyInstruction({ ...claim(), ...approved, signingAddress: "execution_account" });
    expect(parsePasskeyExecution(byOther)).toBeUndefined();
  });

  it("carry a form's flags and port, and no session where there is none", () => {
    const form = { ceremony: "create", isCrossOrigin: true, isHttp: true, hasRemark: true, port: 8_443 } as const;
    const input = { payer: of(scene.payer), relyingPartyId: scene.passkey.rpId, session: null };
    expect(raw(initializePasskeyInstruction({ ...claim(form), ...input }))).toEqual(
      scene.initialize(undefined, { form: { flags: 7, port: 8_443 } }),
    );
    expect(initializePasskeyChallenge({ slotHash: slotHash(), payer: of(scene.payer), session: null })).toEqual(
      scene.initializeChallenge(undefined),
    );
    expect(raw(initializePasskeyInstruction({ ...claim(), ...input }))).toEqual(
      scene.initialize(undefined, { form: { flags: GET } }),
    );
  });

  it("are not built for keys, hosts and sessions that the program refuses", () => {
    const { payer, nonce, passkey } = scene;
    const session = (expiration: bigint) => ({ key: of(scene.session), expiration });
    const { signature, message } = passkey.sign(new Uint8Array(32));
    const execution = buildPasskeyExecution(derivePasskeyAddress(passkey.key), "passkey_account", []);
    const approved = { signingAddress: "passkey_account", execution, nonceSigner: of(nonce) } as const;
    const initialize = (relyingPartyId: string, publicKey = passkey.key) =>
      initializePasskeyInstruction({ ...claim(), publicKey, payer: of(payer), relyingPartyId, session: null });
    const keys = [new Uint8Array(33), passkey.key.slice(1), Uint8Array.of(...passkey.key, 0), passkey.key.with(0, 4)];
    for (const publicKey of keys) {
      expect(() => derivePasskeyAddress(publicKey)).toThrow(RangeError);
      expect(() => checkPasskeySignatureInstruction(publicKey, { signature, message })).toThrow(RangeError);
      expect(() => initialize("a.example", publicKey)).toThrow(RangeError);
      const input = { ...claim(), publicKey };
      expect(() => refreshPasskeySessionInstruction({ ...input, ...approved, session: session(1n) })).toThrow(
        RangeError,
      );
      expect(() => executeByPasskeyInstruction({ ...input, ...approved })).toThrow(RangeError);
    }
    for (const host of [
      "",
      "A.example",
      "a.example:1",
      "a_b.example",
      "\u00e4.example",
      "a".repeat(33),
      "a.example\n",
    ]) {
      expect(() => initialize(host)).toThrow(RangeError);
    }
    expect(initialize("a-1.example").data).toContain("-".charCodeAt(0));
    expect(() => initialize("a".repeat(32))).not.toThrow();

    const refresh = (expiration: bigint) =>
      refreshPasskeySessionChallenge({ slotHash: slotHash(), nonceSigner: of(nonce), session: session(expiration) });
    const days = 86_400n;
    for (const expiration of [90n * days + 1n, 1_700_000_900n, -1n]) {
      expect(() => refresh(expiration)).toThrow(RangeError);
      const input = { ...claim(), nonceSigner: of(nonce), session: session(expiration) };
      expect(() => refreshPasskeySessionInstruction(input)).toThrow(RangeError);
    }
    expect(refresh(90n * days)).toHaveLength(32);
    expect(refresh(0n)).toHaveLength(32);
  });
});

describe("a passkey's account", () => {
  const stored = (): Uint8Array => {
    expectSuccess(scene.ledger.send(...scene.initialized({ key: scene.session, expiration: 1_700_000_900n })));
    return Uint8Array.from(scene.stored() ?? []);
  };

  it("is refused in any other form", () => {
    const data = stored();
    const at = (place: number, byte: number) => data.map((old, i) => (i === place ? byte : old));
    const others = [
      data.slice(1),
      Uint8Array.of(...data, 0),
      at(0, 2),
      at(0, 0),
      at(1, 1),
      at(4, 0),
      at(4, 33),
      at(4, 17),
    ];
    others.push(at(5, 0x41), at(40, (data[40] ?? 0) ^ 1), at(101, 4), new Uint8Array(152), new Uint8Array(0));
    for (const other of others) expect(() => decodePasskeyAccount(other)).toThrow(ProgramDataError);
  });

  it("is read whichever way the sign of its key is written", () => {
    const data = stored();
    const { publicKey } = decodePasskeyAccount(data);
    const parity = data.map((old, i) => (i === 101 ? old & 1 : old));
    expect(decodePasskeyAccount(parity).publicKey).toEqual(publicKey);
  });

  it("has no session where its key is zero", () => {
    const data = stored();
    expect(decodePasskeyAccount(data.fill(0, 104, 144)).session).toBeNull();
  });
});

describe("slot hashes", () => {
  it("give the newest slot", () => {
    const entry = (slot: number) => [slot, 0, 0, 0, 0, 0, 0, 0, ...new Uint8Array(32).fill(slot)];
    const data = Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, ...entry(9), ...entry(7));
    expect(decodeNewestSlotHash(data)).toEqual({ slot: 9n, hash: new Uint8Array(32).fill(9) });
    expect(() => decodeNewestSlotHash(data.slice(0, 47))).toThrow(ProgramDataError);
    expect(() => decodeNewestSlotHash(data.fill(0, 0, 8))).toThrow(ProgramDataError);
  });
});

describe("a browser's answer", () => {
  const challenge = Uint8Array.from({ length: 32 }, (_, i) => 255 - i);
  const inText = Buffer.from(challenge).toString("base64url");
  const expected = { relyingPartyId: "wallet.example.com", challenge };
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const remark =
    ',"other_keys_can_be_added_here":"do not compare clientDataJSON against a template. See https://goo.gl/yabPex"';

  const clientData = (parts: { type?: string; challenge?: string; origin?: string; rest?: string } = {}) =>
    Buffer.from(
      `{"type":"${parts.type ?? "webauthn.get"}","challenge":"${parts.challenge ?? inText}","origin":"${parts.origin ?? "https://wallet.example.com"}"${parts.rest ?? ',"crossOrigin":false'}}`,
    );
  const authenticatorData = (flags = 0x1d, more: readonly number[] = [], rpIdHash = hashOf("wallet.example.com")) =>
    Uint8Array.of(...rpIdHash, flags, 0, 0, 1, 2, ...more);
  const hashOf = (text: string) => new Uint8Array(createHash("sha256").update(text).digest());
  type Wanted = Partial<Parameters<typeof readPasskeyAssertion>[1]>;
  const read = (
    clientDataJson: Uint8Array,
    data: Uint8Array = authenticatorData(),
    { signature, ...wanted }: Wanted & { readonly signature?: Uint8Array } = {},
  ) =>
    readPasskeyAssertion(
      { clientDataJson, authenticatorData: data, signature: signature ?? sign("sha256", data, pair.privateKey) },
      { ...expected, ...wanted },
    );

  it("is read into the flags that make the same text again", () => {
    expect(read(clientData())).toMatchObject({ ok: true, form: plainForm, counter: 258, isUserVerified: true });
    expect(read(clientData(), authenticatorData(0x01))).toMatchObject({ ok: true, isUserVerified: false });
    expect(
      read(clientData({ origin: "http://wallet.example.com:3000", rest: `,"crossOrigin":true${remark}` }), undefined, {
        allowCrossOrigin: true,
      }),
    ).toMatchObject({
      form: { ceremony: "get", isHttp: true, port: 3_000, isCrossOrigin: true, hasRemark: true },
    });
    const created = read(clientData({ type: "webauthn.create" }), authenticatorData(0x45, [1, 2, 3]), {
      ceremonies: ["create", "get"],
    });
    expect(created).toMatchObject({ ok: true, form: { ceremony: "create" } });
  });

  it("is refused in another ceremony, or from another origin's frame, unless that is wanted", () => {
    const created = [clientData({ type: "webauthn.create" }), authenticatorData(0x45, [1, 2, 3])] as const;
    expect(read(...created)).toEqual({ ok: false, fault: "ceremony" });
    expect(read(...created, { ceremonies: ["create"] })).toMatchObject({ ok: true });
    expect(read(clientData(), undefined, { ceremonies: ["create"] })).toEqual({ ok: false, fault: "ceremony" });
    const framed = clientData({ rest: ',"crossOrigin":true' });
    expect(read(framed)).toEqual({ ok: false, fault: "cross_origin" });
    expect(read(framed, undefined, { allowCrossOrigin: false })).toEqual({ ok: false, fault: "cross_origin" });
    expect(read(framed, undefined, { allowCrossOrigin: true })).toMatchObject({ ok: true });
  });

  it.each<[string, Uint8Array, Uint8Array]>([
    ["client_data", clientData({ rest: "" }), authenticatorData()],
    ["client_data", clientData({ rest: ',"crossOrigin":false,"extra":1' }), authenticatorData()],
    ["client_data", clientData({ rest: ',"crossOrigin":true,"topOrigin":"https://a.example"' }), authenticatorData()],
    ["client_data", clientData({ type: "payment.get" }), authenticatorData()],
    ["client_data", Buffer.concat([clientData(), Buffer.from("\n")]), authenticatorData()],
    ["client_data", clientData({ origin: "android:apk-key-hash:AAAA" }), authenticatorData()],
    ["challenge", clientData({ challenge: "A".repeat(43) }), authenticatorData()],
    ["origin", clientData({ origin: "https://app.wallet.example.com" }), authenticatorData()],
    ["origin", clientData({ origin: "https://wallet.example.com:08443" }), authenticatorData()],
    ["origin", clientData({ origin: "https://wallet.example.com:65536" }), authenticatorData()],
    ["authenticator_data", clientData(), authenticatorData().slice(0, 36)],
    ["authenticator_data", clientData(), new Uint8Array(0)],
    ["authenticator_data", clientData(), authenticatorData(0x1d, [1])],
    ["authenticator_data", clientData(), authenticatorData(0x9d)],
    ["authenticator_data", clientData(), authenticatorData(0x5d, [1])],
    ["relying_party", clientData(), authenticatorData(0x1d, [], hashOf("other.example.com"))],
    ["user_not_present", clientData(), authenticatorData(0x1c)],
  ])("is refused for its %s", (fault, text, data) => {
    expect(read(text, data)).toEqual({ ok: false, fault });
  });

  it("is refused as a creation without the data of a credential", () => {
    const answer = read(clientData({ type: "webauthn.create" }), authenticatorData(), { ceremonies: ["create"] });
    expect(answer).toEqual({ ok: false, fault: "authenticator_data" });
  });

  it("has its signature brought into the lower half, where it still is one", () => {
    const publicKey = createPublicKey(pair.privateKey);
    const halves = new Set<boolean>();
    for (let i = 0; i < 64; i++) {
      const message = randomBytes(40);
      const der = sign("sha256", message, pair.privateKey);
      const low = lowSignatureOf(der) ?? new Uint8Array();
      expect(verify("sha256", message, { key: publicKey, dsaEncoding: "ieee-p1363" }, low)).toBe(true);
      expect((low[32] ?? 255) < 0x80).toBe(true);
      halves.add(Buffer.from(low).equals(sign64(der)));
    }
    expect([...halves].sort()).toEqual([false, true]);
  });

  it("is refused with bytes that are no signature in DER", () => {
    const der = sign("sha256", challenge, pair.privateKey);
    const one = [0x30, 6, 2, 1, 1, 2, 1, 1];
    expect(lowSignatureOf(Uint8Array.from(one))).toHaveLength(64);
    const others = [[], [0x30], der.subarray(1), [...der, 0], der.subarray(0, -1), [0x30, 6, 2, 1, 0, 2, 1, 1]];
    others.push([0x30, 6, 2, 1, 0x80, 2, 1, 1], [0x30, 7, 2, 2, 0, 1, 2, 1, 1], [0x31, ...one.slice(1)]);
    others.push([0x30, 3, 2, 1, 1], [0x30, 5, 2, 0, 2, 1, 1], [0x30, 6, 2, 9, 1, 2, 1, 1]);
    for (const other of others) {
      expect(lowSignatureOf(Uint8Array.from(other))).toBeUndefined();
      expect(read(clientData(), authenticatorData(), { signature: Uint8Array.from(other) })).toEqual({
        ok: false,
        fault: "signature",
      });
    }
  });
});

/** r and s of a DER signature as they are, by the positions of its two integers. */
function sign64(der: Uint8Array): Buffer {
  const length = der[3] ?? 0;
  const padded = (bytes: Uint8Array) => Buffer.concat([Buffer.alloc(33), bytes]).subarray(-32);
  return Buffer.concat([padded(der.subarray(4, 4 + length)), padded(der.subarray(6 + length))]);
}
