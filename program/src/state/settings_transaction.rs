//! A list of settings changes waiting for its votes.

use super::action::Action;
use crate::accounts::Stored;
use crate::pubkey::Pubkey;
use crate::wire::{Wire, wire_struct};
use alloc::vec::Vec;

wire_struct! {
    /// 117 bytes and the encoded actions, discriminator included.
    pub struct SettingsTransaction {
        pub settings: Pubkey,
        pub creator: Pubkey,
        /// Who paid the rent and gets it back.
        pub rent_collector: Pubkey,
        pub index: u64,
        pub bump: u8,
        pub actions: Vec<Action>,
    }
}

impl Stored for SettingsTransaction {
    const DISCRIMINATOR: [u8; 8] = 0xc79748574d7c1000u64.to_be_bytes();
}

impl SettingsTransaction {
    /// Bytes of the account: the fixed fields and the encoded list.
    pub fn space(actions: &Vec<Action>) -> usize {
        let mut encoded = Vec::new();
        actions.write(&mut encoded);
        113 + encoded.len()
    }
}
