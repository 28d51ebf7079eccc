//! Transaction buffers: `create_transaction_buffer`, `extend_transaction_buffer`, `close_transaction_buffer`. What is
//! put together here becomes a transaction by `create_transaction_from_buffer`. No events.

use crate::accounts::{Accounts, Stored, argument, require_writable};
use crate::creation::create_account;
use crate::error::{Error, Result};
use crate::pda::Pda;
use crate::pubkey::Pubkey;
use crate::runtime::Account;
use crate::state::{INITIATE, Settings, TransactionBuffer};
use crate::wire::{Reader, wire_struct};
use alloc::vec::Vec;

wire_struct! {
    pub struct Arguments {
        pub buffer_index: u8,
        pub account_index: u8,
        pub final_buffer_hash: [u8; 32],
        pub final_buffer_size: u16,
        /// The first part; may be empty.
        pub buffer: Vec<u8>,
    }
}

/// `create_transaction_buffer`. Accounts: consensus_account, transaction_buffer [w] (created), creator [s], rent_payer
/// [ws], system_program.
pub fn create(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    let arguments: Arguments = argument(arguments)?;
    let account = accounts.next()?;
    let settings = Settings::load_consensus(&account)?;
    let buffer_account = accounts.next()?;
    let creator = accounts.signer()?;
    let rent_payer = accounts.signer()?;
    accounts.system_program()?;

    let pda = Pda::transaction_buffer(account.key(), creator.key(), arguments.buffer_index);
    let bump = pda.require(buffer_account.key())?;
    let space = TransactionBuffer::space(arguments.final_buffer_size)?;
    create_account(&rent_payer, &buffer_account, &pda, bump, space)?;
    settings.require_address(&account, Error::ConstraintRaw)?;

    settings.require_member(creator.key(), INITIATE)?;
    if arguments.buffer.len() > arguments.final_buffer_size as usize {
        return Err(Error::FinalBufferSizeMismatch);
    }
    let buffer = TransactionBuffer {
        settings: *account.key(),
        creator: *creator.key(),
        buffer_index: arguments.buffer_index,
        account_index: arguments.account_index,
        final_buffer_hash: arguments.final_buffer_hash,
        final_buffer_size: arguments.final_buffer_size,
        buffer: arguments.buffer,
    };
    buffer.store(&buffer_account)
}

/// `extend_transaction_buffer`. Arguments: the next part. Accounts: consensus_account, transaction_buffer [w], creator
/// [s], who must still be allowed to initiate.
pub fn extend(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    let part = arguments.counted_bytes().ok_or(Error::InstructionDidNotDeserialize)?;
    let account = accounts.next()?;
    let settings = Settings::load_consensus(&account)?;
    let buffer_account = accounts.next()?;
    let mut buffer = TransactionBuffer::load(&buffer_account)?;
    let creator = accounts.signer()?;

    settings.require_address(&account, Error::ConstraintRaw)?;
    require_buffer(&buffer, &buffer_account, account.key(), creator.key())?;

    settings.require_member(creator.key(), INITIATE)?;
    buffer.extend(part)?;
    buffer.store(&buffer_account)
}

/// `close_transaction_buffer`. No arguments. Accounts: consensus_account, transaction_buffer [w], creator [s], who gets
/// the rent and need not be a member any more.
pub fn close(_: &mut Reader, mut accounts: Accounts) -> Result {
    let account = accounts.next()?;
    let settings = Settings::load_consensus(&account)?;
    let buffer_account = accounts.next()?;
    let buffer = TransactionBuffer::load(&buffer_account)?;
    let creator = accounts.signer()?;

    settings.require_address(&account, Error::ConstraintRaw)?;
    require_buffer(&buffer, &buffer_account, account.key(), creator.key())?;
    buffer_account.close(&creator)
}

/// Refuses a buffer that is not the creator's own under this account, or read-only.
pub fn require_buffer(
    buffer: &TransactionBuffer,
    account: &Account,
    consensus: &Pubkey,
    creator: &Pubkey,
) -> Result {
    Pda::transaction_buffer(consensus, creator, buffer.buffer_index).require(account.key())?;
    require_writable(account)
}
