//! What a passkey has signed: the transaction begins with the runtime's check of the signature, and the bytes that were
//! checked have to be those of this challenge.

use crate::client_data::{Ceremony, ClientDataForm};
use crate::error::{Error, Result};
use crate::passkey::{CompressedKey, Passkey};
use crate::program_id::{INSTRUCTIONS_SYSVAR, SECP256R1_PROGRAM};
use crate::runtime::{Account, sha256};
use crate::wire::Reader;
use alloc::vec::Vec;

/// "The data lies in this instruction" among the offsets of a signature check.
const THIS_INSTRUCTION: u16 = u16::MAX;
const HASH_LEN: usize = 32;

/// The part of authenticator data that is always there: hash of the relying party, flags, counter.
const FIXED_LEN: usize = 37;
const USER_PRESENT: u8 = 0x01;
const HAS_CREDENTIAL: u8 = 0x40;
const HAS_EXTENSIONS: u8 = 0x80;

/// The arguments that name a key and the form of what it signed.
pub struct Claim {
    pub key: CompressedKey,
    pub form: ClientDataForm,
}

impl Claim {
    /// Reads the key and the form.
    pub fn read(reader: &mut Reader) -> Option<Claim> {
        Some(Claim { key: reader.read()?, form: ClientDataForm::read(reader)? })
    }

    /// Reads the same with its length in one byte before it.
    pub fn read_counted(reader: &mut Reader) -> Option<Claim> {
        let len: u8 = reader.read()?;
        let mut content = Reader::new(reader.bytes(len as usize)?);
        let claim = Claim::read(&mut content)?;
        (content.remaining() == 0).then_some(claim)
    }

    /// Refuses anything but a signature that this passkey made over this challenge; gives its counter.
    pub fn check(&self, passkey: &Passkey, challenge: &[u8; 32], instructions: &Account) -> Result<u32> {
        let checked = CheckedSignature::first_of(instructions)?;
        if self.key != passkey.key || checked.key != passkey.key {
            return Err(Error::WrongKey);
        }
        let (authenticator_data, client_data_hash) =
            checked.message.split_last_chunk::<HASH_LEN>().ok_or(Error::InvalidAuthenticatorData)?;
        let data = AuthenticatorData::parse(authenticator_data, self.form.ceremony())?;
        if data.relying_party_hash != passkey.relying_party.hash {
            return Err(Error::WrongRelyingParty);
        }
        if data.flags & USER_PRESENT == 0 {
            return Err(Error::UserNotPresent);
        }
        if sha256(&self.form.text(&passkey.relying_party, challenge)) != *client_data_hash {
            return Err(Error::WrongClientData);
        }
        Ok(data.counter)
    }
}

struct AuthenticatorData {
    relying_party_hash: [u8; HASH_LEN],
    flags: u8,
    counter: u32,
}

impl AuthenticatorData {
    /// A new credential follows the fixed part of a creation and of nothing else; extensions follow where a flag says so.
    fn parse(bytes: &[u8], ceremony: Ceremony) -> Result<AuthenticatorData> {
        let mut reader = Reader::new(bytes);
        let fixed: Option<([u8; HASH_LEN], u8, [u8; 4])> =
            (|| Some((reader.array()?, reader.read()?, reader.array()?)))();
        let (relying_party_hash, flags, counter) = fixed.ok_or(Error::InvalidAuthenticatorData)?;
        let has_more = flags & (HAS_CREDENTIAL | HAS_EXTENSIONS) != 0;
        if (flags & HAS_CREDENTIAL != 0) != (ceremony == Ceremony::Create)
            || has_more != (bytes.len() > FIXED_LEN)
        {
            return Err(Error::InvalidAuthenticatorData);
        }
        Ok(AuthenticatorData { relying_party_hash, flags, counter: u32::from_be_bytes(counter) })
    }
}

/// Key and message of a signature that the runtime has found good before any program ran.
struct CheckedSignature {
    key: CompressedKey,
    message: Vec<u8>,
}

impl CheckedSignature {
    /// The signature that the transaction's first instruction checks, which must be the only one there.
    fn first_of(instructions: &Account) -> Result<CheckedSignature> {
        if *instructions.key() != INSTRUCTIONS_SYSVAR {
            return Err(Error::WrongAccount);
        }
        instructions.read(read_first).ok_or(Error::SignatureCheckMissing)
    }
}

/// The sysvar: a count, a place for each instruction; there a count of accounts, 33 bytes each, the program, counted data.
fn read_first(sysvar: &[u8]) -> Option<CheckedSignature> {
    let mut head = Reader::new(sysvar);
    let count: u16 = head.read()?;
    let place: u16 = head.read()?;
    if count == 0 {
        return None;
    }
    let mut instruction = Reader::new(sysvar.get(place as usize..)?);
    let account_count: u16 = instruction.read()?;
    instruction.bytes(33 * account_count as usize)?;
    if instruction.array()? != SECP256R1_PROGRAM.0 {
        return None;
    }
    let len: u16 = instruction.read()?;
    read_check(instruction.bytes(len as usize)?)
}

/// One signature, whose parts all lie in this instruction: another's could be exchanged without notice.
fn read_check(data: &[u8]) -> Option<CheckedSignature> {
    let mut reader = Reader::new(data);
    let [signature_count, _padding] = reader.array()?;
    let mut next = || reader.read::<u16>();
    let [_signature_at, signature_in, key_at, key_in, message_at, message_len, message_in] =
        [next()?, next()?, next()?, next()?, next()?, next()?, next()?];
    if signature_count != 1 || [signature_in, key_in, message_in] != [THIS_INSTRUCTION; 3] {
        return None;
    }
    let key = data.get(key_at as usize..)?.first_chunk().copied()?;
    let message = data.get(message_at as usize..)?.get(..message_len as usize)?.to_vec();
    Some(CheckedSignature { key, message })
}

#[cfg(test)]
mod tests {
    use super::{AuthenticatorData, Ceremony, read_check, read_first};
    use alloc::vec;
    use alloc::vec::Vec;

    /// Key 7, message 1 2 3, without the bytes of a signature.
    fn check() -> Vec<u8> {
        let words = [0u16, 0xffff, 16, 0xffff, 49, 3, 0xffff];
        let mut data = vec![1, 0];
        data.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        data.extend([7; 33]);
        data.extend([1, 2, 3]);
        data
    }

    #[test]
    fn one_signature_within_its_own_instruction() {
        let read = read_check(&check()).unwrap();
        assert_eq!((read.key, read.message), ([7; 33], vec![1, 2, 3]));
        for (place, value) in [(0, 0), (0, 2), (4, 0), (8, 0), (14, 0), (15, 0), (7, 1), (11, 1), (12, 4)] {
            let mut other = check();
            other[place] = value;
            assert!(read_check(&other).is_none(), "{place}");
        }
        for len in 0..check().len() {
            assert!(read_check(&check()[..len]).is_none());
        }
    }

    #[test]
    fn sysvars_that_end_early_hold_nothing() {
        assert!(read_first(&[]).is_none());
        assert!(read_first(&[0, 0, 4, 0, 0, 0]).is_none());
        assert!(read_first(&[1, 0, 255, 255]).is_none());
        assert!(read_first(&[1, 0, 4, 0, 255, 255]).is_none());
    }

    #[test]
    fn what_follows_is_what_the_flags_announce() {
        let parse = |flags: u8, len: usize, ceremony| {
            let mut bytes = vec![0; len];
            if let Some(byte) = bytes.get_mut(32) {
                *byte = flags;
            }
            AuthenticatorData::parse(&bytes, ceremony).is_ok()
        };
        assert!(parse(5, 37, Ceremony::Get));
        assert!(parse(0x85, 40, Ceremony::Get));
        assert!(parse(0x45, 80, Ceremony::Create));
        for (flags, len) in [(5, 36), (5, 38), (0x85, 37), (0x45, 80), (0x45, 37)] {
            assert!(!parse(flags, len, Ceremony::Get));
        }
        assert!(!parse(5, 37, Ceremony::Create));
    }
}
