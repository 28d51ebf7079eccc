//! Every address the program derives.

use crate::error::{Error, Result};
use crate::pubkey::Pubkey;
use crate::runtime::{Seed, Signer, create_address, find_address};

const PREFIX: &[u8] = b"smart_account";
/// The longest list of seeds before the bump.
const MAX_SEEDS: usize = 6;

/// A derived address, named by what it is for. Numbers are kept as the little-endian bytes that are hashed.
pub enum Pda<'a> {
    ProgramConfig,
    Settings { seed: &'a [u8; 16] },
    SmartAccount { settings: &'a Pubkey, account_index: [u8; 1] },
    Transaction { consensus: &'a Pubkey, index: [u8; 8] },
    Proposal { consensus: &'a Pubkey, index: [u8; 8] },
    BatchTransaction { settings: &'a Pubkey, batch_index: [u8; 8], number: [u8; 4] },
    TransactionBuffer { consensus: &'a Pubkey, creator: &'a Pubkey, index: [u8; 1] },
    EphemeralSigner { transaction: &'a Pubkey, number: [u8; 1] },
    SpendingLimit { settings: &'a Pubkey, seed: &'a Pubkey },
}

/// Seeds with their bump.
pub struct Seeds<'s> {
    list: [Seed<'s>; MAX_SEEDS + 1],
    count: usize,
}

impl<'s> Seeds<'s> {
    fn as_slice(&self) -> &[Seed<'s>] {
        &self.list[..self.count]
    }

    /// The right to sign a call with this address.
    pub fn signer(&'s self) -> Signer<'s> {
        Signer::new(self.as_slice())
    }
}

impl Pda<'_> {
    /// The vault that holds the funds.
    pub fn smart_account(settings: &Pubkey, account_index: u8) -> Pda<'_> {
        Pda::SmartAccount { settings, account_index: [account_index] }
    }

    /// A transaction or a settings transaction; they share one index space.
    pub fn transaction(consensus: &Pubkey, index: u64) -> Pda<'_> {
        Pda::Transaction { consensus, index: index.to_le_bytes() }
    }

    /// The proposal of the transaction with this index.
    pub fn proposal(consensus: &Pubkey, index: u64) -> Pda<'_> {
        Pda::Proposal { consensus, index: index.to_le_bytes() }
    }

    /// A transaction of a batch, numbered from one.
    pub fn batch_transaction(settings: &Pubkey, batch_index: u64, number: u32) -> Pda<'_> {
        Pda::BatchTransaction {
            settings,
            batch_index: batch_index.to_le_bytes(),
            number: number.to_le_bytes(),
        }
    }

    /// The creator's buffer with this number.
    pub fn transaction_buffer<'a>(consensus: &'a Pubkey, creator: &'a Pubkey, index: u8) -> Pda<'a> {
        Pda::TransactionBuffer { consensus, creator, index: [index] }
    }

    /// A throw-away signer of one transaction.
    pub fn ephemeral_signer(transaction: &Pubkey, number: u8) -> Pda<'_> {
        Pda::EphemeralSigner { transaction, number: [number] }
    }

    fn parts(&self) -> ([&[u8]; MAX_SEEDS], usize) {
        match self {
            Pda::ProgramConfig => list([PREFIX, b"program_config"]),
            Pda::Settings { seed } => list([PREFIX, b"settings", *seed]),
            Pda::SmartAccount { settings, account_index } => {
                list([PREFIX, settings.as_bytes(), b"smart_account", account_index])
            }
            Pda::Transaction { consensus, index } => {
                list([PREFIX, consensus.as_bytes(), b"transaction", index])
            }
            Pda::Proposal { consensus, index } => {
                list([PREFIX, consensus.as_bytes(), b"transaction", index, b"proposal"])
            }
            Pda::BatchTransaction { settings, batch_index, number } => {
                list([PREFIX, settings.as_bytes(), b"transaction", batch_index, b"batch_transaction", number])
            }
            Pda::TransactionBuffer { consensus, creator, index } => {
                list([PREFIX, consensus.as_bytes(), b"transaction_buffer", creator.as_bytes(), index])
            }
            Pda::EphemeralSigner { transaction, number } => {
                list([PREFIX, transaction.as_bytes(), b"ephemeral_signer", number])
            }
            Pda::SpendingLimit { settings, seed } => {
                list([PREFIX, settings.as_bytes(), b"spending_limit", seed.as_bytes()])
            }
        }
    }

    /// Searches the canonical address and its bump; costs 1,500 compute units per attempt.
    pub fn find(&self) -> Result<(Pubkey, u8)> {
        let (parts, count) = self.parts();
        let seeds = parts.map(Seed::new);
        find_address(&seeds[..count]).ok_or(Error::ConstraintSeeds)
    }

    /// The address for a bump that an account of ours has stored: one attempt instead of a search. The program only
    /// ever stores canonical bumps, so this equals `find`.
    pub fn with_bump(&self, bump: u8) -> Option<Pubkey> {
        create_address(self.seeds(&[bump]).as_slice())
    }

    /// The complete seeds, bump included, by which the address signs a call.
    pub fn seeds<'s>(&'s self, bump: &'s [u8; 1]) -> Seeds<'s> {
        let (parts, count) = self.parts();
        let mut list = [Seed::new(bump); MAX_SEEDS + 1];
        for (seed, part) in list.iter_mut().zip(&parts[..count]) {
            *seed = Seed::new(part);
        }
        Seeds { list, count: count + 1 }
    }

    /// Refuses `key` unless it is the canonical address; returns the bump.
    pub fn require(&self, key: &Pubkey) -> Result<u8> {
        let (address, bump) = self.find()?;
        if address == *key { Ok(bump) } else { Err(Error::ConstraintSeeds) }
    }

    /// Refuses `key` unless it is the address for a stored bump.
    pub fn require_with_bump(&self, bump: u8, key: &Pubkey) -> Result {
        if self.with_bump(bump) == Some(*key) { Ok(()) } else { Err(Error::ConstraintSeeds) }
    }
}

/// The parts filled up to the longest list, and how many there are.
fn list<const N: usize>(parts: [&[u8]; N]) -> ([&[u8]; MAX_SEEDS], usize) {
    let mut all: [&[u8]; MAX_SEEDS] = [b""; MAX_SEEDS];
    all[..N].copy_from_slice(&parts);
    (all, N)
}
