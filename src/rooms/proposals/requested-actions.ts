import { type Address, isAddress } from "@solana/kit";
import Type, { type Static } from "typebox";
import { readAccount } from "../../core/chain/read-accounts.js";
import { decodeMintDecimals } from "../../core/chain/token-accounts.js";
import { parseBaseUnits } from "../../core/money.js";
import {
  ALL_PERMISSIONS_MASK,
  addressOfBytes,
  addSpendingLimitAction,
  decodeSpendingLimit,
  Period,
  ProgramDataError,
  type Settings,
  type SettingsActionArgs,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
  ZERO_ADDRESS,
} from "../../core/program-client/index.js";
import { TrellisError } from "../../errors.js";
import { limits } from "../../limits.js";
import type { Network } from "../../ports/network.js";
import type { Random } from "../../ports/random.js";
import { parseMember, parseOutsider, refusePrograms } from "../accounts/member-address.js";
import { checkPolicy, Permission, parsePermissions } from "../accounts/policy.js";
import type { ActingAccount } from "../transactions/acting-account.js";

const NewSigner = Type.Object({
  address: Type.String(),
  mask: Type.Optional(Type.Integer({ description: "Permission bits (interface 2.2); or `permissions`." })),
  permissions: Type.Optional(Type.Array(Permission)),
});

const periodNames = ["one_time", "day", "week", "month", "daily", "weekly", "monthly"] as const;

const NewSpendingLimit = {
  mint: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: "Null or absent is SOL." })),
  amount: Type.Union([Type.String(), Type.Integer()], { description: "Base units per period." }),
  period: Type.Enum([...periodNames], { description: "A month is 30 days." }),
  signers: Type.Array(Type.String(), { minItems: 1, maxItems: 10, description: "Who may use it, without any vote." }),
  destinations: Type.Optional(
    Type.Array(Type.String(), { maxItems: 10, description: "Owners that may be paid. None: anybody." }),
  ),
  expiration: Type.Optional(Type.Integer({ description: "Unix seconds. Absent: never." })),
};

/** What each action carries beside its name. */
const contents = {
  AddSigner: { newSigner: NewSigner },
  RemoveSigner: { oldSigner: Type.String() },
  ChangeThreshold: { newThreshold: Type.Integer() },
  SetTimeLock: { newTimeLock: Type.Integer({ description: "Seconds, 0 to 7,776,000." }) },
  AddSpendingLimit: NewSpendingLimit,
  RemoveSpendingLimit: { spendingLimit: Type.String() },
} as const;

/** A change of settings as requests name it (gap 36): `{type, …}`, or `{<type>: {…}}`. */
export const RequestedAction = Type.Union([
  Type.Object({ type: Type.Literal("AddSigner"), ...contents.AddSigner }),
  Type.Object({ type: Type.Literal("RemoveSigner"), ...contents.RemoveSigner }),
  Type.Object({ type: Type.Literal("ChangeThreshold"), ...contents.ChangeThreshold }),
  Type.Object({ type: Type.Literal("SetTimeLock"), ...contents.SetTimeLock }),
  Type.Object({ type: Type.Literal("AddSpendingLimit"), ...contents.AddSpendingLimit }),
  Type.Object({ type: Type.Literal("RemoveSpendingLimit"), ...contents.RemoveSpendingLimit }),
  Type.Object({ AddSigner: Type.Object(contents.AddSigner) }),
  Type.Object({ RemoveSigner: Type.Object(contents.RemoveSigner) }),
  Type.Object({ ChangeThreshold: Type.Object(contents.ChangeThreshold) }),
  Type.Object({ SetTimeLock: Type.Object(contents.SetTimeLock) }),
  Type.Object({ AddSpendingLimit: Type.Object(contents.AddSpendingLimit) }),
  Type.Object({ RemoveSpendingLimit: Type.Object(contents.RemoveSpendingLimit) }),
]);
type RequestedAction = Static<typeof RequestedAction>;
type TaggedAction = Extract<RequestedAction, { type: string }>;
type LimitRequest = Extract<TaggedAction, { type: "AddSpendingLimit" }>;

const periods = {
  one_time: Period.OneTime,
  day: Period.Day,
  daily: Period.Day,
  week: Period.Week,
  weekly: Period.Week,
  month: Period.Month,
  monthly: Period.Month,
} as const;

/**
 * Turns requested changes into settings actions. Taken one after the other from the settings as they are, they have to
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
): Promise<SettingsActionArgs[]> {
  let state: Pick<Settings, "signers" | "threshold" | "timeLockSeconds"> = account.settings;
  const actions: SettingsActionArgs[] = [];
  for (const [i, request] of requested.entries()) {
    const field = `actions.${i}`;
    const action = await parseAction(network, random, account, toTagged(request), field);
    refuseRepeatedRemoval(action, actions, field);
    state = applyAction(state, action, field);
    actions.push(action);
  }
  checkPolicy(state, "");
  if (isUnchanged(account.settings, state) && !actions.some(({ __kind }) => __kind.endsWith("SpendingLimit"))) {
    throw new TrellisError("no_changes", { field: "actions" });
  }
  return actions;
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
): Promise<SettingsActionArgs> {
  switch (action.type) {
    case "AddSigner": {
      const { address, mask, permissions } = action.newSigner;
      const key = parseOther(address, network, account, `${field}.newSigner.address`, parseMember);
      await refusePrograms(network, [{ address: key, field: `${field}.newSigner.address` }]);
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
  request: LimitRequest,
  field: string,
): Promise<SettingsActionArgs> {
  const { expiration } = request;
  const parse = (names: readonly string[], name: string, rule: AddressRule) => {
    const addresses = names.map((text, i) => parseOther(text, network, account, `${field}.${name}.${i}`, rule));
    const repeated = addresses.findIndex((address, i) => addresses.indexOf(address) !== i);
    if (repeated < 0) return addresses;
    throw new TrellisError("invalid_request", {
      field: `${field}.${name}.${repeated}`,
      message: `${addresses[repeated]} is listed twice.`,
    });
  };
  if (expiration !== undefined && expiration * 1000 <= network.clock.now()) {
    throw new TrellisError("invalid_request", {
      field: `${field}.expiration`,
      message: "The spending limit would have expired already.",
    });
  }
  const signers = parse(request.signers, "signers", parseMember);
  await refusePrograms(
    network,
    signers.map((address, i) => ({ address, field: `${field}.signers.${i}` })),
  );
  return addSpendingLimitAction({
    seed: addressOfBytes(random.bytes(32)),
    mint: await parseMint(network, request.mint ?? null, `${field}.mint`),
    amountBaseUnits: parseBaseUnits(String(request.amount), `${field}.amount`),
    period: periods[request.period],
    signers,
    destinations: parse(request.destinations ?? [], "destinations", parseOutsider),
    expiration: expiration === undefined ? null : BigInt(expiration),
  });
}

/** A currency of the environment, or any mint there is on chain. */
async function parseMint(network: Network, text: string | null, field: string): Promise<Address | null> {
  if (text === null || text === ZERO_ADDRESS) return null;
  const currency = network.currencies.find(({ symbol, mint }) => symbol === text.toLowerCase() || mint === text);
  if (currency) return currency.mint;
  const mint = parseAddress(text, field);
  const account = await readAccount(network, mint);
  if (account && decodeMintDecimals(account) !== undefined) return mint;
  throw new TrellisError("invalid_address", { field, message: `${mint} is not a mint.` });
}

async function requireOwnLimit(network: Network, account: ActingAccount, limit: Address, field: string): Promise<void> {
  const found = await readAccount(network, limit);
  const settings = found?.owner === SMART_ACCOUNT_PROGRAM_ADDRESS ? settingsOfLimit(found.data) : undefined;
  if (settings === account.settingsAddress) return;
  throw new TrellisError("invalid_address", { field, message: `${limit} is not a spending limit of this account.` });
}

function settingsOfLimit(data: Uint8Array): Address | undefined {
  try {
    return decodeSpendingLimit(data).settings;
  } catch (error) {
    if (error instanceof ProgramDataError) return undefined;
    throw error;
  }
}

function parseAddress(text: string, field: string): Address {
  if (isAddress(text)) return text;
  throw new TrellisError("invalid_address", { field, message: `${field} is not an address.` });
}

type AddressRule = (text: string, network: Network, field: string) => Address;

/** An address by the rule given, and not the account's own. */
function parseOther(text: string, network: Network, account: ActingAccount, field: string, rule: AddressRule): Address {
  if (text !== account.address && text !== account.settingsAddress) return rule(text, network, field);
  throw new TrellisError("forbidden_account", {
    field,
    message: "An account cannot stand in its own settings: nobody could ever sign for it.",
  });
}

/** The second removal would find nothing, and fail the whole list once it is executed. */
function refuseRepeatedRemoval(action: SettingsActionArgs, before: readonly SettingsActionArgs[], field: string): void {
  if (action.__kind !== "RemoveSpendingLimit") return;
  const isRepeated = before.some(
    (earlier) => earlier.__kind === "RemoveSpendingLimit" && earlier.spendingLimit === action.spendingLimit,
  );
  if (!isRepeated) return;
  throw new TrellisError("invalid_request", {
    field: `${field}.spendingLimit`,
    message: `${action.spendingLimit} is removed twice.`,
  });
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
