import { expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { breakConnection, errorOf } from "../../test/support/test-network.js";
import { getAccount } from "./get-account.js";

const test = useTestNetwork();

it("200 with what the service and the chain know", async () => {
  const { email, verified } = await test.openHolder("ada@example.org");
  const account = await test.call<Record<string, unknown>>(getAccount, { params: { address: verified.address } });
  expect(account).toMatchObject({
    address: verified.address,
    grid_user_id: verified.grid_user_id,
    status: "active",
    type: "email",
    email,
    policies: verified.policies,
  });
  expect(account.created_at).toBe(new Date(test.network.clock.now()).toISOString());
  expect(account).not.toHaveProperty("memo");
});

it("404 for an address without an account, for another tenant's, and in another environment", async () => {
  const { verified } = await test.openHolder("grace@example.org");
  const params = { address: verified.address };
  const caller = await test.addTenant("tenant-2");
  for (const parts of [
    { params: { address: "11111111111111111111111111111111" } },
    { params: { address: "not an address" } },
    { params: { address: `${verified.address}\u0000` } },
    { params, caller },
    { params, network: { ...test.network, name: "devnet" as const } },
  ]) {
    expect(await errorOf(test.call(getAccount, parts))).toMatchObject({
      status: 404,
      code: "account_not_found",
      message: "Smart account not found",
    });
  }
});

it("502 while the chain does not answer", async () => {
  const { verified } = await test.openHolder("edith@example.org");
  const network = breakConnection(test.network, () => true);
  const error = await errorOf(test.call(getAccount, { params: { address: verified.address }, network }));
  expect(error).toMatchObject({ status: 502, code: "chain_unavailable" });
});
