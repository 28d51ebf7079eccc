//! `close_transaction` and `close_settings_transaction`: give the rent back once a transaction is done with. No signer of
//! the account has to sign.

use crate::accounts::{Accounts, Stored, require_writable};
use crate::error::{Error, Result};
use crate::events::{
    Content, ProposalEvent, ProposalStep, TransactionEvent, TransactionStep, log_proposal, log_transaction,
};
use crate::pda::Pda;
use crate::pubkey::{PROGRAM_ID, Pubkey};
use crate::runtime::Account;
use crate::state::{Proposal, Settings, SettingsTransaction, Status, Transaction};
use crate::wire::Reader;

/// What both kinds of transaction say about their closing.
struct Closable {
    consensus_account: Pubkey,
    index: u64,
    rent_collector: Pubkey,
    /// Whether an approved proposal can be closed when it is stale: only if it can no longer be executed.
    approved_expires: bool,
    /// The error of settings that are not at their address.
    misplaced_settings: Error,
}

/// `close_transaction`. Accounts as in `close`.
pub fn close_transaction(_: &mut Reader, accounts: Accounts) -> Result {
    close(accounts, |account| {
        Transaction::load(account).map(|transaction| Closable {
            consensus_account: transaction.consensus_account,
            index: transaction.index,
            rent_collector: transaction.rent_collector,
            approved_expires: false,
            misplaced_settings: Error::ConstraintRaw,
        })
    })
}

/// `close_settings_transaction`. Accounts as in `close`.
pub fn close_settings_transaction(_: &mut Reader, accounts: Accounts) -> Result {
    close(accounts, |account| {
        SettingsTransaction::load(account).map(|transaction| Closable {
            consensus_account: transaction.settings,
            index: transaction.index,
            rent_collector: transaction.rent_collector,
            approved_expires: true,
            misplaced_settings: Error::ConstraintSeeds,
        })
    })
}

/// Accounts: consensus_account, proposal [w] (may not exist), transaction [w], proposal_rent_collector [w],
/// transaction_rent_collector [w], system_program, program.
fn close(mut accounts: Accounts, load: fn(&Account) -> Result<Closable>) -> Result {
    let account = accounts.next()?;
    let settings = Settings::load(&account)?;
    let proposal_account = accounts.next()?;
    let transaction_account = accounts.next()?;
    let transaction = load(&transaction_account)?;
    let proposal_collector = accounts.next()?;
    let transaction_collector = accounts.next()?;
    accounts.system_program()?;
    accounts.this_program()?;

    settings.require_address(&account, transaction.misplaced_settings)?;
    Pda::proposal(account.key(), transaction.index).require(proposal_account.key())?;
    require_writable(&proposal_account)?;
    require_writable(&transaction_account)?;
    // Its own address need not be derived: only the program makes transactions, each at the address that its consensus
    // account and index give.
    if transaction.consensus_account != *account.key() {
        return Err(Error::TransactionForAnotherSmartAccount);
    }
    if transaction_account.key() == transaction_collector.key() {
        return Err(Error::ConstraintClose);
    }
    require_writable(&proposal_collector)?;
    require_writable(&transaction_collector)?;
    if transaction.rent_collector != *transaction_collector.key() {
        return Err(Error::InvalidRentCollector);
    }

    let proposal = load_if_present(&proposal_account)?;
    let status = proposal.as_ref().map(|proposal| proposal.status);
    if !is_closable(status, settings.is_stale(transaction.index), transaction.approved_expires) {
        return Err(Error::InvalidProposalStatus);
    }
    if let Some(proposal) = &proposal {
        if proposal.rent_collector != *proposal_collector.key() {
            return Err(Error::InvalidRentCollector);
        }
        log_closed_proposal(&account, &settings, proposal_account.key(), transaction.index);
    }
    if !transaction.approved_expires {
        log_closed_transaction(&account, &settings, transaction_account.key(), transaction.index);
    }

    if proposal.is_some() {
        proposal_account.close(&proposal_collector)?;
    }
    transaction_account.close(&transaction_collector)
}

/// The proposal, unless there is none; lamports that were sent to its address do not make one.
pub fn load_if_present(account: &Account) -> Result<Option<Proposal>> {
    if account.owner() == PROGRAM_ID { Proposal::load(account).map(Some) } else { Ok(None) }
}

/// Whether the rent can be given back. `approved_expires`: whether an approved one that is stale can no longer be executed.
pub fn is_closable(status: Option<Status>, is_stale: bool, approved_expires: bool) -> bool {
    match status {
        Some(Status::Executed(_) | Status::Rejected(_) | Status::Cancelled(_)) => true,
        Some(Status::Draft(_) | Status::Active(_)) | None => is_stale,
        Some(Status::Approved(_)) => is_stale && approved_expires,
        Some(Status::Executing) => false,
    }
}

/// Event 9 of a proposal that is closed.
pub fn log_closed_proposal(account: &Account, settings: &Settings, proposal: &Pubkey, index: u64) {
    let event = ProposalEvent { step: ProposalStep::Close, proposal, index, signer: None, memo: None };
    log_proposal(account, settings, &event, None);
}

/// Settings transactions close without this event, as in the public program.
fn log_closed_transaction(account: &Account, settings: &Settings, transaction: &Pubkey, index: u64) {
    let event = TransactionEvent { step: TransactionStep::Close, transaction, index, signer: None };
    log_transaction(account, settings, &event, Content::None);
}
