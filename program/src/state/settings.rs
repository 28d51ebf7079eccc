//! The settings account: who may do what with a smart account, and how many of them are needed.

use crate::accounts::Stored;
use crate::error::{Error, Result};
use crate::pda::Pda;
use crate::pubkey::Pubkey;
use crate::runtime::Account;
use crate::wire::wire_struct;
use alloc::vec::Vec;

/// Permission bit: create transactions and proposals.
pub const INITIATE: u8 = 1;
/// Permission bit: approve, reject, cancel.
pub const VOTE: u8 = 2;
/// Permission bit: execute what was approved.
pub const EXECUTE: u8 = 4;
/// All permission bits.
pub const ALL_PERMISSIONS: u8 = INITIATE | VOTE | EXECUTE;

/// 90 days.
pub const MAX_TIME_LOCK_SECONDS: u32 = 7_776_000;
const MAX_MEMBERS: usize = 65_535;

wire_struct! {
    /// A member of a smart account.
    #[derive(Clone)]
    pub struct Member {
        pub key: Pubkey,
        /// Bits of `INITIATE`, `VOTE`, `EXECUTE`.
        pub permissions: u8,
    }
}

impl Member {
    /// True if the member has any of these permission bits.
    pub fn has_any(&self, permissions: u8) -> bool {
        self.permissions & permissions != 0
    }
}

wire_struct! {
    /// `135 + 33 * members` bytes with its discriminator.
    pub struct Settings {
        /// Seed of the address (u128, little-endian).
        pub seed: [u8; 16],
        /// Zero: autonomous, members change the settings. Otherwise this key alone does.
        pub settings_authority: Pubkey,
        /// Votes needed.
        pub threshold: u16,
        /// Seconds between approval and execution.
        pub time_lock: u32,
        /// Last issued transaction index; 0 before the first.
        pub transaction_index: u64,
        /// Proposals up to this index predate the current settings.
        pub stale_transaction_index: u64,
        pub archival_authority: Option<Pubkey>,
        pub archivable_after: u64,
        pub bump: u8,
        /// Sorted by key.
        pub signers: Vec<Member>,
        pub account_utilization: u8,
        /// Policies created; absent in accounts of the program's first generation.
        pub policy_seed: Option<u64>,
        pub reserved: u8,
    }
}

impl Stored for Settings {
    const DISCRIMINATOR: [u8; 8] = 0xdfb3a3beb1e043adu64.to_be_bytes();
}

impl Settings {
    /// Bytes of an account with this many members.
    pub fn space(members: usize) -> usize {
        135 + 33 * members
    }

    /// Reads the account where an instruction takes any consensus account. The public program aborts there when the data
    /// is too short for a type, and so does this one.
    pub fn load_consensus(account: &Account) -> Result<Self> {
        match Self::load(account) {
            Err(Error::AccountDiscriminatorNotFound) => panic!("too short for a consensus account"),
            loaded => loaded,
        }
    }

    /// Refuses an account that is not at its derived address, with the error that this position has.
    pub fn require_address(&self, account: &Account, error: Error) -> Result {
        let address = Pda::Settings { seed: &self.seed }.with_bump(self.bump);
        if address == Some(*account.key()) { Ok(()) } else { Err(error) }
    }

    /// The member with this key.
    pub fn member(&self, key: &Pubkey) -> Option<&Member> {
        self.signers.iter().find(|member| member.key == *key)
    }

    /// Refuses keys that are not members with at least one of `permissions`.
    pub fn require_member(&self, key: &Pubkey, permissions: u8) -> Result {
        let member = self.member(key).ok_or(Error::NotASigner)?;
        if member.has_any(permissions) { Ok(()) } else { Err(Error::Unauthorized) }
    }

    /// Refuses settings that an authority controls.
    pub fn require_autonomous(&self) -> Result {
        if self.settings_authority.is_zero() { Ok(()) } else { Err(Error::NotSupportedForControlled) }
    }

    /// Refuses every account but the settings authority; an autonomous account has none, not even the zero key.
    pub fn require_authority(&self, key: &Pubkey) -> Result {
        if self.settings_authority == *key && !key.is_zero() { Ok(()) } else { Err(Error::Unauthorized) }
    }

    /// The index of the next transaction.
    pub fn next_transaction_index(&self) -> Result<u64> {
        self.transaction_index.checked_add(1).ok_or(Error::ArithmeticOverflow)
    }

    /// Makes every proposal so far stale.
    pub fn invalidate_proposals(&mut self) {
        self.stale_transaction_index = self.transaction_index;
    }

    /// True for a transaction that predates the current settings.
    pub fn is_stale(&self, transaction_index: u64) -> bool {
        transaction_index <= self.stale_transaction_index
    }

    /// Adds a member at its place in the order. A key that is there already is left to the invariants.
    pub fn add_member(&mut self, member: Member) {
        let place = self.signers.partition_point(|present| present.key < member.key);
        self.signers.insert(place, member);
    }

    /// Removes a member.
    pub fn remove_member(&mut self, key: &Pubkey) -> Result {
        let place = self.signers.iter().position(|member| member.key == *key).ok_or(Error::NotASigner)?;
        self.signers.remove(place);
        Ok(())
    }

    /// How many members may vote.
    pub fn voters(&self) -> usize {
        self.signers.iter().filter(|member| member.has_any(VOTE)).count()
    }

    /// The rules that hold after every change, in the order clients observe them.
    pub fn check_invariants(&self) -> Result {
        if self.signers.len() > MAX_MEMBERS {
            return Err(Error::TooManySigners);
        }
        // The list is sorted: equal keys are neighbours.
        if self.signers.windows(2).any(|pair| pair[0].key == pair[1].key) {
            return Err(Error::DuplicateSigner);
        }
        if self.signers.iter().any(|member| member.permissions > ALL_PERMISSIONS) {
            return Err(Error::UnknownPermission);
        }
        self.require_somebody(INITIATE, Error::NoProposers)?;
        self.require_somebody(EXECUTE, Error::NoExecutors)?;
        self.require_somebody(VOTE, Error::NoVoters)?;
        if self.threshold == 0 || self.threshold as usize > self.voters() {
            return Err(Error::InvalidThreshold);
        }
        if self.stale_transaction_index > self.transaction_index {
            return Err(Error::InvalidStaleTransactionIndex);
        }
        if self.time_lock > MAX_TIME_LOCK_SECONDS {
            return Err(Error::TimeLockExceedsMaxAllowed);
        }
        Ok(())
    }

    fn require_somebody(&self, permission: u8, error: Error) -> Result {
        if self.signers.iter().any(|member| member.has_any(permission)) { Ok(()) } else { Err(error) }
    }
}
