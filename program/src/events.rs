//! Events: the program calls its own `log_event`, signing as the settings account, so that readers of a transaction
//! find them among its inner instructions and no other program can produce one.

use crate::instructions::log_event::DISCRIMINATOR;
use crate::pda::Pda;
use crate::pubkey::{PROGRAM_ID, Pubkey};
use crate::public_memory::occupy_for_event;
use crate::runtime::{Account, Call, CallAccount, invoke};
use crate::state::{Proposal, Settings, SettingsTransaction, Transaction};
use crate::wire::{Text, Wire};
use alloc::vec::Vec;

/// The first event byte.
#[derive(Clone, Copy)]
#[repr(u8)]
pub enum Kind {
    CreateSmartAccount = 0,
    SynchronousTransaction = 1,
    SynchronousSettingsTransaction = 2,
    AddSpendingLimit = 3,
    RemoveSpendingLimit = 4,
    UseSpendingLimit = 5,
    AuthoritySettings = 6,
    AuthorityChange = 7,
    Transaction = 8,
    Proposal = 9,
    SynchronousTransactionV2 = 10,
}

/// Consensus type byte of events 8 to 10: a Settings account (policies do not exist here).
pub const CONSENSUS_IS_SETTINGS: u8 = 0;

/// Bytes before the event itself: the instruction's discriminator and the length.
const HEADER_LEN: usize = 12;

/// Logs one event in the name of `account`, which holds `settings`. `fields` appends the event after its kind byte.
pub fn log_event(account: &Account, settings: &Settings, kind: Kind, fields: impl FnOnce(&mut Vec<u8>)) {
    let mut data = Vec::with_capacity(512);
    data.extend_from_slice(&DISCRIMINATOR);
    0u32.write(&mut data);
    data.push(kind as u8);
    fields(&mut data);
    let len = (data.len() - HEADER_LEN) as u32;
    occupy_for_event(len as usize);
    data[8..HEADER_LEN].copy_from_slice(&len.to_le_bytes());

    let authority = CallAccount { account: *account, is_writable: false, is_signer: true };
    let call = Call { program: &PROGRAM_ID, accounts: &[authority], data: &data };
    invoke(&call, &[Pda::Settings { seed: &settings.seed }.seeds(&[settings.bump]).signer()]);
}

/// Appends a list of the accounts' addresses.
pub fn write_keys(accounts: &[Account], out: &mut Vec<u8>) {
    (accounts.len() as u32).write(out);
    for account in accounts {
        account.key().write(out);
    }
}

/// Appends an optional address.
fn write_optional_key(key: Option<&Pubkey>, out: &mut Vec<u8>) {
    out.push(key.is_some() as u8);
    if let Some(key) = key {
        key.write(out);
    }
}

/// What happened to a transaction (second byte after the consensus key).
#[derive(Clone, Copy)]
#[repr(u8)]
pub enum TransactionStep {
    Create = 0,
    Execute = 1,
    Close = 2,
}

/// Event 8 without its content.
pub struct TransactionEvent<'a> {
    pub step: TransactionStep,
    pub transaction: &'a Pubkey,
    pub index: u64,
    pub signer: Option<&'a Pubkey>,
}

/// What event 8 says about the transaction itself.
pub enum Content<'a> {
    /// Nothing: it was closed.
    None,
    /// The wrapped message.
    Transaction(&'a Transaction),
    /// The settings transaction; the settings as they now are and the actions come with it.
    Settings(&'a SettingsTransaction),
}

/// Logs event 8.
pub fn log_transaction(account: &Account, settings: &Settings, event: &TransactionEvent, content: Content) {
    log_event(account, settings, Kind::Transaction, |out| {
        account.key().write(out);
        out.extend_from_slice(&[CONSENSUS_IS_SETTINGS, event.step as u8]);
        event.transaction.write(out);
        event.index.write(out);
        write_optional_key(event.signer, out);
        out.push(0); // no memo: memos of transactions are not kept
        match content {
            Content::None => out.push(0),
            Content::Transaction(transaction) => {
                out.extend_from_slice(&[1, 0]);
                transaction.write(out);
            }
            Content::Settings(transaction) => {
                out.extend_from_slice(&[1, 1]);
                settings.write(out);
                transaction.write(out);
                transaction.actions.write(out);
            }
        }
    });
}

/// What happened to a proposal (second byte after the consensus key).
#[derive(Clone, Copy)]
#[repr(u8)]
pub enum ProposalStep {
    Create = 0,
    Approve = 1,
    Reject = 2,
    Cancel = 3,
    Execute = 4,
    Close = 5,
}

/// Event 9 without the proposal.
pub struct ProposalEvent<'a> {
    pub step: ProposalStep,
    pub proposal: &'a Pubkey,
    pub index: u64,
    pub signer: Option<&'a Pubkey>,
    pub memo: Option<Text>,
}

/// Logs event 9; `proposal` is its state afterwards, or `None` when it was closed.
pub fn log_proposal(
    account: &Account,
    settings: &Settings,
    event: &ProposalEvent,
    proposal: Option<&Proposal>,
) {
    log_event(account, settings, Kind::Proposal, |out| {
        account.key().write(out);
        out.extend_from_slice(&[CONSENSUS_IS_SETTINGS, event.step as u8]);
        event.proposal.write(out);
        event.index.write(out);
        write_optional_key(event.signer, out);
        event.memo.write(out);
        out.push(proposal.is_some() as u8);
        if let Some(proposal) = proposal {
            proposal.write(out);
        }
    });
}
