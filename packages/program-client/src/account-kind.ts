import type { ReadonlyUint8Array } from "@solana/kit";
import {
  BATCH_DISCRIMINATOR,
  BATCH_TRANSACTION_DISCRIMINATOR,
  PROGRAM_CONFIG_DISCRIMINATOR,
  PROPOSAL_DISCRIMINATOR,
  SETTINGS_DISCRIMINATOR,
  SETTINGS_TRANSACTION_DISCRIMINATOR,
  SPENDING_LIMIT_DISCRIMINATOR,
  TRANSACTION_BUFFER_DISCRIMINATOR,
  TRANSACTION_DISCRIMINATOR,
} from "./generated/accounts/index.js";
import { startsWith } from "./program-data.js";

/** The kinds of account the program owns; of policies only the kind is reported. */
export type ProgramAccountKind =
  | "programConfig"
  | "settings"
  | "proposal"
  | "transaction"
  | "settingsTransaction"
  | "spendingLimit"
  | "policy"
  | "batch"
  | "batchTransaction"
  | "transactionBuffer";

const KINDS: readonly (readonly [ProgramAccountKind, ReadonlyUint8Array])[] = [
  ["settings", SETTINGS_DISCRIMINATOR],
  ["proposal", PROPOSAL_DISCRIMINATOR],
  ["transaction", TRANSACTION_DISCRIMINATOR],
  ["settingsTransaction", SETTINGS_TRANSACTION_DISCRIMINATOR],
  ["spendingLimit", SPENDING_LIMIT_DISCRIMINATOR],
  ["programConfig", PROGRAM_CONFIG_DISCRIMINATOR],
  ["policy", Uint8Array.of(0xde, 0x87, 0x07, 0xa3, 0xeb, 0xb1, 0x21, 0x44)],
  ["batch", BATCH_DISCRIMINATOR],
  ["batchTransaction", BATCH_TRANSACTION_DISCRIMINATOR],
  ["transactionBuffer", TRANSACTION_BUFFER_DISCRIMINATOR],
];

/** What kind of account the data says it is; undefined when it is none of the program's. Check the owner separately. */
export function accountKindOf(data: ReadonlyUint8Array): ProgramAccountKind | undefined {
  return KINDS.find(([, discriminator]) => startsWith(data, discriminator))?.[0];
}

/** The leading eight bytes of accounts of one kind, for filters that list accounts. */
export function discriminatorOf(kind: ProgramAccountKind): ReadonlyUint8Array {
  const found = KINDS.find(([name]) => name === kind);
  if (found === undefined) throw new Error(`no account kind ${kind}`);
  return found[1];
}
