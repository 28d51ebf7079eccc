//! A signature program for Solana: a passkey signs transactions through an account of this program, and a session key
//! after it. It speaks the wire format of the public program at the same address.
//!
//! How to read this crate:
//!
//! - `dispatch` is the table from the first instruction byte to `instructions`, one file for each;
//! - `assertion` checks what a passkey has signed, `slot_hashes` how old it is, `client_data` the text a browser signed;
//! - `passkey` is the stored layout, `inner_calls` runs what was approved;
//! - the modules with a path are the sources of the smart account program next to this one.
#![cfg_attr(not(test), no_std)]
#![deny(unsafe_code)]
// Unit tests on the host call little of what touches the machine.
#![cfg_attr(test, allow(dead_code))]

extern crate alloc;

mod assertion;
mod client_data;
mod dispatch;
mod error;
mod inner_calls;
mod instructions;
mod passkey;
mod pda;
mod program_id;
mod session;
mod slot_hashes;
#[allow(unsafe_code)]
mod stack_height;

// Shared sources. What only the other program calls is not dead.
#[allow(dead_code)]
#[path = "../../src/creation.rs"]
mod creation;
#[allow(dead_code)]
#[path = "../../src/pubkey.rs"]
mod pubkey;
#[allow(dead_code, unsafe_code, unused_imports)]
#[path = "../../src/runtime/mod.rs"]
mod runtime;
#[allow(dead_code)]
#[path = "../../src/system.rs"]
mod system;
#[path = "../../src/sysvars.rs"]
mod sysvars;
#[allow(dead_code)]
#[path = "../../src/wire.rs"]
mod wire;
