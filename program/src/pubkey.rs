//! 32-byte addresses and the few that are known when the program is compiled.

// The keys that belong to one program only.
pub use crate::program_id::*;
use core::cmp::Ordering;

/// An address: an Ed25519 public key or a program-derived address.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Pubkey(pub [u8; 32]);

/// The runtime's address lookup tables.
pub const LOOKUP_TABLE_PROGRAM: Pubkey = Pubkey::from_base58("AddressLookupTab1e1111111111111111111111111");
/// SPL Token.
pub const TOKEN_PROGRAM: Pubkey = Pubkey::from_base58("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
/// SPL Token-2022.
pub const TOKEN_2022_PROGRAM: Pubkey = Pubkey::from_base58("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");
/// The system program, which is also the owner of every empty address.
pub const SYSTEM_PROGRAM: Pubkey = Pubkey::ZERO;

impl Pubkey {
    /// "None": the settings authority of an autonomous account, the mint of a SOL limit.
    pub const ZERO: Pubkey = Pubkey([0; 32]);

    /// Decodes a base58 address while compiling; a wrong text does not compile.
    pub const fn from_base58(text: &str) -> Pubkey {
        let digits = text.as_bytes();
        let mut out = [0u8; 32];
        let mut d = 0;
        while d < digits.len() {
            let mut carry = base58_digit(digits[d]);
            let mut i = 32;
            while i > 0 {
                i -= 1;
                carry += out[i] as u32 * 58;
                out[i] = carry as u8;
                carry >>= 8;
            }
            assert!(carry == 0, "address longer than 32 bytes");
            d += 1;
        }
        Pubkey(out)
    }

    /// The raw bytes, as they go into seeds and messages.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// True for the all-zero key.
    pub fn is_zero(&self) -> bool {
        *self == Pubkey::ZERO
    }

    /// The bytes as four machine words, `read` choosing their byte order.
    fn words(&self, read: fn([u8; 8]) -> u64) -> [u64; 4] {
        let mut words = [0; 4];
        for (word, chunk) in words.iter_mut().zip(self.0.as_chunks::<8>().0) {
            *word = read(*chunk);
        }
        words
    }
}

const fn base58_digit(character: u8) -> u32 {
    let alphabet = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    let mut i = 0;
    while i < alphabet.len() {
        if alphabet[i] == character {
            return i as u32;
        }
        i += 1;
    }
    panic!("not a base58 character")
}

impl PartialEq for Pubkey {
    // Four word comparisons cost a tenth of a comparison system call.
    fn eq(&self, other: &Self) -> bool {
        self.words(u64::from_le_bytes) == other.words(u64::from_le_bytes)
    }
}

impl Eq for Pubkey {}

impl PartialOrd for Pubkey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pubkey {
    // Big-endian words compare as the bytes do.
    fn cmp(&self, other: &Self) -> Ordering {
        self.words(u64::from_be_bytes).cmp(&other.words(u64::from_be_bytes))
    }
}
