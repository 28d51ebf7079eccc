import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import {
  airdropFactory,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  generateKeyPairSigner,
  isSolanaError,
  lamports,
  SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED,
  sendAndConfirmTransactionFactory,
  address as toAddress,
} from "@solana/kit";
import {
  approve,
  burn,
  closeAccount,
  createMint,
  createWrappedNativeAccount,
  freezeAccount,
  getAccount,
  getMint,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  NATIVE_MINT,
  revoke,
  setAuthority,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  thawAccount,
  transfer,
  transferChecked,
} from "@solana/spl-token";
import {
  AddressLookupTableProgram,
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  NONCE_ACCOUNT_LENGTH,
  type NonceAccount,
  type PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js";
import { getTransferSolInstruction } from "@solana-program/system";
import { limits } from "@trellis/kernel/limits.js";
import type { SandboxControls } from "@trellis/kernel/ports/network.js";
import { noFaults } from "@trellis/sandbox/node/faults.js";
import { createRpcSockets } from "@trellis/sandbox/node/rpc-sockets.js";
import type { SandboxNode } from "@trellis/sandbox/node/sandbox-node.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../src/adapters/db/open-database.js";
import { openTestDatabase } from "../support/test-database.js";
import { type Floor, openFloor } from "./http-fixture.js";
import { buildSigned, createTestLog, openTestNode } from "./sandbox-rpc-fixture.js";

const timeout = 240_000;
let database: OpenDatabase;
let node: SandboxNode;
let floor: Floor;
let url: string;
let connection: Connection;

beforeAll(async () => {
  database = await openTestDatabase();
  // Clients measure time by their own clocks.
  node = await openTestNode(database.db, { realClock: { now: () => Date.now() } });
  const sockets = createRpcSockets(node.openSession, limits.sandboxSockets, createTestLog());
  const sandbox: Pick<SandboxControls, "answerRpc" | "sockets"> = { answerRpc: node.answerRpc, sockets };
  floor = await openFloor({ sandbox: sandbox as SandboxControls });
  await floor.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = floor.app.server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/api/service/v1/sandbox/rpc?api-key=${floor.key}`;
  connection = connect();
  await node.airdrop(toAddress(payer.publicKey.toBase58()), 1_000n * BigInt(LAMPORTS_PER_SOL));
}, timeout);
afterAll(async () => {
  // They call a server that has stopped again and again, and report each time.
  for (const socket of sockets) socket.setAutoReconnect(false);
  await floor.close();
  await node.close();
  await database.close();
});

describe("web3.js and spl-token", { timeout }, () => {
  it("send, confirm and read what is confirmed", async () => {
    const { publicKey: to } = Keypair.generate();
    const signature = await sendAndConfirmTransaction(connection, transferTo(to), [payer]);
    expect(await connection.getBalance(to)).toBe(LAMPORTS_PER_SOL);
    expect((await connection.confirmTransaction(signature)).value.err).toBeNull();
    const airdrop = await connection.requestAirdrop(to, LAMPORTS_PER_SOL);
    await connection.confirmTransaction({ signature: airdrop, ...(await connection.getLatestBlockhash()) });
    expect((await connection.getTransaction(airdrop))?.meta?.err).toBeNull();
    const parsed = await connection.getParsedTransaction(signature);
    expect(parsed?.transaction.message.instructions).toMatchObject([
      {
        program: "system",
        parsed: {
          type: "transfer",
          info: { source: payer.publicKey.toBase58(), destination: to.toBase58(), lamports: LAMPORTS_PER_SOL },
        },
      },
    ]);
    const slot = parsed?.slot ?? 0;
    // A block is whole when its slot is over.
    await node.advanceClock(1);
    const block = await connection.getBlock(slot, { maxSupportedTransactionVersion: 0 });
    expect(block?.transactions.map((each) => each.transaction.signatures[0])).toContain(signature);
    expect(block?.blockhash).toBe(
      (await connection.getBlock(slot + 1, { transactionDetails: "none" }))?.previousBlockhash,
    );
    expect((await connection.getBlockSignatures(slot)).signatures).toContain(signature);
    expect(await connection.getBlocks(slot, slot)).toEqual([slot]);
    const asked = { maxSupportedTransactionVersion: 0 } as const;
    expect((await connection.getParsedBlock(slot, asked)).transactions.length).toBeGreaterThan(0);
    expect(await connection.getSignaturesForAddress(to, { limit: 5 })).toHaveLength(2);
    expect(await connection.getParsedTransactions([signature, airdrop], asked)).toHaveLength(2);
    expect(await connection.getTransactionCount()).toBeGreaterThan(2);
  });

  it("make tokens, wrap SOL, and take them apart again", async () => {
    for (const program of [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID]) {
      const options = [{ commitment: "confirmed" }, program] as const;
      const owner = payer.publicKey;
      const mint = await createMint(connection, payer, owner, owner, 6, undefined, ...options);
      const own = await getOrCreateAssociatedTokenAccount(
        connection,
        payer,
        mint,
        owner,
        false,
        "confirmed",
        ...options,
      );
      const { publicKey: other } = Keypair.generate();
      const theirs = await getOrCreateAssociatedTokenAccount(
        connection,
        payer,
        mint,
        other,
        false,
        "confirmed",
        ...options,
      );
      await mintTo(connection, payer, mint, own.address, payer, 1_000_000n, [], ...options);
      const sent = await transfer(connection, payer, own.address, theirs.address, payer, 5n, [], ...options);
      await transferChecked(connection, payer, own.address, mint, theirs.address, payer, 5n, 6, [], ...options);
      await approve(connection, payer, own.address, other, payer, 7n, [], ...options);
      const delegated = await connection.getAccountInfo(own.address);
      expect(delegated?.data.length).toBeGreaterThanOrEqual(165);
      await revoke(connection, payer, own.address, payer, [], ...options);
      await freezeAccount(connection, payer, theirs.address, mint, payer, [], ...options);
      await thawAccount(connection, payer, theirs.address, mint, payer, [], ...options);
      await setAuthority(connection, payer, mint, payer, 0, null, [], ...options);
      expect((await getMint(connection, mint, "confirmed", program)).mintAuthority).toBeNull();
      expect((await getAccount(connection, theirs.address, "confirmed", program)).amount).toBe(10n);
      const { value: largest } = await connection.getTokenLargestAccounts(mint);
      expect(largest.map(({ amount }) => amount)).toEqual(["999990", "10"]);
      const view = await connection.getParsedTransaction(sent);
      expect(view?.transaction.message.instructions).toMatchObject([
        { program: "spl-token", parsed: { type: "transfer", info: { amount: "5", authority: owner.toBase58() } } },
      ]);
      await burn(connection, payer, own.address, mint, payer, 999_990n, [], ...options);
      await closeAccount(connection, payer, own.address, owner, payer, [], ...options);
    }
    const wrapped = await createWrappedNativeAccount(connection, payer, payer.publicKey, LAMPORTS_PER_SOL);
    expect(await getAccount(connection, wrapped)).toMatchObject({ isNative: true, amount: BigInt(LAMPORTS_PER_SOL) });
    expect((await getMint(connection, NATIVE_MINT)).decimals).toBe(9);
    await closeAccount(connection, payer, wrapped, payer.publicKey, payer);
  });

  it("live by a durable nonce and by a lookup table", async () => {
    const nonceKey = Keypair.generate();
    const rent = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH);
    const made = SystemProgram.createNonceAccount({
      fromPubkey: payer.publicKey,
      noncePubkey: nonceKey.publicKey,
      authorizedPubkey: payer.publicKey,
      lamports: rent,
    });
    await sendAndConfirmTransaction(connection, new Transaction().add(made), [payer, nonceKey]);
    const readNonce = async () => {
      const account = await connection.getNonce(nonceKey.publicKey);
      return (account as NonceAccount).nonce;
    };
    const advance = SystemProgram.nonceAdvance({
      noncePubkey: nonceKey.publicKey,
      authorizedPubkey: payer.publicKey,
    });
    const { publicKey: to } = Keypair.generate();
    const sign = async (sol: number) => {
      const nonce = await readNonce();
      const transaction = transferTo(to, sol);
      transaction.nonceInfo = { nonce, nonceInstruction: advance };
      transaction.feePayer = payer.publicKey;
      transaction.sign(payer);
      return { nonce, wire: transaction.serialize() };
    };
    const first = await sign(1);
    // Long after any blockhash of that time has expired.
    await node.advanceClock(3_600);
    await connection.confirmTransaction(await connection.sendRawTransaction(first.wire));
    expect(await connection.getBalance(to)).toBe(LAMPORTS_PER_SOL);
    await expect(connection.sendRawTransaction(first.wire)).rejects.toThrow(
      /Blockhash not found|already been processed/,
    );
    // One that fails has used its nonce up as well, so that it cannot be charged again and again.
    const failing = await sign(1_000_000);
    expect(failing.nonce).not.toBe(first.nonce);
    const failed = await connection.sendRawTransaction(failing.wire, { skipPreflight: true });
    expect((await connection.getSignatureStatus(failed)).value?.err).not.toBeNull();
    await node.advanceClock(3_600);
    await connection.getSignatureStatus(failed);
    const charged = await connection.getBalance(payer.publicKey);
    await expect(connection.sendRawTransaction(failing.wire, { skipPreflight: true })).rejects.toThrow();
    expect(await connection.getBalance(payer.publicKey)).toBe(charged);
    const third = await sign(2);
    expect(third.nonce).not.toBe(failing.nonce);
    await connection.sendRawTransaction(third.wire);
    expect(await connection.getBalance(to)).toBe(3 * LAMPORTS_PER_SOL);
    const { value } = await connection.getParsedAccountInfo(nonceKey.publicKey);
    expect(value?.data).toMatchObject({ program: "nonce", parsed: { type: "initialized" } });

    connection = connect();
    const authority = payer.publicKey;
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority,
      payer: authority,
      recentSlot: await connection.getSlot("finalized"),
    });
    const extend = AddressLookupTableProgram.extendLookupTable({
      lookupTable: table,
      authority,
      payer: authority,
      addresses: [to],
    });
    await sendAndConfirmTransaction(connection, new Transaction().add(create, extend), [payer]);
    await node.advanceClock(1);
    const { value: found } = await connection.getAddressLookupTable(table);
    const message = new TransactionMessage({
      payerKey: authority,
      recentBlockhash: (await connection.getLatestBlockhash()).blockhash,
      instructions: transferTo(to).instructions,
    }).compileToV0Message(found === null ? [] : [found]);
    const versioned = new VersionedTransaction(message);
    versioned.sign([payer]);
    const simulated = await connection.simulateTransaction(versioned, { innerInstructions: true });
    expect(simulated.value).toMatchObject({ err: null, innerInstructions: [] });
    await connection.confirmTransaction(await connection.sendTransaction(versioned));
    expect(await connection.getBalance(to)).toBe(4 * LAMPORTS_PER_SOL);
  });

  it("hear of changes", async () => {
    connection = connect();
    const act = () => sendAndConfirmTransaction(connection, transferTo(payer.publicKey), [payer]);
    const { publicKey } = payer;
    await connection.removeAccountChangeListener(
      await heard((hear) => connection.onAccountChange(publicKey, hear), act),
    );
    await connection.removeOnLogsListener(await heard((hear) => connection.onLogs(publicKey, hear), act));
    const { programId } = SystemProgram;
    await connection.removeProgramAccountChangeListener(
      await heard((hear) => connection.onProgramAccountChange(programId, hear), act),
    );
    // Time passes on its own.
    const move = () => connection.getSlot();
    await connection.removeSlotChangeListener(await heard((hear) => connection.onSlotChange(hear), move));
    await connection.removeRootChangeListener(await heard((hear) => connection.onRootChange(hear), move));
  });

  it("ask for everything else there is to ask", async () => {
    const { publicKey } = payer;
    const message = new TransactionMessage({
      payerKey: publicKey,
      recentBlockhash: (await connection.getLatestBlockhash()).blockhash,
      instructions: transferTo(publicKey).instructions,
    });
    const failures = await failuresOf({
      getAccountInfoAndContext: () => connection.getAccountInfoAndContext(publicKey),
      getBlockHeight: () => connection.getBlockHeight(),
      getBlockProduction: () => connection.getBlockProduction(),
      getBlockTime: () => connection.getBlockTime(1),
      getClusterNodes: () => connection.getClusterNodes(),
      getEpochInfo: () => connection.getEpochInfo(),
      getEpochSchedule: () => connection.getEpochSchedule(),
      getFeeForMessage: () => connection.getFeeForMessage(message.compileToLegacyMessage()),
      getFirstAvailableBlock: () => connection.getFirstAvailableBlock(),
      getGenesisHash: () => connection.getGenesisHash(),
      getInflationGovernor: () => connection.getInflationGovernor(),
      getInflationRate: () => connection.getInflationRate(),
      getInflationReward: () => connection.getInflationReward([publicKey]),
      getLargestAccounts: () => connection.getLargestAccounts(),
      getLatestBlockhashAndContext: () => connection.getLatestBlockhashAndContext(),
      getLeaderSchedule: () => connection.getLeaderSchedule(),
      getMinimumLedgerSlot: () => connection.getMinimumLedgerSlot(),
      getMultipleAccountsInfo: () => connection.getMultipleAccountsInfo([publicKey]),
      getMultipleParsedAccounts: () => connection.getMultipleParsedAccounts([publicKey]),
      getParsedProgramAccounts: () => connection.getParsedProgramAccounts(TOKEN_PROGRAM_ID),
      getParsedTokenAccountsByOwner: () =>
        connection.getParsedTokenAccountsByOwner(publicKey, { programId: TOKEN_PROGRAM_ID }),
      getProgramAccounts: () => connection.getProgramAccounts(TOKEN_PROGRAM_ID, { filters: [{ dataSize: 82 }] }),
      getRecentPerformanceSamples: () => connection.getRecentPerformanceSamples(2),
      getRecentPrioritizationFees: () => connection.getRecentPrioritizationFees(),
      getSignatureStatuses: () => connection.getSignatureStatuses([]),
      getSlot: () => connection.getSlot(),
      getSlotLeader: () => connection.getSlotLeader(),
      getSlotLeaders: () => connection.getSlotLeaders(1, 5),
      getStakeMinimumDelegation: () => connection.getStakeMinimumDelegation(),
      getSupply: () => connection.getSupply(),
      getTokenAccountsByOwner: () => connection.getTokenAccountsByOwner(publicKey, { programId: TOKEN_PROGRAM_ID }),
      getTokenSupply: () => connection.getTokenSupply(NATIVE_MINT),
      getVersion: () => connection.getVersion(),
      getVoteAccounts: () => connection.getVoteAccounts(),
      isBlockhashValid: () => connection.isBlockhashValid(message.recentBlockhash),
    });
    expect(failures).toEqual({});
  });
});

describe("kit", { timeout }, () => {
  it("sends, confirms, hears, and asks for everything there is to ask", async () => {
    const rpc = createSolanaRpc(url);
    const rpcSubscriptions = createSolanaRpcSubscriptions(url.replace("http", "ws"));
    const signer = await generateKeyPairSigner();
    const commitment = "confirmed" as const;
    const airdrop = airdropFactory({ rpc, rpcSubscriptions } as never);
    await airdrop({ recipientAddress: signer.address, lamports: lamports(5_000_000_000n), commitment });
    const { address } = await generateKeyPairSigner();
    const pay = getTransferSolInstruction({ source: signer, destination: address, amount: 1_000_000_000n });
    const send = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions } as never);
    await send(await buildSigned(rpc, signer, [pay]), { commitment });
    expect((await rpc.getBalance(address).send()).value).toBe(1_000_000_000n);
    const slot = (await rpc.getSlot().send()) - 1n;
    const asked = { encoding: "base64+zstd" } as const;
    const failures = await failuresOf({
      getAccountInfo: () => rpc.getAccountInfo(address, asked).send(),
      getBlock: () => rpc.getBlock(slot, { maxSupportedTransactionVersion: 0 }).send(),
      getBlockAccounts: () =>
        rpc.getBlock(slot, { maxSupportedTransactionVersion: 0, transactionDetails: "accounts" }).send(),
      getBlockCommitment: () => rpc.getBlockCommitment(slot).send(),
      getBlockProduction: () => rpc.getBlockProduction().send(),
      getBlocks: () => rpc.getBlocks(slot - 5n, slot).send(),
      getBlocksWithLimit: () => rpc.getBlocksWithLimit(slot - 5n, 5).send(),
      getClusterNodes: () => rpc.getClusterNodes().send(),
      getEpochInfo: () => rpc.getEpochInfo().send(),
      getEpochSchedule: () => rpc.getEpochSchedule().send(),
      getInflationGovernor: () => rpc.getInflationGovernor().send(),
      getInflationRate: () => rpc.getInflationRate().send(),
      getInflationReward: () => rpc.getInflationReward([address]).send(),
      getLargestAccounts: () => rpc.getLargestAccounts().send(),
      getMaxRetransmitSlot: () => rpc.getMaxRetransmitSlot().send(),
      getMaxShredInsertSlot: () => rpc.getMaxShredInsertSlot().send(),
      getRecentPerformanceSamples: () => rpc.getRecentPerformanceSamples().send(),
      getSlotLeader: () => rpc.getSlotLeader().send(),
      getSlotLeaders: () => rpc.getSlotLeaders(slot, 3).send(),
      getStakeMinimumDelegation: () => rpc.getStakeMinimumDelegation().send(),
      getSupply: () => rpc.getSupply().send(),
      getTokenAccountsByDelegate: () =>
        rpc
          .getTokenAccountsByDelegate(
            address,
            { programId: toAddress(TOKEN_PROGRAM_ID.toBase58()) },
            { encoding: "base64" },
          )
          .send(),
      getTransactionCount: () => rpc.getTransactionCount().send(),
      getVoteAccounts: () => rpc.getVoteAccounts().send(),
    });
    expect(failures).toEqual({});
    await expect(rpc.getHighestSnapshotSlot().send()).rejects.toThrow(/snapshot/i);
    const stop = new AbortController();
    const slots = await rpcSubscriptions.slotNotifications().subscribe({ abortSignal: stop.signal });
    await node.advanceClock(1);
    for await (const reported of slots) {
      expect(reported.slot).toBe(reported.parent + 1n);
      break;
    }
    stop.abort();
  });
});

describe("over a fork that is left, and a node that lags", { timeout }, () => {
  it("web3.js waits until the same bytes are confirmed elsewhere", async () => {
    const { publicKey: to } = Keypair.generate();
    await node.setFaults({ ...noFaults, fork: 1, lag: 2 });
    try {
      const latest = await connection.getLatestBlockhash();
      const transaction = transferTo(to);
      transaction.recentBlockhash = latest.blockhash;
      transaction.feePayer = payer.publicKey;
      transaction.sign(payer);
      const wire = transaction.serialize();
      const signature = await connection.sendRawTransaction(wire);
      const confirming = connection.confirmTransaction({ signature, ...latest }, "confirmed");
      expect(await connection.getBalance(to)).toBe(0);
      expect(await connection.getTransaction(signature)).toBeNull();
      expect(await connection.sendRawTransaction(wire)).toBe(signature);
      expect((await confirming).value.err).toBeNull();
      expect(await connection.getBalance(to)).toBe(LAMPORTS_PER_SOL);
    } finally {
      await node.setFaults(noFaults);
    }
  });

  it("kit says that it has expired where it is not sent again, and nothing has moved", async () => {
    const rpc = createSolanaRpc(url);
    const rpcSubscriptions = createSolanaRpcSubscriptions(url.replace("http", "ws"));
    const commitment = "confirmed" as const;
    const [signer, { address }] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
    await node.airdrop(signer.address, 5_000_000_000n);
    const pay = getTransferSolInstruction({ source: signer, destination: address, amount: 1_000_000_000n });
    const send = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions } as never);
    const balance = async () => (await rpc.getBalance(address).send()).value;
    await node.setFaults({ ...noFaults, fork: 1 });
    try {
      const sending = send(await buildSigned(rpc, signer, [pay]), { commitment }).then(
        () => "confirmed",
        (error: unknown) => error,
      );
      let end: unknown;
      void sending.then((known) => {
        end = known;
      });
      while (end === undefined) {
        await node.advanceClock(10);
        await setImmediate();
      }
      expect(isSolanaError(end, SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED), String(end)).toBe(true);
      expect(await balance()).toBe(0n);
      await node.setFaults({ ...noFaults, lag: 2 });
      await send(await buildSigned(rpc, signer, [pay]), { commitment });
      expect(await balance()).toBe(1_000_000_000n);
    } finally {
      await node.setFaults(noFaults);
    }
  });
});

const payer = Keypair.generate();
const sockets: { setAutoReconnect(wanted: boolean): void }[] = [];

type Calls = Readonly<Record<string, () => Promise<unknown>>>;

/** A client that remembers no blockhash: they keep one for half a minute, and here the clock is moved meanwhile. */
function connect(): Connection {
  const made = new Connection(url, { commitment: "confirmed", wsEndpoint: url.replace("http", "ws") });
  sockets.push((made as unknown as { _rpcWebSocket: (typeof sockets)[number] })._rpcWebSocket);
  return made;
}

/** Makes every call, and gives those that failed with their reasons. */
async function failuresOf(calls: Calls): Promise<Record<string, string>> {
  const failures: Record<string, string> = {};
  for (const [name, call] of Object.entries(calls)) {
    await call().catch((error: unknown) => {
      failures[name] = String(error).slice(0, 300);
    });
  }
  return failures;
}

function transferTo(to: PublicKey, sol = 1): Transaction {
  const from = payer.publicKey;
  return new Transaction().add(
    SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports: sol * LAMPORTS_PER_SOL }),
  );
}

/** The notification that the client gets once something has been done. */
async function heard(listen: (hear: () => void) => number, act: () => Promise<unknown>): Promise<number> {
  let hear: () => void = () => undefined;
  const reported = new Promise<void>((resolve) => {
    hear = resolve;
  });
  const id = listen(() => hear());
  // The client subscribes in its own time, and does not say when it has.
  const done = { told: false };
  void reported.then(() => {
    done.told = true;
  });
  for (let acts = 0; !done.told && acts < 2_000; acts += 1) await act();
  expect(done.told).toBe(true);
  return id;
}
