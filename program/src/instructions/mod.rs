//! One file per instruction, or per family of small ones. Each reads: arguments, accounts, constraints, checks,
//! effects, event.

pub mod activate_proposal;
pub mod authority;
pub mod authority_spending_limit;
pub mod batch;
pub mod close;
pub mod close_batch;
pub mod create_proposal;
pub mod create_settings_transaction;
pub mod create_smart_account;
pub mod create_transaction;
pub mod execute_settings_transaction;
pub mod execute_transaction;
pub mod execute_transaction_sync;
pub mod log_event;
pub mod program_config;
pub mod transaction_buffer;
pub mod use_spending_limit;
pub mod vote;
