//! Spending limits: an allowance that named keys may spend without a vote.

use crate::accounts::Stored;
use crate::error::{Error, Result};
use crate::pubkey::Pubkey;
use crate::wire::{Reader, Wire, wire_struct};
use alloc::vec::Vec;

/// The expiration that is never reached.
const NEVER: i64 = i64::MAX;

/// After how long the allowance is full again.
#[derive(Clone, Copy)]
pub enum Period {
    OneTime,
    Day,
    Week,
    Month,
}

impl Period {
    /// Seconds of one period; `None` when the allowance is never refilled.
    fn seconds(self) -> Option<u64> {
        match self {
            Period::OneTime => None,
            Period::Day => Some(86_400),
            Period::Week => Some(604_800),
            Period::Month => Some(2_592_000),
        }
    }
}

impl Wire for Period {
    const MIN_LEN: usize = 1;
    fn read(reader: &mut Reader) -> Option<Self> {
        Some(match reader.read::<u8>()? {
            0 => Period::OneTime,
            1 => Period::Day,
            2 => Period::Week,
            3 => Period::Month,
            _ => return None,
        })
    }
    fn write(&self, out: &mut Vec<u8>) {
        out.push(*self as u8);
    }
}

wire_struct! {
    /// What the creator of a limit chooses.
    pub struct NewSpendingLimit {
        /// Any 32 bytes; part of the address.
        pub seed: Pubkey,
        pub account_index: u8,
        /// Zero: SOL.
        pub mint: Pubkey,
        /// Base units per period.
        pub amount: u64,
        pub period: Period,
        pub signers: Vec<Pubkey>,
        /// Owners of the receiving accounts; empty: any owner.
        pub destinations: Vec<Pubkey>,
        /// Unix time in seconds.
        pub expiration: i64,
    }
}

impl NewSpendingLimit {
    /// Bytes of the account for these lists.
    pub fn space(&self) -> usize {
        147 + 32 * self.signers.len() + 32 * self.destinations.len()
    }

    /// Refuses a limit that could never be used.
    pub fn require_not_expired(&self, now: i64) -> Result {
        if is_expired(self.expiration, now) { Err(Error::SpendingLimitExpired) } else { Ok(()) }
    }
}

fn is_expired(expiration: i64, now: i64) -> bool {
    expiration != NEVER && expiration <= now
}

wire_struct! {
    /// `147 + 32 * signers + 32 * destinations` bytes with its discriminator.
    pub struct SpendingLimit {
        pub settings: Pubkey,
        pub seed: Pubkey,
        pub account_index: u8,
        pub mint: Pubkey,
        pub amount: u64,
        pub period: Period,
        /// What is left of this period's amount.
        pub remaining_amount: u64,
        /// When this period began.
        pub last_reset: i64,
        pub bump: u8,
        /// Sorted; they need not be members of the account.
        pub signers: Vec<Pubkey>,
        pub destinations: Vec<Pubkey>,
        pub expiration: i64,
    }
}

impl Stored for SpendingLimit {
    const DISCRIMINATOR: [u8; 8] = 0x0ac91ba0dac3de98u64.to_be_bytes();
}

impl SpendingLimit {
    /// A fresh limit with its full amount.
    pub fn new(settings: &Pubkey, terms: &NewSpendingLimit, now: i64, bump: u8) -> Self {
        let mut signers = terms.signers.clone();
        signers.sort_unstable();
        SpendingLimit {
            settings: *settings,
            seed: terms.seed,
            account_index: terms.account_index,
            mint: terms.mint,
            amount: terms.amount,
            period: terms.period,
            remaining_amount: terms.amount,
            last_reset: now,
            bump,
            signers,
            destinations: terms.destinations.clone(),
            expiration: terms.expiration,
        }
    }

    /// The rules a new limit must keep, in the order clients observe them.
    pub fn check_invariants(&self) -> Result {
        if self.amount == 0 {
            return Err(Error::SpendingLimitInvalidAmount);
        }
        if self.signers.is_empty() {
            return Err(Error::EmptySigners);
        }
        // The list is sorted: equal keys are neighbours.
        if self.signers.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Error::DuplicateSigner);
        }
        Ok(())
    }

    /// True once nothing can be spent any more.
    pub fn has_expired(&self, now: i64) -> bool {
        is_expired(self.expiration, now)
    }

    /// Refills the amount when more than a period has passed; whole periods only, so that the rhythm stays.
    pub fn refill(&mut self, now: i64) -> Result {
        let Some(period) = self.period.seconds() else { return Ok(()) };
        let elapsed = now.saturating_sub(self.last_reset);
        if elapsed <= period as i64 {
            return Ok(());
        }
        // Unsigned from here on (`elapsed` is positive): the target has no signed division.
        let whole_periods = elapsed as u64 / period * period;
        self.last_reset =
            self.last_reset.checked_add(whole_periods as i64).ok_or(Error::ArithmeticOverflow)?;
        self.remaining_amount = self.amount;
        Ok(())
    }

    /// Takes `amount` off what is left.
    pub fn spend(&mut self, amount: u64) -> Result {
        self.remaining_amount =
            self.remaining_amount.checked_sub(amount).ok_or(Error::SpendingLimitExceeded)?;
        Ok(())
    }
}
