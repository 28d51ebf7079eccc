import { createHash } from "node:crypto";
import { base58 } from "@scure/base";
import { address } from "@solana/kit";
import { AccountState, getMintEncoder, getTokenEncoder } from "@solana-program/token";
import { concat, u8, u16, u32, u64 } from "./bytes.js";
import { call } from "./calls.js";
import { activateProposal, executeTransaction } from "./instructions.js";
import { LOOKUP_TABLE_PROGRAM, named, PROGRAM, SYSTEM, TOKEN } from "./keys.js";
import { FEE_PAYER, type Instruction, type Ledger } from "./ledger.js";
import { A, B, D } from "./members.js";
import { transferData, transferMessage, type WrappedMessage, wrappedMessage } from "./messages.js";
import { r, s, w, ws } from "./metas.js";
import { expectSuccess } from "./outcomes.js";
import { pda } from "./pda.js";
import { useLimit } from "./settings-instructions.js";
import type { openAccount } from "./smart-account.js";

type Account = Awaited<ReturnType<typeof openAccount>>;

const addressOf = (key: Uint8Array) => address(base58.encode(key));
const blob = (bytes: Uint8Array) => concat(u32(bytes.length), bytes);

/** Instructions of batches on their way: one that fills, one that is executed, one that is closed, and the vote on each. */
export async function batchCorpus(ledger: Ledger, own: Account): Promise<Instruction[]> {
  const { settings, vault } = own;
  const message = wrappedMessage(transferMessage(vault, D, 1_000_000));
  const place = async (index: bigint, number: number) => ({
    proposal: await own.proposalKey(index),
    batch: await own.transactionKey(index),
    transaction: (await pda.batchTransaction(settings, index, number)).key,
  });
  const create = async (index: bigint) =>
    call(
      "create_batch",
      [w(settings), w(await own.transactionKey(index)), s(A), ws(FEE_PAYER), r(SYSTEM)],
      u8(0),
      u8(0),
    );
  const add = async (index: bigint, number: number) => {
    const { proposal, batch, transaction } = await place(index, number);
    const accounts = [r(settings), r(proposal), w(batch), w(transaction), s(A), ws(FEE_PAYER), r(SYSTEM)];
    return call("add_transaction_to_batch", accounts, u8(0), blob(message));
  };
  const begin = async (): Promise<bigint> => {
    const index = own.nextIndex();
    expectSuccess(ledger.send(await create(index), await own.propose(A, index, { draft: true }), await add(index, 1)));
    return index;
  };
  const activate = async (index: bigint) =>
    expectSuccess(ledger.send(activateProposal(settings, A, await own.proposalKey(index))));
  const filling = await begin();
  const approved = await begin();
  await activate(approved);
  for (const voter of [A, B]) expectSuccess(ledger.send(await own.vote("approve", voter, approved)));
  const rejected = await begin();
  await activate(rejected);
  for (const voter of [A, B]) expectSuccess(ledger.send(await own.vote("reject", voter, rejected)));
  const empty = own.nextIndex();
  expectSuccess(ledger.send(await create(empty), await own.propose(A, empty, { draft: true })));
  await activate(empty);
  for (const voter of [A, B]) expectSuccess(ledger.send(await own.vote("reject", voter, empty)));

  const next = await place(approved, 1);
  const last = await place(rejected, 1);
  const none = await place(empty, 1);
  return [
    await create(own.nextIndex()),
    await add(filling, 2),
    call("execute_batch_transaction", [
      r(settings),
      s(A),
      w(next.proposal),
      w(next.batch),
      r(next.transaction),
      w(vault),
      w(D),
      r(SYSTEM),
    ]),
    call("close_batch_transaction", [
      r(settings),
      r(last.proposal),
      w(last.batch),
      w(last.transaction),
      w(FEE_PAYER),
      r(SYSTEM),
    ]),
    call("close_batch", [
      r(settings),
      w(none.proposal),
      w(none.batch),
      w(FEE_PAYER),
      w(FEE_PAYER),
      r(SYSTEM),
      r(PROGRAM),
    ]),
  ];
}

/** Instructions of buffers: one that is begun, one that is half full, one that is complete. */
export async function bufferCorpus(ledger: Ledger, own: Account): Promise<Instruction[]> {
  const { settings, vault } = own;
  const message = wrappedMessage(transferMessage(vault, D, 1_000_000));
  const half = message.length >> 1;
  const at = async (index: number) => (await pda.transactionBuffer(settings, A, index)).key;
  const create = async (index: number, part: Uint8Array) =>
    call(
      "create_transaction_buffer",
      [r(settings), w(await at(index)), s(A), ws(FEE_PAYER), r(SYSTEM)],
      u8(index),
      u8(0),
      new Uint8Array(createHash("sha256").update(message).digest()),
      u16(message.length),
      blob(part),
    );
  expectSuccess(ledger.send(await create(1, message.slice(0, half)), await create(2, message)));
  const transaction = await own.transactionKey(own.nextIndex());
  return [
    await create(3, message.slice(0, half)),
    call("extend_transaction_buffer", [r(settings), w(await at(1)), s(A)], blob(message.slice(half))),
    // The recipient of the rent has to be writable, though the program does not ask for that.
    call("close_transaction_buffer", [r(settings), w(await at(1)), ws(A)]),
    call(
      "create_transaction_from_buffer",
      [w(settings), w(transaction), s(A), ws(FEE_PAYER), r(SYSTEM), r(PROGRAM), w(await at(2)), ws(A)],
      u8(0),
      u8(0),
      u8(0),
      blob(new Uint8Array(6)),
      u8(0),
    ),
  ];
}

const MINT = named("fuzz mint");

/** The mint that the token limit of a pool is for. */
export const poolMint = MINT;

/** A payment of tokens out of a limit for `poolMint`, between token accounts that are put onto the ledger. */
export function tokenCorpus(ledger: Ledger, own: Account, limit: Uint8Array, signer: Uint8Array): Instruction[] {
  const [from, to] = [named("fuzz vault tokens"), named("fuzz destination tokens")];
  const mint = getMintEncoder().encode({
    mintAuthority: null,
    supply: 1_000_000_000n,
    decimals: 6,
    isInitialized: true,
    freezeAuthority: null,
  });
  ledger.set(MINT, { lamports: 10_000_000n, data: new Uint8Array(mint), owner: TOKEN });
  for (const [key, owner, amount] of [
    [from, own.vault, 5_000_000n],
    [to, D, 0n],
  ] as const) {
    const data = getTokenEncoder().encode({
      mint: addressOf(MINT),
      owner: addressOf(owner),
      amount,
      delegate: null,
      state: AccountState.Initialized,
      isNative: null,
      delegatedAmount: 0n,
      closeAuthority: null,
    });
    ledger.set(key, { lamports: 10_000_000n, data: new Uint8Array(data), owner: TOKEN });
  }
  const token = { mint: MINT, from, to, program: TOKEN };
  const common = { settings: own.settings, signer, limit, vault: own.vault, destination: D };
  return [useLimit({ ...common, amount: 7n, decimals: 6, token })];
}

/** The execution of an approved transaction whose receiver and program are in a lookup table. */
export async function tableCorpus(ledger: Ledger, own: Account): Promise<Instruction[]> {
  const table = named("fuzz table");
  const header = concat(u32(1), u64(2n ** 64n - 1n), u64(0), u8(0), u8(0), new Uint8Array(34));
  const data = concat(header, named("unused"), D, SYSTEM);
  ledger.set(table, { lamports: 10_000_000n, data, owner: LOOKUP_TABLE_PROGRAM });
  const message: WrappedMessage = {
    signers: 1,
    writableSigners: 1,
    writableNonSigners: 0,
    keys: [own.vault],
    instructions: [{ program: 2, accounts: [0, 1], data: transferData(1_000_000) }],
    lookups: [{ table, writable: [1], readonly: [2] }],
  };
  const index = own.nextIndex();
  expectSuccess(
    ledger.send(
      await own.createTransaction(A, message),
      await own.propose(A, index),
      await own.vote("approve", A, index),
      await own.vote("approve", B, index),
    ),
  );
  return [
    executeTransaction({
      settings: own.settings,
      proposal: await own.proposalKey(index),
      transaction: await own.transactionKey(index),
      signer: A,
      accounts: [r(table), w(own.vault), w(D), r(SYSTEM)],
    }),
  ];
}
