//! The addresses that are this program's own.

use crate::pubkey::Pubkey;

/// This program.
pub const PROGRAM_ID: Pubkey = Pubkey::from_base58("ExtSgUPtP3JyKUysFw2S5fpL5fWfUPzGUQLd2bTwftXN");
/// The runtime's check of P-256 signatures.
pub const SECP256R1_PROGRAM: Pubkey = Pubkey::from_base58("Secp256r1SigVerify1111111111111111111111111");
/// The sysvar that shows the transaction's instructions.
pub const INSTRUCTIONS_SYSVAR: Pubkey = Pubkey::from_base58("Sysvar1nstructions1111111111111111111111111");
/// The sysvar that shows the hashes of former slots.
pub const SLOT_HASHES_SYSVAR: Pubkey = Pubkey::from_base58("SysvarS1otHashes111111111111111111111111111");
