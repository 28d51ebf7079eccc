//! Applying a list of settings actions, voted or synchronous.

use crate::accounts::Stored;
use crate::creation::{GrowthPayer, grow_account};
use crate::error::{Error, Result};
use crate::events::{Kind, log_event};
use crate::pubkey::Pubkey;
use crate::public_memory::occupy_for_applied;
use crate::runtime::Account;
use crate::spending_limits::{self, Opening};
use crate::state::{Action, NewSpendingLimit, Settings};
use crate::wire::Wire;

/// One list of actions at work.
pub struct SettingsChange<'a> {
    /// The settings account; writable.
    pub account: Account<'a>,
    /// Who pays for growth and new limits, and receives the rent of removed ones.
    pub growth: GrowthPayer<'a>,
    /// Where the spending limits of the actions are searched.
    pub candidates: &'a [Account<'a>],
}

impl<'a> SettingsChange<'a> {
    /// Applies the actions in order, then checks and writes the settings. Only the final state has to be valid, so
    /// members can be swapped in any order.
    pub fn apply(&self, settings: &mut Settings, actions: &[Action]) -> Result {
        occupy_for_applied(actions);
        for action in actions {
            self.apply_one(settings, action)?;
        }
        store_grown(&self.account, settings, &self.growth)
    }

    fn apply_one(&self, settings: &mut Settings, action: &Action) -> Result {
        match action {
            Action::AddSpendingLimit(terms) => return self.add_limit(settings, terms),
            Action::RemoveSpendingLimit(key) => return self.remove_limit(settings, key),
            Action::SetArchivalAuthority(_) => return Err(Error::NotImplemented),
            Action::AddSigner(member) => settings.add_member(member.clone()),
            Action::RemoveSigner(key) => settings.remove_member(key)?,
            Action::ChangeThreshold(threshold) => settings.threshold = *threshold,
            Action::SetTimeLock(seconds) => settings.time_lock = *seconds,
        }
        settings.invalidate_proposals();
        Ok(())
    }

    fn add_limit(&self, settings: &Settings, terms: &NewSpendingLimit) -> Result {
        let settings_key = self.account.key();
        let opening = Opening::find(settings_key, terms)?;
        let account = self.candidate(&opening.address)?;
        let payer = self.growth.payer.ok_or(Error::MissingAccount)?;
        self.growth.system_program.ok_or(Error::MissingAccount)?;
        let limit = opening.open(&account, &payer)?;
        limit.check_invariants()?;
        log_event(&self.account, settings, Kind::AddSpendingLimit, |out| {
            settings_key.write(out);
            opening.address.write(out);
            limit.write(out);
        });
        Ok(())
    }

    fn remove_limit(&self, settings: &Settings, key: &Pubkey) -> Result {
        let account = self.candidate(key)?;
        let payer = self.growth.payer.ok_or(Error::MissingAccount)?;
        // The lamports move now, as on the public program. What the payer pays for later in the same list then fails in
        // the runtime (unbalanced), unless it goes back to the same address.
        spending_limits::remove(self.account.key(), &account, &payer)?;
        log_event(&self.account, settings, Kind::RemoveSpendingLimit, |out| {
            self.account.key().write(out);
            key.write(out);
        });
        Ok(())
    }

    fn candidate(&self, key: &Pubkey) -> Result<Account<'a>> {
        self.candidates.iter().find(|account| account.key() == key).copied().ok_or(Error::MissingAccount)
    }
}

/// Grows the account for the members it now has, checks the settings and writes them.
pub fn store_grown(account: &Account, settings: &Settings, growth: &GrowthPayer) -> Result {
    grow_account(account, Settings::space(settings.signers.len()), growth)?;
    store_checked(account, settings)
}

/// Checks the settings and writes them where nothing was added. Unlike `store_grown` it leaves an account of the first
/// generation, which is eight bytes shorter, as long as it is.
pub fn store_checked(account: &Account, settings: &Settings) -> Result {
    settings.check_invariants()?;
    settings.store(account)
}
