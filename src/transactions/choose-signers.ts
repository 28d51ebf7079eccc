import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { checkConsensus, smallestSigners } from "@trellis/program-client";
import { memberNames } from "../accounts/passkey-members.js";
import { defaultCustodian } from "../custody/custodians.js";
import type { ActingAccount } from "./acting-account.js";

/** What a caller may say about who is to sign. */
export interface SignerWish {
  /** Named members: used as they are. */
  readonly named?: readonly string[] | undefined;
  /** Members of this provider only. */
  readonly provider?: string | undefined;
}

/** The same, and undefined where these cannot act at once: a proposal is the way then. */
export function findSigners(account: ActingAccount, wish: SignerWish): readonly Address[] | undefined {
  const chosen = candidates(account, wish);
  return chosen && checkConsensus(account.settings, chosen).ok ? chosen : undefined;
}

/**
 * Members in the order in which they are asked to sign: those named as they are, else those of the provider asked for,
 * primary before backup, the default custodian first, then list order, and passkeys without a session last. Throws
 * `insufficient_permissions` when a named signer is no member.
 */
export function orderSigners(account: ActingAccount, wish: SignerWish): readonly Address[] {
  return wish.named && wish.named.length > 0 ? chooseNamed(account, wish.named) : byPreference(account, wish.provider);
}

/**
 * Who signs a synchronous transaction (gap 25): those named, else those of the provider asked for, else the smallest set
 * that can act at once, primary before backup, the default custodian first, then list order. Passkeys without a session come last, and
 * one passkey at most is chosen, as no more can sign at once.
 *
 * Throws `proposal_required` when these cannot act alone or a time lock forbids it, `insufficient_permissions` when a
 * named signer is not a member.
 */
export function chooseSigners(account: ActingAccount, wish: SignerWish): readonly Address[] {
  if (account.settings.timeLockSeconds > 0) {
    throw proposalRequired("The account has a time lock, so nothing is executed at once.");
  }
  const chosen = findSigners(account, wish);
  if (!chosen) {
    throw proposalRequired("These signers do not hold the permissions and the threshold to act at once.");
  }
  return chosen;
}

function candidates(account: ActingAccount, wish: SignerWish): readonly Address[] | undefined {
  if (wish.named && wish.named.length > 0) return chooseNamed(account, wish.named);
  const { settings, passkeys, sessionKeys } = account;
  const order = byPreference(account, wish.provider);
  // One passkey at most signs at once, and one without a session only where nobody else can.
  const able = order.filter((address) => sessionKeys.has(address));
  const unable = order.filter((address) => passkeys.has(address) && !sessionKeys.has(address));
  for (const passkey of [...able, undefined, ...unable]) {
    const chosen = smallestSigners(
      settings,
      order.filter((address) => address === passkey || !passkeys.has(address)),
    );
    if (chosen) return chosen;
  }
  return undefined;
}

function chooseNamed(account: ActingAccount, named: readonly string[]): readonly Address[] {
  const unique = [...new Set(memberNames(account, named))];
  return unique.map((name) => {
    const member = account.settings.signers.find(({ address }) => address === name);
    if (!member) {
      throw new TrellisError("insufficient_permissions", {
        field: "transaction_signers",
        message: `${name} is not a signer of this account.`,
      });
    }
    return member.address;
  });
}

function byPreference(account: ActingAccount, provider: string | undefined): readonly Address[] {
  const known = new Map(account.signers.map((signer) => [signer.signer_address, signer]));
  const rank = (address: Address): number => {
    const signer = known.get(address);
    const silent = account.passkeys.has(address) && !account.sessionKeys.has(address) ? 4 : 0;
    const foreign = (signer?.provider ?? "external") === (provider ?? defaultCustodian) ? 0 : 2;
    return silent + foreign + ((signer?.role ?? "primary") === "primary" ? 0 : 1);
  };
  const position = (address: Address): number => known.get(address)?.position ?? Number.MAX_SAFE_INTEGER;
  return account.settings.signers
    .map(({ address }) => address)
    .filter((address) => provider === undefined || (known.get(address)?.provider ?? "external") === provider)
    .sort((left, right) => rank(left) - rank(right) || position(left) - position(right));
}

function proposalRequired(message: string): TrellisError {
  return new TrellisError("proposal_required", {
    message,
    suggestion: "Create a proposal for it: POST /api/service/v1/accounts/{address}/proposals.",
  });
}
