//! `approve_proposal`, `reject_proposal`, `cancel_proposal`.

use crate::accounts::{Accounts, Stored, argument, require_writable};
use crate::creation::{GrowthPayer, grow_account};
use crate::error::{Error, Result};
use crate::events::{ProposalEvent, ProposalStep, log_proposal};
use crate::state::{Proposal, Settings, Status, VOTE, Vote};
use crate::sysvars::now;
use crate::wire::{Reader, Text};

/// `approve_proposal`; arguments and accounts as in `process`.
pub fn approve(arguments: &mut Reader, accounts: Accounts) -> Result {
    process(arguments, accounts, Vote::Approve)
}

/// `reject_proposal`; arguments and accounts as in `process`.
pub fn reject(arguments: &mut Reader, accounts: Accounts) -> Result {
    process(arguments, accounts, Vote::Reject)
}

/// `cancel_proposal`; arguments and accounts as in `process`.
pub fn cancel(arguments: &mut Reader, accounts: Accounts) -> Result {
    process(arguments, accounts, Vote::Cancel)
}

/// Arguments: memo. Accounts: consensus_account, signer [ws], proposal [w], system_program (optional, needed to
/// cancel), program.
fn process(arguments: &mut Reader, mut accounts: Accounts, vote: Vote) -> Result {
    let memo: Option<Text> = argument(arguments)?;
    let account = accounts.next()?;
    let settings = Settings::load_consensus(&account)?;
    let signer = accounts.signer()?;
    let proposal_account = accounts.next()?;
    let mut proposal = Proposal::load(&proposal_account)?;
    let system_program = accounts.optional_system_program()?;
    accounts.this_program()?;

    settings.require_address(&account, Error::ConstraintRaw)?;
    require_writable(&signer)?;
    proposal.require_account(&proposal_account, account.key(), proposal.transaction_index)?;

    settings.require_member(signer.key(), VOTE)?;
    require_open(&proposal, &settings, vote)?;
    if matches!(vote, Vote::Cancel) && system_program.is_none() {
        return Err(Error::MissingAccount);
    }
    proposal.vote(vote, signer.key(), &settings, now())?;
    if matches!(vote, Vote::Cancel) {
        let growth = GrowthPayer { payer: Some(signer), system_program };
        grow_account(&proposal_account, Proposal::space(settings.signers.len()), &growth)?;
    }
    proposal.store(&proposal_account)?;
    let event = ProposalEvent {
        step: step_of(vote),
        proposal: proposal_account.key(),
        index: proposal.transaction_index,
        signer: Some(signer.key()),
        memo,
    };
    log_proposal(&account, &settings, &event, Some(&proposal));
    Ok(())
}

/// Approving and rejecting need an open vote on current settings; cancelling needs an approved proposal, which may
/// be stale because a stale payment can still be executed.
fn require_open(proposal: &Proposal, settings: &Settings, vote: Vote) -> Result {
    match (vote, proposal.status) {
        (Vote::Cancel, Status::Approved(_)) => Ok(()),
        (Vote::Approve | Vote::Reject, Status::Active(_)) => {
            if settings.is_stale(proposal.transaction_index) { Err(Error::StaleProposal) } else { Ok(()) }
        }
        _ => Err(Error::InvalidProposalStatus),
    }
}

fn step_of(vote: Vote) -> ProposalStep {
    match vote {
        Vote::Approve => ProposalStep::Approve,
        Vote::Reject => ProposalStep::Reject,
        Vote::Cancel => ProposalStep::Cancel,
    }
}
