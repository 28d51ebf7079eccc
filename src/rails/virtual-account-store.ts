import { Buffer } from "node:buffer";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { limits } from "@trellis/kernel/limits.js";
import type { DbOrTrx, RailVirtualAccountTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Coin, Fiat, PartnerRef, PartnerVirtualAccount } from "@trellis/kernel/ports/rails.js";
import { type Selectable, sql } from "kysely";
import type { Written } from "./partner-object.js";
import { partnerRows } from "./partner-rows.js";
import { nextRefreshAt, type RailAccount } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";
import { whileVerified } from "./verification-store.js";

export type VirtualAccountRow = Selectable<RailVirtualAccountTable>;

export const virtualAccountRows = partnerRows<VirtualAccountRow>("rail_virtual_account");

/** One that the partner has reported. */
export type OpenedVirtualAccount = VirtualAccountRow & {
  readonly partner_ref: string;
  readonly status: "activated" | "deactivated";
};

export const isOpened = (row: VirtualAccountRow): row is OpenedVirtualAccount =>
  row.partner_ref !== null && row.status !== null;

/** What the sealed column of a row is bound to. */
export const instructionsContext = (id: string): string => `rail_virtual_account/${id}/instructions`;

/** Names and values as a payer needs them. */
export function openInstructions(
  keyring: Keyring,
  row: Pick<VirtualAccountRow, "id" | "instructions">,
): Readonly<Record<string, string>> {
  if (row.instructions === null) return {};
  return JSON.parse(Buffer.from(keyring.unwrap(row.instructions, instructionsContext(row.id))).toString("utf8"));
}

/** What names an account to people without saying how to pay it. */
function last4Of(instructions: Readonly<Record<string, string>>): string | null {
  const { bank_account_number: usd, iban, account_number: gbp, clabe } = instructions;
  return (usd ?? iban ?? gbp ?? clabe)?.replaceAll(/\s/g, "").slice(-4) ?? null;
}

/** Anything else need not reach the database, which refuses some characters. */
const idForm = /^[0-9a-f-]{36}$/;

/** One of the account's own, by its id. */
export async function findVirtualAccount(
  db: DbOrTrx,
  account: RailAccount,
  id: string,
): Promise<VirtualAccountRow | undefined> {
  if (!idForm.test(id)) return undefined;
  return db
    .selectFrom("rail_virtual_account")
    .selectAll()
    .where("id", "=", id)
    .where("tenant_id", "=", account.tenantId)
    .where("environment", "=", account.environment)
    .where("account_address", "=", account.address)
    .executeTakeFirst();
}

/** One of the tenant's own, whosoever account it is for. */
export async function findVirtualAccountOfTenant(
  db: DbOrTrx,
  { tenantId, environment }: Omit<RailAccount, "address">,
  id: string,
): Promise<VirtualAccountRow | undefined> {
  if (!idForm.test(id)) return undefined;
  return db
    .selectFrom("rail_virtual_account")
    .selectAll()
    .where("id", "=", id)
    .where("tenant_id", "=", tenantId)
    .where("environment", "=", environment)
    .executeTakeFirst();
}

/** The one of a currency that an account has with a partner. */
export async function findVirtualAccountIn(
  db: DbOrTrx,
  account: RailAccount,
  partner: string,
  currency: string,
): Promise<VirtualAccountRow | undefined> {
  return db
    .selectFrom("rail_virtual_account")
    .selectAll()
    .where("environment", "=", account.environment)
    .where("account_address", "=", account.address)
    .where("currency", "=", currency)
    .where("partner", "=", partner)
    .where("tenant_id", "=", account.tenantId)
    .executeTakeFirst();
}

/** Those of an account that there are, the oldest first: one of a currency with each partner, so they are few. */
export async function listVirtualAccounts(
  db: DbOrTrx,
  account: RailAccount,
  filter: {
    readonly currency?: string | undefined;
    readonly coin?: string | undefined;
    readonly status?: "activated" | "deactivated" | undefined;
  },
): Promise<readonly OpenedVirtualAccount[]> {
  const rows = await db
    .selectFrom("rail_virtual_account")
    .selectAll()
    .where("environment", "=", account.environment)
    .where("account_address", "=", account.address)
    .where("tenant_id", "=", account.tenantId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const { currency, coin, status } = filter;
  return rows
    .filter(isOpened)
    .filter((row) => (currency ?? row.currency) === row.currency && (coin ?? row.coin) === row.coin)
    .filter((row) => (status ?? row.status) === row.status);
}

/** The row of an id, of any tenant: for passes. */
export const readVirtualAccountRow = virtualAccountRows.read;

/**
 * Records that one is wanted, before the partner hears of it; undefined: the account has one of this currency with the
 * partner, or is about to. Throws 403 `kyc_required` where the account's rail data was forgotten.
 */
export async function recordVirtualAccount(
  needs: RailNeeds,
  network: Network,
  wanted: {
    readonly account: RailAccount;
    readonly userId: string;
    readonly partner: string;
    readonly customer: PartnerRef;
    readonly verificationId: string;
    readonly currency: Fiat;
    readonly coin: Coin;
    readonly mint: string;
    readonly askedAs: string | undefined;
  },
): Promise<VirtualAccountRow | undefined> {
  const { account } = wanted;
  const now = BigInt(Math.floor(network.clock.now()));
  const realNow = BigInt(Math.floor(needs.realClock.now()));
  return whileVerified(needs.db, wanted.verificationId, (trx) =>
    trx
      .insertInto("rail_virtual_account")
      .values({
        id: needs.random.uuid(),
        tenant_id: account.tenantId,
        environment: account.environment,
        account_address: account.address,
        user_id: wanted.userId,
        partner: wanted.partner,
        partner_ref: null,
        customer_ref: wanted.customer,
        operation_key: needs.random.uuid(),
        operation_begun_at: realNow,
        asked_as: wanted.askedAs ?? null,
        currency: wanted.currency,
        coin: wanted.coin,
        mint: wanted.mint,
        status: null,
        rails: "[]",
        instructions: null,
        last4: null,
        fee_percent: null,
        deposits_after: null,
        active_since: realNow,
        look_at: realNow + BigInt(limits.railLeaseMs),
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.columns(["environment", "account_address", "currency", "partner"]).doNothing())
      .returningAll()
      .executeTakeFirst(),
  );
}

/** The same for the same names and values, in whatever order they are reported. */
const textOf = (instructions: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(instructions).sort());

/**
 * Writes down what the partner reported, with its event, if no other process wrote since `row` was read. `foreign`: the partner gives
 * what is another account's already, and nothing was written.
 */
export async function writeVirtualAccount(
  needs: RailNeeds,
  network: Network,
  row: VirtualAccountRow,
  reported: PartnerVirtualAccount,
): Promise<Written> {
  const { db, keyring } = needs;
  const now = Math.floor(network.clock.now());
  const realNow = Math.floor(needs.realClock.now());
  const known = textOf(openInstructions(keyring, row)) === textOf(reported.instructions);
  const isChanged =
    row.partner_ref === null ||
    row.status !== reported.status ||
    !known ||
    row.fee_percent !== reported.feePercent ||
    [...(JSON.parse(row.rails) as string[])].sort().join() !== [...reported.rails].sort().join();
  const activeSince = isChanged ? realNow : Number(row.active_since);
  // Moved in any case, also by a clock that stands: the event goes by it.
  const changedAt = !isChanged
    ? sql`updated_at`
    : row.partner_ref === null
      ? sql`${now}::int8`
      : sql`greatest(${now}::int8, updated_at + 1)`;
  const sealed =
    known && row.instructions !== null
      ? row.instructions
      : keyring.wrap(Buffer.from(JSON.stringify(reported.instructions)), instructionsContext(row.id));
  try {
    const { rows } =
      await sql`update rail_virtual_account set partner_ref = ${reported.ref}, status = ${reported.status},
        rails = ${JSON.stringify(reported.rails)}, instructions = ${sealed}::bytea, last4 = ${last4Of(reported.instructions)},
        fee_percent = ${reported.feePercent}, version = version + 1, active_since = ${activeSince}::int8,
        look_at = ${nextRefreshAt({ activeSince, isSettled: false }, realNow)}::int8,
        updated_at = ${changedAt}
      where id = ${row.id} and version = ${row.version}::int8 returning id`.execute(db);
    return await virtualAccountRows.outcomeOf(db, row.id, rows);
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === "rail_virtual_account_ref") return "foreign";
    throw error;
  }
}
