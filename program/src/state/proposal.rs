//! A proposal: the votes on one transaction.

use super::settings::Settings;
use crate::accounts::{Stored, require_writable};
use crate::error::{Error, Result};
use crate::pda::Pda;
use crate::pubkey::Pubkey;
use crate::runtime::Account;
use crate::wire::{Reader, Wire, wire_struct};
use alloc::vec::Vec;

/// Where a proposal stands, and since when (unix seconds).
#[derive(Clone, Copy)]
pub enum Status {
    Draft(i64),
    Active(i64),
    Rejected(i64),
    Approved(i64),
    /// Never written; kept because the tag exists.
    Executing,
    Executed(i64),
    Cancelled(i64),
}

impl Wire for Status {
    const MIN_LEN: usize = 1;

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(match reader.read::<u8>()? {
            0 => Status::Draft(reader.read()?),
            1 => Status::Active(reader.read()?),
            2 => Status::Rejected(reader.read()?),
            3 => Status::Approved(reader.read()?),
            4 => Status::Executing,
            5 => Status::Executed(reader.read()?),
            6 => Status::Cancelled(reader.read()?),
            _ => return None,
        })
    }

    fn write(&self, out: &mut Vec<u8>) {
        let (tag, since) = match self {
            Status::Draft(since) => (0, Some(since)),
            Status::Active(since) => (1, Some(since)),
            Status::Rejected(since) => (2, Some(since)),
            Status::Approved(since) => (3, Some(since)),
            Status::Executing => (4, None),
            Status::Executed(since) => (5, Some(since)),
            Status::Cancelled(since) => (6, Some(since)),
        };
        out.push(tag);
        if let Some(since) = since {
            since.write(out);
        }
    }
}

wire_struct! {
    /// `102 + 96 * members` bytes with its discriminator.
    pub struct Proposal {
        pub consensus_account: Pubkey,
        pub transaction_index: u64,
        /// Who paid the rent and gets it back.
        pub rent_collector: Pubkey,
        pub status: Status,
        pub bump: u8,
        /// The three lists are sorted.
        pub approved: Vec<Pubkey>,
        pub rejected: Vec<Pubkey>,
        pub cancelled: Vec<Pubkey>,
    }
}

impl Stored for Proposal {
    const DISCRIMINATOR: [u8; 8] = 0x1a5ebdbb74883521u64.to_be_bytes();
}

/// What a member can say about a proposal.
#[derive(Clone, Copy)]
pub enum Vote {
    Approve,
    Reject,
    Cancel,
}

impl Proposal {
    /// Bytes that hold the votes of this many members.
    pub fn space(members: usize) -> usize {
        102 + 96 * members
    }

    /// Refuses a proposal account that is not the one of transaction `index` of `consensus`, or read-only.
    pub fn require_account(&self, account: &Account, consensus: &Pubkey, index: u64) -> Result {
        self.require_address(account, consensus, index)?;
        require_writable(account)
    }

    /// Refuses a proposal account that is not the one of transaction `index` of `consensus`.
    pub fn require_address(&self, account: &Account, consensus: &Pubkey, index: u64) -> Result {
        Pda::proposal(consensus, index).require_with_bump(self.bump, account.key())
    }

    /// Counts a vote at time `now`. Status and staleness were checked before; a change of mind between approving and
    /// rejecting is allowed, the same vote twice is not.
    pub fn vote(&mut self, vote: Vote, key: &Pubkey, settings: &Settings, now: i64) -> Result {
        let threshold = settings.threshold as usize;
        match vote {
            Vote::Approve => {
                remove(&mut self.rejected, key);
                insert(&mut self.approved, key, Error::AlreadyApproved)?;
                if self.approved.len() >= threshold {
                    self.status = Status::Approved(now);
                }
            }
            Vote::Reject => {
                remove(&mut self.approved, key);
                insert(&mut self.rejected, key, Error::AlreadyRejected)?;
                // Enough rejections that the others can no longer reach the threshold.
                if self.rejected.len() + threshold > settings.voters() {
                    self.status = Status::Rejected(now);
                }
            }
            Vote::Cancel => {
                self.cancelled.retain(|voter| settings.member(voter).is_some());
                insert(&mut self.cancelled, key, Error::AlreadyCancelled)?;
                if self.cancelled.len() >= threshold {
                    self.status = Status::Cancelled(now);
                }
            }
        }
        Ok(())
    }

    /// Refuses the execution before approval and before the time lock has passed.
    pub fn require_executable(&self, settings: &Settings, now: i64) -> Result {
        let Status::Approved(since) = self.status else { return Err(Error::InvalidProposalStatus) };
        if now.saturating_sub(since) < settings.time_lock as i64 {
            return Err(Error::TimeLockNotReleased);
        }
        Ok(())
    }
}

fn remove(list: &mut Vec<Pubkey>, key: &Pubkey) {
    if let Ok(place) = list.binary_search(key) {
        list.remove(place);
    }
}

fn insert(list: &mut Vec<Pubkey>, key: &Pubkey, already: Error) -> Result {
    match list.binary_search(key) {
        Ok(_) => Err(already),
        Err(place) => {
            list.insert(place, *key);
            Ok(())
        }
    }
}
