//! Making the account of a passkey, which signs for it, with its first session.

use crate::assertion::Claim;
use crate::client_data::RelyingParty;
use crate::creation::create_account;
use crate::error::{Error, Result};
use crate::passkey::{Passkey, SPACE, require_scheme};
use crate::pda::Pda;
use crate::pubkey::SYSTEM_PROGRAM;
use crate::runtime::{Account, sha256};
use crate::session::Session;
use crate::slot_hashes::RecentSlot;
use crate::wire::{Reader, Wire};
use alloc::vec::Vec;

struct Arguments {
    slot: u16,
    scheme: u8,
    relying_party: RelyingParty,
    claim: Claim,
    session: Option<Session>,
}

/// Arguments: slot u16, scheme u8, counted (counted relying party, key, form), optional session whose expiration is a time.
/// Accounts: passkey account [w], payer [w, signer], instructions sysvar, slot hashes sysvar, system program.
///
/// The passkey signs the session with it; without one, nothing stands in its place.
pub fn process(reader: &mut Reader, accounts: &[Account]) -> Result {
    let arguments = read(reader)?;
    let [account, payer, instructions, slot_hashes, system_program] = accounts else {
        return Err(Error::WrongNumberOfAccounts);
    };
    if !payer.is_signer() {
        return Err(Error::MissingSignature);
    }
    if *system_program.key() != SYSTEM_PROGRAM {
        return Err(Error::WrongAccount);
    }
    let key_hash = sha256(&arguments.claim.key);
    let pda = Pda::passkey(&key_hash);
    let (address, bump) = pda.find()?;
    if *account.key() != address {
        return Err(Error::WrongAccount);
    }
    if account.owner() != SYSTEM_PROGRAM || account.data_len() != 0 {
        return Err(Error::AccountInUse);
    }
    require_scheme(arguments.scheme)?;

    let slot = RecentSlot::find(slot_hashes, arguments.slot)?;
    let mut signed = Vec::with_capacity(128);
    slot.hash.write(&mut signed);
    payer.key().write(&mut signed);
    signed.extend_from_slice(b"initialize_passkey");
    if let Some(session) = &arguments.session {
        session.write(&mut signed);
    }
    let mut passkey = Passkey::new(arguments.relying_party, arguments.claim.key);
    let counter = arguments.claim.check(&passkey, &sha256(&signed), instructions)?;
    passkey.note_signature(&slot, counter)?;
    if let Some(session) = arguments.session {
        passkey.session = session.ending_at()?;
    }

    create_account(payer, account, &pda, bump, SPACE)?;
    passkey.store(account)
}

fn read(reader: &mut Reader) -> Result<Arguments> {
    let slot = reader.read().ok_or(Error::InvalidInstruction)?;
    let scheme = reader.read().ok_or(Error::InvalidInstruction)?;
    let (name, claim) = read_passkey(reader).ok_or(Error::InvalidInstruction)?;
    let session = reader.read().ok_or(Error::InvalidInstruction)?;
    if reader.remaining() != 0 {
        return Err(Error::InvalidInstruction);
    }
    let relying_party = RelyingParty::new(name, sha256(name))?;
    Ok(Arguments { slot, scheme, relying_party, claim, session })
}

/// The relying party's name, and the key with the form of what it signed.
fn read_passkey<'a>(reader: &mut Reader<'a>) -> Option<(&'a [u8], Claim)> {
    let len: u8 = reader.read()?;
    let mut content = Reader::new(reader.bytes(len as usize)?);
    let name_len: u8 = content.read()?;
    let name = content.bytes(name_len as usize)?;
    let claim = Claim::read(&mut content)?;
    (content.remaining() == 0).then_some((name, claim))
}
