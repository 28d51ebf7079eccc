//! Bringing derived accounts into being, and paying when they grow.

use crate::error::{Error, Result};
use crate::pda::Pda;
use crate::pubkey::PROGRAM_ID;
use crate::runtime::Account;
use crate::system::{self, Allocation};
use crate::sysvars::minimum_balance;

/// Creates the account at `pda`, owned by this program and rent-exempt at `payer`'s expense.
///
/// Any account can send lamports to an address before it exists, so a funded, empty, system-owned address is taken over
/// and only the missing rent is added. An address in use fails in the system program with custom error 0, a poor
/// payer with custom error 1, and one of the two passed read-only in the runtime as an escalation of privileges.
pub fn create_account(payer: &Account, account: &Account, pda: &Pda, bump: u8, space: usize) -> Result {
    let rent = minimum_balance(space)?;
    let present = account.lamports();
    let bump = [bump];
    let seeds = pda.seeds(&bump);
    if present == 0 {
        let allocation = Allocation { space, owner: &PROGRAM_ID };
        system::create(payer, account, rent, &allocation, seeds.signer());
    } else {
        if rent > present {
            system::transfer(payer, account, rent - present, &[]);
        }
        system::allocate(account, space, seeds.signer());
        system::assign(account, &PROGRAM_ID, seeds.signer());
    }
    Ok(())
}

/// Who pays when an account of ours grows; both are optional in most instructions.
pub struct GrowthPayer<'a> {
    pub payer: Option<Account<'a>>,
    pub system_program: Option<Account<'a>>,
}

/// Grows `account` to at least `len` bytes. Rent that is missing comes from the payer: `MissingAccount` without one.
pub fn grow_account(account: &Account, len: usize, growth: &GrowthPayer) -> Result {
    if len <= account.data_len() {
        return Ok(());
    }
    let missing = minimum_balance(len)?.saturating_sub(account.lamports());
    if missing > 0 {
        let payer = growth.payer.as_ref().ok_or(Error::MissingAccount)?;
        growth.system_program.as_ref().ok_or(Error::MissingAccount)?;
        system::transfer(payer, account, missing, &[]);
    }
    account.grow(len)
}
