import type { Address, Instruction } from "@solana/kit";
import { addressText, amountText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import {
  ALL_PERMISSIONS_MASK,
  deriveSpendingLimitAddress,
  NEVER_EXPIRES,
  PERMISSIONS,
  Period,
  ProgramDataError,
  permissionsOfMask,
  readProgramInstruction,
  SmartAccountProgramInstruction,
  type SettingsAction as StoredAction,
  type UnreadActions,
  ZERO_ADDRESS,
} from "./index.js";

/** What a member of an account may do. */
export const Permission = Type.Enum([...PERMISSIONS], { $id: "Permission" });

/** One change of an account's settings, as summaries show it (gap 30). */
export const SettingsAction = Type.Union(
  [
    Type.Object({
      type: Type.Literal("add_signer"),
      address: addressText(),
      permissions: Type.Array(Permission),
    }),
    Type.Object({ type: Type.Literal("remove_signer"), address: addressText() }),
    Type.Object({ type: Type.Literal("change_threshold"), threshold: Type.Integer() }),
    Type.Object({ type: Type.Literal("set_time_lock"), time_lock: Type.Integer({ description: "Seconds." }) }),
    Type.Object({
      type: Type.Literal("set_admin"),
      admin_address: Type.Union([addressText(), Type.Null()]),
      irreversible: Type.Boolean({ description: "True without an admin: the account can never have one again." }),
    }),
    Type.Object({
      type: Type.Literal("add_spending_limit"),
      spending_limit: addressText(),
      mint: Type.Union([addressText(), Type.Null()], { description: "Null is SOL." }),
      amount: amountText({ description: "Per period." }),
      period: Type.Enum(["one_time", "day", "week", "month"]),
      signers: Type.Array(addressText()),
      destinations: Type.Array(addressText(), { description: "Empty: any owner may be paid." }),
      expires_at: Type.Optional(Type.Integer({ description: "Unix seconds; absent: never." })),
    }),
    Type.Object({ type: Type.Literal("remove_spending_limit"), spending_limit: addressText() }),
    Type.Object({ type: Type.Literal("remove_policy"), policy: addressText() }),
    Type.Object({
      type: Type.Literal("other"),
      name: Type.String({ description: "The program's name for it. What it does is not read here." }),
    }),
  ],
  { $id: "SettingsAction" },
);
export type SettingsAction = Static<typeof SettingsAction>;

/** An instruction that changes an account's settings at once, read from its bytes. */
export interface SettingsChange {
  readonly settings: Address;
  /** Who answers for it: members together, or the admin alone. */
  readonly by:
    | { readonly kind: "members"; readonly members: readonly Address[] }
    | { readonly kind: "admin"; readonly admin: Address };
  /** Who pays what it takes, and gets what is removed; undefined where no account is named. */
  readonly rentPayer: Address | undefined;
  readonly actions: readonly SettingsAction[];
}

const periods = {
  [Period.OneTime]: "one_time",
  [Period.Day]: "day",
  [Period.Week]: "week",
  [Period.Month]: "month",
} as const;

/**
 * Reads an instruction that changes settings at once: execute_settings_transaction_sync, or one of those an admin alone
 * may give. Undefined for any other instruction; throws a `ProgramDataError` when it is one and malformed.
 */
export function readSettingsChange(instruction: Instruction): SettingsChange | undefined {
  const parsed = readProgramInstruction(instruction);
  return parsed && read(parsed, instruction.accounts ?? []);
}

function read(
  parsed: NonNullable<ReturnType<typeof readProgramInstruction>>,
  metas: NonNullable<Instruction["accounts"]>,
): SettingsChange | undefined {
  switch (parsed.instructionType) {
    case SmartAccountProgramInstruction.ExecuteSettingsTransactionSync: {
      const { accounts, data } = parsed;
      const settings = accounts.consensusAccount.address;
      const members = metas.slice(4, 4 + data.numSigners).map(({ address }) => address);
      if (members.length < data.numSigners) throw new ProgramDataError("members are missing");
      return {
        settings,
        by: { kind: "members", members },
        rentPayer: accounts.rentPayer?.address,
        actions: data.actions.map((action) => describeSettingsAction(settings, action)),
      };
    }
    case SmartAccountProgramInstruction.AddSignerAsAuthority:
      return byAdmin(parsed.accounts, { __kind: "AddSigner", ...parsed.data });
    case SmartAccountProgramInstruction.RemoveSignerAsAuthority:
      return byAdmin(parsed.accounts, { __kind: "RemoveSigner", ...parsed.data });
    case SmartAccountProgramInstruction.ChangeThresholdAsAuthority:
      return byAdmin(parsed.accounts, { __kind: "ChangeThreshold", ...parsed.data });
    case SmartAccountProgramInstruction.SetTimeLockAsAuthority:
      return byAdmin(parsed.accounts, { __kind: "SetTimeLock", newTimeLock: parsed.data.timeLock });
    case SmartAccountProgramInstruction.AddSpendingLimitAsAuthority:
      return byAdmin(parsed.accounts, { __kind: "AddSpendingLimit", ...parsed.data });
    case SmartAccountProgramInstruction.RemoveSpendingLimitAsAuthority:
      return byAdmin(parsed.accounts, {
        __kind: "RemoveSpendingLimit",
        spendingLimit: parsed.accounts.spendingLimit.address,
      });
    case SmartAccountProgramInstruction.SetArchivalAuthorityAsAuthority:
      return byAdmin(parsed.accounts, { __kind: "SetArchivalAuthority", ...parsed.data });
    case SmartAccountProgramInstruction.SetNewSettingsAuthorityAsAuthority: {
      const { newSettingsAuthority: admin } = parsed.data;
      const isRemoved = admin === ZERO_ADDRESS;
      return {
        settings: parsed.accounts.settings.address,
        by: { kind: "admin", admin: parsed.accounts.settingsAuthority.address },
        rentPayer: parsed.accounts.rentPayer?.address,
        actions: [{ type: "set_admin", admin_address: isRemoved ? null : admin, irreversible: isRemoved }],
      };
    }
    default:
      return undefined;
  }
}

function byAdmin(
  accounts: {
    readonly settings: { address: Address };
    readonly settingsAuthority: { address: Address };
    readonly rentPayer?: { address: Address } | undefined;
    readonly rentCollector?: { address: Address };
  },
  action: StoredAction,
): SettingsChange {
  const settings = accounts.settings.address;
  return {
    settings,
    by: { kind: "admin", admin: accounts.settingsAuthority.address },
    rentPayer: accounts.rentPayer?.address ?? accounts.rentCollector?.address,
    actions: [describeSettingsAction(settings, action)],
  };
}

/** A settings action as the chain stores it, in the words of summaries. */
export function describeSettingsAction(settings: Address, action: StoredAction): SettingsAction {
  switch (action.__kind) {
    case "AddSigner": {
      const { key, permissions } = action.newSigner;
      // The program stores any mask for a vote, and refuses an unknown one when it is executed.
      if (permissions > ALL_PERMISSIONS_MASK) return { type: "other", name: "AddSigner with unknown permissions" };
      return { type: "add_signer", address: key, permissions: permissionsOfMask(permissions) };
    }
    case "RemoveSigner":
      return { type: "remove_signer", address: action.oldSigner };
    case "ChangeThreshold":
      return { type: "change_threshold", threshold: action.newThreshold };
    case "SetTimeLock":
      return { type: "set_time_lock", time_lock: action.newTimeLock };
    case "AddSpendingLimit":
      return {
        type: "add_spending_limit",
        spending_limit: deriveSpendingLimitAddress(settings, action.seed),
        mint: action.mint === ZERO_ADDRESS ? null : action.mint,
        amount: action.amount.toString(),
        period: periods[action.period],
        signers: [...action.signers],
        destinations: [...action.destinations],
        ...(action.expiration === NEVER_EXPIRES ? {} : { expires_at: Number(action.expiration) }),
      };
    case "RemoveSpendingLimit":
      return { type: "remove_spending_limit", spending_limit: action.spendingLimit };
    case "PolicyRemove":
      return { type: "remove_policy", policy: action.policy };
    default:
      return { type: "other", name: action.__kind };
  }
}

/** A whole list of actions as the chain stores it, with those that cannot be read. */
export function describeStoredActions(
  settings: Address,
  { actions, unread = null }: { readonly actions: readonly StoredAction[]; readonly unread?: UnreadActions | null },
): SettingsAction[] {
  return [...actions.map((action) => describeSettingsAction(settings, action)), ...describeUnread(unread)];
}

function describeUnread(unread: UnreadActions | null): SettingsAction[] {
  if (unread === null) return [];
  const { tag, count } = unread;
  if (tag === null) return [{ type: "other", name: behind(count) }];
  const first: SettingsAction = { type: "other", name: `action of the unknown kind ${tag}` };
  return count === 1 ? [first] : [first, { type: "other", name: behind(count - 1) }];
}

const behind = (count: number): string => `${count} more ${count === 1 ? "action" : "actions"} that cannot be read`;
