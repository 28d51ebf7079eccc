import type { Address, Instruction } from "@solana/kit";
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from "@solana-program/compute-budget";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { type ReadMessage, resolveMessage } from "@trellis/solana/read-message.js";
import { parseWireTransaction, type WireTransaction } from "@trellis/solana/wire-transaction.js";
import { listLatelyPrepared, type Owner } from "./prepared-store.js";
import { nameProgram } from "./program-names.js";

/** One difference between what was prepared and what was received. */
export type Alteration =
  | {
      readonly what: "instructions_added" | "instructions_removed" | "instructions_changed";
      readonly program: Address;
      readonly count: number;
    }
  | {
      readonly what:
        | "instructions_reordered"
        | "compute_unit_limit"
        | "compute_unit_price"
        | "heap_frame"
        | "compute_budget"
        | "fee_payer"
        | "blockhash"
        | "version"
        | "signers"
        | "accounts";
    };

/** A transaction with its message resolved. */
interface ReadTransaction {
  readonly wire: WireTransaction;
  readonly message: ReadMessage;
}

/**
 * The error for a submitted transaction that was prepared here and changed afterwards, as wallets do that put guards or a
 * price into what they sign: what was changed, and by which program. Undefined where it resembles nothing that was prepared
 * for this account lately.
 *
 * Costs one query, and at most `limits.alteredCandidates` comparisons of transactions; no node is asked.
 */
export async function explainAltered(
  db: Db,
  network: Pick<Network, "clock">,
  owner: Owner,
  submitted: ReadTransaction,
  field: string,
): Promise<TrellisError | undefined> {
  const since = network.clock.now() - limits.alteredLookbackMs;
  const rows = await listLatelyPrepared(db, owner, since, limits.alteredCandidates);
  const alterations = rows
    .flatMap((transaction) => {
      const prepared = resolveBy(parseWireTransaction(transaction), submitted.message);
      return prepared !== undefined && isOrigin(prepared, submitted) ? [findAlterations(prepared, submitted)] : [];
    })
    .sort((a, b) => weigh(a) - weigh(b))[0];
  if (alterations === undefined) return undefined;
  return new TrellisError("transaction_not_prepared", {
    field,
    message:
      `The wallet, or whatever signed, has changed what it was given: it ${inWords(alterations)}. ` +
      "The service signs the bytes that it prepared, and no others.",
    suggestion:
      "Prepare it again and have it signed as it is. A wallet that adds to transactions does not where its protection or " +
      "simulation of transactions is switched off; other wallets and keys of your own add nothing.",
    facts: { alterations },
  });
}

/** A prepared transaction by the lookup tables of the submitted one; undefined where it needs another one. */
function resolveBy(wire: WireTransaction, { lookupTables }: ReadMessage): ReadTransaction | undefined {
  try {
    return { wire, message: resolveMessage(wire, lookupTables) };
  } catch (error) {
    if (error instanceof TrellisError) return undefined;
    throw error;
  }
}

const keysOf = (instructions: readonly Instruction[]): readonly string[] =>
  instructions.map(
    ({ programAddress, accounts = [], data = [] }) =>
      `${programAddress} ${accounts.map(({ address }) => address)} ${Buffer.from(Uint8Array.from(data)).toString("base64")}`,
  );

const isBudget = ({ programAddress }: Instruction): boolean => programAddress === COMPUTE_BUDGET_PROGRAM_ADDRESS;

const callsOf = ({ message }: ReadTransaction): readonly Instruction[] =>
  message.instructions.filter((instruction) => !isBudget(instruction));

/** Whether one was made of the other: they share a call, or the blockhash and everybody who signs. */
function isOrigin(prepared: ReadTransaction, submitted: ReadTransaction): boolean {
  const calls = new Set(keysOf(callsOf(submitted)));
  if (keysOf(callsOf(prepared)).some((key) => calls.has(key))) return true;
  return (
    prepared.wire.message.lifetimeToken === submitted.wire.message.lifetimeToken &&
    String(prepared.wire.signers) === String(submitted.wire.signers)
  );
}

function findAlterations(prepared: ReadTransaction, submitted: ReadTransaction): readonly Alteration[] {
  const found = [...compareCalls(prepared, submitted), ...compareBudgets(prepared, submitted)];
  const [before, after] = [prepared.wire, submitted.wire];
  if (before.signers[0] !== after.signers[0]) found.push({ what: "fee_payer" });
  if (String(before.signers.slice(1)) !== String(after.signers.slice(1))) found.push({ what: "signers" });
  if (before.message.lifetimeToken !== after.message.lifetimeToken) found.push({ what: "blockhash" });
  if (before.message.version !== after.message.version) found.push({ what: "version" });
  // The bytes differ, so something does: the order, the rights or the number of accounts.
  return found.length === 0 ? [{ what: "accounts" }] : found;
}

/** What was added, left out, changed or moved, of everything but the compute budget. */
function compareCalls(prepared: ReadTransaction, submitted: ReadTransaction): Alteration[] {
  const [before, after] = [callsOf(prepared), callsOf(submitted)];
  const removed = without(before, after);
  const added = without(after, before);
  if (removed.length + added.length === 0) {
    const isSameOrder = String(keysOf(before)) === String(keysOf(after));
    return isSameOrder ? [] : [{ what: "instructions_reordered" }];
  }
  return [...new Set([...added, ...removed])].flatMap((program): Alteration[] => {
    const [gained, lost] = [countOf(added, program), countOf(removed, program)];
    const changed = Math.min(gained, lost);
    const all = [
      { what: "instructions_added", program, count: gained - changed },
      { what: "instructions_removed", program, count: lost - changed },
      { what: "instructions_changed", program, count: changed },
    ] as const;
    return all.filter(({ count }) => count > 0);
  });
}

/** The programs of those instructions of a list that another one has not, or not as often. */
function without(list: readonly Instruction[], other: readonly Instruction[]): readonly Address[] {
  const left = new Map<string, number>();
  for (const key of keysOf(other)) left.set(key, (left.get(key) ?? 0) + 1);
  const keys = keysOf(list);
  return list.flatMap(({ programAddress }, i) => {
    const key = keys[i] ?? "";
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count > 0 ? [] : [programAddress];
  });
}

const countOf = (programs: readonly Address[], program: Address): number =>
  programs.filter((each) => each === program).length;

/** By the first byte of an instruction of the compute budget program. */
const budgetWords: Readonly<Record<number, "heap_frame" | "compute_unit_limit" | "compute_unit_price">> = {
  1: "heap_frame",
  2: "compute_unit_limit",
  3: "compute_unit_price",
};

function compareBudgets(prepared: ReadTransaction, submitted: ReadTransaction): Alteration[] {
  const read = ({ message }: ReadTransaction) => keysOf(message.instructions.filter(isBudget));
  const [before, after] = [read(prepared), read(submitted)];
  const differing = [
    ...before.filter((key) => !after.includes(key)),
    ...after.filter((key, i) => !before.includes(key) || after.indexOf(key) !== i),
  ];
  const tags = differing.map((key) => Buffer.from(key.split(" ").at(-1) ?? "", "base64")[0] ?? 0);
  const words = new Set(tags.map((tag) => budgetWords[tag] ?? "compute_budget"));
  return [...words].map((what) => ({ what }));
}

/** How far two transactions are apart. */
const weigh = (alterations: readonly Alteration[]): number =>
  alterations.reduce((sum, alteration) => sum + ("count" in alteration ? 2 * alteration.count : 1), 0);

function inWords(alterations: readonly Alteration[]): string {
  const said = alterations.map((alteration): string => {
    if (!("count" in alteration)) return plainWords[alteration.what];
    const { what, program, count } = alteration;
    const verb = { instructions_added: "added", instructions_removed: "left out", instructions_changed: "changed" }[
      what
    ];
    return `${verb} ${count} instruction${count === 1 ? "" : "s"} of program ${nameProgram(program)}`;
  });
  const last = said.at(-1) ?? "";
  return said.length === 1 ? last : `${said.slice(0, -1).join(", ")} and ${last}`;
}

const plainWords: Readonly<Record<Exclude<Alteration, { readonly count: number }>["what"], string>> = {
  instructions_reordered: "put the instructions into another order",
  compute_unit_limit: "changed the limit of compute units",
  compute_unit_price: "changed the price of compute units",
  heap_frame: "changed the memory that is asked for",
  compute_budget: "changed the compute budget",
  fee_payer: "replaced the fee payer",
  blockhash: "replaced the blockhash",
  version: "changed the version of the message",
  signers: "changed who signs",
  accounts: "changed the order or the rights of accounts",
};
