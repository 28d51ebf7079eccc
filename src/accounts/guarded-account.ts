import type { Caller } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { CustodianName, Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { ALL_PERMISSIONS_MASK, CAN_VOTE_BIT, maskOfPermissions } from "@trellis/program-client";
import Type, { type Static } from "typebox";
import { findGuardian, isCustodianName } from "../custody/custodians.js";
import { type AccountDefaults, findAccountDefaults } from "../tenants/account-defaults.js";
import { findRelyingParty, relyingPartyIn } from "../tenants/relying-party.js";
import { type CreationPlan, planGuardedAccount } from "./creation-plan.js";
import { parseMember, requireSigners } from "./member-address.js";
import type { Policies } from "./policy.js";

/** Who has to agree before money moves (gap 170). */
export const Protection = Type.Enum(["plain", "guarded"], {
  $id: "Protection",
  description: "guarded: neither this service, nor the guardian, nor any one key moves money alone.",
});
export type Protection = Static<typeof Protection>;

/** The key that helps to recover a guarded account: it votes, and can do nothing else. */
export const RecoverySigner = Type.Object(
  {
    address: addressText({
      description: "An Ed25519 public key whose private half is kept away from everything else.",
    }),
  },
  { $id: "RecoverySigner" },
);

/** What a request for an e-mail account may say of its protection. */
interface RequestedProtection {
  readonly protection?: Protection | undefined;
  readonly recovery?: Static<typeof RecoverySigner> | undefined;
}

/**
 * The plan of a guarded account where one is asked for, and undefined for a plain one. Throws `guardian_not_configured`,
 * `passkeys_not_configured`, `invalid_request`, `invalid_address`, `forbidden_account`, `chain_unavailable`.
 */
export async function readProtection(
  { db, custodians }: { readonly db: Db; readonly custodians: Custodians },
  network: Network,
  { tenantId }: Pick<Caller, "tenantId">,
  requested: RequestedProtection,
): Promise<CreationPlan | undefined> {
  const defaults = await findAccountDefaults(db, tenantId);
  const { protection = defaults.protection } = requested;
  const recovery = requested.recovery ?? defaultRecovery(protection, defaults);
  if (protection === "plain") {
    if (recovery === undefined) return undefined;
    throw new TrellisError("invalid_request", {
      field: "recovery",
      message: "Only a guarded account has a recovery signer.",
      suggestion: 'Send "protection": "guarded" with it.',
    });
  }
  const guardian = findGuardian(custodians);
  if (guardian === undefined) throw new TrellisError("guardian_not_configured", { field: "protection" });
  if (recovery === undefined) {
    throw new TrellisError("invalid_request", {
      field: "recovery",
      message: "A guarded account needs a recovery signer: without one, a lost guardian would lock it for good.",
      ...(requested.protection === undefined && { suggestion: forThoseWhoSaidNothing }),
    });
  }
  const field = "recovery.address";
  const address = parseMember(recovery.address, network, field);
  await requireSigners(network, [{ address, field }]);
  const held = await db.selectFrom("wallet").select("id").where("address", "=", address).executeTakeFirst();
  if (held !== undefined) {
    throw new TrellisError("invalid_request", {
      field,
      message: "A custodian here holds this key: it would be one thief's second key, and recover nothing.",
    });
  }
  const { id, origins } = relyingPartyIn(network.name, await findRelyingParty(db, tenantId));
  return planGuardedAccount({ guardian: guardian.provider, relyingParty: { id, origins }, recovery: address });
}

/** A client that knows nothing of guarded accounts has asked for none, and its developer reads this. */
const forThoseWhoSaidNothing =
  'Accounts of this tenant are guarded unless the request says otherwise. Send "recovery": {"address": …} with a key that is kept offline, or ' +
  '"protection": "plain". Or have the operator set a default: trellis tenant protect <tenant> --recovery <address>, or --protection plain.';

/** The tenant's recovery signer, for a guarded account whose request names none. */
const defaultRecovery = (protection: Protection, { recoveryAddress }: AccountDefaults) =>
  protection === "plain" || recoveryAddress === null ? undefined : { address: recoveryAddress };

/** What protects an account with this policy: read off the policy alone, whatever it was made as. */
export function protectionOf(policies: Policies, custodians: Custodians): Protection {
  const guardian = findGuardian(custodians)?.provider;
  const parties = new Map<string, { mask: number; voters: number }>();
  for (const { address, provider, permissions } of policies.signers) {
    const party = partyOf(provider, address, guardian);
    const { mask, voters } = parties.get(party) ?? { mask: 0, voters: 0 };
    const own = maskOfPermissions(permissions);
    parties.set(party, { mask: mask | own, voters: voters + ((own & CAN_VOTE_BIT) === 0 ? 0 : 1) });
  }
  const canActAlone = [...parties.values()].some(
    ({ mask, voters }) => mask === ALL_PERMISSIONS_MASK && voters >= policies.threshold,
  );
  return guardian !== undefined && parties.has(guardian) && !canActAlone && policies.admin_address === null
    ? "guarded"
    : "plain";
}

/** Keys that one thief finds together: all wallets of custodians that obey this service, the guardian's, and each key of its own. */
function partyOf(provider: string, address: string, guardian: CustodianName | undefined): string {
  if (provider === guardian) return guardian;
  return isCustodianName(provider) ? "service" : address;
}
