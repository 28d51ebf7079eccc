//! Opening and closing spending limits; used by settings actions and by the authority of a controlled account.

use crate::accounts::Stored;
use crate::creation::create_account;
use crate::error::{Error, Result};
use crate::pda::Pda;
use crate::pubkey::Pubkey;
use crate::runtime::Account;
use crate::state::{NewSpendingLimit, SpendingLimit};
use crate::sysvars::now;

/// A limit that does not exist yet.
pub struct Opening<'a> {
    settings_key: &'a Pubkey,
    terms: &'a NewSpendingLimit,
    pub address: Pubkey,
    bump: u8,
}

impl<'a> Opening<'a> {
    /// Searches the address of the limit.
    pub fn find(settings_key: &'a Pubkey, terms: &'a NewSpendingLimit) -> Result<Self> {
        let (address, bump) = Pda::SpendingLimit { settings: settings_key, seed: &terms.seed }.find()?;
        Ok(Opening { settings_key, terms, address, bump })
    }

    /// Creates the account, which must be at the limit's address, and writes it. The caller still has to check the
    /// limit's own rules.
    pub fn open(&self, account: &Account, payer: &Account) -> Result<SpendingLimit> {
        if *account.key() != self.address {
            return Err(Error::ConstraintSeeds);
        }
        let pda = Pda::SpendingLimit { settings: self.settings_key, seed: &self.terms.seed };
        create_account(payer, account, &pda, self.bump, self.terms.space())?;
        let limit = SpendingLimit::new(self.settings_key, self.terms, now(), self.bump);
        limit.store(account)?;
        Ok(limit)
    }
}

/// Closes a limit of this settings account; its lamports go to `to` at once.
pub fn remove(settings_key: &Pubkey, account: &Account, to: &Account) -> Result {
    let limit = SpendingLimit::load(account)?;
    if limit.settings != *settings_key {
        return Err(Error::InvalidAccount);
    }
    account.close(to)
}
