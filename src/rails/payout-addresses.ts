import { isAddress } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { BankRail, Coin, Fiat, PartnerRef, PayoutAddress, Rails } from "@trellis/kernel/ports/rails.js";
import { sql } from "kysely";
import { askPartner } from "./ask-partner.js";
import {
  defineObject,
  factsOf,
  misdirect,
  type ObjectDefinition,
  type PartnerContext,
  type PartnerObject,
} from "./partner-object.js";
import {
  findRetired,
  isOpened,
  type OpenedPayoutAddress,
  type PayoutAddressRow,
  payoutAddressRows,
  readPayoutAddressRow,
  wakePayoutAddresses,
  writeOpened,
  writeStatus,
} from "./payout-address-store.js";
import { arePayoutsMoving, readPayouts } from "./payouts.js";
import type { RailNeeds } from "./rail-needs.js";

/**
 * Brings a recorded address to exist at the partner, under the key that was stored before the first call, and writes down
 * which it is: that never changes afterwards. Throws PartnerUnavailable, and what the partner refuses: then nothing of it is kept.
 */
export async function openPayoutAddress(
  needs: RailNeeds,
  network: Network,
  rails: Rails,
  id: string,
): Promise<OpenedPayoutAddress> {
  const known = await readPayoutAddressRow(needs.db, id);
  if (known !== undefined && isOpened(known)) return readAnew({ needs, network, rails }, known);
  const row = await payoutAddressKind.begin({ needs, network, rails }, id);
  if (row === undefined || !isOpened(row)) throw new TrellisError("partner_unavailable");
  return row;
}

/** One that was opened before, as it is now: its partner may have closed it since without a word. */
async function readAnew(context: PartnerContext, row: OpenedPayoutAddress): Promise<OpenedPayoutAddress> {
  await readStatus(context, row);
  const present = await readPayoutAddressRow(context.needs.db, row.id);
  return present !== undefined && isOpened(present) ? present : row;
}

/** The partner has no other one than the retired: that stands for itself again, once the partner says that it takes coins. */
async function takeRetired(
  context: PartnerContext,
  row: PayoutAddressRow,
  { address }: PayoutAddress,
): Promise<OpenedPayoutAddress> {
  const { db } = context.needs;
  const retired = await findRetired(db, row, address);
  if (retired === undefined || !isOpened(retired)) return misdirect(payoutAddressDefinition, context, row);
  await payoutAddressRows.drop(db, row);
  await wakePayoutAddresses(db, [retired.id]);
  return readAnew(context, retired);
}

const wantedOf = (row: PayoutAddressRow) => ({
  customer: row.customer_ref as PartnerRef,
  bankAccount: row.external_account_ref as PartnerRef,
  rail: row.rail as BankRail,
  coin: row.coin as Coin,
  returnAddress: row.account_address,
});

/**
 * Whether coins that are sent there reach the bank account that was asked for, and return to this account where the bank
 * does not take them, as far as a partner's word goes.
 */
function isAsAsked(network: Network, row: PayoutAddressRow, reported: PayoutAddress): boolean {
  return (
    reported.bankAccount === row.external_account_ref &&
    reported.coin === row.coin &&
    reported.currency === row.fiat &&
    reported.rail === row.rail &&
    (reported.returnAddress === null || reported.returnAddress === row.account_address) &&
    isAddress(reported.address) &&
    reported.address !== row.account_address &&
    !network.serviceAddresses.has(reported.address)
  );
}

/** Reads an address and what it received, and writes down what has changed; opens one whose opening was interrupted. */
async function follow(context: PartnerContext, { id }: PayoutAddressRow): Promise<void> {
  const row = await payoutAddressKind.begin(context, id);
  if (row === undefined || !isOpened(row)) return;
  // What it received is followed also where nothing is reported of the address itself.
  const status = await Promise.allSettled([readStatus(context, row)]);
  await readPayouts(context.needs, context.network, context.rails, row);
  for (const one of status) if (one.status === "rejected") throw one.reason;
}

async function readStatus(
  { needs, network, rails: { partner } }: PartnerContext,
  row: OpenedPayoutAddress,
): Promise<void> {
  const [customer, ref] = [row.customer_ref as PartnerRef, row.partner_ref as PartnerRef];
  const reported = await askPartner((signal) => partner.readPayoutAddress({ customer, ref }, signal));
  if (!reported.ok && reported.refused.reason !== "not_found") {
    needs.log.warn(
      { event: "rail_payout_address_unread", ...factsOf(row), reason: reported.refused.forOperator },
      "partner refuses to report a payout address",
    );
    return;
  }
  const isTheSame =
    reported.ok &&
    reported.value.ref === ref &&
    reported.value.address === row.address &&
    isAsAsked(network, row, reported.value);
  if (!isTheSame && row.status === "activated") {
    needs.log.error(
      { event: "rail_payout_address_redirected", ...factsOf(row) },
      "payout address no longer leads to its bank account: nothing more is paid there",
    );
  }
  await writeStatus(needs.db, network, row, reported.ok && isTheSame ? reported.value.status : "deactivated");
}

const payoutAddressDefinition: ObjectDefinition<PayoutAddressRow, PayoutAddress> = {
  rows: payoutAddressRows,
  name: "payout address",
  hints: ["payout_address"],
  begin: ({ rails }, row, signal) =>
    rails.partner.openPayoutAddress({
      ...wantedOf(row),
      idempotencyKey: row.operation_key,
      signal,
      currency: row.fiat as Fiat,
    }),
  find: ({ rails }, row, signal) => rails.partner.findPayoutAddress(wantedOf(row), signal),
  // One that takes no coins may be what this is to stand in for.
  isFoundAsWanted: ({ status }) => status === "activated",
  read: ({ rails }, row, ref, signal) =>
    rails.partner.readPayoutAddress({ customer: row.customer_ref as PartnerRef, ref }, signal),
  duplicate: "read",
  believe: ({ network }, row, reported) => (isAsAsked(network, row, reported) ? reported : undefined),
  write: ({ needs, network }, row, reported) => writeOpened(needs, network, row, reported),
  foreign: takeRetired,
  endorsementOf: (_context, row) => row.endorsement,
  follow,
  refusedInPass: "later",
  isMoving: async (trx, { tenantId, environment, address }, now) => {
    // An order that may go on needs what it pays.
    const { rows } = await sql`select 1 from standing_order
      where environment = ${environment} and account_address = ${address} and tenant_id = ${tenantId}
        and payout_address_id is not null and status in ('pending', 'active', 'inactive') limit 1`.execute(trx);
    if (rows.length > 0) return true;
    const places = await trx
      .selectFrom("rail_payout_address")
      .selectAll()
      .where("environment", "=", environment)
      .where("account_address", "=", address)
      .where("tenant_id", "=", tenantId)
      .execute();
    for (const place of places) if (await arePayoutsMoving(trx, place.id, now)) return true;
    return false;
  },
  // What an order shows of its bank account goes with it.
  beforeForget: async (trx, { tenantId, environment, address }) => {
    await sql`update standing_order
      set destination = (destination::jsonb #- '{last_4}' #- '{details,last_4}')::text
      where environment = ${environment} and account_address = ${address} and tenant_id = ${tenantId}
        and payout_address_id is not null`.execute(trx);
  },
};

/** Payout addresses, with what they received, as requests and the pass follow them. */
export const payoutAddressKind: PartnerObject<PayoutAddressRow> = defineObject(payoutAddressDefinition);
