//! A multi-signature smart account program for Solana, wire-compatible with the public one at the same address.
//!
//! How to read this crate:
//!
//! - `runtime` is the only place with `unsafe`: the input parser, the account view, system calls, heap, panics;
//! - `wire` turns bytes into values and back, `state` lists every stored layout, `pda` every derived address;
//! - `instructions` holds one file per instruction, in the order checks -> effects -> event;
//! - `dispatch` is the table from the eight instruction bytes to those files.
#![cfg_attr(not(test), no_std)]
#![deny(unsafe_code)]
// Unit tests on the host call little of what touches the machine.
#![cfg_attr(test, allow(dead_code))]

extern crate alloc;

mod accounts;
mod async_execution;
mod creation;
mod dispatch;
mod error;
mod events;
mod inner_call;
mod instructions;
mod pda;
mod program_id;
mod pubkey;
mod public_memory;
#[allow(unsafe_code)]
mod runtime;
mod settings_change;
mod spending_limits;
mod state;
mod sync_consensus;
mod sync_execution;
mod system;
mod sysvars;
mod token;
mod wire;
