import { type Address, isAddress } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { findPasskeyAt, isOnCurve } from "@trellis/program-client";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { isOccupied, whyNoCallerSigns } from "@trellis/solana/signable-address.js";

/** What an environment knows of addresses that can belong to no member. */
export type MemberRules = Pick<Network, "serviceAddresses" | "currencies">;

/** An address that is not the service's own. Throws `invalid_address`, `forbidden_account`. */
export function parseOutsider(text: string, network: Pick<Network, "serviceAddresses">, field: string): Address {
  if (!isAddress(text)) throw new TrellisError("invalid_address", { field, message: `${field} is not an address.` });
  if (network.serviceAddresses.has(text)) {
    throw new TrellisError("forbidden_account", {
      field,
      message: "A key of the service cannot belong to an account.",
    });
  }
  return text;
}

/**
 * An address that may belong to a policy, as a signer or the admin: a holder can have its key, and it is not the service's
 * own (gap 16). Throws `invalid_address`, `forbidden_account`.
 */
export function parseMember(text: string, network: MemberRules, field: string): Address {
  const address = parseOutsider(text, network, field);
  const why = network.currencies.some(({ mint }) => mint === address) ? "is a mint" : whyNoCallerSigns(address);
  if (why === undefined) return address;
  throw noCallerSigns(address, why, field);
}

/**
 * The same for who may be a passkey that signs on chain, whose address is derived: which it is, `requireSigners` says, and has to be
 * asked. Throws `invalid_address`, `forbidden_account`.
 */
export function parseSigner(text: string, network: MemberRules, field: string): Address {
  const address = parseOutsider(text, network, field);
  return isOnCurve(address) || isOccupied(address) ? parseMember(text, network, field) : address;
}

/**
 * Refuses those that are programs on the chain, and those with derived addresses that are no accounts of passkeys. One question for
 * all. Throws `invalid_address`, `chain_unavailable`.
 */
export async function requireSigners(
  network: Pick<Network, "rpc">,
  members: readonly { readonly address: Address; readonly field: string }[],
): Promise<void> {
  const accounts = await readAccounts(
    network,
    members.map(({ address }) => address),
  );
  for (const [i, { address, field }] of members.entries()) {
    if (accounts[i]?.executable === true) throw noCallerSigns(address, "is a program", field);
    if (isOnCurve(address) || findPasskeyAt(address, accounts[i]) !== undefined) continue;
    throw noCallerSigns(address, whyNoCallerSigns(address) ?? "is no account of a passkey", field);
  }
}

function noCallerSigns(address: Address, why: string, field: string): TrellisError {
  return new TrellisError("invalid_address", {
    field,
    message: `No key can sign for ${address}: it ${why}. What such an account held would be lost.`,
    suggestion: "Name the Ed25519 public key of the person who signs, or the account of a passkey that is on chain.",
  });
}
