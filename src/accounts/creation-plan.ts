import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import {
  type CustodianName,
  type Custodians,
  CustodyRefusal,
  type WalletRelyingParty,
} from "@trellis/kernel/ports/custodian.js";
import type { AccountTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { CAN_VOTE_BIT } from "@trellis/program-client";
import { askCustodian, backupCustodian, defaultCustodian, getCustodian } from "../custody/custodians.js";
import { type CheckedPolicy, everyPermission, type PolicySigner, type Provider, type Role } from "./policy.js";

/** A signer of an account that is to be created: a key that exists, or a wallet that a custodian makes for its owner. */
export type PlannedSigner = {
  readonly mask: number;
  readonly role: Role;
  readonly provider: Provider;
} & (
  | { readonly key: Address }
  /** Null: the wallet of the user the creation belongs to. */
  | {
      readonly walletOf: string | null;
      readonly provider: CustodianName;
      /** Of a guardian's: where its passkeys belong. */
      readonly relyingParty?: WalletRelyingParty;
      /** Which one of the user's wallets there. Absent: the first. */
      readonly number?: number;
    }
);

/** What is to be created, as it is stored until it has landed. */
export interface CreationPlan {
  readonly signers: readonly PlannedSigner[];
  readonly threshold: number;
  readonly timeLockSeconds: number;
  readonly admin: Address | null;
  readonly memo: string | null;
  /** A page has asked for it, with a publishable key (gap 123): who pays for it depends on that for as long as it is open. */
  readonly isByPage?: true;
}

/** A signer with its address and, where a custodian holds the key, its wallet. */
export interface ResolvedSigner extends PolicySigner {
  readonly walletId: string | null;
}

/** A plan whose wallets exist. */
export interface ResolvedPlan extends CheckedPolicy {
  readonly signers: readonly ResolvedSigner[];
  readonly memo: string | null;
}

/** The plan of an e-mail account: one wallet at each of two custodians, either can act alone (gap 17). */
export function planEmailAccount({ isByPage }: { readonly isByPage: boolean }): CreationPlan {
  return {
    signers: [
      { walletOf: null, provider: defaultCustodian, mask: everyPermission, role: "primary" },
      { walletOf: null, provider: backupCustodian, mask: everyPermission, role: "backup" },
    ],
    threshold: 1,
    timeLockSeconds: 0,
    admin: null,
    memo: null,
    ...(isByPage ? { isByPage } : {}),
  };
}

/**
 * The plan of a guarded account: any two of the service's custodian, the guardian and the recovery key, which can only vote
 * (gap 170).
 */
export function planGuardedAccount(of: {
  readonly guardian: CustodianName;
  readonly relyingParty: WalletRelyingParty;
  readonly recovery: Address;
}): CreationPlan {
  const { guardian: provider, relyingParty } = of;
  return {
    signers: [
      { walletOf: null, provider: defaultCustodian, mask: everyPermission, role: "primary" },
      { walletOf: null, provider, relyingParty, mask: everyPermission, role: "primary" },
      { key: of.recovery, provider: "external", mask: CAN_VOTE_BIT, role: "backup" },
    ],
    threshold: 2,
    timeLockSeconds: 0,
    admin: null,
    memo: null,
  };
}

/** As many signers has an e-mail account at most: a guarded one. */
export const mostSignersOfEmailAccount = 3;

/** The plan of an account whose signers are keys that exist already. */
export function planKeyAccount(policy: CheckedPolicy, memo: string | null): CreationPlan {
  return {
    signers: policy.signers.map(({ address, ...rest }) => ({ key: address, ...rest })),
    threshold: policy.threshold,
    timeLockSeconds: policy.timeLockSeconds,
    admin: policy.admin,
    memo,
  };
}

/** Has the custodians make the wallets of a plan, the same ones every time. Throws `provider_unavailable`, also where a custodian refuses. */
export async function resolvePlan(
  custodians: Custodians,
  network: Pick<Network, "name" | "clock">,
  userId: AccountTable["user_id"],
  plan: CreationPlan,
): Promise<ResolvedPlan> {
  const signers = await Promise.all(
    plan.signers.map(async (signer): Promise<ResolvedSigner> => {
      const { mask, role, provider } = signer;
      if ("key" in signer) return { address: signer.key, mask, role, provider, walletId: null };
      const custodian = getCustodian(custodians, provider);
      const wallet = await askCustodian(
        custodian.ensureWallet({
          ownerId: signer.walletOf ?? userId,
          environment: network.name,
          now: network.clock.now(),
          ...(signer.relyingParty && { relyingParty: signer.relyingParty }),
          ...(signer.number !== undefined && { number: signer.number }),
        }),
      ).catch((error: unknown) => {
        if (!(error instanceof CustodyRefusal)) throw error;
        const message = `${provider} makes no wallet for this account: its configuration does not allow what the tenant's asks for.`;
        throw new TrellisError("provider_unavailable", { message, cause: error });
      });
      return { address: wallet.address, mask, role, provider, walletId: wallet.id };
    }),
  );
  return { ...plan, signers };
}
