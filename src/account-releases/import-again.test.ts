import { expect, it } from "vitest";
import { everything } from "../../test/proposals/support.js";
import { importsOf, type OpenedElsewhere } from "../../test/support/imported-accounts.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { importAccount } from "../accounts/import-account.js";
import { publishEntries } from "../audit/publish-entries.js";

const test = useTestNetwork();
const { openElsewhere, importAs, release, releaseProofOf, proofOf } = importsOf(test);

const importBy = ({ settings_address }: OpenedElsewhere, more: object = {}) =>
  test.call<{ status: string; challenge?: object }>(importAccount, { body: { settings_address, ...more } });

it("takes a wallet of the tenant's for a proof until the tenant has released the account", async () => {
  const { verified } = await test.openHolder("signs-still@example.org");
  const wallet = verified.policies.signers.find(({ provider }) => provider === "kms_a")?.address ?? "";
  const [key, account] = await openElsewhere(undefined, [{ address: wallet, permissions: everything }]);
  expect(await importBy(account)).toMatchObject({ status: "active" });
  await release(account, { proof: await releaseProofOf(key, account) });

  // Whether the log has published its entry or not.
  for (const publish of [async () => undefined, () => publishEntries(test.needs)]) {
    await publish();
    const asked = await importBy(account);
    expect(asked).toMatchObject({ status: "unproven", challenge: { message: expect.any(String) } });
  }
  const caller = await test.addTenant("next-tenant");
  await importAs(key, account, { caller });
  expect(await importBy(account)).toMatchObject({ status: "unproven" });
  const elsewhere = importBy(account, { proof: await proofOf(key, account) });
  expect(await errorOf(elsewhere)).toMatchObject({ code: "account_served_elsewhere" });

  await release(account, { proof: await releaseProofOf(key, account, { caller }) }, { caller });
  expect(await importBy(account, { proof: await proofOf(key, account) })).toMatchObject({ status: "active" });
  expect(await importBy(account)).toMatchObject({ status: "active" });
});
