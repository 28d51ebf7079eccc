//! Where the virtual machine enters: cuts the loader's input into accounts and instruction data.

use super::account::{Account, DATA, DATA_LEN, MAX_GROWTH};
use crate::dispatch;
use alloc::vec::Vec;
use core::slice::from_raw_parts;

/// The mark of an entry that is not a repetition of an earlier one.
const NOT_A_DUPLICATE: u8 = 0xff;

/// # Safety
/// Called by the virtual machine only, with the loader's input: account count, entries, data length, data, program id.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn entrypoint(input: *mut u8) -> u64 {
    // SAFETY: the input is well-formed (loader) and lives as long as the program runs.
    let (accounts, data) = unsafe { parse(input) };
    match dispatch::run(&accounts, data) {
        Ok(()) => 0,
        Err(error) => error as u64,
    }
}

/// # Safety
/// As for `entrypoint`.
unsafe fn parse<'a>(input: *mut u8) -> (Vec<Account<'a>>, &'a [u8]) {
    // SAFETY: every step below follows the loader's documented layout.
    unsafe {
        let count = input.cast::<u64>().read() as usize;
        let mut accounts: Vec<Account<'a>> = Vec::with_capacity(count);
        let mut at = input.add(8);
        for _ in 0..count {
            let mark = at.read();
            if mark == NOT_A_DUPLICATE {
                accounts.push(Account::at(at));
                at = at.add(entry_len(at));
            } else {
                // A repeated account is a second handle to the same bytes, never a second copy.
                accounts.push(accounts[mark as usize]);
                at = at.add(8);
            }
        }
        let data_len = at.cast::<u64>().read() as usize;
        (accounts, from_raw_parts(at.add(8), data_len))
    }
}

/// Length of a full entry: header, data, room to grow, padding to 8, rent epoch.
///
/// # Safety
/// `entry` must be the first byte of a non-duplicate entry.
unsafe fn entry_len(entry: *const u8) -> usize {
    // SAFETY: promised by the caller.
    let data_len = unsafe { entry.add(DATA_LEN).cast::<u64>().read() } as usize;
    (DATA + data_len + MAX_GROWTH).next_multiple_of(8) + 8
}
