import type { Address, Instruction } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import {
  activateProposalInstruction,
  addTransactionToBatchInstruction,
  batchTransactionSize,
  createBatchInstruction,
  createProposalInstruction,
  deriveProposalAddress,
  voteInstruction,
} from "@trellis/program-client";
import type { BatchContent } from "@trellis/program-client/proposal-content.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { composeTransaction, computeUnitsMax, noBlockhash } from "@trellis/solana/compose.js";
import { heapFrameFor } from "@trellis/solana/compute-needs.js";
import type { LookupTables } from "@trellis/solana/read-message.js";
import type { ActingAccount } from "../transactions/acting-account.js";
import { type FollowingRequest, prepareSequence } from "../transactions/prepare-sequence.js";
import type { PreparedTransaction } from "../transactions/prepared-transaction.js";
import { countCalls, signByPasskeys } from "../transactions/sign-by-passkeys.js";
import { findBegunBatch } from "./begun-batch.js";
import { type NewMessages, requireExecutable } from "./executable-content.js";
import type { NewProposal } from "./open-proposal.js";
import { requireRoomForProposal } from "./proposal-room.js";

/** Prepared transactions that open one proposal, to be submitted in this order. */
export interface OpenedBatch {
  readonly prepared: readonly PreparedTransaction[];
  readonly proposalAddress: Address;
  readonly transactionIndex: bigint;
  /** Of a batch: how many transactions it has, and how many of them are on chain already. */
  readonly batch?: { readonly size: number; readonly stored: number };
}

/**
 * Prepares the transactions that begin a batch under the next index of the account, put everything into it, open the vote
 * and cast the first approvals: as few as it takes. The first is simulated, the others depend on what stands before them.
 * What was begun and not finished is a draft. One that the creator began with these very messages is continued, and what
 * it holds is not sent again; any other, members can reject, and its rent is then returned.
 *
 * Throws `transaction_too_large` for what does not fit or could never be executed, and what prepareProposal throws.
 */
export async function prepareBatch(
  needs: { readonly db: Db; readonly random: Random },
  network: Network,
  { account, creator, approvers, feePayer }: Omit<NewProposal, "content">,
  messages: NewMessages,
): Promise<OpenedBatch> {
  const settings = account.settingsAddress;
  const begun = await findBegunBatch(network, { account, creator, feePayer }, messages);
  const { transactionIndex, stored } = begun ?? {
    transactionIndex: account.settings.transactionIndex + 1n,
    stored: 0,
  };
  const rentPayer = feePayer ?? network.feePayer.address;
  if (feePayer === undefined && begun === undefined) await requireRoomForProposal(needs.db, network, settings);
  for (const message of messages) requireExecutable(account, message, rentPayer);
  const place = { settings, batchIndex: transactionIndex };
  const voted = { settings, transactionIndex };
  const beginning: Step = {
    instructions: [
      createBatchInstruction({ ...place, creator, rentPayer }),
      createProposalInstruction({ ...voted, creator, rentPayer, draft: true }),
    ],
  };
  const steps: Step[] = [
    ...(begun ? [] : [beginning]),
    ...messages.slice(stored).map(
      ({ message }, i): Step => ({
        instructions: [
          addTransactionToBatchInstruction({ ...place, number: stored + i + 1, signer: creator, rentPayer, message }),
        ],
        bytes: batchTransactionSize(message),
      }),
    ),
    {
      instructions: [
        activateProposalInstruction({ ...voted, signer: creator }),
        ...approvers.map((signer) => voteInstruction({ action: "approve", ...voted, signer })),
      ],
    },
  ];
  const parts = pack(account, rentPayer, steps);
  const content: BatchContent = {
    kind: "batch",
    accountIndex: 0,
    executed: 0,
    transactions: messages.map(({ message }) => ({ ephemeralSignerCount: 0, message })),
  };
  const lookupTables: LookupTables = Object.assign({}, ...messages.map((one) => one.lookupTables ?? {}));
  const owners = new Map(messages.flatMap((one) => [...(one.owners ?? [])]));
  const proposalAddress = deriveProposalAddress(settings, transactionIndex);
  const requests: FollowingRequest[] = [];
  for (const part of parts) {
    requests.push({
      kind: "create_proposal",
      account,
      signers: [creator, ...(part === parts.at(-1) ? approvers.filter((signer) => signer !== creator) : [])],
      instructions: part.flatMap(({ instructions }) => instructions),
      feePayer,
      rentLamports: await rentOf(network, part),
      facts: { owners, proposals: new Map([[proposalAddress, { settings, transactionIndex, content, lookupTables }]]) },
    });
  }
  return {
    prepared: await prepareSequence(needs, network, requests),
    proposalAddress,
    transactionIndex,
    batch: { size: messages.length, stored },
  };
}

/** What stays together, in one transaction. */
interface Step {
  readonly instructions: readonly Instruction[];
  /** Of the account it makes. */
  readonly bytes?: number;
}

/** Steps in transactions, each as full as it gets. Throws `transaction_too_large`. */
function pack(account: ActingAccount, feePayer: Address, steps: readonly Step[]): Step[][] {
  const parts: Step[][] = [];
  for (const step of steps) {
    const last = parts.at(-1);
    if (last && fits([...last, step])) last.push(step);
    else {
      fits([step], true);
      parts.push([step]);
    }
  }
  // Behind the last one that is added, in one transaction, the vote opens on so many and no more.
  const [before, end] = parts.slice(-2);
  const last = before?.at(-1);
  if (before && before.length > 1 && end?.length === 1 && last && fits([last, ...end])) {
    before.pop();
    end.unshift(last);
  }
  if (parts.length <= limits.submitTransactionsMax) return parts;
  throw new TrellisError("transaction_too_large", {
    message: `It takes ${parts.length} transactions to store this; at most ${limits.submitTransactionsMax} can be submitted together.`,
    suggestion: "Propose less at a time.",
  });

  function fits(part: readonly Step[], must = false): boolean {
    const instructions = part.flatMap((one) => one.instructions);
    const heapFrameBytes = heapFrameFor(instructions, account.settings.signers.length);
    try {
      const signed = signByPasskeys(account, instructions);
      if (countCalls(signed) > togetherMax) return false;
      composeTransaction(
        feePayer,
        noBlockhash,
        { units: computeUnitsMax, microLamportsPerUnit: 0n, heapFrameBytes },
        signed,
      );
      return true;
    } catch (error) {
      if (must || !(error instanceof TrellisError) || error.code !== "transaction_too_large") throw error;
      return false;
    }
  }
}

/** Calls in one transaction: by the units that each may take, see `prepareSequence`. */
const togetherMax = 10;

/** What a transaction costs the payer of its rent, by the rules; for the first the simulation says it more exactly. */
async function rentOf(network: Network, part: readonly Step[]): Promise<bigint> {
  const rents = part.map(({ bytes }) =>
    bytes === undefined ? 0n : askChain(network.rpc.getMinimumBalanceForRentExemption(BigInt(bytes))),
  );
  return (await Promise.all(rents)).reduce((sum: bigint, rent) => sum + rent, 0n);
}
