//! Instructions that a passkey signs.

use crate::assertion::Claim;
use crate::client_data::Ceremony;
use crate::error::{Error, Result};
use crate::inner_calls::{InnerInstructions, InnerSigner, SigningAddress};
use crate::passkey::{Passkey, require_scheme};
use crate::runtime::{Account, sha256};
use crate::slot_hashes::RecentSlot;
use crate::wire::{Reader, Wire};
use alloc::vec::Vec;

/// Arguments: scheme u8, signing address u8, slot u16, counted (key, form), instructions. Accounts: passkey account [w],
/// instructions sysvar, slot hashes sysvar, nonce signer [signer]; then those of the instructions, whose positions count
/// from zero after these.
///
/// The nonce signer is any key: what the passkey signs holds for a transaction that this key signs, and for no other.
pub fn process(reader: &mut Reader, accounts: &[Account]) -> Result {
    let arguments = read(reader).ok_or(Error::InvalidInstruction)?;
    let instructions = InnerInstructions::parse(arguments.instructions)?;
    let [account, sysvar, slot_hashes, nonce_signer, others @ ..] = accounts else {
        return Err(Error::WrongNumberOfAccounts);
    };
    if !nonce_signer.is_signer() {
        return Err(Error::MissingSignature);
    }
    require_scheme(arguments.scheme)?;
    let mut passkey = Passkey::load(account)?;

    let slot = RecentSlot::find(slot_hashes, arguments.slot)?;
    let mut signed = Vec::with_capacity(1024);
    slot.hash.write(&mut signed);
    nonce_signer.key().write(&mut signed);
    signed.extend_from_slice(b"execute_instructions");
    instructions.write_signed(others, &mut signed)?;
    let counter = arguments.claim.check(&passkey, &sha256(&signed), sysvar)?;
    passkey.note_signature(&slot, counter)?;
    passkey.store(account)?;

    let signer =
        InnerSigner { passkey_account: account.key(), key: &passkey.key, address: arguments.signing_address };
    instructions.run(&signer, others)
}

struct Arguments<'a> {
    scheme: u8,
    signing_address: SigningAddress,
    slot: u16,
    claim: Claim,
    instructions: &'a [u8],
}

/// What a passkey signed when it was made approves nothing.
fn read<'a>(reader: &mut Reader<'a>) -> Option<Arguments<'a>> {
    let scheme = reader.read()?;
    let signing_address = reader.read()?;
    let slot = reader.read()?;
    let claim = Claim::read_counted(reader).filter(|claim| claim.form.ceremony() == Ceremony::Get)?;
    let instructions = reader.bytes(reader.remaining())?;
    Some(Arguments { scheme, signing_address, slot, claim, instructions })
}
