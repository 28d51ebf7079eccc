//! `activate_proposal`: turns a draft into an open vote.

use crate::accounts::{Accounts, Stored, require_writable};
use crate::error::{Error, Result};
use crate::state::{INITIATE, Proposal, Settings, Status};
use crate::sysvars::now;
use crate::wire::Reader;

/// No arguments. Accounts: settings, signer [ws], proposal [w]. Logs no event.
pub fn process(_: &mut Reader, mut accounts: Accounts) -> Result {
    let account = accounts.next()?;
    let settings = Settings::load(&account)?;
    let signer = accounts.signer()?;
    let proposal_account = accounts.next()?;
    let mut proposal = Proposal::load(&proposal_account)?;

    settings.require_address(&account, Error::ConstraintSeeds)?;
    require_writable(&signer)?;
    proposal.require_account(&proposal_account, account.key(), proposal.transaction_index)?;

    settings.require_member(signer.key(), INITIATE)?;
    if !matches!(proposal.status, Status::Draft(_)) {
        return Err(Error::InvalidProposalStatus);
    }
    if settings.is_stale(proposal.transaction_index) {
        return Err(Error::StaleProposal);
    }
    proposal.status = Status::Active(now());
    proposal.store(&proposal_account)
}
