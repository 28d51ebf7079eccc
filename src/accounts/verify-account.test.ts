import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClientKey, openTestNetwork, type TestNetwork } from "../../test/support/test-network.js";
import { createAccount } from "./create-account.js";
import { getAccount } from "./get-account.js";
import { verifyAccount } from "./verify-account.js";

let test: TestNetwork;
beforeAll(async () => {
  test = await openTestNetwork();
});
afterAll(() => test.close());

describe("200", () => {
  it("creates the account on chain and opens a session", async () => {
    const email = "ada@example.org";
    await test.call(createAccount, { body: { type: "email", email } });
    const code = await test.latestCode(email);
    const key = await createClientKey();
    const verified = await test.call<any>(verifyAccount, {
      body: { email, otp_code: code, kms_provider_config: { encryption_public_key: key.spki } },
    });
    console.log(JSON.stringify(verified, null, 1));
    const account = await test.call<any>(getAccount, { params: { address: verified.address } });
    console.log(account, test.logLines);
    expect(account.policies).toEqual(verified.policies);
  });
});
