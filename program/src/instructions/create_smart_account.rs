//! `create_smart_account`: any account may create one and pays for it.

use crate::accounts::{Accounts, Stored, argument, require_writable};
use crate::creation::create_account;
use crate::error::{Error, Result};
use crate::events::{Kind, log_event};
use crate::pda::Pda;
use crate::pubkey::{Pubkey, SYSTEM_PROGRAM};
use crate::runtime::Account;
use crate::state::{Member, ProgramConfig, Settings};
use crate::system;
use crate::wire::{Reader, Text, Wire, wire_struct};
use alloc::vec::Vec;

wire_struct! {
    pub struct Arguments {
        pub settings_authority: Option<Pubkey>,
        pub threshold: u16,
        pub signers: Vec<Member>,
        pub time_lock: u32,
        /// Accepted and ignored, as in the public program.
        pub rent_collector: Option<Pubkey>,
        pub memo: Option<Text>,
    }
}

/// Accounts: program_config [w], treasury [w], creator [ws], system_program, program; then candidates for the new
/// settings address [w]. The counter decides which one is used, so several creations can be under way at once.
pub fn process(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    let arguments: Arguments = argument(arguments)?;
    let config_account = accounts.next()?;
    let mut config = ProgramConfig::load(&config_account)?;
    let treasury = accounts.next()?;
    let creator = accounts.signer()?;
    accounts.system_program()?;
    accounts.this_program()?;

    ProgramConfig::require_account(&config_account)?;
    require_writable(&treasury)?;
    require_writable(&creator)?;
    if *treasury.key() != config.treasury {
        return Err(Error::InvalidAccount);
    }

    let seed = config.next_seed();
    let pda = Pda::Settings { seed: &seed };
    let (address, bump) = pda.find()?;
    let account = find_candidate(accounts.remaining(), &address)?;
    let settings = new_settings(arguments, seed, bump);
    create_account(&creator, &account, &pda, bump, Settings::space(settings.signers.len()))?;
    settings.store(&account)?;
    settings.check_invariants()?;

    if config.smart_account_creation_fee > 0 {
        system::transfer(&creator, &treasury, config.smart_account_creation_fee, &[]);
    }
    config.smart_account_index = seed;
    config.store(&config_account)?;

    log_event(&account, &settings, Kind::CreateSmartAccount, |out| {
        address.write(out);
        settings.write(out);
    });
    Ok(())
}

/// The candidate at `address`; it must be a writable address that is not in use, with or without lamports.
fn find_candidate<'a>(candidates: &'a [Account<'a>], address: &Pubkey) -> Result<Account<'a>> {
    let account = candidates.iter().find(|account| account.key() == address).ok_or(Error::MissingAccount)?;
    if account.owner() != SYSTEM_PROGRAM {
        return Err(Error::AccountNotSystemOwned);
    }
    if account.data_len() != 0 {
        return Err(Error::AccountNotEmpty);
    }
    if !account.is_writable() {
        return Err(Error::AccountNotMutable);
    }
    Ok(*account)
}

fn new_settings(arguments: Arguments, seed: [u8; 16], bump: u8) -> Settings {
    let mut signers = arguments.signers;
    signers.sort_unstable_by_key(|member| member.key);
    Settings {
        seed,
        settings_authority: arguments.settings_authority.unwrap_or(Pubkey::ZERO),
        threshold: arguments.threshold,
        time_lock: arguments.time_lock,
        transaction_index: 0,
        stale_transaction_index: 0,
        archival_authority: Some(Pubkey::ZERO),
        archivable_after: 0,
        bump,
        signers,
        account_utilization: 0,
        policy_seed: Some(0),
        reserved: 0,
    }
}
