import { limits } from "@trellis/kernel/limits.js";
import { type SignedInAccount, sessionTokenOf } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { useSignedInPeople } from "../../test/support/signed-in-people.js";

const { trellis, clientOf, pageOf, signIn } = useSignedInPeople();

describe("200", () => {
  it("tells an application's backend who is signed in, by a token that the published keys verify", async () => {
    const ada = await signIn();
    const { token, expires_at } = await pageOf(ada).auth.identityToken();
    expect(await verify(token)).toBe(true);
    const { iss, aud, sub, iat, exp } = claimsOf(token);
    expect({ iss, aud, sub }).toEqual({
      iss: trellis.url.replace("127.0.0.1", "localhost"),
      aud: "default/sandbox",
      sub: ada.userId,
    });
    expect(exp - iat).toBe(limits.identityTokenMs / 1000);
    expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(60);
    expect(new Date(exp * 1000).toISOString()).toBe(expires_at);
  });

  it("verifies for nobody else: an altered claim breaks the signature", async () => {
    const { token } = await pageOf(await signIn()).auth.identityToken();
    const [head, , signature] = token.split(".");
    const claims = Buffer.from(JSON.stringify({ ...claimsOf(token), sub: "eve" })).toString("base64url");
    expect(await verify([head, claims, signature].join("."))).toBe(false);
  });

  it("is for holders of a session with a secret key as well", async () => {
    const ada = await signIn();
    const { token } = await clientOf({ sessionToken: () => sessionTokenOf(ada.session) }).auth.identityToken();
    expect(claimsOf(token).sub).toBe(ada.userId);
  });

  it("lives no longer than the session that it speaks of", async () => {
    const ada = await signIn();
    await trellis.client.sandbox.advanceClock(86_400 - 120);
    const { token } = await pageOf(ada).auth.identityToken();
    const { iat, exp } = claimsOf(token);
    expect(exp - iat).toBeGreaterThan(0);
    expect(exp - iat).toBeLessThanOrEqual(121);
  });
});

describe("401", () => {
  it("without a session, whatever the key", async () => {
    expect(await ask()).toEqual([401, "session_required"]);
  });

  it("for a token that is no session's", async () => {
    for (const token of ["nonsense", "A".repeat(43)]) expect(await ask(token)).toEqual([401, "invalid_session"]);
  });

  it("for a session that has ended", async () => {
    const ada = await signIn();
    await trellis.client.sessions.endAll(ada.account);
    expect(await ask(tokenOf(ada))).toEqual([401, "invalid_session"]);
  });

  it("for a session whose life is over", async () => {
    const ada = await signIn();
    expect(await ask(tokenOf(ada))).toEqual([200, undefined]);
    await trellis.client.sandbox.advanceClock(86_401);
    expect(await ask(tokenOf(ada))).toEqual([401, "invalid_session"]);
  });
});

const tokenOf = ({ session }: SignedInAccount) => sessionTokenOf(session) ?? "";

/** Status and code of the answer to a secret key, with a session's token or without. */
async function ask(token?: string) {
  const headers: Record<string, string> = token === undefined ? {} : { "x-session-token": token };
  const answered = await trellis.request("POST", "/api/service/v1/auth/token", undefined, headers);
  return [answered.status, (answered.body as { code?: string }).code];
}

const parse = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString());

const claimsOf = (token: string): { iss: string; aud: string; sub: string; iat: number; exp: number } =>
  parse(token.split(".")[1]);

/** As a backend does that knows the address of the keys alone. */
async function verify(token: string): Promise<boolean> {
  const [head = "", claims = "", signature = ""] = token.split(".");
  const { alg, kid } = parse(head) as { alg: string; kid: string };
  expect(alg).toBe("ES256");
  const response = await fetch(`${trellis.url}/.well-known/jwks.json`);
  const { keys } = (await response.json()) as { keys: (JsonWebKey & { kid: string })[] };
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const jwk = keys.find((key) => key.kid === kid) ?? {};
  const publicKey = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["verify"]);
  const signed = new TextEncoder().encode(`${head}.${claims}`);
  return crypto.subtle.verify(algorithm, publicKey, Buffer.from(signature, "base64url"), signed);
}
