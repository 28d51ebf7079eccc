import { createHmac } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type Address, address } from "@solana/kit";
import { type Selectable, sql } from "kysely";
import { ed25519PublicKeyOf, importEd25519Seed } from "../../../kernel/crypto/ed25519.js";
import { limits } from "../../../kernel/limits.js";
import { factsOf } from "../../../ports/coins.js";
import type { SimulatedTransferTable } from "../../../ports/database.js";
import type { Currency } from "../../../ports/network.js";
import {
  type Coin,
  type Leg,
  type PartnerRef,
  PartnerUnavailable,
  type RailsPartner,
  type RailsSimulator,
  type RailTransfer,
  type RailTransferState,
} from "../../../ports/rails.js";
import { addressOfBytes } from "../../../program-client/index.js";
import { askChain } from "../../../solana/ask-chain.js";
import { readAccounts } from "../../../solana/read-accounts.js";
import { decodeTokenAccount } from "../../../solana/token-accounts.js";
import { deriveTokenAccount } from "../../../solana/token-address.js";
import { references, whyNotReference } from "../bank-reference.js";
import { createSimulatedBankAccounts, refuse, type SimulatedBankAccount } from "./bank-accounts.js";
import { restOf } from "./bank-details.js";
import { tellNews } from "./news.js";
import { configuredMints, type SimulatorParts, watchedMax } from "./parts.js";
import { createSimulatedPayouts } from "./payout-addresses.js";
import { takeBack } from "./take-back.js";
import {
  centsOf,
  convert,
  formatCents,
  pathOf,
  planSteps,
  rateOf,
  type Step,
  simulatedPayOuts,
  stepsTo,
} from "./transfer-path.js";
import { findSimulatedCustomer } from "./verifications.js";

type Row = Selectable<SimulatedTransferTable>;
type BankLeg = Extract<Leg, { kind: "bank" }>;
type ChainLeg = Extract<Leg, { kind: "solana" }>;

const batch = 100;
/** Steps that follow each other at once, at most, in one play. */
const roundsMax = 20;

/** The part of the simulated partner that knows bank accounts and moves money once. */
export interface SimulatedTransfers {
  readonly partner: Pick<
    RailsPartner,
    | "payOuts"
    | "addBankAccount"
    | "readBankAccount"
    | "removeBankAccount"
    | "createTransfer"
    | "findTransfer"
    | "readTransfer"
    | "cancelTransfer"
    | "openPayoutAddress"
    | "findPayoutAddress"
    | "readPayoutAddress"
    | "listPayouts"
  >;
  readonly simulator: Pick<RailsSimulator, "setTransfer" | "closePayoutAddress">;
  /** Lets happen what is due by the environment's clock, or was seen on chain. */
  play(): Promise<void>;
}

/** Makes it. What it pays on chain bears the name of the transfer, so that it is paid once however often it is tried. */
export function createSimulatedTransfers(parts: SimulatorParts): SimulatedTransfers {
  const { db, keyring, random, log, network, pace } = parts;
  const now = () => Math.floor(network.clock.now());
  const secret = keyring.deriveSecret("simulated-pay-out");
  const payouts = createSimulatedPayouts(parts);
  const find = (ref: string): Promise<Row | undefined> =>
    db.selectFrom("simulated_transfer").selectAll().where("ref", "=", ref).executeTakeFirst();

  const currencyOf = (mint: string): Currency & { mint: Address; tokenProgram: Address } => {
    const found = network.currencies.find((currency) => currency.mint === mint);
    if (found === undefined || found.mint === null || found.tokenProgram === null) {
      throw new Error("the simulated partner moves configured tokens only");
    }
    return { ...found, mint: found.mint, tokenProgram: found.tokenProgram };
  };
  const mint = async (to: string, mintOf: string, amount: bigint, name: string): Promise<string> => {
    if (network.sandbox === undefined) throw new Error("the simulated partner lives in the sandbox");
    try {
      return await network.sandbox.mintTo(address(to), address(mintOf), amount, name);
    } catch (error) {
      throw new PartnerUnavailable("the sandbox's chain did not take a payment of the simulated partner", undefined, {
        cause: error,
      });
    }
  };
  /** Where the coins of a pay-out are accepted: an address of its own, whose key follows from its ref and is nowhere. */
  const ownAddress = (ref: string): Address => {
    const seed = createHmac("sha256", secret).update(ref).digest();
    return addressOfBytes(ed25519PublicKeyOf(importEd25519Seed(seed)));
  };
  const tokenAccountOf = (row: Row): Address => {
    const { mint: token, tokenProgram } = currencyOf(row.mint);
    return deriveTokenAccount(address(row.watched ?? ""), token, tokenProgram);
  };

  /** Changes a row that still stands where it was read, and reports it, together. */
  const change = async (row: Row, set: Partial<Row>, isNews = true): Promise<void> => {
    await db.transaction().execute(async (trx) => {
      const at = now();
      const { numUpdatedRows } = await trx
        .updateTable("simulated_transfer")
        .set({ ...set, updated_at: BigInt(at) })
        .where("ref", "=", row.ref)
        .where("state", "=", row.state)
        .where("steps", "=", row.steps)
        .executeTakeFirst();
      if (numUpdatedRows === 0n || !isNews) return;
      const cents = (centsOf(row.amount) ?? 0n) % 100n;
      const news = {
        eventId: random.uuid(),
        kind: row.payout_address_ref === null ? ("transfer" as const) : ("payout_address" as const),
        ref: row.payout_address_ref ?? row.ref,
        at: cents === 7n ? at - 3_600_000 : at,
      };
      await tellNews(trx, network.name, cents === 6n ? [news, news] : [news]);
    });
  };
  const railOf = (row: Row): BankLeg["rail"] => bankLegOf(row).rail;
  const planned = (steps: readonly Step[], since: number) => planSteps(steps, { since, pace });

  const awaited = () =>
    db
      .selectFrom("simulated_transfer")
      .where("environment", "=", network.name)
      .where("direction", "=", "out")
      .where("mint", "in", configuredMints(network))
      .where("held", "is", null)
      .where("state", "in", ["awaiting_funds", "in_review"]);

  /** Checks whether the coins of pay-outs have arrived. Of all of them, those that were not checked for longest first. */
  const watch = async (): Promise<void> => {
    const waiting = await awaited().select("ref").orderBy("looked_at").limit(watchedMax).execute();
    for (let from = 0; from < waiting.length; from += batch) {
      await watchThese(waiting.slice(from, from + batch).map(({ ref }) => ref));
      // Other work of this process has a turn.
      await setImmediate();
    }
  };

  /** Exactly the coins of one, or it is in review until they are. */
  const watchThese = async (refs: readonly string[]): Promise<void> => {
    const rows = await awaited().selectAll().where("ref", "in", refs).execute();
    if (rows.length === 0) return;
    await db
      .updateTable("simulated_transfer")
      .set({ looked_at: BigInt(now()) })
      .where("ref", "in", refs)
      .execute();
    const accounts = await readAccounts(network, rows.map(tokenAccountOf));
    for (const [at, row] of rows.entries()) {
      const account = accounts[at];
      const amount = (account && decodeTokenAccount(account)?.amount) ?? 0n;
      if (amount === 0n) continue;
      if (amount.toString() !== row.base_units) {
        if (row.state === "awaiting_funds") await change(row, { state: "in_review" });
        continue;
      }
      const [entry] = await askChain(network.rpc.getSignaturesForAddress(tokenAccountOf(row), { limit: 1 }));
      const path = pathOf({ ...row, rail: railOf(row) });
      const source_signature = entry?.signature ?? null;
      await change(row, { held: row.base_units, source_signature, ...planned(path, now()) }, false);
    }
  };

  /** Takes the next step of what is due; says how many there were. */
  const step = async (): Promise<number> => {
    const rows = await db
      .selectFrom("simulated_transfer")
      .selectAll()
      .where("environment", "=", network.name)
      .where("due_at", "<=", BigInt(now()))
      .orderBy("due_at")
      .limit(batch)
      .execute();
    for (const row of rows) {
      const [next, ...rest] = JSON.parse(row.steps) as Step[];
      if (next === undefined) continue;
      try {
        const isRefused = isPayment(row, next.state) && row.tries >= limits.simulatedPaymentTries;
        const paid = isRefused ? await takeBack(network, row.mint, payInName(row)) : undefined;
        if (isRefused && paid === undefined) await change(row, { state: "refunded", ...planned([], now()) });
        else {
          // A clock that was moved by days lets all that happen that falls into them.
          const since = Number(row.due_at ?? now());
          const money = paid === undefined ? await moneyOf(row, next.state) : { destination_signature: paid };
          await change(row, { ...money, state: next.state, ...planned(rest, since) });
        }
      } catch (error) {
        if (!(error instanceof PartnerUnavailable)) throw error;
        // The others are not kept waiting for it.
        log.warn({ error, transfer: row.ref }, "the sandbox's chain does not take a payment");
        const due_at = BigInt(now() + restOf(now() - Number(row.created_at)));
        await change(row, { due_at, tries: row.tries + 1 }, false);
      }
    }
    return rows.length;
  };

  const isPayment = (row: Row, state: RailTransferState): boolean =>
    row.direction === "in" && state === "payment_submitted" && row.destination_signature === null;
  const payInName = ({ ref }: Row): string => `rails/${ref}/pay-in`;

  /** What a step moves on chain, before anybody hears of it. */
  const moneyOf = async (row: Row, state: RailTransferState): Promise<Partial<Row>> => {
    if (isPayment(row, state)) {
      const { address: payee } = JSON.parse(row.to_leg) as ChainLeg;
      const destination_signature = await mint(payee, row.mint, BigInt(row.base_units), payInName(row));
      return { destination_signature };
    }
    if (row.direction === "out" && state === "refunded" && row.held !== null) {
      const { address: payer } = JSON.parse(row.from_leg) as ChainLeg;
      const destination_signature = await mint(payer, row.mint, BigInt(row.held), `rails/${row.ref}/refund`);
      return { destination_signature };
    }
    return {};
  };

  const play = async (): Promise<void> => {
    await watch();
    await payouts.watch();
    for (let round = 0; round < roundsMax; round += 1) if ((await step()) === 0) return;
  };

  return {
    partner: {
      payOuts: simulatedPayOuts,
      ...createSimulatedBankAccounts(parts),
      ...payouts.partner,
      createTransfer: async (request) => {
        const { idempotencyKey, customer, clientReference, amount, from, to } = request;
        const isOut = from.kind === "solana";
        const [bank, chain] = isOut ? [to as BankLeg, from] : [from as BankLeg, to as ChainLeg];
        if (bank.kind !== "bank" || chain.kind !== "solana") return refuse("unsupported_pair", "a bank and a chain");
        const known = await findSimulatedCustomer(db, customer);
        const offer = isOut
          ? simulatedPayOuts.find((pay) => pay.to === bank.currency && pay.from.includes(chain.coin))
          : simulatedPayOuts.find((pay) => pay.to === bank.currency && factsOf(chain.coin).standsFor === bank.currency);
        const before = await db
          .selectFrom("simulated_transfer")
          .selectAll()
          .where("operation_key", "=", idempotencyKey)
          .executeTakeFirst();
        if (before === undefined) {
          if (known === null) return refuse("not_found", "no such customer");
          if (offer === undefined || !offer.rails.includes(bank.rail)) return refuse("unsupported_pair", "not offered");
          if (known.status !== "approved") return refuse("verification_required", "not approved");
          if (known.terms !== "approved") return refuse("terms_required", "terms are not accepted");
          if (known.endorsements[offer.endorsement] === "revoked") return refuse("endorsement_required", "revoked");
          const why = isOut && bank.reference !== undefined ? whyNotReference(bank.rail, bank.reference) : undefined;
          if (why !== undefined) return refuse("invalid_details", why, references[bank.rail].name);
          const cents = centsOf(amount);
          if (cents === undefined || cents < (centsOf(offer.minimum) ?? 0n)) {
            return refuse("amount_out_of_range", `at least ${offer.minimum}`, "amount");
          }
          if (cents > limits.simulatedPaymentMaxCents) return refuse("amount_out_of_range", "too much", "amount");
          if (isOut && (await findBankAccount(bank.account ?? "", customer)) === undefined) {
            return refuse("not_found", "no such bank account", "external_account_id");
          }
        }
        const currency = network.currencies.find(({ symbol }) => symbol === chain.coin);
        if (currency?.mint == null) return refuse("unsupported_pair", "no such coin here");
        const ref = random.uuid();
        const at = now();
        const baseUnits = (centsOf(amount) ?? 0n) * 10n ** BigInt(currency.decimals - 2);
        await sql`insert into simulated_transfer (ref, environment, customer_ref, operation_key, client_reference, direction,
            amount, coin, mint, base_units, from_leg, to_leg, watched, state, created_at, updated_at)
          values (${ref}, ${network.name}, ${customer}, ${idempotencyKey}, ${clientReference}, ${isOut ? "out" : "in"},
            ${amount}, ${chain.coin}, ${currency.mint}, ${baseUnits.toString()}, ${legText(from)}, ${legText(to)},
            ${isOut ? ownAddress(ref) : null}, 'awaiting_funds', ${at}, ${at})
          on conflict (operation_key) do nothing`.execute(db);
        const row = await db
          .selectFrom("simulated_transfer")
          .selectAll()
          .where("operation_key", "=", idempotencyKey)
          .executeTakeFirstOrThrow();
        // The payer need not open the account that is paid.
        if (row.watched !== null) await mint(row.watched, row.mint, 0n, `rails/${row.ref}/open`);
        return { ok: true, value: show(row) };
      },
      findTransfer: async ({ customer, clientReference, since }) => {
        const row = await db
          .selectFrom("simulated_transfer")
          .selectAll()
          .where("customer_ref", "=", customer)
          .where("client_reference", "=", clientReference)
          .where("created_at", ">=", BigInt(Math.floor(since)))
          .executeTakeFirst();
        return { ok: true, value: row === undefined ? null : show(row) };
      },
      readTransfer: async (ref) => {
        const row = await find(ref);
        return row === undefined ? refuse("not_found", "no such transfer") : { ok: true, value: show(row) };
      },
      cancelTransfer: async ({ ref }) => {
        const row = await find(ref);
        if (row === undefined) return refuse("not_found", "no such transfer");
        if (row.state === "awaiting_funds" && row.held === null) await change(row, { state: "canceled" });
        const after = (await find(ref)) ?? row;
        return after.state === "canceled"
          ? { ok: true, value: show(after) }
          : refuse("wrong_state", `it is ${after.state}`);
      },
    },
    simulator: {
      ...payouts.simulator,
      setTransfer: async (ref, state) => {
        await watchThese([ref]);
        const row = await find(ref);
        if (row === undefined) return false;
        if (row.state === state) return true;
        const held = row.held !== null || (row.direction === "in" && row.state !== "awaiting_funds");
        const steps = stepsTo({ ...row, rail: railOf(row) }, state, held);
        if (steps === undefined) return false;
        const isArrival = row.direction === "in" && state === "funds_received";
        // A payment from a bank that arrives goes its own way, into a review first where its cents say so.
        const path = pathOf({ ...row, rail: railOf(row) });
        const way = row.state === "awaiting_funds" ? path : path.slice(path.findIndex((one) => one.state === state));
        const plan = isArrival ? way : steps;
        await change(row, { steps: JSON.stringify(plan), due_at: BigInt(now()) }, false);
        await play();
        return true;
      },
    },
    play,
  };

  async function findBankAccount(ref: string, customer: string): Promise<SimulatedBankAccount | undefined> {
    const { rows } = await sql<SimulatedBankAccount>`select * from simulated_bank_account
      where ref = ${ref} and customer_ref = ${customer}`.execute(db);
    return rows[0];
  }
}

/** Without what a statement says: nothing here reads it. */
const legText = (leg: Leg): string =>
  JSON.stringify({ ...leg, ...(leg.kind === "bank" ? { reference: undefined } : {}) });

const bankLegOf = (row: Row): BankLeg => JSON.parse(row.direction === "out" ? row.to_leg : row.from_leg) as BankLeg;

/** What the partner reports of it. Details that could never be real. */
function show(row: Row): RailTransfer {
  const bank = bankLegOf(row);
  const peg = factsOf(row.coin as Coin).standsFor;
  const cents = centsOf(row.amount) ?? 0n;
  const isOut = row.direction === "out";
  const isOver = row.state === "payment_processed";
  const final = isOut ? formatCents(convert(cents, peg, bank.currency)) : row.amount;
  return {
    ref: row.ref as PartnerRef,
    clientReference: row.client_reference,
    state: row.state as RailTransferState,
    amount: row.amount,
    from: JSON.parse(row.from_leg) as Leg,
    to: JSON.parse(row.to_leg) as Leg,
    instructions: isOut
      ? {
          payment_rail: "solana",
          currency: row.coin,
          amount: row.amount,
          from_address: (JSON.parse(row.from_leg) as ChainLeg).address,
          to_address: row.watched ?? "",
        }
      : {
          payment_rail: bank.rail,
          currency: bank.currency,
          amount: row.amount,
          deposit_message: `SBX${row.ref.replaceAll("-", "").slice(0, 16).toUpperCase()}`,
          bank_name: "SANDBOX - DO NOT PAY",
          bank_address: "1 Nowhere Street, Sandbox",
          bank_beneficiary_name: "SANDBOX - DO NOT PAY",
          bank_beneficiary_address: "1 Nowhere Street, Sandbox",
          ...numbersOf(bank.currency),
        },
    receipt: {
      initial_amount: row.amount,
      subtotal_amount: row.amount,
      developer_fee: "0.00",
      exchange_fee: "0.00",
      gas_fee: "0.00",
      exchange_rate: isOut ? rateOf(peg, bank.currency) : "1",
      ...(isOver ? { final_amount: final } : {}),
      ...(row.source_signature === null ? {} : { source_tx_hash: row.source_signature }),
      ...(row.destination_signature === null ? {} : { destination_tx_hash: row.destination_signature }),
    },
    returned:
      row.state === "returned" || row.state === "undeliverable" ? { reason: "The sandbox's bank sent it back." } : null,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}

/** Checksums that are wrong, so that no bank takes them. */
function numbersOf(currency: BankLeg["currency"]): Record<string, string> {
  switch (currency) {
    case "usd":
      return { bank_routing_number: "000000001", bank_account_number: "000000000000" };
    case "eur":
      return { iban: "XX00SANDBOX000000000000", bic: "SANDXX00" };
    case "gbp":
      return { sort_code: "000000", account_number: "00000000" };
    case "mxn":
      return { clabe: "000000000000000001" };
    case "brl":
      return { br_code: "SANDBOX" };
  }
}
