import type { DatabaseSchema } from "@trellis/kernel/ports/database.js";

/** How a column is carried that is not carried as it is. */
export type Treatment =
  /** Opened, and sealed again for its row. */
  | "sealed"
  /** The key of a wallet: opened, and sealed again for its row. */
  | "wallet_key"
  /** Holds against the row, and is made again. */
  | "binding"
  /** The hash of an API key: with the secret that it was made with. */
  | "api_key_hash"
  /** The keyed hash of an e-mail address: made again of what the row has sealed. */
  | "email_hash"
  /** A place among the events of all tenants: given out again, in the same order. */
  | "event_place"
  /** What this installation alone can know: null there. */
  | "left";

/** Whose rows they are, as SQL over `mine`, with the tenant and the environments as parameters. */
type Belongs =
  | "tenant"
  | "tenant_environment"
  /** Through the row of another table that is carried: its name, and the columns here and there. */
  | {
      readonly of: keyof DatabaseSchema;
      readonly by: Readonly<Record<string, string>>;
      readonly whose: Belongs;
    };

/** A table whose rows move with their tenant. */
export interface CarriedTable {
  readonly table: keyof DatabaseSchema;
  readonly belongs: Belongs;
  /** SQL: which rows at all. */
  readonly only?: string;
  /** The order of the rows, which is the same in every database. */
  readonly order: readonly string[];
  /** Columns that are carried as they are. */
  readonly columns: readonly string[];
  readonly treated?: Readonly<Record<string, Treatment>>;
  /** Columns that the database fills in. */
  readonly generated?: readonly string[];
  /** It can be read in the archive, and is not imported. */
  readonly toRead?: true;
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const throughUser: Belongs = { of: "app_user", by: { owner_id: "id" }, whose: "tenant_environment" };
const throughWallet: Belongs = { of: "kms_wallet", by: { wallet_id: "id" }, whose: throughUser };
const throughAccount: Belongs = {
  of: "account",
  by: { environment: "environment", account_address: "address" },
  whose: "tenant_environment",
};
const throughSettings: Belongs = {
  of: "account",
  by: { environment: "environment", settings_address: "settings_address" },
  whose: "tenant_environment",
};

/** In the order in which they refer to each other. */
export const carriedTables: readonly CarriedTable[] = [
  {
    table: "tenant",
    belongs: "tenant",
    order: ["id"],
    columns: words(`id name created_at disabled_at made_by session_idle_seconds one_session relying_party
      wallet_export_delay_seconds default_protection recovery_address treasury_page proposal_mails`),
    // The one here begins unfrozen, and knows the archive it is from. Whose a domain is, the operator there says.
    treated: { frozen_at: "left", archive_id: "left", confirmed_relying_party: "left" },
  },
  {
    table: "api_key",
    belongs: "tenant",
    // A configured key is what TRELLIS_API_KEY says, here and there.
    only: "mine.origin <> 'configured'",
    order: ["id"],
    columns:
      words(`id tenant_id name kind visible_prefix scopes environments origin allowed_origins allowed_addresses created_at
      expires_at disabled_at revoked_at last_used_at`),
    treated: { key_hash: "api_key_hash" },
  },
  {
    table: "app_user",
    belongs: "tenant_environment",
    order: ["id"],
    columns: words("id tenant_id environment email created_at passkey_sign_in"),
  },
  {
    table: "wallet",
    belongs: throughUser,
    // A wallet that obeys its owner's first comes behind that.
    order: ["number", "id"],
    columns: words("id provider owner_id environment address created_at number is_guarded commanded_by imported_at"),
  },
  {
    table: "kms_wallet",
    belongs: throughUser,
    order: ["number", "id"],
    columns: words("id provider owner_id environment address created_at number commanded_by imported_at"),
    treated: { secret: "wallet_key", generation: "left", binding: "binding" },
  },
  {
    table: "kms_passkey",
    belongs: throughWallet,
    order: ["id"],
    columns: words(
      "id wallet_id credential_id public_key rp_id counter last_stamp aaguid is_synced created_at removed_at",
    ),
    treated: { binding: "binding" },
  },
  {
    table: "kms_wallet_export",
    belongs: throughWallet,
    order: ["id"],
    columns: words("id wallet_id nonce recipient requested_at not_before expires_at cancelled_at exported_at"),
    treated: { binding: "binding" },
  },
  {
    table: "passkey",
    belongs: "tenant_environment",
    order: ["id"],
    columns:
      words(`id tenant_id environment user_id provider wallet_id signer_address credential_id public_key rp_id name aaguid
      is_synced created_at last_used_at removed_at`),
  },
  {
    table: "account",
    belongs: "tenant_environment",
    order: ["environment", "address"],
    columns: words(
      `environment address tenant_id settings_address type user_id memo created_at updated_at members_due
      imported_at`,
    ),
    generated: ["number"],
  },
  {
    table: "account_signer",
    belongs: throughAccount,
    order: ["environment", "account_address", "signer_address"],
    columns: words("environment account_address signer_address role provider wallet_id position"),
  },
  {
    table: "account_creation",
    belongs: "tenant_environment",
    order: ["id"],
    columns:
      words(`id tenant_id environment user_id type plan state one_time_code_id client_key_fingerprint submission_id
      account_address answered_at created_at looked_at`),
  },
  {
    table: "pending_account",
    belongs: "tenant_environment",
    order: ["environment", "email"],
    columns: words("tenant_id environment email memo plan created_at requires_passkey"),
  },
  {
    table: "otp_failure",
    belongs: "tenant_environment",
    order: ["id"],
    columns: words("id tenant_id environment email share failed_at"),
  },
  {
    table: "wallet_export",
    belongs: "tenant_environment",
    order: ["id"],
    columns:
      words(`id tenant_id environment user_id account_address provider wallet_id signer_address recipient_public_key state
      noticed_state notice_due_at notice_tries requested_at not_before expires_at cancelled_at exported_at`),
  },
  {
    table: "prepared_transaction",
    belongs: "tenant_environment",
    order: ["id"],
    columns: words(`id tenant_id environment account_address kind transaction transaction_signers fee_payer fee_lamports
      rent_lamports last_valid_block_height simulated_slot created_at expires_at follows buffer_step refused_at`),
  },
  {
    table: "kms_payload",
    belongs: { of: "prepared_transaction", by: { prepared_id: "id" }, whose: "tenant_environment" },
    order: ["id"],
    columns: words("id prepared_id provider wallet_id address payload used_by stamp_hash expires_at"),
  },
  {
    table: "submission",
    belongs: "tenant_environment",
    order: ["id"],
    columns:
      words(`id tenant_id environment account_address purpose signature carried wire_transaction last_valid_block_height
      recorded_slot searched_to state failure slot block_time reserved_lamports reserved_on spent_lamports changes_settings
      created_at updated_at looked_at alarmed_at`),
  },
  {
    table: "sponsored_opening",
    belongs: throughAccount,
    order: ["environment", "account_address"],
    columns: words("environment account_address opened ceiling"),
  },
  {
    table: "history_watch",
    belongs: throughAccount,
    order: ["environment", "account_address"],
    columns: words(`environment account_address tenant_id active_at followed_since looked_at read_at complete_at due_at
      fingerprint`),
  },
  {
    table: "history_address",
    belongs: throughAccount,
    order: ["environment", "account_address", "address"],
    columns: words("environment account_address address role total frontier scan_top scan_before"),
  },
  {
    table: "history_transfer",
    belongs: throughAccount,
    order: ["environment", "account_address", "signature", "position"],
    columns:
      words(`environment account_address signature position slot confirmed_at instruction_index direction own_address mint
      is_token_2022 decimals from_address to_address amount is_first_of_mint`),
  },
  {
    table: "history_transaction",
    belongs: throughAccount,
    order: ["environment", "account_address", "signature"],
    columns: words("environment account_address signature slot confirmed_at finalized failed error kind found_at"),
  },
  {
    table: "history_unread",
    belongs: throughAccount,
    order: ["environment", "account_address", "signature"],
    columns: words("environment account_address signature slot confirmed_at finalized found_at tries due_at"),
  },
  {
    table: "proposal_watch",
    belongs: throughSettings,
    order: ["environment", "settings_address"],
    columns: words(`environment settings_address tenant_id transaction_index stale_transaction_index read_slot active_at
      stale_due_at looked_at due_at voters`),
  },
  {
    table: "proposal",
    belongs: throughSettings,
    order: ["environment", "settings_address", "transaction_index"],
    columns:
      words(`environment settings_address transaction_index proposal_address transaction_address kind status chain_status
      status_timestamp approved rejected cancelled votes creator proposal_rent_collector transaction_rent_collector content
      opened_at last_modified_signature last_modified_at uses_durable_nonce reclaimed_lamports seen_signature read_slot
      close_tried_at batch_size batch_executed batch_reclaimed_lamports`),
  },
];
