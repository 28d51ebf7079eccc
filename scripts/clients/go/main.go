// The sandbox's RPC by solana-go: each call of its client, its answer decoded and its value checked.
// Prints a line for each: `ok`, or `failed` with the reason, then the name.
package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"
	table "github.com/gagliardetto/solana-go/programs/address-lookup-table"
	associated "github.com/gagliardetto/solana-go/programs/associated-token-account"
	budget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/memo"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/gagliardetto/solana-go/rpc"
	confirm "github.com/gagliardetto/solana-go/rpc/sendAndConfirmTransaction"
	"github.com/gagliardetto/solana-go/rpc/ws"
)

const sol = solana.LAMPORTS_PER_SOL

var (
	ctx       = context.Background()
	client    = rpc.New(os.Getenv("SANDBOX_RPC_URL"))
	socket    *ws.Client
	key       = solana.NewWallet().PrivateKey
	payer     = key.PublicKey()
	other     = solana.NewWallet().PublicKey()
	mintKey   = solana.NewWallet().PrivateKey
	mint      = mintKey.PublicKey()
	own       = tokenAccountOf(payer, mint)
	processed = rpc.CommitmentProcessed
	confirmed = rpc.CommitmentConfirmed
	finalized = rpc.CommitmentFinalized
	version   = uint64(0)

	blockhash solana.Hash
	paid      solana.Signature
	slot      uint64
)

// call makes one call and prints its result.
func call(name string, action func()) {
	defer func() {
		if reason := recover(); reason != nil {
			said := strings.Join(strings.Fields(fmt.Sprint(reason)), " ")
			fmt.Printf("failed\t%s\t%.400s\n", name, said)
			return
		}
		fmt.Printf("ok\t%s\n", name)
	}()
	action()
}

// got returns an answer, and ends the call where there was an error instead.
func got[Answer any](answer Answer, err error) Answer {
	if err != nil {
		panic(err)
	}
	return answer
}

func expect(isTrue bool, found ...any) {
	if !isTrue {
		panic(fmt.Sprintf("not what was expected: %v", found))
	}
}

func tokenAccountOf(owner, mint solana.PublicKey) solana.PublicKey {
	address, _, err := solana.FindAssociatedTokenAddress(owner, mint)
	return got(address, err)
}

func pay(to solana.PublicKey, lamports uint64) solana.Instruction {
	return system.NewTransferInstruction(lamports, payer, to).Build()
}

// newBlockhash returns one that no transaction has had: two that are alike in everything are one.
func newBlockhash() solana.Hash {
	for {
		latest := got(client.GetLatestBlockhash(ctx, confirmed)).Value.Blockhash
		if latest != blockhash {
			blockhash = latest
			return latest
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func signedWith(hash solana.Hash, signers []solana.PrivateKey, instructions ...solana.Instruction) *solana.Transaction {
	transaction := got(solana.NewTransaction(instructions, hash, solana.TransactionPayer(payer)))
	sign(transaction, signers...)
	return transaction
}

func sign(transaction *solana.Transaction, signers ...solana.PrivateKey) {
	all := append([]solana.PrivateKey{key}, signers...)
	got(transaction.Sign(func(wanted solana.PublicKey) *solana.PrivateKey {
		for index := range all {
			if all[index].PublicKey() == wanted {
				return &all[index]
			}
		}
		return nil
	}))
}

func signed(instructions ...solana.Instruction) *solana.Transaction {
	return signedWith(newBlockhash(), nil, instructions...)
}

func land(transaction *solana.Transaction) solana.Signature {
	return got(confirm.SendAndConfirmTransaction(ctx, client, socket, transaction))
}

// nextSlot waits until the present slot is over: blocks are whole then.
func nextSlot() {
	begun := got(client.GetSlot(ctx, confirmed))
	for got(client.GetSlot(ctx, confirmed)) <= begun {
		time.Sleep(100 * time.Millisecond)
	}
}

func balance(address solana.PublicKey) uint64 {
	return got(client.GetBalance(ctx, address, confirmed)).Value
}

func main() {
	socket = got(ws.Connect(ctx, os.Getenv("SANDBOX_WS_URL")))
	defer socket.Close()
	transactions()
	chain()
	tokens()
	accounts()
	longLived()
	notifications()
}

func transactions() {
	call("RequestAirdrop", func() {
		signature := got(client.RequestAirdrop(ctx, payer, 1_000*sol, finalized))
		got(confirm.WaitForConfirmation(ctx, socket, signature, nil))
		expect(got(client.GetTransaction(ctx, signature, nil)).Meta.Err == nil)
	})
	call("GetBalance", func() { expect(balance(payer) == 1_000*sol) })
	call("GetLatestBlockhash", func() {
		latest := got(client.GetLatestBlockhash(ctx, finalized)).Value
		expect(latest.LastValidBlockHeight > got(client.GetBlockHeight(ctx, finalized)))
	})
	call("IsBlockhashValid", func() {
		expect(got(client.IsBlockhashValid(ctx, newBlockhash(), processed)).Value)
		expect(!got(client.IsBlockhashValid(ctx, solana.Hash(other), processed)).Value)
	})
	call("SendTransaction", func() { paid = got(client.SendTransaction(ctx, signed(pay(other, sol)))) })
	call("SendAndConfirmTransaction", func() { land(signed(pay(other, sol))) })
	call("SendRawTransaction", func() {
		wire := got(signed(pay(other, sol)).MarshalBinary())
		got(client.SendRawTransactionWithOpts(ctx, wire, rpc.TransactionOpts{SkipPreflight: true}))
	})
	call("SendEncodedTransaction", func() {
		got(client.SendEncodedTransaction(ctx, got(signed(pay(other, sol)).ToBase64())))
		expect(balance(other) == 4*sol)
	})
	call("SendTransaction, refused", func() {
		_, err := client.SendTransaction(ctx, signed(pay(other, 5_000*sol)))
		expect(err != nil && strings.Contains(err.Error(), "custom program error: 0x1"), err)
	})
	call("GetSignatureStatuses", func() {
		statuses := got(client.GetSignatureStatuses(ctx, true, paid, solana.Signature{1})).Value
		expect(statuses[0].Err == nil && statuses[0].ConfirmationStatus == rpc.ConfirmationStatusFinalized)
		expect(statuses[1] == nil)
		slot = statuses[0].Slot
	})
	call("SimulateTransaction", func() {
		simulated := got(client.SimulateTransaction(ctx, signed(pay(other, sol)))).Value
		expect(simulated.Err == nil && *simulated.UnitsConsumed == 150, simulated)
	})
	call("SimulateTransaction with accounts", func() {
		wanted := rpc.SimulateTransactionAccountsOpts{Encoding: solana.EncodingBase64, Addresses: []solana.PublicKey{other}}
		options := rpc.SimulateTransactionOpts{ReplaceRecentBlockhash: true, Accounts: &wanted}
		simulated := got(client.SimulateTransactionWithOpts(ctx, signed(pay(other, sol)), &options)).Value
		expect(simulated.Accounts[0].Lamports == 5*sol, simulated)
	})
	call("GetFeeForMessage", func() {
		fee := func(instructions ...solana.Instruction) uint64 {
			message := got(signed(instructions...).Message.MarshalBinary())
			return *got(client.GetFeeForMessage(ctx, base64.StdEncoding.EncodeToString(message), processed)).Value
		}
		expect(fee(pay(other, sol)) == 5_000)
		expect(fee(budget.NewSetComputeUnitPriceInstruction(1_000_000).Build(), pay(other, sol)) > 5_000)
	})
	call("GetTransaction as base64", func() {
		options := rpc.GetTransactionOpts{Encoding: solana.EncodingBase64, MaxSupportedTransactionVersion: &version}
		found := got(client.GetTransaction(ctx, paid, &options))
		expect(got(found.Transaction.GetTransaction()).Signatures[0] == paid && found.Slot == slot)
	})
	call("GetParsedTransaction", func() {
		options := rpc.GetParsedTransactionOpts{MaxSupportedTransactionVersion: &version}
		found := got(client.GetParsedTransaction(ctx, paid, &options))
		instruction := found.Transaction.Message.Instructions[0]
		expect(instruction.Program == "system", instruction)
		expect(bytes.Contains(got(instruction.Parsed.MarshalJSON()), []byte(other.String())))
	})
	call("GetSignaturesForAddress", func() {
		found := got(client.GetSignaturesForAddress(ctx, other))
		expect(len(found) == 4 && found[3].Signature == paid, found)
		limit := 2
		options := rpc.GetSignaturesForAddressOpts{Limit: &limit, Until: paid}
		expect(len(got(client.GetSignaturesForAddressWithOpts(ctx, other, &options))) == 2)
	})
}

func chain() {
	call("GetBlock", func() {
		nextSlot()
		options := rpc.GetBlockOpts{MaxSupportedTransactionVersion: &version}
		block := got(client.GetBlockWithOpts(ctx, slot, &options))
		expect(len(block.Transactions) > 0 && *block.BlockHeight == slot)
		expect(got(block.Transactions[0].GetTransaction()).Message.Header.NumRequiredSignatures > 0)
	})
	call("GetBlock with signatures only", func() {
		options := rpc.GetBlockOpts{TransactionDetails: rpc.TransactionDetailsSignatures, MaxSupportedTransactionVersion: &version}
		block := got(client.GetBlockWithOpts(ctx, slot, &options))
		expect(len(block.Signatures) > 0)
	})
	call("GetParsedBlock", func() {
		options := rpc.GetBlockOpts{MaxSupportedTransactionVersion: &version}
		expect(len(got(client.GetParsedBlockWithOpts(ctx, slot, &options)).Transactions) > 0)
	})
	call("GetBlocks", func() {
		blocks := got(client.GetBlocks(ctx, slot-2, &slot, finalized))
		expect(len(blocks) == 3 && blocks[2] == slot)
	})
	call("GetBlocksWithLimit", func() {
		expect(len(*got(client.GetBlocksWithLimit(ctx, slot-2, 2, finalized))) == 2)
	})
	call("GetBlockTime", func() { expect(got(client.GetBlockTime(ctx, slot)).Time().Year() > 2020) })
	call("GetBlockCommitment", func() { got(client.GetBlockCommitment(ctx, slot)) })
	call("GetBlockHeight", func() { expect(got(client.GetBlockHeight(ctx, confirmed)) >= slot) })
	call("GetBlockProduction", func() { got(client.GetBlockProduction(ctx)) })
	call("GetSlot", func() {
		expect(got(client.GetSlot(ctx, finalized)) < got(client.GetSlot(ctx, processed)))
	})
	call("GetSlotLeader", func() {
		expect(got(client.GetSlotLeader(ctx, finalized)) == got(client.GetIdentity(ctx)).Identity)
	})
	call("GetSlotLeaders", func() { expect(len(got(client.GetSlotLeaders(ctx, slot, 5))) == 5) })
	call("GetLeaderSchedule", func() { got(client.GetLeaderSchedule(ctx)) })
	call("GetIdentity", func() { expect(!got(client.GetIdentity(ctx)).Identity.IsZero()) })
	call("GetClusterNodes", func() { expect(len(got(client.GetClusterNodes(ctx))) == 1) })
	call("GetVoteAccounts", func() { got(client.GetVoteAccounts(ctx, nil)) })
	call("GetVersion", func() { expect(got(client.GetVersion(ctx)).SolanaCore != "") })
	call("GetHealth", func() { expect(got(client.GetHealth(ctx)) == rpc.HealthOk) })
	call("GetGenesisHash", func() { expect(!got(client.GetGenesisHash(ctx)).IsZero()) })
	call("GetEpochInfo", func() {
		info := got(client.GetEpochInfo(ctx, finalized))
		expect(info.SlotIndex < info.SlotsInEpoch && *info.TransactionCount > 0)
	})
	call("GetEpochSchedule", func() { expect(got(client.GetEpochSchedule(ctx)).SlotsPerEpoch == 432_000) })
	call("GetInflationGovernor", func() { got(client.GetInflationGovernor(ctx, finalized)) })
	call("GetInflationRate", func() { got(client.GetInflationRate(ctx)) })
	call("GetInflationReward", func() {
		rewards := got(client.GetInflationReward(ctx, []solana.PublicKey{payer}, nil))
		expect(len(rewards) == 1 && rewards[0] == nil)
	})
	call("GetFirstAvailableBlock", func() { expect(got(client.GetFirstAvailableBlock(ctx)) <= slot) })
	call("MinimumLedgerSlot", func() { expect(got(client.MinimumLedgerSlot(ctx)) <= slot) })
	call("GetMaxRetransmitSlot", func() { expect(got(client.GetMaxRetransmitSlot(ctx)) >= slot) })
	call("GetMaxShredInsertSlot", func() { expect(got(client.GetMaxShredInsertSlot(ctx)) >= slot) })
	call("GetHighestSnapshotSlot", func() { got(client.GetHighestSnapshotSlot(ctx)) })
	call("GetRecentPerformanceSamples", func() {
		limit := uint(2)
		got(client.GetRecentPerformanceSamples(ctx, &limit))
	})
	call("GetRecentPrioritizationFees", func() {
		expect(len(got(client.GetRecentPrioritizationFees(ctx, solana.PublicKeySlice{payer}))) > 0)
	})
	call("GetTransactionCount", func() { expect(got(client.GetTransactionCount(ctx, finalized)) >= 4) })
	call("GetSupply", func() { expect(got(client.GetSupply(ctx, finalized)).Value.Total > 0) })
	call("GetLargestAccounts", func() {
		expect(len(got(client.GetLargestAccounts(ctx, finalized, rpc.LargestAccountsFilterCirculating)).Value) > 0)
	})
	call("GetMinimumBalanceForRentExemption", func() {
		expect(got(client.GetMinimumBalanceForRentExemption(ctx, 165, finalized)) == 2_039_280)
	})
}

func tokens() {
	call("a token is made", func() {
		rent := got(client.GetMinimumBalanceForRentExemption(ctx, token.MINT_SIZE, confirmed))
		land(signedWith(
			newBlockhash(),
			[]solana.PrivateKey{mintKey},
			system.NewCreateAccountInstruction(rent, token.MINT_SIZE, token.ProgramID, payer, mint).Build(),
			token.NewInitializeMint2Instruction(6, payer, payer, mint).Build(),
			associated.NewCreateInstruction(payer, payer, mint).Build(),
			token.NewMintToInstruction(1_000_000, mint, own, payer, nil).Build(),
			token.NewApproveInstruction(5, own, other, payer, nil).Build(),
		))
	})
	call("a token is sent", func() {
		theirs := tokenAccountOf(other, mint)
		signature := land(signed(
			associated.NewCreateInstruction(payer, other, mint).Build(),
			token.NewTransferCheckedInstruction(10, 6, own, mint, theirs, payer, nil).Build(),
		))
		options := rpc.GetParsedTransactionOpts{MaxSupportedTransactionVersion: &version}
		found := got(client.GetParsedTransaction(ctx, signature, &options))
		expect(found.Transaction.Message.Instructions[1].Program == "spl-token")
		expect(len(found.Meta.InnerInstructions) == 1 && found.Meta.PostTokenBalances[0].Mint == mint)
	})
	call("SOL is wrapped", func() {
		wrapped := tokenAccountOf(payer, solana.SolMint)
		land(signed(
			associated.NewCreateInstruction(payer, payer, solana.SolMint).Build(),
			pay(wrapped, sol),
			token.NewSyncNativeInstruction(wrapped).Build(),
		))
		expect(got(client.GetTokenAccountBalance(ctx, wrapped, confirmed)).Value.Amount == fmt.Sprint(sol))
		land(signed(token.NewCloseAccountInstruction(wrapped, payer, payer, nil).Build()))
	})
	call("GetTokenSupply", func() {
		expect(got(client.GetTokenSupply(ctx, mint, confirmed)).Value.Amount == "1000000")
	})
	call("GetTokenAccountBalance", func() {
		expect(got(client.GetTokenAccountBalance(ctx, own, confirmed)).Value.Amount == "999990")
	})
	call("GetTokenLargestAccounts", func() {
		largest := got(client.GetTokenLargestAccounts(ctx, mint, confirmed)).Value
		expect(len(largest) == 2 && largest[0].Amount == "999990")
	})
	call("GetTokenAccountsByOwner", func() {
		found := got(client.GetTokenAccountsByOwner(ctx, payer, &rpc.GetTokenAccountsConfig{Mint: &mint}, nil)).Value
		expect(len(found) == 1 && found[0].Pubkey == own)
	})
	call("GetTokenAccountsByOwner as jsonParsed", func() {
		config := rpc.GetTokenAccountsConfig{ProgramId: &token.ProgramID}
		options := rpc.GetTokenAccountsOpts{Encoding: solana.EncodingJSONParsed}
		found := got(client.GetTokenAccountsByOwner(ctx, payer, &config, &options)).Value
		expect(len(found) == 1 && bytes.Contains(found[0].Account.Data.GetRawJSON(), []byte(other.String())))
	})
	call("GetTokenAccountsByDelegate", func() {
		config := rpc.GetTokenAccountsConfig{ProgramId: &token.ProgramID}
		found := got(client.GetTokenAccountsByDelegate(ctx, other, &config, nil)).Value
		expect(len(found) == 1 && found[0].Pubkey == own)
	})
}

func accounts() {
	call("GetAccountInfo", func() {
		expect(len(got(client.GetAccountInfo(ctx, mint)).GetBinary()) == token.MINT_SIZE)
	})
	call("GetAccountDataInto", func() {
		var found token.Mint
		got(0, client.GetAccountDataInto(ctx, mint, &found))
		expect(found.Decimals == 6 && found.Supply == 1_000_000)
	})
	for _, encoding := range []solana.EncodingType{solana.EncodingBase58, solana.EncodingBase64Zstd} {
		call("GetAccountInfo as "+string(encoding), func() {
			options := rpc.GetAccountInfoOpts{Encoding: encoding, Commitment: confirmed}
			if encoding == solana.EncodingBase58 {
				offset, length := uint64(0), uint64(32)
				options.DataSlice = &rpc.DataSlice{Offset: &offset, Length: &length}
			}
			found := got(client.GetAccountInfoWithOpts(ctx, own, &options)).GetBinary()
			expect(bytes.HasPrefix(found, mint.Bytes()), found)
		})
	}
	call("GetAccountInfo as jsonParsed", func() {
		options := rpc.GetAccountInfoOpts{Encoding: solana.EncodingJSONParsed}
		found := got(client.GetAccountInfoWithOpts(ctx, own, &options)).Value
		expect(bytes.Contains(found.Data.GetRawJSON(), []byte(`"999990"`)))
	})
	call("GetAccountInfo of none", func() {
		_, err := client.GetAccountInfo(ctx, solana.NewWallet().PublicKey())
		expect(err == rpc.ErrNotFound, err)
	})
	call("GetMultipleAccounts", func() {
		found := got(client.GetMultipleAccounts(ctx, payer, solana.NewWallet().PublicKey(), own)).Value
		expect(found[0].Lamports > 0 && found[1] == nil && len(found[2].Data.GetBinary()) == 165)
	})
	call("GetProgramAccounts", func() {
		filters := []rpc.RPCFilter{{DataSize: 165}, {Memcmp: &rpc.RPCFilterMemcmp{Offset: 0, Bytes: mint.Bytes()}}}
		options := rpc.GetProgramAccountsOpts{Filters: filters}
		expect(len(got(client.GetProgramAccountsWithOpts(ctx, token.ProgramID, &options))) == 2)
	})
}

func longLived() {
	call("a memo", func() {
		signature := land(signed(memo.NewMemoInstruction([]byte("for coffee"), payer).Build()))
		found := got(client.GetSignaturesForAddress(ctx, payer))[0]
		expect(found.Signature == signature, found.Signature)
		// The client writes a length of its own before the text.
		expect(strings.HasSuffix(*found.Memo, "for coffee"), *found.Memo)
	})
	call("a durable nonce", func() {
		nonceKey := solana.NewWallet().PrivateKey
		nonce := nonceKey.PublicKey()
		rent := got(client.GetMinimumBalanceForRentExemption(ctx, 80, confirmed))
		recent := solana.SysVarRecentBlockHashesPubkey
		land(signedWith(
			newBlockhash(),
			[]solana.PrivateKey{nonceKey},
			system.NewCreateAccountInstruction(rent, 80, system.ProgramID, payer, nonce).Build(),
			system.NewInitializeNonceAccountInstruction(payer, nonce, recent, solana.SysVarRentPubkey).Build(),
		))
		read := func() solana.Hash {
			return solana.HashFromBytes(got(client.GetAccountInfo(ctx, nonce)).GetBinary()[40:72])
		}
		kept := read()
		before := balance(other)
		advance := system.NewAdvanceNonceAccountInstruction(nonce, recent, payer).Build()
		land(signedWith(kept, nil, advance, pay(other, sol)))
		expect(balance(other) == before+sol && read() != kept)
	})
	call("a lookup table", func() {
		recent := make([]byte, 8)
		binary.LittleEndian.PutUint64(recent, got(client.GetSlot(ctx, finalized)))
		address, bump, err := solana.FindProgramAddress([][]byte{payer.Bytes(), recent}, solana.AddressLookupTableProgramID)
		got(address, err)
		accounts := solana.AccountMetaSlice{
			solana.Meta(address).WRITE(),
			solana.Meta(payer).SIGNER(),
			solana.Meta(payer).WRITE().SIGNER(),
			solana.Meta(system.ProgramID),
		}
		create := append(append([]byte{0, 0, 0, 0}, recent...), bump)
		extend := append([]byte{2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, other.Bytes()...)
		land(signed(
			solana.NewInstruction(solana.AddressLookupTableProgramID, accounts, create),
			solana.NewInstruction(solana.AddressLookupTableProgramID, accounts, extend),
		))
		nextSlot()
		state := got(table.GetAddressLookupTable(ctx, client, address))
		expect(len(state.Addresses) == 1 && state.Addresses[0] == other)
		tables := solana.TransactionAddressTables(map[solana.PublicKey]solana.PublicKeySlice{address: state.Addresses})
		instructions := []solana.Instruction{pay(other, sol)}
		versioned := got(solana.NewTransaction(instructions, newBlockhash(), solana.TransactionPayer(payer), tables))
		expect(versioned.Message.GetVersion() == solana.MessageVersionV0)
		sign(versioned)
		options := rpc.GetTransactionOpts{Encoding: solana.EncodingBase64, MaxSupportedTransactionVersion: &version}
		loaded := got(client.GetTransaction(ctx, land(versioned), &options)).Meta.LoadedAddresses
		expect(len(loaded.Writable) == 1 && loaded.Writable[0] == other)
	})
}

type subscription[Told any] interface {
	Recv(context.Context) (Told, error)
	Unsubscribe()
}

// told returns the first notification of a subscription, once something has been done.
func told[Told any](listening subscription[Told], act func()) Told {
	defer listening.Unsubscribe()
	act()
	bounded, end := context.WithTimeout(ctx, 2*time.Minute)
	defer end()
	return got(listening.Recv(bounded))
}

func notifications() {
	move := func() { land(signed(pay(other, sol))) }
	call("AccountSubscribe", func() {
		expect(told(got(socket.AccountSubscribe(other, confirmed)), move).Value.Lamports > sol)
	})
	call("ProgramSubscribe", func() {
		heard := told(got(socket.ProgramSubscribe(system.ProgramID, confirmed)), move)
		expect(heard.Value.Account.Owner == system.ProgramID)
	})
	call("LogsSubscribe", func() {
		expect(told(got(socket.LogsSubscribe(ws.LogsSubscribeFilterAll, confirmed)), move).Value.Err == nil)
	})
	call("LogsSubscribeMentions", func() {
		expect(len(told(got(socket.LogsSubscribeMentions(other, confirmed)), move).Value.Logs) == 2)
	})
	call("SignatureSubscribe", func() {
		transaction := signed(pay(other, sol))
		listening := got(socket.SignatureSubscribe(transaction.Signatures[0], confirmed))
		heard := told(listening, func() { got(client.SendTransaction(ctx, transaction)) })
		expect(heard.Value.Err == nil)
	})
	call("SlotSubscribe", func() {
		heard := told(got(socket.SlotSubscribe()), nextSlot)
		expect(heard.Slot == heard.Parent+1)
	})
	call("RootSubscribe", func() { expect(*told(got(socket.RootSubscribe()), nextSlot) > 0) })
}
