import { isAddress } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { ALL_PERMISSIONS_MASK, CAN_VOTE_BIT } from "@trellis/program-client";
import { readPasskeys } from "@trellis/solana/read-passkeys.js";
import Type from "typebox";
import { publicHost } from "../tenants/public-place.js";
import { findRelyingParty, relyingPartyIdIn } from "../tenants/relying-party.js";

/** How a request says that it knows whose passkeys these are. */
export const confirmForeignPasskeys = Type.Optional(
  Type.Boolean({
    description:
      "True: the signers may depend on passkeys of other hosts than this service's and your relying party, which open no session here.",
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
 * party: no page here can ask these, so what the account holds is lost once their sessions end, or its signers are the same for good. Another
 * admin can replace the signers, whatever these are. One that takes the place of such a policy is let
 * through, and so is one that the request confirms. Throws `invalid_policies` and `chain_unavailable`.
 */
export async function refuseForeignPasskeys(
  { db, publicUrl }: HostNeeds,
  network: Pick<Network, "name" | "rpc">,
  tenantId: string,
  to: Deciders,
  { from, isConfirmed }: Replaced,
): Promise<void> {
  if (isConfirmed === true) return;
  const addresses = [...membersOf(to), ...(from === undefined ? [] : membersOf(from))];
  const passkeys = await readPasskeys(network, addresses.filter(isAddress));
  const own = publicHost(publicUrl());
  const others = [...passkeys].filter(([, { relyingPartyId }]) => relyingPartyId !== own);
  if (others.length === 0) return;
  const tenants = relyingPartyIdIn(network.name, await findRelyingParty(db, tenantId));
  const foreign = others.filter(([, { relyingPartyId }]) => relyingPartyId !== tenants);
  const absent = new Set<string>(foreign.map(([address]) => address));
  if (canActWithout(to, absent) || (from !== undefined && !canActWithout(from, absent))) return;
  const named = foreign.filter(([address]) => membersOf(to).includes(address));
  throw new TrellisError("invalid_policies", {
    field: "confirm_foreign_passkeys",
    message:
      `These members can act only with passkeys of other hosts: ${named.map(([address, { relyingPartyId }]) => `${address} (${relyingPartyId})`).join(", ")}. ` +
      "No page of this service can open a session of theirs, and what the account holds is lost where none is open.",
    suggestion:
      "Name a signer, or an admin, with a key of its own, or a passkey that was made here. Or send confirm_foreign_passkeys: true, if the pages of those hosts stay.",
  });
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
