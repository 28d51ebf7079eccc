//! What synchronous and voted execution share: running wrapped instructions.

use crate::error::{Error, Result};
use crate::instructions::log_event;
use crate::runtime::{Call, CallAccount, Signer, invoke};
use crate::state::CompiledInstruction;
use alloc::vec::Vec;

/// The surroundings of wrapped instructions.
pub struct InnerCalls<'i, 'a> {
    /// What their positions count, with the rights the callees get.
    pub accounts: &'i [CallAccount<'a>],
    /// The derived addresses that sign.
    pub signers: &'i [Signer<'i>],
}

impl InnerCalls<'_, '_> {
    /// Runs the instructions in order. A failing callee ends everything.
    pub fn run(&self, instructions: &[CompiledInstruction]) -> Result {
        instructions.iter().try_for_each(|instruction| self.run_one(instruction))
    }

    /// Runs one instruction.
    pub fn run_one(&self, instruction: &CompiledInstruction) -> Result {
        let program = at(self.accounts, instruction.program_id_index)?.account.key();
        log_event::refuse_as_inner(program, &instruction.data)?;
        let accounts = select(instruction, self.accounts)?;
        invoke(&Call { program, accounts: &accounts, data: &instruction.data }, self.signers);
        Ok(())
    }
}

/// The accounts of one instruction.
pub fn select<'a>(
    instruction: &CompiledInstruction,
    accounts: &[CallAccount<'a>],
) -> Result<Vec<CallAccount<'a>>> {
    instruction.account_indexes.iter().map(|index| at(accounts, *index)).collect()
}

fn at<'a>(accounts: &[CallAccount<'a>], position: u8) -> Result<CallAccount<'a>> {
    accounts.get(position as usize).copied().ok_or(Error::InvalidTransactionMessage)
}
