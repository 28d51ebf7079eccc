//! Instructions that the session key signs.

use crate::error::{Error, Result};
use crate::inner_calls::{InnerInstructions, InnerSigner, SigningAddress};
use crate::passkey::{Passkey, require_scheme};
use crate::runtime::Account;
use crate::wire::Reader;

/// Arguments: scheme u8, signing address u8, instructions. Accounts: passkey account, session key [signer]; then those of
/// the instructions, whose positions count from zero after these. Clients pass the passkey account writable; nothing
/// changes it here.
pub fn process(reader: &mut Reader, accounts: &[Account]) -> Result {
    let (scheme, address) = read(reader).ok_or(Error::InvalidInstruction)?;
    let rest = reader.bytes(reader.remaining()).ok_or(Error::InvalidInstruction)?;
    let instructions = InnerInstructions::parse(rest)?;
    let [account, session_key, others @ ..] = accounts else {
        return Err(Error::WrongNumberOfAccounts);
    };
    if !session_key.is_signer() {
        return Err(Error::MissingSignature);
    }
    require_scheme(scheme)?;
    let passkey = Passkey::load(account)?;
    passkey.session.require(session_key.key())?;
    instructions.run(&InnerSigner { passkey_account: account.key(), key: &passkey.key, address }, others)
}

fn read(reader: &mut Reader) -> Option<(u8, SigningAddress)> {
    Some((reader.read()?, reader.read()?))
}
