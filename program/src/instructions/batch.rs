//! Batches: `create_batch`, `add_transaction_to_batch`, `execute_batch_transaction`. A batch takes a transaction index,
//! is voted on by the proposal of that index and logs no events.

use super::create_transaction::{find_bumps, read_message};
use crate::accounts::{Accounts, Stored, argument, require_writable};
use crate::async_execution::{Execution, execute as execute_message};
use crate::creation::create_account;
use crate::error::{Error, Result};
use crate::pda::Pda;
use crate::state::{Batch, BatchTransaction, EXECUTE, INITIATE, Proposal, Settings, Status};
use crate::sysvars::now;
use crate::wire::{Reader, Text};

/// `create_batch`. Arguments: account_index u8, memo. Accounts: settings [w], batch [w] (created at the next index),
/// creator [s], rent_payer [ws], system_program.
pub fn create(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    let account_index: u8 = argument(arguments)?;
    argument::<Option<Text>>(arguments)?;
    let account = accounts.next()?;
    let mut settings = Settings::load(&account)?;
    let batch_account = accounts.next()?;
    let creator = accounts.signer()?;
    let rent_payer = accounts.signer()?;
    accounts.system_program()?;

    let index = settings.next_transaction_index()?;
    let pda = Pda::transaction(account.key(), index);
    let bump = pda.require(batch_account.key())?;
    create_account(&rent_payer, &batch_account, &pda, bump, Batch::SPACE)?;
    settings.require_address(&account, Error::ConstraintSeeds)?;
    require_writable(&account)?;

    settings.require_member(creator.key(), INITIATE)?;
    let batch = Batch {
        settings: *account.key(),
        creator: *creator.key(),
        rent_collector: *rent_payer.key(),
        index,
        bump,
        account_index,
        account_bump: Pda::smart_account(account.key(), account_index).find()?.1,
        size: 0,
        executed_transaction_index: 0,
    };
    batch.store(&batch_account)?;
    settings.transaction_index = index;
    settings.check_invariants()?;
    settings.store(&account)
}

/// `add_transaction_to_batch`. Arguments: ephemeral_signers u8, message bytes. Accounts: settings, proposal (a draft),
/// batch [w], transaction [w] (created, numbered from one), signer [s] (the batch's creator), rent_payer [ws],
/// system_program.
pub fn add(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    let ephemeral_signers: u8 = argument(arguments)?;
    let message = arguments.counted_bytes().ok_or(Error::InstructionDidNotDeserialize)?;
    let account = accounts.next()?;
    let settings = Settings::load(&account)?;
    let proposal_account = accounts.next()?;
    let proposal = Proposal::load(&proposal_account)?;
    let batch_account = accounts.next()?;
    let mut batch = Batch::load(&batch_account)?;
    let transaction_account = accounts.next()?;
    let signer = accounts.signer()?;
    let rent_payer = accounts.signer()?;
    accounts.system_program()?;

    let number = batch.size.checked_add(1).ok_or(Error::ArithmeticOverflow)?;
    let pda = Pda::batch_transaction(account.key(), batch.index, number);
    let bump = pda.require(transaction_account.key())?;
    let message = read_message(message)?;
    let space = BatchTransaction::space(ephemeral_signers, &message);
    create_account(&rent_payer, &transaction_account, &pda, bump, space)?;
    settings.require_address(&account, Error::ConstraintSeeds)?;
    proposal.require_address(&proposal_account, account.key(), batch.index)?;
    batch.require_account(&batch_account, account.key())?;

    settings.require_member(signer.key(), INITIATE)?;
    if batch.creator != *signer.key() {
        return Err(Error::Unauthorized);
    }
    if !matches!(proposal.status, Status::Draft(_)) {
        return Err(Error::InvalidProposalStatus);
    }
    let transaction = BatchTransaction {
        bump,
        rent_collector: *rent_payer.key(),
        ephemeral_signer_bumps: find_bumps(batch_account.key(), ephemeral_signers)?,
        message,
    };
    transaction.store(&transaction_account)?;
    batch.size = number;
    batch.store(&batch_account)
}

/// `execute_batch_transaction`. No arguments. Accounts: settings, signer [s], proposal [w], batch [w], transaction (the
/// next one); then the message's accounts. The last one marks the proposal executed.
pub fn execute(_: &mut Reader, mut accounts: Accounts) -> Result {
    let account = accounts.next()?;
    let settings = Settings::load(&account)?;
    let signer = accounts.signer()?;
    let proposal_account = accounts.next()?;
    let mut proposal = Proposal::load(&proposal_account)?;
    let batch_account = accounts.next()?;
    let mut batch = Batch::load(&batch_account)?;
    let transaction_account = accounts.next()?;
    let transaction = BatchTransaction::load(&transaction_account)?;

    settings.require_address(&account, Error::ConstraintSeeds)?;
    proposal.require_account(&proposal_account, account.key(), batch.index)?;
    batch.require_account(&batch_account, account.key())?;
    let number = batch.executed_transaction_index.checked_add(1).ok_or(Error::ArithmeticOverflow)?;
    Pda::batch_transaction(account.key(), batch.index, number)
        .require_with_bump(transaction.bump, transaction_account.key())?;

    settings.require_member(signer.key(), EXECUTE)?;
    let now = now();
    proposal.require_executable(&settings, now)?;
    let execution = Execution {
        consensus_key: account.key(),
        ephemeral_parent: batch_account.key(),
        account_index: batch.account_index,
        ephemeral_signer_bumps: &transaction.ephemeral_signer_bumps,
        message: &transaction.message,
        protected_keys: &[*proposal_account.key(), *batch_account.key()],
    };
    execute_message(&execution, accounts.remaining())?;

    batch.executed_transaction_index = number;
    if number == batch.size {
        proposal.status = Status::Executed(now);
    }
    proposal.store(&proposal_account)?;
    batch.store(&batch_account)
}
