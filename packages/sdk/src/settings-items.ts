import type { SettingsChangeAction } from "./inspect/decode-settings-change.js";
import type { ProposedAction, SummaryEntry } from "./wire.js";

/** The service moves removals to the end, where the chain can execute them; what happens is the same. */
export function removalsLast(items: readonly SummaryEntry[]): readonly SummaryEntry[] {
  const isRemoval = ({ type }: SummaryEntry) => type === "remove_spending_limit" || type === "remove_policy";
  return [...items.filter((item) => !isRemoval(item)), ...items.filter(isRemoval)];
}

/** A decoded action in the words of a summary. */
export function itemOfAction(action: SettingsChangeAction): SummaryEntry {
  switch (action.type) {
    case "set_time_lock":
      return { type: action.type, time_lock: action.seconds };
    case "set_admin":
      return { type: action.type, admin_address: action.admin };
    case "add_signer":
      return { ...action, permissions: [...action.permissions].sort() };
    case "remove_signer":
    case "change_threshold":
      return action;
    case "add_spending_limit":
      return {
        type: action.type,
        mint: action.mint,
        amount: action.amount.toString(),
        period: action.period,
        signers: [...action.signers].sort(),
        destinations: [...action.destinations].sort(),
        ...(action.expiration === null ? {} : { expires_at: Number(action.expiration) }),
      };
    case "remove_spending_limit":
      return { type: action.type, spending_limit: action.spendingLimit };
    case "remove_policy":
      return { type: action.type, policy: action.policy };
  }
}

/** An action that was asked for in the words of a summary. */
export function itemOfProposed(action: ProposedAction): SummaryEntry {
  switch (action.type) {
    case "AddSigner": {
      const { address, permissions } = action.newSigner;
      return { type: "add_signer", address, permissions: [...new Set(permissions)].sort() };
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
        mint: action.mint,
        amount: action.amount,
        period: action.period,
        signers: [...action.signers].sort(),
        destinations: [...(action.destinations ?? [])].sort(),
        ...(action.expiration === undefined ? {} : { expires_at: action.expiration }),
      };
    case "RemoveSpendingLimit":
      return { type: "remove_spending_limit", spending_limit: action.spendingLimit };
    case "PolicyRemove":
      return { type: "remove_policy", policy: action.policy };
  }
}

/** An action of the service's summary, without what follows from the rest and in a fixed order. */
export function plainItem(action: SummaryEntry): SummaryEntry {
  const sorted = (value: unknown): unknown => (Array.isArray(value) ? [...value].sort() : value);
  const { spending_limit: limit, permissions, signers, destinations, ...rest } = action;
  return {
    ...rest,
    ...(permissions === undefined ? {} : { permissions: sorted(permissions) }),
    ...(signers === undefined ? {} : { signers: sorted(signers) }),
    ...(destinations === undefined ? {} : { destinations: sorted(destinations) }),
    ...(action.type === "add_spending_limit" || limit === undefined ? {} : { spending_limit: limit }),
  };
}
