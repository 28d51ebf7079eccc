import { type Bytes, concat, fromHex, option, text, u8 } from "./bytes.js";
import { PROGRAM } from "./keys.js";
import type { Instruction, Meta } from "./ledger.js";

/** The discriminators, as the specification prints them. */
export const DISCRIMINATORS = {
  initialize_program_config: "06833ded286e537c",
  set_program_config_authority: "8228ea6fed9bf6cb",
  set_program_config_smart_account_creation_fee: "de1e86b08371c3ca",
  set_program_config_treasury: "f477c0beb665e3bd",
  create_smart_account: "c566fde74d543211",
  add_signer_as_authority: "50c6e49a07ea6338",
  remove_signer_as_authority: "3a139510b5107d94",
  set_time_lock_as_authority: "02ea5d5d285c1fea",
  change_threshold_as_authority: "338d4e85462f5f7c",
  set_new_settings_authority_as_authority: "dd7085e5923a5a38",
  set_archival_authority_as_authority: "b2c7040dedea98ca",
  add_spending_limit_as_authority: "a9bd54361ef4dfd4",
  remove_spending_limit_as_authority: "5e20447ffb2c9107",
  create_settings_transaction: "65a8fecbde665fc0",
  execute_settings_transaction: "83d21b581bcc8fbd",
  execute_settings_transaction_sync: "8ad140a34f43e94c",
  create_transaction: "e3c135ef377e7069",
  execute_transaction: "e7ad315beb184413",
  execute_transaction_sync: "2b66f859e7616886",
  execute_transaction_sync_v2: "5a51bb512746804e",
  create_proposal: "847444aed8a0c616",
  activate_proposal: "5abacbea46b9bf15",
  approve_proposal: "886c665562720793",
  reject_proposal: "72a2a452bf0b6619",
  cancel_proposal: "6a4a809213412717",
  use_spending_limit: "29b34605c293ef9e",
  close_transaction: "612e98aa2ad7c0da",
  close_settings_transaction: "fb70226cd60d2974",
  create_transaction_buffer: "3961fa9c3bd320d0",
  extend_transaction_buffer: "be56f65fe79ae55b",
  create_transaction_from_buffer: "35c027ef7c542bf9",
  close_transaction_buffer: "e0dd7bd500cc05bf",
  create_batch: "9fc6f82bf81feb56",
  add_transaction_to_batch: "934bc5e314959671",
  execute_batch_transaction: "ed43c9ad21825886",
  close_batch_transaction: "569085e12dd13efb",
  close_batch: "a6ae23fdd1d3b51c",
  log_event: "05095a8ddf8639d9",
} as const;

export type Name = keyof typeof DISCRIMINATORS;

/** An instruction of the program under test. */
export function call(name: Name, accounts: readonly Meta[], ...fields: readonly Uint8Array[]): Instruction {
  return { program: PROGRAM, accounts, data: concat(fromHex(DISCRIMINATORS[name]), ...fields) };
}

export const NO_MEMO = u8(0);
export const memoOf = (memo: string | undefined): Bytes => (memo === undefined ? NO_MEMO : option(text(memo)));
