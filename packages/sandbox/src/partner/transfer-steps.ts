import { setImmediate } from "node:timers/promises";
import { type Address, address } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { SimulatedTransferTable } from "@trellis/kernel/ports/database.js";
import type { Currency, Network } from "@trellis/kernel/ports/network.js";
import { type Leg, PartnerUnavailable, type RailTransferState } from "@trellis/kernel/ports/rails.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { decodeTokenAccount } from "@trellis/solana/token-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import type { Selectable } from "kysely";
import { restOf } from "./bank-details.js";
import { magicOfTransfer } from "./magic-cents.js";
import { reportNews } from "./news.js";
import { configuredMints, followedMax, type SimulatorParts } from "./parts.js";
import { takeBack } from "./take-back.js";
import { centsOf, pathOf, planSteps, type Step } from "./transfer-path.js";

export type TransferRow = Selectable<SimulatedTransferTable>;
export type BankLeg = Extract<Leg, { kind: "bank" }>;
export type ChainLeg = Extract<Leg, { kind: "solana" }>;

const batch = 100;
/** Steps that follow each other at once, at most, in one play. */
const roundsMax = 20;
/** How long ago news that arrives late says that it happened. */
const lateMs = 3_600_000;

export const bankLegOf = (row: TransferRow): BankLeg =>
  JSON.parse(row.direction === "out" ? row.to_leg : row.from_leg) as BankLeg;

/** Lets happen what is due by the environment's clock, or was seen on chain. `followOthers`: what else follows the chain. */
export async function playTransfers(parts: SimulatorParts, followOthers: () => Promise<void>): Promise<void> {
  await followTransfers(parts);
  await followOthers();
  for (let round = 0; round < roundsMax; round += 1) if ((await takeSteps(parts)) === 0) return;
}

/** Changes a row that still stands where it was read, and reports it, together; how often and when its cents say. */
export async function changeTransfer(
  { db, random, network }: SimulatorParts,
  row: TransferRow,
  set: Partial<TransferRow>,
  isNews = true,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const at = Math.floor(network.clock.now());
    const { numUpdatedRows } = await trx
      .updateTable("simulated_transfer")
      .set({ ...set, updated_at: BigInt(at) })
      .where("ref", "=", row.ref)
      .where("state", "=", row.state)
      .where("steps", "=", row.steps)
      .executeTakeFirst();
    if (numUpdatedRows === 0n || !isNews) return;
    const how = magicOfTransfer(centsOf(row.amount) ?? 0n)?.news;
    const news = {
      eventId: random.uuid(),
      kind: row.payout_address_ref === null ? ("transfer" as const) : ("payout_address" as const),
      ref: row.payout_address_ref ?? row.ref,
      at: how === "late" ? at - lateMs : at,
    };
    await reportNews(trx, network.name, how === "twice" ? [news, news] : [news]);
  });
}

/** Payments to a bank whose coins have not arrived. */
const awaited = ({ db, network }: SimulatorParts) =>
  db
    .selectFrom("simulated_transfer")
    .where("environment", "=", network.name)
    .where("direction", "=", "out")
    .where("mint", "in", configuredMints(network))
    .where("held", "is", null)
    .where("state", "in", ["awaiting_funds", "in_review"]);

/** Checks whether the coins of pay-outs have arrived. Of all of them, those that were not checked for longest first. */
async function followTransfers(parts: SimulatorParts): Promise<void> {
  const waiting = await awaited(parts).select("ref").orderBy("looked_at").limit(followedMax).execute();
  for (let from = 0; from < waiting.length; from += batch) {
    await followThese(
      parts,
      waiting.slice(from, from + batch).map(({ ref }) => ref),
    );
    // Other work of this process has a turn.
    await setImmediate();
  }
}

/** Exactly the coins of one, or it is in review until they are. */
export async function followThese(parts: SimulatorParts, refs: readonly string[]): Promise<void> {
  const { db, network, pace } = parts;
  const now = Math.floor(network.clock.now());
  const rows = await awaited(parts).selectAll().where("ref", "in", refs).execute();
  if (rows.length === 0) return;
  await db
    .updateTable("simulated_transfer")
    .set({ looked_at: BigInt(now) })
    .where("ref", "in", refs)
    .execute();
  const accounts = await readAccounts(
    network,
    rows.map((row) => tokenAccountOf(network, row)),
  );
  for (const [at, row] of rows.entries()) {
    const account = accounts[at];
    const amount = (account && decodeTokenAccount(account)?.amount) ?? 0n;
    if (amount === 0n) continue;
    if (amount.toString() !== row.base_units) {
      if (row.state === "awaiting_funds") await changeTransfer(parts, row, { state: "in_review" });
      continue;
    }
    const [entry] = await askChain(network.rpc.getSignaturesForAddress(tokenAccountOf(network, row), { limit: 1 }));
    const path = pathOf({ ...row, rail: bankLegOf(row).rail });
    const source_signature = entry?.signature ?? null;
    await changeTransfer(
      parts,
      row,
      { held: row.base_units, source_signature, ...planSteps(path, { since: Math.floor(network.clock.now()), pace }) },
      false,
    );
  }
}

/** Takes the next step of what is due; says how many there were. */
async function takeSteps(parts: SimulatorParts): Promise<number> {
  const { db, log, network } = parts;
  const now = () => Math.floor(network.clock.now());
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
      await takeStep(parts, row, next, rest);
    } catch (error) {
      if (!(error instanceof PartnerUnavailable)) throw error;
      // The others are not kept waiting for it.
      log.warn({ event: "sandbox_payment_refused", err: error, transfer: row.ref }, "sandbox chain refused a payment");
      const due_at = BigInt(now() + restOf(now() - Number(row.created_at)));
      await changeTransfer(parts, row, { due_at, tries: row.tries + 1 }, false);
    }
  }
  return rows.length;
}

async function takeStep(parts: SimulatorParts, row: TransferRow, next: Step, rest: readonly Step[]): Promise<void> {
  const { network, pace } = parts;
  const now = () => Math.floor(network.clock.now());
  const isRefused = isPayment(row, next.state) && row.tries >= limits.simulatedPaymentTries;
  const paid = isRefused ? await takeBack(network, row.mint, payInName(row)) : undefined;
  if (isRefused && paid === undefined) {
    return changeTransfer(parts, row, { state: "refunded", ...planSteps([], { since: now(), pace }) });
  }
  // A clock that was moved by days lets all that happen that falls into them.
  const since = Number(row.due_at ?? now());
  const money = paid === undefined ? await moneyOf(network, row, next.state) : { destination_signature: paid };
  return changeTransfer(parts, row, { ...money, state: next.state, ...planSteps(rest, { since, pace }) });
}

const isPayment = (row: TransferRow, state: RailTransferState): boolean =>
  row.direction === "in" && state === "payment_submitted" && row.destination_signature === null;
const payInName = ({ ref }: TransferRow): string => `rails/${ref}/pay-in`;

/** What a step moves on chain, before anybody hears of it. */
async function moneyOf(network: Network, row: TransferRow, state: RailTransferState): Promise<Partial<TransferRow>> {
  if (isPayment(row, state)) {
    const { address: payee } = JSON.parse(row.to_leg) as ChainLeg;
    const destination_signature = await mintTo(network, payee, row.mint, BigInt(row.base_units), payInName(row));
    return { destination_signature };
  }
  if (row.direction === "out" && state === "refunded" && row.held !== null) {
    const { address: payer } = JSON.parse(row.from_leg) as ChainLeg;
    const destination_signature = await mintTo(network, payer, row.mint, BigInt(row.held), `rails/${row.ref}/refund`);
    return { destination_signature };
  }
  return {};
}

/** Once under one name, however often it is asked for. */
export async function mintTo(
  network: Network,
  to: string,
  mintOf: string,
  amount: bigint,
  name: string,
): Promise<string> {
  if (network.sandbox === undefined) throw new Error("the simulated partner lives in the sandbox");
  try {
    return await network.sandbox.mintTo(address(to), address(mintOf), amount, name);
  } catch (error) {
    throw new PartnerUnavailable("the sandbox's chain did not take a payment of the simulated partner", undefined, {
      cause: error,
    });
  }
}

function currencyOf({ currencies }: Network, mint: string): Currency & { mint: Address; tokenProgram: Address } {
  const found = currencies.find((currency) => currency.mint === mint);
  if (found === undefined || found.mint === null || found.tokenProgram === null) {
    throw new Error("the simulated partner moves configured tokens only");
  }
  return { ...found, mint: found.mint, tokenProgram: found.tokenProgram };
}

function tokenAccountOf(network: Network, row: TransferRow): Address {
  const { mint: token, tokenProgram } = currencyOf(network, row.mint);
  return deriveTokenAccount(address(row.watched ?? ""), token, tokenProgram);
}
