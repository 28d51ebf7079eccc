//! The hash of a recent slot: what makes a challenge one that could not be known before.

use crate::error::{Error, Result};
use crate::program_id::SLOT_HASHES_SYSVAR;
use crate::pubkey::Pubkey;
use crate::runtime::{Account, read_clock};

/// Slots come in instructions without their higher digits.
const SLOT_MODULUS: u64 = 1_000;
/// The oldest slot that counts: about a minute.
const MAX_AGE: u64 = 150;
/// The sysvar: a count of 8 bytes, then entries of slot and hash, the newest first.
const FIRST_ENTRY: usize = 8;
const ENTRY: usize = 40;

/// A slot whose hash the cluster still knows.
pub struct RecentSlot {
    pub slot: u64,
    pub hash: Pubkey,
}

impl RecentSlot {
    /// The slot that ends in these three digits. It is searched by its number, so skipped slots move nothing.
    pub fn find(sysvar: &Account, last_digits: u16) -> Result<RecentSlot> {
        if *sysvar.key() != SLOT_HASHES_SYSVAR {
            return Err(Error::WrongAccount);
        }
        let [now, ..] = read_clock();
        let age = age_of(now, last_digits).ok_or(Error::SlotNotRecent)?;
        let slot = now.checked_sub(age).ok_or(Error::SlotNotRecent)?;
        // Entries fall by at least one slot each, so this is the last place where it can be.
        for place in (0..age as usize).rev() {
            let at = FIRST_ENTRY + ENTRY * place;
            if slot_at(sysvar, at) == Some(slot) {
                let hash = sysvar.pubkey_at(at + 8).ok_or(Error::SlotNotRecent)?;
                return Ok(RecentSlot { slot, hash });
            }
        }
        Err(Error::SlotNotRecent)
    }
}

/// How many slots ago the last slot with these digits was, or `None` for one that is too old, now, or no such digits.
fn age_of(now: u64, last_digits: u16) -> Option<u64> {
    let digits = last_digits as u64;
    if digits >= SLOT_MODULUS {
        return None;
    }
    let age = (now % SLOT_MODULUS + SLOT_MODULUS - digits) % SLOT_MODULUS;
    (1..=MAX_AGE).contains(&age).then_some(age)
}

fn slot_at(sysvar: &Account, at: usize) -> Option<u64> {
    let bytes = sysvar.pubkey_at(at)?;
    bytes.0.first_chunk().map(|slot| u64::from_le_bytes(*slot))
}

#[cfg(test)]
mod tests {
    use super::age_of;

    #[test]
    fn ages_wrap_with_the_digits() {
        assert_eq!(age_of(5_123, 122), Some(1));
        assert_eq!(age_of(5_123, 123), None);
        assert_eq!(age_of(5_123, 124), None);
        assert_eq!(age_of(5_149, 999), Some(150));
        assert_eq!(age_of(5_149, 998), None);
        assert_eq!(age_of(5_149, 1_148), None);
    }
}
