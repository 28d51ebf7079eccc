//! The one account that all smart accounts share: the counter and the creation fee.

use crate::accounts::{Stored, require_writable};
use crate::error::{Error, Result};
use crate::pda::Pda;
use crate::pubkey::Pubkey;
use crate::runtime::Account;
use crate::wire::wire_struct;

wire_struct! {
    /// 160 bytes with its discriminator.
    pub struct ProgramConfig {
        /// How many smart accounts were created (u128, little-endian).
        pub smart_account_index: [u8; 16],
        pub authority: Pubkey,
        /// Lamports for the treasury per created account.
        pub smart_account_creation_fee: u64,
        pub treasury: Pubkey,
        pub reserved: [u8; 64],
    }
}

impl Stored for ProgramConfig {
    const DISCRIMINATOR: [u8; 8] = 0xc4d25ae790958c3fu64.to_be_bytes();
}

impl ProgramConfig {
    /// Bytes of the account.
    pub const SPACE: usize = 160;

    /// Constraints on the config account of an instruction that changes it.
    pub fn require_account(account: &Account) -> Result {
        Pda::ProgramConfig.require(account.key())?;
        require_writable(account)
    }

    /// The seed of the next settings account: the counter plus one. At the counter's end the program aborts.
    pub fn next_seed(&self) -> [u8; 16] {
        let index = u128::from_le_bytes(self.smart_account_index);
        (index + 1).to_le_bytes()
    }

    /// Authority and treasury must be set.
    pub fn check_invariants(&self) -> Result {
        if self.authority.is_zero() || self.treasury.is_zero() {
            return Err(Error::InvalidAccount);
        }
        Ok(())
    }
}
