//! Running a stored message once its proposal was approved.

use crate::error::{Error, Result};
use crate::inner_call::{InnerCalls, select};
use crate::pda::{Pda, Seeds};
use crate::pubkey::Pubkey;
use crate::runtime::{Account, CallAccount, Signer};
use crate::state::{LookupTable, Transaction, TransactionMessage};
use alloc::vec::Vec;

/// A stored transaction and the accounts around it.
pub struct Execution<'a> {
    pub consensus_key: &'a Pubkey,
    pub transaction_key: &'a Pubkey,
    pub transaction: &'a Transaction,
    /// No inner instruction may write to it.
    pub protected_key: &'a Pubkey,
}

/// Checks `accounts` (lookup tables, then the message's keys, then what the tables yield) against the message and
/// runs its instructions, signed by the vault and the throw-away signers.
pub fn execute(execution: &Execution, accounts: &[Account]) -> Result {
    let transaction = execution.transaction;
    let (pdas, bumps) = own_signers(execution)?;
    let mut own_keys = Vec::with_capacity(pdas.len());
    for (pda, bump) in pdas.iter().zip(&bumps) {
        own_keys.push(pda.with_bump(bump[0]).ok_or(Error::ConstraintSeeds)?);
    }
    let mut resolver = Resolver { message: &transaction.message, own_keys: &own_keys, resolved: Vec::new() };
    resolver.resolve(accounts)?;
    refuse_protected(&transaction.message, &resolver.resolved, execution.protected_key)?;

    let seeds: Vec<Seeds> = pdas.iter().zip(&bumps).map(|(pda, bump)| pda.seeds(bump)).collect();
    let signers: Vec<Signer> = seeds.iter().map(Seeds::signer).collect();
    InnerCalls { accounts: &resolver.resolved, signers: &signers }.run(&transaction.message.instructions)
}

/// The derived addresses that sign: the vault, then the throw-away signers, each with its bump.
fn own_signers<'a>(execution: &Execution<'a>) -> Result<(Vec<Pda<'a>>, Vec<[u8; 1]>)> {
    let vault = Pda::smart_account(execution.consensus_key, execution.transaction.account_index);
    let vault_bump = vault.find()?.1;
    let stored_bumps = &execution.transaction.ephemeral_signer_bumps;
    let mut pdas = Vec::with_capacity(1 + stored_bumps.len());
    let mut bumps = Vec::with_capacity(1 + stored_bumps.len());
    pdas.push(vault);
    bumps.push([vault_bump]);
    for (number, bump) in (0..=u8::MAX).zip(stored_bumps) {
        pdas.push(Pda::ephemeral_signer(execution.transaction_key, number));
        bumps.push([*bump]);
    }
    Ok((pdas, bumps))
}

/// Fits accounts to a message.
struct Resolver<'m, 'a> {
    message: &'m TransactionMessage,
    /// The vault and the throw-away signers: they sign the calls, not the transaction.
    own_keys: &'m [Pubkey],
    /// What was resolved so far, in the order the message counts it, with the rights its header gives.
    resolved: Vec<CallAccount<'a>>,
}

impl<'a> Resolver<'_, 'a> {
    fn resolve(&mut self, accounts: &[Account<'a>]) -> Result {
        let wrong_count = Error::InvalidNumberOfAccounts;
        let table_count = self.message.address_table_lookups.len();
        let key_count = self.message.account_keys.len();
        let (tables, accounts) = accounts.split_at_checked(table_count).ok_or(wrong_count)?;
        if accounts.len() != key_count + self.message.looked_up_count() {
            return Err(wrong_count);
        }
        let (with_keys, looked_up) = accounts.split_at_checked(key_count).ok_or(wrong_count)?;
        self.resolve_keys(with_keys)?;
        self.resolve_lookups(tables, looked_up)
    }

    /// The accounts that the message names itself.
    fn resolve_keys(&mut self, accounts: &[Account<'a>]) -> Result {
        for (position, (account, key)) in accounts.iter().zip(&self.message.account_keys).enumerate() {
            let is_signer = self.message.is_signer(position);
            let is_writable = self.message.is_writable(position);
            let has_to_sign = is_signer && !self.own_keys.contains(key);
            let fits = account.key() == key
                && (account.is_signer() || !has_to_sign)
                && (account.is_writable() || !is_writable);
            if !fits {
                return Err(Error::InvalidAccount);
            }
            self.resolved.push(CallAccount { account: *account, is_writable, is_signer });
        }
        Ok(())
    }

    /// The accounts out of lookup tables. They are passed table by table, but counted with all writable ones first.
    fn resolve_lookups(&mut self, tables: &[Account<'a>], looked_up: &[Account<'a>]) -> Result {
        let mut read_only = Vec::new();
        let mut rest = looked_up.iter();
        for (lookup, account) in self.message.address_table_lookups.iter().zip(tables) {
            if *account.key() != lookup.table {
                return Err(Error::InvalidAccount);
            }
            let table = LookupTable::open(account)?;
            for index in &lookup.writable_indexes {
                let account = next_at(&mut rest, &table.address(*index)?)?;
                if !account.is_writable() {
                    return Err(Error::InvalidAccount);
                }
                self.resolved.push(CallAccount { account, is_writable: true, is_signer: false });
            }
            for index in &lookup.readonly_indexes {
                let account = next_at(&mut rest, &table.address(*index)?)?;
                read_only.push(CallAccount { account, is_writable: false, is_signer: false });
            }
        }
        self.resolved.append(&mut read_only);
        Ok(())
    }
}

/// The next account, which must be at `address`.
fn next_at<'a>(accounts: &mut core::slice::Iter<Account<'a>>, address: &Pubkey) -> Result<Account<'a>> {
    match accounts.next() {
        Some(account) if account.key() == address => Ok(*account),
        _ => Err(Error::InvalidAccount),
    }
}

fn refuse_protected(message: &TransactionMessage, rights: &[CallAccount], protected: &Pubkey) -> Result {
    for instruction in &message.instructions {
        for inner in select(instruction, rights)? {
            if inner.is_writable && inner.account.key() == protected {
                return Err(Error::ProtectedAccount);
            }
        }
    }
    Ok(())
}
