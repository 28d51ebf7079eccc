//! The stored layout of a passkey: 152 bytes.
//!
//! 0 version, 1 scheme, 2 low half of the last slot, 4 length of the relying party's name, 5 the name, 37 its SHA-256, 69 x of
//! the key, 101 its first byte in compressed form, 102 high half of the last slot, 104 session key, 136 its expiration,
//! 144 signature counter.
//!
//! The public program leaves the four bytes at 2 and 102 unused. Here they hold the lower 32 bits of the slot that the passkey
//! has signed for last: a passkey that counts nothing could be replayed otherwise while its slot is recent.

use crate::client_data::RelyingParty;
use crate::error::{Error, Result};
use crate::program_id::PROGRAM_ID;
use crate::pubkey::Pubkey;
use crate::runtime::Account;
use crate::session::Session;
use crate::slot_hashes::RecentSlot;
use crate::wire::{Reader, Wire};
use alloc::vec::Vec;

/// Bytes of an account.
pub const SPACE: usize = 152;
const VERSION: u8 = 1;
/// The one scheme there is: WebAuthn over P-256.
const SCHEME: u8 = 0;

/// A P-256 key in compressed form: 2 or 3, then x.
pub type CompressedKey = [u8; 33];

/// A passkey with what it has done last.
pub struct Passkey {
    pub relying_party: RelyingParty,
    pub key: CompressedKey,
    pub session: Session,
    last_slot: u32,
    counter: u64,
}

/// Refuses any other scheme.
pub fn require_scheme(scheme: u8) -> Result {
    if scheme == SCHEME { Ok(()) } else { Err(Error::UnsupportedScheme) }
}

impl Passkey {
    /// A passkey that has signed nothing.
    pub fn new(relying_party: RelyingParty, key: CompressedKey) -> Passkey {
        let session = Session { key: Pubkey::ZERO, expiration: 0 };
        Passkey { relying_party, key, session, last_slot: 0, counter: 0 }
    }

    /// Reads the account, refusing those of other programs and of another layout.
    pub fn load(account: &Account) -> Result<Passkey> {
        if account.owner() != PROGRAM_ID {
            return Err(Error::AccountOwnedByWrongProgram);
        }
        account.read(decode).ok_or(Error::UnknownLayout)
    }

    /// Writes the account.
    pub fn store(&self, account: &Account) -> Result {
        account.write(&self.encode())
    }

    /// Takes note of a signature: its slot has to be newer than the last one, its counter higher unless it is 0.
    pub fn note_signature(&mut self, slot: &RecentSlot, counter: u32) -> Result {
        let counter = counter as u64;
        if slot.slot as u32 <= self.last_slot {
            return Err(Error::SlotUsed);
        }
        // A synced passkey reports 0 for ever.
        if counter != 0 {
            if counter <= self.counter {
                return Err(Error::CounterNotGrown);
            }
            self.counter = counter;
        }
        self.last_slot = slot.slot as u32;
        Ok(())
    }

    fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(SPACE);
        out.extend([VERSION, SCHEME]);
        (self.last_slot as u16).write(&mut out);
        self.relying_party.write(&mut out);
        let [first, x @ ..] = &self.key;
        x.write(&mut out);
        first.write(&mut out);
        ((self.last_slot >> 16) as u16).write(&mut out);
        self.session.write(&mut out);
        self.counter.write(&mut out);
        out
    }
}

fn decode(data: &[u8]) -> Option<Passkey> {
    if data.len() != SPACE {
        return None;
    }
    let mut reader = Reader::new(data);
    if reader.array()? != [VERSION, SCHEME] {
        return None;
    }
    let slot_low: u16 = reader.read()?;
    let relying_party = reader.read()?;
    let mut key = [0; 33];
    key[1..].copy_from_slice(reader.bytes(32)?);
    key[0] = reader.read()?;
    let slot_high: u16 = reader.read()?;
    let last_slot = (slot_high as u32) << 16 | slot_low as u32;
    Some(Passkey { relying_party, key, last_slot, session: reader.read()?, counter: reader.read()? })
}

#[cfg(test)]
mod tests {
    use super::{Passkey, SPACE, decode};
    use crate::client_data::RelyingParty;
    use crate::error::Error;
    use crate::pubkey::Pubkey;
    use crate::session::Session;
    use crate::slot_hashes::RecentSlot;

    fn passkey() -> Passkey {
        let mut passkey = Passkey::new(RelyingParty::new(b"wallet.example.com", [7; 32]).unwrap(), [2; 33]);
        passkey.session = Session { key: Pubkey([5; 32]), expiration: 0x0102_0304 };
        passkey
    }

    fn at(slot: u64) -> RecentSlot {
        RecentSlot { slot, hash: Pubkey::ZERO }
    }

    #[test]
    fn what_is_written_is_read_again_and_nothing_else() {
        let mut written = passkey();
        written.note_signature(&at(0x1234_5678), 9).unwrap();
        let bytes = written.encode();
        assert_eq!(bytes.len(), SPACE);
        assert_eq!(decode(&bytes).map(|read| read.encode()), Some(bytes.clone()));
        assert!(decode(&bytes[1..]).is_none());
        for (place, value) in [(0, 2), (1, 1), (4, 33)] {
            let mut other = bytes.clone();
            other[place] = value;
            assert!(decode(&other).is_none());
        }
    }

    #[test]
    fn slots_grow_and_counters_unless_they_are_zero() {
        let mut passkey = passkey();
        assert_eq!(passkey.note_signature(&at(10), 0), Ok(()));
        assert_eq!(passkey.note_signature(&at(10), 0), Err(Error::SlotUsed));
        assert_eq!(passkey.note_signature(&at(9), 1), Err(Error::SlotUsed));
        assert_eq!(passkey.note_signature(&at(11), 5), Ok(()));
        assert_eq!(passkey.note_signature(&at(12), 5), Err(Error::CounterNotGrown));
        assert_eq!(passkey.note_signature(&at(12), 6), Ok(()));
        assert_eq!(passkey.note_signature(&at(13), 0), Ok(()));
        assert_eq!(passkey.note_signature(&at(14), 6), Err(Error::CounterNotGrown));
    }
}
