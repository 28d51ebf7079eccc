//! Everything that touches raw memory or the virtual machine. The rest of the crate denies `unsafe`.

mod account;
mod entrypoint;
mod heap;
mod invoke;
// On the host, where unit tests run, the standard library has these.
#[cfg(not(test))]
mod memory;
#[cfg(not(test))]
mod panic;
mod syscalls;

pub use account::Account;
pub use heap::occupy;
pub use invoke::{Call, CallAccount, Signer, invoke};
pub use syscalls::{Seed, create_address, find_address, log, read_clock, read_rent, sha256};
