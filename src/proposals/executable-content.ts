import type { Address, Instruction } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import {
  addressOfBytes,
  CAN_EXECUTE_BIT,
  executeSettingsTransactionInstruction,
  executeTransactionInstruction,
  type SettingsActionArgs,
  type WrappedMessage,
} from "@trellis/program-client";
import { composeTransaction, computeUnitsMax, noBlockhash } from "@trellis/solana/compose.js";
import { heapFrameFor } from "@trellis/solana/compute-needs.js";
import type { LookupTables } from "@trellis/solana/read-message.js";
import type { Simulation } from "@trellis/solana/simulate.js";
import type { ActingAccount } from "../transactions/acting-account.js";
import type { KnownTokenAccounts } from "../transactions/coin-effects.js";
import { countCalls, signByPasskeys } from "../transactions/sign-by-passkeys.js";

/** What is to be voted on. */
export type NewContent =
  | {
      readonly kind: "transaction";
      readonly message: WrappedMessage;
      readonly lookupTables?: LookupTables;
      readonly owners?: KnownTokenAccounts;
    }
  | {
      readonly kind: "settings";
      readonly actions: readonly SettingsActionArgs[];
      /** Of policies that are removed. */
      readonly policyRentCollectors?: readonly Address[];
    };

/** Messages to be voted on together, in the order in which they are to be executed. */
export type NewMessages = readonly Extract<NewContent, { kind: "transaction" }>[];

/** Accounts that one transaction may name on a cluster, those from lookup tables included. */
const accountsMax = 64;

/** Instructions that one transaction may run on a cluster, those that programs call included. */
const instructionsMax = 64;

/** Of those, what an execution itself takes: units, price and memory, the call of the program, its record of the outcome. */
const ownInstructions = 5;

/** What an execution takes at least beside its inner instructions. */
const ownUnits = 20_000;

/**
 * Refuses to have voted on what could not be executed after the vote, whatever the vote: storing it and approving it would
 * succeed. Measured is the smallest execution there is at this fee payer: by a passkey's session where nobody else executes. Throws
 * `transaction_too_large` (gap 87).
 */
export function requireExecutable(
  { settings, settingsAddress, passkeys }: Pick<ActingAccount, "settings" | "settingsAddress" | "passkeys">,
  content: NewContent,
  feePayer: Address,
): void {
  const signer = chooseExecutor({ settings, passkeys }, content, feePayer);
  const transactionIndex = settings.transactionIndex + 1n;
  const execution = executionOf({ settings: settingsAddress, transactionIndex, signer }, content, feePayer);
  const bySession = { passkeys: only(signer, passkeys.get(signer)), sessionKeys: only(signer, anySessionKey) };
  const [signed = execution] = signByPasskeys(bySession, [execution]);
  const named = new Set([feePayer, signed.programAddress, ...(signed.accounts ?? []).map(({ address }) => address)]);
  // The program that sets the budget is named, too.
  if (named.size + 1 > accountsMax) throw never(`name ${named.size + 1} accounts; at most ${accountsMax} can be named`);
  const inner = content.kind === "transaction" ? content.message.instructions.length : 0;
  const all = inner + ownInstructions + countCalls([signed]) - 1;
  if (all > instructionsMax) throw never(`run ${all} instructions; at most ${instructionsMax} can be run`);
  const budget = {
    units: computeUnitsMax,
    microLamportsPerUnit: 0n,
    heapFrameBytes: heapFrameFor([execution], settings.signers.length),
  };
  const lookupTables = content.kind === "transaction" ? content.lookupTables : undefined;
  try {
    composeTransaction(feePayer, noBlockhash, budget, [signed], lookupTables);
  } catch (error) {
    if (!(error instanceof TrellisError) || error.code !== "transaction_too_large") throw error;
    const { size_bytes, limit_bytes } = { ...error.details[0] } as Record<string, unknown>;
    throw never(`take ${String(size_bytes)} bytes; at most ${String(limit_bytes)} fit`, { size_bytes, limit_bytes });
  }
}

/** Refuses what used up all units when it was simulated alone. Throws `transaction_too_large` (gap 87). */
export function requireUnits({ unitsConsumed }: Pick<Simulation, "unitsConsumed">): void {
  const units = unitsConsumed + ownUnits;
  if (units <= computeUnitsMax) return;
  throw never(`take more than ${units} compute units; at most ${computeUnitsMax} are given`);
}

function executionOf(
  common: { readonly settings: Address; readonly transactionIndex: bigint; readonly signer: Address },
  content: NewContent,
  rentPayer: Address,
): Instruction {
  if (content.kind === "settings") {
    const { actions, policyRentCollectors = [] } = content;
    return executeSettingsTransactionInstruction({ ...common, rentPayer, actions, policyRentCollectors });
  }
  const { message, lookupTables = {} } = content;
  return executeTransactionInstruction({ ...common, message, lookupTables });
}

/** Who has none yet may have one when it is executed; which key that is, its size does not depend on. */
const anySessionKey = addressOfBytes(new Uint8Array(32).fill(255));

const only = <T>(signer: Address, value: T | undefined): ReadonlyMap<Address, T> =>
  new Map(value === undefined ? [] : [[signer, value]]);

/** A signer that is named anyhow adds nothing; of the others, each adds the same, but for passkeys, which add more. */
function chooseExecutor(
  { settings, passkeys }: Pick<ActingAccount, "settings" | "passkeys">,
  content: NewContent,
  feePayer: Address,
): Address {
  const all = settings.signers.filter(({ mask }) => (mask & CAN_EXECUTE_BIT) !== 0).map(({ address }) => address);
  const keys = all.filter((address) => !passkeys.has(address));
  const may = keys.length > 0 ? keys : all;
  const named: readonly Address[] =
    content.kind === "transaction" ? content.message.accountKeys.slice(0, content.message.numSigners) : [];
  const present = may.find((address) => address === feePayer) ?? may.find((address) => named.includes(address));
  // The chain keeps no account without a signer who may execute.
  return present ?? may[0] ?? feePayer;
}

function never(what: string, facts: Record<string, unknown> = {}): TrellisError {
  return new TrellisError("transaction_too_large", {
    message: `It could be voted on and never be executed: its execution would ${what}.`,
    suggestion:
      "Propose less at a time, for example fewer instructions, and have other accounts than this one sign less.",
    facts,
  });
}
