import type { Address, Instruction } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { deriveSmartAccountAddress, messageInstructions, ProgramDataError } from "@trellis/program-client";
import { decodeContent, type ProposalContent } from "@trellis/program-client/proposal-content.js";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import type { LookupTables } from "@trellis/solana/read-message.js";
import { decodeTokenAccount } from "@trellis/solana/token-accounts.js";
import type { ActingAccount } from "../transactions/acting-account.js";
import { type KnownTokenAccounts, readKnownTokenAccounts } from "../transactions/coin-effects.js";
import { type ContentVerdict, judgeContent } from "../transactions/judge-content.js";
import { readBatchContent } from "../transactions/stored-batch.js";
import { messagesOf, releasedAt } from "../transactions/stored-proposal.js";
import { describeContent, type KnownProposal } from "../transactions/summary.js";
import type { Effect } from "../transactions/summary-item.js";
import { findPayeeWarnings } from "./payee-warnings.js";
import type { ProposalDetails } from "./proposal.js";
import { type ProposalRow, toViewRow } from "./proposal-store.js";
import { readVotes } from "./proposal-votes.js";
import { isStale, showProposal } from "./show-proposal.js";
import { simulateContent } from "./simulate-content.js";
import { findWarnings, type Outflow, outflowsOfChanges } from "./warnings.js";

/** A proposal with everything that answers and transactions about it need. */
export interface LoadedProposal {
  readonly row: ProposalRow;
  readonly content: ProposalContent | undefined;
  readonly lookupTables: LookupTables;
  /** Whether people can know what they approve. */
  readonly verdict: ContentVerdict;
  /** Inner instructions; none where the content cannot be read. */
  readonly instructions: readonly Instruction[];
  readonly owners: KnownTokenAccounts;
}

/** Reads what a proposal would execute, and who is behind the token accounts in it. Throws `chain_unavailable`. */
export async function loadProposal(network: Network, row: ProposalRow): Promise<LoadedProposal> {
  const content = await readContent(network, row);
  const verdict = await judgeContent(network, row.settings_address as Address, content);
  const { lookupTables } = verdict;
  const instructions = readableInstructions(content, lookupTables);
  const owners = await readKnownTokenAccounts(network, instructions);
  return { row, content, lookupTables, verdict, instructions, owners };
}

/**
 * What the index keeps never changes. A batch fills while it is a draft, and is read from the chain as long as it is there: while it
 * can be voted on or executed nothing else counts, and no event of its past makes readable what cannot be read.
 */
async function readContent(network: Network, row: ProposalRow): Promise<ProposalContent | undefined> {
  if (row.kind !== "batch" || row.chain_status === "closed") return decodeContent(row);
  const live = await readBatchContent(network, row.settings_address as Address, row.transaction_index);
  return live ?? (row.chain_status !== null && ended.has(row.chain_status) ? decodeContent(row) : undefined);
}

const ended: ReadonlySet<string> = new Set(["executed", "rejected", "cancelled"]);

function readableInstructions(content: ProposalContent | undefined, lookupTables: LookupTables): Instruction[] {
  try {
    return messagesOf(content).flatMap(({ message }) => messageInstructions(message, lookupTables));
  } catch (error) {
    if (error instanceof ProgramDataError) return [];
    throw error;
  }
}

/** The proposal for `summarise`. */
export function knownProposal(
  { row, content, lookupTables }: LoadedProposal,
  settings: Address,
): ReadonlyMap<Address, KnownProposal> {
  const known = { settings, transactionIndex: row.transaction_index, content, lookupTables };
  return new Map([[row.proposal_address as Address, known]]);
}

/**
 * A proposal as the single answers show it: what it would do, which balances would change if it were executed now, what
 * to know before one agrees, and how many approvals it still lacks. `callers` are the signers of the request.
 */
export async function describeProposal(
  network: Network,
  account: ActingAccount,
  loaded: LoadedProposal,
  { showOnChainStatus = false, callers = [] }: { showOnChainStatus?: boolean; callers?: readonly string[] } = {},
): Promise<ProposalDetails> {
  const { row, content, lookupTables, verdict, instructions, owners } = loaded;
  const { settings, settingsAddress } = account;
  const view = toViewRow(row);
  const standing = {
    address: account.address,
    settingsAddress: row.settings_address,
    staleTransactionIndex: Number(row.stale_transaction_index),
  };
  const base = showProposal(view, standing, showOnChainStatus);
  const { effects, batched } = describeContent(
    { settings: settingsAddress, content, lookupTables },
    base.approved,
    owners,
  );
  const isOpen = row.chain_status !== "closed" && (row.status === "Active" || row.status === "Approved");
  // What is not decided has no effect yet that could be simulated.
  const isDecided = verdict.undecided.length === 0;
  const simulation =
    isOpen && isDecided && content ? await simulateContent(network, settingsAddress, content, lookupTables) : undefined;
  const vault = deriveSmartAccountAddress(
    settingsAddress,
    content && content.kind !== "settings" ? content.accountIndex : 0,
  );
  const released =
    row.chain_status === "approved"
      ? releasedAt({ status: "approved", statusTimestamp: row.status_timestamp }, settings.timeLockSeconds)
      : undefined;
  const now = network.clock.now();
  const approvals = readVotes(row).filter(
    ({ signer, action }) => action === "approve" && base.approved.includes(signer),
  );
  const warnings = findWarnings({
    settings,
    settingsAddress,
    content,
    instructions,
    effects,
    verdict: isOpen ? verdict : { unreadable: [], undecided: [] },
    vault,
    isStale: isStale(view, standing),
    usesDurableNonce: row.uses_durable_nonce,
    approvals: isOpen ? approvals : [],
    now: Math.floor(now / 1000),
    outflows: isOpen
      ? simulation?.changes
        ? outflowsOfChanges(vault, simulation.changes)
        : await readOutflows(network, vault, effects)
      : [],
    simulationError: simulation?.error,
    callers,
  });
  const ofPayees = isOpen ? await findPayeeWarnings(network, vault, effects) : [];
  return {
    ...base,
    ...(released === undefined ? {} : releaseOf(released, now)),
    summary: effects,
    ...(batched === undefined || base.batch === undefined ? {} : { batch: { ...base.batch, transactions: batched } }),
    ...(simulation?.changes ? { balanceChanges: simulation.changes } : {}),
    ...(simulation?.error === undefined ? {} : { simulationError: simulation.error }),
    warnings: [...warnings, ...ofPayees],
    votesNeeded: row.status === "Active" ? Math.max(0, settings.threshold - base.approved.length) : 0,
  };
}

/** When a time lock ends, which is `released` in Unix seconds, and how long that is from `now`, in Unix milliseconds. */
const releaseOf = (released: number, now: number) => ({
  executableAt: new Date(released * 1000).toISOString(),
  executableInSeconds: Math.max(0, Math.ceil(released - now / 1000)),
});

/** What the transfers alone take out, where nothing could be simulated. Throws `chain_unavailable`. */
async function readOutflows(network: Network, vault: Address, effects: readonly Effect[]): Promise<Outflow[]> {
  const transfers = effects.flatMap((effect) => (effect.type === "transfer" && effect.from === vault ? [effect] : []));
  const amounts = new Map<string | null, bigint>();
  for (const { mint, amount } of transfers) amounts.set(mint, (amounts.get(mint) ?? 0n) + BigInt(amount));
  const sources = [...new Set(transfers.flatMap(({ from_token_account: source }) => source ?? []))] as Address[];
  const [holder, ...tokens] = await readAccounts(network, [vault, ...sources].slice(0, 100));
  const held = new Map<string | null, bigint>([[null, holder?.lamports ?? 0n]]);
  for (const account of tokens) {
    const token = account && decodeTokenAccount(account);
    if (token) held.set(token.mint, (held.get(token.mint) ?? 0n) + token.amount);
  }
  return [...amounts].map(([mint, amount]) => ({ mint, amount, held: held.get(mint) ?? 0n }));
}
