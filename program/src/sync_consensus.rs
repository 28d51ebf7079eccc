//! Consensus in one transaction: enough members sign it together, so no proposal is needed.

use crate::error::{Error, Result};
use crate::runtime::Account;
use crate::state::{EXECUTE, INITIATE, Settings, VOTE};

/// Checks that the first `count` accounts are members whose signatures suffice; returns them and the other accounts.
pub fn require_consensus<'a>(
    settings: &Settings,
    accounts: &'a [Account<'a>],
    count: u8,
) -> Result<(&'a [Account<'a>], &'a [Account<'a>])> {
    if settings.time_lock != 0 {
        return Err(Error::TimeLockNotZero);
    }
    if (count as u16) < settings.threshold {
        return Err(Error::InvalidSignerCount);
    }
    let (signers, rest) = accounts.split_at_checked(count as usize).ok_or(Error::InvalidSignerCount)?;

    let mut permissions = 0;
    let mut votes = 0;
    for (position, signer) in signers.iter().enumerate() {
        let member = settings.member(signer.key()).ok_or(Error::NotASigner)?;
        if !signer.is_signer() {
            return Err(Error::MissingSignature);
        }
        if signers[..position].iter().any(|earlier| earlier.key() == signer.key()) {
            return Err(Error::DuplicateSigner);
        }
        permissions |= member.permissions;
        votes += member.has_any(VOTE) as u16;
    }
    if permissions & (INITIATE | VOTE | EXECUTE) != (INITIATE | VOTE | EXECUTE) {
        return Err(Error::InsufficientAggregatePermissions);
    }
    if votes < settings.threshold {
        return Err(Error::InsufficientVotePermissions);
    }
    Ok((signers, rest))
}
