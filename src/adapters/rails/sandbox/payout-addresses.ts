import { createHmac } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type Address, address, type Signature } from "@solana/kit";
import { type Selectable, sql } from "kysely";
import { ed25519PublicKeyOf, importEd25519Seed } from "../../../kernel/crypto/ed25519.js";
import { isBefore } from "../../../kernel/page.js";
import { factsOf } from "../../../ports/coins.js";
import type { SimulatedPayoutAddressTable, SimulatedTransferTable } from "../../../ports/database.js";
import type {
  BankRail,
  Coin,
  Fiat,
  Leg,
  PartnerRef,
  Payout,
  PayoutAddress,
  RailsPartner,
  RailsSimulator,
  RailTransferState,
} from "../../../ports/rails.js";
import { addressOfBytes } from "../../../program-client/index.js";
import { askChain } from "../../../solana/ask-chain.js";
import { readAccounts } from "../../../solana/read-accounts.js";
import { decodeTokenAccount } from "../../../solana/token-accounts.js";
import { deriveTokenAccount } from "../../../solana/token-address.js";
import { refuse, type SimulatedBankAccount } from "./bank-accounts.js";
import { tellNews } from "./news.js";
import { configuredMints, type SimulatorParts, watchedMax } from "./parts.js";
import { centsOf, convert, formatCents, payoutPathOf, planSteps, rateOf, simulatedPayOuts } from "./transfer-path.js";
import { findSimulatedCustomer } from "./verifications.js";

type Row = Selectable<SimulatedPayoutAddressTable>;

const watchedAtOnce = 100;
const signaturesInPage = 1_000;
const payoutsInPage = 100;
/** Coins may still arrive at a closed address; so long after it was closed it is checked once a day. */
const closedWatchedMs = 30 * 86_400_000;
const rarelyMs = 86_400_000;

/** The part of the simulated partner that takes coins at permanent addresses; what became of them are transfers of it. */
export interface SimulatedPayouts {
  readonly partner: Pick<RailsPartner, "openPayoutAddress" | "findPayoutAddress" | "readPayoutAddress" | "listPayouts">;
  readonly simulator: Pick<RailsSimulator, "closePayoutAddress">;
  /** Checks whether coins have arrived. */
  watch(): Promise<void>;
}

export function createSimulatedPayouts(parts: SimulatorParts): SimulatedPayouts {
  const { db, keyring, random, network, pace } = parts;
  const now = () => Math.floor(network.clock.now());
  const secret = keyring.deriveSecret("simulated-payout-address");

  /** The same for the same bank account, coin, rail and number: its key follows from them and is nowhere. */
  const ownAddress = (...names: readonly string[]): Address => {
    const seed = createHmac("sha256", secret)
      .update(JSON.stringify([network.name, ...names]))
      .digest();
    return addressOfBytes(ed25519PublicKeyOf(importEd25519Seed(seed)));
  };

  const isOpen = async ({ closed, customer_ref, bank_account_ref }: Row): Promise<boolean> => {
    if (closed) return false;
    const { rows } = await sql<SimulatedBankAccount>`select ref from simulated_bank_account
      where ref = ${bank_account_ref} and customer_ref = ${customer_ref}`.execute(db);
    return rows.length > 0;
  };

  const show = async (row: Row): Promise<PayoutAddress> => ({
    ref: row.ref as PartnerRef,
    customer: row.customer_ref as PartnerRef,
    bankAccount: row.bank_account_ref as PartnerRef,
    currency: row.fiat as Fiat,
    rail: row.rail as BankRail,
    coin: row.coin as Coin,
    address: row.address,
    status: (await isOpen(row)) ? "activated" : "deactivated",
    // The payer gets it back.
    returnAddress: null,
    createdAt: Number(row.created_at),
  });

  /** Turns what arrived with one payment on chain into a payout, and remembers that it was checked, together. */
  const take = async (row: Row, signature: Signature): Promise<Row | undefined> => {
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
    const received = moved.get(row.address) ?? 0n;
    const [payer] = [...moved].find(([, amount]) => amount < 0n) ?? [row.address];
    const decimals = network.currencies.find(({ mint }) => mint === row.mint)?.decimals ?? 6;
    const cents = received > 0n ? received / 10n ** BigInt(decimals - 2) : 0n;
    const held = (BigInt(row.held) + (received > 0n ? received : 0n)).toString();
    const at = now();
    const isKnown = await isOpen(row);
    // What no payer sent goes back to the address itself, and not again and again.
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
      return after;
    });
  };

  /** What was paid there and not checked, the oldest first. */
  const unseenOf = async (tokenAccount: Address, row: Row): Promise<readonly Signature[]> => {
    const all: Signature[] = [];
    for (;;) {
      const before = all.at(-1);
      const page = await askChain(
        network.rpc.getSignaturesForAddress(tokenAccount, {
          limit: signaturesInPage,
          ...(row.seen_signature === null ? {} : { until: row.seen_signature as Signature }),
          ...(before === undefined ? {} : { before }),
        }),
      );
      all.push(...page.map(({ signature }) => signature));
      if (page.length < signaturesInPage) return all.reverse();
    }
  };

  const watchThese = async (refs: readonly string[]): Promise<void> => {
    const rows = await db.selectFrom("simulated_payout_address").selectAll().where("ref", "in", refs).execute();
    await db
      .updateTable("simulated_payout_address")
      .set({ looked_at: BigInt(now()) })
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
      let present: Row | undefined = row;
      for (const signature of await unseenOf(tokenAccount, row)) {
        // Another process is at it.
        if (present === undefined) break;
        present = await take(present, signature);
      }
    }
  };

  return {
    partner: {
      openPayoutAddress: async ({ idempotencyKey, customer, bankAccount, currency, rail, coin }) => {
        const find = () =>
          db
            .selectFrom("simulated_payout_address")
            .selectAll()
            .where("environment", "=", network.name)
            .where("customer_ref", "=", customer)
            .where("bank_account_ref", "=", bankAccount)
            .where("coin", "=", coin)
            .where("rail", "=", rail)
            .where("closed", "=", false)
            .executeTakeFirst();
        const before = await find();
        if (before !== undefined) return { ok: true, value: await show(before) };
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
        const { number } = await db
          .selectFrom("simulated_payout_address")
          .select(sql<number>`count(*)::int4`.as("number"))
          .where("environment", "=", network.name)
          .where("customer_ref", "=", customer)
          .where("bank_account_ref", "=", bankAccount)
          .where("coin", "=", coin)
          .where("rail", "=", rail)
          .executeTakeFirstOrThrow();
        const names = [customer, bankAccount, coin, rail, ...(number === 0 ? [] : [String(number)])];
        await sql`insert into simulated_payout_address (ref, environment, customer_ref, operation_key, bank_account_ref, coin,
            mint, fiat, rail, address, number, created_at)
          values (${random.uuid()}, ${network.name}, ${customer}, ${idempotencyKey}, ${bankAccount}, ${coin}, ${token.mint},
            ${currency}, ${rail}, ${ownAddress(...names)}, ${number}, ${now()})
          on conflict do nothing`.execute(db);
        const row = await find();
        return row === undefined
          ? refuse("wrong_state", "the key was used for something else")
          : { ok: true, value: await show(row) };
      },
      findPayoutAddress: async ({ customer, bankAccount, rail, coin }) => {
        const row = await db
          .selectFrom("simulated_payout_address")
          .selectAll()
          .where("environment", "=", network.name)
          .where("customer_ref", "=", customer)
          .where("bank_account_ref", "=", bankAccount)
          .where("coin", "=", coin)
          .where("rail", "=", rail)
          .orderBy("number", "desc")
          .executeTakeFirst();
        return { ok: true, value: row === undefined ? null : await show(row) };
      },
      readPayoutAddress: async ({ customer, ref }) => {
        const row = await db
          .selectFrom("simulated_payout_address")
          .selectAll()
          .where("ref", "=", ref)
          .where("customer_ref", "=", customer)
          .executeTakeFirst();
        return row === undefined ? refuse("not_found", "no such payout address") : { ok: true, value: await show(row) };
      },
      listPayouts: async ({ payoutAddress, after }) => {
        const [createdAt, ref] = (after ?? "").split("/");
        let query = db.selectFrom("simulated_transfer").selectAll().where("payout_address_ref", "=", payoutAddress);
        if (createdAt !== undefined && ref !== undefined) {
          query = query.where(isBefore({ created_at: BigInt(createdAt), ref }));
        }
        const rows = await query.orderBy("created_at", "desc").orderBy("ref", "desc").limit(payoutsInPage).execute();
        const last = rows.length < payoutsInPage ? undefined : rows.at(-1);
        const next = last === undefined ? null : `${last.created_at}/${last.ref}`;
        return { ok: true, value: { payouts: rows.map(showPayout), next } };
      },
    },
    simulator: {
      closePayoutAddress: async (ref) => {
        await db.transaction().execute(async (trx) => {
          const { numUpdatedRows } = await trx
            .updateTable("simulated_payout_address")
            .set({ closed: true, closed_at: BigInt(now()) })
            .where("ref", "=", ref)
            .where("closed", "=", false)
            .executeTakeFirst();
          if (numUpdatedRows === 0n) return;
          await tellNews(trx, network.name, [{ eventId: random.uuid(), kind: "payout_address", ref, at: now() }]);
        });
      },
    },
    watch: async () => {
      const watched = await db
        .selectFrom("simulated_payout_address")
        .select("ref")
        .where("environment", "=", network.name)
        .where("mint", "in", configuredMints(network))
        .where(
          sql<boolean>`(not closed or closed_at > ${now() - closedWatchedMs}::int8 or looked_at <= ${now() - rarelyMs}::int8)`,
        )
        .orderBy("looked_at")
        .limit(watchedMax)
        .execute();
      for (let from = 0; from < watched.length; from += watchedAtOnce) {
        await watchThese(watched.slice(from, from + watchedAtOnce).map(({ ref }) => ref));
        // Other work of this process has a turn.
        await setImmediate();
      }
    },
  };
}

/** Where a caller does not want it. */
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
