//! Spending limits of a controlled account, set and removed by its settings authority. Proposals stay current.

use super::authority::log_authority_change;
use crate::accounts::{Accounts, Stored, argument, require_writable};
use crate::error::{Error, Result};
use crate::spending_limits::Opening;
use crate::state::{Action, NewSpendingLimit, Settings, SpendingLimit};
use crate::sysvars::now;
use crate::wire::{Reader, Text};
use alloc::boxed::Box;

/// `add_spending_limit_as_authority`. Arguments: the terms, memo. Accounts: settings, settings_authority [s],
/// spending_limit [w] (created), rent_payer [ws], system_program, program.
pub fn add(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    let terms: Box<NewSpendingLimit> = Box::new(argument(arguments)?);
    argument::<Option<Text>>(arguments)?;
    let account = accounts.next()?;
    let settings = Settings::load(&account)?;
    let authority = accounts.signer()?;
    let limit_account = accounts.next()?;
    let rent_payer = accounts.signer()?;
    accounts.system_program()?;
    accounts.this_program()?;

    let limit = Opening::find(account.key(), &terms)?.open(&limit_account, &rent_payer)?;
    settings.require_address(&account, Error::ConstraintSeeds)?;
    settings.require_authority(authority.key())?;
    terms.require_not_expired(now())?;
    limit.check_invariants()?;

    log_authority_change(&account, &settings, &authority, &Action::AddSpendingLimit(terms));
    Ok(())
}

/// `remove_spending_limit_as_authority`. Arguments: memo. Accounts: settings, settings_authority [s],
/// spending_limit [w], rent_collector [w] (any account), program.
pub fn remove(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    argument::<Option<Text>>(arguments)?;
    let account = accounts.next()?;
    let settings = Settings::load(&account)?;
    let authority = accounts.signer()?;
    let limit_account = accounts.next()?;
    let limit = SpendingLimit::load(&limit_account)?;
    let rent_collector = accounts.next()?;
    accounts.this_program()?;

    settings.require_address(&account, Error::ConstraintSeeds)?;
    require_writable(&limit_account)?;
    if limit_account.key() == rent_collector.key() {
        return Err(Error::ConstraintClose);
    }
    require_writable(&rent_collector)?;
    settings.require_authority(authority.key())?;
    if limit.settings != *account.key() {
        return Err(Error::InvalidAccount);
    }

    log_authority_change(&account, &settings, &authority, &Action::RemoveSpendingLimit(*limit_account.key()));
    limit_account.close(&rent_collector)
}
