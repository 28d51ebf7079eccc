//! Calls to other programs.

use super::account::{Account, DATA, KEY, LAMPORTS, OWNER};
use super::syscalls::{Seed, raw};
use crate::pubkey::Pubkey;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// One account of a call with the rights it gets there.
#[derive(Clone, Copy)]
pub struct CallAccount<'a> {
    pub account: Account<'a>,
    pub is_writable: bool,
    pub is_signer: bool,
}

/// An instruction for another program.
pub struct Call<'c, 'a> {
    pub program: &'c Pubkey,
    pub accounts: &'c [CallAccount<'a>],
    pub data: &'c [u8],
}

/// The seeds of one derived address that signs the call, in the layout the virtual machine reads.
#[repr(C)]
pub struct Signer<'s> {
    seeds: *const Seed<'s>,
    count: u64,
    borrowed: PhantomData<&'s [Seed<'s>]>,
}

impl<'s> Signer<'s> {
    /// Borrows the seeds, bump included.
    pub fn new(seeds: &'s [Seed<'s>]) -> Self {
        Signer { seeds: seeds.as_ptr(), count: seeds.len() as u64, borrowed: PhantomData }
    }
}

#[repr(C)]
struct RawInstruction {
    program: *const Pubkey,
    metas: *const RawMeta,
    meta_count: u64,
    data: *const u8,
    data_len: u64,
}

#[repr(C)]
struct RawMeta {
    key: *const Pubkey,
    is_writable: bool,
    is_signer: bool,
}

#[repr(C)]
struct RawInfo {
    key: *const u8,
    lamports: *mut u8,
    data_len: u64,
    data: *mut u8,
    owner: *const u8,
    rent_epoch: u64,
    is_signer: bool,
    is_writable: bool,
    executable: bool,
}

/// Runs the call. A failure of the callee ends this program too, with the callee's error, so nothing is returned.
pub fn invoke(call: &Call, signers: &[Signer]) {
    let metas: Vec<RawMeta> = call.accounts.iter().map(raw_meta).collect();
    let infos: Vec<RawInfo> = call.accounts.iter().map(|a| raw_info(&a.account)).collect();
    let instruction = RawInstruction {
        program: call.program,
        metas: metas.as_ptr(),
        meta_count: metas.len() as u64,
        data: call.data.as_ptr(),
        data_len: call.data.len() as u64,
    };
    // SAFETY: the structures are repr(C) as the call expects and outlive it; the account pointers are those of the
    // loader's entries. The callee may change owner, lamports, length and data, none of which is borrowed.
    unsafe {
        raw::sol_invoke_signed_c(
            (&raw const instruction).cast(),
            infos.as_ptr().cast(),
            infos.len() as u64,
            signers.as_ptr().cast(),
            signers.len() as u64,
        );
    }
}

fn raw_meta(account: &CallAccount) -> RawMeta {
    RawMeta { key: account.account.key(), is_writable: account.is_writable, is_signer: account.is_signer }
}

fn raw_info(account: &Account) -> RawInfo {
    RawInfo {
        key: account.field(KEY),
        lamports: account.field(LAMPORTS),
        data_len: account.data_len() as u64,
        data: account.field(DATA),
        owner: account.field(OWNER),
        rent_epoch: u64::MAX,
        is_signer: account.is_signer(),
        is_writable: account.is_writable(),
        executable: false,
    }
}
