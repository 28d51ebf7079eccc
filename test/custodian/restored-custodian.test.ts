import { expect, it } from "vitest";
import { allowStamped, startTestCustodian } from "../support/custodian.js";
import { use } from "../support/use.js";

const custodian = use(() => startTestCustodian({ policy: allowStamped }));
const now = Date.UTC(2026, 0, 15, 12);
const rp = { id: "localhost", origins: ["http://localhost:3000"] };

it("has session wallets again that were made since its database was copied, and no guarded one", async () => {
  const session = { owner: "ada", environment: "devnet", kind: "session", nonce: "ab".repeat(32), now } as const;
  const guarded = { ...session, owner: "grace", kind: "guarded", rp } as const;
  const ask = (asked: typeof session | typeof guarded) => custodian.clientWith().ask("ensureWallet", {}, asked);
  const made = { session: (await ask(session)).wallet, guarded: (await ask(guarded)).wallet };
  await custodian.stop();
  await custodian.inDatabase(async (db) => {
    const rows = await db.selectFrom("kms_wallet").select(["id", "secret", "generation"]).execute();
    expect(rows.find(({ id }) => id === made.session.wallet_id)).toMatchObject({ secret: null, generation: 1 });
    // The one who enrols first commands a guarded wallet: so its key must not come back without its passkeys.
    expect(rows.find(({ id }) => id === made.guarded.wallet_id)).toMatchObject({ generation: null });
    for (const table of ["kms_wallet", "custodian_wallet"] as const) await db.deleteFrom(table).execute();
  });
  await custodian.start();
  expect((await ask(session)).wallet).toMatchObject({
    wallet_id: made.session.wallet_id,
    address: made.session.address,
  });
  const anew = (await ask(guarded)).wallet;
  expect(anew.wallet_id).not.toBe(made.guarded.wallet_id);
  expect(anew.address).not.toBe(made.guarded.address);
});
