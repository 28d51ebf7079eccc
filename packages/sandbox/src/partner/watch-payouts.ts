import { setImmediate } from "node:timers/promises";
import { type Address, address, type Signature } from "@solana/kit";
import type { Db, SimulatedPayoutAddressTable, Trx } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { BankRail, Coin, Fiat, Leg, PartnerRef } from "@trellis/kernel/ports/rails.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { decodeTokenAccount } from "@trellis/solana/token-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { type Selectable, sql } from "kysely";
import type { SimulatedBankAccount } from "./bank-accounts.js";
import { configuredMints, followedMax, type SimulatorParts } from "./parts.js";
import { formatCents, payoutPathOf, planSteps } from "./transfer-path.js";

export type PayoutAddressRow = Selectable<SimulatedPayoutAddressTable>;

const followedAtOnce = 100;
const signaturesInPage = 1_000;
/** Coins may still arrive at a closed address; so long after it was closed it is checked once a day. */
const closedFollowedMs = 30 * 86_400_000;
const rarelyMs = 86_400_000;

/** Checks whether coins have arrived. */
export async function followPayouts(parts: SimulatorParts): Promise<void> {
  const { db, network } = parts;
  const now = Math.floor(network.clock.now());
  const followed = await db
    .selectFrom("simulated_payout_address")
    .select("ref")
    .where("environment", "=", network.name)
    .where("mint", "in", configuredMints(network))
    .where(
      sql<boolean>`(not closed or closed_at > ${now - closedFollowedMs}::int8 or looked_at <= ${now - rarelyMs}::int8)`,
    )
    .orderBy("looked_at")
    .limit(followedMax)
    .execute();
  for (let from = 0; from < followed.length; from += followedAtOnce) {
    await followThese(
      parts,
      followed.slice(from, from + followedAtOnce).map(({ ref }) => ref),
    );
    // Other work of this process has a turn.
    await setImmediate();
  }
}

async function followThese(parts: SimulatorParts, refs: readonly string[]): Promise<void> {
  const { db, network } = parts;
  const rows = await db.selectFrom("simulated_payout_address").selectAll().where("ref", "in", refs).execute();
  await db
    .updateTable("simulated_payout_address")
    .set({ looked_at: BigInt(Math.floor(network.clock.now())) })
    .where("ref", "in", refs)
    .execute();
  const tokenAccounts = rows.map((row) => {
    const token = network.currencies.find(({ mint }) => mint === row.mint);
    if (token?.mint == null || token.tokenProgram == null) {
      throw new Error("the simulated partner moves configured tokens only");
    }
    return deriveTokenAccount(address(row.address), token.mint, token.tokenProgram);
  });
  const accounts = await readAccounts(network, tokenAccounts);
  for (const [at, row] of rows.entries()) {
    const [account, tokenAccount] = [accounts[at], tokenAccounts[at]];
    // Only the simulated partner could take anything out, and it does not.
    const amount = (account && decodeTokenAccount(account)?.amount) ?? 0n;
    if (tokenAccount === undefined || amount <= BigInt(row.held)) continue;
    let present: PayoutAddressRow | undefined = row;
    for (const signature of await unseenOf(network, tokenAccount, row)) {
      // Another process is at it.
      if (present === undefined) break;
      present = await take(parts, present, signature);
    }
  }
}

/** What was paid there and not read, the oldest first. */
async function unseenOf({ rpc }: Network, tokenAccount: Address, row: PayoutAddressRow): Promise<readonly Signature[]> {
  const all: Signature[] = [];
  for (;;) {
    const before = all.at(-1);
    const page = await askChain(
      rpc.getSignaturesForAddress(tokenAccount, {
        limit: signaturesInPage,
        ...(row.seen_signature === null ? {} : { until: row.seen_signature as Signature }),
        ...(before === undefined ? {} : { before }),
      }),
    );
    all.push(...page.map(({ signature }) => signature));
    if (page.length < signaturesInPage) return all.reverse();
  }
}

/** Turns what arrived with one payment on chain into a payout, and remembers that it was read, together. */
async function take(
  parts: SimulatorParts,
  row: PayoutAddressRow,
  signature: Signature,
): Promise<PayoutAddressRow | undefined> {
  const { db, network } = parts;
  const { received, payer } = await readPayment(network, row, signature);
  const decimals = network.currencies.find(({ mint }) => mint === row.mint)?.decimals ?? 6;
  const cents = received > 0n ? received / 10n ** BigInt(decimals - 2) : 0n;
  const held = (BigInt(row.held) + (received > 0n ? received : 0n)).toString();
  const isKnown = await isOpen(db, row);
  // What has no payer goes back to the address itself, and not again and again.
  const own = await db
    .selectFrom("simulated_transfer")
    .select("ref")
    .where("payout_address_ref", "=", row.ref)
    .where("destination_signature", "=", signature)
    .executeTakeFirst();
  return db.transaction().execute(async (trx) => {
    const after = await trx
      .updateTable("simulated_payout_address")
      .set({ held, seen_signature: signature })
      .where("ref", "=", row.ref)
      .where("seen_signature", "is not distinct from", row.seen_signature)
      .returningAll()
      .executeTakeFirst();
    if (after === undefined || cents === 0n || own !== undefined) return after;
    await insertPayout(trx, parts, row, { signature, received, payer, cents, isKnown });
    return after;
  });
}

/** What a payment on chain brought to an address, and from whom. */
async function readPayment(
  network: Network,
  row: PayoutAddressRow,
  signature: Signature,
): Promise<{ readonly received: bigint; readonly payer: string }> {
  const found = await askChain(
    network.rpc.getTransaction(signature, { encoding: "json", maxSupportedTransactionVersion: 0 }),
  );
  const moved = new Map<string, bigint>();
  for (const [balances, sign] of [
    [found?.meta?.preTokenBalances ?? [], -1n],
    [found?.meta?.postTokenBalances ?? [], 1n],
  ] as const) {
    for (const { owner, mint, uiTokenAmount } of balances) {
      if (owner === undefined || mint !== row.mint) continue;
      moved.set(owner, (moved.get(owner) ?? 0n) + sign * BigInt(uiTokenAmount.amount));
    }
  }
  const [payer] = [...moved].find(([, amount]) => amount < 0n) ?? [row.address];
  return { received: moved.get(row.address) ?? 0n, payer };
}

async function insertPayout(
  trx: Trx,
  { random, network, pace }: SimulatorParts,
  row: PayoutAddressRow,
  paid: {
    readonly signature: Signature;
    readonly received: bigint;
    readonly payer: string;
    readonly cents: bigint;
    readonly isKnown: boolean;
  },
): Promise<void> {
  const { signature, received, payer, cents, isKnown } = paid;
  const at = Math.floor(network.clock.now());
  const from: Leg = { kind: "solana", coin: row.coin as Coin, address: payer };
  const to: Leg = {
    kind: "bank",
    currency: row.fiat as Fiat,
    rail: row.rail as BankRail,
    account: row.bank_account_ref as PartnerRef,
  };
  const payout = { cents, rail: to.rail, coin: from.coin, currency: to.currency };
  const { steps, due_at } = planSteps(payoutPathOf(payout, isKnown), { since: at, pace });
  const ref = random.uuid();
  await sql`insert into simulated_transfer (ref, environment, customer_ref, operation_key, client_reference, direction,
      amount, coin, mint, base_units, from_leg, to_leg, watched, payout_address_ref, held, source_signature, state, steps,
      due_at, created_at, updated_at)
    values (${ref}, ${network.name}, ${row.customer_ref}, ${`${row.ref}/${signature}`}, ${row.ref}, 'out',
      ${formatCents(cents)}, ${row.coin}, ${row.mint}, ${received.toString()}, ${JSON.stringify(from)},
      ${JSON.stringify(to)}, ${row.address}, ${row.ref}, ${received.toString()}, ${signature}, 'awaiting_funds',
      ${steps}, ${due_at}, ${at}, ${at})`.execute(trx);
}

/** Whether coins are accepted there, for a bank account that is still known. */
export async function isOpen(db: Db, { closed, customer_ref, bank_account_ref }: PayoutAddressRow): Promise<boolean> {
  if (closed) return false;
  const { rows } = await sql<SimulatedBankAccount>`select ref from simulated_bank_account
    where ref = ${bank_account_ref} and customer_ref = ${customer_ref}`.execute(db);
  return rows.length > 0;
}
