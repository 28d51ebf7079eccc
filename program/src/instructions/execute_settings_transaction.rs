//! Changing the settings of an autonomous account: voted, or with enough members signing together.

use crate::accounts::{Accounts, Stored, argument, require_optional_writable, require_writable};
use crate::creation::GrowthPayer;
use crate::error::{Error, Result};
use crate::events::{
    Content, Kind, ProposalEvent, ProposalStep, TransactionEvent, TransactionStep, log_event, log_proposal,
    log_transaction, write_keys,
};
use crate::pda::Pda;
use crate::settings_change::SettingsChange;
use crate::state::{
    EXECUTE, Proposal, Settings, SettingsTransaction, Status, check_actions, check_expirations, read_actions,
};
use crate::sync_consensus::require_consensus;
use crate::sysvars::now;
use crate::wire::{Reader, Text, Wire};

/// `execute_settings_transaction`. No arguments. Accounts: settings [w], signer [s], proposal [w], transaction,
/// rent_payer (optional) [ws], system_program (optional), program; then the spending limits of the actions [w].
pub fn process(_: &mut Reader, mut accounts: Accounts) -> Result {
    let account = accounts.next()?;
    let mut settings = Settings::load(&account)?;
    let signer = accounts.signer()?;
    let proposal_account = accounts.next()?;
    let mut proposal = Proposal::load(&proposal_account)?;
    let transaction_account = accounts.next()?;
    let transaction = SettingsTransaction::load(&transaction_account)?;
    let growth = take_growth_payer(&mut accounts)?;
    accounts.this_program()?;

    settings.require_address(&account, Error::ConstraintSeeds)?;
    require_writable(&account)?;
    proposal.require_account(&proposal_account, account.key(), transaction.index)?;
    Pda::transaction(account.key(), transaction.index)
        .require_with_bump(transaction.bump, transaction_account.key())?;
    require_optional_writable(&growth.payer)?;

    settings.require_member(signer.key(), EXECUTE)?;
    let now = now();
    proposal.require_executable(&settings, now)?;
    if settings.is_stale(transaction.index) {
        return Err(Error::StaleProposal);
    }
    check_expirations(&transaction.actions, now)?;

    SettingsChange { account, growth, candidates: accounts.remaining() }
        .apply(&mut settings, &transaction.actions)?;
    proposal.status = Status::Executed(now);
    proposal.store(&proposal_account)?;

    let event = TransactionEvent {
        step: TransactionStep::Execute,
        transaction: transaction_account.key(),
        index: transaction.index,
        signer: Some(signer.key()),
    };
    log_transaction(&account, &settings, &event, Content::Settings(&transaction));
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

/// `execute_settings_transaction_sync`. Arguments: num_signers u8, actions, memo. Accounts: consensus_account [w],
/// rent_payer (optional) [ws], system_program (optional), program; then the signing members, then the spending
/// limits of the actions [w].
pub fn process_sync(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    let num_signers: u8 = argument(arguments)?;
    let actions = read_actions(arguments)?;
    argument::<Option<Text>>(arguments)?;
    let account = accounts.next()?;
    let mut settings = Settings::load_consensus(&account)?;
    let growth = take_growth_payer(&mut accounts)?;
    accounts.this_program()?;

    require_writable(&account)?;
    settings.require_address(&account, Error::ConstraintRaw)?;
    require_optional_writable(&growth.payer)?;

    settings.require_autonomous()?;
    check_actions(&actions, now())?;
    let (signers, candidates) = require_consensus(&settings, accounts.remaining(), num_signers)?;
    SettingsChange { account, growth, candidates }.apply(&mut settings, &actions)?;

    log_event(&account, &settings, Kind::SynchronousSettingsTransaction, |out| {
        account.key().write(out);
        write_keys(signers, out);
        settings.write(out);
        actions.write(out);
    });
    Ok(())
}

fn take_growth_payer<'a>(accounts: &mut Accounts<'a>) -> Result<GrowthPayer<'a>> {
    let payer = accounts.optional_signer()?;
    let system_program = accounts.optional_system_program()?;
    Ok(GrowthPayer { payer, system_program })
}
