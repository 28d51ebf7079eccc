import type { Address, ReadonlyUint8Array } from "@solana/kit";
import { getProgramConfigDecoder, PROGRAM_CONFIG_DISCRIMINATOR } from "./generated/accounts/index.js";
import { decodeAccountData } from "./program-data.js";

/** The program's own configuration. */
export type ProgramConfig = {
  /** How many smart accounts exist; the next settings account takes this number plus one. */
  readonly smartAccountIndex: bigint;
  readonly authority: Address;
  readonly creationFeeLamports: bigint;
  /** Where the creation fee goes; named in every creation, even when the fee is 0. */
  readonly treasury: Address;
};

const decoder = getProgramConfigDecoder();

/** Reads the data of the program configuration account. Throws a `ProgramDataError` for anything else. */
export function decodeProgramConfig(data: ReadonlyUint8Array): ProgramConfig {
  const config = decodeAccountData("program configuration", data, PROGRAM_CONFIG_DISCRIMINATOR, decoder);
  return {
    smartAccountIndex: config.smartAccountIndex,
    authority: config.authority,
    creationFeeLamports: config.smartAccountCreationFee,
    treasury: config.treasury,
  };
}
