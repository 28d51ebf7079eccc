//! Running a stored message once its proposal was approved.

use crate::error::{Error, Result};
use crate::inner_call::{InnerCalls, select};
use crate::pda::{Pda, Seeds};
use crate::pubkey::Pubkey;
use crate::runtime::{Account, CallAccount, Signer};
use crate::state::{CompiledInstruction, LookupTable, TransactionMessage};
use alloc::vec::Vec;

/// A stored message and what is around it.
pub struct Execution<'a> {
    pub consensus_key: &'a Pubkey,
    /// What the throw-away signers are derived from: the transaction, or the batch.
    pub ephemeral_parent: &'a Pubkey,
    /// Which vault signs.
    pub account_index: u8,
    pub ephemeral_signer_bumps: &'a [u8],
    pub message: &'a TransactionMessage,
    /// No inner instruction may write to them.
    pub protected_keys: &'a [Pubkey],
}

/// Checks `accounts` (lookup tables, then the message's keys, then what the tables yield) against the message and
/// runs its instructions, signed by the vault and the throw-away signers.
pub fn execute(execution: &Execution, accounts: &[Account]) -> Result {
    let message = execution.message;
    let (pdas, bumps) = own_signers(execution)?;
    let mut own_keys = Vec::with_capacity(pdas.len());
    for (pda, bump) in pdas.iter().zip(&bumps) {
        own_keys.push(pda.with_bump(bump[0]).ok_or(Error::ConstraintSeeds)?);
    }
    let mut resolver = Resolver { message, own_keys: &own_keys, resolved: Vec::new() };
    resolver.resolve(accounts)?;

    let seeds: Vec<Seeds> = pdas.iter().zip(&bumps).map(|(pda, bump)| pda.seeds(bump)).collect();
    let signers: Vec<Signer> = seeds.iter().map(Seeds::signer).collect();
    let calls = InnerCalls { accounts: &resolver.resolved, signers: &signers };
    for instruction in &message.instructions {
        refuse_protected(instruction, &resolver.resolved, execution.protected_keys)?;
        calls.run_one(instruction)?;
    }
    Ok(())
}

/// The derived addresses that sign: the vault, then the throw-away signers, each with its bump.
fn own_signers<'a>(execution: &Execution<'a>) -> Result<(Vec<Pda<'a>>, Vec<[u8; 1]>)> {
    let vault = Pda::smart_account(execution.consensus_key, execution.account_index);
    let vault_bump = vault.find()?.1;
    let stored_bumps = execution.ephemeral_signer_bumps;
    let mut pdas = Vec::with_capacity(1 + stored_bumps.len());
    let mut bumps = Vec::with_capacity(1 + stored_bumps.len());
    pdas.push(vault);
    bumps.push([vault_bump]);
    for (number, bump) in (0..=u8::MAX).zip(stored_bumps) {
        pdas.push(Pda::ephemeral_signer(execution.ephemeral_parent, number));
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
        let tables = self.open_tables(tables)?;
        if accounts.len() != key_count + self.message.looked_up_count() {
            return Err(wrong_count);
        }
        let (with_keys, looked_up) = accounts.split_at_checked(key_count).ok_or(wrong_count)?;
        self.resolve_keys(with_keys)?;
        self.resolve_lookups(&tables, looked_up)
    }

    /// The lookup tables, which must be those of the message.
    fn open_tables<'t>(&self, accounts: &'t [Account<'t>]) -> Result<Vec<LookupTable<'t>>> {
        let mut tables = Vec::with_capacity(accounts.len());
        for (lookup, account) in self.message.address_table_lookups.iter().zip(accounts) {
            if *account.key() != lookup.table {
                return Err(Error::InvalidAccount);
            }
            tables.push(LookupTable::open(account)?);
        }
        Ok(tables)
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
    fn resolve_lookups(&mut self, tables: &[LookupTable], looked_up: &[Account<'a>]) -> Result {
        let mut read_only = Vec::new();
        let mut rest = looked_up.iter();
        for (lookup, table) in self.message.address_table_lookups.iter().zip(tables) {
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

fn refuse_protected(
    instruction: &CompiledInstruction,
    rights: &[CallAccount],
    protected: &[Pubkey],
) -> Result {
    for inner in select(instruction, rights)? {
        if inner.is_writable && protected.contains(inner.account.key()) {
            return Err(Error::ProtectedAccount);
        }
    }
    Ok(())
}
