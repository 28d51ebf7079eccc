/**
 * Lists of settings actions as the chain holds them. Anybody may have written one, with a client of any release: what is
 * readable is read, and what is not is counted, never dropped.
 */
import type { ReadonlyUint8Array } from "@solana/kit";
import { getSettingsActionDecoder, type SettingsAction } from "./generated/types/index.js";
import { policyActionEnd } from "./policy-action-end.js";
import { ProgramDataError } from "./program-data.js";

/** The actions of a list from the first on that cannot be read. */
export interface UnreadActions {
  /** The number by which the program distinguishes kinds of actions; null where it is not known where the action begins. */
  readonly tag: number | null;
  /** How many, as the list counts them. */
  readonly count: number;
}

/** What could be read of a list of actions, in its order. */
export interface StoredActions {
  /** Of an action that creates or updates a policy only the kind is read; its bytes are in `encoded`. */
  readonly actions: readonly SettingsAction[];
  /** Null where the whole list was read, contents of policies aside. */
  readonly unread: UnreadActions | null;
  /** Bytes of the list; all that were given where its end is not known. */
  readonly size: number;
}

const decoder = getSettingsActionDecoder();
const POLICY_CREATE = 7;
const POLICY_UPDATE = 8;

/**
 * Reads a list of actions: a four-byte count, then each action. Bytes after the end are ignored. Throws a
 * `ProgramDataError` only where the count itself is missing.
 */
export function readStoredActions(data: ReadonlyUint8Array): StoredActions {
  const bytes = Uint8Array.from(data);
  if (bytes.length < 4) throw new ProgramDataError("a list of actions without a count");
  const count = new DataView(bytes.buffer).getUint32(0, true);
  const actions: SettingsAction[] = [];
  const stopped = (tag: number | null): StoredActions => ({
    actions,
    unread: { tag, count: count - actions.length },
    size: bytes.length,
  });
  let at = 4;
  while (actions.length < count) {
    const tag = bytes[at];
    if (tag === undefined) return stopped(null);
    if (tag === POLICY_CREATE || tag === POLICY_UPDATE) {
      const end = policyActionEnd(bytes, at);
      const encoded = bytes.slice(at + 1, end);
      actions.push({ __kind: tag === POLICY_CREATE ? "PolicyCreate" : "PolicyUpdate", encoded });
      if (end === undefined) {
        return actions.length === count ? { actions, unread: null, size: bytes.length } : stopped(null);
      }
      at = end;
      continue;
    }
    try {
      const [action, end] = decoder.read(bytes, at);
      actions.push(action);
      at = end;
    } catch {
      // An unknown kind, a value that no release writes, or an early end: what follows cannot be found either.
      return stopped(tag);
    }
  }
  return { actions, unread: null, size: at };
}
