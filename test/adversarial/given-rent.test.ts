import { type Address, createNoopSigner } from "@solana/kit";
import { getCloseAccountInstruction, getTransferCheckedInstruction } from "@solana-program/token";
import type { PreparedTransfer } from "@trellis/sdk";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { describe, expect, it } from "vitest";
import { settleSubmissions } from "../../src/submissions/settle-submissions.js";
import { useTestService } from "../support/scene.js";
import { dataOf, expectError, type Holder, makeKey, type OwnKey, stamp, tokenProgram, usdcMint } from "./support.js";

/** Token accounts that the service opens for one account in its life. */
const openings = 3;
const tokenAccountRent = 2_039_280n;

/** Runs on from noon: budgets are those of a day, which is not to end in the middle. */
const untilNoonMs = 43_200_000 - (Date.now() % 86_400_000);
const realClock = { now: () => Date.now() + untilNoonMs };

const trellis = useTestService({ TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: String(openings) }, { realClock });

describe("rent of token accounts, farmed by a holder without any SOL", () => {
  it("ends with the number for life, whatever was closed meanwhile; plain fees are paid as before", async () => {
    const mallory = await trellis.openHolder({ usdc: "1000" });
    const collector = makeKey();
    await trellis.network.sandbox?.airdrop(collector.address, 10_000_000n);
    const known = await trellis.openHolder({ usdc: "1" });
    const before = await trellis.lamportsOf(collector.address);
    const owners: OwnKey[] = [];
    let last = await trellis.askPayment(mallory, wanted(makeKey().address));
    while (last.status === 201 && owners.length < 2 * openings) {
      const owner = makeKey();
      dataOf(await trellis.pay(mallory, wanted(owner.address)));
      await cashIn(owner, mallory.address, collector);
      owners.push(owner);
      last = await trellis.askPayment(mallory, wanted(makeKey().address));
    }
    expect(owners).toHaveLength(openings);
    expectError(last, 400, "rent_not_sponsored");
    // What it cost, and who gained, stands in the ledger.
    await settleSubmissions(trellis.service.db, trellis.network);
    const rents = (await ledgerOf(mallory)).filter(({ kind }) => kind === "token_account_rent");
    expect(new Set(rents.map(({ beneficiary }) => beneficiary))).toEqual(new Set(owners.map(({ address }) => address)));
    expect(rents.every((row) => row.spent_lamports === tokenAccountRent && !row.is_recoverable)).toBe(true);
    const gained = (await trellis.lamportsOf(collector.address)) - before;
    expect(gained).toBeLessThan(BigInt(openings) * tokenAccountRent);

    dataOf(await trellis.pay(mallory, wanted(known.address)));
    const honest = await trellis.openHolder({ usdc: "1000" });
    dataOf(await trellis.pay(honest, wanted(makeKey().address)));
  });

  it("is not widened by preparing many payments first and submitting them all at once", async () => {
    const mallory = await trellis.openHolder({ usdc: "1000" });
    const payees = Array.from({ length: 2 * openings }, () => makeKey().address);
    const prepared: PreparedTransfer[] = [];
    for (const payee of payees) prepared.push(await trellis.preparePayment(mallory, wanted(payee)));
    const before = await trellis.lamportsOf(trellis.feePayer);
    const answers = await Promise.all(
      prepared.map((each) => trellis.submit(mallory.address, each.transaction, stamped(each, mallory))),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(openings);
    for (const answered of refused) expectError(answered, 400, "rent_not_sponsored");
    const paid = await Promise.all(payees.map((payee) => trellis.usdcOf(payee)));
    expect(paid.filter((amount) => amount === 1n)).toHaveLength(openings);
    expect(before - (await trellis.lamportsOf(trellis.feePayer))).toBe(BigInt(openings) * (tokenAccountRent + 10_000n));
    // The refused ones were recorded nowhere, and their payloads are unused.
    expect(await openedFor(mallory)).toBe(openings);
    expect((await ledgerOf(mallory)).filter(({ kind }) => kind === "fee")).toHaveLength(openings);
    const payloads = await trellis.service.db
      .selectFrom("kms_payload")
      .select("used_by")
      .where("address", "=", prepared[0]?.kms_payloads[0]?.address ?? "")
      .execute();
    expect(payloads.filter(({ used_by }) => used_by === null)).toHaveLength(openings);
  });

  it("ends a multiple submit where it is used up, saying so; the retry under its key says the same", async () => {
    const mallory = await trellis.openHolder({ usdc: "1000" });
    const prepared: PreparedTransfer[] = [];
    for (let i = 0; i <= openings; i += 1) {
      prepared.push(await trellis.preparePayment(mallory, wanted(makeKey().address)));
    }
    const body = {
      transactions: prepared.map(({ transaction }) => transaction),
      kms_payloads: prepared.map((each) => stamped(each, mallory)),
    };
    const ask = () =>
      trellis.post(`/accounts/${mallory.address}/submit`, body, { "x-idempotency-key": `farm-${mallory.address}` });
    const first = dataOf<{ results: object[]; partial_failure: object }>(await ask());
    expect(first.results).toHaveLength(openings);
    expect(first.partial_failure).toMatchObject({ failed_at_index: openings, error_code: "rent_not_sponsored" });
    expect(dataOf(await ask())).toEqual(first);
    expect(await openedFor(mallory)).toBe(openings);
  });

  it("counts an account only if it was opened: what existed already, or was never confirmed, is given back once", async () => {
    const { db } = trellis.service;
    const holder = await trellis.openHolder({ usdc: "1000" });
    const payee = makeKey().address;
    // Both would open the same account; the second one finds it open.
    const prepared = [
      await trellis.preparePayment(holder, wanted(payee)),
      await trellis.preparePayment(holder, wanted(payee)),
    ];
    for (const each of prepared) {
      dataOf(await trellis.submit(holder.address, each.transaction, stamped(each, holder)));
    }
    const network = trellis.network;
    await Promise.all([settleSubmissions(db, network), settleSubmissions(db, network), settleSubmissions(db, network)]);
    expect(await openedFor(holder)).toBe(1);
    const rents = (await ledgerOf(holder)).filter(({ kind }) => kind === "token_account_rent");
    expect(rents.map(({ spent_lamports }) => spent_lamports).toSorted()).toEqual([0n, tokenAccountRent]);
    expect(await givenTo(holder)).toBe(tokenAccountRent);

    // As if the process had died after the record, and the bytes had never been confirmed.
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable("submission")
        .set({ spent_lamports: null, state: "expired" })
        .where("account_address", "=", holder.address)
        .execute();
      await trx
        .updateTable("sponsored_cost")
        .set({ spent_lamports: null })
        .where("account_address", "=", holder.address)
        .execute();
      await trx
        .updateTable("sponsored_opening")
        .set({ opened: 2 })
        .where("account_address", "=", holder.address)
        .execute();
    });
    await Promise.all([settleSubmissions(db, network), settleSubmissions(db, network)]);
    expect(await openedFor(holder)).toBe(0);
    expect((await ledgerOf(holder)).map(({ spent_lamports }) => spent_lamports)).toEqual([0n, 0n, 0n, 0n]);
  });

  it("is no business of the service where a key of the caller's pays, or the account itself can", async () => {
    const payer = makeKey();
    await trellis.network.sandbox?.airdrop(payer.address, 1_000_000_000n);
    const poor = await trellis.openHolder({ usdc: "1000" });
    for (let i = 0; i <= openings; i += 1) {
      const own = await trellis.preparePayment(poor, {
        ...wanted(makeKey().address),
        more: { fee_config: { self_managed_fees: true }, payer_address: payer.address },
      });
      expect(own.fee.paid_by).toBe(payer.address);
    }
    const rich = await trellis.openHolder({ usdc: "1000", sol: "10000000" });
    const prepared = await trellis.preparePayment(rich, wanted(makeKey().address));
    expect(prepared.summary[0]).toMatchObject({ type: "create_token_account", payer: rich.address });
    expect(prepared.fee.rent_lamports).toBe("0");
    const before = await trellis.lamportsOf(trellis.feePayer);
    dataOf(await trellis.submit(rich.address, prepared.transaction, stamped(prepared, rich)));
    expect(before - (await trellis.lamportsOf(trellis.feePayer))).toBe(10_000n);
    expect(await openedFor(rich)).toBe(0);
    expect((await ledgerOf(rich)).map(({ kind }) => kind)).toEqual(["fee"]);
  });
});

async function givenTo({ address }: Holder): Promise<bigint> {
  const row = await trellis.service.db
    .selectFrom("sponsorship_budget")
    .select("lamports")
    .where("scope", "=", `given:account:${address}`)
    .executeTakeFirst();
  return row?.lamports ?? 0n;
}

const wanted = (to: string, amount = "1") => ({ amount, currency: "usdc", to });

const stamped = (prepared: PreparedTransfer, { session }: Holder) => stamp(prepared, session);

/** Sends back what the owner was paid, and closes its token account for its rent. */
async function cashIn(owner: OwnKey, payer: Address, collector: OwnKey): Promise<void> {
  const [source, destination] = [owner.address, payer].map((of) => deriveTokenAccount(of, usdcMint, tokenProgram));
  if (source === undefined || destination === undefined) throw new Error("both have token accounts");
  const authority = createNoopSigner(owner.address);
  await trellis.sendDirectly(
    collector,
    [
      getTransferCheckedInstruction({ source, mint: usdcMint, destination, authority, amount: 1n, decimals: 6 }),
      getCloseAccountInstruction({ account: source, destination: collector.address, owner: authority }),
    ],
    [owner],
  );
}

async function openedFor({ address }: Holder): Promise<number> {
  const row = await trellis.service.db
    .selectFrom("sponsored_opening")
    .select("opened")
    .where("account_address", "=", address)
    .executeTakeFirst();
  return row?.opened ?? 0;
}

const ledgerOf = ({ address }: Holder) =>
  trellis.service.db
    .selectFrom("sponsored_cost")
    .selectAll()
    .where("account_address", "=", address)
    .orderBy("submission_id")
    .orderBy("position")
    .execute();
