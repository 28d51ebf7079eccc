//! Settings changes of a controlled account by its settings authority, each valid on its own.

use crate::accounts::{Accounts, Stored, argument, require_optional_writable, require_writable};
use crate::creation::GrowthPayer;
use crate::error::{Error, Result};
use crate::events::{Kind, log_event};
use crate::pubkey::Pubkey;
use crate::runtime::Account;
use crate::settings_change::{store_checked, store_grown};
use crate::state::{Action, Member, Settings};
use crate::wire::{Reader, Text, Wire};

/// The accounts all six instructions share.
struct Controlled<'a> {
    account: Account<'a>,
    settings: Settings,
    authority: Account<'a>,
    growth: GrowthPayer<'a>,
}

impl<'a> Controlled<'a> {
    /// Accounts: settings [w], settings_authority [s], rent_payer (optional) [ws], system_program (optional),
    /// program. The first check is always that the authority is the right one, which an autonomous account has not.
    fn take(mut accounts: Accounts<'a>) -> Result<Self> {
        let account = accounts.next()?;
        let settings = Settings::load(&account)?;
        let authority = accounts.signer()?;
        let payer = accounts.optional_signer()?;
        let system_program = accounts.optional_system_program()?;
        accounts.this_program()?;

        settings.require_address(&account, Error::ConstraintSeeds)?;
        require_writable(&account)?;
        require_optional_writable(&payer)?;
        settings.require_authority(authority.key())?;
        Ok(Controlled { account, settings, authority, growth: GrowthPayer { payer, system_program } })
    }

    /// Stores and logs a change that members could have voted for.
    fn finish(mut self, change: &Action) -> Result {
        self.settings.invalidate_proposals();
        match change {
            Action::AddSigner(_) => store_grown(&self.account, &self.settings, &self.growth)?,
            _ => store_checked(&self.account, &self.settings)?,
        }
        log_authority_change(&self.account, &self.settings, &self.authority, change);
        Ok(())
    }
}

/// Logs event 6.
pub fn log_authority_change(account: &Account, settings: &Settings, authority: &Account, change: &Action) {
    log_event(account, settings, Kind::AuthoritySettings, |out| {
        settings.write(out);
        account.key().write(out);
        authority.key().write(out);
        change.write(out);
    });
}

/// One argument and the memo, which is dropped.
fn with_memo<T: Wire>(arguments: &mut Reader) -> Result<T> {
    let value = argument(arguments)?;
    argument::<Option<Text>>(arguments)?;
    Ok(value)
}

/// `add_signer_as_authority`. Arguments: key, permission mask, memo.
pub fn add_signer(arguments: &mut Reader, accounts: Accounts) -> Result {
    let member: Member = with_memo(arguments)?;
    let mut controlled = Controlled::take(accounts)?;
    if controlled.settings.member(&member.key).is_some() {
        return Err(Error::DuplicateSigner);
    }
    controlled.settings.add_member(member.clone());
    controlled.finish(&Action::AddSigner(member))
}

/// `remove_signer_as_authority`. Arguments: key, memo.
pub fn remove_signer(arguments: &mut Reader, accounts: Accounts) -> Result {
    let key: Pubkey = with_memo(arguments)?;
    let mut controlled = Controlled::take(accounts)?;
    if controlled.settings.signers.len() == 1 {
        return Err(Error::RemoveLastSigner);
    }
    controlled.settings.remove_member(&key)?;
    controlled.finish(&Action::RemoveSigner(key))
}

/// `change_threshold_as_authority`. Arguments: threshold u16, memo.
pub fn change_threshold(arguments: &mut Reader, accounts: Accounts) -> Result {
    let threshold: u16 = with_memo(arguments)?;
    let mut controlled = Controlled::take(accounts)?;
    controlled.settings.threshold = threshold;
    controlled.finish(&Action::ChangeThreshold(threshold))
}

/// `set_time_lock_as_authority`. Arguments: seconds u32, memo.
pub fn set_time_lock(arguments: &mut Reader, accounts: Accounts) -> Result {
    let seconds: u32 = with_memo(arguments)?;
    let mut controlled = Controlled::take(accounts)?;
    controlled.settings.time_lock = seconds;
    controlled.finish(&Action::SetTimeLock(seconds))
}

/// `set_new_settings_authority_as_authority`. Arguments: key (zero: autonomous for good), memo. Logs event 7.
pub fn set_new_settings_authority(arguments: &mut Reader, accounts: Accounts) -> Result {
    let new_authority: Pubkey = with_memo(arguments)?;
    let mut controlled = Controlled::take(accounts)?;
    controlled.settings.settings_authority = new_authority;
    controlled.settings.invalidate_proposals();
    store_checked(&controlled.account, &controlled.settings)?;
    let Controlled { account, settings, authority, .. } = &controlled;
    log_event(account, settings, Kind::AuthorityChange, |out| {
        settings.write(out);
        account.key().write(out);
        authority.key().write(out);
        Some(new_authority).write(out);
    });
    Ok(())
}

/// `set_archival_authority_as_authority`. Arguments: optional key, memo. Exists, but archiving does not.
pub fn set_archival_authority(arguments: &mut Reader, accounts: Accounts) -> Result {
    with_memo::<Option<Pubkey>>(arguments)?;
    Controlled::take(accounts)?;
    Err(Error::NotImplemented)
}
