import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Coin, Fiat, PartnerRef, PartnerVirtualAccount, Rails } from "@trellis/kernel/ports/rails.js";
import { isMoneyMoving, planRefreshAt, readDeposits } from "./deposits.js";
import { defineObject, factsOf, type PartnerContext, type PartnerObject } from "./partner-object.js";
import type { RailNeeds } from "./rail-needs.js";
import {
  isOpened,
  openInstructions,
  readVirtualAccountRow,
  type VirtualAccountRow,
  virtualAccountRows,
  writeVirtualAccount,
} from "./virtual-account-store.js";

/** Brings a virtual account to where the partner has it: see `PartnerObject.refresh`. Undefined: it is removed. */
export const refreshVirtualAccount = (
  needs: RailNeeds,
  network: Network,
  rails: Rails,
  id: string,
): Promise<VirtualAccountRow | undefined> => virtualAccountKind.refresh({ needs, network, rails }, id);

/**
 * What is believed of an answer. Money that is paid in there has to reach this account: bank details of anything else are
 * never in responses, and those that no longer lead here are not displayed as usable. Undefined: not to be written down at all.
 */
function trusted(
  { needs }: PartnerContext,
  row: VirtualAccountRow,
  reported: PartnerVirtualAccount,
): PartnerVirtualAccount | undefined {
  const leadsHere =
    reported.destination.address === row.account_address &&
    reported.destination.coin === row.coin &&
    reported.currency === row.currency &&
    (row.partner_ref === null || row.partner_ref === reported.ref);
  if (leadsHere) return reported;
  if (row.partner_ref === null || row.status === null) return undefined;
  needs.log.error(
    { event: "rail_virtual_account_redirected", ...factsOf(row) },
    "virtual account of a partner no longer pays the account it was opened for: it counts as deactivated",
  );
  return {
    ...reported,
    ref: row.partner_ref as PartnerRef,
    status: "deactivated",
    instructions: openInstructions(needs.keyring, row),
  };
}

/** What there was, of no use to a payer until the partner knows it again: it is still refreshed. */
function forgotten({ needs }: PartnerContext, row: VirtualAccountRow): PartnerVirtualAccount {
  if (row.status === "activated") {
    needs.log.error(
      { event: "rail_virtual_account_lost", ...factsOf(row) },
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

async function follow(context: PartnerContext, { id }: VirtualAccountRow): Promise<void> {
  const { needs, network, rails } = context;
  let row: VirtualAccountRow | undefined;
  try {
    row = await virtualAccountKind.refresh(context, id);
  } catch (error) {
    // It was said in the log, and there is no other to notify. Money under way is followed all the same.
    if (!(error instanceof TrellisError)) throw error;
    await planRefreshAt(needs, id);
    row = await readVirtualAccountRow(needs.db, id);
  }
  if (row === undefined || !isOpened(row) || row.partner !== rails.partner.name) return;
  await readDeposits(needs, network, rails, row);
}

const customerOf = (row: VirtualAccountRow) => row.customer_ref as PartnerRef;

/** Virtual accounts, with the money that they receive, as requests and the pass follow them. */
export const virtualAccountKind: PartnerObject<VirtualAccountRow> = defineObject<
  VirtualAccountRow,
  PartnerVirtualAccount
>({
  rows: virtualAccountRows,
  name: "virtual account",
  hints: ["virtual_account", "deposit"],
  begin: ({ rails }, row, signal) =>
    rails.partner.openVirtualAccount({
      idempotencyKey: row.operation_key,
      signal,
      customer: customerOf(row),
      from: row.currency as Fiat,
      to: row.coin as Coin,
      address: row.account_address,
    }),
  find: ({ rails }, row, signal) =>
    rails.partner.findVirtualAccount(
      { customer: customerOf(row), from: row.currency as Fiat, address: row.account_address },
      signal,
    ),
  read: ({ rails }, row, ref, signal) => rails.partner.readVirtualAccount({ customer: customerOf(row), ref }, signal),
  duplicate: "read",
  believe: trusted,
  forgotten,
  write: ({ needs, network }, row, reported) => writeVirtualAccount(needs, network, row, reported),
  endorsementOf: ({ rails }, row) => rails.partner.payIns.find(({ from }) => from === row.currency)?.endorsement,
  follow,
  refusedInPass: "fail",
  isMoving: isMoneyMoving,
});
