import { createECDH, createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import {
  decodePayload,
  type PreparedTransfer,
  type SubmitKmsPayload,
  signKmsAPayload,
  signKmsBPayload,
} from "@trellis/sdk";
import canonicalize from "canonicalize";
import { describe, expect, it } from "vitest";
import { use, useTestService } from "../support/scene.js";
import { dataOf, expectError, type Holder, makeKey, stamp } from "./support.js";

const shop = makeKey().address;
const trellis = useTestService({ TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000" });
const ada = use(() => trellis.openHolder({ sol: "1000000000" }));
const mallory = use(() => trellis.openHolder({ sol: "1000000000" }));
const backup = use(() => trellis.openHolder({ sol: "1000000000", provider: "kms_b" }));

describe("a transaction submitted again", () => {
  it("answers the first result and pays once, whatever accompanies it", async () => {
    const prepared = await prepare(ada);
    const entries = stamp(prepared, ada.session);
    const paidBefore = await trellis.lamportsOf(shop);
    const first = dataOf(await trellis.submit(ada.address, prepared.transaction, entries));
    for (const again of [entries, [], stamp(prepared, mallory.session), [...entries, ...entries]]) {
      expect(dataOf(await trellis.submit(ada.address, prepared.transaction, again))).toEqual(first);
    }
    const many = await trellis.post(`/accounts/${ada.address}/submit`, {
      transactions: [prepared.transaction, prepared.transaction],
      kms_payloads: [entries, entries],
    });
    expect(dataOf<{ results: object[] }>(many).results).toEqual([
      { index: 0, ...(first as object) },
      { index: 1, ...(first as object) },
    ]);
    expect((await trellis.lamportsOf(shop)) - paidBefore).toBe(1_000_000n);
  });

  it("twice in one request is one payment", async () => {
    const prepared = await prepare(ada);
    const entries = stamp(prepared, ada.session);
    const before = await trellis.lamportsOf(ada.address);
    const answered = await trellis.post(`/accounts/${ada.address}/submit`, {
      transactions: [prepared.transaction, prepared.transaction],
      kms_payloads: [entries, entries],
    });
    const { results } = dataOf<{ results: { transaction_signature: string }[] }>(answered);
    expect(results[0]?.transaction_signature).toBe(results[1]?.transaction_signature);
    expect(before - (await trellis.lamportsOf(ada.address))).toBe(1_000_000n);
  });
});

describe("signatures over something else", () => {
  it("a payload of another transaction is refused, and the right one still works", async () => {
    const [cheap, dear] = [await prepare(ada), await trellis.preparePayment(ada, { ...million, amount: "90000000" })];
    await refused(ada, dear, stamp(cheap, ada.session), "invalid_signature");
    dataOf(await trellis.submit(ada.address, dear.transaction, stamp(dear, ada.session)));
  });

  it("a transaction and payload of another account are refused on one's own and on theirs", async () => {
    const theirs = await prepare(ada);
    const entries = stamp(theirs, mallory.session);
    await refused(ada, theirs, entries, "invalid_signature");
    expectError(await trellis.submit(mallory.address, theirs.transaction, entries), 400, "transaction_not_prepared");
    const own = await prepare(mallory);
    await refused(ada, theirs, stamp(own, mallory.session), "invalid_signature");
  });

  it("a document changed in any member is not what was signed", async () => {
    const prepared = await prepare(ada);
    const { document } = payloadOf(prepared);
    const key = authorizationKeyOf(ada);
    for (const change of [
      { nonce: "other" },
      { expires_at: "2099-01-01T00:00:00.000Z" },
      { account: mallory.address },
      { environment: "mainnet" },
      { version: 2 },
      { surplus: true },
    ]) {
      const signature = signDer({ ...(document as object), ...change }, key).toString("base64");
      await refused(ada, prepared, [kmsA(signature)], "invalid_signature");
    }
    // The same document in another order is the same document.
    const signature = signDer(Object.fromEntries(Object.entries(document as object).reverse()), key);
    dataOf(await trellis.submit(ada.address, prepared.transaction, [kmsA(signature.toString("base64"))]));
  });
});

/** JSON as Python writes it by default. */
function spaced(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`);
  return `{${members.join(", ")}}`;
}

const wrongTimes: readonly (readonly [string, RegExp])[] = [
  [String(Math.floor(Date.now() / 1000)), /is in seconds/],
  [String(Date.now() * 1_000), /is in microseconds/],
  [new Date().toISOString(), /is a date/],
  [`${Date.now()}.5`, /is a number with a fraction/],
  ["now", /is no number/],
  ["-5", /is no number/],
];

describe("a signature that is nearly right", () => {
  it("is refused with the exact fault", async () => {
    const prepared = await prepare(ada);
    const key = authorizationKeyOf(ada);
    const { text, document } = payloadOf(prepared);
    const canonical = Buffer.from(canonicalize(document) ?? "");
    const wire = Buffer.from(prepared.transaction, "base64");
    const der = (bytes: Uint8Array) => sign("sha256", bytes, { key, dsaEncoding: "der" });
    const signRaw = () => sign("sha256", canonical, { key, dsaEncoding: "ieee-p1363" });
    const raw = signRaw();
    // As DER begins: one signature in 256 does.
    let likeDer = raw;
    while (likeDer[0] !== 0x30) likeDer = signRaw();
    const nearly: readonly (readonly [string, RegExp])[] = [
      [raw.toString("base64"), /r and s as they are .*not DER/],
      [likeDer.toString("base64"), /r and s as they are .*not DER/],
      [raw.toString("hex"), /it is hex, and it is r and s/],
      [der(Buffer.from(JSON.stringify(document, null, 2))).toString("base64"), /JSON with blanks/],
      [
        der(Buffer.from(spaced(JSON.parse(canonical.toString())))).toString("base64"),
        /white space behind its separators/,
      ],
      [der(Buffer.from(spaced(document))).toString("base64"), /white space behind its separators/],
      [der(canonical).toString("hex"), /right key, but it is hex\./],
      [der(Buffer.from(text, "base64")).toString("base64"), /members are not sorted/],
      [der(Buffer.from(text)).toString("base64"), /over the base64 text of the payload/],
      [der(createHash("sha256").update(canonical).digest()).toString("base64"), /hashed twice/],
      [der(wire).toString("base64"), /over the transaction instead of the payload/],
      [der(wire.subarray(1 + 64 * (wire[0] ?? 0))).toString("base64"), /over the transaction instead of the payload/],
      [Buffer.alloc(64, 7).toString("base64"), /r and s as they are/],
      ["no signature!", /not base64 of a DER signature/],
    ];
    for (const [signature, reported] of nearly) {
      const answer = await trellis.submit(ada.address, prepared.transaction, [kmsA(signature)]);
      expectError(answer, 400, "invalid_signature");
      const { message, details } = answer.body as { message: string; details: { suggestion?: string }[] };
      expect(message).toMatch(reported);
      expect(details[0]?.suggestion).toMatch(/canonical JSON .* DER signature in base64/);
    }
    dataOf(await trellis.submit(ada.address, prepared.transaction, [kmsA(der(canonical).toString("base64"))]));
  });

  it("is refused so for kms_b, too", async () => {
    const prepared = await prepare(backup, { provider: "kms_b" });
    const key = authorizationKeyOf(backup);
    const { text, document } = payloadOf(prepared);
    const { public_key } = signKmsBPayload(text, backup.session.authorizationKey, Date.now());
    const now = String(Date.now());
    const canonical = (value: unknown) => Buffer.from(canonicalize(value) ?? "");
    const of = (bytes: Uint8Array, dsaEncoding: "der" | "ieee-p1363" = "der") =>
      sign("sha256", bytes, { key, dsaEncoding });
    const stamped = canonical({ payload: document, timestamp_ms: now });
    const old = String(Date.now() - 600_000);
    const nearly: readonly (readonly [object, RegExp])[] = [
      [{ signature: of(stamped, "ieee-p1363").toString("hex") }, /not DER/],
      [{ signature: of(stamped).toString("base64") }, /it is base64\./],
      [{ signature: of(canonical(document)).toString("hex") }, /without timestamp_ms/],
      [
        { signature: of(canonical({ payload: document, timestamp_ms: old })).toString("hex"), timestamp_ms: old },
        /more than five minutes from now: 6[0-9]{2} seconds before/,
      ],
      ...wrongTimes.map(([time, reported]) => {
        const signature = of(canonical({ payload: document, timestamp_ms: time })).toString("hex");
        return [{ signature, timestamp_ms: time }, reported] as const;
      }),
      [
        {
          signature: of(stamped).toString("hex"),
          public_key: signKmsBPayload(text, ada.session.authorizationKey, Date.now()).public_key,
        },
        /public_key is not the authorization key/,
      ],
    ];
    for (const [more, reported] of nearly) {
      const entry = { provider: "kms_b", kms_signed_payload: { public_key, timestamp_ms: now, ...more } };
      const answer = await trellis.submit(backup.address, prepared.transaction, [entry]);
      expectError(answer, 400, "invalid_signature");
      expect((answer.body as { message: string }).message).toMatch(reported);
    }
  });
});

describe("signatures by a wrong key", () => {
  it("another user's authorization key, or a fresh one, is refused", async () => {
    const prepared = await prepare(ada);
    await refused(ada, prepared, stamp(prepared, mallory.session), "invalid_signature");
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    const signature = signDer(payloadOf(prepared).document, privateKey).toString("base64");
    await refused(ada, prepared, [kmsA(signature)], "invalid_signature");
  });

  it("the client's own encryption key is recognised", async () => {
    const prepared = await prepare(ada);
    const key = createPrivateKey({ key: Buffer.from(ada.keyPair.privateKeyPkcs8), format: "der", type: "pkcs8" });
    const signature = signDer(payloadOf(prepared).document, key).toString("base64");
    await refused(ada, prepared, [kmsA(signature)], "wrong_signing_key");
  });

  it("the same for kms_b, with its time", async () => {
    const prepared = await prepare(backup, { provider: "kms_b" });
    const key = createPrivateKey({ key: Buffer.from(backup.keyPair.privateKeyPkcs8), format: "der", type: "pkcs8" });
    const timestamp_ms = String(Date.now());
    const { document } = payloadOf(prepared);
    const signature = signDer({ payload: document, timestamp_ms }, key).toString("hex");
    const spki = Buffer.from(backup.keyPair.publicKeySpkiBase64, "base64");
    const public_key = spki.subarray(spki.length - 65).toString("hex");
    const entry = { provider: "kms_b", kms_signed_payload: { public_key, signature, timestamp_ms } };
    await refused(backup, prepared, [entry], "wrong_signing_key");
  });
});

describe("stamps in another custodian's form", () => {
  it("a kms_b stamp under kms_a, and a kms_a stamp under kms_b, are refused", async () => {
    const forA = await prepare(ada);
    const { text } = payloadOf(forA);
    const asB = signKmsBPayload(text, ada.session.authorizationKey, Date.now());
    await refused(ada, forA, [{ provider: "kms_a", kms_signed_payload: asB }], "invalid_request");
    await refused(ada, forA, [{ provider: "kms_b", kms_signed_payload: asB }], "invalid_signature");
    const hexAsA = Buffer.from(asB.signature, "hex").toString("base64");
    await refused(ada, forA, [kmsA(hexAsA)], "invalid_signature");

    const forB = await prepare(backup, { provider: "kms_b" });
    const asA = signKmsAPayload(payloadOf(forB).text, backup.session.authorizationKey);
    await refused(backup, forB, [{ provider: "kms_b", kms_signed_payload: asA }], "invalid_request");
    await refused(backup, forB, [{ provider: "kms_b", ...asA }], "invalid_request");
    await refused(backup, forB, [{ provider: "kms_a", kms_signed_payload: asA }], "invalid_signature");
    for (const other of ["kms_c", "passkey", "external"]) {
      await refused(backup, forB, [{ provider: other, kms_signed_payload: asA }], "provider_not_available");
    }
  });

  it("kms_b: another public key or a time that lies apart is refused, and what was signed is the time too", async () => {
    const prepared = await prepare(backup, { provider: "kms_b" });
    const { text } = payloadOf(prepared);
    const sixMinutes = 6 * 60_000;
    const right = signKmsBPayload(text, backup.session.authorizationKey, Date.now());
    const public_key = signKmsBPayload(text, ada.session.authorizationKey, Date.now()).public_key;
    const wrong = [
      { ...right, public_key },
      { ...right, timestamp_ms: String(Number(right.timestamp_ms) + 1) },
      { ...right, timestamp_ms: `0${right.timestamp_ms}` },
      { ...right, timestamp_ms: `${right.timestamp_ms}.0` },
      { ...right, public_key: "" },
      { ...right, signature: right.signature.slice(2) },
      { ...right, signature: `${right.signature}00` },
      signKmsBPayload(text, backup.session.authorizationKey, Date.now() - sixMinutes),
      signKmsBPayload(text, backup.session.authorizationKey, Date.now() + sixMinutes),
      signKmsBPayload(text, ada.session.authorizationKey, Date.now()),
    ];
    for (const kms_signed_payload of wrong) {
      await refused(backup, prepared, [{ provider: "kms_b", kms_signed_payload }], "invalid_signature");
    }
    dataOf(
      await trellis.submit(backup.address, prepared.transaction, [{ provider: "kms_b", kms_signed_payload: right }]),
    );
  });
});

describe("signatures that are none", () => {
  it("malformed, padded, empty and extended DER is refused", async () => {
    const prepared = await prepare(ada);
    const right = Buffer.from(
      signKmsAPayload(payloadOf(prepared).text, ada.session.authorizationKey).signature,
      "base64",
    );
    const twice = Buffer.concat([right, right]);
    const longForm = Buffer.concat([Buffer.from([0x30, 0x81, right[1] ?? 0]), right.subarray(2)]);
    const zero = Buffer.from("3006020100020100", "hex");
    const one = Buffer.from("3006020101020101", "hex");
    const raw = Buffer.alloc(64, 1);
    for (const bytes of [right.subarray(1), right.subarray(0, -1), twice, longForm, zero, one, raw]) {
      await refused(ada, prepared, [kmsA(bytes.toString("base64"))], "invalid_signature");
    }
    const text = right.toString("base64");
    for (const signature of [
      "",
      "=",
      "%%%",
      ` ${text}`,
      `${text}\n`,
      text.replaceAll("=", ""),
      right.toString("hex"),
    ]) {
      if (signature === text) continue;
      await refused(ada, prepared, [kmsA(signature)], "invalid_signature");
    }
    dataOf(await trellis.submit(ada.address, prepared.transaction, [kmsA(text)]));
  });

  it("the other half of a signature (high S) pays at most once", async () => {
    const prepared = await prepare(ada);
    const key = authorizationKeyOf(ada);
    const before = await trellis.lamportsOf(ada.address);
    const { document } = payloadOf(prepared);
    const all = Array.from({ length: 8 }, () => kmsA(signDer(document, key).toString("base64")));
    const answers = await Promise.all(all.map((entry) => trellis.submit(ada.address, prepared.transaction, [entry])));
    const landed = answers.filter(({ status }) => status === 200).map((answer) => dataOf(answer));
    expect(new Set(landed.map((data) => JSON.stringify(data))).size).toBe(1);
    expect(before - (await trellis.lamportsOf(ada.address))).toBe(1_000_000n);
  });
});

describe("the number of entries", () => {
  it("none, one too many, the same twice, and a stranger's beside it are refused", async () => {
    const prepared = await prepare(ada);
    const [entry] = stamp(prepared, ada.session);
    const [strange] = stamp(await prepare(ada), ada.session);
    await refused(ada, prepared, [], "missing_signature");
    await refused(ada, prepared, [{ provider: "kms_a" }], "missing_signature");
    await refused(
      ada,
      prepared,
      [{ provider: "kms_a", kms_signed_payload: null, signature: null }],
      "missing_signature",
    );
    await refused(ada, prepared, [entry, entry], "invalid_signature");
    await refused(ada, prepared, [entry, strange], "invalid_signature");
    await refused(ada, prepared, [strange, entry], "invalid_signature");
    await refused(ada, prepared, [[entry]], "invalid_request");
  });

  it("both signers of an account may sign, each once and in any order, and one cannot stand for the other", async () => {
    const holder = await trellis.openHolder({ sol: "100000000" });
    const account = await trellis.client.accounts.get(holder.address);
    const named = account.policies.signers.map(({ address }) => address);
    const prepared = await trellis.preparePayment(holder, { ...million, more: { transaction_signers: named } });
    expect(prepared.kms_payloads.map(({ provider }) => provider).sort()).toEqual(["kms_a", "kms_b"]);
    const forA = prepared.kms_payloads.find(({ provider }) => provider === "kms_a");
    if (!forA) throw new Error("kms_a has no payload");
    const entry = kmsA(signKmsAPayload(forA.payload, holder.session.authorizationKey).signature);
    const before = await trellis.lamportsOf(holder.address);
    for (const entries of [[entry], [entry, entry], stamp(prepared, holder.session)]) {
      const answered = await trellis.submit(holder.address, prepared.transaction, entries);
      expect(["missing_signature", "invalid_signature"]).toContain((answered.body as { code: string }).code);
    }
    expect(await trellis.lamportsOf(holder.address)).toBe(before);
  });
});

describe("in the multiple form", () => {
  it("one bad item sends none of them", async () => {
    const [good, bad] = [await prepare(ada), await prepare(ada)];
    const before = await trellis.countTransactions(ada.address);
    const answered = await trellis.post(`/accounts/${ada.address}/submit`, {
      transactions: [good.transaction, bad.transaction],
      kms_payloads: [stamp(good, ada.session), stamp(good, ada.session)],
    });
    expectError(answered, 400, "invalid_signature");
    expect(await trellis.countTransactions(ada.address)).toBe(before);
    const swapped = await trellis.post(`/accounts/${ada.address}/submit`, {
      transactions: [good.transaction, bad.transaction],
      kms_payloads: [stamp(bad, ada.session), stamp(good, ada.session)],
    });
    expectError(swapped, 400, "invalid_signature");
  });

  it("one that fails on chain is reported with its index, and what follows is not sent", async () => {
    const holder = await trellis.openHolder({ sol: "100000000" });
    const amounts = ["90000000", "50000000", "1000000"];
    const prepared = [];
    for (const amount of amounts) prepared.push(await trellis.preparePayment(holder, { ...million, amount }));
    const answered = await trellis.post(`/accounts/${holder.address}/submit`, {
      transactions: prepared.map(({ transaction }) => transaction),
      kms_payloads: prepared.map((each) => stamp(each, holder.session)),
    });
    const data = dataOf<{
      results: { index: number }[];
      partial_failure: { failed_at_index: number; error_code: string };
    }>(answered);
    expect(data.results.map(({ index }) => index)).toEqual([0]);
    expect(data.partial_failure).toMatchObject({ failed_at_index: 1, error_code: "transaction_failed" });
    expect(await trellis.lamportsOf(holder.address)).toBe(10_000_000n);
  });
});

describe("what has expired", () => {
  it("a prepared transaction is refused, and nothing of it can be used later", async () => {
    const prepared = await prepare(ada);
    const entries = stamp(prepared, ada.session);
    const own = makeKey();
    const signers = await trellis.client.accounts.create({ type: "signers", signers: [own.address], threshold: 1 });
    await trellis.client.sandbox.airdrop({ address: signers.address, currency: "sol", amount: "100000000" });
    const bySigners = dataOf<PreparedTransfer>(await trellis.askPayment(signers as never, million));
    await trellis.client.sandbox.advanceClock(61);
    await refused(ada, prepared, entries, "payload_expired");
    expectError(await trellis.submit(signers.address, bySigners.transaction, []), 400, "blockhash_expired");
    const fresh = await prepare(ada);
    await refused(ada, fresh, entries, "invalid_signature");
  });

  it("a session is refused with the documented text, also for what was prepared in time", async () => {
    await trellis.client.sandbox.advanceClock(25 * 3_600);
    const prepared = await prepare(ada);
    const answered = await trellis.submit(ada.address, prepared.transaction, stamp(prepared, ada.session));
    expectError(answered, 401, "session_expired");
    expect((answered.body as { message: string }).message).toContain("session key is expired");
  });
});

const million = { amount: "1000000", currency: "sol", to: shop };

function authorizationKeyOf(holder: Holder): KeyObject {
  const secret = Buffer.from(holder.session.authorizationKey.privateKey);
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(secret);
  const point = pair.getPublicKey();
  return createPrivateKey({
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
      d: secret.toString("base64url"),
    },
    format: "jwk",
  });
}

function prepare(from: Holder, more: object = {}): Promise<PreparedTransfer> {
  return trellis.preparePayment(from, { ...million, more });
}

/** Requires that a submit is refused so and that nothing left the account, nor was anything spoiled for the right one. */
async function refused(holder: Holder, prepared: PreparedTransfer, entries: readonly unknown[], code: string) {
  const before = await trellis.lamportsOf(holder.address);
  expectError(await trellis.submit(holder.address, prepared.transaction, entries), 400, code);
  expect(await trellis.lamportsOf(holder.address)).toBe(before);
}

/** The one payload of it, decoded and as it is. */
function payloadOf(prepared: PreparedTransfer) {
  const [payload] = prepared.kms_payloads;
  if (!payload) throw new Error("there is no payload");
  return { text: payload.payload, document: decodePayload(payload.payload) };
}

function kmsA(signature: string): SubmitKmsPayload {
  return { provider: "kms_a", kms_signed_payload: { signature } };
}

function signDer(document: unknown, key: KeyObject): Buffer {
  return sign("sha256", Buffer.from(canonicalize(document) ?? ""), { key, dsaEncoding: "der" });
}
