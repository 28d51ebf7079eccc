//! From the first instruction byte to the instruction.

use crate::error::{Error, Result};
use crate::instructions::{execute, execute_by_session, initialize, refresh_session};
use crate::runtime::{Account, log};
use crate::stack_height::stack_height;
use crate::wire::Reader;

/// The stack height of an instruction that stands in the transaction itself.
const TOP_LEVEL: u64 = 1;

/// Runs the instruction, logging its name first and the error, if any, last.
pub fn run(accounts: &[Account], data: &[u8]) -> Result {
    let result = process(accounts, data);
    if let Err(error) = &result {
        log(error.log_line());
    }
    result
}

fn process(accounts: &[Account], data: &[u8]) -> Result {
    // A program that calls this one could hide what a passkey's owner sees in the transaction; it also ends re-entry.
    if stack_height() != TOP_LEVEL {
        return Err(Error::CalledByProgram);
    }
    let mut arguments = Reader::new(data);
    match arguments.read::<u8>() {
        Some(0) => {
            log("Instruction: Initialize");
            initialize::process(&mut arguments, accounts)
        }
        Some(1) => {
            log("Instruction: Execute");
            execute::process(&mut arguments, accounts)
        }
        Some(2) => {
            log("Instruction: RefreshSession");
            refresh_session::process(&mut arguments, accounts)
        }
        Some(3) => {
            log("Instruction: ExecuteBySession");
            execute_by_session::process(&mut arguments, accounts)
        }
        _ => Err(Error::InvalidInstruction),
    }
}
