import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { accountKindOf, decodeProposal, deriveTransactionAddress } from "@trellis/program-client";
import { type Freshness, readAccounts } from "@trellis/solana/read-accounts.js";
import type { ResolvedSigner } from "../accounts/creation-plan.js";
import { findExportedSigners } from "../custody/wallet-export.js";
import type { ActingAccount } from "../transactions/acting-account.js";
import { readAccountsOf } from "../transactions/read-accounts-of.js";

/** What was prepared by the signers of today and acts after a change of settings without the new ones. */
export interface RemainingPowers {
  readonly remaining_proposals: Address[];
  readonly remaining_policies: Address[];
  /** Of the new signers those whose keys are not at their custodians alone. */
  readonly exported_signers: string[];
}

/**
 * Finds it on the chain rather than in the index of proposals, which may lag: what is overlooked here moves money. Throws
 * `chain_unavailable`.
 */
export async function findRemainingPowers(
  db: DbOrTrx,
  network: Pick<Network, "rpc">,
  { settingsAddress, slot }: ActingAccount,
  signers: readonly ResolvedSigner[],
): Promise<RemainingPowers> {
  const freshness = { leastSlot: slot };
  const wallets = signers.map(({ walletId, address }) => ({ wallet_id: walletId, signer_address: address }));
  const [proposals, policies, exported] = await Promise.all([
    findApproved(network, settingsAddress, freshness),
    readAccountsOf(network, "policy", settingsAddress, freshness),
    findExportedSigners(db, wallets),
  ]);
  return {
    remaining_proposals: proposals,
    remaining_policies: policies.map(({ address }) => address).sort(),
    exported_signers: [...exported],
  };
}

/** Throws `invalid_request` where anything remains that the caller has not said it knows of. */
export function requireKnownPowers(powers: RemainingPowers, isKept: boolean): void {
  const { remaining_proposals: proposals, remaining_policies: policies, exported_signers: exported } = powers;
  if (isKept || proposals.length + policies.length + exported.length === 0) return;
  const found = [
    ...named("approved proposals", proposals),
    ...named("policies", policies),
    ...named("signers whose keys were exported or imported", exported),
  ];
  throw new TrellisError("invalid_request", {
    field: "keep_remaining",
    message: `What the account has already would move money without the guardian: ${found.join("; ")}.`,
    suggestion:
      "Cancel the proposals or execute them, remove the policies, and choose another session_provider in place of an " +
      "exported or imported signer. Or send keep_remaining: true.",
    facts: { ...powers },
  });
}

const named = (what: string, addresses: readonly string[]): readonly string[] =>
  addresses.length === 0 ? [] : [`${what} (${addresses.join(", ")})`];

/** How many accounts a node is asked for at once. */
const readEach = 100;

/** Approved proposals that pay; those that change settings are dead once the settings have changed. */
async function findApproved(
  network: Pick<Network, "rpc">,
  settings: Address,
  freshness: Freshness,
): Promise<Address[]> {
  const listed = await readAccountsOf(network, "proposal", settings, freshness);
  const approved = listed.flatMap(({ address, data }) => {
    const { status, transactionIndex } = decodeProposal(data);
    return status === "approved" || status === "executing" ? [{ address, transactionIndex }] : [];
  });
  const found: Address[] = [];
  for (let i = 0; i < approved.length; i += readEach) {
    const group = approved.slice(i, i + readEach);
    const contents = group.map(({ transactionIndex }) => deriveTransactionAddress(settings, transactionIndex));
    const accounts = await readAccounts(network, contents, freshness);
    found.push(...group.filter((_, j) => pays(accounts[j]?.data)).map(({ address }) => address));
  }
  return found.sort();
}

function pays(content: Uint8Array | undefined): boolean {
  const kind = content && accountKindOf(content);
  return kind === "transaction" || kind === "batch";
}
