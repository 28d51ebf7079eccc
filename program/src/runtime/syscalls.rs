//! The virtual machine's system calls, each behind a safe function.

use crate::pubkey::{PROGRAM_ID, Pubkey};
use core::marker::PhantomData;

/// The raw functions; the loader binds them by name.
pub(super) mod raw {
    unsafe extern "C" {
        pub fn sol_log_(text: *const u8, len: u64);
        pub fn sol_panic_(file: *const u8, len: u64, line: u64, column: u64) -> !;
        pub fn sol_memcpy_(to: *mut u8, from: *const u8, len: u64);
        pub fn sol_memmove_(to: *mut u8, from: *const u8, len: u64);
        pub fn sol_memset_(to: *mut u8, byte: u8, len: u64);
        pub fn sol_memcmp_(a: *const u8, b: *const u8, len: u64, order: *mut i32);
        pub fn sol_sha256(parts: *const u8, count: u64, digest: *mut u8) -> u64;
        pub fn sol_get_clock_sysvar(clock: *mut u8) -> u64;
        pub fn sol_get_rent_sysvar(rent: *mut u8) -> u64;
        pub fn sol_create_program_address(
            seeds: *const u8,
            count: u64,
            program: *const u8,
            out: *mut u8,
        ) -> u64;
        pub fn sol_try_find_program_address(
            seeds: *const u8,
            count: u64,
            program: *const u8,
            out: *mut u8,
            bump: *mut u8,
        ) -> u64;
        pub fn sol_invoke_signed_c(
            instruction: *const u8,
            infos: *const u8,
            info_count: u64,
            signers: *const u8,
            signer_count: u64,
        ) -> u64;
    }
}

/// One seed of a derived address, in the layout the virtual machine reads: pointer, then length.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Seed<'a> {
    start: *const u8,
    len: u64,
    bytes: PhantomData<&'a [u8]>,
}

impl<'a> Seed<'a> {
    /// Borrows the seed bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Seed { start: bytes.as_ptr(), len: bytes.len() as u64, bytes: PhantomData }
    }
}

/// Writes one "Program log:" line.
pub fn log(text: &str) {
    // SAFETY: pointer and length are of one live str.
    unsafe { raw::sol_log_(text.as_ptr(), text.len() as u64) }
}

/// The address of these seeds (the last one being the bump), or `None` when the hash lies on the curve.
pub fn create_address(seeds: &[Seed]) -> Option<Pubkey> {
    let mut address = Pubkey::ZERO;
    // SAFETY: `Seed` is repr(C) as the call expects, and the call writes 32 bytes to `address`.
    let failed = unsafe {
        raw::sol_create_program_address(
            seeds.as_ptr().cast(),
            seeds.len() as u64,
            PROGRAM_ID.0.as_ptr(),
            address.0.as_mut_ptr(),
        )
    };
    (failed == 0).then_some(address)
}

/// The SHA-256 digest.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut digest = [0u8; 32];
    let parts = [Seed::new(bytes)];
    // SAFETY: `Seed` is pointer and length, as the call expects of a part, and the call writes 32 bytes.
    unsafe { raw::sol_sha256(parts.as_ptr().cast(), 1, digest.as_mut_ptr()) };
    digest
}

/// The canonical address and bump of these seeds: the highest bump off the curve. `None` for unusable seeds.
pub fn find_address(seeds: &[Seed]) -> Option<(Pubkey, u8)> {
    let mut address = Pubkey::ZERO;
    let mut bump = 0u8;
    // SAFETY: as above; the call also writes one byte to `bump`.
    let failed = unsafe {
        raw::sol_try_find_program_address(
            seeds.as_ptr().cast(),
            seeds.len() as u64,
            PROGRAM_ID.0.as_ptr(),
            address.0.as_mut_ptr(),
            &mut bump,
        )
    };
    (failed == 0).then_some((address, bump))
}

/// The clock sysvar's 40 bytes as five words.
pub fn read_clock() -> [u64; 5] {
    let mut words = [0u64; 5];
    // SAFETY: the call writes exactly 40 bytes.
    unsafe { raw::sol_get_clock_sysvar(words.as_mut_ptr().cast()) };
    words
}

/// The rent sysvar's 24 bytes as three words (the last holds the burn percentage).
pub fn read_rent() -> [u64; 3] {
    let mut words = [0u64; 3];
    // SAFETY: the call writes at most 24 bytes.
    unsafe { raw::sol_get_rent_sysvar(words.as_mut_ptr().cast()) };
    words
}
