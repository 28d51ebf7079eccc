//! Running wrapped instructions at once, with the smart account as signer.

use crate::error::{Error, Result};
use crate::inner_call::InnerCalls;
use crate::pda::Pda;
use crate::pubkey::Pubkey;
use crate::runtime::{Account, CallAccount};
use crate::state::{CompiledInstruction, Settings};
use crate::wire::Reader;
use alloc::vec::Vec;

/// The source of the money, and whose rules apply.
pub struct Vault<'a> {
    pub settings_key: &'a Pubkey,
    pub settings: &'a Settings,
    pub account_index: u8,
}

/// Decodes the compiled instructions; all bytes must be used and every position must be an account.
pub fn parse_instructions(payload: &[u8], account_count: usize) -> Result<Vec<CompiledInstruction>> {
    let mut reader = Reader::new(payload);
    let instructions =
        CompiledInstruction::read_compact_list(&mut reader).ok_or(Error::InvalidInstructionArgs)?;
    if reader.remaining() != 0 {
        return Err(Error::InvalidInstructionArgs);
    }
    if instructions.iter().all(|instruction| instruction.fits(account_count)) {
        Ok(instructions)
    } else {
        Err(Error::InvalidTransactionMessage)
    }
}

/// Runs the instructions one after the other; positions count within `accounts`.
pub fn execute(vault: &Vault, accounts: &[Account], instructions: &[CompiledInstruction]) -> Result {
    let pda = Pda::smart_account(vault.settings_key, vault.account_index);
    let (vault_key, bump) = pda.find()?;
    let rights: Vec<CallAccount> =
        accounts.iter().map(|account| inner_rights(vault, &vault_key, account)).collect();
    InnerCalls { accounts: &rights, signers: &[pda.seeds(&[bump]).signer()] }.run(instructions)
}

/// The rights of the outer transaction with three changes: the vault signs, members do not (their signature was for
/// the consensus, not for whatever the instructions do), and the settings stay read-only.
fn inner_rights<'a>(vault: &Vault, vault_key: &Pubkey, account: &Account<'a>) -> CallAccount<'a> {
    let key = account.key();
    let is_vault = key == vault_key;
    let is_member = vault.settings.member(key).is_some();
    CallAccount {
        account: *account,
        is_writable: account.is_writable() && key != vault.settings_key,
        is_signer: is_vault || (account.is_signer() && !is_member),
    }
}
