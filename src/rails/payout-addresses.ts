import { isAddress } from "@solana/kit";
import { sql } from "kysely";
import { AssertionFailed, TrellisError } from "../kernel/errors.js";
import { limits } from "../kernel/limits.js";
import type { Network } from "../ports/network.js";
import type { BankRail, Coin, Fiat, PartnerAnswer, PartnerRef, PayoutAddress, Rails } from "../ports/rails.js";
import { askPartner, refusalError } from "./ask-partner.js";
import {
  dropPayoutAddress,
  findRetired,
  isOpened,
  type OpenedPayoutAddress,
  type PayoutAddressRow,
  readPayoutAddressRow,
  renewPayoutAddressKey,
  wakePayoutAddresses,
  writeOpened,
  writeStatus,
} from "./payout-address-store.js";
import { arePayoutsMoving, readPayouts } from "./payouts.js";
import { postponeLook, type RailKind } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";

/** How often what others overtake is made anew. */
const overtakenMax = 5;
const dayMs = 86_400_000;

/**
 * Brings a recorded address to exist at the partner, under the key that was stored before the first call, and writes down
 * which it is: that never changes afterwards. One whose key the partner may have forgotten is looked for first. Throws
 * PartnerUnavailable, and what the partner refuses: then nothing of it is kept.
 */
export async function openPayoutAddress(
  needs: RailNeeds,
  network: Network,
  rails: Rails,
  id: string,
): Promise<OpenedPayoutAddress> {
  for (let tries = 0; tries < overtakenMax; tries += 1) {
    const row = await readPayoutAddressRow(needs.db, id);
    if (row === undefined) throw new TrellisError("partner_unavailable");
    if (isOpened(row)) return tries > 0 ? row : readAnew(needs, network, rails, row);
    const answer = await openOrFind(needs, rails, row);
    if (!answer.ok) {
      const { reason, forOperator } = answer.refused;
      needs.log.warn(
        { event: "rail_payout_address_refused", ...factsOf(row), reason, words: forOperator },
        "partner refuses a payout address",
      );
      await dropPayoutAddress(needs.db, row);
      throw refusalError(answer.refused, row.endorsement);
    }
    if (!isAsAsked(network, row, answer.value)) return misdirect(needs, row);
    if (await writeOpened(needs, network, row, answer.value)) continue;
    const present = await readPayoutAddressRow(needs.db, id);
    if (present === undefined || isOpened(present)) continue;
    const retired = await findRetired(needs.db, present, answer.value.address);
    if (retired === undefined || !isOpened(retired)) return misdirect(needs, present);
    // The partner has no other one: it stands for itself again, once the partner says that it takes coins.
    await dropPayoutAddress(needs.db, present);
    await wakePayoutAddresses(needs.db, [retired.id]);
    return readAnew(needs, network, rails, retired);
  }
  throw new AssertionFailed("a payout address changes faster than it can be read");
}

/** One that was opened before, as it is now: its partner may have closed it since without a word. */
async function readAnew(
  needs: RailNeeds,
  network: Network,
  rails: Rails,
  row: OpenedPayoutAddress,
): Promise<OpenedPayoutAddress> {
  await readStatus(needs, network, rails, row);
  const present = await readPayoutAddressRow(needs.db, row.id);
  return present !== undefined && isOpened(present) ? present : row;
}

const factsOf = ({ environment, partner, id }: PayoutAddressRow) => ({ environment, partner, id });

async function openOrFind(
  needs: RailNeeds,
  { partner }: Rails,
  row: PayoutAddressRow,
): Promise<PartnerAnswer<PayoutAddress>> {
  const what = {
    customer: row.customer_ref as PartnerRef,
    bankAccount: row.external_account_ref as PartnerRef,
    rail: row.rail as BankRail,
    coin: row.coin as Coin,
    returnAddress: row.account_address,
  };
  const find = () => askPartner((signal) => partner.findPayoutAddress(what, signal));
  let current = row;
  if (needs.realClock.now() - Number(row.operation_begun_at) > limits.partnerKeyMs) {
    const found = await find();
    if (!found.ok) return found;
    // One that takes no coins may be what this is to stand in for.
    if (found.value?.status === "activated") return { ok: true, value: found.value };
    current = (await renewPayoutAddressKey(needs, row)) ?? row;
  }
  const answer = await askPartner((signal) =>
    partner.openPayoutAddress({
      ...what,
      idempotencyKey: current.operation_key,
      signal,
      currency: current.fiat as Fiat,
    }),
  );
  if (answer.ok || answer.refused.reason !== "duplicate") return answer;
  // There is one already: it is taken if it is what was asked for.
  const { existing } = answer.refused;
  const found =
    existing === undefined
      ? await find()
      : await askPartner((signal) => partner.readPayoutAddress({ customer: what.customer, ref: existing }, signal));
  return found.ok && found.value !== null ? { ok: true, value: found.value } : answer;
}

/**
 * Whether coins that are sent there reach the bank account that was asked for, and come back to this account where the bank
 * does not take them, as far as a partner's word goes.
 */
function isAsAsked(network: Network, row: PayoutAddressRow, told: PayoutAddress): boolean {
  return (
    told.bankAccount === row.external_account_ref &&
    told.coin === row.coin &&
    told.currency === row.fiat &&
    told.rail === row.rail &&
    (told.returnAddress === null || told.returnAddress === row.account_address) &&
    isAddress(told.address) &&
    told.address !== row.account_address &&
    !network.serviceAddresses.has(told.address)
  );
}

async function misdirect(needs: RailNeeds, row: PayoutAddressRow): Promise<never> {
  needs.log.error(
    { event: "rail_payout_address_unexpected", ...factsOf(row) },
    "partner answers with a payout address that was not asked for: it is not kept",
  );
  await dropPayoutAddress(needs.db, row);
  throw new TrellisError("partner_refused", { facts: { reason: "not_as_asked" } });
}

/** Reads an address and what came to it, and writes down what has changed; opens one whose opening was interrupted. */
async function lookAtPayoutAddress(needs: RailNeeds, network: Network, rails: Rails, id: string): Promise<void> {
  let row = await readPayoutAddressRow(needs.db, id);
  if (row === undefined || row.partner !== rails.partner.name) return;
  if (!isOpened(row)) {
    try {
      row = await openPayoutAddress(needs, network, rails, id);
    } catch (error) {
      // It was said in the log, and there is nobody else to tell.
      if (!(error instanceof TrellisError)) throw error;
      return postponeLook(needs.db, payoutAddressKind, id, needs.realClock.now() + dayMs);
    }
  }
  if (!isOpened(row)) return;
  // What came to it is followed also where nothing is told of the address itself.
  const status = await Promise.allSettled([readStatus(needs, network, rails, row)]);
  await readPayouts(needs, network, rails, row);
  for (const one of status) if (one.status === "rejected") throw one.reason;
}

async function readStatus(
  needs: RailNeeds,
  network: Network,
  { partner }: Rails,
  row: OpenedPayoutAddress,
): Promise<void> {
  const [customer, ref] = [row.customer_ref as PartnerRef, row.partner_ref as PartnerRef];
  const told = await askPartner((signal) => partner.readPayoutAddress({ customer, ref }, signal));
  if (!told.ok && told.refused.reason !== "not_found") {
    needs.log.warn(
      { event: "rail_payout_address_unread", ...factsOf(row), reason: told.refused.forOperator },
      "partner refuses to report a payout address",
    );
    return;
  }
  const isTheSame =
    told.ok && told.value.ref === ref && told.value.address === row.address && isAsAsked(network, row, told.value);
  if (!isTheSame && row.status === "activated") {
    needs.log.error(
      { event: "rail_payout_address_redirected", ...factsOf(row) },
      "payout address no longer leads to its bank account: nothing more is paid there",
    );
  }
  await writeStatus(needs.db, network, row, told.ok && isTheSame ? told.value.status : "deactivated");
}

/** Payout addresses, with what came to them, as the pass follows them. */
export const payoutAddressKind: RailKind = {
  table: "rail_payout_address",
  hints: ["payout_address"],
  look: lookAtPayoutAddress,
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
  forget: async (trx, { tenantId, environment, address }) => {
    await sql`update standing_order
      set destination = (destination::jsonb #- '{last_4}' #- '{details,last_4}')::text
      where environment = ${environment} and account_address = ${address} and tenant_id = ${tenantId}
        and payout_address_id is not null`.execute(trx);
    const { numDeletedRows } = await trx
      .deleteFrom("rail_payout_address")
      .where("environment", "=", environment)
      .where("account_address", "=", address)
      .where("tenant_id", "=", tenantId)
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
};
