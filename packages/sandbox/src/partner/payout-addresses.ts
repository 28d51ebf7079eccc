import { createHmac } from "node:crypto";
import type { Address } from "@solana/kit";
import { ed25519PublicKeyOf, importEd25519Seed } from "@trellis/kernel/crypto/ed25519.js";
import { isBefore } from "@trellis/kernel/page.js";
import { factsOf } from "@trellis/kernel/ports/coins.js";
import type { Db, SimulatedTransferTable } from "@trellis/kernel/ports/database.js";
import type {
  BankRail,
  Coin,
  Fiat,
  Leg,
  PartnerAnswer,
  PartnerRef,
  Payout,
  PayoutAddress,
  RailsPartner,
  RailsSimulator,
  RailTransferState,
} from "@trellis/kernel/ports/rails.js";
import { addressOfBytes } from "@trellis/program-client";
import { type Selectable, sql } from "kysely";
import { refuse, type SimulatedBankAccount } from "./bank-accounts.js";
import { reportNews } from "./news.js";
import type { SimulatorParts } from "./parts.js";
import { centsOf, convert, formatCents, rateOf, simulatedPayOuts } from "./transfer-path.js";
import { findSimulatedCustomer } from "./verifications.js";
import { followPayouts, isOpen, type PayoutAddressRow } from "./watch-payouts.js";

const payoutsInPage = 100;

/** The part of the simulated partner that takes coins at permanent addresses; what became of them are transfers of it. */
export interface SimulatedPayouts {
  readonly partner: Pick<RailsPartner, "openPayoutAddress" | "findPayoutAddress" | "readPayoutAddress" | "listPayouts">;
  readonly simulator: Pick<RailsSimulator, "closePayoutAddress">;
  /** Checks whether coins have arrived. */
  follow(): Promise<void>;
}

export const createSimulatedPayouts = (parts: SimulatorParts): SimulatedPayouts => ({
  partner: {
    openPayoutAddress: (request) => openPayoutAddress(parts, request),
    findPayoutAddress: (request) => findPayoutAddress(parts, request),
    readPayoutAddress: (request) => readPayoutAddress(parts, request),
    listPayouts: (request) => listPayouts(parts, request),
  },
  simulator: { closePayoutAddress: (ref) => closePayoutAddress(parts, ref) },
  follow: () => followPayouts(parts),
});

/** What has one open address at a time. */
type Purpose = Pick<Parameters<RailsPartner["openPayoutAddress"]>[0], "customer" | "bankAccount" | "coin" | "rail">;

/** Those there ever were for this, the open one among them. */
const addressesFor = ({ db, network }: SimulatorParts, { customer, bankAccount, coin, rail }: Purpose) =>
  db
    .selectFrom("simulated_payout_address")
    .where("environment", "=", network.name)
    .where("customer_ref", "=", customer)
    .where("bank_account_ref", "=", bankAccount)
    .where("coin", "=", coin)
    .where("rail", "=", rail);

const findOpen = (parts: SimulatorParts, purpose: Purpose): Promise<PayoutAddressRow | undefined> =>
  addressesFor(parts, purpose).selectAll().where("closed", "=", false).executeTakeFirst();

async function openPayoutAddress(
  parts: SimulatorParts,
  request: Parameters<RailsPartner["openPayoutAddress"]>[0],
): Promise<PartnerAnswer<PayoutAddress>> {
  const { db, random, network } = parts;
  const { idempotencyKey, customer, bankAccount, currency, rail, coin } = request;
  const before = await findOpen(parts, request);
  if (before !== undefined) return { ok: true, value: await show(db, before) };
  const known = await findSimulatedCustomer(db, customer);
  const offer = simulatedPayOuts.find((pay) => pay.to === currency && pay.from.includes(coin));
  const token = network.currencies.find(({ symbol }) => symbol === coin);
  if (known === null) return refuse("not_found", "no such customer");
  if (offer === undefined || !offer.rails.includes(rail) || token?.mint == null) {
    return refuse("unsupported_pair", "not offered");
  }
  if (known.status !== "approved") return refuse("verification_required", "not approved");
  if (known.terms !== "approved") return refuse("terms_required", "terms are not accepted");
  if (known.endorsements[offer.endorsement] === "revoked") return refuse("endorsement_required", "revoked");
  const { rows } = await sql<SimulatedBankAccount>`select * from simulated_bank_account
    where ref = ${bankAccount} and customer_ref = ${customer}`.execute(db);
  if (rows[0]?.currency !== currency) return refuse("not_found", "no such bank account", "external_account_id");
  const { number } = await addressesFor(parts, request)
    .select(sql<number>`count(*)::int4`.as("number"))
    .executeTakeFirstOrThrow();
  const names = [customer, bankAccount, coin, rail, ...(number === 0 ? [] : [String(number)])];
  await sql`insert into simulated_payout_address (ref, environment, customer_ref, operation_key, bank_account_ref, coin,
      mint, fiat, rail, address, number, created_at)
    values (${random.uuid()}, ${network.name}, ${customer}, ${idempotencyKey}, ${bankAccount}, ${coin}, ${token.mint},
      ${currency}, ${rail}, ${ownAddress(parts, ...names)}, ${number}, ${Math.floor(network.clock.now())})
    on conflict do nothing`.execute(db);
  const row = await findOpen(parts, request);
  return row === undefined
    ? refuse("wrong_state", "the key was used for something else")
    : { ok: true, value: await show(db, row) };
}

async function findPayoutAddress(
  parts: SimulatorParts,
  request: Parameters<RailsPartner["findPayoutAddress"]>[0],
): Promise<PartnerAnswer<PayoutAddress | null>> {
  const row = await addressesFor(parts, request).selectAll().orderBy("number", "desc").executeTakeFirst();
  return { ok: true, value: row === undefined ? null : await show(parts.db, row) };
}

async function readPayoutAddress(
  { db }: SimulatorParts,
  { customer, ref }: Parameters<RailsPartner["readPayoutAddress"]>[0],
): Promise<PartnerAnswer<PayoutAddress>> {
  const row = await db
    .selectFrom("simulated_payout_address")
    .selectAll()
    .where("ref", "=", ref)
    .where("customer_ref", "=", customer)
    .executeTakeFirst();
  return row === undefined ? refuse("not_found", "no such payout address") : { ok: true, value: await show(db, row) };
}

async function listPayouts(
  { db }: SimulatorParts,
  { payoutAddress, after }: Parameters<RailsPartner["listPayouts"]>[0],
): ReturnType<RailsPartner["listPayouts"]> {
  const [createdAt, ref] = (after ?? "").split("/");
  let query = db.selectFrom("simulated_transfer").selectAll().where("payout_address_ref", "=", payoutAddress);
  if (createdAt !== undefined && ref !== undefined) {
    query = query.where(isBefore({ created_at: BigInt(createdAt), ref }));
  }
  const rows = await query.orderBy("created_at", "desc").orderBy("ref", "desc").limit(payoutsInPage).execute();
  const last = rows.length < payoutsInPage ? undefined : rows.at(-1);
  const next = last === undefined ? null : `${last.created_at}/${last.ref}`;
  return { ok: true, value: { payouts: rows.map(showPayout), next } };
}

async function closePayoutAddress({ db, random, network }: SimulatorParts, ref: string): Promise<void> {
  const now = Math.floor(network.clock.now());
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("simulated_payout_address")
      .set({ closed: true, closed_at: BigInt(now) })
      .where("ref", "=", ref)
      .where("closed", "=", false)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await reportNews(trx, network.name, [{ eventId: random.uuid(), kind: "payout_address", ref, at: now }]);
  });
}

/** The same for the same bank account, coin, rail and number: its key follows from them and is nowhere. */
function ownAddress({ keyring, network }: SimulatorParts, ...names: readonly string[]): Address {
  const secret = keyring.deriveSecret("simulated-payout-address");
  const seed = createHmac("sha256", secret)
    .update(JSON.stringify([network.name, ...names]))
    .digest();
  return addressOfBytes(ed25519PublicKeyOf(importEd25519Seed(seed)));
}

const show = async (db: Db, row: PayoutAddressRow): Promise<PayoutAddress> => ({
  ref: row.ref as PartnerRef,
  customer: row.customer_ref as PartnerRef,
  bankAccount: row.bank_account_ref as PartnerRef,
  currency: row.fiat as Fiat,
  rail: row.rail as BankRail,
  coin: row.coin as Coin,
  address: row.address,
  status: (await isOpen(db, row)) ? "activated" : "deactivated",
  // The payer gets it back.
  returnAddress: null,
  createdAt: Number(row.created_at),
});

/** Where a party does not want it. */
const isBack: ReadonlySet<string> = new Set(["undeliverable", "returned", "refunded"]);

function showPayout(row: Selectable<SimulatedTransferTable>): Payout {
  const { currency } = JSON.parse(row.to_leg) as Extract<Leg, { kind: "bank" }>;
  const peg = factsOf(row.coin as Coin).standsFor;
  const cents = centsOf(row.amount) ?? 0n;
  return {
    ref: row.ref as PartnerRef,
    payoutAddress: (row.payout_address_ref ?? "") as PartnerRef,
    state: row.state as RailTransferState,
    amount: row.amount,
    coin: row.coin as Coin,
    signature: row.source_signature,
    receipt: {
      initial_amount: row.amount,
      subtotal_amount: row.amount,
      developer_fee: "0.00",
      exchange_fee: "0.00",
      gas_fee: "0.00",
      exchange_rate: rateOf(peg, currency),
      ...(row.state === "payment_processed" ? { final_amount: formatCents(convert(cents, peg, currency)) } : {}),
      ...(row.source_signature === null ? {} : { source_tx_hash: row.source_signature }),
      ...(row.destination_signature === null ? {} : { destination_tx_hash: row.destination_signature }),
    },
    returned: isBack.has(row.state) ? { reason: "The sandbox's bank sent it back." } : null,
    createdAt: Number(row.created_at),
  };
}
