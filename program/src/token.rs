//! SPL tokens: what has to be known of mints and token accounts, and the transfer.

use crate::error::{Error, Result};
use crate::pubkey::{Pubkey, TOKEN_2022_PROGRAM, TOKEN_PROGRAM};
use crate::runtime::{Account, Call, CallAccount, Signer, invoke};
use crate::wire::Wire;
use alloc::vec::Vec;

const MINT_LEN: usize = 82;
const ACCOUNT_LEN: usize = 165;
/// Position of the byte that tells mints (1) from accounts (2) when there are extensions.
const KIND_AT: usize = 165;
const TRANSFER_CHECKED: u8 = 12;

/// True for the two token programs.
pub fn is_token_program(key: &Pubkey) -> bool {
    *key == TOKEN_PROGRAM || *key == TOKEN_2022_PROGRAM
}

/// Refuses anything but a mint of a token program.
pub fn require_mint(account: &Account) -> Result {
    require_token_owned(account)?;
    if account.read(|data| is_kind(data, MINT_LEN, 1)) {
        Ok(())
    } else {
        Err(Error::AccountDidNotDeserialize)
    }
}

/// Refuses anything but a token account; returns its mint and its owner's key.
pub fn read_token_account(account: &Account) -> Result<(Pubkey, Pubkey)> {
    require_token_owned(account)?;
    if !account.read(|data| is_kind(data, ACCOUNT_LEN, 2)) {
        return Err(Error::AccountDidNotDeserialize);
    }
    let mint = account.pubkey_at(0).ok_or(Error::AccountDidNotDeserialize)?;
    let owner = account.pubkey_at(32).ok_or(Error::AccountDidNotDeserialize)?;
    Ok((mint, owner))
}

fn require_token_owned(account: &Account) -> Result {
    if account.lamports() == 0 && account.data_len() == 0 {
        return Err(Error::AccountNotInitialized);
    }
    if is_token_program(&account.owner()) { Ok(()) } else { Err(Error::AccountOwnedByWrongProgram) }
}

/// The bare length, or extensions after the kind byte.
fn is_kind(data: &[u8], bare_len: usize, kind: u8) -> bool {
    data.len() == bare_len || data.get(KIND_AT) == Some(&kind)
}

/// The accounts of a transfer out of a vault.
pub struct TokenTransfer<'a> {
    pub token_program: Account<'a>,
    pub from: Account<'a>,
    pub mint: Account<'a>,
    pub to: Account<'a>,
    /// The vault.
    pub authority: Account<'a>,
}

/// Moves tokens; the token program checks that `decimals` are the mint's.
pub fn transfer_checked(accounts: &TokenTransfer, amount: u64, decimals: u8, signer: Signer) {
    let mut data = Vec::with_capacity(10);
    TRANSFER_CHECKED.write(&mut data);
    amount.write(&mut data);
    decimals.write(&mut data);
    let writable = |account| CallAccount { account, is_writable: true, is_signer: false };
    let call_accounts = [
        writable(accounts.from),
        CallAccount { account: accounts.mint, is_writable: false, is_signer: false },
        writable(accounts.to),
        CallAccount { account: accounts.authority, is_writable: false, is_signer: true },
    ];
    invoke(&Call { program: accounts.token_program.key(), accounts: &call_accounts, data: &data }, &[signer]);
}
