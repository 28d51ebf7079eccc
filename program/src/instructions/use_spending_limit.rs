//! `use_spending_limit`: a signer of the limit moves money without a vote.

use crate::accounts::{Accounts, Stored, argument, require_writable};
use crate::error::{Error, Result};
use crate::events::{Kind, log_event};
use crate::pda::Pda;
use crate::pubkey::Pubkey;
use crate::runtime::{Account, Signer, log};
use crate::state::{Settings, SpendingLimit};
use crate::system;
use crate::sysvars::now;
use crate::token::{self, TokenAccount, TokenTransfer};
use crate::wire::{Reader, Text, Wire, wire_struct};

const SOL_DECIMALS: u8 = 9;

wire_struct! {
    pub struct Arguments {
        /// Base units.
        pub amount: u64,
        pub decimals: u8,
        /// Dropped.
        pub memo: Option<Text>,
    }
}

/// The accounts that tell who pays whom in what.
struct Payment<'a> {
    vault: Account<'a>,
    destination: Account<'a>,
    system_program: Option<Account<'a>>,
    mint: Option<Account<'a>>,
    vault_token_account: Option<TokenAccount<'a>>,
    destination_token_account: Option<TokenAccount<'a>>,
    token_program: Option<Account<'a>>,
}

/// Accounts: settings, signer [s], spending_limit [w], then those of `Payment`, then program. Whether the signer is
/// still a member does not matter.
pub fn process(arguments: &mut Reader, mut accounts: Accounts) -> Result {
    let Arguments { amount, decimals, .. } = argument(arguments)?;
    let account = accounts.next()?;
    let settings = Settings::load(&account)?;
    let signer = accounts.signer()?;
    let limit_account = accounts.next()?;
    let mut limit = SpendingLimit::load(&limit_account)?;
    let payment = Payment::take(&mut accounts)?;
    accounts.this_program()?;

    settings.require_address(&account, Error::ConstraintSeeds)?;
    Pda::SpendingLimit { settings: account.key(), seed: &limit.seed }
        .require_with_bump(limit.bump, limit_account.key())?;
    require_writable(&limit_account)?;
    let vault = Pda::smart_account(account.key(), limit.account_index);
    let vault_bump = vault.require(payment.vault.key())?;
    payment.check()?;

    check_use(&limit, &signer, &payment)?;
    let now = now();
    if limit.has_expired(now) {
        return Err(Error::SpendingLimitExpired);
    }
    log("Spending limits are deprecated in favour of policies");
    limit.refill(now)?;
    limit.spend(amount)?;
    payment.pay(amount, decimals, vault.seeds(&[vault_bump]).signer())?;
    limit.store(&limit_account)?;

    log_event(&account, &settings, Kind::UseSpendingLimit, |out| {
        account.key().write(out);
        limit_account.key().write(out);
        payment.vault.key().write(out);
        token_key_or_zero(&payment.vault_token_account).write(out);
        payment.destination.key().write(out);
        token_key_or_zero(&payment.destination_token_account).write(out);
        signer.key().write(out);
        key_or_zero(&payment.mint).write(out);
        decimals.write(out);
        amount.write(out);
        limit.write(out);
    });
    Ok(())
}

/// Whether this signer may pay this destination in this currency.
fn check_use(limit: &SpendingLimit, signer: &Account, payment: &Payment) -> Result {
    if !limit.signers.contains(signer.key()) {
        return Err(Error::Unauthorized);
    }
    // A SOL limit has the zero mint and is used without a mint; the public program aborts on a token limit without one.
    assert!(limit.mint.is_zero() || payment.mint.is_some(), "a token limit is used with its mint");
    if key_or_zero(&payment.mint) != limit.mint {
        return Err(Error::InvalidMint);
    }
    if !limit.destinations.is_empty() && !limit.destinations.contains(payment.destination.key()) {
        return Err(Error::InvalidDestination);
    }
    Ok(())
}

fn key_or_zero(account: &Option<Account>) -> Pubkey {
    account.as_ref().map_or(Pubkey::ZERO, |account| *account.key())
}

fn token_key_or_zero(account: &Option<TokenAccount>) -> Pubkey {
    account.as_ref().map_or(Pubkey::ZERO, |token_account| *token_account.account.key())
}

impl<'a> Payment<'a> {
    /// Accounts: smart_account [w], destination [w], system_program (optional), mint (optional),
    /// smart_account_token_account (optional) [w], destination_token_account (optional) [w], token_program (optional).
    fn take(accounts: &mut Accounts<'a>) -> Result<Self> {
        let vault = accounts.next()?;
        let destination = accounts.next()?;
        let system_program = accounts.optional_system_program()?;
        let mint = accounts.optional()?;
        if let Some(mint) = &mint {
            token::require_mint(mint)?;
        }
        let vault_token_account = accounts.optional()?.map(TokenAccount::load).transpose()?;
        let destination_token_account = accounts.optional()?.map(TokenAccount::load).transpose()?;
        let token_program = accounts.optional()?;
        if token_program.is_some_and(|program| !token::is_token_program(program.key())) {
            return Err(Error::InvalidProgramId);
        }
        Ok(Payment {
            vault,
            destination,
            system_program,
            mint,
            vault_token_account,
            destination_token_account,
            token_program,
        })
    }

    /// The constraints on these accounts, apart from the vault's address.
    fn check(&self) -> Result {
        require_writable(&self.vault)?;
        require_writable(&self.destination)?;
        self.check_token_account(&self.vault_token_account, &self.vault)?;
        self.check_token_account(&self.destination_token_account, &self.destination)
    }

    /// A token account, if given, must be `owner`'s and of the given mint.
    fn check_token_account(&self, given: &Option<TokenAccount>, owner: &Account) -> Result {
        let Some(TokenAccount { account, mint, owner: token_owner }) = given else { return Ok(()) };
        require_writable(account)?;
        let expected_mint = self.mint.ok_or(Error::ConstraintAccountIsNone)?;
        if token_owner != owner.key() {
            return Err(Error::ConstraintTokenOwner);
        }
        if mint != expected_mint.key() {
            return Err(Error::ConstraintTokenMint);
        }
        Ok(())
    }

    /// Moves the money. Without a mint it is SOL.
    fn pay(&self, amount: u64, decimals: u8, vault: Signer) -> Result {
        match self.mint {
            None => self.pay_sol(amount, decimals, vault),
            Some(mint) => self.pay_tokens(mint, amount, decimals, vault),
        }
    }

    fn pay_sol(&self, amount: u64, decimals: u8, vault: Signer) -> Result {
        self.system_program.ok_or(Error::MissingAccount)?;
        if decimals != SOL_DECIMALS {
            return Err(Error::DecimalsMismatch);
        }
        system::transfer(&self.vault, &self.destination, amount, &[vault]);
        Ok(())
    }

    fn pay_tokens(&self, mint: Account<'a>, amount: u64, decimals: u8, vault: Signer) -> Result {
        let transfer = TokenTransfer {
            token_program: self.token_program.ok_or(Error::MissingAccount)?,
            from: self.vault_token_account.ok_or(Error::MissingAccount)?.account,
            mint,
            to: self.destination_token_account.ok_or(Error::MissingAccount)?.account,
            authority: self.vault,
        };
        token::transfer_checked(&transfer, amount, decimals, vault);
        Ok(())
    }
}
