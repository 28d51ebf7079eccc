import type { Address } from "@solana/kit";
import { PROGRAM_CONFIG_ADDRESS } from "./addresses.js";
import { getCreateSmartAccountInstruction } from "./generated/instructions/index.js";
import { asSigner, type PlainInstruction, plain } from "./plain-instruction.js";
import type { SettingsSigner } from "./settings.js";

export type CreateSmartAccount = {
  /** Pays rent and the creation fee and signs; usually not a signer of the account. */
  readonly creator: Address;
  /** From the program configuration. */
  readonly treasury: Address;
  /** See `candidateSettings`: the account takes the one whose turn it is. */
  readonly candidates: readonly Address[];
  /** In any order: the program sorts them. */
  readonly signers: readonly SettingsSigner[];
  readonly threshold: number;
  readonly timeLockSeconds: number;
  /** Null: the signers decide about the settings, for good. */
  readonly settingsAuthority: Address | null;
  readonly memo?: string | null;
};

/**
 * Builds create_smart_account. Only `creator` signs. The address is known once it has landed: from event 0,
 * see `findCreatedSmartAccount`. The program refuses what breaks the rules of a settings account.
 */
export function createSmartAccountInstruction(input: CreateSmartAccount): PlainInstruction {
  return plain(
    getCreateSmartAccountInstruction({
      programConfig: PROGRAM_CONFIG_ADDRESS,
      treasury: input.treasury,
      creator: asSigner(input.creator),
      settingsAuthority: input.settingsAuthority,
      threshold: input.threshold,
      signers: input.signers.map(({ address, mask }) => ({ key: address, permissions: mask })),
      timeLock: input.timeLockSeconds,
      rentCollector: null,
      memo: input.memo ?? null,
      candidates: [...input.candidates],
    }),
  );
}
