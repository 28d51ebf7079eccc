import { endpoint } from "@trellis/kernel/endpoint.js";
import Type from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "../../src/adapters/log/pino-log.js";
import { type Floor, type FloorNeeds, openFloor } from "./http-fixture.js";

const lines: string[] = [];
let floor: Floor;
beforeAll(async () => {
  const logger = createLogger("debug", { write: (line) => lines.push(line) });
  floor = await openFloor({ endpoints: [verify], http: { logger } });
});
afterAll(() => floor.close());

describe("a request", () => {
  it("leaves one line: the caller, the place, the operation, the result and the duration", async () => {
    lines.length = 0;
    await call("?note=private", { otp_code: secrets.otp_code, count: 1 });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      level: "info",
      time: expect.any(String),
      event: "request_answered",
      request_id: "r-1",
      tenant: "default",
      environment: "sandbox",
      method: "POST",
      route: "/api/service/v1/things/:name/verify",
      status: 200,
      ms: expect.any(Number),
      msg: "request answered",
    });
  });

  it("leaves a line when its caller is unknown and nothing is found", async () => {
    lines.length = 0;
    await floor.app.inject({ url: "/nowhere?token=hush" });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ route: "unknown", status: 404 });
    expect(lines).toHaveLength(1);
  });

  it("leaves a line when its path is so long, or so malformed, that no route is searched", async () => {
    lines.length = 0;
    await floor.app.inject({ url: `/api/service/v1/things/${"a".repeat(300)}/verify`, method: "POST" });
    await floor.app.inject({ url: "/api/service/v1/things/%zz/verify", method: "POST" });
    const [long, malformed] = lines.map((line) => JSON.parse(line));
    expect(long).toMatchObject({ route: "unknown", status: 414, code: "uri_too_long", remote: "127.0.0.1" });
    expect(malformed).toMatchObject({ route: "unknown", status: 400, code: "invalid_request", remote: "127.0.0.1" });
    expect(lines).toHaveLength(2);
  });

  it("that is refused leaves who asked, from where, and what was answered", async () => {
    lines.length = 0;
    await call("", { otp_code: secrets.otp_code, count: "1" });
    await call("", { otp_code: secrets.otp_code, count: 1 }, "sk_test_nobodymadethis");
    const [malformed, unknown] = lines.map((line) => JSON.parse(line));
    expect(malformed).toMatchObject({
      status: 400,
      code: "invalid_request",
      key: expect.any(String),
      remote: "127.0.0.1",
    });
    expect(unknown).toMatchObject({ status: 401, code: "invalid_api_key", remote: "127.0.0.1" });
    expect(unknown).not.toHaveProperty("key");
  });

  it("leaves no secret, whatever becomes of it", async () => {
    lines.length = 0;
    await call("?api-key=query-hush", { otp_code: secrets.otp_code, count: 1 });
    await call("?fail=true", { otp_code: secrets.otp_code, count: 1 });
    await call("", { otp_code: secrets.otp_code, count: "1" });
    await call("", { otp_code: secrets.otp_code, count: 1 }, "sk_test_nobodymadethishush");
    await floor.app.inject({
      method: "POST",
      url: "/api/service/v1/things/a/verify",
      payload: `{"otp_code":"${secrets.otp_code}"`,
      headers: { authorization: `Bearer ${floor.key}`, "content-type": "application/json" },
    });
    const text = lines.join("");
    expect(text).toContain("insert failed");
    for (const secret of ["hush", secrets.otp_code, floor.key, "person@mail.example", "private"]) {
      expect(text).not.toContain(secret);
    }
  });
});

const secrets = {
  otp_code: "918273",
  refresh_token: "refresh-hush",
  token: "token-hush",
  kms_a_access_token: "access-hush",
  signature: "signature-hush",
  ciphertext: "cipher-hush",
};

const verify = endpoint(
  {
    operation: "verifyThing",
    summary: "Verify",
    tag: "Test",
    method: "POST",
    path: "/api/service/v1/things/{name}/verify",
    scope: "auth:write",
    environment: "optional",
    params: Type.Object({ name: Type.String() }),
    query: Type.Object({ fail: Type.Optional(Type.Boolean()) }),
    body: Type.Object({ otp_code: Type.String(), count: Type.Integer() }),
    response: { status: 200, envelope: true, schema: Type.Record(Type.String(), Type.String()) },
    errors: [],
  },
  async (_needs: FloorNeeds, { query, body }) => {
    if (query.fail)
      throw Object.assign(new Error("insert failed"), { parameters: [body.otp_code], detail: secrets.token });
    return { data: secrets };
  },
);

function call(search: string, payload: object, key = floor.key) {
  return floor.app.inject({
    method: "POST",
    url: `/api/service/v1/things/person@mail.example/verify${search}`,
    payload,
    headers: { authorization: `Bearer ${key}`, "x-request-id": "r-1", "x-idempotency-key": `k${lines.length}` },
  });
}
