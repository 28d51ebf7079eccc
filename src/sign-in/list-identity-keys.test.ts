import { createHash } from "node:crypto";
import { sessionTokenOf } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { useSignedInPeople } from "../../test/support/signed-in-people.js";

const { trellis, signIn } = useSignedInPeople();

describe("200", () => {
  it("is empty before the first token, and has the key of the first one at once", async () => {
    expect(await list()).toEqual([]);
    const kid = await signWith();
    expect((await list()).map((key) => key.kid)).toEqual([kid]);
    expect(await signWith()).toBe(kid);
  });

  it("shows public halves alone, each under its thumbprint", async () => {
    await signWith();
    for (const key of await list()) {
      expect(Object.keys(key).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
      expect(key).toMatchObject({ kty: "EC", crv: "P-256", use: "sig", alg: "ES256" });
      const { x, y } = key;
      const named = JSON.stringify({ crv: "P-256", kty: "EC", x, y });
      expect(key.kid).toBe(createHash("sha256").update(named).digest("base64url"));
    }
  });

  it("needs no key, and says how long it may be remembered", async () => {
    const response = await fetch(`${trellis.url}/.well-known/jwks.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("public, max-age=300");
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  });
});

async function list(): Promise<Record<string, string>[]> {
  const response = await fetch(`${trellis.url}/.well-known/jwks.json`);
  return ((await response.json()) as { keys: Record<string, string>[] }).keys;
}

/** Has a token signed; the id of the key that did it. */
async function signWith(): Promise<string> {
  const { session } = await signIn();
  const headers = { "x-session-token": sessionTokenOf(session) ?? "" };
  const answered = await trellis.request("POST", "/api/service/v1/auth/token", undefined, headers);
  const { token } = (answered.body as { data: { token: string } }).data;
  return JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;
}
