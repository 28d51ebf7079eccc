import type { Network } from "@trellis/kernel/ports/network.js";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { beforeAll, describe, expect, it } from "vitest";
import { describeServiceKey } from "../../src/cli/list-service-keys.js";
import { findFeePayerUse } from "../../src/transactions/fee-payer-use.js";
import { openPayer, prepareIntent, submitIntent } from "../support/payments.js";
import { useTestNetwork } from "../support/scene.js";
import { errorOf, hashOf } from "../support/test-network.js";

const test = useTestNetwork();
const next = serviceKeyOf(hashOf("the next fee payer"));
/** The environment once its operator has given it another fee payer: with the former one beside it, and without. */
let rotating: Network;
let rotated: Network;
beforeAll(async () => {
  const { network } = test;
  const addresses = [next.address, network.feePayer.address];
  rotating = { ...network, feePayer: next, formerFeePayer: network.feePayer, serviceAddresses: new Set(addresses) };
  rotated = { ...network, feePayer: next, serviceAddresses: new Set([next.address]) };
  await network.sandbox?.airdrop(next.address, 10_000_000_000n);
});

describe("a fee payer that is replaced by another key", () => {
  it("pays for what was prepared for it, once, and its successor for everything else", async () => {
    const holder = await openPayer(test, "rotation@example.org");
    const before = await prepareIntent(test, holder);
    expect(await findFeePayerUse(test.needs.db, "sandbox", test.network.feePayer.address, now())).toMatchObject({
      waiting: 1,
      underWay: 0,
    });
    const old = test.network.feePayer.address;
    const heldBefore = await lamportsOf(old);
    const paid = await submitIntent(test, holder, before, rotating);
    expect(paid.transaction_signature).toBeDefined();
    expect(await submitIntent(test, holder, before, rotating)).toEqual(paid);
    expect(heldBefore - (await lamportsOf(old))).toBeGreaterThanOrEqual(5_000n);
    expect((await findFeePayerUse(test.needs.db, "sandbox", test.network.feePayer.address, now())).waiting).toBe(0);
    // The cost is in the ledger as ever.
    expect(await costsOf(before.transaction)).toEqual(["fee"]);

    const newHeld = await lamportsOf(next.address);
    const after = await prepareIntent(test, holder, {}, { network: rotating });
    await submitIntent(test, holder, after, rotating);
    expect(newHeld - (await lamportsOf(next.address))).toBeGreaterThanOrEqual(5_000n);
    expect(await costsOf(after.transaction)).toEqual(["fee"]);
  });

  it("signs nothing any more once it is taken out, and nothing that has expired", async () => {
    const holder = await openPayer(test, "late@example.org");
    const [first, second] = [await prepareIntent(test, holder), await prepareIntent(test, holder)];
    const heldBefore = await lamportsOf(test.network.feePayer.address);
    expect((await errorOf(submitIntent(test, holder, first, rotated))).code).toBe("missing_signature");
    await test.network.sandbox?.advanceClock(600);
    expect((await errorOf(submitIntent(test, holder, second, rotating))).code).toMatch(/_expired$/);
    expect(await lamportsOf(test.network.feePayer.address)).toBe(heldBefore);
  });

  it("is named by no caller's instruction, and accepts no signature that a caller brings in its name", async () => {
    const holder = await openPayer(test, "names@example.org");
    const paying = prepareIntent(
      test,
      holder,
      { destination: { address: test.network.feePayer.address, currency: "sol" } },
      { network: rotating },
    );
    expect((await errorOf(paying)).code).toBe("forbidden_account");
    const prepared = await prepareIntent(test, holder);
    const bytes = Buffer.from(prepared.transaction, "base64");
    // The place of the first signature, which is the fee payer's.
    bytes.fill(7, 1, 65);
    const forged = { ...prepared, transaction: bytes.toString("base64") };
    expect((await errorOf(submitIntent(test, holder, forged, rotating))).code).toBe("invalid_signature");
  });
});

describe("what is listed of the service's keys", () => {
  const key = { environment: "mainnet", address: next.address, lamports: 1_500_000_000n };
  it.each([
    [{ name: "fee payer" } as const, "fee payer  1.500000000 SOL"],
    [{ name: "passkey payer" } as const, "passkey payer  1.500000000 SOL"],
    [{ name: "executor", limits: 1 } as const, "executor  1.500000000 SOL  1 limit names it"],
    [
      { name: "former fee payer", use: { waiting: 2, until: 1_700_000_000_000, underWay: 1 } } as const,
      "former fee payer  1.500000000 SOL  needed for 2 prepared and not submitted, the last until 2023-11-14T22:13:20.000Z; " +
        "1 submitted and undecided, which need it no more",
    ],
    [
      { name: "former fee payer", use: { waiting: 0, until: null, underWay: 0 } } as const,
      "former fee payer  1.500000000 SOL  it can go: nothing that was prepared for it is left",
    ],
    [{ name: "former executor", limits: 0 } as const, "former executor  1.500000000 SOL  0 limits name it: it can go"],
  ])("says of %o when it can go", (role, words) => {
    expect(describeServiceKey({ ...key, role })).toBe(`mainnet  ${next.address}  ${words}`);
  });
});

const now = () => test.network.clock.now();

const lamportsOf = async (address: Network["feePayer"]["address"]): Promise<bigint> =>
  (await test.network.rpc.getBalance(address).send()).value;

/** What the ledger says that a submitted transaction cost. */
async function costsOf(transaction: string): Promise<readonly string[]> {
  const row = await test.needs.db
    .selectFrom("prepared_transaction")
    .select("id")
    .where("transaction", "=", transaction)
    .executeTakeFirstOrThrow();
  const rows = await test.needs.db
    .selectFrom("sponsored_cost")
    .select("kind")
    .where("submission_id", "=", row.id)
    .execute();
  return rows.map(({ kind }) => kind);
}
