import { AssertionFailed, TrellisError } from "../kernel/errors.js";
import { limits } from "../kernel/limits.js";
import type { Network } from "../ports/network.js";
import type { Coin, Fiat, PartnerAnswer, PartnerRef, PartnerVirtualAccount, Rails, Refusal } from "../ports/rails.js";
import { askPartner, refusalError } from "./ask-partner.js";
import { isMoneyMoving, planLookAt, readDeposits } from "./deposits.js";
import type { RailKind } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";
import {
  dropVirtualAccount,
  isOpened,
  type OpenedVirtualAccount,
  openInstructions,
  readVirtualAccountRow,
  renewVirtualAccountKey,
  type VirtualAccountRow,
  writeVirtualAccount,
} from "./virtual-account-store.js";

/** How often a look that others overtake is made anew. */
const overtakenMax = 5;

/**
 * Brings a virtual account to where the partner has it: opens it where that is not known to have happened, always under
 * the key that was stored before the first call, and reads it otherwise. Undefined: it is gone. Throws PartnerUnavailable,
 * and what the partner refuses: of one that was never opened nothing is kept then.
 */
export async function refreshVirtualAccount(
  needs: RailNeeds,
  network: Network,
  rails: Rails,
  id: string,
): Promise<VirtualAccountRow | undefined> {
  for (let tries = 0; tries < overtakenMax; tries += 1) {
    // Read before the partner is asked: see `writeVirtualAccount`.
    const read = await readVirtualAccountRow(needs.db, id);
    if (read === undefined || read.partner !== rails.partner.name) return read;
    const told = await tell(needs, rails, read);
    if (told === undefined) continue;
    const { row, answer } = told;
    if (!answer.ok && !isForgotten(row, answer.refused)) return refuse(needs, rails, row, answer.refused);
    const value = answer.ok ? trusted(needs, row, answer.value) : forgotten(needs, row);
    if (value === undefined) return misdirect(needs, row);
    const written = await writeVirtualAccount(needs, network, row, value);
    if (written === "written") return readVirtualAccountRow(needs.db, id);
    if (written === "gone") return undefined;
    if (written === "foreign") return misdirect(needs, row);
  }
  throw new AssertionFailed("a virtual account changes faster than it can be read");
}

interface Told {
  readonly row: VirtualAccountRow;
  readonly answer: PartnerAnswer<PartnerVirtualAccount>;
}

async function tell(needs: RailNeeds, { partner }: Rails, row: VirtualAccountRow): Promise<Told | undefined> {
  const customer = row.customer_ref as PartnerRef;
  if (row.partner_ref !== null) {
    const ref = row.partner_ref as PartnerRef;
    return { row, answer: await askPartner((signal) => partner.readVirtualAccount({ customer, ref }, signal)) };
  }
  const from = row.currency as Fiat;
  const address = row.account_address;
  let current = row;
  if (needs.realClock.now() - Number(row.operation_begun_at) > limits.partnerKeyMs) {
    const there = await askPartner((signal) => partner.findVirtualAccount({ customer, from, address }, signal));
    if (!there.ok) return { row, answer: there };
    if (there.value !== null) return { row, answer: { ok: true, value: there.value } };
    const renewed = await renewVirtualAccountKey(needs, row);
    // Somebody else is at it, or it is gone: read anew.
    if (renewed === undefined || renewed.partner_ref !== null) return undefined;
    current = renewed;
  }
  const answer = await askPartner((signal) =>
    partner.openVirtualAccount({
      idempotencyKey: current.operation_key,
      signal,
      customer,
      from,
      to: current.coin as Coin,
      address,
    }),
  );
  if (answer.ok || answer.refused.reason !== "duplicate") return { row: current, answer };
  // There is one already: it is taken if it is what was asked for.
  const { existing } = answer.refused;
  const found =
    existing === undefined
      ? await askPartner((signal) => partner.findVirtualAccount({ customer, from, address }, signal))
      : await askPartner((signal) => partner.readVirtualAccount({ customer, ref: existing }, signal));
  if (found.ok && found.value !== null) return { row: current, answer: { ok: true, value: found.value } };
  return { row: current, answer };
}

/**
 * What is believed of an answer. Money that is paid in there has to come to this account: bank details of anything else are
 * never shown, and those that no longer lead here are not shown as usable. Undefined: not to be written down at all.
 */
function trusted(
  needs: RailNeeds,
  row: VirtualAccountRow,
  told: PartnerVirtualAccount,
): PartnerVirtualAccount | undefined {
  const leadsHere =
    told.destination.address === row.account_address &&
    told.destination.coin === row.coin &&
    told.currency === row.currency &&
    (row.partner_ref === null || row.partner_ref === told.ref);
  if (leadsHere) return told;
  if (row.partner_ref === null || row.status === null) return undefined;
  needs.log.error(
    { event: "rail_virtual_account_redirected", environment: row.environment, partner: row.partner, id: row.id },
    "virtual account of a partner no longer pays the account it was opened for: it counts as deactivated",
  );
  return {
    ...told,
    ref: row.partner_ref as PartnerRef,
    status: "deactivated",
    instructions: openInstructions(needs.keyring, row),
  };
}

/** The partner knew it, and knows it no more. */
const isForgotten = (row: VirtualAccountRow, { reason }: Refusal): row is OpenedVirtualAccount =>
  reason === "not_found" && isOpened(row);

/** What there was, of no use to a payer until the partner knows it again: it is looked at on. */
function forgotten(needs: RailNeeds, row: VirtualAccountRow): PartnerVirtualAccount {
  if (row.status === "activated") {
    needs.log.error(
      { event: "rail_virtual_account_lost", environment: row.environment, partner: row.partner, id: row.id },
      "virtual account is no longer known to its partner: it counts as deactivated",
    );
  }
  return {
    ref: row.partner_ref as PartnerRef,
    customer: row.customer_ref as PartnerRef,
    status: "deactivated",
    currency: row.currency as Fiat,
    rails: JSON.parse(row.rails) as PartnerVirtualAccount["rails"],
    instructions: openInstructions(needs.keyring, row),
    destination: { address: row.account_address, coin: row.coin as Coin },
    feePercent: row.fee_percent,
    createdAt: Number(row.created_at),
  };
}

/** The partner answers with something else than was asked for. */
async function misdirect(needs: RailNeeds, row: VirtualAccountRow): Promise<never> {
  needs.log.error(
    { event: "rail_virtual_account_unexpected", environment: row.environment, partner: row.partner, id: row.id },
    "partner answers with a virtual account that was not asked for: it is not kept",
  );
  await dropVirtualAccount(needs.db, row);
  throw new TrellisError("partner_refused", { facts: { reason: "not_as_asked" } });
}

async function refuse(needs: RailNeeds, { partner }: Rails, row: VirtualAccountRow, refused: Refusal): Promise<never> {
  const { reason, forOperator } = refused;
  needs.log.warn(
    {
      event: "rail_virtual_account_refused",
      environment: row.environment,
      partner: row.partner,
      id: row.id,
      reason,
      words: forOperator,
    },
    "partner refuses a virtual account",
  );
  if (row.partner_ref === null) await dropVirtualAccount(needs.db, row);
  throw refusalError(refused, partner.payIns.find(({ from }) => from === row.currency)?.endorsement);
}

/** Virtual accounts, with the money that comes to them, as the pass follows them. */
export const virtualAccountKind: RailKind = {
  table: "rail_virtual_account",
  hints: ["virtual_account", "deposit"],
  look: async (needs, network, rails, id) => {
    let row: VirtualAccountRow | undefined;
    try {
      row = await refreshVirtualAccount(needs, network, rails, id);
    } catch (error) {
      // It was said in the log, and there is nobody else to tell. Money under way is followed all the same.
      if (!(error instanceof TrellisError)) throw error;
      await planLookAt(needs, id);
      row = await readVirtualAccountRow(needs.db, id);
    }
    if (row === undefined || !isOpened(row) || row.partner !== rails.partner.name) return;
    await readDeposits(needs, network, rails, row);
  },
  isMoving: isMoneyMoving,
  forget: async (trx, { tenantId, environment, address }) => {
    const { numDeletedRows } = await trx
      .deleteFrom("rail_virtual_account")
      .where("environment", "=", environment)
      .where("account_address", "=", address)
      .where("tenant_id", "=", tenantId)
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
};
