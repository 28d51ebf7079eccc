import { Buffer } from "node:buffer";
import { type Address, type ReadonlyUint8Array, unwrapOption } from "@solana/kit";
import { remembered } from "@trellis/kernel/remembered.js";
import { ZERO_ADDRESS } from "./addresses.js";
import { getSettingsDecoder, SETTINGS_DISCRIMINATOR } from "./generated/accounts/index.js";
import type { SettingsState } from "./generated/types/index.js";
import { decodeAccountData } from "./program-data.js";

/** One signer of a smart account. `mask`: 1 initiate, 2 vote, 4 execute. */
export type SettingsSigner = { readonly address: Address; readonly mask: number };

/** A settings account: who may act for a smart account, and under which rules. */
export type Settings = {
  /** The number in the account's own address. */
  readonly seed: bigint;
  /** The admin who alone changes the settings; null when the signers decide (autonomous). */
  readonly settingsAuthority: Address | null;
  readonly threshold: number;
  readonly timeLockSeconds: number;
  /** The index of the last transaction; 0 when there was none. */
  readonly transactionIndex: bigint;
  /** Proposals up to this index were made under older settings. */
  readonly staleTransactionIndex: bigint;
  readonly bump: number;
  /** Sorted by key, as the program keeps them. */
  readonly signers: readonly SettingsSigner[];
  readonly accountUtilization: number;
  /** The counter of policies; null in accounts of the first program generation. */
  readonly policySeed: bigint | null;
};

const decoder = getSettingsDecoder();

/**
 * Reads the data of a settings account. Spare bytes at the end are ignored; accounts of both program generations are
 * understood. The result is shared by all who read the same bytes, and frozen. Throws a `ProgramDataError` for
 * anything else.
 */
export function decodeSettings(data: ReadonlyUint8Array): Settings {
  return decodeRemembered(data);
}

/** Settings change rarely and are read with every request. */
const settingsAtHand = 4_096;
const decodeRemembered = remembered(
  settingsAtHand,
  (data: ReadonlyUint8Array) => Buffer.from(data as Uint8Array).toString("latin1"),
  (data) => freeze(settingsOfState(decodeAccountData("settings", data, SETTINGS_DISCRIMINATOR, decoder))),
);

/** A caller that decides by settings that others have read, too, must find them as the chain has them. */
function freeze(settings: Settings): Settings {
  for (const signer of settings.signers) Object.freeze(signer);
  Object.freeze(settings.signers);
  return Object.freeze(settings);
}

/** The plain form of settings that were received inside an event. */
export function settingsOfState(state: SettingsState): Settings {
  return {
    seed: state.seed,
    settingsAuthority: state.settingsAuthority === ZERO_ADDRESS ? null : state.settingsAuthority,
    threshold: state.threshold,
    timeLockSeconds: state.timeLock,
    transactionIndex: state.transactionIndex,
    staleTransactionIndex: state.staleTransactionIndex,
    bump: state.bump,
    signers: state.signers.map(({ key, permissions }) => ({ address: key, mask: permissions })),
    accountUtilization: state.accountUtilization,
    policySeed: unwrapOption(state.policySeed),
  };
}

/** Bytes of a settings account with that many signers, for the rent of a creation or of added signers. */
export const settingsSize = (signerCount: number): number => 135 + 33 * signerCount;
