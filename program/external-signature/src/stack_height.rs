//! The one system call that only this program needs.

mod raw {
    unsafe extern "C" {
        pub fn sol_get_stack_height() -> u64;
    }
}

/// How deep the running instruction lies: 1 in the transaction itself, one more for each program that called.
pub fn stack_height() -> u64 {
    // SAFETY: the call takes nothing and touches no memory.
    unsafe { raw::sol_get_stack_height() }
}
