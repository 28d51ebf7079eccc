//! The sandbox's RPC by the Rust client: each call of its client, its answer decoded and its value checked.
//! Prints a line for each: `ok`, or `failed` with the reason, then the name.
#![allow(
    deprecated,
    reason = "solana-sdk names its parts so, and one name for all is easier to pin"
)]

use std::{env, error::Error, mem::forget, thread::sleep, time::Duration};

use solana_account_decoder_client_types::{UiAccountData, UiAccountEncoding, UiDataSliceConfig};
use solana_address_lookup_table_interface::{
    instruction::{create_lookup_table, extend_lookup_table},
    state::AddressLookupTable,
};
use solana_commitment_config::CommitmentConfig;
use solana_pubsub_client::pubsub_client::PubsubClient;
use solana_rpc_client::rpc_client::{GetConfirmedSignaturesForAddress2Config, RpcClient};
use solana_rpc_client_api::{
    config::{
        RpcAccountInfoConfig, RpcBlockConfig, RpcLargestAccountsConfig, RpcProgramAccountsConfig,
        RpcSendTransactionConfig, RpcSignatureSubscribeConfig,
        RpcSimulateTransactionAccountsConfig, RpcSimulateTransactionConfig, RpcTransactionConfig,
        RpcTransactionLogsConfig, RpcTransactionLogsFilter,
    },
    filter::{Memcmp, RpcFilterType},
    request::TokenAccountsFilter,
    response::RpcSignatureResult,
};
use solana_sdk::{
    hash::Hash,
    instruction::Instruction,
    message::{AddressLookupTableAccount, VersionedMessage, v0},
    pubkey::Pubkey,
    signature::{Keypair, Signature},
    signer::Signer,
    transaction::VersionedTransaction,
};
use solana_system_interface::instruction::{
    advance_nonce_account, create_account, create_nonce_account, transfer,
};
use solana_transaction_status_client_types::{
    EncodedTransaction, TransactionConfirmationStatus, TransactionDetails, UiTransactionEncoding,
};
use spl_associated_token_account_interface::{
    address::get_associated_token_address, instruction::create_associated_token_account,
};
use spl_token_interface::{ID as TOKEN, instruction as token, native_mint};

const SOL: u64 = 1_000_000_000;
type Done = Result<(), Box<dyn Error>>;

/// What calls make for later ones to read.
struct Story {
    rpc: RpcClient,
    socket: String,
    key: Keypair,
    payer: Pubkey,
    other: Pubkey,
    mint: Keypair,
    own: Pubkey,
    paid: Signature,
    slot: u64,
    blockhash: Hash,
}

/// Ends a call whose value is not what was expected.
macro_rules! expect {
    ($expected:expr $(, $found:expr)?) => {
        if !$expected {
            return Err(format!("not so: {} {:?}", stringify!($expected), ($($found)?)).into());
        }
    };
}

impl Story {
    fn pay(&self, lamports: u64) -> Instruction {
        transfer(&self.payer, &self.other, lamports)
    }

    /// One that no transaction has had: two that are alike in everything are one.
    fn new_blockhash(&mut self) -> Result<Hash, Box<dyn Error>> {
        self.blockhash = self.rpc.get_new_latest_blockhash(&self.blockhash)?;
        Ok(self.blockhash)
    }

    fn signed(
        &mut self,
        instructions: &[Instruction],
    ) -> Result<VersionedTransaction, Box<dyn Error>> {
        let blockhash = self.new_blockhash()?;
        self.signed_with(blockhash, instructions, &[], &[])
    }

    fn signed_with(
        &self,
        blockhash: Hash,
        instructions: &[Instruction],
        tables: &[AddressLookupTableAccount],
        signers: &[&Keypair],
    ) -> Result<VersionedTransaction, Box<dyn Error>> {
        let message = v0::Message::try_compile(&self.payer, instructions, tables, blockhash)?;
        let all: Vec<&Keypair> = [&self.key]
            .into_iter()
            .chain(signers.iter().copied())
            .collect();
        Ok(VersionedTransaction::try_new(
            VersionedMessage::V0(message),
            &all,
        )?)
    }

    fn land(
        &mut self,
        instructions: &[Instruction],
        signers: &[&Keypair],
    ) -> Result<Signature, Box<dyn Error>> {
        let blockhash = self.new_blockhash()?;
        let transaction = self.signed_with(blockhash, instructions, &[], signers)?;
        Ok(self.rpc.send_and_confirm_transaction(&transaction)?)
    }

    /// Waits until the present slot is over: blocks are whole then.
    fn next_slot(&self) -> Done {
        let begun = self
            .rpc
            .get_slot_with_commitment(CommitmentConfig::confirmed())?;
        while self
            .rpc
            .get_slot_with_commitment(CommitmentConfig::confirmed())?
            <= begun
        {
            sleep(Duration::from_millis(100));
        }
        Ok(())
    }

    fn versioned(encoding: UiTransactionEncoding) -> RpcTransactionConfig {
        RpcTransactionConfig {
            encoding: Some(encoding),
            max_supported_transaction_version: Some(0),
            ..Default::default()
        }
    }
}

type Call = (&'static str, fn(&mut Story) -> Done);

const TRANSACTIONS: &[Call] = &[
    ("request_airdrop", |story| {
        let signature = story.rpc.request_airdrop(&story.payer, 1_000 * SOL)?;
        story.rpc.poll_for_signature(&signature)?;
        expect!(
            story
                .rpc
                .get_transaction(&signature, UiTransactionEncoding::Json)?
                .transaction
                .meta
                .is_some()
        );
        Ok(())
    }),
    ("get_balance", |story| {
        expect!(story.rpc.get_balance(&story.payer)? == 1_000 * SOL);
        Ok(())
    }),
    ("get_latest_blockhash_with_commitment", |story| {
        let (_, last) = story
            .rpc
            .get_latest_blockhash_with_commitment(CommitmentConfig::finalized())?;
        expect!(last > story.rpc.get_block_height()?);
        Ok(())
    }),
    ("is_blockhash_valid", |story| {
        let blockhash = story.new_blockhash()?;
        expect!(
            story
                .rpc
                .is_blockhash_valid(&blockhash, CommitmentConfig::processed())?
        );
        expect!(!story.rpc.is_blockhash_valid(
            &Hash::new_from_array([7; 32]),
            CommitmentConfig::processed()
        )?);
        Ok(())
    }),
    ("send_transaction", |story| {
        let transaction = story.signed(&[story.pay(SOL)])?;
        story.paid = story.rpc.send_transaction(&transaction)?;
        Ok(())
    }),
    ("send_and_confirm_transaction", |story| {
        story.land(&[story.pay(SOL)], &[])?;
        Ok(())
    }),
    ("send_and_confirm_transaction_with_spinner", |story| {
        let transaction = story.signed(&[story.pay(SOL)])?;
        story
            .rpc
            .send_and_confirm_transaction_with_spinner(&transaction)?;
        Ok(())
    }),
    ("send_transaction_with_config", |story| {
        let transaction = story.signed(&[story.pay(SOL)])?;
        let config = RpcSendTransactionConfig {
            skip_preflight: true,
            ..Default::default()
        };
        story
            .rpc
            .send_transaction_with_config(&transaction, config)?;
        expect!(story.rpc.get_balance(&story.other)? == 4 * SOL);
        Ok(())
    }),
    ("send_transaction, refused", |story| {
        let transaction = story.signed(&[story.pay(5_000 * SOL)])?;
        let refused = story
            .rpc
            .send_transaction(&transaction)
            .err()
            .ok_or("it was taken")?;
        expect!(refused.get_transaction_error().is_some(), refused);
        Ok(())
    }),
    ("confirm_transaction", |story| {
        expect!(story.rpc.confirm_transaction(&story.paid)?);
        Ok(())
    }),
    ("get_signature_status", |story| {
        expect!(story.rpc.get_signature_status(&story.paid)? == Some(Ok(())));
        Ok(())
    }),
    ("get_signature_statuses", |story| {
        let statuses = story
            .rpc
            .get_signature_statuses(&[story.paid, Signature::from([1; 64])])?
            .value;
        let status = statuses[0].as_ref().ok_or("it is not there")?;
        expect!(status.confirmation_status == Some(TransactionConfirmationStatus::Finalized));
        expect!(statuses[1].is_none());
        story.slot = status.slot;
        Ok(())
    }),
    ("get_signature_statuses_with_history", |story| {
        expect!(
            story
                .rpc
                .get_signature_statuses_with_history(&[story.paid])?
                .value[0]
                .is_some()
        );
        Ok(())
    }),
    ("get_num_blocks_since_signature_confirmation", |story| {
        story
            .rpc
            .get_num_blocks_since_signature_confirmation(&story.paid)?;
        Ok(())
    }),
    ("simulate_transaction", |story| {
        let transaction = story.signed(&[story.pay(SOL)])?;
        let simulated = story.rpc.simulate_transaction(&transaction)?.value;
        expect!(
            simulated.err.is_none() && simulated.units_consumed == Some(150),
            simulated
        );
        Ok(())
    }),
    ("simulate_transaction_with_config", |story| {
        let transaction = story.signed(&[story.pay(SOL)])?;
        let config = RpcSimulateTransactionConfig {
            replace_recent_blockhash: true,
            inner_instructions: true,
            accounts: Some(RpcSimulateTransactionAccountsConfig {
                encoding: Some(UiAccountEncoding::Base64),
                addresses: vec![story.other.to_string()],
            }),
            ..Default::default()
        };
        let simulated = story
            .rpc
            .simulate_transaction_with_config(&transaction, config)?
            .value;
        let accounts = simulated.accounts.ok_or("no accounts")?;
        expect!(
            accounts[0]
                .as_ref()
                .is_some_and(|account| account.lamports == 5 * SOL),
            accounts
        );
        Ok(())
    }),
    ("get_fee_for_message", |story| {
        let blockhash = story.new_blockhash()?;
        let message = v0::Message::try_compile(&story.payer, &[story.pay(SOL)], &[], blockhash)?;
        expect!(story.rpc.get_fee_for_message(&message)? == 5_000);
        Ok(())
    }),
    ("get_transaction_with_config as base64", |story| {
        let config = Story::versioned(UiTransactionEncoding::Base64);
        let found = story.rpc.get_transaction_with_config(&story.paid, config)?;
        let decoded = found
            .transaction
            .transaction
            .decode()
            .ok_or("it is not to be read")?;
        expect!(decoded.signatures[0] == story.paid && found.slot == story.slot);
        Ok(())
    }),
    ("get_transaction_with_config as json", |story| {
        let found = story.rpc.get_transaction_with_config(
            &story.paid,
            Story::versioned(UiTransactionEncoding::Json),
        )?;
        expect!(matches!(
            found.transaction.transaction,
            EncodedTransaction::Json(_)
        ));
        Ok(())
    }),
    ("get_transaction_with_config as jsonParsed", |story| {
        let config = Story::versioned(UiTransactionEncoding::JsonParsed);
        let found =
            serde_json::to_value(story.rpc.get_transaction_with_config(&story.paid, config)?)?;
        let instruction = &found["transaction"]["message"]["instructions"][0];
        expect!(
            instruction["program"] == "system" && instruction["parsed"]["type"] == "transfer",
            instruction
        );
        Ok(())
    }),
    ("get_signatures_for_address", |story| {
        let found = story.rpc.get_signatures_for_address(&story.other)?;
        expect!(
            found.len() == 4 && found[3].signature == story.paid.to_string(),
            found
        );
        Ok(())
    }),
    ("get_signatures_for_address_with_config", |story| {
        let config = GetConfirmedSignaturesForAddress2Config {
            limit: Some(2),
            until: Some(story.paid),
            ..Default::default()
        };
        expect!(
            story
                .rpc
                .get_signatures_for_address_with_config(&story.other, config)?
                .len()
                == 2
        );
        Ok(())
    }),
];

const CHAIN: &[Call] = &[
    ("get_block_with_config", |story| {
        story.next_slot()?;
        let config = RpcBlockConfig {
            max_supported_transaction_version: Some(0),
            ..Default::default()
        };
        let block = story.rpc.get_block_with_config(story.slot, config)?;
        expect!(
            block
                .transactions
                .is_some_and(|transactions| !transactions.is_empty())
        );
        Ok(())
    }),
    ("get_block_with_config, signatures only", |story| {
        let config = RpcBlockConfig {
            transaction_details: Some(TransactionDetails::Signatures),
            max_supported_transaction_version: Some(0),
            ..Default::default()
        };
        let signatures = story
            .rpc
            .get_block_with_config(story.slot, config)?
            .signatures
            .ok_or("none")?;
        expect!(signatures.contains(&story.paid.to_string()));
        Ok(())
    }),
    ("get_blocks", |story| {
        expect!(
            story
                .rpc
                .get_blocks(story.slot - 2, Some(story.slot))?
                .len()
                == 3
        );
        Ok(())
    }),
    ("get_blocks_with_limit", |story| {
        expect!(story.rpc.get_blocks_with_limit(story.slot - 2, 2)?.len() == 2);
        Ok(())
    }),
    ("get_block_time", |story| {
        expect!(story.rpc.get_block_time(story.slot)? > 1_600_000_000);
        Ok(())
    }),
    ("get_block_height", |story| {
        expect!(story.rpc.get_block_height()? >= story.slot);
        Ok(())
    }),
    ("get_block_production", |story| {
        story.rpc.get_block_production()?;
        Ok(())
    }),
    ("get_slot", |story| {
        let present = story
            .rpc
            .get_slot_with_commitment(CommitmentConfig::processed())?;
        expect!(
            story
                .rpc
                .get_slot_with_commitment(CommitmentConfig::finalized())?
                <= present
        );
        Ok(())
    }),
    ("get_slot_leaders", |story| {
        let identity = story.rpc.get_identity()?;
        expect!(story.rpc.get_slot_leaders(story.slot, 5)? == vec![identity; 5]);
        Ok(())
    }),
    ("get_leader_schedule", |story| {
        story.rpc.get_leader_schedule(None)?;
        Ok(())
    }),
    ("get_identity", |story| {
        expect!(story.rpc.get_identity()? != Pubkey::default());
        Ok(())
    }),
    ("get_cluster_nodes", |story| {
        expect!(story.rpc.get_cluster_nodes()?.len() == 1);
        Ok(())
    }),
    ("get_vote_accounts", |story| {
        story.rpc.get_vote_accounts()?;
        Ok(())
    }),
    ("get_version", |story| {
        expect!(!story.rpc.get_version()?.solana_core.is_empty());
        Ok(())
    }),
    ("get_health", |story| Ok(story.rpc.get_health()?)),
    ("get_genesis_hash", |story| {
        expect!(story.rpc.get_genesis_hash()? != Hash::default());
        Ok(())
    }),
    ("get_epoch_info", |story| {
        let info = story.rpc.get_epoch_info()?;
        expect!(info.slot_index < info.slots_in_epoch);
        Ok(())
    }),
    ("get_epoch_schedule", |story| {
        expect!(story.rpc.get_epoch_schedule()?.slots_per_epoch == 432_000);
        Ok(())
    }),
    ("get_inflation_governor", |story| {
        story.rpc.get_inflation_governor()?;
        Ok(())
    }),
    ("get_inflation_rate", |story| {
        story.rpc.get_inflation_rate()?;
        Ok(())
    }),
    ("get_inflation_reward", |story| {
        expect!(story.rpc.get_inflation_reward(&[story.payer], None)?[0].is_none());
        Ok(())
    }),
    ("get_first_available_block", |story| {
        expect!(story.rpc.get_first_available_block()? <= story.slot);
        Ok(())
    }),
    ("minimum_ledger_slot", |story| {
        expect!(story.rpc.minimum_ledger_slot()? <= story.slot);
        Ok(())
    }),
    ("get_max_retransmit_slot", |story| {
        expect!(story.rpc.get_max_retransmit_slot()? >= story.slot);
        Ok(())
    }),
    ("get_max_shred_insert_slot", |story| {
        expect!(story.rpc.get_max_shred_insert_slot()? >= story.slot);
        Ok(())
    }),
    ("get_highest_snapshot_slot", |story| {
        story.rpc.get_highest_snapshot_slot()?;
        Ok(())
    }),
    ("get_recent_performance_samples", |story| {
        story.rpc.get_recent_performance_samples(Some(2))?;
        Ok(())
    }),
    ("get_recent_prioritization_fees", |story| {
        expect!(
            !story
                .rpc
                .get_recent_prioritization_fees(&[story.payer])?
                .is_empty()
        );
        Ok(())
    }),
    ("get_stake_minimum_delegation", |story| {
        story.rpc.get_stake_minimum_delegation()?;
        Ok(())
    }),
    ("get_transaction_count", |story| {
        expect!(story.rpc.get_transaction_count()? >= 4);
        Ok(())
    }),
    ("supply", |story| {
        expect!(story.rpc.supply()?.value.total > 0);
        Ok(())
    }),
    ("get_largest_accounts_with_config", |story| {
        let config = RpcLargestAccountsConfig {
            commitment: Some(CommitmentConfig::finalized()),
            filter: None,
            sort_results: None,
        };
        expect!(
            !story
                .rpc
                .get_largest_accounts_with_config(config)?
                .value
                .is_empty()
        );
        Ok(())
    }),
    ("get_minimum_balance_for_rent_exemption", |story| {
        expect!(story.rpc.get_minimum_balance_for_rent_exemption(165)? == 2_039_280);
        Ok(())
    }),
    ("get_feature_activation_slot", |story| {
        expect!(
            story
                .rpc
                .get_feature_activation_slot(&Pubkey::new_unique())?
                .is_none()
        );
        Ok(())
    }),
];

const TOKENS: &[Call] = &[
    ("a token is made", |story| {
        let rent = story.rpc.get_minimum_balance_for_rent_exemption(82)?;
        let mint = story.mint.insecure_clone();
        let Story {
            payer, own, other, ..
        } = *story;
        let made = [
            create_account(&payer, &mint.pubkey(), rent, 82, &TOKEN),
            token::initialize_mint2(&TOKEN, &mint.pubkey(), &payer, Some(&payer), 6)?,
            create_associated_token_account(&payer, &payer, &mint.pubkey(), &TOKEN),
            token::mint_to(&TOKEN, &mint.pubkey(), &own, &payer, &[], 1_000_000)?,
            token::approve(&TOKEN, &own, &other, &payer, &[], 5)?,
        ];
        story.land(&made, &[&mint])?;
        Ok(())
    }),
    ("a token is sent", |story| {
        let mint = story.mint.pubkey();
        let theirs = get_associated_token_address(&story.other, &mint);
        let sent = [
            create_associated_token_account(&story.payer, &story.other, &mint, &TOKEN),
            token::transfer_checked(&TOKEN, &story.own, &mint, &theirs, &story.payer, &[], 10, 6)?,
        ];
        let signature = story.land(&sent, &[])?;
        let config = Story::versioned(UiTransactionEncoding::JsonParsed);
        let found =
            serde_json::to_value(story.rpc.get_transaction_with_config(&signature, config)?)?;
        let shown = &found["transaction"]["message"]["instructions"][1];
        expect!(
            shown["parsed"]["info"]["tokenAmount"]["amount"] == "10",
            shown
        );
        Ok(())
    }),
    ("SOL is wrapped", |story| {
        let wrapped = get_associated_token_address(&story.payer, &native_mint::ID);
        let Story { payer, .. } = *story;
        let wrap = [
            create_associated_token_account(&payer, &payer, &native_mint::ID, &TOKEN),
            transfer(&payer, &wrapped, SOL),
            token::sync_native(&TOKEN, &wrapped)?,
        ];
        story.land(&wrap, &[])?;
        expect!(story.rpc.get_token_account_balance(&wrapped)?.amount == SOL.to_string());
        story.land(
            &[token::close_account(&TOKEN, &wrapped, &payer, &payer, &[])?],
            &[],
        )?;
        Ok(())
    }),
    ("get_token_supply", |story| {
        expect!(story.rpc.get_token_supply(&story.mint.pubkey())?.amount == "1000000");
        Ok(())
    }),
    ("get_token_account_balance", |story| {
        expect!(story.rpc.get_token_account_balance(&story.own)?.amount == "999990");
        Ok(())
    }),
    ("get_token_account", |story| {
        let found = story
            .rpc
            .get_token_account(&story.own)?
            .ok_or("it is not there")?;
        expect!(found.delegate == Some(story.other.to_string()), found);
        Ok(())
    }),
    ("get_token_largest_accounts", |story| {
        let found = story.rpc.get_token_largest_accounts(&story.mint.pubkey())?;
        expect!(
            found.len() == 2 && found[0].amount.amount == "999990",
            found
        );
        Ok(())
    }),
    ("get_token_accounts_by_owner", |story| {
        let wanted = TokenAccountsFilter::Mint(story.mint.pubkey());
        let found = story
            .rpc
            .get_token_accounts_by_owner(&story.payer, wanted)?;
        expect!(
            found.len() == 1 && found[0].pubkey == story.own.to_string(),
            found
        );
        Ok(())
    }),
    ("get_token_accounts_by_delegate", |story| {
        let wanted = TokenAccountsFilter::ProgramId(TOKEN);
        story
            .rpc
            .get_token_accounts_by_delegate(&story.other, wanted)?;
        Ok(())
    }),
];

const ACCOUNTS: &[Call] = &[
    ("get_account", |story| {
        let found = story.rpc.get_account(&story.mint.pubkey())?;
        expect!(found.owner == TOKEN && found.data.len() == 82);
        Ok(())
    }),
    ("get_account_data", |story| {
        expect!(story.rpc.get_account_data(&story.own)?.len() == 165);
        Ok(())
    }),
    ("get_account_with_commitment of none", |story| {
        let none = Pubkey::new_unique();
        expect!(
            story
                .rpc
                .get_account_with_commitment(&none, CommitmentConfig::confirmed())?
                .value
                .is_none()
        );
        Ok(())
    }),
    ("get_ui_account_with_config, a slice as base58", |story| {
        let config = RpcAccountInfoConfig {
            encoding: Some(UiAccountEncoding::Base58),
            data_slice: Some(UiDataSliceConfig {
                offset: 0,
                length: 32,
            }),
            ..Default::default()
        };
        let found = story
            .rpc
            .get_ui_account_with_config(&story.own, config)?
            .value
            .ok_or("it is not there")?;
        expect!(found.data.decode() == Some(story.mint.pubkey().to_bytes().to_vec()));
        Ok(())
    }),
    ("get_ui_account_with_config as jsonParsed", |story| {
        let config = RpcAccountInfoConfig {
            encoding: Some(UiAccountEncoding::JsonParsed),
            ..Default::default()
        };
        let found = story
            .rpc
            .get_ui_account_with_config(&story.own, config)?
            .value
            .ok_or("it is not there")?;
        expect!(matches!(found.data, UiAccountData::Json(parsed) if parsed.program == "spl-token"));
        Ok(())
    }),
    ("get_multiple_accounts", |story| {
        let found =
            story
                .rpc
                .get_multiple_accounts(&[story.payer, Pubkey::new_unique(), story.own])?;
        expect!(found[0].is_some() && found[1].is_none() && found[2].is_some());
        Ok(())
    }),
    ("get_program_accounts", |story| {
        let program = solana_address_lookup_table_interface::program::id();
        story.rpc.get_program_accounts(&program)?;
        Ok(())
    }),
    (
        "get_program_accounts_with_config, base58 and raw bytes",
        |story| {
            let mint = story.mint.pubkey();
            for memcmp in [
                Memcmp::new_base58_encoded(0, &mint.to_bytes()),
                Memcmp::new_raw_bytes(0, mint.to_bytes().to_vec()),
            ] {
                let config = RpcProgramAccountsConfig {
                    filters: Some(vec![
                        RpcFilterType::DataSize(165),
                        RpcFilterType::Memcmp(memcmp),
                    ]),
                    account_config: RpcAccountInfoConfig {
                        encoding: Some(UiAccountEncoding::Base64Zstd),
                        ..Default::default()
                    },
                    ..Default::default()
                };
                expect!(
                    story
                        .rpc
                        .get_program_accounts_with_config(&TOKEN, config)?
                        .len()
                        == 2
                );
            }
            Ok(())
        },
    ),
];

const LONG_LIVED: &[Call] = &[
    ("a durable nonce", |story| {
        let nonce = Keypair::new();
        let rent = story.rpc.get_minimum_balance_for_rent_exemption(80)?;
        let made = create_nonce_account(&story.payer, &nonce.pubkey(), &story.payer, rent);
        story.land(&made, &[&nonce])?;
        let read = |story: &Story| -> Result<Hash, Box<dyn Error>> {
            let account = solana_rpc_client_nonce_utils::get_account(&story.rpc, &nonce.pubkey())?;
            Ok(Hash::new_from_array(account.data[40..72].try_into()?))
        };
        let kept = read(story)?;
        let before = story.rpc.get_balance(&story.other)?;
        let instructions = [
            advance_nonce_account(&nonce.pubkey(), &story.payer),
            story.pay(SOL),
        ];
        let transaction = story.signed_with(kept, &instructions, &[], &[])?;
        let signature = story.rpc.send_transaction(&transaction)?;
        story.rpc.poll_for_signature(&signature)?;
        expect!(story.rpc.get_balance(&story.other)? == before + SOL);
        expect!(read(story)? != kept);
        Ok(())
    }),
    ("a lookup table", |story| {
        let recent = story
            .rpc
            .get_slot_with_commitment(CommitmentConfig::finalized())?;
        let Story { payer, other, .. } = *story;
        let (create, address) = create_lookup_table(payer, payer, recent);
        story.land(
            &[
                create,
                extend_lookup_table(address, payer, Some(payer), vec![other]),
            ],
            &[],
        )?;
        story.next_slot()?;
        let data = story.rpc.get_account_data(&address)?;
        let addresses = AddressLookupTable::deserialize(&data)?.addresses.to_vec();
        expect!(addresses == vec![other]);
        let blockhash = story.new_blockhash()?;
        let tables = [AddressLookupTableAccount {
            key: address,
            addresses,
        }];
        let transaction = story.signed_with(blockhash, &[story.pay(SOL)], &tables, &[])?;
        let signature = story.rpc.send_and_confirm_transaction(&transaction)?;
        let config = Story::versioned(UiTransactionEncoding::Base64);
        let found =
            serde_json::to_value(story.rpc.get_transaction_with_config(&signature, config)?)?;
        expect!(
            found["meta"]["loadedAddresses"]["writable"][0] == other.to_string(),
            found["meta"]
        );
        Ok(())
    }),
];

const WAIT: Duration = Duration::from_secs(120);

const NOTIFICATIONS: &[Call] = &[
    ("account_subscribe", |story| {
        let config = RpcAccountInfoConfig {
            encoding: Some(UiAccountEncoding::Base64Zstd),
            commitment: Some(CommitmentConfig::confirmed()),
            ..Default::default()
        };
        let (listening, heard) =
            PubsubClient::account_subscribe(&story.socket, &story.other, Some(config))?;
        story.land(&[story.pay(SOL)], &[])?;
        expect!(heard.recv_timeout(WAIT)?.value.lamports > SOL);
        // Unsubscribing waits for the next message, which may be none: it ends with the program.
        forget(listening);
        Ok(())
    }),
    ("program_subscribe", |story| {
        let program = solana_system_interface::program::ID;
        let (listening, heard) = PubsubClient::program_subscribe(&story.socket, &program, None)?;
        story.land(&[story.pay(SOL)], &[])?;
        expect!(heard.recv_timeout(WAIT)?.value.account.owner == program.to_string());
        forget(listening);
        Ok(())
    }),
    ("logs_subscribe", |story| {
        let filter = RpcTransactionLogsFilter::Mentions(vec![story.other.to_string()]);
        let config = RpcTransactionLogsConfig {
            commitment: Some(CommitmentConfig::confirmed()),
        };
        let (listening, heard) = PubsubClient::logs_subscribe(&story.socket, filter, config)?;
        story.land(&[story.pay(SOL)], &[])?;
        expect!(heard.recv_timeout(WAIT)?.value.logs.len() == 2);
        forget(listening);
        Ok(())
    }),
    ("signature_subscribe", |story| {
        let transaction = story.signed(&[story.pay(SOL)])?;
        let config = RpcSignatureSubscribeConfig {
            enable_received_notification: Some(true),
            ..Default::default()
        };
        let (listening, heard) = PubsubClient::signature_subscribe(
            &story.socket,
            &transaction.signatures[0],
            Some(config),
        )?;
        forget(listening);
        story.rpc.send_transaction(&transaction)?;
        loop {
            match heard.recv_timeout(WAIT)?.value {
                RpcSignatureResult::ReceivedSignature(_) => continue,
                RpcSignatureResult::ProcessedSignature(result) => {
                    expect!(result.err.is_none());
                    return Ok(());
                }
            }
        }
    }),
    ("slot_subscribe", |story| {
        let (listening, heard) = PubsubClient::slot_subscribe(&story.socket)?;
        let told = heard.recv_timeout(WAIT)?;
        expect!(told.slot == told.parent + 1);
        forget(listening);
        Ok(())
    }),
    ("root_subscribe", |story| {
        let (listening, heard) = PubsubClient::root_subscribe(&story.socket)?;
        expect!(heard.recv_timeout(WAIT)? > 0);
        forget(listening);
        Ok(())
    }),
];

fn main() -> Done {
    let key = Keypair::new();
    let mint = Keypair::new();
    let url = env::var("SANDBOX_RPC_URL")?;
    let mut story = Story {
        rpc: RpcClient::new_with_timeout_and_commitment(url, WAIT, CommitmentConfig::confirmed()),
        socket: env::var("SANDBOX_WS_URL")?,
        payer: key.pubkey(),
        other: Keypair::new().pubkey(),
        own: get_associated_token_address(&key.pubkey(), &mint.pubkey()),
        key,
        mint,
        paid: Signature::default(),
        slot: 0,
        blockhash: Hash::default(),
    };
    for (name, call) in [
        TRANSACTIONS,
        CHAIN,
        TOKENS,
        ACCOUNTS,
        LONG_LIVED,
        NOTIFICATIONS,
    ]
    .concat()
    {
        match call(&mut story) {
            Ok(()) => println!("ok\t{name}"),
            Err(reason) => {
                let said = reason
                    .to_string()
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ");
                println!(
                    "failed\t{name}\t{}",
                    said.chars().take(400).collect::<String>()
                );
            }
        }
    }
    // Sockets that still listen must not keep the program from ending.
    std::process::exit(0);
}
