//! Running approved instructions with the passkey's address as signer.

use crate::error::{Error, Result};
use crate::passkey::CompressedKey;
use crate::pda::Pda;
use crate::pubkey::Pubkey;
use crate::runtime::{Account, Call, CallAccount, invoke, sha256};
use crate::wire::{Reader, Wire};
use alloc::vec::Vec;

/// Which of a passkey's two addresses signs.
#[derive(Clone, Copy)]
pub enum SigningAddress {
    ExecutionAccount,
    PasskeyAccount,
}

impl Wire for SigningAddress {
    const MIN_LEN: usize = 1;
    fn read(reader: &mut Reader) -> Option<Self> {
        match reader.read::<u8>()? {
            0 => Some(SigningAddress::ExecutionAccount),
            1 => Some(SigningAddress::PasskeyAccount),
            _ => None,
        }
    }
    fn write(&self, out: &mut Vec<u8>) {
        (*self as u8).write(out);
    }
}

/// An instruction whose program and accounts are positions in a list.
struct InnerInstruction<'a> {
    program: u8,
    accounts: &'a [u8],
    data: &'a [u8],
}

/// The instructions as they came, which is how they are signed.
pub struct InnerInstructions<'a> {
    bytes: &'a [u8],
    list: Vec<InnerInstruction<'a>>,
}

impl<'a> InnerInstructions<'a> {
    /// Decodes the rest of the arguments: a count, and for each a program, counted accounts, data after two bytes of length.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let list = read_list(&mut reader).ok_or(Error::InvalidInstruction)?;
        if reader.remaining() == 0 {
            Ok(InnerInstructions { bytes, list })
        } else {
            Err(Error::InvalidInstruction)
        }
    }

    /// Appends what a passkey signs: the accounts with their rights, and the instructions.
    pub fn write_signed(&self, accounts: &[Account], out: &mut Vec<u8>) -> Result {
        out.push(u8::try_from(accounts.len()).map_err(|_| Error::InvalidInstruction)?);
        for account in accounts {
            account.key().write(out);
            account.is_signer().write(out);
            account.is_writable().write(out);
        }
        out.extend_from_slice(self.bytes);
        Ok(())
    }

    /// Runs them in order. Each gets the rights of the transaction, and the passkey's address signs. A failing callee
    /// ends everything.
    pub fn run(&self, signer: &InnerSigner, accounts: &[Account]) -> Result {
        let key_hash = sha256(signer.key);
        let pda = match signer.address {
            SigningAddress::ExecutionAccount => Pda::execution_account(signer.passkey_account),
            SigningAddress::PasskeyAccount => Pda::passkey(&key_hash),
        };
        let (address, bump) = pda.find()?;
        let bump = [bump];
        let seeds = pda.seeds(&bump);
        let rights: Vec<CallAccount> = accounts
            .iter()
            .map(|account| CallAccount {
                account: *account,
                is_writable: account.is_writable(),
                is_signer: account.is_signer() || *account.key() == address,
            })
            .collect();
        let at =
            |position: &u8| rights.get(*position as usize).copied().ok_or(Error::InvalidInnerInstruction);
        for instruction in &self.list {
            let program = at(&instruction.program)?.account.key();
            let accounts: Vec<CallAccount> = instruction.accounts.iter().map(at).collect::<Result<_>>()?;
            invoke(&Call { program, accounts: &accounts, data: instruction.data }, &[seeds.signer()]);
        }
        Ok(())
    }
}

/// The passkey for which instructions run.
pub struct InnerSigner<'a> {
    pub passkey_account: &'a Pubkey,
    pub key: &'a CompressedKey,
    pub address: SigningAddress,
}

fn read_list<'a>(reader: &mut Reader<'a>) -> Option<Vec<InnerInstruction<'a>>> {
    let count: u8 = reader.read()?;
    reader.items(count as usize, 4, read_instruction)
}

fn read_instruction<'a>(reader: &mut Reader<'a>) -> Option<InnerInstruction<'a>> {
    let program = reader.read()?;
    let account_count: u8 = reader.read()?;
    let accounts = reader.bytes(account_count as usize)?;
    let data_len: u16 = reader.read()?;
    Some(InnerInstruction { program, accounts, data: reader.bytes(data_len as usize)? })
}

#[cfg(test)]
mod tests {
    use super::InnerInstructions;

    #[test]
    fn every_byte_is_used() {
        let bytes = [2, 3, 2, 0, 1, 2, 0, 9, 8, 4, 0, 0, 0];
        let parsed = InnerInstructions::parse(&bytes).ok().unwrap();
        assert_eq!(
            (parsed.list[0].program, parsed.list[0].accounts, parsed.list[0].data),
            (3, &[0, 1][..], &[9, 8][..])
        );
        assert_eq!((parsed.list[1].program, parsed.list[1].data.len()), (4, 0));
        for len in 0..bytes.len() {
            assert!(InnerInstructions::parse(&bytes[..len]).is_err());
        }
        assert!(InnerInstructions::parse(&[0, 0]).is_err());
        assert!(InnerInstructions::parse(&[0]).is_ok());
    }
}
