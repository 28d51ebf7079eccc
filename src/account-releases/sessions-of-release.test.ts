import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { everything } from "../../test/proposals/support.js";
import { importsOf, type OpenedElsewhere } from "../../test/support/imported-accounts.js";
import { useTestNetwork } from "../../test/support/scene.js";
import type { Verified } from "../../test/support/test-network.js";
import { arrive, importsOf as walletImportsOf } from "../../test/support/wallet-imports.js";
import { getAccount } from "../accounts/get-account.js";

const test = useTestNetwork();
const { openImported, release, releaseProofOf, forget } = importsOf(test);

// A session stands at its owner's first wallet, and commands the others of that owner.
describe("the sessions that a release ends", () => {
  it("are those that command a key that its owner has imported", async () => {
    const { key, account, verified } = await openWithImportedWallet("imported-only@example.org");
    await release(account, { proof: await releaseProofOf(key, account) });
    expect(await endsOf(verified)).toEqual(["ended_by_tenant"]);
  });

  it("are those that command a wallet in the first one's place", async () => {
    const { verified } = await test.openHolder("replaced-only@example.org");
    const second = await walletOf(verified, 2);
    await forget(verified.address);
    const [key, account] = await openImported([mayWallet(second)]);
    await release(account, { proof: await releaseProofOf(key, account) });
    expect(await endsOf(verified)).toEqual(["ended_by_tenant"]);
  });

  it("are none of an owner whose other wallet signs for another account", async () => {
    const { verified } = await test.openHolder("two-wallets@example.org");
    const [first, second] = [await walletOf(verified, 1), await walletOf(verified, 2)];
    await forget(verified.address);
    const [key, account] = await openImported([mayWallet(first)]);
    const [otherKey, other] = await openImported([mayWallet(second)]);
    await release(account, { proof: await releaseProofOf(key, account) });
    expect(await endsOf(verified)).toEqual([null]);
    await release(other, { proof: await releaseProofOf(otherKey, other) });
    expect(await endsOf(verified)).toEqual(["ended_by_tenant"]);
  });

  it("are none of an owner whose first wallet signs for another account", async () => {
    const { key, account, verified } = await openWithImportedWallet("imported-beside@example.org");
    await openImported([mayWallet(await walletOf(verified, 1))]);
    await release(account, { proof: await releaseProofOf(key, account) });
    expect(await endsOf(verified)).toEqual([null]);
  });
});

const mayWallet = (address: string) => ({ address, permissions: everything });

/** An account whose one signer is a key of its owner's, which a custodian here holds beside the owner's first wallet. */
async function openWithImportedWallet(email: string) {
  const arrival = await arrive(test, email);
  await walletImportsOf(test, arrival).all();
  const { verified, address } = arrival.holder;
  const { settings_address } = await test.call<OpenedElsewhere>(getAccount, { params: { address } });
  return { key: arrival.key, account: { address, settings_address }, verified };
}

/** A wallet of the user: the first one, or one in its place, which is made now. */
async function walletOf({ grid_user_id: ownerId }: Verified, number: number): Promise<string> {
  const custodian = test.needs.custodians.get("kms_a");
  const wallet = await custodian?.ensureWallet({
    ownerId,
    environment: "sandbox",
    now: test.network.clock.now(),
    number,
  });
  return wallet?.address ?? "";
}

/** How the sessions of a user have ended; null: they have not. */
async function endsOf({ grid_user_id: userId }: Verified): Promise<readonly (string | null)[]> {
  const { rows } = await sql<{ end_reason: string | null }>`select distinct end_reason from session_chain
    join session on session.chain_id = session_chain.id where session.user_id = ${userId}`.execute(test.needs.db);
  return rows.map(({ end_reason }) => end_reason);
}
