import { describe, expect, it } from "vitest";
import { use } from "../../test/support/use.js";
import { concat, u8, u16, u64 } from "./support/bytes.js";
import { executeSync } from "./support/instructions.js";
import { named, SIGNATURE_PROGRAM, SYSTEM } from "./support/keys.js";
import type { Instruction, Ledger, Outcome } from "./support/ledger.js";
import { ALL } from "./support/members.js";
import { syncPayload, transferData } from "./support/messages.js";
import { r, s, w, ws } from "./support/metas.js";
import { expectError, expectRuntimeError, expectSuccess } from "./support/outcomes.js";
import {
  type Answer,
  type Bent,
  CREATE,
  checkInstruction,
  createPasskey,
  createPasskeyScene,
  decodePasskey,
  GET,
  innerOf,
  inUpperHalf,
  type PasskeyScene,
  type Session,
  type SigningAddress,
  sha256,
} from "./support/passkeys.js";
import { openAccount } from "./support/smart-account.js";

const NOW = 1_700_000_000n;
const DAYS_90 = 90n * 86_400n;
const PAYEE = named("payee");
/** Position of the program's instruction behind the check of a signature. */
const SECOND = 1;

const scene = use(() => createPasskeyScene(), { each: true });

const read = () => decodePasskey(scene.stored() ?? new Uint8Array());
const newSession = (seconds: bigint = 900n): Session => ({ key: scene.session, expiration: NOW + seconds });
const begin = (): Outcome => {
  const outcome = expectSuccess(scene.ledger.send(...scene.initialized(newSession())));
  scene.moveTo(scene.slot + 10n);
  return outcome;
};

/** SOL from one of the passkey's own addresses. */
const transfer = (from: Uint8Array, lamports = 1_000_000n, to = PAYEE): Instruction => ({
  program: SYSTEM,
  accounts: [ws(from), w(to)],
  data: transferData(lamports),
});
const paying = (lamports?: bigint) =>
  innerOf([transfer(scene.passkey.executionAccount, lamports)], [scene.passkey.executionAccount]);
const fund = (): void => scene.ledger.fund(scene.passkey.executionAccount);

describe("a passkey's account", () => {
  it("is made with the session that the passkey signed, at the payer's expense", () => {
    const before = scene.ledger.balance(scene.payer);
    expectSuccess(scene.ledger.send(...scene.initialized(newSession())));
    expect(read()).toEqual({
      length: 152,
      version: 1,
      scheme: 0,
      rpId: "wallet.example.com",
      rpIdHash: sha256(Buffer.from("wallet.example.com")),
      key: scene.passkey.key,
      lastSlot: Number(scene.recent()),
      sessionKey: scene.session,
      sessionExpiration: NOW + 900n,
      counter: 0n,
    });
    expect(scene.ledger.account(scene.passkey.account)?.owner).toEqual(SIGNATURE_PROGRAM);
    // The fee: one signature of the transaction, one that the runtime checks.
    expect(before - scene.ledger.balance(scene.payer)).toBe(scene.ledger.rent(152) + 10_000n);
  });

  it("is made without a session, which no key has then", () => {
    expectSuccess(scene.ledger.send(...scene.initialized()));
    expect(read()).toMatchObject({ sessionKey: SYSTEM, sessionExpiration: 0n });
    expectError(scene.ledger.send(scene.executeBySession(paying(), 0)), 7013, 0);
  });

  it("is made from the signature of a creation", () => {
    const answer = { type: "webauthn.create", flags: 0x45, more: new Uint8Array(80).fill(4) } as const;
    expectSuccess(scene.ledger.send(...scene.initialized(newSession(), answer, { form: { flags: CREATE } })));
  });

  it("is made at an address that was funded before", () => {
    for (const lamports of [1n, scene.ledger.rent(152), scene.ledger.rent(152) * 2n]) {
      scene.ledger.set(scene.passkey.account, { lamports });
      expectSuccess(scene.ledger.send(...scene.initialized(newSession())));
      expect(read().sessionKey).toEqual(scene.session);
      const { length } = read();
      const expected = lamports > scene.ledger.rent(length) ? lamports : scene.ledger.rent(length);
      expect(scene.ledger.balance(scene.passkey.account)).toBe(expected);
    }
  });

  it("is made once", () => {
    begin();
    expectError(scene.ledger.send(...scene.initialized(newSession())), 7008, SECOND);
  });

  it.each<[string, number, Bent]>([
    ["another scheme", 7010, { scheme: 1 }],
    ["the address of another passkey", 7005, { account: named("another address") }],
    ["another account in place of the instructions", 7005, { instructionsSysvar: named("no sysvar") }],
    ["another account in place of the slot hashes", 7005, { slotHashes: named("no sysvar") }],
    ["a payer that does not sign", 7003, { unsigned: true }],
    ["a name with a port", 7009, { rpId: "example.com:8443" }],
    ["a name that ends the text", 7009, { rpId: 'a","x":"' }],
    ["a name in capitals", 7009, { rpId: "Wallet.example.com" }],
    ["no name", 7009, { rpId: "" }],
    ["a name of 33 characters", 7009, { rpId: `${"a".repeat(29)}.com` }],
    ["a form with an unknown flag", 7000, { form: { flags: GET | 8 } }],
    ["bytes after the arguments", 7000, { after: u8(0) }],
  ])("is not made with %s", (_, code, bent) => {
    const [check, instruction] = scene.initialized(newSession(), {}, bent);
    // The fee payer signs in any case; a payer who does not has to be another key.
    if (check === undefined || instruction === undefined) throw new Error("no instruction");
    const sent = bent.unsigned ? withPayer(instruction, named("poor")) : instruction;
    expectError(scene.ledger.send(check, sent), code, SECOND);
    expect(scene.stored()).toBeUndefined();
  });

  it("takes a name of 32 characters, and its session's end up to 90 days ahead", async () => {
    const long = await createPasskeyScene(`${"a".repeat(28)}.com`);
    const session = { key: long.session, expiration: NOW + DAYS_90 };
    expectSuccess(long.ledger.send(...long.initialized(session)));
    const longer = { key: scene.session, expiration: NOW + DAYS_90 + 1n };
    expectError(scene.ledger.send(...scene.initialized(longer)), 7011, SECOND);
    const endless = { key: scene.session, expiration: 2n ** 64n - 1n };
    expectError(scene.ledger.send(...scene.initialized(endless)), 7011, SECOND);
  });

  it("cannot be had with the signature of another session, payer or instruction", () => {
    const other = { key: named("thief"), expiration: NOW + 900n };
    const signed = scene.initializeChallenge(newSession());
    expectError(scene.ledger.send(...scene.initialized(other, {}, { challenge: signed })), 7021, SECOND);
    const refresh = scene.refreshChallenge(newSession());
    expectError(scene.ledger.send(...scene.initialized(newSession(), {}, { challenge: refresh })), 7021, SECOND);
    const payer = scene.payer;
    scene.payer = named("another payer");
    scene.ledger.fund(scene.payer);
    expectError(scene.ledger.send(...scene.initialized(newSession(), {}, { challenge: signed })), 7021, SECOND);
    scene.payer = payer;
    expectSuccess(scene.ledger.send(...scene.initialized(newSession(), {}, { challenge: signed })));
  });
});

function withPayer(instruction: Instruction, payer: Uint8Array): Instruction {
  const [account, , ...rest] = instruction.accounts;
  if (account === undefined) throw new Error("no accounts");
  return { ...instruction, accounts: [account, w(payer), ...rest] };
}

describe("an assertion", () => {
  const execute = (answer?: Answer, bent: Bent = {}): Outcome =>
    scene.ledger.send(...scene.executed(paying(), 0, answer, bent));
  const paid = () => scene.ledger.balance(PAYEE);
  const prepare = (): void => {
    begin();
    fund();
    scene.ledger.set(PAYEE, { lamports: scene.ledger.rent(0) });
  };

  it.each<[string, Answer | undefined, Bent]>([
    ["on the passkey's own host", undefined, {}],
    ["without user verification, which the chain does not ask for", { flags: 0x01 }, {}],
    ["with extensions", { flags: 0x81, more: new Uint8Array(9) }, {}],
    ["in a frame of another page", { rest: `,"crossOrigin":true` }, { form: { flags: GET | 1 } }],
    ["on another port", { origin: "https://wallet.example.com:8443" }, { form: { port: 8443 } }],
    ["on a host without TLS", { origin: "http://wallet.example.com:80" }, { form: { flags: GET | 2, port: 80 } }],
    [
      "with the remark that Chromium adds",
      {
        rest: `,"crossOrigin":false,"other_keys_can_be_added_here":"do not compare clientDataJSON against a template. See https://goo.gl/yabPex"`,
      },
      { form: { flags: GET | 4 } },
    ],
  ])("pays %s", (_, answer, bent) => {
    prepare();
    expectSuccess(execute(answer, bent));
    expect(paid()).toBe(scene.ledger.rent(0) + 1_000_000n);
  });

  it.each<[string, number, Answer, Bent]>([
    ["over another challenge", 7021, { challenge: new Uint8Array(32) }, {}],
    ["of a creation", 7018, { type: "webauthn.create", flags: 0x45, more: new Uint8Array(80) }, {}],
    [
      "of a creation that says so",
      7000,
      { type: "webauthn.create", flags: 0x45, more: new Uint8Array(80) },
      { form: { flags: CREATE } },
    ],
    ["that calls itself a creation in its text", 7021, { type: "webauthn.create" }, {}],
    ["of a subdomain", 7021, { origin: "https://app.wallet.example.com" }, {}],
    ["of a related origin", 7021, { origin: "https://shop.example" }, {}],
    ["of a port that is not announced", 7021, { origin: "https://wallet.example.com:8443" }, {}],
    [
      "of another port than the announced",
      7021,
      { origin: "https://wallet.example.com:844" },
      { form: { port: 8443 } },
    ],
    ["without TLS, unannounced", 7021, { origin: "http://wallet.example.com" }, {}],
    ["of an app", 7021, { origin: "android:apk-key-hash:AAAA" }, {}],
    ["in a frame, unannounced", 7021, { rest: `,"crossOrigin":true` }, {}],
    [
      "that names the page around its frame",
      7021,
      { rest: `,"crossOrigin":true,"topOrigin":"https://a.example"` },
      { form: { flags: GET | 1 } },
    ],
    ["that leaves crossOrigin out", 7021, { rest: "" }, {}],
    ["with something more", 7021, { rest: `,"crossOrigin":false,"extra":1` }, {}],
    ["with a remark that is announced and missing", 7021, {}, { form: { flags: GET | 4 } }],
    ["for another relying party", 7020, { rpId: "other.example.com" }, {}],
    ["of an absent user", 7019, { flags: 0x04 }, {}],
    ["with a byte that no flag announces", 7018, { more: new Uint8Array(1) }, {}],
    ["without the extensions that a flag announces", 7018, { flags: 0x81 }, {}],
    ["with a credential in it", 7018, { flags: 0x41, more: new Uint8Array(20) }, {}],
    ["with an unknown form", 7000, {}, { form: { flags: GET | 0x40 } }],
    ["under another scheme", 7010, {}, { scheme: 7 }],
    ["with bytes after the instructions", 7000, {}, { after: u8(1) }],
    ["whose nonce key does not sign", 7003, {}, { unsigned: true }],
    ["for a read-only account", 7004, {}, { readonly: true }],
    ["with another account in place of the instructions", 7005, {}, { instructionsSysvar: named("no sysvar") }],
    ["with another account in place of the slot hashes", 7005, {}, { slotHashes: named("no sysvar") }],
    ["with another key in the arguments", 7017, {}, { key: new Uint8Array(33).fill(2) }],
  ])("pays nothing %s", (_, code, answer, bent) => {
    prepare();
    const before = scene.stored();
    expectError(execute(answer, bent), code, SECOND);
    expect(paid()).toBe(scene.ledger.rent(0));
    expect(scene.stored()).toEqual(before);
  });

  it("of another passkey pays nothing, whatever key the arguments name", async () => {
    prepare();
    const thief = await createPasskey();
    const check = checkInstruction([thief.sign(scene.executeChallenge(paying()))]);
    for (const key of [scene.passkey.key, thief.key]) {
      expectError(scene.ledger.send(check, scene.execute(paying(), 0, { key })), 7017, SECOND);
    }
  });

  it("holds for its instructions, their accounts and rights, and its nonce key alone", () => {
    prepare();
    const signed = scene.executeChallenge(paying());
    const bend = (inner: ReturnType<typeof paying>) =>
      expectError(scene.ledger.send(...scene.executed(inner, 0, {}, { challenge: signed })), 7021, SECOND);
    bend(paying(2_000_000n));
    bend({ ...paying(), instructions: [...paying().instructions, ...paying().instructions] });
    bend({ ...paying(), accounts: [...paying().accounts, r(named("one more"))] });
    const [from, , system] = paying().accounts;
    if (from === undefined || system === undefined) throw new Error("no accounts");
    bend({ ...paying(), accounts: [from, w(named("thief")), system] });
    bend({ ...paying(), accounts: [from, r(PAYEE), system] });
    bend({ ...paying(), accounts: [from, ws(PAYEE), system] });
    const { nonce } = scene;
    scene.nonce = named("another nonce");
    bend(paying());
    scene.nonce = nonce;
    expectSuccess(scene.ledger.send(...scene.executed(paying(), 0, {}, { challenge: signed })));
  });

  it("is of a slot that is at most 150 slots old", () => {
    prepare();
    scene.moveTo(9_149n);
    for (const slot of [9_149n, 8_998n, 8_149n]) {
      expectError(execute({}, { slot, challenge: scene.executeChallenge(paying(), slot) }), 7014, SECOND);
    }
    const wrap = 8_999n;
    expectSuccess(execute({}, { slot: wrap }));
  });

  it("is found by its slot where slots were skipped, and refused for one of those", () => {
    prepare();
    scene.moveTo(6_000n, [5_999n, 5_998n, 5_990n]);
    expectError(execute({}, { slot: 5_990n }), 7014, SECOND);
    expectSuccess(execute({}, { slot: 5_980n }));
    expectSuccess(execute({}, { slot: 5_997n }));
  });

  it("is refused with the digits of another slot", () => {
    prepare();
    const challenge = scene.executeChallenge(paying(), scene.recent() - 3n);
    expectError(execute({}, { challenge }), 7021, SECOND);
  });

  it("of a synced passkey, which counts nothing, works for ever and once each", () => {
    prepare();
    for (let round = 0; round < 5; round++) {
      const [check, instruction] = scene.executed(paying(), 0);
      if (check === undefined || instruction === undefined) throw new Error("no instructions");
      expectSuccess(scene.ledger.send(check, instruction));
      expectError(scene.ledger.send(check, instruction), 7015, SECOND);
      // Nor with another payload for the same or an older slot.
      expectError(scene.ledger.send(...scene.executed(paying(7n), 0)), 7015, SECOND);
      expectError(execute({}, { slot: scene.recent() - 1n }), 7015, SECOND);
      scene.moveTo(scene.slot + 1n);
    }
    expect(paid()).toBe(scene.ledger.rent(0) + 5_000_000n);
    expect(read().counter).toBe(0n);
  });

  it("of a passkey that counts has to count on", () => {
    prepare();
    const next = (counter: number): Outcome => {
      scene.moveTo(scene.slot + 1n);
      return execute({ counter });
    };
    expectSuccess(next(7));
    expectError(next(7), 7022, SECOND);
    expectError(next(6), 7022, SECOND);
    expectSuccess(next(8));
    expectSuccess(next(0xffff_ffff));
    expect(read().counter).toBe(0xffff_ffffn);
  });

  it("has its signature checked by the first instruction of the transaction", () => {
    prepare();
    const [check, instruction] = scene.executed(paying(), 0);
    if (check === undefined || instruction === undefined) throw new Error("no instructions");
    const other = transfer(scene.payer, 1n);
    expectError(scene.ledger.send(instruction), 7016, 0);
    expectError(scene.ledger.send(instruction, check), 7016, 0);
    expectError(scene.ledger.send(other, check, instruction), 7016, 2);
    expectSuccess(scene.ledger.send(check, other, instruction));
  });

  it("has its signature checked by the runtime, not by a program that takes the same bytes", () => {
    prepare();
    const { key, message } = scene.passkey.sign(scene.executeChallenge(paying()));
    // For the system program the same bytes assign an account to a new owner, and it does not care what follows.
    const head = concat(u8(1), u8(0), ...[0, 0xffff, 36, 0xffff, 69, message.length, 0xffff].map(u16));
    const thief = named("thief");
    const forged = {
      program: SYSTEM,
      accounts: [ws(thief)],
      data: concat(head, new Uint8Array(36 - head.length), key, message),
    };
    scene.ledger.fund(thief);
    expectSuccess(scene.ledger.send(forged));
    scene.ledger.fund(thief);
    expectError(scene.ledger.send(forged, scene.execute(paying(), 0)), 7016, SECOND);
  });

  it("stands alone in its check, and lies in it whole", () => {
    prepare();
    const checked = scene.passkey.sign(scene.executeChallenge(paying()));
    const instruction = scene.execute(paying(), 0);
    expectError(scene.ledger.send(checkInstruction([checked, checked]), instruction), 7016, SECOND);
    const copy = checkInstruction([checked]);
    for (const part of ["signature", "key", "message"]) {
      // The runtime accepts parts of another instruction; this program cannot see what they are then.
      const elsewhere = checkInstruction([checked], { [part]: 2 });
      expectError(scene.ledger.send(elsewhere, instruction, copy), 7016, SECOND);
      expectError(scene.ledger.send(checkInstruction([checked], { [part]: 0 }), instruction), 7016, SECOND);
    }
    // The runtime counts no signatures as data of a wrong size.
    expectError(scene.ledger.send(checkInstruction([]), instruction), 4, 0);
  });

  it("is refused by the runtime with the other s, with a flipped bit and with the mirrored key", () => {
    prepare();
    const checked = scene.passkey.sign(scene.executeChallenge(paying()));
    const instruction = scene.execute(paying(), 0);
    const refused = (check: Parameters<typeof checkInstruction>[0][number]) =>
      expectError(scene.ledger.send(checkInstruction([check]), instruction), 2, 0);
    refused(inUpperHalf(checked));
    refused({ ...checked, message: checked.message.map((byte, i) => (i === 40 ? byte ^ 1 : byte)) });
    refused({ ...checked, key: checked.key.map((byte, i) => (i === 0 ? byte ^ 1 : byte)) });
    expectSuccess(scene.ledger.send(checkInstruction([checked]), instruction));
  });

  it("opens no account of another owner, size, version or scheme", () => {
    prepare();
    const data = scene.stored() ?? new Uint8Array();
    const at = (place: number, byte: number) => data.map((old, i) => (i === place ? byte : old));
    const lamports = scene.ledger.rent(200);
    const accounts = [
      [7006, data, SYSTEM],
      [7006, data, named("another program")],
      [7007, data.slice(0, 151), SIGNATURE_PROGRAM],
      [7007, concat(data, u8(0)), SIGNATURE_PROGRAM],
      [7007, new Uint8Array(), SIGNATURE_PROGRAM],
      [7007, at(0, 2), SIGNATURE_PROGRAM],
      [7007, at(1, 1), SIGNATURE_PROGRAM],
      [7007, at(4, 33), SIGNATURE_PROGRAM],
    ] as const;
    for (const [code, content, owner] of accounts) {
      scene.ledger.set(scene.passkey.account, { lamports, data: content, owner });
      expectError(execute(), code, SECOND);
      expectError(scene.ledger.send(...scene.refreshed(newSession())), code, SECOND);
      expectError(scene.ledger.send(scene.executeBySession(paying(), 0)), code, 0);
    }
  });
});

describe("a session", () => {
  const bySession = (by?: Uint8Array, bent: Bent = {}): Outcome =>
    scene.ledger.send(scene.executeBySession(paying(), 0, bent, by));
  const prepare = (): void => {
    begin();
    fund();
    scene.ledger.set(PAYEE, { lamports: scene.ledger.rent(0) });
  };

  it("pays with its key until its end, without a passkey or another fee", () => {
    prepare();
    const before = scene.ledger.balance(scene.payer);
    expectSuccess(bySession());
    scene.ledger.setTime(NOW + 899n);
    expectSuccess(bySession());
    // Two signatures each: the payer's and the session's.
    expect(before - scene.ledger.balance(scene.payer)).toBe(20_000n);
    scene.ledger.setTime(NOW + 900n);
    expectError(bySession(), 7012, 0);
    expect(scene.ledger.balance(PAYEE)).toBe(scene.ledger.rent(0) + 2_000_000n);
  });

  it("is of its own key, and of this passkey", async () => {
    prepare();
    expectError(bySession(named("another key")), 7013, 0);
    expectError(bySession(scene.session, { unsigned: true }), 7003, 0);
    expectError(bySession(scene.session, { scheme: 1 }), 7010, 0);
    expectError(bySession(scene.session, { after: u8(0) }), 7000, 0);
    expectError(bySession(scene.session, { account: named("no passkey") }), 7006, 0);
  });

  it("is replaced by the passkey, for a time from now on, which ends the one before", () => {
    prepare();
    const next = { key: named("next session"), expiration: 3_600n };
    scene.ledger.setTime(NOW + 100n);
    expectSuccess(scene.ledger.send(...scene.refreshed(next)));
    expect(read()).toMatchObject({ sessionKey: next.key, sessionExpiration: NOW + 3_700n });
    expectError(bySession(), 7013, 0);
    expectSuccess(bySession(next.key));
  });

  it("lasts 90 days at most, and ends at once where it is given no time", () => {
    prepare();
    const lasting = (expiration: bigint) => ({ key: scene.session, expiration });
    for (const seconds of [DAYS_90 + 1n, 2n ** 64n - 1n]) {
      expectError(scene.ledger.send(...scene.refreshed(lasting(seconds))), 7011, SECOND);
    }
    expectSuccess(scene.ledger.send(...scene.refreshed(lasting(DAYS_90))));
    scene.moveTo(scene.slot + 1n);
    expectSuccess(scene.ledger.send(...scene.refreshed(lasting(0n))));
    expectError(bySession(), 7012, 0);
  });

  it.each<[string, number, Answer, Bent]>([
    ["another challenge", 7021, { challenge: new Uint8Array(32) }, {}],
    ["the signature of a creation", 7000, {}, { form: { flags: CREATE } }],
    ["another scheme", 7010, {}, { scheme: 1 }],
    ["bytes after the arguments", 7000, {}, { after: u64(1) }],
    ["a nonce key that does not sign", 7003, {}, { unsigned: true }],
    ["a read-only account", 7004, {}, { readonly: true }],
  ])("is not replaced with %s", (_, code, answer, bent) => {
    prepare();
    const before = scene.stored();
    const session = { key: scene.session, expiration: 60n };
    expectError(scene.ledger.send(...scene.refreshed(session, answer, bent)), code, SECOND);
    expect(scene.stored()).toEqual(before);
  });

  it("is not the one that was signed where key, length or nonce key differ, nor one of an execution", () => {
    prepare();
    const session = { key: scene.session, expiration: 60n };
    const signed = scene.refreshChallenge(session);
    const refused = (other: Session, challenge = signed) =>
      expectError(scene.ledger.send(...scene.refreshed(other, {}, { challenge })), 7021, SECOND);
    refused({ ...session, key: named("thief") });
    refused({ ...session, expiration: 61n });
    refused(session, scene.executeChallenge(paying()));
    refused(session, scene.initializeChallenge(session));
    scene.nonce = named("another nonce");
    refused(session);
  });

  it("that was replaced does not come back with the old signature", () => {
    prepare();
    const first = scene.refreshed({ key: scene.session, expiration: 60n });
    const slot = scene.recent();
    expectSuccess(scene.ledger.send(...first));
    scene.moveTo(scene.slot + 2n);
    expectSuccess(scene.ledger.send(...scene.refreshed({ key: named("next"), expiration: 60n })));
    const [check] = first;
    if (check === undefined) throw new Error("no check");
    const again = scene.refresh({ key: scene.session, expiration: 60n }, { slot });
    expectError(scene.ledger.send(check, again), 7015, SECOND);
    expect(read().sessionKey).toEqual(named("next"));
  });
});

describe("approved instructions", () => {
  it("name accounts that are there", () => {
    begin();
    fund();
    const inner = paying();
    const [only] = inner.instructions;
    if (only === undefined) throw new Error("no instruction");
    for (const bent of [
      { ...only, program: 3 },
      { ...only, accounts: [0, 3] },
    ]) {
      expectError(scene.ledger.send(...scene.executed({ ...inner, instructions: [bent] }, 0)), 7023, SECOND);
    }
  });

  it("that end early are refused", () => {
    begin();
    const whole = scene.executeBySession(paying(), 0);
    for (const length of [1, 2, 3, 4, 6, whole.data.length - 1]) {
      expectError(scene.ledger.send({ ...whole, data: whole.data.slice(0, length) }), 7000, 0);
    }
    expectError(scene.ledger.send({ ...whole, data: u8(4) }), 7000, 0);
    expectError(scene.ledger.send({ ...whole, data: new Uint8Array() }), 7000, 0);
    expectError(scene.ledger.send({ ...whole, accounts: whole.accounts.slice(0, 1) }), 7001, 0);
  });

  it("get the rights of the transaction, and of the passkey's addresses only the one that signs", () => {
    begin();
    fund();
    const { executionAccount } = scene.passkey;
    expectRuntimeError(scene.ledger.send(scene.executeBySession(paying(), 1)), "MissingRequiredSignature");
    const fromStranger = innerOf([transfer(named("stranger"))], [named("stranger")]);
    expectRuntimeError(scene.ledger.send(scene.executeBySession(fromStranger, 0)), "MissingRequiredSignature");
    const { instructions, accounts } = paying();
    const readonly = { instructions, accounts: accounts.map((meta) => ({ ...meta, writable: false })) };
    expectRuntimeError(scene.ledger.send(scene.executeBySession(readonly, 0)), "ReadonlyLamportChange");
    expect(scene.ledger.balance(executionAccount)).toBe(100_000_000_000n);
  });

  it("cannot call the program again, and no other program can call it", async () => {
    begin();
    fund();
    const again = scene.executeBySession(paying(), 0);
    const outer = innerOf([again], [scene.passkey.executionAccount]);
    const outcome = scene.ledger.send(scene.executeBySession(outer, 0));
    expectError(outcome, 7002, 0);

    // The smart account program calls what its members want.
    const account = await openAccount(scene.ledger, { members: [{ key: named("member"), mask: ALL }], threshold: 1 });
    const through = innerOf([again], []);
    const wrapped = executeSync({
      settings: account.settings,
      members: [named("member")],
      accounts: through.accounts,
      payload: syncPayload(through.instructions),
    });
    expectError(scene.ledger.send(wrapped), 7002, 0);
  });
});

describe("a smart account whose signer is a passkey", () => {
  const open = (ledger: Ledger, key: Uint8Array) =>
    openAccount(ledger, { members: [{ key, mask: ALL }], threshold: 1 });
  const addresses: [string, SigningAddress, (of: PasskeyScene) => Uint8Array][] = [
    ["execution account", 0, ({ passkey }) => passkey.executionAccount],
    ["own account", 1, ({ passkey }) => passkey.account],
  ];

  it.each(addresses)("pays by its %s, with the passkey and with its session", async (_, signing, keyOf) => {
    const key = keyOf(scene);
    const account = await open(scene.ledger, key);
    begin();
    scene.ledger.set(PAYEE, { lamports: scene.ledger.rent(0) });
    const payment = executeSync({
      settings: account.settings,
      members: [key],
      accounts: [w(account.vault), w(PAYEE), r(SYSTEM)],
      payload: syncPayload([{ program: 2, accounts: [0, 1], data: transferData(1_000_000) }]),
    });
    const inner = innerOf([payment], [key]);
    expectSuccess(scene.ledger.send(...scene.executed(inner, signing)));
    expectSuccess(scene.ledger.send(scene.executeBySession(inner, signing)));
    expect(scene.ledger.balance(PAYEE)).toBe(scene.ledger.rent(0) + 2_000_000n);
    // The other address of the passkey is no signer of it.
    const other: SigningAddress = signing === 0 ? 1 : 0;
    expectError(scene.ledger.send(scene.executeBySession(inner, other)), 6048, 0);
    expectError(scene.ledger.send(scene.executeBySession(inner, signing, {}, named("thief"))), 7013, 0);
  });

  it("pays together with another signer of the same transaction", async () => {
    const { executionAccount } = scene.passkey;
    const friend = named("friend");
    const members = [executionAccount, friend].map((key) => ({ key, mask: ALL }));
    const account = await openAccount(scene.ledger, { members, threshold: 2 });
    begin();
    const payment = executeSync({
      settings: account.settings,
      members: [executionAccount, friend],
      accounts: [w(account.vault), w(PAYEE), r(SYSTEM)],
      payload: syncPayload([{ program: 2, accounts: [0, 1], data: transferData(1_000_000) }]),
    });
    const inner = innerOf([payment], [executionAccount]);
    expect(inner.accounts).toContainEqual(s(friend));
    expectSuccess(scene.ledger.send(...scene.executed(inner, 0)));
    expect(scene.ledger.balance(PAYEE)).toBe(1_000_000n);
  });
});
