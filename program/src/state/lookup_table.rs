//! Address lookup tables of the runtime: a 56-byte header, then addresses.

use crate::error::{Error, Result};
use crate::pubkey::{LOOKUP_TABLE_PROGRAM, Pubkey};
use crate::runtime::Account;

const HEADER_LEN: usize = 56;
/// The header's first word for a table that was initialized.
const IS_TABLE: [u8; 4] = 1u32.to_le_bytes();

/// A checked table.
pub struct LookupTable<'a> {
    account: &'a Account<'a>,
}

impl<'a> LookupTable<'a> {
    /// Refuses accounts that are not lookup tables.
    pub fn open(account: &'a Account<'a>) -> Result<Self> {
        if account.owner() == LOOKUP_TABLE_PROGRAM && account.read(is_table) {
            Ok(LookupTable { account })
        } else {
            Err(Error::InvalidAccount)
        }
    }

    /// The address at a position.
    pub fn address(&self, position: u8) -> Result<Pubkey> {
        self.account.pubkey_at(HEADER_LEN + 32 * position as usize).ok_or(Error::InvalidAccount)
    }
}

fn is_table(data: &[u8]) -> bool {
    data.starts_with(&IS_TABLE) && data.len() >= HEADER_LEN && (data.len() - HEADER_LEN).is_multiple_of(32)
}
