//! `create_transaction`: stores a wrapped message for a vote.

use super::transaction_buffer::require_buffer;
use crate::accounts::{Accounts, Stored, argument, require_writable};
use crate::creation::create_account;
use crate::error::{Error, Result};
use crate::events::{Content, TransactionEvent, TransactionStep, log_transaction};
use crate::pda::Pda;
use crate::pubkey::Pubkey;
use crate::public_memory::occupy_for_buffer;
use crate::runtime::Account;
use crate::state::{INITIATE, Settings, Transaction, TransactionBuffer, TransactionMessage, TransactionTag};
use crate::system;
use crate::sysvars::minimum_balance;
use crate::wire::{Reader, Text};
use alloc::vec::Vec;

struct Arguments<'a> {
    account_index: u8,
    ephemeral_signers: u8,
    /// The compact message, not decoded yet.
    message: &'a [u8],
}

/// The accounts of `create_transaction`, the new one created.
struct Creation<'a> {
    account: Account<'a>,
    settings: Settings,
    transaction_account: Account<'a>,
    creator: Account<'a>,
    rent_payer: Account<'a>,
    index: u64,
}

impl<'a> Creation<'a> {
    /// Accounts: consensus_account [w], transaction [w] (created at the next index, for `message`), creator [s],
    /// rent_payer [ws], system_program, program.
    fn take(accounts: &mut Accounts<'a>, arguments: &Arguments) -> Result<(Self, TransactionMessage)> {
        let account = accounts.next()?;
        let settings = Settings::load_consensus(&account)?;
        let transaction_account = accounts.next()?;
        let creator = accounts.signer()?;
        let rent_payer = accounts.signer()?;
        accounts.system_program()?;
        accounts.this_program()?;

        let index = settings.next_transaction_index()?;
        let pda = Pda::transaction(account.key(), index);
        let bump = pda.require(transaction_account.key())?;
        let message = read_message(arguments.message)?;
        let space = Transaction::space(arguments.ephemeral_signers, &message);
        create_account(&rent_payer, &transaction_account, &pda, bump, space)?;
        require_writable(&account)?;
        settings.require_address(&account, Error::ConstraintRaw)?;
        Ok((Creation { account, settings, transaction_account, creator, rent_payer, index }, message))
    }

    /// Stores `message` and logs it; the account has room for it.
    fn finish(mut self, arguments: &Arguments, message: TransactionMessage) -> Result {
        self.settings.require_member(self.creator.key(), INITIATE)?;
        let transaction_key = self.transaction_account.key();
        let transaction = Transaction {
            consensus_account: *self.account.key(),
            creator: *self.creator.key(),
            rent_collector: *self.rent_payer.key(),
            index: self.index,
            tag: TransactionTag,
            account_index: arguments.account_index,
            ephemeral_signer_bumps: find_bumps(transaction_key, arguments.ephemeral_signers)?,
            message,
        };
        transaction.store(&self.transaction_account)?;
        self.settings.transaction_index = self.index;
        self.settings.check_invariants()?;
        self.settings.store(&self.account)?;

        let event = TransactionEvent {
            step: TransactionStep::Create,
            transaction: transaction_key,
            index: self.index,
            signer: Some(self.creator.key()),
        };
        log_transaction(&self.account, &self.settings, &event, Content::Transaction(&transaction));
        Ok(())
    }
}

/// `create_transaction`. Arguments: tag 0, account_index u8, ephemeral_signers u8, message bytes, memo. Accounts as in
/// `Creation`.
pub fn process(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    let arguments = read_arguments(arguments)?;
    let (creation, message) = Creation::take(&mut accounts, &arguments)?;
    creation.finish(&arguments, message)
}

/// The message that stands for "in the buffer".
const IN_BUFFER: [u8; 6] = [0; 6];

/// `create_transaction_from_buffer`. Arguments as above with an empty message of six zeros. Accounts: those above, then
/// transaction_buffer [w], which is closed, and creator [ws], who gets its rent.
pub fn process_from_buffer(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    let arguments = read_arguments(arguments)?;
    let (creation, _) = Creation::take(&mut accounts, &arguments)?;
    let buffer_account = accounts.next()?;
    let buffer = TransactionBuffer::load(&buffer_account)?;
    let buffer_creator = accounts.signer()?;

    require_buffer(&buffer, &buffer_account, creation.account.key(), buffer_creator.key())?;
    require_writable(&buffer_creator)?;
    if buffer_creator.key() != creation.creator.key() {
        return Err(Error::ConstraintAddress);
    }

    if arguments.message != IN_BUFFER {
        return Err(Error::InvalidInstructionArgs);
    }
    buffer.require_complete()?;
    occupy_for_buffer(buffer.buffer.len());
    let message = read_message(&buffer.buffer)?;
    let space = Transaction::space(arguments.ephemeral_signers, &message);
    let missing = minimum_balance(space)?.saturating_sub(creation.transaction_account.lamports());
    // Also when nothing is missing: the public program makes this call every time.
    system::transfer(&creation.rent_payer, &creation.transaction_account, missing, &[]);
    creation.transaction_account.grow(space)?;
    creation.finish(&arguments, message)?;
    buffer_account.close(&buffer_creator)
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

/// Decodes a compact message and refuses a malformed one.
pub fn read_message(bytes: &[u8]) -> Result<TransactionMessage> {
    let message = TransactionMessage::read_compact(&mut Reader::new(bytes)).ok_or(Error::BorshIoError)?;
    message.check()?;
    Ok(message)
}

/// The bumps of the throw-away signers, kept so that the execution need not search them.
pub fn find_bumps(transaction: &Pubkey, count: u8) -> Result<Vec<u8>> {
    (0..count).map(|number| Pda::ephemeral_signer(transaction, number).find().map(|(_, bump)| bump)).collect()
}
