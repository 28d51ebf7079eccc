import {
  type Address,
  address,
  type Base64EncodedWireTransaction,
  createNoopSigner,
  getBase58Decoder,
  type SignatureBytes,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openClusterNetwork } from "../../src/adapters/chain/cluster/cluster-network.js";
import type { OpenDatabase } from "../../src/adapters/db/open-database.js";
import { systemPause } from "../../src/adapters/system.js";
import { composeTransaction } from "../../src/core/chain/compose.js";
import { encodeWithSignatures, toBase64 } from "../../src/core/chain/wire-transaction.js";
import { recoverSubmissions } from "../../src/core/submissions/land-submission.js";
import { findSubmission, storeSigned } from "../../src/core/submissions/submission-store.js";
import type { Log } from "../../src/ports/log.js";
import type { Network } from "../../src/ports/network.js";
import { evenLimits } from "../support/sponsorship.js";
import { openTestDatabase } from "../support/test-database.js";
import { type Behaviour, type RpcProxy, type RpcRequest, startRpcProxy } from "./rpc-proxy.js";
import { type SandboxProcess, startSandboxProcess } from "./sandbox-process.js";

const log: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const payee = address("9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g");

let chain: SandboxProcess;
let database: OpenDatabase;
let now = Date.UTC(2026, 0, 15);
const proxies: RpcProxy[] = [];

beforeAll(async () => {
  [chain, database] = await Promise.all([startSandboxProcess(), openTestDatabase()]);
});
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
});
afterAll(async () => {
  await database?.close();
  await chain?.stop();
});

/** A cluster over nodes that behave so. */
async function openDevnet(...behaviours: ((request: RpcRequest) => Behaviour)[]): Promise<Network> {
  for (const behaviour of behaviours) proxies.push(await startRpcProxy(chain.url, behaviour));
  const network = await openClusterNetwork({
    name: "devnet",
    urls: proxies.map(({ url }) => url),
    feePayerSeed: new Uint8Array(32).fill(9),
    genesisHash: await chain.rpc.getGenesisHash().send(),
    mints: new Map(),
    sponsorship: evenLimits(1n, { perTransaction: 10_000n }),
    realClock: { now: () => now },
    pause: systemPause,
    log,
  });
  await chain.airdrop(network.feePayer.address, 1_000_000_000n);
  return network;
}

/** Stores a payment as signed, as a process leaves it that ends before it sends. */
async function leaveOpen(network: Network, lamports: bigint) {
  const { value: lifetime } = await network.rpc.getLatestBlockhash().send();
  const payer = network.feePayer.address;
  const transfer = getTransferSolInstruction({ source: createNoopSigner(payer), destination: payee, amount: lamports });
  const budget = { units: 10_000, microLamportsPerUnit: 0n };
  const { transaction, id } = composeTransaction(payer, lifetime, budget, [transfer]);
  const signature = await network.feePayer.sign(Uint8Array.from(transaction.messageBytes));
  const wire = encodeWithSignatures(transaction, new Map<Address, SignatureBytes>([[payer, signature]]));
  await storeSigned(
    {
      id,
      tenantId: null,
      environment: network.name,
      accountAddress: null,
      purpose: "transaction",
      signature: getBase58Decoder().decode(signature),
      wireTransaction: wire,
      lastValidBlockHeight: lifetime.lastValidBlockHeight,
      reservedLamports: 0n,
      reservedOn: 0,
    },
    network.clock.now(),
    sql`(select 1) as once`,
  ).execute(database.db);
  return { id, wire: toBase64(wire) as Base64EncodedWireTransaction };
}

async function stateAfterPass(network: Network, id: string) {
  await recoverSubmissions({ db: database.db, log, pause: systemPause }, network, 0);
  return (await findSubmission(database.db, id))?.state;
}

/** Accepts transactions and forgets them. */
const swallows = ({ method }: RpcRequest): Behaviour =>
  method === "sendTransaction" ? { result: "1".repeat(64) } : "honest";
/** Has lost its history. */
const forgets = ({ method }: RpcRequest): Behaviour =>
  method === "getSignatureStatuses" ? { result: { context: { slot: 1 }, value: [null] } } : "honest";

describe("a submission on a cluster whose outcome nobody saw", () => {
  it("stays open after its last block until 150 seconds have passed, and is expired then", async () => {
    const network = await openDevnet(swallows);
    const { id } = await leaveOpen(network, 1_000_000n);
    expect(await stateAfterPass(network, id)).toBe("signed");
    await chain.advanceClock(120);
    expect(await stateAfterPass(network, id)).toBe("signed");
    now += 150_000;
    expect(await stateAfterPass(network, id)).toBe("expired");
  });

  it("is not called expired while one URL is still within its window", async () => {
    let frozen: unknown;
    const lagging = (request: RpcRequest): Behaviour =>
      request.method === "getBlockHeight" ? (height) => frozen ?? height : swallows(request);
    const network = await openDevnet(swallows, lagging);
    const { id } = await leaveOpen(network, 2_000_000n);
    frozen = Number(await network.rpc.getBlockHeight().send());
    await chain.advanceClock(120);
    now += 150_000;
    expect(await stateAfterPass(network, id)).toBe("signed");
    frozen = undefined;
    now += 2_000;
    expect(await stateAfterPass(network, id)).toBe("expired");
  });

  it("has landed when only the last URL's history knows it", async () => {
    const network = await openDevnet(forgets, forgets, () => "honest");
    const { id, wire } = await leaveOpen(network, 3_000_000n);
    await chain.rpc.sendTransaction(wire, { encoding: "base64" }).send();
    await chain.advanceClock(120);
    now += 150_000;
    expect(await stateAfterPass(network, id)).toBe("landed");
  });
});
