import { randomBytes } from "node:crypto";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { join } from "node:path";
import { ed25519PublicKeyOf, signEd25519, verifyEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import { describe, expect, it } from "vitest";
import { type KeyFolder, makeKey, readKeyFolder, writePeer } from "../../src/adapters/kms/key-folder.js";
import { answerToSign, frame, requestToSign } from "../../src/custody/protocol/frame.js";
import { startTestCustodian } from "../support/custodian.js";
import { use } from "../support/use.js";

describe("a custodian's server", () => {
  it("answers who has its certificate and signs, over TLS 1.3, with an answer signed over the nonce", async () => {
    const { status, body, signature, nonce, protocol } = await send({});
    expect({ status, protocol }).toEqual({ status: 200, protocol: "TLSv1.3" });
    expect(verifyEd25519(custodian.keys.peer, answerToSign({ status, nonce, body }), signature)).toBe(true);
    expect(JSON.parse(body.toString())).toMatchObject({ name: "kms_b", identity: custodian.identity });
  });

  it("refuses in the handshake who has no certificate, or another one, also one of the same name", async () => {
    const stranger = await strangerKeys();
    for (const options of [
      { key: undefined, cert: undefined },
      { key: stranger.key, cert: stranger.certificate },
      { maxVersion: "TLSv1.2" as const },
    ]) {
      await expect(send({ options })).rejects.toMatchObject({
        code: expect.stringMatching(/SSL|TLS|ECONNRESET|EPROTO/),
      });
    }
  });

  it("takes no request that the service has not signed: by another key, for another custodian, over other bytes", async () => {
    const stranger = await strangerKeys();
    const others: readonly Partial<Sent>[] = [
      { signer: stranger },
      { recipient: ed25519PublicKeyOf(stranger.identity) },
      { signedPath: "/v1/other" },
      { signedBody: Buffer.from("{}") },
      { headers: { [frame.signatureHeader]: "" } },
      { headers: { [frame.nonceHeader]: "short" } },
      { headers: { [frame.timeHeader]: "now" } },
    ];
    for (const other of others) expect((await send(other)).status).toBe(401);
  });

  it("takes a request whose time is a minute off at most, both ways", async () => {
    for (const [offMs, status] of [
      [59_000, 200],
      [-59_000, 200],
      [61_000, 401],
      [-61_000, 401],
    ] as const) {
      expect((await send({ time: Date.now() + offMs })).status).toBe(status);
    }
  });

  it("carries out no request twice, also when it was started again in between", async () => {
    const nonce = newNonce();
    const time = Date.now();
    expect((await send({ nonce, time })).status).toBe(200);
    expect((await send({ nonce, time })).status).toBe(409);
    await custodian.stop();
    await custodian.start();
    const again = await send({ nonce, time });
    expect(again.status).toBe(409);
    expect(JSON.parse(again.body.toString()).error.code).toBe("replayed");
  });

  it("carries out a request once of two that are received at once", async () => {
    const [nonce, time] = [newNonce(), Date.now()];
    const answers = await Promise.all([send({ nonce, time }), send({ nonce, time })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("refuses bodies that are too large, are none of the operation, or are none at all", async () => {
    const path = "/v1/wallets";
    const post = (body: string | Buffer) => send({ method: "POST", path, body: Buffer.from(body) });
    expect((await post(Buffer.alloc(frame.requestBytesMax + 1))).status).toBe(413);
    for (const body of [
      "",
      "{",
      "{}",
      "[]",
      '{"owner":"a","environment":"sandbox","kind":"session","nonce":"","now":1}',
    ]) {
      expect((await post(body)).status).toBe(400);
    }
    expect((await send({ path: "/v1/nothing" })).status).toBe(404);
    expect((await send({ body: Buffer.from("{}") })).status).toBe(400);
  });
});

const custodian = use(startTestCustodian);

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
  readonly nonce: string;
  readonly time: number;
  readonly signer: KeyFolder;
  readonly recipient: Uint8Array;
  readonly signedPath: string;
  readonly signedBody: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly options: RequestOptions;
}

const newNonce = () => randomBytes(frame.nonceBytes).toString("base64url");

async function strangerKeys(): Promise<KeyFolder> {
  const folder = join(custodian.config.dataDirectory, "..", `stranger-${newNonce()}`);
  await makeKey(folder, "service");
  await writePeer(folder, custodian.keys.peerCertificate);
  return readKeyFolder(folder);
}

function send(sent: Partial<Sent>) {
  const { method = "GET", path = "/v1/identity", body = Buffer.alloc(0), nonce = newNonce(), time = Date.now() } = sent;
  const { keys } = custodian;
  const { signer = keys, recipient = ed25519PublicKeyOf(keys.peer), signedPath = path, signedBody = body } = sent;
  const signed = requestToSign({ method, path: signedPath, time: String(time), nonce, body: signedBody, recipient });
  return new Promise<{ status: number; body: Buffer; signature: Buffer; nonce: string; protocol: string | null }>(
    (resolve, reject) => {
      let protocol: string | null = null;
      const asked = httpsRequest(
        new URL(path, custodian.url),
        {
          method,
          agent: false,
          ca: keys.peerCertificate,
          key: keys.key,
          cert: keys.certificate,
          checkServerIdentity: () => undefined,
          headers: {
            "content-length": body.length,
            [frame.timeHeader]: String(time),
            [frame.nonceHeader]: nonce,
            [frame.signatureHeader]: Buffer.from(signEd25519(signer.identity, signed)).toString("base64url"),
            ...sent.headers,
          },
          ...sent.options,
        },
        (response) => {
          protocol = (response.socket as import("node:tls").TLSSocket).getProtocol();
          const parts: Buffer[] = [];
          response.on("data", (part) => parts.push(part));
          response.on("error", reject);
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              body: Buffer.concat(parts),
              signature: Buffer.from(String(response.headers[frame.signatureHeader]), "base64url"),
              nonce,
              protocol,
            }),
          );
        },
      );
      asked.on("error", reject);
      asked.end(body);
    },
  );
}
