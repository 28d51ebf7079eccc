//! `create_transaction`: stores a wrapped message for a vote.

use crate::accounts::{Accounts, Stored, argument, require_writable};
use crate::creation::create_account;
use crate::error::{Error, Result};
use crate::events::{Content, TransactionEvent, TransactionStep, log_transaction};
use crate::pda::Pda;
use crate::pubkey::Pubkey;
use crate::state::{INITIATE, Settings, Transaction, TransactionMessage, TransactionTag};
use crate::wire::{Reader, Text};
use alloc::vec::Vec;

struct Arguments<'a> {
    account_index: u8,
    ephemeral_signers: u8,
    /// The compact message, not decoded yet.
    message: &'a [u8],
}

/// Arguments: tag 0, account_index u8, ephemeral_signers u8, message bytes, memo. Accounts: consensus_account [w],
/// transaction [w] (created at the next index), creator [s], rent_payer [ws], system_program, program.
pub fn process(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    let arguments = read_arguments(arguments)?;
    let account = accounts.next()?;
    let mut settings = Settings::load(&account)?;
    let transaction_account = accounts.next()?;
    let creator = accounts.signer()?;
    let rent_payer = accounts.signer()?;
    accounts.system_program()?;
    accounts.this_program()?;

    require_writable(&account)?;
    settings.require_address(&account, Error::ConstraintRaw)?;
    let index = settings.next_transaction_index()?;
    let pda = Pda::transaction(account.key(), index);
    let bump = pda.require(transaction_account.key())?;
    let message = read_message(arguments.message)?;
    let space = Transaction::space(arguments.ephemeral_signers, &message);
    create_account(&rent_payer, &transaction_account, &pda, bump, space)?;

    settings.require_member(creator.key(), INITIATE)?;
    let transaction = Transaction {
        consensus_account: *account.key(),
        creator: *creator.key(),
        rent_collector: *rent_payer.key(),
        index,
        tag: TransactionTag,
        account_index: arguments.account_index,
        ephemeral_signer_bumps: find_bumps(transaction_account.key(), arguments.ephemeral_signers)?,
        message,
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
    log_transaction(&account, &settings, &event, Content::Transaction(&transaction));
    Ok(())
}

/// Tag 1 carries a policy payload, which a settings account has no use for.
fn read_arguments<'a>(reader: &mut Reader<'a>) -> Result<Arguments<'a>> {
    match argument::<u8>(reader)? {
        0 => {}
        1 => return Err(Error::InvalidPayload),
        _ => return Err(Error::InstructionDidNotDeserialize),
    }
    let account_index = argument(reader)?;
    let ephemeral_signers = argument(reader)?;
    let message = reader.counted_bytes().ok_or(Error::InstructionDidNotDeserialize)?;
    argument::<Option<Text>>(reader)?;
    Ok(Arguments { account_index, ephemeral_signers, message })
}

fn read_message(bytes: &[u8]) -> Result<TransactionMessage> {
    let message = TransactionMessage::read_compact(&mut Reader::new(bytes)).ok_or(Error::BorshIoError)?;
    message.check()?;
    Ok(message)
}

/// The bumps of the throw-away signers, kept so that the execution need not search them.
fn find_bumps(transaction: &Pubkey, count: u8) -> Result<Vec<u8>> {
    (0..count).map(|number| Pda::ephemeral_signer(transaction, number).find().map(|(_, bump)| bump)).collect()
}
