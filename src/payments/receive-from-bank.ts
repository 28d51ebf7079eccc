import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { AccountTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { getAccountRow, heldAccountAddress } from "../accounts/account-store.js";
import { getRails, orUnavailable } from "../rails/ask-partner.js";
import { requireCustomer } from "../rails/rail-customer.js";
import type { RailNeeds } from "../rails/rail-needs.js";
import { findTransferOf, readTransferRow, recordTransfer, type TransferRow } from "../rails/transfer-store.js";
import { beginTransfer, giveUp } from "../rails/transfers.js";
import { type OpeningNeeds, openTokenAccount } from "../transactions/open-token-account.js";
import { getCoin, getOffer, type MaybeBankEnd, parseFiat, parseFiatAmount, parseRail } from "./bank-end.js";
import type { IntentListener } from "./intent-listener.js";
import { findIntent } from "./intent-store.js";
import { type PaymentIntent, showIntent } from "./payment-intent.js";

export type PayInNeeds = RailNeeds & OpeningNeeds;

/** A payment from a bank to the account, as it is asked for. */
export interface WantedPayIn {
  readonly amount: string;
  readonly source: MaybeBankEnd & { readonly currency: string };
  readonly destination: { readonly address?: string | undefined; readonly currency?: string | undefined };
  readonly listener?: NonNullable<IntentListener["listener"]>;
}

/**
 * Opens a payment from a bank (gap 103): the partner says where the money has to be sent, and by which words it knows it.
 * The account's token account is there before the partner is asked. Nothing is signed. A repetition under the same idempotency key resumes where the first attempt stopped.
 */
export async function receiveFromBank(
  needs: PayInNeeds,
  network: Network,
  tenantId: string,
  address: string,
  wanted: WantedPayIn,
  operationId: string | undefined,
): Promise<{ readonly account: AccountTable; readonly intent: PaymentIntent }> {
  const rails = getRails(needs, network);
  const account = await getAccountRow(needs.db, { tenantId, environment: network.name, address });
  const known = await findTransferOf(needs.db, network, tenantId, operationId);
  const recorded = known ?? (await record(needs, network, account, wanted, operationId));
  if (recorded.answer === null) {
    const begun = await orUnavailable(beginTransfer(needs, network, rails, recorded.id));
    if (begun.told !== "awaiting_funds" || begun.instructions === null) {
      await giveUp(needs, begun.id);
      throw new TrellisError("partner_unavailable", {
        message: "The partner opened this transfer and does not wait for its money. Repeat the request.",
      });
    }
    await openIntent(needs, network, begun, wanted.listener);
  }
  const owner = { tenantId, accountAddress: address };
  const found = await findIntent(needs.db, network, owner, recorded.id);
  if (found === undefined) {
    const row = await readTransferRow(needs.db, recorded.id);
    assertOurs(row === undefined || row.answer === null, "an answered transfer has its payment intent");
    throw new TrellisError("partner_unavailable");
  }
  return { account, intent: showIntent(found, needs.keyring) };
}

/** One statement says that it is answered, and makes what is answered. */
async function openIntent(
  { db }: RailNeeds,
  network: Network,
  row: TransferRow,
  listener: WantedPayIn["listener"],
): Promise<void> {
  const now = Math.floor(network.clock.now());
  const source = { currency: row.fiat, payment_rail: row.rail };
  const account = { tenantId: row.tenant_id, environment: row.environment, address: row.account_address };
  const destination = { address: row.account_address, currency: row.coin };
  await sql`with remembered as (
      -- As in prepare-intent.ts: what its partner reported meanwhile counts, and an earlier reader reads it anew.
      update rail_transfer set answer = '{}', version = version + 1
      where id = ${row.id} and answer is null and given_up_at is null and told = 'awaiting_funds' returning id
    ) ${listener === undefined ? sql`` : sql`, heard as (${listener(row.id, now)})`}
    insert into payment_intent (id, tenant_id, environment, account_address, prepared_id, amount, currency, source,
      destination, state, rail, created_at, updated_at)
    select id, ${row.tenant_id}::text, ${row.environment}::text, ${heldAccountAddress(account)}, null, ${row.amount}::text,
      ${row.fiat}::text, ${JSON.stringify(source)}::text, ${JSON.stringify(destination)}::text, 'awaiting_funds', 'in',
      ${now}::int8, ${now}::int8
    from remembered`.execute(db);
}

async function record(
  needs: PayInNeeds,
  network: Network,
  account: AccountTable,
  { amount, source, destination }: WantedPayIn,
  operationId: string | undefined,
): Promise<TransferRow> {
  const { partner } = getRails(needs, network);
  const owner = { tenantId: account.tenant_id, environment: network.name, address: account.address };
  const fiat = parseFiat(source.currency, "source.currency");
  const rail = parseRail(source.payment_rail, "source.payment_rail");
  const parsed = parseFiatAmount(amount);
  if (destination.address !== undefined && destination.address !== account.address) {
    throw new TrellisError("invalid_request", {
      field: "destination.address",
      message: "Money from a bank is credited to the account of the path.",
    });
  }
  const asked =
    destination.currency === undefined ? undefined : getCoin(network, destination.currency, "destination.currency");
  const offer = getOffer(
    partner.payIns,
    ({ from, to }) => from === fiat && (asked === undefined || to.includes(asked.symbol)),
    rail,
    "source.payment_rail",
  );
  const [first] = offer.to;
  const coin = asked ?? getCoin(network, first ?? "", "destination.currency");
  const { customer, verificationId } = await requireCustomer(needs, network, owner, { endorsement: offer.endorsement });
  await openTokenAccount(needs, network, account, coin);
  return recordTransfer(needs, network, {
    account: { ...owner, userId: account.user_id },
    partner: partner.name,
    customer,
    verificationId,
    operationId,
    direction: "in",
    coin: coin.symbol,
    mint: coin.mint,
    decimals: coin.decimals,
    baseUnits: (parsed.cents * 10n ** BigInt(coin.decimals - 2)).toString(),
    fiat,
    rail,
    amount: parsed.amount,
  });
}
