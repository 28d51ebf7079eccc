import { type Address, isAddress } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { ALL_PERMISSIONS_MASK, CAN_VOTE_BIT, type PasskeyAccount } from "@trellis/program-client";
import { readPasskeys } from "@trellis/solana/read-passkeys.js";
import Type from "typebox";
import { publicHost } from "../tenants/public-place.js";
import { findRelyingParty, isRelyingPartyOf, relyingPartyIdIn } from "../tenants/relying-party.js";
import { isOfAnotherTenant } from "./passkey-owner-store.js";

/** How a request says that it knows whose passkeys these are. */
export const confirmForeignPasskeys = Type.Optional(
  Type.Boolean({
    description:
      "True: the signers or the admin may depend on passkeys of other hosts or other tenants, of which no session is opened for you here.",
  }),
);

export interface HostNeeds {
  readonly db: Db;
  /** Where this service is reached from outside. */
  readonly publicUrl: () => string;
}

/** Who decides. A signer whose key is still to be made has something else in place of its address. */
interface Deciders {
  readonly signers: readonly { readonly address: string; readonly mask: number }[];
  readonly threshold: number;
  /** The admin, where the account has one: it alone changes the signers. */
  readonly settingsAuthority: string | null;
}

/** What a policy takes the place of, where there is one, and whether the request knows of foreign passkeys. */
interface Replaced {
  readonly from?: Deciders;
  readonly isConfirmed: boolean | undefined;
}

/**
 * Refuses a policy whose signers, or whose admin, can act only with passkeys of a host that is neither this service's nor the tenant's relying
 * party, or with those of another tenant: no session of these is opened here for this one, so once theirs end what the account holds is lost,
 * or its signers are the same for good. Another admin can replace the signers, whatever these are. One that takes the place of such a policy
 * is let through, and so is one that the request confirms. Throws `invalid_policies` and `chain_unavailable`.
 */
export async function refuseForeignPasskeys(
  needs: HostNeeds,
  network: Pick<Network, "name" | "rpc">,
  tenantId: string,
  to: Deciders,
  { from, isConfirmed }: Replaced,
): Promise<void> {
  if (isConfirmed === true) return;
  const addresses = [...membersOf(to), ...(from === undefined ? [] : membersOf(from))];
  const passkeys = [...(await readPasskeys(network, addresses.filter(isAddress)))];
  if (passkeys.length === 0) return;
  const hosts = [
    publicHost(needs.publicUrl()),
    relyingPartyIdIn(network.name, await findRelyingParty(needs.db, tenantId)),
  ];
  const tenant = { tenantId, environment: network.name };
  const reasons = new Map<string, string>();
  for (const [address, passkey] of passkeys) {
    const { relyingPartyId } = passkey;
    if (!hosts.includes(relyingPartyId)) reasons.set(address, relyingPartyId);
    else if (await isOfAnother(needs, tenant, address, passkey)) reasons.set(address, "of another application");
  }
  const absent = new Set(reasons.keys());
  if (canActWithout(to, absent) || (from !== undefined && !canActWithout(from, absent))) return;
  const named = [...reasons].filter(([address]) => membersOf(to).includes(address));
  throw new TrellisError("invalid_policies", {
    field: "confirm_foreign_passkeys",
    message:
      `These members can act only with passkeys of others: ${named.map(([address, whose]) => `${address} (${whose})`).join(", ")}. ` +
      "No page of this service can open a session of theirs for you, and what the account holds is lost where none is open.",
    suggestion:
      "Name a signer, or an admin, with a key of its own, or a passkey that was made here for you. Or send confirm_foreign_passkeys: true, if those pages stay.",
  });
}

/**
 * Whether a passkey on chain is another tenant's, so that no session of it is opened for this one. The service's own host is every tenant's,
 * whatever one of them has set as its relying party.
 */
export async function isOfAnother(
  { db, publicUrl }: HostNeeds,
  tenant: { readonly tenantId: string; readonly environment: string },
  address: Address,
  { relyingPartyId }: Pick<PasskeyAccount, "relyingPartyId">,
): Promise<boolean> {
  const isShared = relyingPartyId === publicHost(publicUrl());
  const isOwnDomain = !isShared && (await isRelyingPartyOf(db, tenant.tenantId, relyingPartyId));
  return isOfAnotherTenant(db, tenant, address, isOwnDomain);
}

const membersOf = ({ signers, settingsAuthority }: Deciders): readonly string[] => [
  ...signers.map(({ address }) => address),
  ...(settingsAuthority === null ? [] : [settingsAuthority]),
];

/**
 * Whether the account can be ruled without these: by its admin; where it has none, by the other signers, if they can do everything: initiate,
 * reach the threshold by their votes, and execute.
 */
function canActWithout({ signers, threshold, settingsAuthority }: Deciders, absent: ReadonlySet<string>): boolean {
  if (settingsAuthority !== null) return !absent.has(settingsAuthority);
  const left = signers.filter(({ address }) => !absent.has(address));
  const held = left.reduce((all, { mask }) => all | mask, 0);
  return (
    (held & ALL_PERMISSIONS_MASK) === ALL_PERMISSIONS_MASK &&
    left.filter(({ mask }) => (mask & CAN_VOTE_BIT) !== 0).length >= threshold
  );
}
