//! `create_settings_transaction`: stores a list of settings changes for a vote.

use crate::accounts::{Accounts, Stored, argument, require_writable};
use crate::creation::create_account;
use crate::error::{Error, Result};
use crate::events::{Content, TransactionEvent, TransactionStep, log_transaction};
use crate::pda::Pda;
use crate::public_memory::occupy_for_stored;
use crate::state::{INITIATE, Settings, SettingsTransaction, check_actions, read_actions};
use crate::sysvars::now;
use crate::wire::{Reader, Text};

/// Arguments: actions, memo. Accounts: settings [w], transaction [w] (created at the next index), creator [s],
/// rent_payer [ws], system_program, program.
pub fn process(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    let actions = read_actions(arguments)?;
    argument::<Option<Text>>(arguments)?;
    let account = accounts.next()?;
    let mut settings = Settings::load(&account)?;
    let transaction_account = accounts.next()?;
    let creator = accounts.signer()?;
    let rent_payer = accounts.signer()?;
    accounts.system_program()?;
    accounts.this_program()?;

    let index = settings.next_transaction_index()?;
    let pda = Pda::transaction(account.key(), index);
    let bump = pda.require(transaction_account.key())?;
    let space = SettingsTransaction::space(&actions);
    create_account(&rent_payer, &transaction_account, &pda, bump, space)?;
    settings.require_address(&account, Error::ConstraintSeeds)?;
    require_writable(&account)?;

    settings.require_autonomous()?;
    settings.require_member(creator.key(), INITIATE)?;
    check_actions(&actions, now())?;
    occupy_for_stored(&actions);

    let transaction = SettingsTransaction {
        settings: *account.key(),
        creator: *creator.key(),
        rent_collector: *rent_payer.key(),
        index,
        bump,
        actions,
    };
    transaction.store(&transaction_account)?;
    settings.transaction_index = index;
    settings.check_invariants()?;
    settings.store(&account)?;

    let event = TransactionEvent {
        step: TransactionStep::Create,
        transaction: transaction_account.key(),
        index,
        signer: Some(creator.key()),
    };
    log_transaction(&account, &settings, &event, Content::Settings(&transaction));
    Ok(())
}
