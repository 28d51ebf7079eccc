import { describe, expect, it } from "vitest";
import { createLogger, createPinoLog, type LogLevel } from "./pino-log.js";

const event = "test_line_written";

describe("a line", () => {
  it("is JSON with level, instant, fields and message", () => {
    const { log, text } = capture();
    log.info({ event: "payment_made", tenant: "t", amount: 18446744073709551615n }, "paid");
    expect(JSON.parse(text())).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      event: "payment_made",
      tenant: "t",
      amount: "18446744073709551615",
      msg: "paid",
    });
  });

  it("of a library has a code as well", () => {
    const { logger, text } = capture();
    logger.info("Server listening at http://127.0.0.1:8080");
    logger.warn({ err: new Error("x"), event: "request_failed" }, "m");
    const [first = "", second = ""] = text().split("\n");
    expect(JSON.parse(first)).toMatchObject({ event: "library_reported", msg: expect.stringContaining("listening") });
    expect(JSON.parse(second)).toMatchObject({ event: "request_failed", msg: "m" });
  });

  it("is not written below the level", () => {
    const { log, text } = capture("warn");
    log.debug({ event }, "a");
    log.info({ event }, "b");
    log.warn({ event }, "c");
    log.error({ event }, "d");
    expect(text().match(/"msg":"."/g)).toEqual(['"msg":"c"', '"msg":"d"']);
  });
});

describe("secrets", () => {
  it.each([
    "authorization",
    "Authorization",
    "otp_code",
    "otpCode",
    "token",
    "kms_a_access_token",
    "kmsAAccessToken",
    "refresh_token",
    "signature",
    "signatures",
    "encrypted_authorization_key",
    "ciphertext",
    "api-key",
    "credential_bundle",
    "seed",
    "cookie",
  ])("under the name %s never reach a line, at any depth", (name) => {
    const { log, text } = capture();
    log.info({ event, [name]: "hush-1", a: { b: [{ [name]: { c: "hush-2" } }] }, m: new Map([[name, "hush-3"]]) }, "m");
    expect(text()).not.toContain("hush");
    expect(text()).toContain("[redacted]");
  });

  it.each([
    ["an API key in a text", { note: "key sk_test_4pXq9RtYhUjKmNbV was used" }, "4pXq9RtYhUjKmNbV"],
    ["a bearer header in a text", { note: "sent Bearer abc.def.ghi to" }, "abc.def.ghi"],
    ["a key in a query", { url: "/rpc?x=1&api-key=plain-configured-key&y=2" }, "plain-configured-key"],
    ["a password in a URL", { url: "postgres://trellis:s3cr3t@db/trellis" }, "s3cr3t"],
    ["bytes", { key: new Uint8Array([115, 51, 99]), buffer: Buffer.from("s3cr3t-bytes") }, "115"],
    ["an error's message", { err: new Error("no account for Bearer abc.def") }, "abc.def"],
    ["an error's cause", { err: new Error("x", { cause: new Error("sk_live_4pXq9RtYhUjKmNbV") }) }, "4pXq9RtY"],
    [
      "a driver's fields",
      { err: Object.assign(new Error("x"), { detail: "(otp)=(123456)", parameters: ["123456"] }) },
      "123456",
    ],
    ["an error anywhere", { deep: { error: Object.assign(new Error("x"), { query: "123456" }) } }, "123456"],
  ])("in %s never reach a line", (_where, fields, secret) => {
    const { log, timeless } = capture();
    log.error({ event, ...fields }, "m");
    expect(timeless()).not.toContain(secret);
  });

  it("are kept out of children and of the logger itself", () => {
    const { logger, text } = capture();
    logger.info({ token: "hush" }, "m");
    logger.info({ err: Object.assign(new Error("x"), { detail: "hush" }) }, "m");
    expect(text()).not.toContain("hush");
  });

  it("do not cost what is needed to find a fault", () => {
    const { log, text } = capture();
    const err = Object.assign(new TypeError("broken"), { code: "23505", cause: new Error("deeper") });
    log.error({ event, err, transaction_signature: "5xyz" }, "m");
    const line = JSON.parse(text());
    expect(line.err).toMatchObject({
      name: "TypeError",
      code: "23505",
      message: "broken",
      cause: { message: "deeper" },
    });
    expect(line.err.stack).toContain("pino-log.test");
    expect(line.transaction_signature).toBe("5xyz");
  });

  it("survive neither cycles nor size", () => {
    const { log, text } = capture();
    const cycle: Record<string, unknown> = { token: "hush", many: Array.from({ length: 10_000 }, () => "x") };
    cycle.self = cycle;
    log.info({ event, ...cycle }, "m");
    expect(text()).not.toContain("hush");
    expect(text().length).toBeLessThan(5_000);
  });
});

function capture(level: LogLevel = "debug") {
  const lines: string[] = [];
  const logger = createLogger(level, { write: (line) => lines.push(line) });
  const text = () => lines.join("");
  return { log: createPinoLog(logger), logger, text, timeless: () => text().replace(/"time":"[^"]*",/g, "") };
}
