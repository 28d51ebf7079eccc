import {
  AccountRole,
  address,
  type Base64EncodedWireTransaction,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase58Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getProgramDerivedAddress,
  getSolanaErrorFromTransactionError,
  getTransactionDecoder,
  getU64Encoder,
  isSolanaError,
  type KeyPairSigner,
  lamports,
  type Signature,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
} from "@solana/kit";
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget";
import { getTransferSolInstruction } from "@solana-program/system";
import { findAssociatedTokenPda, getTransferCheckedInstruction, TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import { sandboxMints } from "@trellis/sandbox/node/genesis.js";
import type { SandboxNode } from "@trellis/sandbox/node/sandbox-node.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../src/adapters/db/open-database.js";
import { openTestDatabase } from "../support/test-database.js";
import {
  buildTransaction,
  createTestClock,
  freshAddress,
  fundedSigner,
  openTestNode,
  programAddress,
  systemProgram,
} from "./sandbox-rpc-fixture.js";

describe("the sandbox node", () => {
  const realClock = createTestClock();
  let database: OpenDatabase;
  let node: SandboxNode;
  let payer: KeyPairSigner;

  const transfer = (to: Parameters<typeof getTransferSolInstruction>[0]["destination"], amount: bigint, from = payer) =>
    getTransferSolInstruction({ source: from, destination: to, amount });
  const send = (wire: Base64EncodedWireTransaction, options: { skipPreflight?: boolean } = {}) =>
    node.rpc.sendTransaction(wire, { ...base64, ...options }).send();
  const call = (method: string, ...params: unknown[]) => node.handle({ id: 1, jsonrpc: "2.0", method, params });
  const balance = async (of: Parameters<SandboxNode["airdrop"]>[0]) => (await node.rpc.getBalance(of).send()).value;
  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => expect.fail("it should have been refused"),
      (error: unknown) => error,
    );

  beforeAll(async () => {
    database = await openTestDatabase();
    node = await openTestNode(database.db, {
      realClock,
      genesisAccounts: [
        {
          address: address("11111111111111111111111111111115"),
          lamports: 5_000_000n,
          owner: programAddress,
          data: Uint8Array.of(9, 9),
        },
      ],
    });
    payer = await fundedSigner(node, 100n * sol);
  });

  afterAll(async () => {
    await node.close();
    await database.close();
  });

  it("lands a transfer and returns it in every form a client asks for", async () => {
    const to = await freshAddress();
    const { wire, signature } = await buildTransaction(node.rpc, payer, [transfer(to, sol)]);
    const before = await balance(payer.address);
    expect(await send(wire)).toBe(signature);
    expect(await balance(to)).toBe(sol);
    expect(await balance(payer.address)).toBe(before - sol - 5_000n);

    const statuses = await node.rpc.getSignatureStatuses([signature]).send();
    expect(statuses.value[0]).toMatchObject({ confirmationStatus: "finalized", confirmations: null, err: null });

    const found = await node.rpc
      .getTransaction(signature, { encoding: "json", maxSupportedTransactionVersion: 0 })
      .send();
    expect(found).toMatchObject({ version: 0, slot: statuses.value[0]?.slot });
    expect(found?.meta).toMatchObject({ err: null, fee: 5_000n, status: { Ok: null }, computeUnitsConsumed: 150n });
    expect(found?.meta?.preBalances).toEqual([before, 0n, 1n]);
    expect(found?.meta?.postBalances).toEqual([before - sol - 5_000n, sol, 1n]);
    expect(found?.meta?.logMessages).toContain(`Program ${systemProgram} success`);
    expect(found?.transaction.message.accountKeys).toEqual([payer.address, to, systemProgram]);
    expect(found?.transaction.signatures).toEqual([signature]);
    expect(found?.blockTime).toBe(await node.rpc.getBlockTime(found?.slot ?? 0n).send());

    const raw = await node.rpc.getTransaction(signature, { ...base64, maxSupportedTransactionVersion: 0 }).send();
    expect(raw?.transaction).toEqual([wire, "base64"]);
    const parsed = await node.rpc
      .getTransaction(signature, { encoding: "jsonParsed", maxSupportedTransactionVersion: 0 })
      .send();
    expect(parsed?.transaction.message.accountKeys[0]).toEqual({
      pubkey: payer.address,
      signer: true,
      source: "transaction",
      writable: true,
    });
    expect(parsed?.transaction.message.instructions[0]).toMatchObject({ programId: systemProgram, stackHeight: 1 });

    const history = await node.rpc.getSignaturesForAddress(to).send();
    expect(history.map((entry) => entry.signature)).toEqual([signature]);
  });

  it("runs legacy transactions and shows them to clients that know no versions", async () => {
    const { wire, signature } = await buildTransaction(
      node.rpc,
      payer,
      [transfer(await freshAddress(), sol)],
      "legacy",
    );
    await send(wire);
    const found = await node.rpc.getTransaction(signature, { encoding: "json" }).send();
    expect(found?.transaction.signatures).toEqual([signature]);
    expect(found).not.toHaveProperty("version");
  });

  it("refuses to show a version 0 transaction without maxSupportedTransactionVersion (-32015)", async () => {
    const { wire, signature } = await buildTransaction(node.rpc, payer, [transfer(await freshAddress(), sol)]);
    await send(wire);
    const error = await failureOf(node.rpc.getTransaction(signature, { encoding: "json" }).send());
    expect(isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION)).toBe(true);
  });

  it("refuses the same transaction a second time", async () => {
    const to = await freshAddress();
    const { wire, signature } = await buildTransaction(node.rpc, payer, [transfer(to, sol)]);
    const [first, second] = await Promise.allSettled([send(wire), send(wire)]);
    expect(first.status).toBe("fulfilled");
    expect(second.status).toBe("rejected");
    const error = await failureOf(send(wire));
    expect(isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)).toBe(true);
    expect(isSolanaError((error as Error).cause, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)).toBe(true);
    // Without preflight a repetition is a retry, answered as such and not run.
    expect(await send(wire, { skipPreflight: true })).toBe(signature);
    expect(await balance(to)).toBe(sol);
  });

  it("refuses a transaction that would fail, with the program's error and logs, and takes no fee", async () => {
    const before = await balance(payer.address);
    const { wire, signature } = await buildTransaction(node.rpc, payer, [
      transfer(await freshAddress(), 10_000n * sol),
    ]);
    const error = await failureOf(send(wire));
    if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)) throw error;
    expect(isSolanaError(error.cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)).toBe(true);
    expect(error.context).toMatchObject({ unitsConsumed: 150n, accounts: null });
    expect(error.context.logs?.some((line) => line.startsWith("Transfer: insufficient lamports"))).toBe(true);
    expect(await balance(payer.address)).toBe(before);
    expect((await node.rpc.getSignatureStatuses([signature], { searchTransactionHistory: true }).send()).value).toEqual(
      [null],
    );
  });

  it("lands a failing transaction without preflight: the payer pays, nothing else changes", async () => {
    const to = await freshAddress();
    const before = await balance(payer.address);
    const { wire, signature } = await buildTransaction(node.rpc, payer, [
      getSetComputeUnitPriceInstruction({ microLamports: 1_000_001n }),
      getSetComputeUnitLimitInstruction({ units: 12_345 }),
      transfer(to, sol),
      transfer(to, 10_000n * sol),
    ]);
    expect(await send(wire, { skipPreflight: true })).toBe(signature);
    expect(await balance(to)).toBe(0n);
    const fee = 5_000n + 12_346n;
    expect(await balance(payer.address)).toBe(before - fee);
    const [status] = (await node.rpc.getSignatureStatuses([signature]).send()).value;
    expect(status?.err).toEqual({ InstructionError: [3n, { Custom: 1n }] });
    if (!status?.err) throw new Error("there is no error");
    expect(isSolanaError(getSolanaErrorFromTransactionError(status.err), SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)).toBe(
      true,
    );
    const found = await node.rpc
      .getTransaction(signature, { encoding: "json", maxSupportedTransactionVersion: 0 })
      .send();
    expect(found?.meta).toMatchObject({ fee, err: { InstructionError: [3n, { Custom: 1n }] } });
    const [entry] = await node.rpc.getSignaturesForAddress(to).send();
    expect(entry).toMatchObject({ signature, err: { InstructionError: [3n, { Custom: 1n }] } });
  });

  it("never runs what it cannot charge for, preflight or not", async () => {
    const stranger = await generateKeyPairSigner();
    const { wire } = await buildTransaction(node.rpc, stranger, [transfer(await freshAddress(), sol, stranger)]);
    for (const skipPreflight of [false, true]) {
      const error = await failureOf(send(wire, { skipPreflight }));
      expect(isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)).toBe(true);
    }
  });

  it("refuses wrong and missing signatures (-32003)", async () => {
    const { wire } = await buildTransaction(node.rpc, payer, [transfer(await freshAddress(), sol)]);
    const bytes = Buffer.from(wire, "base64");
    const missing = Buffer.from(bytes).fill(0, 1, 65);
    bytes[10] = (bytes[10] ?? 0) ^ 1;
    for (const forged of [bytes, missing]) {
      const error = await failureOf(
        send(forged.toString("base64") as Base64EncodedWireTransaction, { skipPreflight: true }),
      );
      expect(
        isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE),
      ).toBe(true);
    }
  });

  it("verifies signatures before it recognises a repetition, where they are verified at all", async () => {
    const { wire, signature } = await buildTransaction(node.rpc, payer, [transfer(await freshAddress(), sol)]);
    expect(await send(wire)).toBe(signature);
    const unsigned = Buffer.from(wire, "base64").fill(0, 1, 65).toString("base64") as Base64EncodedWireTransaction;
    const simulate = (one: Base64EncodedWireTransaction, sigVerify: boolean) =>
      node.rpc.simulateTransaction(one, { encoding: "base64", sigVerify }).send();
    const isUnverified = (error: unknown) =>
      isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE);
    expect((await simulate(wire, true)).value.err).toBe("AlreadyProcessed");
    expect((await simulate(unsigned, false)).value.err).toBe("AlreadyProcessed");
    expect(isUnverified(await failureOf(simulate(unsigned, true)))).toBe(true);
    expect(isUnverified(await failureOf(send(unsigned)))).toBe(true);
    await node.advanceClock(61);
    expect((await simulate(unsigned, false)).value.err).toBe("BlockhashNotFound");
    expect(isUnverified(await failureOf(send(unsigned)))).toBe(true);
  });

  it("lets a blockhash live for 150 slots and not one more", async () => {
    const [early, late] = [await freshAddress(), await freshAddress()];
    const first = await buildTransaction(node.rpc, payer, [transfer(early, sol)]);
    const second = await buildTransaction(node.rpc, payer, [transfer(late, sol)]);
    const { blockhash } = (await node.rpc.getLatestBlockhash().send()).value;
    await node.advanceClock(60);
    expect(await node.rpc.getBlockHeight(confirmed).send()).toBe(first.lastValidBlockHeight);
    expect((await node.rpc.isBlockhashValid(blockhash).send()).value).toBe(true);
    await send(first.wire);
    realClock.moveMs(400);
    expect((await node.rpc.isBlockhashValid(blockhash).send()).value).toBe(false);
    const error = await failureOf(send(second.wire));
    expect(isSolanaError((error as Error).cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)).toBe(true);
    expect(await failureOf(send(second.wire, { skipPreflight: true }))).toMatchObject({ context: { __code: -32002 } });
    expect([await balance(early), await balance(late)]).toEqual([sol, 0n]);
    // The one that landed stays known when its memory has passed: by its blockhash, and in the history.
    await node.advanceClock(600);
    await failureOf(send(first.wire));
    expect((await node.rpc.getSignatureStatuses([first.signature]).send()).value).toEqual([null]);
    const searched = await node.rpc.getSignatureStatuses([first.signature], { searchTransactionHistory: true }).send();
    expect(searched.value[0]).toMatchObject({ err: null, confirmationStatus: "finalized" });
  });

  it("moves chain time with environment time", async () => {
    const readClock = async () => {
      const { value } = await node.rpc
        .getAccountInfo(address("SysvarC1ock11111111111111111111111111111111"), base64)
        .send();
      const data = Buffer.from(value?.data[0] ?? "", "base64");
      return { slot: data.readBigUInt64LE(0), unixTimestamp: data.readBigInt64LE(32) };
    };
    const start = await readClock();
    const now = node.clock.now();
    const moved = await node.advanceClock(86_401);
    expect(moved.now).toBeGreaterThanOrEqual(now + 86_401_000);
    expect(moved.now).toBeLessThan(now + 86_401_400);
    expect(moved.slot).toBe(await node.rpc.getSlot(confirmed).send());
    const end = await readClock();
    expect(end.slot).toBe(moved.slot);
    expect(end.unixTimestamp - start.unixTimestamp).toBeGreaterThanOrEqual(86_401n);
    expect(end.unixTimestamp).toBe(await node.rpc.getBlockTime(end.slot).send());
    await expect(node.advanceClock(-1)).rejects.toThrow(RangeError);
  });

  it("mints the four tokens and returns token accounts, balances and supplies", async () => {
    const owner = await fundedSigner(node, sol);
    for (const mint of Object.values(sandboxMints)) await node.mintTo(owner.address, mint, 1_234_567n);
    await node.mintTo(owner.address, sandboxMints.USDC, 1n);
    const usdc = await node.rpc
      .getTokenAccountsByOwner(owner.address, { mint: sandboxMints.USDC }, { encoding: "jsonParsed" })
      .send();
    const [ata] = await findAssociatedTokenPda({
      owner: owner.address,
      mint: sandboxMints.USDC,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
    });
    expect(usdc.value).toHaveLength(1);
    expect(usdc.value[0]?.pubkey).toBe(ata);
    expect(usdc.value[0]?.account.data.parsed.info).toMatchObject({
      mint: sandboxMints.USDC,
      owner: owner.address,
      state: "initialized",
      isNative: false,
      tokenAmount: { amount: "1234568", decimals: 6, uiAmount: 1.234568, uiAmountString: "1.234568" },
    });
    const classic = await node.rpc
      .getTokenAccountsByOwner(owner.address, { programId: TOKEN_PROGRAM_ADDRESS }, base64)
      .send();
    expect(classic.value).toHaveLength(3);
    expect((await node.rpc.getTokenAccountBalance(ata).send()).value.amount).toBe("1234568");
    expect((await node.rpc.getTokenSupply(sandboxMints.PYUSD).send()).value).toMatchObject({
      amount: "1234567",
      decimals: 6,
    });

    const receiver = await freshAddress();
    await node.mintTo(receiver, sandboxMints.USDC, 5n);
    const [to] = await findAssociatedTokenPda({
      owner: receiver,
      mint: sandboxMints.USDC,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
    });
    const { wire, signature } = await buildTransaction(node.rpc, owner, [
      getTransferCheckedInstruction({
        source: ata,
        destination: to,
        mint: sandboxMints.USDC,
        authority: owner,
        amount: 1_000_000n,
        decimals: 6,
      }),
    ]);
    await send(wire);
    const found = await node.rpc
      .getTransaction(signature, { encoding: "json", maxSupportedTransactionVersion: 0 })
      .send();
    const amounts = (
      balances: typeof found extends null
        ? never
        : readonly { owner?: string; uiTokenAmount: { amount: string } }[] | undefined,
    ) => Object.fromEntries((balances ?? []).map((entry) => [entry.owner, entry.uiTokenAmount.amount]));
    expect(amounts(found?.meta?.preTokenBalances)).toEqual({ [owner.address]: "1234568", [receiver]: "5" });
    expect(amounts(found?.meta?.postTokenBalances)).toEqual({ [owner.address]: "234568", [receiver]: "1000005" });
  });

  it("mints what has a name once, however often and at whatever time it is asked for", async () => {
    const owner = await freshAddress();
    const [ata] = await findAssociatedTokenPda({
      owner,
      mint: sandboxMints.USDC,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
    });
    const asked = () => node.mintTo(owner, sandboxMints.USDC, 70n, "a deposit");
    const settled = await Promise.allSettled([asked(), asked(), asked()]);
    const signatures = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    await node.advanceClock(3_600);
    signatures.push(await asked());
    expect(new Set(signatures).size).toBe(1);
    expect((await node.rpc.getTokenAccountBalance(ata).send()).value.amount).toBe("70");
    expect(await node.mintTo(owner, sandboxMints.USDC, 70n, "another deposit")).not.toBe(signatures[0]);
    expect((await node.rpc.getTokenAccountBalance(ata).send()).value.amount).toBe("140");
  });

  it("finds a program's accounts by size and content", async () => {
    const genesis = address("11111111111111111111111111111115");
    const all = await node.rpc.getProgramAccounts(programAddress, base64).send();
    expect(all.map((entry) => entry.pubkey)).toEqual([genesis]);

    const owner = await freshAddress();
    await node.mintTo(owner, sandboxMints.EURC, 77n);
    const at = (offset: bigint, of: string) => ({
      memcmp: { offset, bytes: of as never, encoding: "base58" as const },
    });
    const found = await node.rpc
      .getProgramAccounts(TOKEN_PROGRAM_ADDRESS, {
        ...base64,
        filters: [{ dataSize: 165n }, at(0n, sandboxMints.EURC), at(32n, owner)],
      })
      .send();
    expect(found).toHaveLength(1);
    const sliced = await node.rpc
      .getProgramAccounts(TOKEN_PROGRAM_ADDRESS, {
        ...base64,
        dataSlice: { offset: 64, length: 8 },
        filters: [at(32n, owner)],
        withContext: true,
      })
      .send();
    expect(sliced.value[0]?.account.data[0]).toBe(Buffer.from([77, 0, 0, 0, 0, 0, 0, 0]).toString("base64"));
    expect(
      await node.rpc
        .getProgramAccounts(TOKEN_PROGRAM_ADDRESS, { ...base64, filters: [{ dataSize: 82n }, at(32n, owner)] })
        .send(),
    ).toEqual([]);
  });

  it("simulates without leaving a trace, signed or not", async () => {
    const to = await freshAddress();
    const { wire } = await buildTransaction(node.rpc, payer, [transfer(to, sol)]);
    const unsigned = Buffer.from(wire, "base64").fill(0, 1, 65).toString("base64") as Base64EncodedWireTransaction;
    const { value } = await node.rpc
      .simulateTransaction(unsigned, {
        ...base64,
        accounts: { encoding: "base64", addresses: [to] },
        innerInstructions: true,
      })
      .send();
    expect(value).toMatchObject({ err: null, unitsConsumed: 150n, fee: 5_000n });
    expect(value.accounts[0]).toMatchObject({ lamports: sol, owner: systemProgram });
    expect(await balance(to)).toBe(0n);

    const verified = node.rpc.simulateTransaction(unsigned, { ...base64, sigVerify: true }).send();
    expect(
      isSolanaError(
        await failureOf(verified),
        SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE,
      ),
    ).toBe(true);

    await node.advanceClock(120);
    const stale = await node.rpc.simulateTransaction(wire, { ...base64, sigVerify: true }).send();
    expect(stale.value.err).toBe("BlockhashNotFound");
    const replaced = await node.rpc.simulateTransaction(unsigned, { ...base64, replaceRecentBlockhash: true }).send();
    expect(replaced.value).toMatchObject({ err: null });
    expect(replaced.value.replacementBlockhash).toEqual((await node.rpc.getLatestBlockhash().send()).value);

    const failing = await buildTransaction(node.rpc, payer, [transfer(to, 10_000n * sol)]);
    const failed = await node.rpc.simulateTransaction(failing.wire, base64).send();
    expect(failed.value.err).toEqual({ InstructionError: [0n, { Custom: 1n }] });
    expect(failed.value.logs).not.toEqual([]);
  });

  it("returns the fee a message will cost", async () => {
    const instructions = [
      getSetComputeUnitPriceInstruction({ microLamports: 2_000_000n }),
      transfer(await freshAddress(), sol),
      { programAddress: memoProgram, data: Buffer.from("fee") },
    ];
    const { wire, signature } = await buildTransaction(node.rpc, payer, instructions);
    const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(wire));
    const message = Buffer.from(messageBytes).toString("base64");
    const reported = await node.rpc.getFeeForMessage(message as Parameters<typeof node.rpc.getFeeForMessage>[0]).send();
    await send(wire);
    const found = await node.rpc
      .getTransaction(signature, { encoding: "json", maxSupportedTransactionVersion: 0 })
      .send();
    expect(reported.value).toBe(found?.meta?.fee);
    expect(reported.value).toBe(5_000n + 2n * (3_000n + 3_000n + 200_000n));
    const [entry] = await node.rpc.getSignaturesForAddress(payer.address, { limit: 1 }).send();
    expect(entry).toMatchObject({ signature, memo: "[3] fee" });
  });

  it("pages through an address's history", async () => {
    const to = await freshAddress();
    const sent: Signature[] = [];
    for (const amount of [1n, 2n, 3n, 4n, 5n]) sent.unshift(await node.airdrop(to, sol + amount));
    const page = async (config: { before?: Signature; until?: Signature; limit?: number }) =>
      (await node.rpc.getSignaturesForAddress(to, config).send()).map((entry) => entry.signature);
    const [fifth, fourth, third, secondSent, first] = sent;
    if (!fifth || !fourth || !third || !secondSent || !first) throw new Error("five were sent");
    expect(await page({})).toEqual(sent);
    expect(await page({ limit: 2 })).toEqual([fifth, fourth]);
    expect(await page({ before: fourth, limit: 2 })).toEqual([third, secondSent]);
    expect(await page({ before: fourth, until: first })).toEqual([third, secondSent]);
  });

  it("runs lookup tables and returns what they loaded", async () => {
    const slot = (await node.rpc.getSlot(confirmed).send()) - 1n;
    const to = await freshAddress();
    const { table, create, extend } = await lookupTable(payer, slot, to);
    await send((await buildTransaction(node.rpc, payer, [create, extend])).wire);
    realClock.moveMs(800);
    const built = await buildTransaction(node.rpc, payer, [transfer(to, sol)], 0, { [table]: [to] });
    const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(built.wire));
    expect(getCompiledTransactionMessageDecoder().decode(messageBytes)).toMatchObject({
      addressTableLookups: [{ lookupTableAddress: table }],
    });
    await send(built.wire);
    expect(await balance(to)).toBe(sol);
    const found = await node.rpc
      .getTransaction(built.signature, { encoding: "json", maxSupportedTransactionVersion: 0 })
      .send();
    expect(found?.meta?.loadedAddresses).toEqual({ writable: [to], readonly: [] });
    expect(found?.meta?.postBalances).toHaveLength(3);
    expect((await node.rpc.getSignaturesForAddress(to).send()).map((entry) => entry.signature)).toEqual([
      built.signature,
    ]);
  });

  it("runs version 1 transactions and shows their configuration", async () => {
    const to = await freshAddress();
    const config = { computeUnitLimit: 20_000, loadedAccountsDataSizeLimit: 100_000, priorityFeeLamports: 777n };
    const { wire, signature } = await buildTransaction(node.rpc, payer, [transfer(to, sol)], 1, {}, config);
    await send(wire);
    expect(await balance(to)).toBe(sol);
    const old = await failureOf(
      node.rpc.getTransaction(signature, { encoding: "json", maxSupportedTransactionVersion: 0 }).send(),
    );
    expect(isSolanaError(old, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION)).toBe(true);
    const found = await node.rpc
      .getTransaction(signature, { encoding: "json", maxSupportedTransactionVersion: 1 })
      .send();
    expect(found).toMatchObject({ version: 1, meta: { fee: 5_777n } });
    expect(found?.transaction.message.transactionConfig).toEqual(config);
  });

  it("has the smart account program", async () => {
    const { wire } = await buildTransaction(node.rpc, payer, [{ programAddress, data: new Uint8Array(8) }]);
    const { value } = await node.rpc.simulateTransaction(wire, base64).send();
    expect(value.logs?.[0]).toBe(`Program ${programAddress} invoke [1]`);
    expect(value.logs?.at(-1)).toMatch(/failed: custom program error/);
  });

  it("answers about itself", async () => {
    const slot = await node.rpc.getSlot(confirmed).send();
    expect(await node.rpc.getEpochInfo(confirmed).send()).toMatchObject({
      absoluteSlot: slot,
      blockHeight: slot,
      slotsInEpoch: 432_000n,
    });
    // It forgets nothing: its ledger begins with the chain.
    expect(await node.rpc.getFirstAvailableBlock().send()).toBe(0n);
    expect(await node.rpc.minimumLedgerSlot().send()).toBe(0n);
    expect(await node.rpc.getHealth().send()).toBe("ok");
    expect((await node.rpc.getVersion().send())["solana-core"]).toMatch(/^\d+\.\d+\.\d+$/);
    expect((await node.rpc.getIdentity().send()).identity).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
    expect(await node.rpc.getGenesisHash().send()).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
    expect(await node.rpc.getMinimumBalanceForRentExemption(165n).send()).toBe(2_039_280n);
    expect((await node.rpc.getRecentPrioritizationFees().send()).at(-1)).toEqual({ prioritizationFee: 0n, slot });
    expect((await node.rpc.getLatestBlockhash().send()).context.slot).toBe(slot);
    const to = await freshAddress();
    const given = await node.rpc.requestAirdrop(to, lamports(3n * sol)).send();
    expect(await balance(to)).toBe(3n * sol);
    expect(await node.rpc.getSignatureStatuses([given]).send()).toMatchObject({ value: [{ err: null }] });
  });

  it("refuses what it does not know or understand, with JSON-RPC's numbers", async () => {
    expect(await call("getRecentBlockhash")).toMatchObject({ error: { code: -32601 } });
    const invalid = await failureOf(node.rpc.getBalance("not an address" as typeof programAddress).send());
    expect(isSolanaError(invalid, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS)).toBe(true);
    expect(await call("constructor")).toMatchObject({ error: { code: -32601 } });
    expect(await call("sendTransaction", "AAAA", base64)).toMatchObject({ error: { code: -32602 } });
    expect(await call("sendTransaction", 5)).toMatchObject({ error: { code: -32602 } });
    expect(await call("getAccountInfo", payer.address, { encoding: "base64", minContextSlot: 10 ** 12 })).toMatchObject(
      {
        error: { code: -32016 },
      },
    );
    expect(await call("getBlockTime", 10 ** 12)).toMatchObject({ error: { code: -32004 } });
    expect(await node.handle("nonsense")).toMatchObject({ id: null, error: { code: -32600 } });
    expect(await node.handle([])).toMatchObject({ error: { code: -32600 } });
  });

  it("answers nothing for a slot that it has not reached", async () => {
    const { wire } = await buildTransaction(node.rpc, payer, [transfer(await freshAddress(), sol)]);
    const slot = Number(await node.rpc.getSlot(confirmed).send());
    const questions = [
      ["getAccountInfo", payer.address],
      ["getMultipleAccounts", [payer.address]],
      ["simulateTransaction", wire],
    ] as const;
    for (const [method, subject] of questions) {
      expect(await call(method, subject, { ...base64, minContextSlot: slot })).toHaveProperty("result");
      expect(await call(method, subject, { ...base64, minContextSlot: slot + 1 }), method).toMatchObject({
        error: { code: -32016, data: { contextSlot: slot } },
      });
    }
  });

  it("answers batches in order and notifications not at all", async () => {
    const answers = await node.handle([
      { id: 1, jsonrpc: "2.0", method: "getHealth" },
      { id: "two", jsonrpc: "2.0", method: "nothing" },
      { jsonrpc: "2.0", method: "getHealth" },
      { id: 3n, jsonrpc: "2.0", method: "getBlockTime", params: [1_000n] },
    ]);
    expect(answers).toMatchObject([{ id: 1, result: "ok" }, { id: "two", error: { code: -32601 } }, { id: 3n }]);
    expect(await node.handle({ jsonrpc: "2.0", method: "getHealth" })).toBeUndefined();
  });

  it("reads accounts in every encoding it offers", async () => {
    const genesis = address("11111111111111111111111111111115");
    const inBase58 = await node.rpc.getAccountInfo(genesis, { encoding: "base58" }).send();
    expect(inBase58.value?.data).toEqual([getBase58Decoder().decode(Uint8Array.of(9, 9)), "base58"]);
    const inBase64 = await node.rpc.getAccountInfo(genesis, base64).send();
    expect(inBase64.value).toMatchObject({
      data: ["CQk=", "base64"],
      lamports: 5_000_000n,
      space: 2n,
      rentEpoch: 2n ** 64n - 1n,
    });
    const many = await node.rpc
      .getMultipleAccounts([genesis, await freshAddress(), sandboxMints.USDC], { encoding: "jsonParsed" })
      .send();
    expect(many.value[1]).toBeNull();
    expect(many.value[0]?.data).toEqual(["CQk=", "base64"]);
    expect(many.value[2]?.data).toMatchObject({
      program: "spl-token",
      parsed: { type: "mint", info: { decimals: 6 } },
    });
  });
});

const sol = 1_000_000_000n;
const base64 = { encoding: "base64" } as const;
const confirmed = { commitment: "confirmed" } as const;
const memoProgram = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");
const tableProgram = address("AddressLookupTab1e1111111111111111111111111");

/** The instructions that create a lookup table and put one address in it. */
async function lookupTable(authority: KeyPairSigner, slot: bigint, entry: Awaited<ReturnType<typeof freshAddress>>) {
  const slotBytes = getU64Encoder().encode(slot);
  const [table, bump] = await getProgramDerivedAddress({
    programAddress: tableProgram,
    seeds: [getAddressEncoder().encode(authority.address), slotBytes],
  });
  const accounts = [
    { address: table, role: AccountRole.WRITABLE },
    { address: authority.address, role: AccountRole.READONLY_SIGNER, signer: authority },
    { address: authority.address, role: AccountRole.WRITABLE_SIGNER, signer: authority },
    { address: systemProgram, role: AccountRole.READONLY },
  ];
  return {
    table,
    create: { programAddress: tableProgram, accounts, data: Uint8Array.of(0, 0, 0, 0, ...slotBytes, bump) },
    extend: {
      programAddress: tableProgram,
      accounts,
      data: Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, ...getAddressEncoder().encode(entry)),
    },
  };
}
