import { randomBytes } from "node:crypto";
import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { describe, expect, it } from "vitest";
import { type Asked, createSoftPasskey } from "../../../../test/support/authenticator.js";
import { parseP256Point } from "./p256.js";
import { type Assertion, readRegistration, verifyAssertion } from "./webauthn.js";

describe("an assertion", () => {
  it("is accepted by this verifier and by an independent one", async () => {
    expect(ours(passkey.assert(honest))).toEqual({ ok: true, counter: 0, isBackedUp: false });
    expect(await theirs(passkey.assert(honest))).toBe(true);
    const counted = passkey.assert({ ...honest, counter: 8 });
    expect(ours(counted, 7)).toMatchObject({ ok: true, counter: 8 });
    expect(await theirs(counted, 7)).toBe(true);
    const synced = passkey.assert({ ...honest, flags: 0x1d });
    expect(ours(synced)).toMatchObject({ ok: true, isBackedUp: true });
    expect(await theirs(synced)).toBe(true);
  });

  it.each<[string, Partial<Asked>, string]>([
    ["another challenge", { challenge: randomBytes(32) }, "challenge"],
    ["a page of another origin", { origin: "https://evil.example" }, "origin"],
    ["another domain", { rpId: "evil.example" }, "rp_id"],
    ["nobody present", { flags: 0x04 }, "user_not_present"],
    ["a user who was not verified", { flags: 0x01 }, "user_not_verified"],
    ["a backup of what cannot be backed up", { flags: 0x15 }, "malformed"],
    ["another type of answer", { clientData: { type: "webauthn.create" } }, "type"],
  ])("with %s is refused by both", async (_, change, fault) => {
    const assertion = passkey.assert({ ...honest, ...change });
    expect(ours(assertion)).toEqual({ ok: false, fault });
    expect(await theirs(assertion)).toBe(false);
  });

  it.each<[string, object, boolean]>([
    ["whose page names a top page", { crossOrigin: true, topOrigin: "https://evil.example" }, false],
    ["whose page does not", { crossOrigin: true }, true],
    ["that says it in another type", { crossOrigin: "true" }, true],
  ])(
    "from inside a foreign page's frame, %s, is refused here, whatever the other does",
    async (_, clientData, other) => {
      const assertion = passkey.assert({ ...honest, clientData });
      expect(ours(assertion)).toEqual({ ok: false, fault: "cross_origin" });
      // The one matter on which they differ: the other one makes up for browsers that name no top page.
      expect(await theirs(assertion)).toBe(other);
    },
  );

  it("that was sent twice is refused by both where its passkey counts", async () => {
    const once = passkey.assert({ ...honest, counter: 9 });
    expect([ours(once, 8).ok, await theirs(once, 8)]).toEqual([true, true]);
    expect([ours(once, 9).ok, await theirs(once, 9)]).toEqual([false, false]);
  });

  it("with a count that does not grow is refused by both, and judged behind the signature", async () => {
    const old = passkey.assert({ ...honest, counter: 7 });
    expect(ours(old, 7)).toEqual({ ok: false, fault: "counter" });
    expect(await theirs(old, 7)).toBe(false);
    const stopped = passkey.assert(honest);
    expect(ours(stopped, 7)).toEqual({ ok: false, fault: "counter" });
    const forged = { ...old, signature: createSoftPasskey().assert({ ...honest, counter: 7 }).signature };
    expect(ours(forged, 7)).toEqual({ ok: false, fault: "signature" });
  });

  it("with any single bit flipped is refused", async () => {
    const assertion = passkey.assert(honest);
    const parts = ["authenticatorData", "clientDataJson", "signature"] as const;
    for (const part of parts) {
      for (let bit = 0; bit < assertion[part].length * 8; bit += 5) {
        const bytes = Uint8Array.from(assertion[part]);
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const flipped = { ...assertion, [part]: bytes };
        expect(ours(flipped).ok, `${part} ${bit}`).toBe(false);
        // The other one reads DER whose lengths are wrong.
        if (part !== "signature") expect(await theirs(flipped), `${part} ${bit}`).toBe(false);
      }
    }
  });

  it("is refused, and never throws, where it is no assertion at all", () => {
    const assertion = passkey.assert(honest);
    for (const bytes of [
      new Uint8Array(),
      randomBytes(36),
      randomBytes(5_000),
      Buffer.from("null"),
      Buffer.from("[]"),
    ]) {
      for (const part of ["authenticatorData", "clientDataJson", "signature"] as const) {
        expect(ours({ ...assertion, [part]: bytes }).ok).toBe(false);
      }
    }
    const longer = Buffer.concat([assertion.authenticatorData, Buffer.of(0)]);
    expect(ours({ ...assertion, authenticatorData: longer })).toEqual({ ok: false, fault: "malformed" });
  });
});

describe("a registration", () => {
  it("is read as an independent reader reads it", async () => {
    const answer = passkey.register(honest);
    const read = registered(answer);
    expect(read).toMatchObject({ ok: true, passkey: { counter: 0, isSynced: false } });
    if (!read.ok) return;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id: answer.id,
        rawId: answer.id,
        type: "public-key",
        clientExtensionResults: {},
        response: { clientDataJSON: answer.clientDataJSON, attestationObject: answer.attestationObject },
      },
      expectedChallenge: Buffer.from(honest.challenge).toString("base64url"),
      expectedOrigin: honest.origin,
      expectedRPID: honest.rpId,
    });
    expect(registrationInfo?.credential.id).toBe(Buffer.from(read.passkey.credentialId).toString("base64url"));
    // COSE ends in x and y, three bytes apart.
    const cose = Buffer.from(registrationInfo?.credential.publicKey ?? []);
    const point = Buffer.concat([Buffer.of(4), cose.subarray(10, 42), cose.subarray(45)]);
    expect(Buffer.from(read.passkey.publicKey.point).equals(point)).toBe(true);
    expect(registrationInfo?.aaguid).toBe(read.passkey.aaguid);
  });

  it.each<[string, Partial<Asked>, string]>([
    ["about another challenge", { challenge: randomBytes(32) }, "challenge"],
    ["of another origin", { origin: "https://evil.example" }, "origin"],
    ["for another domain", { rpId: "evil.example" }, "rp_id"],
    ["without a verified user", { flags: 0x41 }, "user_not_verified"],
    ["without a key", { flags: 0x05 }, "malformed"],
    ["that is an assertion", { clientData: { type: "webauthn.get" } }, "type"],
  ])("%s is refused", (_, change, fault) => {
    expect(registered(passkey.register({ ...honest, ...change }))).toEqual({ ok: false, fault });
  });

  it("is refused where its key is not exactly one of ES256, or anything follows it", () => {
    const answer = passkey.register(honest);
    const bytes = Buffer.from(answer.authenticatorData, "base64url");
    const at = bytes.length - 77;
    for (const [offset, value] of [
      [4, 0x27],
      [6, 0x03],
      [0, 0xa4],
    ] as const) {
      const changed = Buffer.from(bytes);
      changed[at + offset] = value;
      expect(registered({ ...answer, authenticatorData: changed.toString("base64url") }).ok).toBe(false);
    }
    const longer = Buffer.concat([bytes, Buffer.of(0)]).toString("base64url");
    expect(registered({ ...answer, authenticatorData: longer })).toEqual({ ok: false, fault: "malformed" });
  });
});

const passkey = createSoftPasskey();
const honest: Asked = { challenge: randomBytes(32), rpId: "app.example", origin: "https://app.example" };
const relyingParty = { id: honest.rpId, allows: (origin: string) => origin === honest.origin };

function ours(assertion: Assertion, counter = 0) {
  const key = parseP256Point(passkey.point);
  if (key === undefined) throw new Error("no key");
  return verifyAssertion(assertion, { challenge: honest.challenge, relyingParty, key, counter });
}

/** Whether the other verifier accepts it. */
async function theirs(assertion: Assertion, counter = 0): Promise<boolean> {
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  const id = text(passkey.credentialId);
  const { x, y } = { x: passkey.point.subarray(1, 33), y: passkey.point.subarray(33) };
  const cose = Buffer.concat([Buffer.from("a5010203262001215820", "hex"), x, Buffer.from("225820", "hex"), y]);
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          authenticatorData: text(assertion.authenticatorData),
          clientDataJSON: text(assertion.clientDataJson),
          signature: text(assertion.signature),
        },
      },
      expectedChallenge: text(honest.challenge),
      expectedOrigin: honest.origin,
      expectedRPID: honest.rpId,
      credential: { id, publicKey: Uint8Array.from(cose), counter },
    });
    return verified;
  } catch {
    return false;
  }
}

function registered(answer: { clientDataJSON: string; authenticatorData: string }) {
  const authenticatorData = Buffer.from(answer.authenticatorData, "base64url");
  const clientDataJson = Buffer.from(answer.clientDataJSON, "base64url");
  return readRegistration({ authenticatorData, clientDataJson }, { challenge: honest.challenge, relyingParty });
}
