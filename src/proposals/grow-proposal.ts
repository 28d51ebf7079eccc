import { type Address, createNoopSigner, type Instruction } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { proposalSize } from "@trellis/program-client";
import { askChain } from "@trellis/solana/ask-chain.js";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import type { ActingAccount } from "../transactions/acting-account.js";
import { isRentReturned } from "./close-proposals.js";
import type { ProposalRow } from "./proposal-store.js";

/** Lamports that a proposal gets, so that nobody has to pay for its growth. */
export interface Growth {
  readonly instruction: Instruction;
  readonly lamports: bigint;
}

/** Voters with passkeys behind all others: where the service does not pay for the growth of a proposal, the first voter does, which a passkey's account cannot. */
export function payersFirst(
  { passkeys }: Pick<ActingAccount, "passkeys">,
  voters: readonly string[],
): readonly string[] {
  const isPasskey = (voter: string) => [...passkeys.keys()].some((address) => address === voter);
  return [...voters.filter((voter) => !isPasskey(voter)), ...voters.filter(isPasskey)];
}

/**
 * What a vote to cancel lacks when the account has more signers than the proposal has room for. The program takes from the first voter
 * what the proposal's account lacks of its rent then (program spec 4.8). So that account gets exactly the missing rent before, and the program
 * takes nothing: no voter holds any of it, and all of it goes where the proposal's rent goes. Undefined when nothing is missing.
 *
 * The service pays only for a proposal whose rent returns to it; what it pays for another's would be that one's gain.
 * Throws `insufficient_balance` then, unless the voter has enough, which a passkey never has. Throws `chain_unavailable`.
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
  if (lamports <= 0n) return undefined;
  if (feePayer === undefined && !isRentReturned(network, row)) {
    const isPasskey = account.passkeys.has(voter);
    if (!isPasskey && (wallet?.lamports ?? 0n) >= lamports) return undefined;
    throw new TrellisError("insufficient_balance", {
      field: "signers",
      message:
        `The proposal has to grow by ${lamports} lamports, which ${voter} ${isPasskey ? "cannot pay, as a passkey" : "does not hold"}. ` +
        "The service pays that only for proposals whose rent it paid.",
      suggestion: isPasskey
        ? "Name a signer with a key of its own, too, or pay with a key of your own (self_managed_fees)."
        : `Send ${lamports} lamports to ${voter}, or pay with a key of your own (self_managed_fees).`,
    });
  }
  const source = createNoopSigner(feePayer ?? network.feePayer.address);
  return {
    lamports,
    instruction: getTransferSolInstruction({ source, destination: proposal.address, amount: lamports }),
  };
}
