//! SPL tokens: what has to be known of mints and token accounts, and the transfer.

use crate::error::{Error, Result};
use crate::pubkey::{Pubkey, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM};
use crate::runtime::{Account, Call, CallAccount, Signer, invoke};
use crate::wire::Wire;
use alloc::vec::Vec;

const MINT_LEN: usize = 82;
const ACCOUNT_LEN: usize = 165;
/// Position of the byte that distinguishes mints (1) from accounts (2) when there are extensions.
const KIND_AT: usize = 165;
/// An account of this length is a multi-signature, never anything else.
const MULTISIG_LEN: usize = 355;
const TRANSFER_CHECKED: u8 = 12;

/// True for the two token programs.
pub fn is_token_program(key: &Pubkey) -> bool {
    *key == TOKEN_PROGRAM || *key == TOKEN_2022_PROGRAM
}

/// Refuses anything but an initialized mint of a token program.
pub fn require_mint(account: &Account) -> Result {
    require_token_owned(account)?;
    account.read(check_mint)
}

/// A token account that was checked to be one.
#[derive(Clone, Copy)]
pub struct TokenAccount<'a> {
    pub account: Account<'a>,
    pub mint: Pubkey,
    /// Whose tokens they are.
    pub owner: Pubkey,
}

impl<'a> TokenAccount<'a> {
    /// Refuses anything but an initialized account of a token program.
    pub fn load(account: Account<'a>) -> Result<Self> {
        require_token_owned(&account)?;
        account.read(check_account)?;
        let mint = account.pubkey_at(0).ok_or(Error::InvalidAccountData)?;
        let owner = account.pubkey_at(32).ok_or(Error::InvalidAccountData)?;
        Ok(TokenAccount { account, mint, owner })
    }
}

fn require_token_owned(account: &Account) -> Result {
    if account.owner() == SYSTEM_PROGRAM && account.lamports() == 0 {
        return Err(Error::AccountNotInitialized);
    }
    if is_token_program(&account.owner()) { Ok(()) } else { Err(Error::AccountOwnedByWrongProgram) }
}

/// Layout of a mint: authority (4-byte tag, key), supply, decimals, initialized (45), freeze authority (tag at 46).
fn check_mint(data: &[u8]) -> Result {
    check_shape(data, MINT_LEN, 1)?;
    require(is_option_tag(data, 0) && is_option_tag(data, 46) && data[45] <= 1)?;
    if data[45] == 0 { Err(Error::UninitializedAccount) } else { Ok(()) }
}

/// Layout of a token account: mint, owner, amount, delegate (tag at 72), state (108), native reserve (tag at 109),
/// delegated amount, close authority (tag at 129).
fn check_account(data: &[u8]) -> Result {
    check_shape(data, ACCOUNT_LEN, 2)?;
    let has_tags = [72, 109, 129].iter().all(|at| is_option_tag(data, *at));
    require(has_tags && data[108] <= 2)?;
    if data[108] == 0 { Err(Error::UninitializedAccount) } else { Ok(()) }
}

/// The bare length; or zeros up to the length of an account, the kind, and extensions.
fn check_shape(data: &[u8], bare_len: usize, kind: u8) -> Result {
    if data.len() == bare_len {
        return Ok(());
    }
    // The kind alone, without an extension after it, is refused too.
    require(data.len() > KIND_AT + 1 && data.len() != MULTISIG_LEN)?;
    require(data[bare_len..KIND_AT].iter().all(|byte| *byte == 0) && data[KIND_AT] == kind)
}

fn is_option_tag(data: &[u8], at: usize) -> bool {
    data[at] <= 1 && data[at + 1..at + 4] == [0; 3]
}

fn require(is_so: bool) -> Result {
    if is_so { Ok(()) } else { Err(Error::InvalidAccountData) }
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
