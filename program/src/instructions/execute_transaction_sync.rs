//! Spending in one transaction, without a proposal, when enough members sign it together.

use crate::accounts::{Accounts, argument, require_writable};
use crate::error::{Error, Result};
use crate::events::{CONSENSUS_IS_SETTINGS, Kind, log_event, write_keys};
use crate::state::Settings;
use crate::sync_consensus::require_consensus;
use crate::sync_execution::{Vault, execute, parse_instructions};
use crate::wire::{Reader, Wire};

/// Payload tag of compiled instructions.
const TRANSACTION_PAYLOAD: u8 = 0;
/// Payload tag of policy payloads.
const POLICY_PAYLOAD: u8 = 1;

/// `execute_transaction_sync_v2`. Arguments: account_index u8, num_signers u8, payload tag u8, payload. Accounts:
/// consensus_account [w], program; then the signing members, then the accounts of the instructions, whose positions
/// count from zero after the members.
pub fn process_v2(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    let account_index: u8 = argument(arguments)?;
    let num_signers: u8 = argument(arguments)?;
    let payload = read_payload(arguments)?;

    let account = accounts.next()?;
    let settings = Settings::load_consensus(&account)?;
    accounts.this_program()?;
    require_writable(&account)?;
    settings.require_address(&account, Error::ConstraintRaw)?;

    assert!(num_signers as usize <= accounts.remaining().len(), "fewer accounts than signers");
    let (signers, others) = require_consensus(&settings, accounts.remaining(), num_signers)?;
    let instructions = parse_instructions(payload.ok_or(Error::InvalidPayload)?, others.len())?;
    let vault = Vault { settings_key: account.key(), settings: &settings, account_index };
    execute(&vault, others, &instructions)?;
    settings.check_invariants()?;

    log_event(&account, &settings, Kind::SynchronousTransactionV2, |out| {
        account.key().write(out);
        out.push(CONSENSUS_IS_SETTINGS);
        write_keys(signers, out);
        out.push(TRANSACTION_PAYLOAD);
        account_index.write(out);
        instructions.write(out);
        write_keys(others, out);
    });
    Ok(())
}

/// `execute_transaction_sync`, the older form. Arguments: account_index u8, num_signers u8, instructions. Accounts:
/// settings, program; then as above, but positions count from the first member.
pub fn process_legacy(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    let account_index: u8 = argument(arguments)?;
    let num_signers: u8 = argument(arguments)?;
    let payload = arguments.counted_bytes().ok_or(Error::InstructionDidNotDeserialize)?;

    let account = accounts.next()?;
    let settings = Settings::load_consensus(&account)?;
    accounts.this_program()?;
    settings.require_address(&account, Error::ConstraintRaw)?;

    let all = accounts.remaining();
    let (signers, _) = require_consensus(&settings, all, num_signers)?;
    let instructions = parse_instructions(payload, all.len())?;
    let vault = Vault { settings_key: account.key(), settings: &settings, account_index };
    execute(&vault, all, &instructions)?;

    log_event(&account, &settings, Kind::SynchronousTransaction, |out| {
        account.key().write(out);
        account_index.write(out);
        write_keys(signers, out);
        instructions.write(out);
        write_keys(all, out);
    });
    Ok(())
}

/// The compiled instructions' bytes, or `None` for a policy payload, which a settings account refuses later.
fn read_payload<'a>(arguments: &mut Reader<'a>) -> Result<Option<&'a [u8]>> {
    match argument::<u8>(arguments)? {
        TRANSACTION_PAYLOAD => arguments.counted_bytes().map(Some).ok_or(Error::InstructionDidNotDeserialize),
        POLICY_PAYLOAD => Ok(None),
        _ => Err(Error::InstructionDidNotDeserialize),
    }
}
