//! How much more memory the public program takes for the same work.
//!
//! Its allocator never gives anything back, so what it can do in one instruction is bounded by 32 KiB, or by what the
//! transaction requests. This program works with less. Where the public one runs out, this one must too: otherwise the
//! sandbox would let a proposal pass that can never be executed on a cluster. The amounts below are fitted to recorded
//! transactions (test/vectors): everything that worked there works, everything that ran out of memory runs out.
//! Between the largest that was seen to work and the smallest that was seen to fail they are a guess.

use crate::runtime::occupy;
use crate::state::Action;

/// An event is encoded, wrapped into an instruction and copied again, so every byte of it counts this often more.
const EVENT_BYTE: usize = 2;
/// One instruction of an approved message, which is logged as a whole.
const EXECUTED_INSTRUCTION: usize = 1_200;
/// A message out of a buffer, by its bytes.
const BUFFER_BYTE: usize = 6;
/// One change in a list, whatever it is: they are all as long as the longest.
const ACTION: usize = 1_100;
/// A new limit in a list that is stored; part of it is in this program's own need already.
const STORED_LIMIT: usize = 600;
/// A new limit in a list that is applied.
const APPLIED_LIMIT: usize = 3_000;

/// Before an event of `len` bytes is logged.
pub fn occupy_for_event(len: usize) {
    occupy(EVENT_BYTE * len);
}

/// Before an approved message of so many instructions is executed. Items of batches, which are not logged, take less:
/// nothing is added for them.
pub fn occupy_for_executed(instructions: usize) {
    occupy(EXECUTED_INSTRUCTION * instructions);
}

/// Before a message of `len` bytes out of a buffer is stored.
pub fn occupy_for_buffer(len: usize) {
    occupy(BUFFER_BYTE * len);
}

/// Before a list of changes is stored for a vote.
pub fn occupy_for_stored(actions: &[Action]) {
    occupy(sum(actions, STORED_LIMIT));
}

/// Before a list of changes is applied.
pub fn occupy_for_applied(actions: &[Action]) {
    occupy(sum(actions, APPLIED_LIMIT));
}

fn sum(actions: &[Action], limit: usize) -> usize {
    let of = |action: &Action| if matches!(action, Action::AddSpendingLimit(_)) { limit } else { ACTION };
    actions.iter().map(of).sum()
}
