import { randomBytes } from "node:crypto";
import { limits } from "@trellis/kernel/limits.js";
import { type Deposit, type PartnerRef, PartnerUnavailable, type Rails } from "@trellis/kernel/ports/rails.js";
import { expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { foldDeposits } from "./deposit-store.js";
import { followRails, settleRails } from "./follow-rails.js";
import { requestVirtualAccount } from "./request-virtual-account.js";
import { recordVerification } from "./verification-store.js";
import { refreshVerification } from "./verifications.js";
import { isOpened, readVirtualAccountRow } from "./virtual-account-store.js";
import { virtualAccountKind } from "./virtual-accounts.js";

const test = useTestNetwork();
const honest = () => {
  const found = test.needs.rails.get("sandbox");
  if (found?.simulator === undefined) throw new Error("the sandbox has no partner");
  return { ...found, simulator: found.simulator };
};
/** The same partner, some of whose calls go otherwise. */
const bent = (partner: Partial<Rails["partner"]>) => ({
  rails: new Map([["sandbox" as const, { ...honest(), partner: { ...honest().partner, ...partner } }]]),
});

it("an opening whose answer is lost is one opening, and a pass completes it without a repetition", async () => {
  const { partner } = honest();
  const address = await approve();
  const lost = bent({
    openVirtualAccount: async (asked) => {
      await partner.openVirtualAccount(asked);
      return away();
    },
  });
  expect((await errorOf(request(address, lost))).code).toBe("partner_unavailable");
  expect((await errorOf(request(address, lost))).code).toBe("partner_unavailable");
  expect([await openedAtPartner(address), (await rowsOf(address))[0]?.partner_ref]).toEqual([1, null]);
  test.needs.realClock.advance(limits.railLeaseMs + 1);
  await followRails(test.needs, test.network);
  const [row] = await rowsOf(address);
  expect([await openedAtPartner(address), row?.status]).toEqual([1, "activated"]);
});

it("a partner that was down for a day is asked what there is before it is asked anew", async () => {
  const { partner } = honest();
  for (const wasHeard of [true, false]) {
    const address = await approve();
    const down = bent({
      openVirtualAccount: async (asked) => {
        if (wasHeard) await partner.openVirtualAccount(asked);
        return away();
      },
    });
    expect((await errorOf(request(address, down))).code).toBe("partner_unavailable");
    const [before] = await rowsOf(address);
    test.needs.realClock.advance(limits.partnerKeyMs + 1);
    const opened = await request(address);
    const [after] = await rowsOf(address);
    expect([opened.id, await openedAtPartner(address)]).toEqual([before?.id, 1]);
    expect(after?.operation_key === before?.operation_key).toBe(wasHeard);
  }
});

it("bank details of anything else than this account are never kept", async () => {
  const { partner } = honest();
  const address = await approve();
  const lying = bent({
    openVirtualAccount: async (asked) => {
      const answer = await partner.openVirtualAccount(asked);
      if (!answer.ok) return answer;
      const { value } = answer;
      return { ok: true, value: { ...value, destination: { ...value.destination, address: "somebody else" } } };
    },
  });
  expect((await errorOf(request(address, lying))).code).toBe("partner_refused");
  expect(await rowsOf(address)).toEqual([]);

  const { id } = await request(address);
  const diverted = bent({
    readVirtualAccount: async (asked, signal) => {
      const answer = await partner.readVirtualAccount(asked, signal);
      if (!answer.ok) return answer;
      const { value } = answer;
      return { ok: true, value: { ...value, destination: { ...value.destination, address: "somebody else" } } };
    },
  });
  test.needs.realClock.advance(2 * limits.partnerKeyMs);
  await followRails({ ...test.needs, ...diverted }, test.network);
  expect((await readVirtualAccountRow(test.needs.db, id))?.status).toBe("deactivated");
});

it("a deposit's state only rises under late, repeated and unordered reports, and a payment on chain stands for one", async () => {
  const address = await approve();
  const { id } = await request(address);
  const row = await readVirtualAccountRow(test.needs.db, id);
  if (row === undefined || !isOpened(row)) throw new Error("it was opened");
  const signature = await test.network.sandbox?.mintTo(address as never, row.mint as never, 5_000_000n);
  const report = (ref: string, state: Deposit["state"], more: Partial<Deposit> = {}): Deposit => ({
    ref: ref as PartnerRef,
    account: row.partner_ref as PartnerRef,
    state,
    amount: "5.00",
    currency: "usd",
    fees: null,
    senderName: null,
    rail: "wire",
    signature: null,
    at: test.network.clock.now(),
    ...more,
  });
  const stateOf = async (ref: string) =>
    (
      await test.needs.db
        .selectFrom("rail_deposit")
        .select("state")
        .where("virtual_account_id", "=", id)
        .where("partner_ref", "=", ref)
        .executeTakeFirst()
    )?.state;
  const story = ["processed", "received", "submitted", "not_credited", "refunded", "processed", "in_review"] as const;
  const seen = [];
  for (const state of story) {
    await foldDeposits(test.needs, test.network, row, [report("one", state), report("one", "scheduled")]);
    seen.push(await stateOf("one"));
  }
  expect(seen).toEqual(["processed", "processed", "processed", "processed", "refunded", "refunded", "refunded"]);
  const events = await test.needs.db
    .selectFrom("event")
    .select(["type", "previous_status"])
    .where("type", "like", "deposit.%")
    .orderBy("sequence")
    .execute();
  expect(events).toEqual([
    { type: "deposit.created", previous_status: null },
    { type: "deposit.updated", previous_status: "processed" },
  ]);

  const paid = { signature: signature ?? "" };
  await foldDeposits(test.needs, test.network, row, [
    report("two", "processed", paid),
    report("three", "processed", paid),
  ]);
  const { settings_address: settingsAddress, number } = await test.needs.db
    .selectFrom("account")
    .select(["settings_address", "number"])
    .where("address", "=", address)
    .executeTakeFirstOrThrow();
  const account = { environment: "sandbox", address, settingsAddress, number } as never;
  await test.needs.historyRefreshes.refresh(test.network, account);
  const credited = await test.needs.db
    .selectFrom("rail_deposit")
    .select(["received"])
    .where("virtual_account_id", "=", id)
    .where("confirmed_at", "is not", null)
    .execute();
  expect(credited).toEqual([{ received: "5000000" }]);
});

it("a deposit that was paid when its partner died is paid once", async () => {
  const address = await approve();
  const { id } = await request(address);
  const row = await readVirtualAccountRow(test.needs.db, id);
  const { simulator } = honest();
  await simulator.deposit(row?.partner_ref as PartnerRef, "10.00");
  await simulator.play();
  const paid = await test.needs.db
    .selectFrom("simulated_deposit")
    .selectAll()
    .where("account_ref", "=", row?.partner_ref ?? "")
    .executeTakeFirstOrThrow();
  // As it was when the payment had gone out and nothing of it was written down but the intention.
  await test.needs.db
    .updateTable("simulated_deposit")
    .set({ step: 1, state: "received", signature: null, due_at: paid.created_at })
    .where("ref", "=", paid.ref)
    .execute();
  test.needs.realClock.advance(120_000);
  await Promise.all([simulator.play(), simulator.play()]);
  const again = await test.needs.db
    .selectFrom("simulated_deposit")
    .selectAll()
    .where("ref", "=", paid.ref)
    .executeTakeFirstOrThrow();
  expect([again.state, again.signature]).toEqual(["processed", paid.signature]);
});

const refresh = (id: string, partner: Partial<Rails["partner"]> = {}) =>
  virtualAccountKind.poll(
    { ...test.needs, ...bent(partner) },
    test.network,
    bent(partner).rails.get("sandbox") as Rails,
    id,
  );
const eventsOf = async (id: string) =>
  (
    await test.needs.db
      .selectFrom("event")
      .select(["type", "previous_status", "data"])
      .where("object_id", "=", id)
      .orderBy("sequence")
      .execute()
  ).map(({ type, previous_status, data }) => [type, previous_status, JSON.parse(data).status, JSON.parse(data).last_4]);
const reportDeposit = (row: { partner_ref: string | null }, ref: string, state: Deposit["state"]): Deposit => ({
  ref: ref as PartnerRef,
  account: row.partner_ref as PartnerRef,
  state,
  amount: "5.00",
  currency: "usd",
  fees: null,
  senderName: null,
  rail: "wire",
  signature: null,
  at: test.network.clock.now(),
});

it("what the partner no longer knows is not returned as usable, its money is followed, and it can return", async () => {
  const address = await approve();
  const { id } = await request(address);
  const row = await readVirtualAccountRow(test.needs.db, id);
  if (row === undefined || !isOpened(row)) throw new Error("it was opened");
  await foldDeposits(test.needs, test.network, row, [reportDeposit(row, "moving", "received")]);
  const listDeposits: Rails["partner"]["listDeposits"] = async () => ({
    ok: true,
    value: { deposits: [reportDeposit(row, "moving", "refunded")], next: null },
  });
  const refusing = (reason: "not_found" | "not_enabled") => ({
    readVirtualAccount: async () => ({ ok: false as const, refused: { reason, forOperator: "no" } }),
    listDeposits,
  });
  const owner = { tenantId: test.caller.tenantId, environment: "sandbox", address };
  expect(await virtualAccountKind.isMoving?.(test.needs.db, owner, test.network.clock.now())).toBe(true);
  await refresh(id, refusing("not_enabled"));
  expect((await readVirtualAccountRow(test.needs.db, id))?.status).toBe("activated");
  expect(await virtualAccountKind.isMoving?.(test.needs.db, owner, test.network.clock.now())).toBe(false);
  for (let twice = 0; twice < 2; twice += 1) await refresh(id, refusing("not_found"));
  const after = await readVirtualAccountRow(test.needs.db, id);
  expect([after?.status, after?.last4]).toEqual(["deactivated", row.last4]);
  await refresh(id);
  expect(await eventsOf(id)).toEqual([
    ["virtual_account.created", null, "activated", row.last4],
    ["virtual_account.updated", "activated", "deactivated", row.last4],
    ["virtual_account.updated", "deactivated", "activated", row.last4],
  ]);
});

it("changed bank details are reported, and the same ones in another order are not", async () => {
  const { partner } = honest();
  const address = await approve();
  const { id } = await request(address);
  const before = await readVirtualAccountRow(test.needs.db, id);
  const reporting = (change: (instructions: Readonly<Record<string, string>>) => Record<string, string>) => ({
    readVirtualAccount: async (...asked: Parameters<typeof partner.readVirtualAccount>) => {
      const answer = await partner.readVirtualAccount(...asked);
      if (!answer.ok) return answer;
      return { ok: true as const, value: { ...answer.value, instructions: change(answer.value.instructions) } };
    },
  });
  await refresh(
    id,
    reporting((known) => Object.fromEntries(Object.entries(known).reverse())),
  );
  expect(await eventsOf(id)).toHaveLength(1);
  const moved = reporting((known) => ({ ...known, bank_account_number: "900000004321" }));
  for (let twice = 0; twice < 2; twice += 1) await refresh(id, moved);
  expect((await eventsOf(id)).slice(1)).toEqual([["virtual_account.updated", "activated", "activated", "4321"]]);
  const after = await readVirtualAccountRow(test.needs.db, id);
  expect(Number(after?.updated_at)).toBeGreaterThan(Number(before?.updated_at));
  // The same last digits, at the same time.
  const again = reporting((known) => ({ ...known, bank_account_number: "800000004321" }));
  for (let twice = 0; twice < 2; twice += 1) await refresh(id, again);
  expect((await eventsOf(id)).slice(2)).toEqual([["virtual_account.updated", "activated", "activated", "4321"]]);
});

it("deposits beyond one read, a page that does not arrive, or one that makes no sense are read later", async () => {
  const address = await approve();
  const { id } = await request(address);
  const row = await readVirtualAccountRow(test.needs.db, id);
  if (row === undefined || !isOpened(row)) throw new Error("it was opened");
  let all: Deposit[][] = [];
  const fill = (pages: number, name: string) =>
    Array.from({ length: pages }, (_, nr) => [reportDeposit(row, `${name}-${nr}`, "received")]);
  let asked: number[] = [];
  let slowMs = 0;
  let trouble: { at: number; how: "refused" | "away" } | undefined;
  const listDeposits: Rails["partner"]["listDeposits"] = async ({ after }) => {
    // As lists go: behind an item, wherever that is by now.
    const at = after === null ? 0 : all.findIndex((page) => page.at(-1)?.ref === after) + 1;
    asked.push(at);
    test.needs.realClock.advance(slowMs);
    if (trouble?.at === at && trouble.how === "away") return away();
    if (trouble?.at === at) return { ok: false, refused: { reason: "not_enabled", forOperator: "no" } };
    const deposits = all[at] ?? [];
    return { ok: true, value: { deposits, next: all[at + 1] === undefined ? null : (deposits.at(-1)?.ref ?? null) } };
  };
  const known = async () =>
    new Set(
      (
        await test.needs.db
          .selectFrom("rail_deposit")
          .select("partner_ref")
          .where("virtual_account_id", "=", id)
          .execute()
      ).map(({ partner_ref }) => partner_ref),
    );
  const read = async () => {
    asked = [];
    await refresh(id, { listDeposits }).catch((error: unknown) => {
      if (!(error instanceof PartnerUnavailable)) throw error;
    });
    return [asked[0], asked.at(-1), asked.length, (await known()).size];
  };

  all = fill(130, "first");
  expect(await read()).toEqual([0, 99, 100, 100]);
  // More came meanwhile, and then nothing is left over.
  all = [...fill(2, "second"), ...all];
  expect(await read()).toEqual([0, 131, 33, 132]);
  expect(await read()).toEqual([0, 0, 1, 132]);

  for (const how of ["refused", "away"] as const) {
    const before = all.length;
    all = [...fill(5, how), ...all];
    trouble = { at: 3, how };
    expect(await read()).toEqual([0, 3, 4, before + 3]);
    expect((await read()).at(-1)).toBe(before + 3);
    trouble = undefined;
    for (let refreshes = 0; refreshes < 3; refreshes += 1) await read();
    expect((await known()).size).toBe(before + 5);
  }

  const before = all.length;
  const senseless = { ...reportDeposit(row, "senseless", "received"), amount: "-1" };
  // No index takes such a name.
  const endless = reportDeposit(row, randomBytes(9_000).toString("hex"), "received");
  all = [[senseless], [endless, reportDeposit(row, "beside", "received")], ...all];
  await read();
  expect((await known()).size).toBe(before + 1);

  // A slow partner is read for so long, and no longer.
  slowMs = limits.partnerCallMs - 1;
  all = [...fill(10, "slow"), ...all];
  const begun = test.needs.realClock.now();
  const [, , pages] = await read();
  expect(pages).toBe(3);
  expect(test.needs.realClock.now() - begun).toBeLessThan(limits.railLeaseMs);
  for (let refreshes = 0; refreshes < 5; refreshes += 1) await read();
  expect((await known()).size).toBe(before + 11);
});

it("a deposit whose payment the chain refuses delays no other, and is retried less often the older it is", async () => {
  const { simulator } = honest();
  const refOf = async (address: string) => (await rowsOf(address))[0]?.partner_ref as PartnerRef;
  const [euros, dollars] = [await approve(["base", "sepa"]), await approve()];
  await request(euros, {}, "eur");
  await request(dollars);
  const most = { ok: false, refused: { reason: "amount_out_of_range" } };
  expect(await simulator.deposit(await refOf(euros), "1000000000.01")).toMatchObject(most);
  // No more of this coin can be made.
  const eurc = test.network.currencies.find(({ symbol }) => symbol === "eurc")?.mint;
  await test.network.sandbox?.mintTo(test.network.feePayer.address, eurc as never, 2n ** 64n - 1_000_000n);
  const stuck = await simulator.deposit(await refOf(euros), "1000.00");
  const paid = await simulator.deposit(await refOf(dollars), "10.00");
  const read = (deposit: typeof stuck) =>
    test.needs.db
      .selectFrom("simulated_deposit")
      .selectAll()
      .where("ref", "=", deposit.ok ? deposit.value.ref : "")
      .executeTakeFirstOrThrow();
  const restOf = async () => Number((await read(stuck)).due_at) - test.network.clock.now();
  await followRails(test.needs, test.network);
  expect([(await read(stuck)).state, (await read(paid)).state]).toEqual(["received", "processed"]);
  expect(await restOf()).toBeLessThan(3_600_000);
  await test.network.sandbox?.advanceClockTo(test.network.clock.now() + 3_600_000);
  await followRails(test.needs, test.network);
  expect(await restOf()).toBeGreaterThanOrEqual(3_600_000);
});

const away = () => Promise.reject(new PartnerUnavailable("no answer"));

let people = 0;
async function approve(wanted: readonly string[] = ["base"]): Promise<string> {
  people += 1;
  const email = `person-${people}@example.org`;
  const { verified } = await test.openHolder(email);
  const row = await recordVerification(test.needs, test.network, {
    account: { tenantId: test.caller.tenantId, environment: "sandbox", address: verified.address },
    partner: "sandbox",
    type: "individual",
    person: { email, fullName: "Ada Lovelace" },
    wanted,
  });
  const begun = await refreshVerification(test.needs, test.network, honest(), row.id);
  await honest().simulator.setVerification(begun?.partner_ref as PartnerRef, { status: "approved", terms: "approved" });
  await settleRails(test.needs, test.network);
  return verified.address;
}

const request = (address: string, needs: object = {}, currency = "usd") =>
  test.call<{ id: string }>(requestVirtualAccount, { params: { address }, body: { currency }, needs });

const rowsOf = async (address: string) => [
  ...(await test.needs.db
    .selectFrom("rail_virtual_account")
    .selectAll()
    .where("account_address", "=", address)
    .execute()),
];

const openedAtPartner = async (address: string) =>
  (await test.needs.db.selectFrom("simulated_virtual_account").selectAll().where("address", "=", address).execute())
    .length;
