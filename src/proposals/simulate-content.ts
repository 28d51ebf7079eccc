import type { Address } from "@solana/kit";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { deriveSmartAccountAddress, messageInstructions, ProgramDataError } from "@trellis/program-client";
import type { ProposalContent } from "@trellis/program-client/proposal-content.js";
import { composeTransaction, computeUnitsMax, noBlockhash } from "@trellis/solana/compose.js";
import { largestHeapFrameBytes } from "@trellis/solana/compute-needs.js";
import type { LookupTables } from "@trellis/solana/read-message.js";
import { type SimulatedTokenBalance, type Simulation, simulateAfresh } from "@trellis/solana/simulate.js";
import { readPlainMessage } from "@trellis/solana/transaction-bytes.js";
import { simulationRefused } from "../transactions/chain-failure.js";
import { messagesOf } from "../transactions/stored-proposal.js";
import type { BalanceChange } from "./proposal.js";

/** What a stored content would change now, or why that cannot be said; neither, where it is too much for one transaction. */
export type ContentSimulation = (
  | { readonly changes?: BalanceChange[]; readonly error?: never }
  | { readonly changes?: never; readonly error: string }
) & {
  /** Compute units it took, until it failed where it did; 0 where nothing was run. */
  readonly unitsConsumed: number;
};

/**
 * Executes what a proposal holds as a simulation: its instructions as a transaction of their own, the smart account
 * signing, whatever the vote and the time lock say; of a batch, what is left of it. The fee payer stands in front and is left out
 * of the report. A change of settings moves no money. Throws `chain_unavailable`.
 */
export async function simulateContent(
  network: Network,
  settings: Address,
  content: ProposalContent,
  lookupTables: LookupTables,
): Promise<ContentSimulation> {
  if (content.kind === "settings") return { changes: [], unitsConsumed: 0 };
  const vault = deriveSmartAccountAddress(settings, content.accountIndex);
  try {
    const left = messagesOf(content).slice(content.kind === "batch" ? content.executed : 0);
    const instructions = left.flatMap(({ message }) => messageInstructions(message, lookupTables));
    if (instructions.length === 0) return { changes: [], unitsConsumed: 0 };
    const named = instructions.flatMap(({ programAddress, accounts }) => [
      programAddress,
      ...accounts.map(({ address }) => address),
    ]);
    const service = named.find((address) => network.serviceAddresses.has(address));
    // As a simulation it would have the fee payer's signature, which it never gets.
    if (service !== undefined)
      return failedBefore(`It names ${service}, a key of the service, so it is never executed here.`);
    // As its execution will ask for it.
    const budget = {
      units: computeUnitsMax,
      microLamportsPerUnit: 0n,
      heapFrameBytes: largestHeapFrameBytes,
    };
    const { transaction, bytes } = composeTransaction(
      network.feePayer.address,
      noBlockhash,
      budget,
      instructions,
      lookupTables,
    );
    const simulation = await simulateAfresh(network, bytes);
    if (simulation.error !== null) {
      const { message } = simulationRefused(simulation, false, transaction.messageBytes);
      return { error: message, unitsConsumed: simulation.unitsConsumed };
    }
    const message = readPlainMessage(Uint8Array.from(transaction.messageBytes));
    assertOurs(message, "what was composed here can be read");
    const changes = changesOf(message.staticAccounts, simulation);
    return {
      unitsConsumed: simulation.unitsConsumed,
      changes: [
        ...changes.filter(({ address }) => address === vault),
        ...changes.filter(({ address }) => address !== vault),
      ],
    };
  } catch (error) {
    if (error instanceof ProgramDataError) return failedBefore(`It cannot be executed: ${error.message}.`);
    if (content.kind === "batch" && error instanceof TrellisError && error.code === "transaction_too_large") {
      return { unitsConsumed: 0 };
    }
    if (error instanceof TrellisError && error.code !== "chain_unavailable") return failedBefore(error.message);
    throw error;
  }
}

const failedBefore = (error: string): ContentSimulation => ({ error, unitsConsumed: 0 });

function changesOf(accounts: readonly Address[], simulation: Simulation): BalanceChange[] {
  const { preBalances, postBalances, preTokenBalances, postTokenBalances } = simulation;
  const lamports = accounts.map((address, i) =>
    toChange({ address, mint: null, before: preBalances[i] ?? 0n, after: postBalances[i] ?? 0n }),
  );
  const before = tokensByOwner(preTokenBalances);
  const after = tokensByOwner(postTokenBalances);
  const tokens = [...new Set([...before.keys(), ...after.keys()])].map((key) => {
    const [address = "", mint = ""] = key.split(" ");
    return toChange({ address, mint, before: before.get(key) ?? 0n, after: after.get(key) ?? 0n });
  });
  return [...lamports.slice(1), ...tokens].filter(({ change }) => change !== "0");
}

function tokensByOwner(balances: readonly SimulatedTokenBalance[]): Map<string, bigint> {
  const held = new Map<string, bigint>();
  for (const { owner, mint, uiTokenAmount } of balances) {
    if (owner === undefined) continue;
    const key = `${owner} ${mint}`;
    held.set(key, (held.get(key) ?? 0n) + BigInt(uiTokenAmount.amount));
  }
  return held;
}

function toChange(change: {
  readonly address: string;
  readonly mint: string | null;
  readonly before: bigint;
  readonly after: bigint;
}): BalanceChange {
  const { address, mint, before, after } = change;
  return { address, mint, before: before.toString(), after: after.toString(), change: (after - before).toString() };
}
