import { type Address, getArrayEncoder, type ReadonlyUint8Array } from "@solana/kit";
import { getArrayDecoder } from "./array-decoder.js";
import { getSettingsTransactionDecoder, SETTINGS_TRANSACTION_DISCRIMINATOR } from "./generated/accounts/index.js";
import {
  getSettingsActionDecoder,
  getSettingsActionEncoder,
  type SettingsAction,
  type SettingsActionArgs,
} from "./generated/types/index.js";
import { decodeAccountData, decodeBytes } from "./program-data.js";

/** A settings change waiting for votes. */
export type SettingsTransaction = {
  readonly settings: Address;
  readonly creator: Address;
  /** Who gets the rent back when it is closed. */
  readonly rentCollector: Address;
  readonly index: bigint;
  readonly bump: number;
  readonly actions: readonly SettingsAction[];
};

const decoder = getSettingsTransactionDecoder();

/**
 * Reads the data of a settings transaction account. Throws a `ProgramDataError` for anything else, and for a list in
 * which something follows an action that creates or updates a policy (those contents are not read).
 */
export function decodeSettingsTransaction(data: ReadonlyUint8Array): SettingsTransaction {
  const { discriminator: _, ...content } = decodeAccountData(
    "settings transaction",
    data,
    SETTINGS_TRANSACTION_DISCRIMINATOR,
    decoder,
  );
  return content;
}

/** Bytes of a settings transaction account with these actions. */
export function settingsTransactionSize(actions: readonly SettingsActionArgs[]): number {
  const encoder = getSettingsActionEncoder();
  return actions.reduce((size, action) => size + encoder.encode(action).length, 117);
}

/** A list of actions as the program writes it: a four-byte count, then each action. */
export const encodeSettingsActions = (actions: readonly SettingsActionArgs[]): ReadonlyUint8Array =>
  getArrayEncoder(getSettingsActionEncoder()).encode([...actions]);

/** Reads what `encodeSettingsActions` wrote. Throws a `ProgramDataError` for anything else. */
export const decodeSettingsActions = (bytes: ReadonlyUint8Array): readonly SettingsAction[] =>
  decodeBytes("settings actions", bytes, getArrayDecoder(getSettingsActionDecoder()));
