import {
  type Address,
  getBase58Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from "@solana/kit";
import type { SubmissionTable } from "@trellis/kernel/ports/database.js";
import { decodeProgramConfig, PROGRAM_CONFIG_ADDRESS } from "@trellis/program-client";
import { signatureOf } from "@trellis/sandbox/node/address-bytes.js";
import { sql } from "kysely";
import { budgetDay } from "../../src/sponsorship/sponsorship.js";
import type { HistoryCounts } from "./history.js";
import type { Payer, PlayedEnvironment, World } from "./world.js";

/** Observes a history and says at its end what was wrong with it. */
export interface Judge {
  /** Lamports: so much of what the account has; `share` is a thousand and so many thousandths. */
  shareOfMoney(share: number): bigint;
  /** A process puts a transaction on its way (base64). */
  noteSent(wire: string): Promise<void>;
  /** The client has these transactions to submit. */
  notePrepared(intent: string, ids: readonly string[], amounts: readonly bigint[]): void;
  /** The client got this answer to a submit of these transactions. */
  noteTold(ids: readonly string[], reported: Reported): Promise<void>;
  noteCreation(id: string): void;
  noteCreated(id: string, account: string): void;
  noteWrong(what: string): void;
  /** Whether nothing is under way any more. */
  isQuiet(): Promise<boolean>;
  /**
   * Checks what is still open while nodes keep nothing from before these slots, and says so: nothing that was confirmed within
   * one of these ledgers may be, nor anything that was not and all of them would have; an alarm has to report the
   * rest. Adds its number to `counts`.
   */
  findOpen(ledgerStarts: readonly bigint[], counts: HistoryCounts): Promise<void>;
  /** Everything that was wrong; adds what happened to `counts`. */
  findWrong(counts: HistoryCounts): Promise<readonly string[]>;
}

/** What a client hears of a submit. */
export type Reported =
  | {
      readonly kind: "answered";
      readonly data: {
        readonly transaction_signature?: string;
        readonly results?: readonly { readonly index: number; readonly transaction_signature: string }[];
        readonly partial_failure?: { readonly failed_at_index: number; readonly error_code: string };
      };
    }
  | { readonly kind: "refused"; readonly code: string }
  | { readonly kind: "silent" };

/** The service says with these that a transaction is not going to be confirmed. */
export const finalRefusals: readonly string[] = ["transaction_failed", "blockhash_expired", "payload_expired"];
/** Whatever other copies of the submit are under way: what was refused with these is never confirmed. */
export const expiries: readonly string[] = ["blockhash_expired", "payload_expired"];
/** And with these that it cannot tell now. */
const openRefusals = ["chain_unavailable", "submission_in_progress", "service_unavailable"];

/** What the service reports of transactions whose outcome is unknown. */
const alarm = "transactions stay open: no node knows their outcome";

interface Attempt {
  /** Of the whole, where one request holds several. */
  readonly intent: string;
  readonly amount: bigint;
}

/** Begins to observe; whatever the chain and the database hold already belongs to others. */
export async function createJudge(world: World, payer: Payer, environment: PlayedEnvironment): Promise<Judge> {
  const { db, timeline } = world;
  const wrong: string[] = [];
  const alarms: string[] = [];
  let restarted = false;
  const attempts = new Map<string, Attempt>();
  const sent = new Set<string>();
  /** What a client was answered to be over, and in which words. */
  const buried = new Map<string, string>();
  const creations = new Map<string, string | undefined>();
  const ask = async (method: string, params: readonly unknown[]): Promise<unknown> =>
    ((await world.handle({ jsonrpc: "2.0", id: 1, method, params })) as { readonly result: unknown }).result;
  const balanceOf = async (address: Address): Promise<bigint> =>
    BigInt(String(((await ask("getBalance", [address])) as { readonly value: unknown }).value));
  const countAccounts = async (): Promise<bigint> => {
    const found = (await ask("getAccountInfo", [PROGRAM_CONFIG_ADDRESS, { encoding: "base64" }])) as {
      readonly value: { readonly data: readonly [string, string] };
    };
    return decodeProgramConfig(getBase64Encoder().encode(found.value.data[0])).smartAccountIndex;
  };

  const held = await balanceOf(payer.address);
  if (held < enough) await world.chain.sandbox?.airdrop(payer.address, full - held);
  timeline.skip(400);
  const start = {
    slot: BigInt(String(await ask("getSlot", []))),
    realAt: timeline.now(),
    /** Environment time. */
    at: environment === "sandbox" ? world.chain.clock.now() : timeline.now(),
    payer: await balanceOf(payer.address),
    payee: await balanceOf(payer.payee),
    accounts: await countAccounts(),
  };

  const findRows = async (): Promise<readonly SubmissionTable[]> =>
    db
      .selectFrom("submission")
      .selectAll()
      .where("environment", "=", environment)
      .where("created_at", ">=", BigInt(start.at))
      .where(({ or, eb }) =>
        or([eb("purpose", "=", "account_creation"), eb("account_address", "=", payer.address as string)]),
      )
      .execute();
  const findRow = (id: string) => db.selectFrom("submission").selectAll().where("id", "=", id).executeTakeFirst();

  const noteLanded = async (id: string, signature: string): Promise<void> => {
    const row = await findRow(id);
    if (row?.state !== "landed" || row.signature !== signature) {
      wrong.push(`a client was told that ${id} landed, and its state is ${row?.state ?? "unknown"}`);
    }
  };
  const noteDead = async (id: string, code: string): Promise<void> => {
    if (!finalRefusals.includes(code)) {
      if (!openRefusals.includes(code)) wrong.push(`a submit was refused with ${code}`);
      return;
    }
    const row = await findRow(id);
    if (row && row.state !== "failed" && row.state !== "expired") {
      wrong.push(`a client was told ${code} of ${id}, and its state is ${row.state}`);
    }
    // A copy that a simulation refused may be overtaken by another one that finds better times.
    if (row || expiries.includes(code)) buried.set(id, code);
  };

  return {
    shareOfMoney: (share) => (start.payer * BigInt(share - 1_000)) / 1_000n,
    noteSent: async (wire) => {
      // What was stored once stays stored: the database itself keeps bytes from changing.
      if (sent.has(wire)) return;
      sent.add(wire);
      const bytes = Buffer.from(wire, "base64");
      const signature = getBase58Decoder().decode(bytes.subarray(1, 65));
      const stored = await db
        .selectFrom("submission")
        .select("id")
        .where("signature", "=", signature)
        .where("wire_transaction", "=", bytes)
        .executeTakeFirst();
      if (!stored) wrong.push(`bytes were sent that were not stored: ${signature}`);
    },
    notePrepared: (intent, ids, amounts) => {
      for (const [i, id] of ids.entries()) {
        if (attempts.has(id)) wrong.push(`${id} was prepared twice`);
        attempts.set(id, { intent: ids.length === 1 ? intent : `${intent} part ${i}`, amount: amounts[i] ?? 0n });
      }
    },
    noteTold: async (ids, reported) => {
      const [first] = ids;
      if (reported.kind === "silent" || first === undefined) return;
      if (reported.kind === "refused") {
        // Of several, any may be the reason.
        if (ids.length === 1) await noteDead(first, reported.code);
        else if (![...finalRefusals, ...openRefusals].includes(reported.code)) wrong.push(`a submit: ${reported.code}`);
        return;
      }
      const { transaction_signature: single, results = [], partial_failure: failure } = reported.data;
      if (single !== undefined) await noteLanded(first, single);
      for (const { index, transaction_signature } of results) {
        await noteLanded(ids[index] ?? "nothing", transaction_signature);
      }
      if (failure) await noteDead(ids[failure.failed_at_index] ?? "nothing", failure.error_code);
    },
    noteCreation: (id) => void creations.set(id, undefined),
    noteCreated: (id, account) => void creations.set(id, account),
    noteWrong: (what) => {
      if (what.startsWith(alarm)) alarms.push(what);
      else wrong.push(what);
    },

    isQuiet: async () => {
      const rows = await findRows();
      const isSettled = rows.every(
        ({ state, reserved_lamports, spent_lamports }) =>
          isFinal(state) && (reserved_lamports === 0n || spent_lamports !== null),
      );
      if (!isSettled || creations.size === 0) return isSettled;
      const pending = await db
        .selectFrom("account_creation")
        .select("id")
        .where("id", "in", [...creations.keys()])
        .where("state", "=", "pending")
        .where("submission_id", "is not", null)
        .execute();
      return pending.length === 0;
    },

    findOpen: async (ledgerStarts, counts) => {
      const landedOnChain = await findOurs(world, start.slot);
      for (const {
        id,
        state,
        signature,
        recorded_slot,
        reserved_lamports,
        spent_lamports,
        alarmed_at,
      } of await findRows()) {
        const landed = landedOnChain.get(signature);
        const since = landed?.slot ?? recorded_slot ?? 0n;
        const keeps = (first: bigint) => first <= since;
        if (isFinal(state)) {
          // What a transaction cost is asked of one node, whichever that is.
          if (ledgerStarts.every(keeps) && reserved_lamports > 0n && spent_lamports === null)
            wrong.push(`what ${id} cost is not settled`);
        } else if (landed ? ledgerStarts.some(keeps) : ledgerStarts.every(keeps)) {
          wrong.push(`${id} is ${state}, and its outcome could be told`);
        } else {
          if (alarmed_at === null || !alarms.some((line) => line.includes(id)))
            wrong.push(`${id} is ${state} without an alarm`);
          counts.unprovable += 1;
        }
      }
      restarted = true;
    },

    findWrong: async (counts) => {
      if (!restarted && alarms.length > 0) wrong.push(`without a reason: ${alarms[0]}`);
      const rows = await findRows();
      const landedOnChain = await findOurs(world, start.slot);
      const bySignature = new Map(rows.map((row) => [row.signature, row]));
      if (bySignature.size < rows.length) wrong.push("bytes are recorded more than once");

      for (const row of rows) {
        const { id, state } = row;
        if (!isFinal(state)) wrong.push(`${id} ended as ${state}`);
        else counts[state] += 1;
        const found = landedOnChain.get(row.signature);
        const truth = found === undefined ? "expired" : found.error === null ? "landed" : "failed";
        if (state !== truth) wrong.push(`${id} is recorded as ${state}, and the chain says ${truth}`);
        if (found && !Buffer.from(found.wire).equals(row.wire_transaction)) wrong.push(`${id} landed with other bytes`);
        if (row.reserved_lamports > 0n && row.spent_lamports === null) wrong.push(`what ${id} cost is not settled`);
        if (row.purpose === "transaction" && !attempts.has(id)) wrong.push(`nobody asked for ${id}`);
      }
      for (const [id, code] of buried) {
        const row = rows.find((one) => one.id === id);
        if (row && landedOnChain.get(row.signature)?.error === null)
          wrong.push(`${id} landed after a client was told ${code}`);
      }
      for (const signature of landedOnChain.keys()) {
        if (!bySignature.has(signature)) wrong.push(`${signature} is on the chain and nowhere recorded`);
      }

      let moved = 0n;
      const effects = new Map<string, number>();
      for (const [id, { intent, amount }] of attempts) {
        // By the chain's word, whatever is recorded.
        const signature = rows.find((row) => row.id === id)?.signature;
        if (signature === undefined || landedOnChain.get(signature)?.error !== null) continue;
        moved += amount;
        effects.set(intent, (effects.get(intent) ?? 0) + 1);
      }
      for (const [intent, times] of effects) if (times > 1) wrong.push(`${intent} happened ${times} times`);
      if ((await balanceOf(payer.address)) !== start.payer - moved) wrong.push("the payer's money does not add up");
      if ((await balanceOf(payer.payee)) !== start.payee + moved) wrong.push("the payee's money does not add up");

      wrong.push(...(await findWrongPayloads(world, [...attempts.keys()], new Set(rows.map(({ id }) => id)))));
      wrong.push(...(await findWrongIntents(world, rows)));
      wrong.push(...(await findWrongCreations(world, creations, (await countAccounts()) - start.accounts)));
      wrong.push(...(await findWrongBudgets(world, environment, payer, budgetDay(start.realAt))));
      counts.created += [...creations.values()].filter((account) => account !== undefined).length;
      return wrong;
    },
  };
}

const full = 100_000_000_000n;
const enough = 60_000_000_000n;

function isFinal(state: string): state is "landed" | "failed" | "expired" {
  return state === "landed" || state === "failed" || state === "expired";
}

interface OnChain {
  readonly slot: bigint;
  readonly error: string | null;
  readonly wire: Uint8Array;
}

/** What a fee payer of the services paid for since a slot. The faucet pays for its gifts itself. */
async function findOurs(world: World, since: bigint): Promise<ReadonlyMap<string, OnChain>> {
  const rows = await world.db
    .selectFrom("chain_transaction")
    .select(["signature", "slot", "error", "wire_transaction"])
    .where("slot", ">=", since)
    .execute();
  return new Map(
    rows.flatMap(({ signature, slot, error, wire_transaction: wire }): [string, OnChain][] => {
      const { messageBytes } = getTransactionDecoder().decode(wire);
      const [payer] = getCompiledTransactionMessageDecoder().decode(messageBytes).staticAccounts;
      return payer !== undefined && world.feePayers.has(payer) ? [[signatureOf(signature), { slot, error, wire }]] : [];
    }),
  );
}

/** Payloads belong to the submission they were signed for, and to none where there is none. */
async function findWrongPayloads(
  world: World,
  prepared: readonly string[],
  submitted: ReadonlySet<string>,
): Promise<readonly string[]> {
  if (prepared.length === 0) return [];
  const payloads = await world.db
    .selectFrom("kms_payload")
    .select(["prepared_id", "used_by"])
    .where("prepared_id", "in", prepared)
    .execute();
  return payloads.flatMap(({ prepared_id: id, used_by }) => {
    const expected = submitted.has(id) ? id : null;
    return used_by === expected ? [] : [`the payload of ${id} is used by ${used_by ?? "nobody"}`];
  });
}

/** Every payment intent states its submission's outcome, and one without says that nothing was paid. */
async function findWrongIntents(
  world: World,
  submissions: readonly Pick<SubmissionTable, "id" | "state">[],
): Promise<readonly string[]> {
  const ended = { signed: "payment_submitted", sent: "payment_submitted", landed: "payment_processed" } as const;
  const expected = new Map<string, string>(
    submissions.map(({ id, state }) => [id, { ...ended, failed: "error", expired: "canceled" }[state]]),
  );
  const rows = await world.db
    .selectFrom("payment_intent")
    .leftJoin("prepared_transaction", "prepared_transaction.id", "prepared_id")
    .leftJoin("submission", "submission.id", "prepared_id")
    .select(["payment_intent.id", "prepared_id", "payment_intent.state", "refused_at", "submission.id as submitted"])
    .execute();
  return rows.flatMap(({ id, prepared_id, state, refused_at, submitted }) => {
    // Of what was there before this history, only its own word is known.
    if (submitted !== null && !expected.has(prepared_id ?? "")) return [];
    const right = expected.get(prepared_id ?? "") ?? (refused_at === null ? "awaiting_funds" : "canceled");
    return state === right ? [] : [`the intent ${id} is ${state} instead of ${right}`];
  });
}

/**
 * Every creation that was asked for is at its end, and made one account or none. One for which nothing was signed before
 * its caller gave up is left as it is.
 */
async function findWrongCreations(
  world: World,
  creations: ReadonlyMap<string, string | undefined>,
  made: bigint,
): Promise<readonly string[]> {
  const rows =
    creations.size === 0
      ? []
      : await world.db
          .selectFrom("account_creation")
          .select(["id", "state", "account_address", "submission_id"])
          .where("id", "in", [...creations.keys()])
          .execute();
  const wrong = rows.flatMap(({ id, state, account_address, submission_id }) => {
    const reported = creations.get(id);
    if (state === "pending" && submission_id === null && reported === undefined) return [];
    if (state !== "landed") return [`the creation ${id} ended as ${state}`];
    return reported !== undefined && reported !== account_address
      ? [`the creation ${id} was told as another account`]
      : [];
  });
  const landed = BigInt(rows.filter(({ state }) => state === "landed").length);
  if (made !== landed) wrong.push(`${made} accounts were made for ${landed} creations`);
  return wrong;
}

/** What the account's transactions cost is what was charged to its budgets, on the days since one. */
async function findWrongBudgets(
  world: World,
  environment: PlayedEnvironment,
  payer: Payer,
  since: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ day: number; taken: bigint | null; spent: bigint | null }>`
    select coalesce(budget.day, spent.day) as day, budget.lamports as taken, spent.lamports as spent from
      (select day, lamports from sponsorship_budget
        where environment = ${environment} and scope = ${`account:${payer.address}`} and day >= ${since}) as budget
      full join (select reserved_on as day, sum(spent_lamports)::int8 as lamports from submission
        where environment = ${environment} and account_address = ${payer.address} and reserved_lamports > 0
          and reserved_on >= ${since}
        group by reserved_on) as spent
      on spent.day = budget.day`.execute(world.db);
  return rows.flatMap(({ day, taken: claimed, spent }) =>
    claimed === spent ? [] : [`of day ${day}'s budget ${claimed} are taken and ${spent} spent`],
  );
}
