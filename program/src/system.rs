//! The system program's instructions that are used here.

use crate::pubkey::{Pubkey, SYSTEM_PROGRAM};
use crate::runtime::{Account, Call, CallAccount, Signer, invoke};
use crate::wire::Wire;
use alloc::vec::Vec;

const CREATE_ACCOUNT: u32 = 0;
const ASSIGN: u32 = 1;
const TRANSFER: u32 = 2;
const ALLOCATE: u32 = 8;

/// An account that signs and changes.
fn signing<'a>(account: &Account<'a>) -> CallAccount<'a> {
    CallAccount { account: *account, is_writable: true, is_signer: true }
}

/// Moves lamports; `from` has signed, or signs as the derived address in `signers`.
pub fn transfer(from: &Account, to: &Account, lamports: u64, signers: &[Signer]) {
    let mut data = Vec::with_capacity(12);
    TRANSFER.write(&mut data);
    lamports.write(&mut data);
    let to = CallAccount { account: *to, is_writable: true, is_signer: false };
    invoke(&Call { program: &SYSTEM_PROGRAM, accounts: &[signing(from), to], data: &data }, signers);
}

/// Space and owner of an account that comes into being.
pub struct Allocation<'a> {
    pub space: usize,
    pub owner: &'a Pubkey,
}

/// Creates `account` with its rent paid by `payer`; it must hold no lamports yet.
pub fn create(payer: &Account, account: &Account, lamports: u64, allocation: &Allocation, signer: Signer) {
    let mut data = Vec::with_capacity(52);
    CREATE_ACCOUNT.write(&mut data);
    lamports.write(&mut data);
    (allocation.space as u64).write(&mut data);
    allocation.owner.write(&mut data);
    invoke(
        &Call { program: &SYSTEM_PROGRAM, accounts: &[signing(payer), signing(account)], data: &data },
        &[signer],
    );
}

/// Gives space to an address that already holds lamports. Fails inside the system program (custom 0) when in use.
pub fn allocate(account: &Account, space: usize, signer: Signer) {
    let mut data = Vec::with_capacity(12);
    ALLOCATE.write(&mut data);
    (space as u64).write(&mut data);
    invoke(&Call { program: &SYSTEM_PROGRAM, accounts: &[signing(account)], data: &data }, &[signer]);
}

/// Hands a system-owned account over to `owner`.
pub fn assign(account: &Account, owner: &Pubkey, signer: Signer) {
    let mut data = Vec::with_capacity(36);
    ASSIGN.write(&mut data);
    owner.write(&mut data);
    invoke(&Call { program: &SYSTEM_PROGRAM, accounts: &[signing(account)], data: &data }, &[signer]);
}
