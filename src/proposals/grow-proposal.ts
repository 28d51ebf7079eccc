import { type Address, createNoopSigner, type Instruction } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { proposalSize } from "@trellis/program-client";
import { askChain } from "@trellis/solana/ask-chain.js";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { submissionStates } from "../submissions/submission-states.js";
import type { ActingAccount } from "../transactions/acting-account.js";
import type { ProposalRow } from "./proposal-store.js";

/** Lamports that a voter gets, who then pays them for the growth of the proposal. */
export interface Growth {
  readonly instruction: Instruction;
  readonly lamports: bigint;
}

/** Voters with passkeys behind all others: the first one pays for the growth of a proposal, which a passkey's account cannot. */
export function payersFirst(
  { passkeys }: Pick<ActingAccount, "passkeys">,
  voters: readonly string[],
): readonly string[] {
  const isPasskey = (voter: string) => [...passkeys.keys()].some((address) => address === voter);
  return [...voters.filter((voter) => !isPasskey(voter)), ...voters.filter(isPasskey)];
}

/**
 * What a vote to cancel lacks when the account has more signers than the proposal has room for: the program lets the
 * first voter pay that (program spec 4.8), so exactly the missing rent goes to that voter before. Undefined when nothing
 * is missing.
 *
 * The service pays only for a proposal whose rent returns to it; what it pays for another's would be that one's gain.
 * Throws `insufficient_balance` then, unless the voter has enough, and where the voter is a passkey. Throws `chain_unavailable`.
 */
export async function growProposal(
  network: Network,
  account: ActingAccount,
  row: ProposalRow,
  voters: readonly Address[],
  feePayer: Address | undefined,
): Promise<Growth | undefined> {
  const [voter] = voters;
  if (voter === undefined) return undefined;
  const [proposal, wallet] = await readAccounts(network, [row.proposal_address as Address, voter]);
  const size = proposalSize(account.settings.signers.length);
  if (proposal === undefined || proposal.data.length >= size) return undefined;
  const rent = await askChain(network.rpc.getMinimumBalanceForRentExemption(BigInt(size)));
  const lamports = rent - proposal.lamports;
  const payer = feePayer ?? network.feePayer.address;
  if (lamports <= 0n || payer === voter) return undefined;
  if (account.passkeys.has(voter)) {
    throw new TrellisError("insufficient_balance", {
      field: "signers",
      message: `The proposal has to grow by ${lamports} lamports, which its first voter pays. The account of a passkey can pay nothing.`,
      suggestion: "Name a signer with a key of its own, too.",
    });
  }
  if (feePayer === undefined && row.proposal_rent_collector !== network.feePayer.address) {
    if ((wallet?.lamports ?? 0n) >= lamports) return undefined;
    throw new TrellisError("insufficient_balance", {
      field: "signers",
      message:
        `The proposal has to grow by ${lamports} lamports, which ${voter} does not hold. The service pays that only for ` +
        "proposals whose rent it paid.",
      suggestion: `Send ${lamports} lamports to ${voter}, or pay with a key of your own (self_managed_fees).`,
    });
  }
  const source = createNoopSigner(payer);
  return { lamports, instruction: getTransferSolInstruction({ source, destination: voter, amount: lamports }) };
}

/**
 * Requires that no other transaction pays a voter of this account for a growth at the same time: of two, the second would
 * find the proposal grown, and its voter would keep the money. Forgets the one just prepared where there is another.
 * Throws `submission_in_progress`.
 */
export async function requireSoleGrowth(db: Db, network: Network, account: ActingAccount, id: string): Promise<void> {
  const others = await db
    .selectFrom("prepared_transaction as prepared")
    .leftJoin("submission", "submission.id", "prepared.id")
    .select("prepared.id")
    .where("prepared.environment", "=", network.name)
    .where("prepared.tenant_id", "=", account.row.tenant_id)
    .where("prepared.account_address", "=", account.row.address)
    .where("prepared.kind", "=", "proposal_growth")
    .where("prepared.id", "!=", id)
    .where((eb) =>
      eb.or([
        eb("submission.state", "in", submissionStates.open),
        eb.and([eb("submission.id", "is", null), eb("prepared.expires_at", ">", BigInt(network.clock.now()))]),
      ]),
    )
    .execute();
  if (others.length === 0) return;
  await db.deleteFrom("kms_payload").where("prepared_id", "=", id).execute();
  await db.deleteFrom("prepared_transaction").where("id", "=", id).execute();
  throw new TrellisError("submission_in_progress", {
    message: "Another vote that pays for the growth of a proposal of this account is open. Ask again in a minute.",
    retryAfterSeconds: 60,
  });
}
