//! Replacing the session key, which ends the one before it.

use crate::assertion::Claim;
use crate::client_data::Ceremony;
use crate::error::{Error, Result};
use crate::passkey::{Passkey, require_scheme};
use crate::runtime::{Account, sha256};
use crate::session::Session;
use crate::slot_hashes::RecentSlot;
use crate::wire::{Reader, Wire};
use alloc::vec::Vec;

struct Arguments {
    slot: u16,
    scheme: u8,
    claim: Claim,
    session: Session,
}

/// Arguments: slot u16, scheme u8, counted (key, form), session whose expiration is its length in seconds. Accounts: passkey
/// account [w], instructions sysvar, slot hashes sysvar, nonce signer [signer].
pub fn process(reader: &mut Reader, accounts: &[Account]) -> Result {
    let arguments = read(reader).ok_or(Error::InvalidInstruction)?;
    let [account, sysvar, slot_hashes, nonce_signer] = accounts else {
        return Err(Error::WrongNumberOfAccounts);
    };
    if !nonce_signer.is_signer() {
        return Err(Error::MissingSignature);
    }
    require_scheme(arguments.scheme)?;
    let mut passkey = Passkey::load(account)?;

    let slot = RecentSlot::find(slot_hashes, arguments.slot)?;
    let mut signed = Vec::with_capacity(128);
    slot.hash.write(&mut signed);
    nonce_signer.key().write(&mut signed);
    signed.extend_from_slice(b"refresh_session_key");
    arguments.session.write(&mut signed);
    let counter = arguments.claim.check(&passkey, &sha256(&signed), sysvar)?;
    passkey.note_signature(&slot, counter)?;
    passkey.session = arguments.session.ending_after()?;
    passkey.store(account)
}

fn read(reader: &mut Reader) -> Option<Arguments> {
    let slot = reader.read()?;
    let scheme = reader.read()?;
    let claim = Claim::read_counted(reader).filter(|claim| claim.form.ceremony() == Ceremony::Get)?;
    let session = reader.read()?;
    (reader.remaining() == 0).then_some(Arguments { slot, scheme, claim, session })
}
