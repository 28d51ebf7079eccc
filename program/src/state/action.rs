//! What a settings transaction can do.

use super::settings::{MAX_TIME_LOCK_SECONDS, Member};
use super::spending_limit::NewSpendingLimit;
use crate::error::{Error, Result};
use crate::pubkey::Pubkey;
use crate::wire::{Reader, Wire};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// One change of the settings. Tags 7 to 9 of the public program (policies) are not implemented.
pub enum Action {
    AddSigner(Member),
    RemoveSigner(Pubkey),
    ChangeThreshold(u16),
    SetTimeLock(u32),
    // Boxed: it is five times as large as the others, and lists of actions are long-lived.
    AddSpendingLimit(Box<NewSpendingLimit>),
    RemoveSpendingLimit(Pubkey),
    SetArchivalAuthority(Option<Pubkey>),
}

/// The first tag of a policy action, and the last.
const POLICY_TAGS: core::ops::RangeInclusive<u8> = 7..=9;

impl Wire for Action {
    const MIN_LEN: usize = 2;

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(match reader.read::<u8>()? {
            0 => Action::AddSigner(reader.read()?),
            1 => Action::RemoveSigner(reader.read()?),
            2 => Action::ChangeThreshold(reader.read()?),
            3 => Action::SetTimeLock(reader.read()?),
            4 => Action::AddSpendingLimit(Box::new(reader.read()?)),
            5 => Action::RemoveSpendingLimit(reader.read()?),
            6 => Action::SetArchivalAuthority(reader.read()?),
            _ => return None,
        })
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.push(self.tag());
        match self {
            Action::AddSigner(member) => member.write(out),
            Action::RemoveSigner(key) | Action::RemoveSpendingLimit(key) => key.write(out),
            Action::ChangeThreshold(threshold) => threshold.write(out),
            Action::SetTimeLock(seconds) => seconds.write(out),
            Action::AddSpendingLimit(limit) => limit.write(out),
            Action::SetArchivalAuthority(authority) => authority.write(out),
        }
    }
}

impl Action {
    fn tag(&self) -> u8 {
        match self {
            Action::AddSigner(_) => 0,
            Action::RemoveSigner(_) => 1,
            Action::ChangeThreshold(_) => 2,
            Action::SetTimeLock(_) => 3,
            Action::AddSpendingLimit(_) => 4,
            Action::RemoveSpendingLimit(_) => 5,
            Action::SetArchivalAuthority(_) => 6,
        }
    }
}

/// Reads the list of an instruction; a policy action is refused as not implemented rather than as malformed.
pub fn read_actions(arguments: &mut Reader) -> Result<Vec<Action>> {
    let count: u32 = arguments.read().ok_or(Error::InstructionDidNotDeserialize)?;
    let mut actions = Vec::new();
    for _ in 0..count {
        if arguments.peek().is_some_and(|tag| POLICY_TAGS.contains(&tag)) {
            return Err(Error::NotImplemented);
        }
        actions.push(arguments.read().ok_or(Error::InstructionDidNotDeserialize)?);
    }
    Ok(actions)
}

/// What is checked before a list of actions is accepted. Thresholds and members are left to the execution.
pub fn check_actions(actions: &[Action], now: i64) -> Result {
    if actions.is_empty() {
        return Err(Error::NoActions);
    }
    for action in actions {
        if matches!(action, Action::SetTimeLock(seconds) if *seconds > MAX_TIME_LOCK_SECONDS) {
            return Err(Error::TimeLockExceedsMaxAllowed);
        }
    }
    check_expirations(actions, now)
}

/// New spending limits must not have expired yet; checked again when a voted list is executed.
pub fn check_expirations(actions: &[Action], now: i64) -> Result {
    actions.iter().try_for_each(|action| match action {
        Action::AddSpendingLimit(limit) => limit.require_not_expired(now),
        _ => Ok(()),
    })
}
