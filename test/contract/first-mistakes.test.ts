import { generateKeyPairSigner } from "@solana/kit";
import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../src/endpoints.js";
import { use } from "../support/scene.js";
import { startTestService } from "../support/test-service.js";
import { renderTestDocument } from "../support/test-site.js";

const base = "/api/service/v1";
const nowhere = "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10";
let signer: string;
let account: string;
let path: string;
const trellis = use(async () => startTestService({}, { site: await renderTestDocument(endpoints) }));
beforeAll(async () => {
  signer = (await generateKeyPairSigner()).address;
  const created = await trellis.request("POST", `${base}/accounts`, {
    type: "signers",
    signers: [signer, (await generateKeyPairSigner()).address],
    threshold: 1,
  });
  account = (created.body as { data: { address: string } }).data.address;
  path = `${base}/accounts/${account}`;
});

describe("a caller's first mistakes are answered with what to do", () => {
  it("with a change of settings of which there is none, or of which something is missing", async () => {
    const propose = (action: object) =>
      refusal("POST", `${path}/proposals`, { type: "settings", signer, actions: [action] });
    expect((await propose({ type: "AddMember" })).message).toMatch(/^actions\.0\.type must be one of "AddSigner", /);
    expect((await propose({ type: "SetTimeLock" })).message).toBe("actions.0.newTimeLock is required.");
    expect((await propose({ AddSigner: {} })).message).toBe("actions.0.AddSigner.newSigner is required.");
  });

  it("with a query parameter, called by its name however often it stands there", async () => {
    const { message, details } = await refusal("GET", `${path}/proposals?status=Active&status=open`);
    expect(details[0]?.field).toBe("status");
    expect(message).toMatch(/^The query parameter status must be one of "Active"/);
  });

  it("with a body that is no JSON: where, and not what", async () => {
    const headers = { "content-type": "application/json" };
    const { message, code } = await refusal(
      "POST",
      `${base}/accounts`,
      '{\n  "type": "email",\n  "email": "hush",}',
      headers,
    );
    expect([code, message]).toEqual(["malformed_json", "The request body is not valid JSON: see line 3, column 19."]);
    const ended = await refusal("POST", `${base}/accounts`, '{"type":', headers);
    expect(ended.message).toBe("The request body is not valid JSON: it ends too early.");
    const large = await refusal("POST", `${base}/accounts`, JSON.stringify({ type: "x".repeat(300_000) }), headers);
    expect(large.message).toBe("The request body is larger than the 256 KiB that are accepted.");
  });

  it.each<[string, string, () => string, unknown, string | undefined, RegExp]>([
    ["a type of events", "GET", () => `${base}/events?type=proposal.done`, undefined, "type", /: proposal\.created, /],
    [
      "a filter of events",
      "POST",
      () => `${base}/webhook-endpoints`,
      { url: "https://example.org/hooks", types: ["proposal.*", "payment"] },
      "types.1",
      /: account\.created, /,
    ],
    [
      "a mint",
      "POST",
      () => `${path}/spending-limit`,
      {
        amount: "1",
        mint: "usd",
        period: "day",
        spending_limit_signers: ["7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"],
      },
      "mint",
      /: sol, usdc/,
    ],
    ["an account", "GET", () => `${base}/accounts/${signer}`, undefined, undefined, /by its own address/],
    [
      "an address of nobody",
      "POST",
      () => `${base}/auth`,
      { email: "nobody@example.org" },
      undefined,
      /POST .*\/accounts/,
    ],
    ["a path", "GET", () => "/graphql", undefined, undefined, /\/openapi\.json/],
  ])("with what is to be named: %s", async (_what, method, at, body, field, suggestion) => {
    const { details, code } = await refusal(method, at(), body);
    expect(details[0]?.suggestion).toMatch(suggestion);
    expect(details[0]?.field).toBe(field);
    expect(details[0]?.documentation).toBe(`/docs/errors#${code}`);
  });

  it("with an amount that has a point", async () => {
    const { code, details } = await refusal("POST", `${base}/sandbox/airdrop`, { address: account, amount: "1.5" });
    expect(code).toBe("invalid_amount");
    expect(details[0]?.suggestion).toContain("without a point");
  });

  it("with the code of one purpose at the other's path, or a code that is used", async () => {
    const email = "ada@example.org";
    const { publicKeySpkiBase64 } = await import("@trellis/sdk").then((sdk) => sdk.generateEncryptionKeyPair());
    const kms_provider_config = { encryption_public_key: publicKeySpkiBase64 };
    await trellis.client.accounts.create({ type: "email", email });
    const otp_code = (await trellis.client.sandbox.outbox(email))[0]?.otp_code ?? "";
    await trellis.client.accounts.verify({ email, otp_code, kms_provider_config });
    const again = () => refusal("POST", `${base}/accounts/verify`, { email, otp_code, kms_provider_config });
    expect((await again()).details[0]?.suggestion).toContain("was used");
    await trellis.client.auth.start({ email });
    expect((await again()).details[0]?.suggestion).toContain("POST /api/service/v1/auth/verify");
    const never = { email: "never@example.org", otp_code: "123456", kms_provider_config };
    expect((await refusal("POST", `${base}/auth/verify`, never)).details[0]?.suggestion).toContain(
      "code was requested",
    );
  });
});

describe("the document", () => {
  it("has no example of a request that is refused for its form", async () => {
    const document = (await trellis.request("GET", "/openapi.json")).body as {
      paths: Record<string, Record<string, { requestBody?: { content: Record<string, { example: unknown }> } }>>;
    };
    const refused: unknown[] = [];
    for (const [template, methods] of Object.entries(document.paths)) {
      for (const [method, { requestBody }] of Object.entries(methods)) {
        const example = requestBody?.content["application/json"]?.example;
        // Faults would disturb the others; a page's key has to be one that the tenant has.
        if (example === undefined || /\/(faults|treasury-page)$/.test(template)) continue;
        const at = template
          .replace(/\{(smart_account_)?address\}/, account)
          .replace(/\{[a-z_]*address\}/, signer)
          .replace(/\{[a-z_]*id\}/, nowhere);
        const body = JSON.stringify(example).replaceAll("9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", account);
        const answer = await trellis.request(method.toUpperCase(), at, JSON.parse(body));
        const { code, message } = answer.body as Partial<Refusal>;
        if (code === "invalid_request" || code === "invalid_policies" || code === "invalid_address") {
          refused.push([method, template, message]);
        }
      }
    }
    expect(refused).toEqual([]);
  });
});

interface Refusal {
  readonly message: string;
  readonly code: string;
  readonly details: readonly {
    readonly field?: string;
    readonly suggestion?: string;
    readonly documentation?: string;
  }[];
}

async function refusal(method: string, at: string, body?: unknown, headers?: Record<string, string>): Promise<Refusal> {
  const answer = await trellis.request(method, at, body, headers);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  return answer.body as Refusal;
}
