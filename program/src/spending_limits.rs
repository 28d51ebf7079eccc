//! Opening and closing spending limits; used by settings actions and by the authority of a controlled account.

use crate::accounts::{Stored, require_writable};
use crate::creation::create_account;
use crate::error::{Error, Result};
use crate::pda::Pda;
use crate::pubkey::Pubkey;
use crate::runtime::Account;
use crate::state::{NewSpendingLimit, SpendingLimit};
use crate::sysvars::now;

/// Creates the limit's account, which must be at the address of its seed, and writes it. The caller still has to
/// check the limit's own rules.
pub fn open(
    settings_key: &Pubkey,
    terms: &NewSpendingLimit,
    account: &Account,
    payer: &Account,
) -> Result<SpendingLimit> {
    let pda = Pda::SpendingLimit { settings: settings_key, seed: &terms.seed };
    let bump = pda.require(account.key())?;
    create_account(payer, account, &pda, bump, terms.space())?;
    let limit = SpendingLimit::new(settings_key, terms, now(), bump);
    limit.store(account)?;
    Ok(limit)
}

/// Empties a limit of this settings account. Its lamports stay for the caller to move after the last call.
pub fn clear(settings_key: &Pubkey, account: &Account) -> Result {
    let limit = SpendingLimit::load(account)?;
    require_writable(account)?;
    if limit.settings != *settings_key {
        return Err(Error::InvalidAccount);
    }
    account.clear()
}
