import { type Address, createNoopSigner, type Instruction } from "@solana/kit";
import { getCreateAssociatedTokenIdempotentInstruction } from "@solana-program/token";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  deriveEphemeralSignerAddress,
  deriveSmartAccountAddress,
  deriveTransactionAddress,
  executeBatchTransactionInstruction,
  executeSettingsTransactionInstruction,
  executeTransactionInstruction,
  ProgramDataError,
  spendingLimitSize,
} from "@trellis/program-client";
import type { BatchedMessage, ProposalContent } from "@trellis/program-client/proposal-content.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { decodeTokenAccount, TOKEN_2022_PROGRAM_ADDRESS } from "@trellis/solana/token-accounts.js";
import { associatedAccountBytes } from "@trellis/solana/token-extensions.js";
import type { ActingAccount } from "../transactions/acting-account.js";
import { fundSettings } from "../transactions/fund-settings.js";
import { requireApprovable, requireSameTables } from "../transactions/judge-content.js";
import { chooseLimitRentPayer } from "../transactions/limit-rent.js";
import { rentCollectorsOf } from "../transactions/removed-policies.js";
import { missingFor, type RentSponsor, rentNotSponsored } from "../transactions/rent-sponsor.js";
import { readTablesOf, refuseForbiddenContent } from "../transactions/stored-proposal.js";
import { describeContent } from "../transactions/summary.js";
import type { Effect } from "../transactions/summary-item.js";
import type { LoadedProposal } from "./describe-proposal.js";
import type { ProposalRow } from "./proposal-store.js";
import { wrongStatus } from "./vote-plan.js";

/** Throws `stale_proposal` for a change of settings that was made under older ones; a payment can still be executed. */
export function requireNotStale(staleIndex: bigint, row: Pick<ProposalRow, "kind" | "transaction_index">): void {
  if (row.kind === "settings" && row.transaction_index <= staleIndex) throw new TrellisError("stale_proposal");
}

/** The instructions that execute a proposal. */
export interface ExecutionPlan {
  readonly instructions: readonly Instruction[];
  /** Who signs beside the executor: accounts that what is executed has sign. */
  readonly further: readonly Address[];
  /** What `instructions` can cost the fee payer in rent by the rules, lamports. */
  readonly rentLamports: bigint;
}

/**
 * Builds the execution of what a proposal holds, lookup tables read now, by the rules for what the fee payer signs
 * (gap 31); of a batch its next `count` transactions. Says nothing about votes, status and time lock.
 *
 * Throws `unreadable_content`, `undecided_content`, `forbidden_account`, `invalid_transaction`, `invalid_proposal_status` where its
 * content is removed or not of a kind that can be executed here, `rent_not_sponsored`, `chain_unavailable`.
 */
export async function planExecution(
  network: Network,
  account: ActingAccount,
  { row, content, lookupTables: known, owners, verdict }: LoadedProposal,
  signer: Address,
  sponsor: RentSponsor,
  count: number,
): Promise<ExecutionPlan> {
  if (content === undefined) {
    throw wrongStatus(row.chain_status ?? "closed", "What it holds cannot be read, so it is not executed here.");
  }
  // Also with the word that lets it be approved: which accounts it needs is not known here.
  requireApprovable(verdict);
  if (row.chain_status === "approved" && row.status_timestamp !== null) {
    await requireSameTables(network, content, row.status_timestamp);
  }
  const { settingsAddress: settings } = account;
  const transactionIndex = row.transaction_index;
  if (content.kind === "settings") {
    refuseForbiddenContent(content, {}, network.serviceAddresses, settings, network.executor);
    const { actions } = content;
    const sizes = actions.flatMap((action) =>
      action.__kind === "AddSpendingLimit"
        ? [spendingLimitSize(action.signers.length, action.destinations.length)]
        : [],
    );
    const rentPayer = await chooseLimitRentPayer(network, sizes, [signer], sponsor);
    const policyRentCollectors = await rentCollectorsOf(network, settings, actions, {
      leastSlot: account.slot,
    });
    const execute = { settings, transactionIndex, signer, rentPayer, actions, policyRentCollectors };
    const funding = await fundSettings(network, account, actions, rentPayer);
    return {
      instructions: [...funding.instructions, executeSettingsTransactionInstruction(execute)],
      further: [],
      rentLamports: rentPayer === sponsor.address ? funding.lamports : 0n,
    };
  }
  const lookupTables = await readTablesOf(network, content);
  refuseForbiddenContent(content, lookupTables, network.serviceAddresses, settings);
  const { accountIndex } = content;
  const parts = nextOf(content, count);
  const transactions = parts.map(({ part }) => part);
  const { effects } = describeContent(
    { settings, content: { kind: "batch", accountIndex, executed: 0, transactions }, lookupTables: known },
    [signer],
    owners,
  );
  const opening = await openTokenAccounts(network, settings, content, effects, sponsor);
  const common = { settings, signer, accountIndex, lookupTables };
  const executions = parts.map(({ number, part }) =>
    attempt(() =>
      number === undefined
        ? executeTransactionInstruction({ ...common, ...part, transactionIndex })
        : executeBatchTransactionInstruction({ ...common, ...part, batchIndex: transactionIndex, number }),
    ),
  );
  const further = transactions.flatMap(({ message, ephemeralSignerCount }) => {
    const inside = signsInside(settings, transactionIndex, accountIndex, ephemeralSignerCount);
    return message.accountKeys.slice(0, message.numSigners).filter((key) => !inside.has(key) && key !== signer);
  });
  return {
    instructions: [...opening.instructions, ...executions],
    further: [...new Set(further)],
    rentLamports: opening.rentLamports,
  };
}

type MessageContent = Exclude<ProposalContent, { kind: "settings" }>;

/** The messages to be executed now, those of a batch with their numbers. */
function nextOf(content: MessageContent, count: number): { number?: number; part: BatchedMessage }[] {
  if (content.kind === "transaction") return [{ part: content }];
  const { executed, transactions } = content;
  const next = transactions.slice(executed, executed + count);
  if (next.length === 0) throw wrongStatus("approved", "It is a batch without anything left to execute.");
  return next.map((part, i) => ({ number: executed + 1 + i, part }));
}

/** The program signs for these. */
function signsInside(
  settings: Address,
  transactionIndex: bigint,
  accountIndex: number,
  ephemeralSignerCount: number,
): ReadonlySet<Address> {
  const transaction = deriveTransactionAddress(settings, transactionIndex);
  return new Set([
    deriveSmartAccountAddress(settings, accountIndex),
    ...Array.from({ length: ephemeralSignerCount }, (_, i) => deriveEphemeralSignerAddress(transaction, i)),
  ]);
}

function attempt<T>(build: () => T): T {
  try {
    return build();
  } catch (cause) {
    if (!(cause instanceof ProgramDataError)) throw cause;
    throw new TrellisError("invalid_transaction", {
      message: `What the proposal holds cannot be executed: ${cause.message}.`,
      cause,
    });
  }
}

/**
 * Payees' token accounts that the account itself would open and cannot pay: the sponsor opens them in front, as for a
 * payment at once (gap 31), for configured mints. The stored instruction then finds its work done. Where the sponsor does
 * not, and only transfers are stored, it is certain that the execution would fail: `rent_not_sponsored`. Anything else may
 * bring the account what it lacks.
 */
async function openTokenAccounts(
  network: Network,
  settings: Address,
  content: MessageContent,
  effects: readonly Effect[],
  sponsor: RentSponsor,
): Promise<{ readonly instructions: readonly Instruction[]; readonly rentLamports: bigint }> {
  const nothing = { instructions: [], rentLamports: 0n };
  const vault = deriveSmartAccountAddress(settings, content.accountIndex);
  const openings = effects.flatMap((effect) => {
    if (effect.type !== "create_token_account" || effect.payer !== vault) return [];
    const currency = network.currencies.find(({ mint }) => mint === effect.mint);
    if (!currency?.mint || !currency.tokenProgram) return [];
    const { mint, tokenProgram } = currency;
    return [{ ata: effect.token_account as Address, owner: effect.owner as Address, mint, tokenProgram }];
  });
  if (openings.length === 0) return nothing;
  const mints = [...new Set(openings.map(({ mint }) => mint))];
  const wanted = [vault, ...mints, ...openings.map(({ ata }) => ata)].slice(0, 100);
  const [holder, ...accounts] = await readAccounts(network, wanted);
  const missing = openings.filter((_, i) => {
    const present = accounts[mints.length + i];
    return present === undefined || decodeTokenAccount(present) === undefined;
  });
  if (missing.length === 0) return nothing;
  const sizes = missing.map(({ mint, tokenProgram }) =>
    associatedAccountBytes(
      accounts[mints.indexOf(mint)]?.data ?? new Uint8Array(),
      tokenProgram === TOKEN_2022_PROGRAM_ADDRESS,
    ),
  );
  const [minimum = 0n, ...rents] = await Promise.all(
    [0, ...sizes].map((bytes) => askChain(network.rpc.getMinimumBalanceForRentExemption(BigInt(bytes)))),
  );
  const rentLamports = rents.reduce((sum, rent) => sum + rent, 0n);
  const leaving = effects.reduce(
    (sum, effect) =>
      effect.type === "transfer" && effect.from === vault && effect.mint === null ? sum + BigInt(effect.amount) : sum,
    0n,
  );
  const lacking = missingFor(rentLamports, (holder?.lamports ?? 0n) - leaving, minimum);
  if (lacking === 0n) return nothing;
  if ((await sponsor.openingsLeft()) < missing.length) {
    if (effects.some(({ type }) => type === "instruction")) return nothing;
    throw rentNotSponsored({
      what:
        missing.length === 1
          ? "A payee has no token account. To open one takes"
          : `${missing.length} payees have no token accounts. To open them takes`,
      rentLamports,
      payer: vault,
      missing: lacking,
    });
  }
  return {
    rentLamports,
    instructions: missing.map((opening) =>
      getCreateAssociatedTokenIdempotentInstruction({ ...opening, payer: createNoopSigner(sponsor.address) }),
    ),
  };
}
