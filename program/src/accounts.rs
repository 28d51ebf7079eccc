//! Taking the accounts of an instruction in order, with the checks every kind of account needs.

use crate::error::{Error, Result};
use crate::pubkey::{PROGRAM_ID, Pubkey, SYSTEM_PROGRAM};
use crate::runtime::Account;
use crate::wire::{Reader, Wire};
use alloc::vec::Vec;

/// The instruction's accounts that were not read yet.
pub struct Accounts<'a> {
    rest: &'a [Account<'a>],
}

impl<'a> Accounts<'a> {
    /// Starts at the first account.
    pub fn new(accounts: &'a [Account<'a>]) -> Self {
        Accounts { rest: accounts }
    }

    /// The next account, unchecked.
    pub fn next(&mut self) -> Result<Account<'a>> {
        let (first, rest) = self.rest.split_first().ok_or(Error::AccountNotEnoughKeys)?;
        self.rest = rest;
        Ok(*first)
    }

    /// The next account, which must sign.
    pub fn signer(&mut self) -> Result<Account<'a>> {
        let account = self.next()?;
        if account.is_signer() { Ok(account) } else { Err(Error::AccountNotSigner) }
    }

    /// The next account, which must be the system program.
    pub fn system_program(&mut self) -> Result<Account<'a>> {
        self.known(&SYSTEM_PROGRAM)
    }

    /// The next account, which must be this program: the runtime needs it in the list for the event call.
    pub fn this_program(&mut self) -> Result<Account<'a>> {
        self.known(&PROGRAM_ID)
    }

    /// The next account, or `None` when this program's id stands for "absent".
    pub fn optional(&mut self) -> Result<Option<Account<'a>>> {
        let account = self.next()?;
        Ok((*account.key() != PROGRAM_ID).then_some(account))
    }

    /// The next account, which must sign if it is there.
    pub fn optional_signer(&mut self) -> Result<Option<Account<'a>>> {
        match self.optional()? {
            Some(account) if !account.is_signer() => Err(Error::AccountNotSigner),
            account => Ok(account),
        }
    }

    /// The next account, which must be the system program if it is there.
    pub fn optional_system_program(&mut self) -> Result<Option<Account<'a>>> {
        match self.optional()? {
            Some(account) if *account.key() != SYSTEM_PROGRAM => Err(Error::InvalidProgramId),
            account => Ok(account),
        }
    }

    fn known(&mut self, program: &Pubkey) -> Result<Account<'a>> {
        let account = self.next()?;
        if account.key() == program { Ok(account) } else { Err(Error::InvalidProgramId) }
    }

    /// The accounts after the declared ones.
    pub fn remaining(&self) -> &'a [Account<'a>] {
        self.rest
    }
}

/// Refuses a read-only account that has to change.
pub fn require_writable(account: &Account) -> Result {
    if account.is_writable() { Ok(()) } else { Err(Error::ConstraintMut) }
}

/// Refuses a read-only account that has to change, if it is there at all.
pub fn require_optional_writable(account: &Option<Account>) -> Result {
    account.as_ref().map_or(Ok(()), require_writable)
}

/// An account type of ours: eight bytes that name it, then its fields.
pub trait Stored: Wire {
    /// First 8 bytes of sha256("account:Name").
    const DISCRIMINATOR: [u8; 8];

    /// Reads the account, refusing missing accounts, other owners, other types and data that does not decode.
    /// Bytes after the last field are ignored.
    fn load(account: &Account) -> Result<Self> {
        if account.owner() == SYSTEM_PROGRAM && account.lamports() == 0 {
            return Err(Error::AccountNotInitialized);
        }
        if account.owner() != PROGRAM_ID {
            return Err(Error::AccountOwnedByWrongProgram);
        }
        account.read(decode::<Self>)
    }

    /// Writes the account; bytes after the last field keep what they held.
    fn store(&self, account: &Account) -> Result {
        let mut bytes = Vec::with_capacity(account.data_len());
        Self::DISCRIMINATOR.write(&mut bytes);
        self.write(&mut bytes);
        account.write(&bytes)
    }
}

fn decode<T: Stored>(data: &[u8]) -> Result<T> {
    let mut reader = Reader::new(data);
    let found: [u8; 8] = reader.array().ok_or(Error::AccountDiscriminatorNotFound)?;
    if found != T::DISCRIMINATOR {
        return Err(Error::AccountDiscriminatorMismatch);
    }
    reader.read().ok_or(Error::AccountDidNotDeserialize)
}

/// Decodes instruction arguments, or part of them.
pub fn argument<T: Wire>(reader: &mut Reader) -> Result<T> {
    reader.read().ok_or(Error::InstructionDidNotDeserialize)
}
