import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  assertIsSendableTransaction,
  assertIsTransactionWithBlockhashLifetime,
  type Base64EncodedWireTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  type Rpc,
  type Signature,
  type SolanaRpcApi,
  setTransactionMessageConfig,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from "@solana/kit";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db, Trx } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { SIGNATURE_PROGRAM_ADDRESS } from "@trellis/program-client";
import { openSandboxNode, type SandboxNode, type SandboxNodeOptions } from "@trellis/sandbox/node/sandbox-node.js";
import type { CompiledQuery } from "kysely";
import { openTestDatabase } from "../support/test-database.js";
import { use } from "../support/use.js";

/** The address the smart account program has in these tests. */
export const programAddress = address("SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG");
export const systemProgram = address("11111111111111111111111111111111");

/** Real time that stands still until a test moves it. */
export interface TestClock extends Clock {
  moveMs(ms: number): void;
}

export function createTestClock(startMs = 1_700_000_000_000): TestClock {
  let now = startMs;
  return {
    now: () => now,
    moveMs: (ms) => {
      now += ms;
    },
  };
}

/** What was logged as an error or a warning, for tests that expect it. */
export function createTestLog(): Log & { readonly entries: { level: string; message: string; fields: object }[] } {
  const entries: { level: string; message: string; fields: object }[] = [];
  const at = (level: string) => (fields: object, message: string) => {
    entries.push({ level, message, fields });
  };
  return { entries, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

const seal = createKeyring({ masterKeys: [{ id: "test", key: new Uint8Array(32).fill(7) }], activeId: "test" });

const artifact = (name: string) => readFileSync(new URL(`../../program/artifact/${name}.so`, import.meta.url));

/** Opens a node with the real programs over a database. */
export function openTestNode(db: Db, options: Partial<SandboxNodeOptions> = {}): Promise<SandboxNode> {
  return openSandboxNode({
    db,
    seal,
    realClock: options.realClock ?? createTestClock(),
    random: {
      bytes: (length) => webcrypto.getRandomValues(new Uint8Array(length)),
      uuid: () => webcrypto.randomUUID(),
    },
    log: options.log ?? createTestLog(),
    programs: [
      { address: programAddress, elf: artifact("smart_account_program") },
      { address: SIGNATURE_PROGRAM_ADDRESS, elf: artifact("external_signature_program") },
    ],
    genesisAccounts: options.genesisAccounts ?? [],
    funded: options.funded ?? [],
    faults: options.faults,
    ...(options.onStored && { onStored: options.onStored }),
    ...(options.onLanded && { onLanded: options.onLanded }),
  });
}

/** A node over a database of its own for all tests of a file. The options are asked for when it opens. */
export const useTestNode = (options: () => Partial<SandboxNodeOptions> = () => ({})): SandboxNode =>
  use(async () => {
    const database = await openTestDatabase();
    const node = await openTestNode(database.db, options());
    return {
      ...node,
      close: async () => {
        await node.close();
        await database.close();
      },
    };
  });

/** A database whose transactions can be made to fail, as over a broken connection. */
export function createBreakableDatabase(db: Db) {
  const fate = {
    /** The next transaction is stored, but the answer to its commit does not arrive. */
    losesNextAnswer: false,
    /** After that, the database stays unreachable. */
    staysAway: false,
    /** No transaction can be begun. */
    unreachable: false,
  };
  const suffer = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (fate.unreachable) throw new Error("the connection was refused");
    const loses = fate.losesNextAnswer;
    fate.losesNextAnswer = false;
    const value = await work();
    fate.unreachable = loses && fate.staysAway;
    if (loses) throw new Error("the connection was lost");
    return value;
  };
  const broken = new Proxy(db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      // A statement of its own is a transaction, too.
      if (name === "executeQuery") return (query: CompiledQuery) => suffer(() => target.executeQuery(query));
      if (name !== "transaction") return typeof value === "function" ? value.bind(target) : value;
      return () => ({
        execute: <Value>(work: (trx: Trx) => Promise<Value>): Promise<Value> =>
          suffer(() => target.transaction().execute(work)),
      });
    },
  });
  return { db: broken, fate };
}

/** Signs a transaction of these instructions; the blockhash is the chain's latest unless given. */
export async function buildTransaction(
  rpc: Rpc<SolanaRpcApi>,
  payer: KeyPairSigner,
  instructions: readonly Instruction[],
  version: "legacy" | 0 | 1 = 0,
  tables: Record<Address, Address[]> = {},
  config?: Parameters<typeof setTransactionMessageConfig>[0],
): Promise<{ wire: Base64EncodedWireTransaction; signature: Signature; lastValidBlockHeight: bigint }> {
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const message = pipe(
    createTransactionMessage({ version: version as 0 }),
    (empty) => setTransactionMessageFeePayerSigner(payer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => appendTransactionMessageInstructions(instructions, timed),
    (full) => (config ? (setTransactionMessageConfig(config, full as never) as typeof full) : full),
    (full) => (version === 0 ? compressTransactionMessageUsingAddressLookupTables(full, tables) : full),
  );
  const transaction = await signTransactionMessageWithSigners(message);
  return {
    wire: getBase64EncodedWireTransaction(transaction),
    signature: getSignatureFromTransaction(transaction),
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
  };
}

/** Signs a version 0 transaction of these instructions, for those who send it themselves. */
export async function buildSigned(rpc: Rpc<SolanaRpcApi>, payer: KeyPairSigner, instructions: readonly Instruction[]) {
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const signed = await signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(payer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
      (timed) => appendTransactionMessageInstructions(instructions, timed),
    ),
  );
  assertIsSendableTransaction(signed);
  assertIsTransactionWithBlockhashLifetime(signed);
  return signed;
}

/** A new key with lamports from the faucet. */
export async function fundedSigner(node: SandboxNode, lamports = 1_000_000_000n): Promise<KeyPairSigner> {
  const signer = await generateKeyPairSigner();
  await node.airdrop(signer.address, lamports);
  return signer;
}

/** A fresh address without a key in the test. */
export async function freshAddress(): Promise<Address> {
  return (await generateKeyPairSigner()).address;
}
