"""The sandbox's RPC by solana-py: each call of its client, its answer decoded by solders and its value looked at.

Prints a line for each: `ok`, or `failed` with the reason, then the name.
"""

import asyncio
import os

from solana.rpc.async_api import AsyncClient
from solana.rpc.commitment import Confirmed, Finalized
from solana.rpc.models import DataSliceOpts, MemcmpOpts, TokenAccountOpts, TxOpts
from solana.rpc.websocket_api import SolanaWsClient
from solders import system_program as system
from solders.address_lookup_table_account import AddressLookupTable, AddressLookupTableAccount
from solders.compute_budget import set_compute_unit_price
from solders.hash import Hash
from solders.keypair import Keypair
from solders.message import MessageV0
from solders.pubkey import Pubkey
from solders.rpc.config import RpcTransactionLogsFilterMentions
from solders.transaction import VersionedTransaction
from solders.transaction_status import TransactionConfirmationStatus, TransactionDetails
from spl.memo.constants import MEMO_PROGRAM_ID
from spl.memo.instructions import create_memo
from spl.memo.models import MemoParams
from spl.token import instructions as token
from spl.token import models as tokens
from spl.token.constants import TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID, WRAPPED_SOL_MINT

SOL = 1_000_000_000
TIMEOUT = 120

calls = []


def call(name):
    """Adds a call to the list, which is gone through in the order of this file."""

    def add(action):
        calls.append((name, action))
        return action

    return add


class Made:
    """What earlier calls have made, for later ones to look at."""

    payer = Keypair()
    other = Keypair().pubkey()
    mint = Keypair()
    nonce = Keypair()
    transfer = None
    slot = None
    blockhash = None


rpc = AsyncClient(os.environ["SANDBOX_RPC_URL"], commitment=Confirmed, timeout=TIMEOUT, http2=False)
payer = Made.payer.pubkey()
own = token.get_associated_token_address(payer, Made.mint.pubkey())


def pay(to=Made.other, lamports=SOL):
    return system.transfer({"from_pubkey": payer, "to_pubkey": to, "lamports": lamports})


async def new_blockhash():
    """One that no transaction has had: two that are alike in everything are one."""
    while (latest := (await rpc.get_latest_blockhash()).value.blockhash) == Made.blockhash:
        await asyncio.sleep(0.1)
    Made.blockhash = latest
    return latest


async def message_of(*instructions, tables=(), blockhash=None):
    return MessageV0.try_compile(payer, list(instructions), list(tables), blockhash or await new_blockhash())


async def signed(*instructions, signers=(), tables=(), blockhash=None):
    message = await message_of(*instructions, tables=tables, blockhash=blockhash)
    return VersionedTransaction(message, [Made.payer, *signers])


async def land(*instructions, **options):
    transaction = await signed(*instructions, **options)
    signature = (await rpc.send_transaction(transaction)).value
    statuses = await rpc.confirm_transaction(signature, Confirmed, sleep_seconds=0.05)
    assert statuses.value[0].err is None, statuses
    return signature


async def next_slot():
    """Waits until the present slot is over: blocks are whole then."""
    begun = (await rpc.get_slot(Confirmed)).value
    while (await rpc.get_slot(Confirmed)).value <= begun:
        await asyncio.sleep(0.1)


@call("is_connected")
async def _():
    assert await rpc.is_connected()


@call("request_airdrop")
async def _():
    signature = (await rpc.request_airdrop(payer, 1_000 * SOL)).value
    await rpc.confirm_transaction(signature, Finalized, sleep_seconds=0.05)
    assert (await rpc.get_transaction(signature)).value is not None


@call("get_balance")
async def _():
    assert (await rpc.get_balance(payer)).value == 1_000 * SOL


@call("get_latest_blockhash")
async def _():
    latest = (await rpc.get_latest_blockhash()).value
    assert latest.last_valid_block_height > (await rpc.get_block_height()).value


@call("send_transaction")
async def _():
    Made.transfer = (await rpc.send_transaction(await signed(pay()))).value
    assert (await rpc.get_balance(Made.other)).value == SOL


@call("send_transaction, and wait")
async def _():
    blockhash = await new_blockhash()
    latest = (await rpc.get_latest_blockhash()).value
    options = TxOpts(skip_confirmation=False, last_valid_block_height=latest.last_valid_block_height)
    await rpc.send_transaction(await signed(pay(), blockhash=blockhash), options)


@call("send_raw_transaction")
async def _():
    await rpc.send_raw_transaction(bytes(await signed(pay())), TxOpts(skip_preflight=True))
    assert (await rpc.get_balance(Made.other)).value == 3 * SOL


@call("send_transaction, refused")
async def _():
    try:
        await rpc.send_transaction(await signed(pay(lamports=5_000 * SOL)))
    except Exception as error:
        assert "insufficient lamports" in str(error), error
        return
    raise AssertionError("more was spent than was there")


@call("send_transaction with an unknown blockhash, refused")
async def _():
    try:
        await rpc.send_transaction(await signed(pay(), blockhash=Hash.new_unique()))
    except Exception as error:
        assert "Blockhash not found" in str(error), error
        return
    raise AssertionError("it was taken")


@call("confirm_transaction")
async def _():
    statuses = await rpc.confirm_transaction(Made.transfer, Finalized)
    assert statuses.value[0].confirmation_status == TransactionConfirmationStatus.Finalized


@call("get_signature_statuses")
async def _():
    [status, none] = (await rpc.get_signature_statuses([Made.transfer, (await signed(pay())).signatures[0]])).value
    assert status.err is None and none is None
    Made.slot = status.slot


@call("simulate_transaction")
async def _():
    simulated = (await rpc.simulate_transaction(await signed(pay()), sig_verify=True)).value
    assert simulated.err is None and simulated.units_consumed == 150, simulated


@call("simulate_transaction with accounts and inner instructions")
async def _():
    simulated = await rpc.simulate_transaction(
        await signed(pay(), blockhash=Hash.new_unique()),
        replace_recent_blockhash=True,
        inner_instructions=True,
        accounts_addresses=[Made.other],
    )
    assert simulated.value.accounts[0].lamports == 4 * SOL, simulated


@call("get_fee_for_message")
async def _():
    assert (await rpc.get_fee_for_message(await message_of(pay()))).value == 5_000
    priced = await message_of(set_compute_unit_price(1_000_000), pay())
    assert (await rpc.get_fee_for_message(priced)).value > 5_000


@call("get_transaction as json")
async def _():
    found = (await rpc.get_transaction(Made.transfer, "json", max_supported_transaction_version=0)).value
    assert found.slot == Made.slot and found.transaction.meta.err is None


@call("get_transaction as jsonParsed")
async def _():
    found = (await rpc.get_transaction(Made.transfer, "jsonParsed", max_supported_transaction_version=0)).value
    [instruction] = found.transaction.transaction.message.instructions
    assert instruction.program == "system" and instruction.parsed["type"] == "transfer", instruction


@call("get_transaction as base64")
async def _():
    found = (await rpc.get_transaction(Made.transfer, "base64", max_supported_transaction_version=0)).value
    assert found.transaction.transaction.signatures[0] == Made.transfer


@call("get_signatures_for_address")
async def _():
    found = (await rpc.get_signatures_for_address(Made.other, limit=10)).value
    assert len(found) == 3 and found[-1].signature == Made.transfer
    assert len((await rpc.get_signatures_for_address(Made.other, until=Made.transfer)).value) == 2


@call("get_block")
async def _():
    await next_slot()
    block = (await rpc.get_block(Made.slot, max_supported_transaction_version=0)).value
    signatures = [each.transaction.signatures[0] for each in block.transactions]
    assert Made.transfer in signatures


@call("get_block as jsonParsed")
async def _():
    block = (await rpc.get_block(Made.slot, "jsonParsed", max_supported_transaction_version=0)).value
    assert len(block.transactions) > 0


@call("get_block with signatures only")
async def _():
    wanted = {"max_supported_transaction_version": 0, "transaction_details": TransactionDetails.Signatures}
    assert Made.transfer in (await rpc.get_block(Made.slot, rewards=False, **wanted)).value.signatures


@call("get_blocks")
async def _():
    assert (await rpc.get_blocks(Made.slot - 2, Made.slot)).value == [Made.slot - 2, Made.slot - 1, Made.slot]


@call("get_block_time")
async def _():
    assert (await rpc.get_block_time(Made.slot)).value > 1_600_000_000


@call("get_block_commitment")
async def _():
    await rpc.get_block_commitment(Made.slot)


@call("get_block_height")
async def _():
    assert (await rpc.get_block_height()).value > 0


@call("get_slot")
async def _():
    assert (await rpc.get_slot(Finalized)).value < (await rpc.get_slot(Confirmed)).value


@call("get_slot_leader")
async def _():
    assert (await rpc.get_slot_leader()).value == (await rpc.get_identity()).value.identity


@call("get_slot_leaders")
async def _():
    assert len((await rpc.get_slot_leaders(Made.slot, 5)).value) == 5


@call("get_leader_schedule")
async def _():
    await rpc.get_leader_schedule()


@call("get_identity")
async def _():
    assert isinstance((await rpc.get_identity()).value.identity, Pubkey)


@call("get_cluster_nodes")
async def _():
    assert len((await rpc.get_cluster_nodes()).value) == 1


@call("get_vote_accounts")
async def _():
    await rpc.get_vote_accounts()


@call("get_version")
async def _():
    assert (await rpc.get_version()).value.solana_core


@call("get_genesis_hash")
async def _():
    assert isinstance((await rpc.get_genesis_hash()).value, Hash)


@call("get_epoch_info")
async def _():
    info = (await rpc.get_epoch_info()).value
    assert 0 <= info.slot_index < info.slots_in_epoch


@call("get_epoch_schedule")
async def _():
    assert (await rpc.get_epoch_schedule()).value.slots_per_epoch == 432_000


@call("get_inflation_governor")
async def _():
    await rpc.get_inflation_governor()


@call("get_inflation_rate")
async def _():
    await rpc.get_inflation_rate()


@call("get_inflation_reward")
async def _():
    assert (await rpc.get_inflation_reward([payer])).value == [None]


@call("get_first_available_block")
async def _():
    assert (await rpc.get_first_available_block()).value <= Made.slot


@call("get_minimum_ledger_slot")
async def _():
    assert (await rpc.get_minimum_ledger_slot()).value <= Made.slot


@call("get_recent_performance_samples")
async def _():
    await rpc.get_recent_performance_samples(2)


@call("get_recent_prioritization_fees")
async def _():
    assert len((await rpc.get_recent_prioritization_fees([payer])).value) > 0


@call("get_transaction_count")
async def _():
    assert (await rpc.get_transaction_count()).value >= 4


@call("get_supply")
async def _():
    assert (await rpc.get_supply(exclude_non_circulating_accounts_list=True)).value.total > 0


@call("get_largest_accounts")
async def _():
    assert len((await rpc.get_largest_accounts()).value) > 0


@call("get_minimum_balance_for_rent_exemption")
async def _():
    assert (await rpc.get_minimum_balance_for_rent_exemption(165)).value == 2_039_280


@call("a token is made")
async def _():
    rent = (await rpc.get_minimum_balance_for_rent_exemption(82)).value
    mint = Made.mint.pubkey()
    space = {"from_pubkey": payer, "to_pubkey": mint, "lamports": rent, "space": 82, "owner": TOKEN_PROGRAM_ID}
    begin = tokens.InitializeMintParams(
        decimals=6, program_id=TOKEN_PROGRAM_ID, mint=mint, mint_authority=payer, freeze_authority=payer
    )
    await land(system.create_account(space), token.initialize_mint(begin), signers=[Made.mint])
    give = tokens.MintToParams(
        program_id=TOKEN_PROGRAM_ID, mint=mint, dest=own, mint_authority=payer, amount=1_000_000
    )
    await land(token.create_associated_token_account(payer, payer, mint), token.mint_to(give))
    lend = tokens.ApproveParams(
        program_id=TOKEN_PROGRAM_ID, source=own, delegate=Made.other, owner=payer, amount=5
    )
    await land(token.approve(lend))


@call("a token is sent")
async def _():
    mint = Made.mint.pubkey()
    theirs = token.get_associated_token_address(Made.other, mint)
    send = tokens.TransferCheckedParams(
        program_id=TOKEN_PROGRAM_ID, source=own, mint=mint, dest=theirs, owner=payer, amount=10, decimals=6
    )
    opened = token.create_idempotent_associated_token_account(payer, Made.other, mint)
    signature = await land(opened, token.transfer_checked(send))
    shown = (await rpc.get_transaction(signature, "jsonParsed", max_supported_transaction_version=0)).value
    [_, sent] = shown.transaction.transaction.message.instructions
    assert sent.program == "spl-token" and sent.parsed["info"]["tokenAmount"]["amount"] == "10"
    assert shown.transaction.meta.post_token_balances[0].mint == mint


@call("SOL is wrapped")
async def _():
    wrapped = token.get_associated_token_address(payer, WRAPPED_SOL_MINT)
    opened = token.create_associated_token_account(payer, payer, WRAPPED_SOL_MINT)
    sync = token.sync_native(tokens.SyncNativeParams(program_id=TOKEN_PROGRAM_ID, account=wrapped))
    await land(opened, pay(wrapped, SOL), sync)
    assert (await rpc.get_token_account_balance(wrapped)).value.amount == str(SOL)
    end = tokens.CloseAccountParams(program_id=TOKEN_PROGRAM_ID, account=wrapped, dest=payer, owner=payer)
    await land(token.close_account(end))


@call("a token of the newer program is made")
async def _():
    mint = Keypair()
    rent = (await rpc.get_minimum_balance_for_rent_exemption(82)).value
    space = {
        "from_pubkey": payer,
        "to_pubkey": mint.pubkey(),
        "lamports": rent,
        "space": 82,
        "owner": TOKEN_2022_PROGRAM_ID,
    }
    begin = tokens.InitializeMint2Params(
        decimals=2, program_id=TOKEN_2022_PROGRAM_ID, mint=mint.pubkey(), mint_authority=payer
    )
    opened = token.create_associated_token_account(payer, payer, mint.pubkey(), TOKEN_2022_PROGRAM_ID)
    await land(system.create_account(space), token.initialize_mint2(begin), opened, signers=[mint])
    assert (await rpc.get_token_supply(mint.pubkey())).value.decimals == 2


@call("get_token_supply")
async def _():
    assert (await rpc.get_token_supply(Made.mint.pubkey())).value.amount == "1000000"


@call("get_token_account_balance")
async def _():
    assert (await rpc.get_token_account_balance(own)).value.amount == "999990"


@call("get_token_largest_accounts")
async def _():
    largest = (await rpc.get_token_largest_accounts(Made.mint.pubkey())).value
    assert [each.amount.amount for each in largest] == ["999990", "10"]


@call("get_token_accounts_by_owner")
async def _():
    found = (await rpc.get_token_accounts_by_owner(payer, TokenAccountOpts(mint=Made.mint.pubkey()))).value
    assert [each.pubkey for each in found] == [own]


@call("get_token_accounts_by_owner_json_parsed")
async def _():
    wanted = TokenAccountOpts(program_id=TOKEN_PROGRAM_ID)
    [found] = (await rpc.get_token_accounts_by_owner_json_parsed(payer, wanted)).value
    assert found.account.data.parsed["info"]["delegate"] == str(Made.other)


@call("get_token_accounts_by_delegate")
async def _():
    found = (await rpc.get_token_accounts_by_delegate(Made.other, TokenAccountOpts(program_id=TOKEN_PROGRAM_ID))).value
    assert [each.pubkey for each in found] == [own]


@call("get_token_accounts_by_delegate_json_parsed")
async def _():
    wanted = TokenAccountOpts(mint=Made.mint.pubkey())
    assert len((await rpc.get_token_accounts_by_delegate_json_parsed(Made.other, wanted)).value) == 1


@call("get_account_info as base64")
async def _():
    found = (await rpc.get_account_info(Made.mint.pubkey())).value
    assert found.owner == TOKEN_PROGRAM_ID and len(found.data) == 82


@call("get_account_info as base64+zstd")
async def _():
    assert len((await rpc.get_account_info(own, encoding="base64+zstd")).value.data) == 165


@call("get_account_info as base58, a slice")
async def _():
    wanted = DataSliceOpts(offset=0, length=32)
    found = (await rpc.get_account_info(own, encoding="base58", data_slice=wanted)).value
    assert Pubkey(found.data) == Made.mint.pubkey()


@call("get_account_info_json_parsed")
async def _():
    parsed = (await rpc.get_account_info_json_parsed(Made.mint.pubkey())).value.data.parsed
    assert parsed["type"] == "mint" and parsed["info"]["decimals"] == 6


@call("get_multiple_accounts")
async def _():
    found = (await rpc.get_multiple_accounts([payer, Keypair().pubkey(), own])).value
    assert found[1] is None and found[2].owner == TOKEN_PROGRAM_ID


@call("get_multiple_accounts_json_parsed")
async def _():
    [found] = (await rpc.get_multiple_accounts_json_parsed([own])).value
    assert found.data.parsed["info"]["mint"] == str(Made.mint.pubkey())


@call("get_program_accounts")
async def _():
    filters = [165, MemcmpOpts(offset=0, bytes=str(Made.mint.pubkey()))]
    found = (await rpc.get_program_accounts(TOKEN_PROGRAM_ID, encoding="base64", filters=filters)).value
    assert len(found) == 2


@call("get_program_accounts_json_parsed")
async def _():
    filters = [82, MemcmpOpts(offset=4, bytes=str(payer))]
    found = (await rpc.get_program_accounts_json_parsed(TOKEN_PROGRAM_ID, filters=filters)).value
    assert [each.pubkey for each in found] == [Made.mint.pubkey()]


@call("a memo")
async def _():
    wanted = MemoParams(program_id=MEMO_PROGRAM_ID, signer=payer, message=b"for coffee")
    signature = await land(create_memo(wanted))
    [found] = (await rpc.get_signatures_for_address(payer, limit=1)).value
    assert found.signature == signature and found.memo == "[10] for coffee", found


@call("a durable nonce")
async def _():
    rent = (await rpc.get_minimum_balance_for_rent_exemption(80)).value
    nonce = Made.nonce.pubkey()
    made, begun = system.create_nonce_account(payer, nonce, payer, rent)
    await land(made, begun, signers=[Made.nonce])
    data = (await rpc.get_account_info(nonce)).value.data
    advance = system.advance_nonce_account({"nonce_pubkey": nonce, "authorized_pubkey": payer})
    kept = await signed(advance, pay(), blockhash=Hash(data[40:72]))
    before = (await rpc.get_balance(Made.other)).value
    await rpc.confirm_transaction((await rpc.send_transaction(kept)).value, sleep_seconds=0.05)
    assert (await rpc.get_balance(Made.other)).value == before + SOL
    assert (await rpc.get_account_info(nonce)).value.data[40:72] != data[40:72]


@call("a lookup table")
async def _():
    recent = (await rpc.get_slot(Finalized)).value
    made, table = system.create_lookup_table(
        {"authority_address": payer, "payer_address": payer, "recent_slot": recent}
    )
    extend = system.extend_lookup_table(
        {
            "lookup_table_address": table,
            "authority_address": payer,
            "payer_address": payer,
            "new_addresses": [Made.other],
        }
    )
    await land(made, extend)
    await next_slot()
    addresses = AddressLookupTable.deserialize((await rpc.get_account_info(table)).value.data).addresses
    assert addresses == [Made.other]
    message = await message_of(pay(), tables=[AddressLookupTableAccount(table, addresses)])
    assert len(message.address_table_lookups) == 1
    sent = (await rpc.send_transaction(VersionedTransaction(message, [Made.payer]))).value
    found = (await rpc.get_transaction(sent, max_supported_transaction_version=0)).value
    assert found.transaction.meta.loaded_addresses.writable == [Made.other]


async def told(subscribe, act, is_over=False):
    """The first notification of a subscription, once something has been done; some are over with it by themselves."""
    async with SolanaWsClient(os.environ["SANDBOX_WS_URL"], request_timeout=TIMEOUT) as socket:
        subscription = await subscribe(socket)
        await act()
        heard = await asyncio.wait_for(socket.recv(), TIMEOUT)
        if not is_over:
            await socket.unsubscribe(subscription)
        return heard.result


@call("account_subscribe")
async def _():
    heard = await told(lambda socket: socket.account_subscribe(pubkey=Made.other), lambda: land(pay()))
    assert heard.value.lamports > SOL


@call("account_subscribe as jsonParsed")
async def _():
    async def give():
        params = tokens.MintToParams(
            program_id=TOKEN_PROGRAM_ID, mint=Made.mint.pubkey(), dest=own, mint_authority=payer, amount=1
        )
        await land(token.mint_to(params))

    heard = await told(lambda socket: socket.account_subscribe(pubkey=own, encoding="jsonParsed"), give)
    assert heard.value.data.parsed["info"]["tokenAmount"]["amount"] == "999991"


@call("program_subscribe")
async def _():
    wanted = {"program_id": system.ID, "encoding": "base64", "filters": [0]}
    heard = await told(lambda socket: socket.program_subscribe(**wanted), lambda: land(pay()))
    assert heard.value.account.owner == system.ID


@call("logs_subscribe")
async def _():
    mentions = RpcTransactionLogsFilterMentions(Made.other)
    heard = await told(lambda socket: socket.logs_subscribe(filter_=mentions), lambda: land(pay()))
    assert heard.value.err is None and len(heard.value.logs) == 2


@call("signature_subscribe")
async def _():
    transaction = await signed(pay())
    signature = transaction.signatures[0]
    heard = await told(
        lambda socket: socket.signature_subscribe(signature=signature),
        lambda: rpc.send_transaction(transaction),
        is_over=True,
    )
    assert heard.value.err is None


@call("slot_subscribe")
async def _():
    heard = await told(lambda socket: socket.slot_subscribe(), next_slot)
    assert heard.slot == heard.parent + 1


@call("root_subscribe")
async def _():
    assert await told(lambda socket: socket.root_subscribe(), next_slot) > 0


async def main():
    for name, action in calls:
        try:
            await asyncio.wait_for(action(), 2 * TIMEOUT)
            print(f"ok\t{name}", flush=True)
        except Exception as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())[:400]
            print(f"failed\t{name}\t{reason}", flush=True)
    await rpc.close()


asyncio.run(main())
