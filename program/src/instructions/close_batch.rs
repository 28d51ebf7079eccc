//! `close_batch_transaction` and `close_batch`: give the rent of a batch back, last transaction first. No signer of the
//! account has to sign.

use super::close::{is_closable, load_if_present, log_closed_proposal};
use crate::accounts::{Accounts, Stored, require_writable};
use crate::error::{Error, Result};
use crate::pda::Pda;
use crate::state::{Batch, BatchTransaction, Proposal, Settings};
use crate::wire::Reader;

/// `close_batch_transaction`. No arguments. Accounts: settings, proposal, batch [w], transaction [w], rent_collector
/// [w], system_program.
pub fn close_transaction(_: &mut Reader, mut accounts: Accounts) -> Result {
    let account = accounts.next()?;
    let settings = Settings::load(&account)?;
    let proposal_account = accounts.next()?;
    let proposal = Proposal::load(&proposal_account)?;
    let batch_account = accounts.next()?;
    let mut batch = Batch::load(&batch_account)?;
    let transaction_account = accounts.next()?;
    let transaction = BatchTransaction::load(&transaction_account)?;
    let rent_collector = accounts.next()?;
    accounts.system_program()?;

    // Settings, proposal and batch are found together by what they hold; only the program writes that.
    if proposal.consensus_account != *account.key() {
        return Err(Error::ProposalForAnotherSmartAccount);
    }
    require_writable(&batch_account)?;
    if batch.settings != *account.key() {
        return Err(Error::TransactionForAnotherSmartAccount);
    }
    if proposal.transaction_index != batch.index {
        return Err(Error::TransactionNotMatchingProposal);
    }
    require_writable(&transaction_account)?;
    if transaction_account.key() == rent_collector.key() {
        return Err(Error::ConstraintClose);
    }
    require_writable(&rent_collector)?;
    if transaction.rent_collector != *rent_collector.key() {
        return Err(Error::InvalidRentCollector);
    }

    Pda::batch_transaction(account.key(), batch.index, batch.size)
        .require_with_bump(transaction.bump, transaction_account.key())
        .map_err(|_| Error::TransactionNotLastInBatch)?;
    if !is_closable(Some(proposal.status), settings.is_stale(batch.index), false) {
        return Err(Error::InvalidProposalStatus);
    }
    batch.size = batch.size.checked_sub(1).ok_or(Error::ArithmeticOverflow)?;
    batch.store(&batch_account)?;
    transaction_account.close(&rent_collector)
}

/// `close_batch`. No arguments. Accounts: settings, proposal [w] (may not exist), batch [w], proposal_rent_collector
/// [w], batch_rent_collector [w], system_program, program.
pub fn close_batch(_: &mut Reader, mut accounts: Accounts) -> Result {
    let account = accounts.next()?;
    let settings = Settings::load(&account)?;
    let proposal_account = accounts.next()?;
    let batch_account = accounts.next()?;
    let batch = Batch::load(&batch_account)?;
    let proposal_collector = accounts.next()?;
    let batch_collector = accounts.next()?;
    accounts.system_program()?;
    accounts.this_program()?;

    settings.require_address(&account, Error::ConstraintSeeds)?;
    Pda::proposal(account.key(), batch.index).require(proposal_account.key())?;
    require_writable(&proposal_account)?;
    batch.require_account(&batch_account, account.key())?;
    if batch_account.key() == batch_collector.key() {
        return Err(Error::ConstraintClose);
    }
    require_writable(&proposal_collector)?;
    require_writable(&batch_collector)?;
    if batch.rent_collector != *batch_collector.key() {
        return Err(Error::InvalidRentCollector);
    }

    let proposal = load_if_present(&proposal_account)?;
    let status = proposal.as_ref().map(|proposal| proposal.status);
    if !is_closable(status, settings.is_stale(batch.index), false) {
        return Err(Error::InvalidProposalStatus);
    }
    if batch.size != 0 {
        return Err(Error::BatchNotEmpty);
    }
    if let Some(proposal) = &proposal {
        if proposal.rent_collector != *proposal_collector.key() {
            return Err(Error::InvalidRentCollector);
        }
        log_closed_proposal(&account, &settings, proposal_account.key(), batch.index);
        proposal_account.close(&proposal_collector)?;
    }
    batch_account.close(&batch_collector)
}
