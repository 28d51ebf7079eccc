import { expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { createAccount } from "../accounts/create-account.js";
import { readOutbox } from "./sandbox-outbox.js";

const test = useTestNetwork();

it("shows the tenant's own mail, newest first, with the code each carries", async () => {
  await request("ada@example.org");
  await test.network.sandbox?.advanceClock(1);
  await request("grace@example.org");
  await test.network.sandbox?.advanceClock(1);
  await request("ada@example.org");
  const all = await read();
  expect(all.map(({ to }) => to)).toEqual(["ada@example.org", "grace@example.org", "ada@example.org"]);
  for (const { subject, text, html, otp_code } of all) {
    for (const part of [subject, text, html]) expect(part).toContain(otp_code);
  }
  const ofAda = await read({ query: { email: "ADA@example.org" } });
  expect(ofAda).toEqual([all[0], all[2]]);
  expect(await read({ query: { email: "nobody@example.org" } })).toEqual([]);
  expect(await read({ caller: await test.addTenant("tenant-2") })).toEqual([]);
});

it("refuses an address that is none", async () => {
  expect((await errorOf(read({ query: { email: "ada" } }))).code).toBe("invalid_email");
});

interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  otp_code: string;
  created_at: string;
}

const request = (email: string) => test.call(createAccount, { body: { type: "email", email } });

const read = (parts: object = {}) => test.call<Mail[]>(readOutbox, parts);
