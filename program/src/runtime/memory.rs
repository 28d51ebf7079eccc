//! The four memory functions compilers call by name, handed to the virtual machine.

use super::syscalls::raw;

// SAFETY of all four: callers keep C's contract, and the system calls have the same one.

#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    unsafe { raw::sol_memcpy_(to, from, len as u64) };
    to
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    unsafe { raw::sol_memmove_(to, from, len as u64) };
    to
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memset(to: *mut u8, byte: i32, len: usize) -> *mut u8 {
    unsafe { raw::sol_memset_(to, byte as u8, len as u64) };
    to
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    let mut order = 0;
    unsafe { raw::sol_memcmp_(a, b, len as u64, &mut order) };
    order
}

#[unsafe(no_mangle)]
unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    unsafe { memcmp(a, b, len) }
}
