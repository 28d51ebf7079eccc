//! From the first eight instruction bytes to the instruction.

use crate::accounts::Accounts;
use crate::error::{Error, Result};
use crate::instructions::*;
use crate::runtime::{Account, log};
use crate::wire::Reader;

/// An instruction: its arguments (after the discriminator) and its accounts.
type Handler = fn(&mut Reader, Accounts) -> Result;

/// Runs the instruction, logging its name first and the error, if any, last.
pub fn run(accounts: &[Account], data: &[u8]) -> Result {
    let result = process(accounts, data);
    if let Err(error) = &result {
        log(error.log_line());
    }
    result
}

fn process(accounts: &[Account], data: &[u8]) -> Result {
    let mut arguments = Reader::new(data);
    let discriminator = arguments.array().ok_or(Error::InstructionMissing)?;
    let (log_line, handler) =
        find(u64::from_be_bytes(discriminator)).ok_or(Error::InstructionFallbackNotFound)?;
    log(log_line);
    handler(&mut arguments, Accounts::new(accounts))
}

macro_rules! instructions {
    ($($discriminator:literal $name:literal $handler:path,)*) => {
        /// The name line and the handler; discriminators are written as their eight bytes read in hexadecimal.
        fn find(discriminator: u64) -> Option<(&'static str, Handler)> {
            Some(match discriminator {
                $($discriminator => (concat!("Instruction: ", $name), $handler as Handler),)*
                _ => return None,
            })
        }
    };
}

instructions! {
    0x06833ded286e537c "InitializeProgramConfig" program_config::initialize,
    0x8228ea6fed9bf6cb "SetProgramConfigAuthority" program_config::set_authority,
    0xde1e86b08371c3ca "SetProgramConfigSmartAccountCreationFee" program_config::set_creation_fee,
    0xf477c0beb665e3bd "SetProgramConfigTreasury" program_config::set_treasury,
    0xc566fde74d543211 "CreateSmartAccount" create_smart_account::process,
    0x50c6e49a07ea6338 "AddSignerAsAuthority" authority::add_signer,
    0x3a139510b5107d94 "RemoveSignerAsAuthority" authority::remove_signer,
    0x02ea5d5d285c1fea "SetTimeLockAsAuthority" authority::set_time_lock,
    0x338d4e85462f5f7c "ChangeThresholdAsAuthority" authority::change_threshold,
    0xdd7085e5923a5a38 "SetNewSettingsAuthorityAsAuthority" authority::set_new_settings_authority,
    0xb2c7040dedea98ca "SetArchivalAuthorityAsAuthority" authority::set_archival_authority,
    0xa9bd54361ef4dfd4 "AddSpendingLimitAsAuthority" authority_spending_limit::add,
    0x5e20447ffb2c9107 "RemoveSpendingLimitAsAuthority" authority_spending_limit::remove,
    0x65a8fecbde665fc0 "CreateSettingsTransaction" create_settings_transaction::process,
    0x83d21b581bcc8fbd "ExecuteSettingsTransaction" execute_settings_transaction::process,
    0x8ad140a34f43e94c "ExecuteSettingsTransactionSync" execute_settings_transaction::process_sync,
    0xe3c135ef377e7069 "CreateTransaction" create_transaction::process,
    0xe7ad315beb184413 "ExecuteTransaction" execute_transaction::process,
    0x2b66f859e7616886 "ExecuteTransactionSync" execute_transaction_sync::process_legacy,
    0x5a51bb512746804e "ExecuteTransactionSyncV2" execute_transaction_sync::process_v2,
    0x847444aed8a0c616 "CreateProposal" create_proposal::process,
    0x5abacbea46b9bf15 "ActivateProposal" activate_proposal::process,
    0x886c665562720793 "ApproveProposal" vote::approve,
    0x72a2a452bf0b6619 "RejectProposal" vote::reject,
    0x6a4a809213412717 "CancelProposal" vote::cancel,
    0x29b34605c293ef9e "UseSpendingLimit" use_spending_limit::process,
    0x612e98aa2ad7c0da "CloseTransaction" close::close_transaction,
    0xfb70226cd60d2974 "CloseSettingsTransaction" close::close_settings_transaction,
    0x3961fa9c3bd320d0 "CreateTransactionBuffer" transaction_buffer::create,
    0xbe56f65fe79ae55b "ExtendTransactionBuffer" transaction_buffer::extend,
    0xe0dd7bd500cc05bf "CloseTransactionBuffer" transaction_buffer::close,
    0x35c027ef7c542bf9 "CreateTransactionFromBuffer" create_transaction::process_from_buffer,
    0x9fc6f82bf81feb56 "CreateBatch" batch::create,
    0x934bc5e314959671 "AddTransactionToBatch" batch::add,
    0xed43c9ad21825886 "ExecuteBatchTransaction" batch::execute,
    0x569085e12dd13efb "CloseBatchTransaction" close_batch::close_transaction,
    0xa6ae23fdd1d3b51c "CloseBatch" close_batch::close_batch,
    0x05095a8ddf8639d9 "LogEvent" log_event::process,
}
