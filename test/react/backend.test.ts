import { sessionTokenOf } from "@trellis/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiPath, dataOf } from "../adversarial/support.js";
import { startTestService, type TestService } from "../support/test-service.js";

type Verifier = (token: string | undefined) => Promise<{ readonly sub: string }>;
type Places = {
  readonly keysUrl: string;
  readonly issuer: string;
  readonly audience: string;
  readonly now?: () => number;
};

let trellis: TestService;
let createTokenVerifier: (places: Places) => Verifier;
let places: Places;
let token: string;
let user: string | undefined;

beforeAll(async () => {
  trellis = await startTestService();
  const example = new URL("../../examples/node-backend/verify-token.mjs", import.meta.url).href;
  ({ createTokenVerifier } = (await import(example)) as { createTokenVerifier: typeof createTokenVerifier });
  places = {
    keysUrl: `${trellis.url}/.well-known/jwks.json`,
    issuer: trellis.url.replace("127.0.0.1", "localhost"),
    audience: "default/sandbox",
  };
  const { session } = await trellis.openHolder({});
  user = session.authentication.session.KmsA?.user_id;
  const proof = { "x-session-token": sessionTokenOf(session) ?? "" };
  ({ token } = dataOf<{ token: string }>(await trellis.request("POST", `${apiPath}/auth/token`, undefined, proof)));
});
afterAll(() => trellis?.close());

describe("the example's backend", () => {
  it("believes the service who is signed in", async () => {
    expect(await createTokenVerifier(places)(token)).toMatchObject({ sub: user });
  });

  it("believes nothing else", async () => {
    const [head = "", claims = "", signature = ""] = token.split(".");
    const verify = createTokenVerifier(places);
    for (const wrong of [
      undefined,
      "",
      "a.b.c",
      `${head}.${claims}.`,
      `${head}.${base64({ ...parse(claims), sub: "somebody else" })}.${signature}`,
      `${base64({ ...parse(head), alg: "none" })}.${claims}.`,
      `${base64({ ...parse(head), alg: "HS256" })}.${claims}.${signature}`,
      `${base64({ ...parse(head), kid: "unknown" })}.${claims}.${signature}`,
    ]) {
      await expect(verify(wrong), wrong).rejects.toThrow(/Sign in first|not signed by the service/);
    }
    await expect(createTokenVerifier({ ...places, audience: "other/sandbox" })(token)).rejects.toThrow("somebody else");
    await expect(createTokenVerifier({ ...places, issuer: "https://evil.example" })(token)).rejects.toThrow(
      "somebody else",
    );
    const later = createTokenVerifier({ ...places, now: () => Date.now() + 6 * 60_000 });
    await expect(later(token)).rejects.toThrow("too old");
  });
});

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

const parse = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
