//! The two addresses the program derives.

use crate::error::{Error, Result};
use crate::pubkey::Pubkey;
use crate::runtime::{Seed, Signer, find_address};

/// A derived address by its seeds.
pub struct Pda<'a> {
    parts: [&'a [u8]; 2],
}

/// Seeds with their bump.
pub struct Seeds<'s>([Seed<'s>; 3]);

impl<'s> Seeds<'s> {
    /// The right to sign a call with this address.
    pub fn signer(&'s self) -> Signer<'s> {
        Signer::new(&self.0)
    }
}

impl<'a> Pda<'a> {
    /// The account of a passkey, by the SHA-256 of its compressed key.
    pub fn passkey(key_hash: &'a [u8; 32]) -> Self {
        Pda { parts: [b"passkey", key_hash] }
    }

    /// The address without data that signs for a passkey's account.
    pub fn execution_account(passkey_account: &'a Pubkey) -> Self {
        Pda { parts: [passkey_account.as_bytes(), b"execution_account"] }
    }

    /// Searches the canonical address and its bump; costs 1,500 compute units per attempt.
    pub fn find(&self) -> Result<(Pubkey, u8)> {
        find_address(&self.parts.map(Seed::new)).ok_or(Error::WrongAccount)
    }

    /// The complete seeds, bump included, by which the address signs a call.
    pub fn seeds<'s>(&'s self, bump: &'s [u8; 1]) -> Seeds<'s> {
        let [first, second] = self.parts;
        Seeds([Seed::new(first), Seed::new(second), Seed::new(bump)])
    }
}
