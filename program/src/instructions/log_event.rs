//! `log_event`: does nothing; its data is the event.

use crate::accounts::Accounts;
use crate::error::{Error, Result};
use crate::pubkey::{PROGRAM_ID, Pubkey};
use crate::runtime::Account;
use crate::wire::Reader;

/// sha256("global:log_event")[0..8]
pub const DISCRIMINATOR: [u8; 8] = 0x05095a8ddf8639d9u64.to_be_bytes();

/// Arguments: event bytes. Accounts: log_authority [s], an account of this program with content. Only the program
/// itself can sign for one, so no other program can log.
pub fn process(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    arguments.counted_bytes().ok_or(Error::InstructionDidNotDeserialize)?;
    let authority = accounts.signer()?;
    if authority.read(is_blank) {
        return Err(Error::ProtectedInstruction);
    }
    require_ours(&authority)
}

fn require_ours(authority: &Account) -> Result {
    if authority.owner() == PROGRAM_ID { Ok(()) } else { Err(Error::ConstraintOwner) }
}

fn is_blank(data: &[u8]) -> bool {
    data.iter().all(|byte| *byte == 0)
}

/// Refuses a wrapped instruction that calls `log_event`: it could forge events with the vault's signature.
pub fn refuse_as_inner(program: &Pubkey, data: &[u8]) -> Result {
    if *program == PROGRAM_ID && data.starts_with(&DISCRIMINATOR) {
        return Err(Error::ProtectedInstruction);
    }
    Ok(())
}
