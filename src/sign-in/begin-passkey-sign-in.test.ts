import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { beginPasskeySignIn } from "./begin-passkey-sign-in.js";

const test = useTestNetwork();

describe("200", () => {
  it("is another nonce each time, for the tenant's domain, and nothing is kept of it", async () => {
    const [one, other] = await Promise.all([begin(), begin()]);
    expect(one).toMatchObject({ rp_id: "localhost" });
    expect(one.nonce).not.toBe(other.nonce);
    expect(Date.parse(one.expires_at) - test.network.clock.now()).toBe(300_000);
    expect(await test.needs.db.selectFrom("passkey_sign_in").selectAll().execute()).toEqual([]);
  });
});

describe("409", () => {
  it("is the answer outside the sandbox where the tenant has set no domain", async () => {
    const network = { ...test.network, name: "mainnet" as const };
    expect((await errorOf(test.call(beginPasskeySignIn, { network }))).code).toBe("passkeys_not_configured");
  });
});

const begin = () => test.call<{ nonce: string; rp_id: string; expires_at: string }>(beginPasskeySignIn);
