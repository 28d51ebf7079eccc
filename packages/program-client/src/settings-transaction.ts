import {
  type Address,
  getAddressDecoder,
  getArrayEncoder,
  getStructDecoder,
  getU8Decoder,
  getU64Decoder,
  type ReadonlyUint8Array,
} from "@solana/kit";
import { SETTINGS_TRANSACTION_DISCRIMINATOR } from "./generated/accounts/index.js";
import { getSettingsActionEncoder, type SettingsAction, type SettingsActionArgs } from "./generated/types/index.js";
import { decodeAccountData } from "./program-data.js";
import { readStoredActions, type UnreadActions } from "./stored-actions.js";

/** A settings change waiting for votes. */
export type SettingsTransaction = {
  readonly settings: Address;
  readonly creator: Address;
  /** Who gets the rent back when it is closed. */
  readonly rentCollector: Address;
  readonly index: bigint;
  readonly bump: number;
  /** Those that can be read, in their order. */
  readonly actions: readonly SettingsAction[];
  /** Those behind them that cannot; null where there are none. */
  readonly unread: UnreadActions | null;
  /** The list as the chain has it, for `readStoredActions`. */
  readonly encodedActions: ReadonlyUint8Array;
};

const headDecoder = getStructDecoder([
  ["discriminator", getU64Decoder()],
  ["settings", getAddressDecoder()],
  ["creator", getAddressDecoder()],
  ["rentCollector", getAddressDecoder()],
  ["index", getU64Decoder()],
  ["bump", getU8Decoder()],
]);
const ACTIONS_AT = 113;

/**
 * Reads the data of a settings transaction account. Throws a `ProgramDataError` for anything else. Actions that this client
 * does not know do not hide the others: see `unread`.
 */
export function decodeSettingsTransaction(data: ReadonlyUint8Array): SettingsTransaction {
  const { discriminator: _, ...head } = decodeAccountData(
    "settings transaction",
    data,
    SETTINGS_TRANSACTION_DISCRIMINATOR,
    headDecoder,
  );
  const { actions, unread, size } = readStoredActions(data.slice(ACTIONS_AT));
  return { ...head, actions, unread, encodedActions: data.slice(ACTIONS_AT, ACTIONS_AT + size) };
}

/** Bytes of a settings transaction account with these actions. */
export function settingsTransactionSize(actions: readonly SettingsActionArgs[]): number {
  const encoder = getSettingsActionEncoder();
  return actions.reduce((size, action) => size + encoder.encode(action).length, 117);
}

/** A list of actions as the program writes it: a four-byte count, then each action. */
export const encodeSettingsActions = (actions: readonly SettingsActionArgs[]): ReadonlyUint8Array =>
  getArrayEncoder(getSettingsActionEncoder()).encode([...actions]);
