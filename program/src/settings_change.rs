//! Applying a list of settings actions, voted or synchronous.

use crate::accounts::Stored;
use crate::creation::{GrowthPayer, grow_account};
use crate::error::{Error, Result};
use crate::events::{Kind, log_event};
use crate::pubkey::Pubkey;
use crate::runtime::Account;
use crate::spending_limits::{self, Opening};
use crate::state::{Action, NewSpendingLimit, Settings};
use crate::wire::Wire;
use alloc::vec::Vec;

/// One list of actions at work.
pub struct SettingsChange<'a> {
    /// The settings account; writable.
    pub account: Account<'a>,
    /// Who pays for growth and new limits, and receives the rent of removed ones.
    pub growth: GrowthPayer<'a>,
    /// Where the spending limits of the actions are looked for.
    pub candidates: &'a [Account<'a>],
    /// Removed limits whose lamports still have to be moved.
    cleared: Vec<Account<'a>>,
}

impl<'a> SettingsChange<'a> {
    /// Nothing applied yet.
    pub fn new(account: Account<'a>, growth: GrowthPayer<'a>, candidates: &'a [Account<'a>]) -> Self {
        SettingsChange { account, growth, candidates, cleared: Vec::new() }
    }

    /// Applies the actions in order, then checks and writes the settings. Only the final state has to be valid, so
    /// members can be swapped in any order.
    pub fn apply(&mut self, settings: &mut Settings, actions: &[Action]) -> Result {
        for action in actions {
            self.apply_one(settings, action)?;
        }
        store_grown(&self.account, settings, &self.growth)
    }

    fn apply_one(&mut self, settings: &mut Settings, action: &Action) -> Result {
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

    fn add_limit(&mut self, settings: &Settings, terms: &NewSpendingLimit) -> Result {
        let settings_key = self.account.key();
        let opening = Opening::find(settings_key, terms)?;
        let account = self.candidate(&opening.address)?;
        let payer = self.growth.payer.ok_or(Error::MissingAccount)?;
        self.growth.system_program.ok_or(Error::MissingAccount)?;
        let limit = opening.open(&account, &payer)?;
        limit.check_invariants()?;
        // A limit removed just before and opened anew keeps the lamports it still holds.
        self.cleared.retain(|cleared| *cleared.key() != opening.address);
        log_event(&self.account, settings, Kind::AddSpendingLimit, |out| {
            settings_key.write(out);
            opening.address.write(out);
            limit.write(out);
        });
        Ok(())
    }

    fn remove_limit(&mut self, settings: &Settings, key: &Pubkey) -> Result {
        let account = self.candidate(key)?;
        self.growth.payer.ok_or(Error::MissingAccount)?;
        spending_limits::clear(self.account.key(), &account)?;
        self.cleared.push(account);
        log_event(&self.account, settings, Kind::RemoveSpendingLimit, |out| {
            self.account.key().write(out);
            key.write(out);
        });
        Ok(())
    }

    fn candidate(&self, key: &Pubkey) -> Result<Account<'a>> {
        self.candidates.iter().find(|account| account.key() == key).copied().ok_or(Error::MissingAccount)
    }

    /// Moves the rent of removed limits to the rent payer. Comes last: see `Account::drain_to`.
    pub fn refund(&self) -> Result {
        for account in &self.cleared {
            account.drain_to(self.growth.payer.as_ref().ok_or(Error::MissingAccount)?)?;
        }
        Ok(())
    }
}

/// Grows the account for the members it now has, checks the settings and writes them.
pub fn store_grown(account: &Account, settings: &Settings, growth: &GrowthPayer) -> Result {
    grow_account(account, Settings::space(settings.signers.len()), growth)?;
    settings.check_invariants()?;
    settings.store(account)
}
