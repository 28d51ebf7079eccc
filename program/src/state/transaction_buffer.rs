//! Buffers in which a message that does not fit one transaction is put together.

use crate::accounts::Stored;
use crate::error::{Error, Result};
use crate::pubkey::Pubkey;
use crate::runtime::sha256;
use crate::wire::wire_struct;
use alloc::vec::Vec;

/// The longest message in bytes.
const MAX_BUFFER_SIZE: u16 = 4_000;

wire_struct! {
    /// `112 + final size` bytes with its discriminator.
    pub struct TransactionBuffer {
        pub settings: Pubkey,
        pub creator: Pubkey,
        /// The creator's own number for it.
        pub buffer_index: u8,
        pub account_index: u8,
        /// sha256 of the whole message.
        pub final_buffer_hash: [u8; 32],
        pub final_buffer_size: u16,
        /// What is there so far.
        pub buffer: Vec<u8>,
    }
}

impl Stored for TransactionBuffer {
    const DISCRIMINATOR: [u8; 8] = 0x5a2423db5de16e60u64.to_be_bytes();
}

impl TransactionBuffer {
    /// Bytes of the account for a message of `final_size` bytes.
    pub fn space(final_size: u16) -> Result<usize> {
        if final_size > MAX_BUFFER_SIZE {
            return Err(Error::FinalBufferSizeExceeded);
        }
        Ok(112 + final_size as usize)
    }

    /// Appends a part, which has to fit the announced size.
    pub fn extend(&mut self, part: &[u8]) -> Result {
        if self.buffer.len() + part.len() > self.final_buffer_size as usize {
            return Err(Error::FinalBufferSizeExceeded);
        }
        self.buffer.extend_from_slice(part);
        Ok(())
    }

    /// Refuses a buffer that does not hold what was announced.
    pub fn require_complete(&self) -> Result {
        if sha256(&self.buffer) != self.final_buffer_hash {
            return Err(Error::FinalBufferHashMismatch);
        }
        if self.buffer.len() != self.final_buffer_size as usize {
            return Err(Error::FinalBufferSizeMismatch);
        }
        Ok(())
    }
}
