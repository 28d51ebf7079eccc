import type { Address, Instruction } from "@solana/kit";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import { changeAsAuthorityInstruction, removeSpendingLimitAsAuthorityInstruction } from "@trellis/program-client";
import Type, { type Static } from "typebox";
import { confirmForeignPasskeys, type HostNeeds, refuseForeignPasskeys } from "../accounts/foreign-passkeys.js";
import { requireSigners } from "../accounts/member-address.js";
import {
  type CheckedPolicy,
  membersOf,
  parsePolicy,
  RequestedPolicies,
  signerListBounds,
  thresholdBounds,
  timeLockBounds,
  toPoliciesOfSettings,
  wantedProvider,
} from "../accounts/policy.js";
import { changesOfAdmin, comparePolicies, isNoDifference, type PolicyState } from "../accounts/settings-change-plan.js";
import { type ActingAccount, approvalFields, getActingAccount, withApproval } from "../transactions/acting-account.js";
import { chooseFeePayer, feeFields } from "../transactions/fee-config.js";
import { prepareInstructions } from "../transactions/prepare-synchronous.js";
import { preparedFields, toPreparedFields } from "../transactions/prepared-transaction.js";
import { type RemovablePolicy, requireRemovablePolicy } from "../transactions/removed-policies.js";
import { requireAdminNamed, requireDecider } from "./decider.js";
import type { LimitsOfOrders } from "./limits-of-orders.js";
import { prepareMembersChange, proposedFields } from "./prepare-members-change.js";
import { findSpendingLimitsOf } from "./remaining-spending-limits.js";

export interface UpdateAccountNeeds extends HostNeeds {
  readonly random: Random;
  readonly limitsOfOrders: LimitsOfOrders;
}

const Body = Type.Object(
  {
    signers: Type.Optional(
      Type.Array(RequestedPolicies.properties.signers.items, {
        description: "The whole new list, in place of the old.",
        ...signerListBounds,
      }),
    ),
    threshold: Type.Optional(Type.Integer(thresholdBounds)),
    time_lock: Type.Optional(Type.Integer({ description: "Seconds.", ...timeLockBounds })),
    admin_address: Type.Optional(
      Type.Union([addressText(), Type.Null()], {
        description: "A new admin. Null removes the admin, and the account can never have one again.",
      }),
    ),
    remove_policies: Type.Optional(
      Type.Array(addressText(), {
        minItems: 1,
        maxItems: limits.proposalActionsMax,
        uniqueItems: true,
        description: "Policies to be removed: signers of their own who act for the account without its signers' vote.",
      }),
    ),
    confirm_foreign_passkeys: confirmForeignPasskeys,
    transaction_signers: Type.Optional(Type.Array(addressText(), { maxItems: 10 })),
    provider: wantedProvider,
    ...approvalFields,
    ...feeFields,
  },
  { examples: [{ threshold: 2 }] },
);
type Body = Static<typeof Body>;

/** What a change of signers leaves that they may not know of. */
export const remainingFields = {
  remaining_spending_limits: Type.Array(addressText(), {
    description: "Addresses of spending limits that a removed signer could still use afterwards.",
  }),
  remaining_mandates: Type.Array(
    Type.Object({ standing_order_id: uuidText(), spending_limit_address: addressText() }),
    { description: "Standing orders that are paid until they are cancelled, also after a change of signers." },
  ),
};

/** Interface 4.5, gap 23. */
export const updateAccount = endpoint(
  {
    operation: "updateAccount",
    summary: "Change an account's policy",
    description:
      "Prepares the smallest change that reaches what is asked for; what is absent stays as it is. The signers of an " +
      "account sign it together; where an account has an admin, the admin alone does, with admin=true. It takes effect when " +
      "the result is submitted. Where a time lock or too few signers do not let it be made at once, it is prepared as a " +
      "proposal, which the signers named approve.",
    tag: "Accounts",
    method: "PATCH",
    path: "/api/service/v1/accounts/{address}",
    scope: "accounts:write",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    query: Type.Object({
      admin: Type.Optional(Type.Boolean({ description: "True: the admin makes the change." })),
      remove_spending_limits: Type.Optional(
        Type.Boolean({ description: "True: spending limits that name a removed signer are removed too." }),
      ),
    }),
    body: Body,
    refusesNearMisses: true,
    preparesOnly: true,
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({
        ...preparedFields,
        ...proposedFields,
        ...remainingFields,
      }),
    },
    errors: [
      "account_not_found",
      "admin_required",
      "account_has_no_admin",
      "no_changes",
      "invalid_policies",
      "invalid_address",
      "forbidden_account",
      "insufficient_permissions",
      "passkey_session_required",
      "proposal_index_conflict",
      "sponsorship_limit_exceeded",
      "transaction_too_large",
      "transaction_failed",
      "unsupported_fee_config",
      "chain_unavailable",
    ],
  },
  async (needs: UpdateAccountNeeds, { params, query, body, network, caller }) => {
    const account = withApproval(await getActingAccount(needs.db, network, caller.tenantId, params.address), body);
    const isByAdmin = query.admin === true;
    const removesLimits = query.remove_spending_limits === true;
    return { data: await preparePolicyChange(needs, network, account, { isByAdmin, removesLimits, body }) };
  },
);

/** What is to be changed, and who decides. */
interface PolicyChange {
  readonly isByAdmin: boolean;
  /** Whether spending limits go that name a removed signer. */
  readonly removesLimits: boolean;
  readonly body: Body;
}

/**
 * Prepares the smallest change of an account's policy that reaches what is asked for, by its signers or its admin. Throws the errors of
 * `updateAccount`.
 */
export async function preparePolicyChange(
  needs: UpdateAccountNeeds,
  network: Network,
  account: ActingAccount,
  { isByAdmin, removesLimits, body }: PolicyChange,
) {
  const admin = requireDeciderOf(account, isByAdmin, body);
  const policy = mergePolicy(network, account, body);
  const to = toState(policy);
  const difference = comparePolicies(account.settings, to);
  const policies = await parsePolicyRemovals(network, account, admin, body.remove_policies);
  if (isNoDifference(difference) && policies.length === 0) throw new TrellisError("no_changes");
  const standing = standingMembers(account);
  await requireSigners(
    network,
    membersOf(policy, "").filter(({ address }) => !standing.has(address)),
  );
  await refuseForeignPasskeys(needs, network, account.row.tenant_id, to, {
    from: account.settings,
    isConfirmed: body.confirm_foreign_passkeys,
  });
  const wish = { named: body.transaction_signers, provider: body.provider };
  const signers = admin === undefined ? [] : requireAdminNamed(account, admin, wish.named);
  const feePayer = chooseFeePayer(network, body);
  const orphaned = await findSpendingLimitsOf(
    network,
    account.settingsAddress,
    difference.removed.map(({ address }) => address),
  );
  const doomed = removesLimits ? orphaned : [];
  const remaining = {
    remaining_spending_limits: orphaned.filter((limit) => !doomed.includes(limit)),
    remaining_mandates: await needs.limitsOfOrders.findRemaining(needs.db, network, account.row.address),
  };
  if (admin === undefined) {
    const change = { account, to, doomed, policies, wish, feePayer };
    return { ...(await prepareMembersChange(needs, network, change)), ...remaining };
  }
  const prepared = await prepareInstructions(needs, network, {
    kind: "settings_change",
    account,
    signers,
    feePayer,
    instructions: byAdmin(account, to, admin, feePayer ?? network.feePayer.address, doomed),
  });
  return { ...toPreparedFields(prepared), ...remaining };
}

/** Who decides, by the rules of every change; gap 16: the program offers no way to appoint an admin later. */
function requireDeciderOf(account: ActingAccount, asAdmin: boolean, body: Body): Address | undefined {
  if (account.settings.settingsAuthority !== null || typeof body.admin_address !== "string") {
    return requireDecider(account, asAdmin);
  }
  throw new TrellisError("account_has_no_admin", {
    field: "admin_address",
    message: "The account was made without an admin, or lost it: the on-chain program can never give it one.",
  });
}

/** The policy that is asked for, with everything left out as it is now, by the rules of gap 16. */
function mergePolicy(network: Network, account: ActingAccount, body: Body): CheckedPolicy {
  const present = toPoliciesOfSettings(account.settings, account.signers);
  const admin = body.admin_address === undefined ? present.admin_address : body.admin_address;
  const own: readonly string[] = [account.address, account.settingsAddress];
  const index = body.signers?.findIndex(({ address }) => own.includes(address)) ?? -1;
  if (index >= 0) throw ownAddress(`signers.${index}.address`);
  if (admin !== null && own.includes(admin)) throw ownAddress("admin_address");
  return parsePolicy(
    {
      signers: body.signers ?? present.signers,
      threshold: body.threshold ?? present.threshold,
      time_lock: body.time_lock ?? present.time_lock,
      ...(admin === null ? {} : { admin_address: admin }),
    },
    network,
    "",
    standingMembers(account),
  );
}

/** Who signs by the settings as they are. */
function standingMembers({ settings }: ActingAccount): ReadonlySet<string> {
  const { signers, settingsAuthority } = settings;
  return new Set([
    ...signers.map(({ address }) => address),
    ...(settingsAuthority === null ? [] : [settingsAuthority]),
  ]);
}

function ownAddress(field: string): TrellisError {
  return new TrellisError("forbidden_account", {
    field,
    message: "An account cannot be its own signer or admin: no key could ever sign for it.",
  });
}

function toState({ signers, threshold, timeLockSeconds, admin }: CheckedPolicy): PolicyState {
  return { signers, threshold, timeLockSeconds, settingsAuthority: admin };
}

/** Gap 140. The program makes no policies in an account that has an admin, and gives the admin no way to remove one. */
async function parsePolicyRemovals(
  network: Network,
  account: ActingAccount,
  admin: Address | undefined,
  requested: Body["remove_policies"] = [],
): Promise<readonly RemovablePolicy[]> {
  if (admin !== undefined && requested.length > 0) {
    throw new TrellisError("invalid_request", {
      field: "remove_policies",
      message: "Policies are removed by an account's signers, and this account has an admin.",
    });
  }
  const freshness = { leastSlot: account.slot };
  return Promise.all(
    requested.map((text, i) =>
      requireRemovablePolicy(network, account.settingsAddress, text, `remove_policies.${i}`, freshness),
    ),
  );
}

function byAdmin(
  { settings, settingsAddress }: ActingAccount,
  to: PolicyState,
  admin: Address,
  rentPayer: Address,
  doomed: readonly Address[],
): Instruction[] {
  const changes = changesOfAdmin(settings, to);
  if (changes === undefined) {
    throw new TrellisError("invalid_policies", {
      field: "signers",
      message:
        "No order of changes reaches this in one transaction: the account must be able to act after each of them. Give " +
        "another signer the missing permissions first, or replace a signer instead of changing it.",
    });
  }
  const common = { settings: settingsAddress, settingsAuthority: admin };
  // The current admin removes the limits too: they come before a change of the admin.
  return [
    ...doomed.map((spendingLimit) =>
      removeSpendingLimitAsAuthorityInstruction({ ...common, spendingLimit, rentCollector: rentPayer }),
    ),
    ...changes.map((change) => changeAsAuthorityInstruction({ ...common, rentPayer, change })),
  ];
}
