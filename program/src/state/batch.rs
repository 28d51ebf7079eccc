//! Batches: several wrapped messages under one vote, executed one after the other.

use super::message::TransactionMessage;
use crate::accounts::{Stored, require_writable};
use crate::error::Result;
use crate::pda::Pda;
use crate::pubkey::Pubkey;
use crate::runtime::Account;
use crate::wire::wire_struct;

wire_struct! {
    /// 123 bytes with its discriminator.
    pub struct Batch {
        pub settings: Pubkey,
        pub creator: Pubkey,
        /// Who paid the rent and gets it back.
        pub rent_collector: Pubkey,
        pub index: u64,
        pub bump: u8,
        /// Which vault signs.
        pub account_index: u8,
        pub account_bump: u8,
        /// How many transactions are in it.
        pub size: u32,
        /// The last one that was executed, counted from one; 0 before the first.
        pub executed_transaction_index: u32,
    }
}

impl Stored for Batch {
    const DISCRIMINATOR: [u8; 8] = 0x9cc2462c1658892cu64.to_be_bytes();
}

impl Batch {
    /// Bytes of the account.
    pub const SPACE: usize = 123;

    /// Refuses a batch account that is not at its place under `settings`, or read-only.
    pub fn require_account(&self, account: &Account, settings: &Pubkey) -> Result {
        Pda::transaction(settings, self.index).require_with_bump(self.bump, account.key())?;
        require_writable(account)
    }
}

wire_struct! {
    /// `45 + ephemeral signers + message` bytes with its discriminator.
    pub struct BatchTransaction {
        pub bump: u8,
        /// Who paid the rent and gets it back.
        pub rent_collector: Pubkey,
        /// Bumps of the throw-away signers.
        pub ephemeral_signer_bumps: alloc::vec::Vec<u8>,
        pub message: TransactionMessage,
    }
}

impl Stored for BatchTransaction {
    const DISCRIMINATOR: [u8; 8] = 0x5c143d929b3e7048u64.to_be_bytes();
}

impl BatchTransaction {
    /// Bytes of the account.
    pub fn space(ephemeral_signers: u8, message: &TransactionMessage) -> usize {
        45 + ephemeral_signers as usize + message.stored_len()
    }
}
