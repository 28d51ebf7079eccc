//! A wrapped message waiting for its votes.

use super::message::TransactionMessage;
use crate::accounts::Stored;
use crate::pubkey::Pubkey;
use crate::wire::{Reader, Wire, wire_struct};
use alloc::vec::Vec;

/// The payload tag: 0, a wrapped message. Tag 1, policies, is not readable here, nor are accounts of the program's
/// first generation, which hold a bump of 200 or more in its place.
pub struct TransactionTag;

impl Wire for TransactionTag {
    const MIN_LEN: usize = 1;
    fn read(reader: &mut Reader) -> Option<Self> {
        (reader.read::<u8>()? == 0).then_some(TransactionTag)
    }
    fn write(&self, out: &mut Vec<u8>) {
        out.push(0);
    }
}

wire_struct! {
    /// `116 + 4 + ephemeral signers + message` bytes with its discriminator; the last two stay unused.
    pub struct Transaction {
        pub consensus_account: Pubkey,
        pub creator: Pubkey,
        /// Who paid the rent and gets it back.
        pub rent_collector: Pubkey,
        pub index: u64,
        pub tag: TransactionTag,
        /// Which vault signs.
        pub account_index: u8,
        /// Bumps of the throw-away signers.
        pub ephemeral_signer_bumps: Vec<u8>,
        pub message: TransactionMessage,
    }
}

impl Stored for Transaction {
    const DISCRIMINATOR: [u8; 8] = 0x0b18ae81cb75f217u64.to_be_bytes();
}

impl Transaction {
    /// Bytes of the account.
    pub fn space(ephemeral_signers: u8, message: &TransactionMessage) -> usize {
        120 + ephemeral_signers as usize + message.stored_len()
    }
}
