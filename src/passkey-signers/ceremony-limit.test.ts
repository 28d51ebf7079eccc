import { limits } from "@trellis/kernel/limits.js";
import { expect, it } from "vitest";
import { createSoftPasskey } from "../../test/support/authenticator.js";
import { useConsole } from "../../test/support/console.js";
import { answerOf } from "../../test/support/passkey-signers.js";

const trellis = useConsole();

it("bounds the calls that need no key by the remote address, and no other address", async () => {
  const challenge = Buffer.alloc(32, 7);
  const body = { authenticatorResponse: answerOf(createSoftPasskey(), { challenge }) };
  const calls = [
    (headers: Record<string, string>) => trellis.ask("POST", "/passkeys/ceremony", { headers, body }),
    (headers: Record<string, string>) =>
      trellis.ask("GET", `/passkeys/ceremony?challenge=${challenge.toString("base64url")}`, { headers }),
  ];
  const codes: unknown[] = [];
  for (let i = 0; i <= limits.ceremonyCallsPerMinute; i += 1) {
    const { status } = (await calls[i % 2]?.({ "x-forwarded-for": "192.0.2.7" })) ?? {};
    codes.push(status);
  }
  expect(codes).toEqual([...Array<number>(limits.ceremonyCallsPerMinute).fill(404), 429]);
  for (const call of calls) {
    expect((await call({ "x-forwarded-for": "192.0.2.7" })).status).toBe(429);
    expect((await call({ "x-forwarded-for": "192.0.2.8" })).status).toBe(404);
  }
});
