//! `execute_transaction`: runs an approved message.

use crate::accounts::{Accounts, Stored, require_writable};
use crate::async_execution::{Execution, execute};
use crate::error::{Error, Result};
use crate::events::{
    Content, ProposalEvent, ProposalStep, TransactionEvent, TransactionStep, log_proposal, log_transaction,
};
use crate::pda::Pda;
use crate::public_memory::occupy_for_executed;
use crate::state::{EXECUTE, Proposal, Settings, Status, Transaction};
use crate::sysvars::now;
use crate::wire::Reader;

/// No arguments. Accounts: consensus_account [w], proposal [w], transaction, signer [s], program; then the message's
/// accounts. A stale proposal may be executed: its payment was agreed on.
pub fn process(_: &mut Reader, mut accounts: Accounts) -> Result {
    let account = accounts.next()?;
    let settings = Settings::load_consensus(&account)?;
    let proposal_account = accounts.next()?;
    let mut proposal = Proposal::load(&proposal_account)?;
    let transaction_account = accounts.next()?;
    let transaction = Transaction::load(&transaction_account)?;
    let signer = accounts.signer()?;
    accounts.this_program()?;

    require_writable(&account)?;
    settings.require_address(&account, Error::ConstraintRaw)?;
    proposal.require_account(&proposal_account, account.key(), transaction.index)?;
    Pda::transaction(account.key(), transaction.index).require(transaction_account.key())?;

    settings.require_member(signer.key(), EXECUTE)?;
    let now = now();
    proposal.require_executable(&settings, now)?;

    let execution = Execution {
        consensus_key: account.key(),
        ephemeral_parent: transaction_account.key(),
        account_index: transaction.account_index,
        ephemeral_signer_bumps: &transaction.ephemeral_signer_bumps,
        message: &transaction.message,
        protected_keys: &[*proposal_account.key()],
    };
    occupy_for_executed(transaction.message.instructions.len());
    execute(&execution, accounts.remaining())?;

    proposal.status = Status::Executed(now);
    proposal.store(&proposal_account)?;
    settings.check_invariants()?;
    // As in the public program, what an inner instruction did to these very settings is undone.
    settings.store(&account)?;

    let event = TransactionEvent {
        step: TransactionStep::Execute,
        transaction: transaction_account.key(),
        index: transaction.index,
        signer: Some(signer.key()),
    };
    log_transaction(&account, &settings, &event, Content::Transaction(&transaction));
    let event = ProposalEvent {
        step: ProposalStep::Execute,
        proposal: proposal_account.key(),
        index: transaction.index,
        signer: Some(signer.key()),
        memo: None,
    };
    log_proposal(&account, &settings, &event, Some(&proposal));
    Ok(())
}
