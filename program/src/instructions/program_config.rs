//! The program config: created once, then changed by its authority.

use crate::accounts::{Accounts, Stored, argument};
use crate::creation::create_account;
use crate::error::{Error, Result};
use crate::pda::Pda;
use crate::pubkey::{CONFIG_INITIALIZER, Pubkey};
use crate::state::ProgramConfig;
use crate::wire::Reader;

/// `initialize_program_config`. Arguments: authority, creation fee u64, treasury. Accounts: program_config [w]
/// (created), initializer [ws], system_program.
pub fn initialize(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    let authority: Pubkey = argument(arguments)?;
    let smart_account_creation_fee: u64 = argument(arguments)?;
    let treasury: Pubkey = argument(arguments)?;

    let account = accounts.next()?;
    let initializer = accounts.signer()?;
    accounts.system_program()?;

    let bump = Pda::ProgramConfig.require(account.key())?;
    create_account(&initializer, &account, &Pda::ProgramConfig, bump, ProgramConfig::SPACE)?;

    if *initializer.key() != CONFIG_INITIALIZER {
        return Err(Error::Unauthorized);
    }
    let config = ProgramConfig {
        smart_account_index: [0; 16],
        authority,
        smart_account_creation_fee,
        treasury,
        reserved: [0; 64],
    };
    config.check_invariants()?;
    config.store(&account)
}

/// `set_program_config_authority`. Arguments: the new authority. Accounts as in `change`.
pub fn set_authority(arguments: &mut Reader, accounts: Accounts) -> Result {
    let authority = argument(arguments)?;
    change(accounts, |config| config.authority = authority)
}

/// `set_program_config_smart_account_creation_fee`. Arguments: the new fee in lamports, u64. Accounts as in `change`.
pub fn set_creation_fee(arguments: &mut Reader, accounts: Accounts) -> Result {
    let fee = argument(arguments)?;
    change(accounts, |config| config.smart_account_creation_fee = fee)
}

/// `set_program_config_treasury`. Arguments: the new treasury. Accounts as in `change`.
pub fn set_treasury(arguments: &mut Reader, accounts: Accounts) -> Result {
    let treasury = argument(arguments)?;
    change(accounts, |config| config.treasury = treasury)
}

/// Accounts: program_config [w], authority [s].
fn change(mut accounts: Accounts, edit: impl FnOnce(&mut ProgramConfig)) -> Result {
    let account = accounts.next()?;
    let mut config = ProgramConfig::load(&account)?;
    let authority = accounts.signer()?;
    ProgramConfig::require_account(&account)?;

    if config.authority != *authority.key() {
        return Err(Error::Unauthorized);
    }
    edit(&mut config);
    config.check_invariants()?;
    config.store(&account)
}
