//! Wrapped messages: instructions that run once the members agree.

use crate::error::{Error, Result};
use crate::pubkey::Pubkey;
use crate::wire::{Reader, Wire, wire_struct};
use alloc::vec::Vec;

wire_struct! {
    /// An instruction whose accounts are positions in a list.
    pub struct CompiledInstruction {
        pub program_id_index: u8,
        pub account_indexes: Vec<u8>,
        pub data: Vec<u8>,
    }
}

wire_struct! {
    /// Accounts from a lookup table.
    pub struct TableLookup {
        pub table: Pubkey,
        pub writable_indexes: Vec<u8>,
        pub readonly_indexes: Vec<u8>,
    }
}

wire_struct! {
    /// The stored form; instructions carry a compact one with u8 and u16 counts.
    pub struct TransactionMessage {
        pub num_signers: u8,
        pub num_writable_signers: u8,
        pub num_writable_non_signers: u8,
        /// Writable signers, other signers, other writable ones, the rest.
        pub account_keys: Vec<Pubkey>,
        pub instructions: Vec<CompiledInstruction>,
        pub address_table_lookups: Vec<TableLookup>,
    }
}

/// Bytes after a u8 count.
fn small_bytes(reader: &mut Reader) -> Option<Vec<u8>> {
    let count: u8 = reader.read()?;
    reader.announced_bytes(count as usize).map(<[u8]>::to_vec)
}

impl CompiledInstruction {
    fn read_compact(reader: &mut Reader) -> Option<Self> {
        let program_id_index = reader.read()?;
        let account_indexes = small_bytes(reader)?;
        let data_len: u16 = reader.read()?;
        let data = reader.announced_bytes(data_len as usize)?.to_vec();
        Some(CompiledInstruction { program_id_index, account_indexes, data })
    }

    /// Reads a compact list after its u8 count.
    pub fn read_compact_list(reader: &mut Reader) -> Option<Vec<Self>> {
        let count: u8 = reader.read()?;
        reader.items(count as usize, 4, Self::read_compact)
    }

    /// True if every position is below `count`.
    pub fn fits(&self, count: usize) -> bool {
        (self.program_id_index as usize) < count
            && self.account_indexes.iter().all(|index| (*index as usize) < count)
    }
}

impl TableLookup {
    fn read_compact(reader: &mut Reader) -> Option<Self> {
        let table = reader.read()?;
        let writable_indexes = small_bytes(reader)?;
        let readonly_indexes = small_bytes(reader)?;
        Some(TableLookup { table, writable_indexes, readonly_indexes })
    }

    /// How many accounts it brings.
    pub fn count(&self) -> usize {
        self.writable_indexes.len() + self.readonly_indexes.len()
    }
}

impl TransactionMessage {
    /// Reads the compact form; bytes after it are ignored.
    pub fn read_compact(reader: &mut Reader) -> Option<Self> {
        let [num_signers, num_writable_signers, num_writable_non_signers] = reader.array()?;
        let key_count: u8 = reader.read()?;
        let account_keys = reader.items(key_count as usize, 32, Pubkey::read)?;
        let instructions = CompiledInstruction::read_compact_list(reader)?;
        let lookup_count: u8 = reader.read()?;
        let address_table_lookups = reader.items(lookup_count as usize, 34, TableLookup::read_compact)?;
        Some(TransactionMessage {
            num_signers,
            num_writable_signers,
            num_writable_non_signers,
            account_keys,
            instructions,
            address_table_lookups,
        })
    }

    /// The number of accounts from lookup tables.
    pub fn looked_up_count(&self) -> usize {
        self.address_table_lookups.iter().map(TableLookup::count).sum()
    }

    /// The header must fit the keys, and every position must be an account.
    pub fn check(&self) -> Result {
        let keys = self.account_keys.len();
        let signers = self.num_signers as usize;
        let account_count = keys + self.looked_up_count();
        let is_well_formed = signers <= keys
            && self.num_writable_signers <= self.num_signers
            && self.num_writable_non_signers as usize <= keys - signers
            && self.instructions.iter().all(|instruction| instruction.fits(account_count));
        if is_well_formed { Ok(()) } else { Err(Error::InvalidTransactionMessage) }
    }

    /// True if the header makes the key at this position a signer.
    pub fn is_signer(&self, position: usize) -> bool {
        position < self.num_signers as usize
    }

    /// True if the header makes the key at this position writable.
    pub fn is_writable(&self, position: usize) -> bool {
        match position.checked_sub(self.num_signers as usize) {
            None => position < self.num_writable_signers as usize,
            Some(after_signers) => after_signers < self.num_writable_non_signers as usize,
        }
    }

    /// Bytes of the stored form.
    pub fn stored_len(&self) -> usize {
        let instruction_len = |i: &CompiledInstruction| 9 + i.account_indexes.len() + i.data.len();
        let lookup_len = |lookup: &TableLookup| 40 + lookup.count();
        15 + 32 * self.account_keys.len()
            + self.instructions.iter().map(instruction_len).sum::<usize>()
            + self.address_table_lookups.iter().map(lookup_len).sum::<usize>()
    }
}
