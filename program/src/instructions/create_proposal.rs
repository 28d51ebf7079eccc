//! `create_proposal`: opens the vote on a transaction index.

use crate::accounts::{Accounts, Stored, argument};
use crate::creation::create_account;
use crate::error::{Error, Result};
use crate::events::{ProposalEvent, ProposalStep, log_proposal};
use crate::pda::Pda;
use crate::state::{INITIATE, Proposal, Settings, Status, VOTE};
use crate::sysvars::now;
use crate::wire::{Reader, wire_struct};
use alloc::vec::Vec;

wire_struct! {
    pub struct Arguments {
        pub transaction_index: u64,
        /// 1: votes only after `activate_proposal`.
        pub draft: bool,
    }
}

/// Accounts: consensus_account, proposal [w] (created), creator [s], rent_payer [ws], system_program, program.
/// Whether a transaction exists at the index is not checked.
pub fn process(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    let Arguments { transaction_index, draft } = argument(arguments)?;
    let account = accounts.next()?;
    let settings = Settings::load_consensus(&account)?;
    let proposal_account = accounts.next()?;
    let creator = accounts.signer()?;
    let rent_payer = accounts.signer()?;
    accounts.system_program()?;
    accounts.this_program()?;

    let pda = Pda::proposal(account.key(), transaction_index);
    let bump = pda.require(proposal_account.key())?;
    let space = Proposal::space(settings.signers.len());
    create_account(&rent_payer, &proposal_account, &pda, bump, space)?;
    settings.require_address(&account, Error::ConstraintRaw)?;

    if transaction_index > settings.transaction_index {
        return Err(Error::InvalidTransactionIndex);
    }
    if settings.is_stale(transaction_index) {
        return Err(Error::StaleProposal);
    }
    settings.require_member(creator.key(), INITIATE | VOTE)?;

    let now = now();
    let proposal = Proposal {
        consensus_account: *account.key(),
        transaction_index,
        rent_collector: *rent_payer.key(),
        status: if draft { Status::Draft(now) } else { Status::Active(now) },
        bump,
        approved: Vec::new(),
        rejected: Vec::new(),
        cancelled: Vec::new(),
    };
    proposal.store(&proposal_account)?;
    let event = ProposalEvent {
        step: ProposalStep::Create,
        proposal: proposal_account.key(),
        index: transaction_index,
        signer: Some(creator.key()),
        memo: None,
    };
    log_proposal(&account, &settings, &event, Some(&proposal));
    Ok(())
}
