import { type Address, isAddress } from "@solana/kit";
import { documented, otherSpelling } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import {
  ALL_PERMISSIONS_MASK,
  addressOfBytes,
  addSpendingLimitAction,
  type Settings,
  type SettingsActionArgs,
} from "@trellis/program-client";
import { Permission } from "@trellis/program-client/settings-change.js";
import Type, { type Static } from "typebox";
import { parseSigner, requireSigners } from "../accounts/member-address.js";
import { checkPolicy, parsePermissions, thresholdBounds, timeLockBounds } from "../accounts/policy.js";
import type { ActingAccount } from "../transactions/acting-account.js";
import { findSpendingLimit } from "../transactions/read-spending-limits.js";
import { requireRemovablePolicy } from "../transactions/removed-policies.js";
import { parseLimitTerms, parseOther, requestedLimitFields } from "./requested-limit.js";

const NewSigner = Type.Object(
  {
    address: addressText(),
    mask: Type.Optional(
      Type.Integer({
        description: "The sum of permission bits (1 to initiate, 2 to vote, 4 to execute); or `permissions`.",
        ...documented({ minimum: 1, maximum: ALL_PERMISSIONS_MASK }),
      }),
    ),
    permissions: Type.Optional(Type.Array(Permission)),
  },
  { $id: "SignerToAdd" },
);

/** What each action carries beside its name. */
const contents = {
  AddSigner: { newSigner: NewSigner },
  RemoveSigner: { oldSigner: addressText() },
  ChangeThreshold: { newThreshold: Type.Integer(thresholdBounds) },
  SetTimeLock: { newTimeLock: Type.Integer({ description: "Seconds.", ...timeLockBounds }) },
  AddSpendingLimit: requestedLimitFields,
  RemoveSpendingLimit: { spendingLimit: addressText() },
  PolicyRemove: { policy: addressText({ description: "The policy's address." }) },
} as const;

/** A change of settings as requests name it (gap 36): `{type, …}`, or `{<type>: {…}}`. */
export const RequestedAction = Type.Union(
  [
    Type.Object({ type: Type.Literal("AddSigner"), ...contents.AddSigner }),
    Type.Object({ type: Type.Literal("RemoveSigner"), ...contents.RemoveSigner }),
    Type.Object({ type: Type.Literal("ChangeThreshold"), ...contents.ChangeThreshold }),
    Type.Object({ type: Type.Literal("SetTimeLock"), ...contents.SetTimeLock }),
    Type.Object({ type: Type.Literal("AddSpendingLimit"), ...contents.AddSpendingLimit }),
    Type.Object({ type: Type.Literal("RemoveSpendingLimit"), ...contents.RemoveSpendingLimit }),
    Type.Object({ type: Type.Literal("PolicyRemove"), ...contents.PolicyRemove }),
    // As summaries name it.
    Type.Object({ type: Type.Literal("remove_policy"), ...contents.PolicyRemove }, otherSpelling),
    Type.Object({ AddSigner: Type.Object(contents.AddSigner) }, otherSpelling),
    Type.Object({ RemoveSigner: Type.Object(contents.RemoveSigner) }, otherSpelling),
    Type.Object({ ChangeThreshold: Type.Object(contents.ChangeThreshold) }, otherSpelling),
    Type.Object({ SetTimeLock: Type.Object(contents.SetTimeLock) }, otherSpelling),
    Type.Object({ AddSpendingLimit: Type.Object(contents.AddSpendingLimit) }, otherSpelling),
    Type.Object({ RemoveSpendingLimit: Type.Object(contents.RemoveSpendingLimit) }, otherSpelling),
    Type.Object({ PolicyRemove: Type.Object(contents.PolicyRemove) }, otherSpelling),
  ],
  { $id: "RequestedAction" },
);
type RequestedAction = Static<typeof RequestedAction>;
type TaggedAction = Extract<RequestedAction, { type: string }>;
type LimitRequest = Extract<TaggedAction, { type: "AddSpendingLimit" }>;

/** Settings actions in the order of their execution. */
export interface ParsedActions {
  readonly actions: readonly SettingsActionArgs[];
  /** Who gets the rent of the policies that they remove: execution has to pass them. */
  readonly policyRentCollectors: readonly Address[];
  /** The policy that they lead to. */
  readonly to: PolicyPart;
}

/**
 * Turns requested changes into settings actions. Applied one after the other from the settings as they are, they have to
 * lead to a policy that the account may have (gap 16), and to change something.
 *
 * Throws `invalid_policies`, `invalid_address`, `invalid_amount`, `forbidden_account`, `no_changes`, the field named,
 * and `chain_unavailable`.
 */
export async function parseRequestedActions(
  network: Network,
  random: Random,
  account: ActingAccount,
  requested: readonly RequestedAction[],
): Promise<ParsedActions> {
  let state: PolicyPart = account.settings;
  const actions: SettingsActionArgs[] = [];
  const collectors = new Set<Address>();
  for (const [i, request] of requested.entries()) {
    const field = `actions.${i}`;
    const action = await parseAction(network, random, account, toTagged(request), field, collectors);
    refuseRepeatedRemoval(action, actions, field);
    state = applyAction(state, action, field);
    actions.push(action);
  }
  checkPolicy(state, "");
  const isMore = actions.some(({ __kind }) => __kind.endsWith("SpendingLimit") || __kind === "PolicyRemove");
  if (isUnchanged(account.settings, state) && !isMore) {
    throw new TrellisError("no_changes", { field: "actions" });
  }
  return { actions: removalsLast(actions), policyRentCollectors: [...collectors], to: state };
}

/**
 * The same changes in an order that the chain executes: the rent of a removed limit or policy is handed out at once, and
 * nothing behind it in the list can take lamports from the payer of new limits.
 */
function removalsLast(actions: readonly SettingsActionArgs[]): SettingsActionArgs[] {
  const isRemoval = ({ __kind }: SettingsActionArgs) => __kind === "RemoveSpendingLimit" || __kind === "PolicyRemove";
  return [...actions.filter((action) => !isRemoval(action)), ...actions.filter(isRemoval)];
}

function toTagged(request: RequestedAction): TaggedAction {
  if ("type" in request) return request;
  const [[type, content]] = Object.entries(request) as [[TaggedAction["type"], object]];
  return { type, ...content } as TaggedAction;
}

async function parseAction(
  network: Network,
  random: Random,
  account: ActingAccount,
  action: TaggedAction,
  field: string,
  policyRentCollectors: Set<Address>,
): Promise<SettingsActionArgs> {
  switch (action.type) {
    case "AddSigner": {
      const { address, mask, permissions } = action.newSigner;
      const key = parseOther(address, network, account, `${field}.newSigner.address`, parseSigner);
      await requireSigners(network, [{ address: key, field: `${field}.newSigner.address` }]);
      return {
        __kind: "AddSigner",
        newSigner: { key, permissions: parseMask(mask, permissions, `${field}.newSigner`) },
      };
    }
    case "RemoveSigner":
      return { __kind: "RemoveSigner", oldSigner: parseAddress(action.oldSigner, `${field}.oldSigner`) };
    case "ChangeThreshold":
      return { __kind: "ChangeThreshold", newThreshold: action.newThreshold };
    case "SetTimeLock":
      return { __kind: "SetTimeLock", newTimeLock: action.newTimeLock };
    case "AddSpendingLimit":
      return parseLimit(network, random, account, action, field);
    case "RemoveSpendingLimit": {
      const spendingLimit = parseAddress(action.spendingLimit, `${field}.spendingLimit`);
      await requireOwnLimit(network, account, spendingLimit, `${field}.spendingLimit`);
      return { __kind: "RemoveSpendingLimit", spendingLimit };
    }
    case "PolicyRemove":
    case "remove_policy": {
      const { settingsAddress: settings, slot: leastSlot } = account;
      const named = await requireRemovablePolicy(network, settings, action.policy, `${field}.policy`, { leastSlot });
      if (named.rentCollector !== null) policyRentCollectors.add(named.rentCollector);
      return { __kind: "PolicyRemove", policy: named.address };
    }
  }
}

function parseMask(mask: number | undefined, names: Parameters<typeof parsePermissions>[0] | undefined, field: string) {
  if (mask === undefined) return parsePermissions(names ?? [], field);
  if (mask >= 1 && mask <= ALL_PERMISSIONS_MASK) return mask;
  throw new TrellisError("invalid_policies", {
    field: `${field}.mask`,
    message: `A permission mask is 1 to ${ALL_PERMISSIONS_MASK}.`,
  });
}

async function parseLimit(
  network: Network,
  random: Random,
  account: ActingAccount,
  { mint, amount, period, signers, destinations, expiration }: LimitRequest,
  field: string,
): Promise<SettingsActionArgs> {
  const terms = await parseLimitTerms(
    network,
    account,
    { mint: mint ?? null, amount, period, signers, destinations: destinations ?? [], expiration: expiration ?? null },
    { prefix: `${field}.` },
  );
  return addSpendingLimitAction({ seed: addressOfBytes(random.bytes(32)), ...terms });
}

async function requireOwnLimit(network: Network, account: ActingAccount, limit: Address, field: string): Promise<void> {
  if ((await findSpendingLimit(network, account.settingsAddress, limit)) !== undefined) return;
  throw new TrellisError("invalid_address", { field, message: `${limit} is not a spending limit of this account.` });
}

function parseAddress(text: string, field: string): Address {
  if (isAddress(text)) return text;
  throw new TrellisError("invalid_address", { field, message: `${field} is not an address.` });
}

/** The second removal would find nothing, and fail the whole list once it is executed. */
function refuseRepeatedRemoval(action: SettingsActionArgs, before: readonly SettingsActionArgs[], field: string): void {
  const removal = removalOf(action);
  if (removal === undefined || !before.some((earlier) => removalOf(earlier)?.address === removal.address)) return;
  throw new TrellisError("invalid_request", {
    field: `${field}.${removal.name}`,
    message: `${removal.address} is removed twice.`,
  });
}

function removalOf(action: SettingsActionArgs): { readonly address: Address; readonly name: string } | undefined {
  if (action.__kind === "RemoveSpendingLimit") return { address: action.spendingLimit, name: "spendingLimit" };
  return action.__kind === "PolicyRemove" ? { address: action.policy, name: "policy" } : undefined;
}

type PolicyPart = Pick<Settings, "signers" | "threshold" | "timeLockSeconds">;

function applyAction(state: PolicyPart, action: SettingsActionArgs, field: string): PolicyPart {
  const { signers } = state;
  switch (action.__kind) {
    case "AddSigner": {
      const { key, permissions } = action.newSigner;
      if (signers.some(({ address }) => address === key)) {
        throw new TrellisError("invalid_policies", {
          field: `${field}.newSigner.address`,
          message: `${key} is a signer already. Remove it first to change what it may do.`,
        });
      }
      return { ...state, signers: [...signers, { address: key, mask: permissions }] };
    }
    case "RemoveSigner":
      if (!signers.some(({ address }) => address === action.oldSigner)) {
        throw new TrellisError("invalid_policies", {
          field: `${field}.oldSigner`,
          message: `${action.oldSigner} is not a signer of this account.`,
        });
      }
      return { ...state, signers: signers.filter(({ address }) => address !== action.oldSigner) };
    case "ChangeThreshold":
      return { ...state, threshold: action.newThreshold };
    case "SetTimeLock":
      return { ...state, timeLockSeconds: action.newTimeLock };
    default:
      return state;
  }
}

function isUnchanged(from: PolicyPart, to: PolicyPart): boolean {
  const masks = new Map(from.signers.map(({ address, mask }) => [address, mask]));
  return (
    from.threshold === to.threshold &&
    from.timeLockSeconds === to.timeLockSeconds &&
    from.signers.length === to.signers.length &&
    to.signers.every(({ address, mask }) => masks.get(address) === mask)
  );
}

/** How many actions one proposal may hold (gap 36). */
export const RequestedActions = Type.Array(RequestedAction, { minItems: 1, maxItems: limits.proposalActionsMax });
