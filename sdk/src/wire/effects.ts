/** What one entry of a proposal's summary is about (gap 30). */
export type EffectType =
  | "transfer"
  | "create_token_account"
  | "close_token_account"
  | "approve_delegate"
  | "set_authority"
  | "burn"
  | "memo"
  | "use_spending_limit"
  | "settings_change"
  /** A call as it is: nobody says here what it does. */
  | "instruction"
  /** A call that names what others can still fill in. */
  | "undecided";

/** What one change of an account's settings is about (gap 30). */
export type SettingsActionType =
  | "add_signer"
  | "remove_signer"
  | "change_threshold"
  | "set_time_lock"
  | "set_admin"
  | "add_spending_limit"
  | "remove_spending_limit"
  | "remove_policy"
  /** One that is named and not read. */
  | "other";

/** Which power a `set_authority` hands over; one that the token programs get later is `number_` with its number. */
export type AuthorityType =
  | "owner_program"
  | "nonce"
  | "staker"
  | "withdrawer"
  | "program_upgrade"
  | "mint_tokens"
  | "freeze_account"
  | "account_owner"
  | "close_account"
  | "transfer_fee_config"
  | "withheld_withdraw"
  | "close_mint"
  | "interest_rate"
  | "permanent_delegate"
  | "confidential_transfer_mint"
  | "transfer_hook_program"
  | "confidential_transfer_fee_config"
  | "metadata_pointer"
  | "group_pointer"
  | "group_member_pointer"
  | "scaled_ui_amount"
  | "pause";
