//! The addresses that are this program's own.

use crate::pubkey::Pubkey;

/// This program.
pub const PROGRAM_ID: Pubkey = Pubkey::from_base58("SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG");
/// The only key that may create the program config.
pub const CONFIG_INITIALIZER: Pubkey = Pubkey::from_base58("init9xckLHfofCRp5SCisRK4f6eDehGRtFSAw5mLhE8");
