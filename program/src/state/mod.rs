//! The stored layouts, field by field as they lie in the accounts.

mod action;
mod batch;
mod lookup_table;
mod message;
mod program_config;
mod proposal;
mod settings;
mod settings_transaction;
mod spending_limit;
mod transaction;
mod transaction_buffer;

pub use action::{Action, check_actions, check_expirations, read_actions};
pub use batch::{Batch, BatchTransaction};
pub use lookup_table::LookupTable;
pub use message::{CompiledInstruction, TransactionMessage};
pub use program_config::ProgramConfig;
pub use proposal::{Proposal, Status, Vote};
pub use settings::{EXECUTE, INITIATE, Member, Settings, VOTE};
pub use settings_transaction::SettingsTransaction;
pub use spending_limit::{NewSpendingLimit, SpendingLimit};
pub use transaction::{Transaction, TransactionTag};
pub use transaction_buffer::TransactionBuffer;
