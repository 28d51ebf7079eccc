import { describe, expect, it } from "vitest";
import { newKey } from "../../test/proposals/support.js";
import { importsOf, type OpenedElsewhere } from "../../test/support/imported-accounts.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";

const test = useTestNetwork();
const { create, openImported, importAs, release, releaseProofOf } = importsOf(test);

/** As an account of before imports were noted. */
const makeOld = ({ address }: OpenedElsewhere) =>
  test.needs.db.updateTable("account").set({ number: 0n, imported_at: null }).where("address", "=", address).execute();

describe("an account that is older than what is noted of imports", () => {
  it("is released where nothing says that it was created here, and is another one once it is imported again", async () => {
    const [key, account] = await openImported();
    await makeOld(account);
    const proof = await releaseProofOf(key, account);
    expect(await release(account, { proof })).toMatchObject({ status: "released" });
    await importAs(key, account);
    expect(await errorOf(release(account, { proof }))).toMatchObject({ code: "invalid_release_proof" });
  });

  it("is not released where it was created here", async () => {
    const made = await create([newKey()]);
    const { verified } = await test.openHolder("old@example.org");
    for (const account of [made, verified as unknown as OpenedElsewhere]) {
      await makeOld(account);
      expect(await errorOf(release(account))).toMatchObject({ status: 409, code: "account_not_releasable" });
    }
  });

  it("is another case than one that was created since, whose creation is not kept any more", async () => {
    const made = await create([newKey()]);
    await test.needs.db.deleteFrom("account_creation").where("account_address", "=", made.address).execute();
    expect(await errorOf(release(made))).toMatchObject({ code: "account_not_releasable" });
  });
});
