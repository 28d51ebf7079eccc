import {
  type Address,
  address,
  type Base64EncodedWireTransaction,
  createNoopSigner,
  getBase58Decoder,
  type SignatureBytes,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { composeTransaction } from "@trellis/solana/compose.js";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { encodeWithSignatures, toBase64 } from "@trellis/solana/wire-transaction.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openClusterNetwork } from "../../src/adapters/chain/cluster/cluster-network.js";
import type { OpenDatabase } from "../../src/adapters/db/open-database.js";
import { systemPause } from "../../src/adapters/system.js";
import { recoverSubmissions } from "../../src/submissions/recover-submissions.js";
import { findSubmission, storeSigned } from "../../src/submissions/submission-store.js";
import { evenLimits } from "../support/sponsorship.js";
import { openTestDatabase } from "../support/test-database.js";
import { type Behaviour, type RpcProxy, type RpcRequest, startRpcProxy } from "./rpc-proxy.js";
import { type SandboxProcess, startSandboxProcess } from "./sandbox-process.js";

let chain: SandboxProcess;
let database: OpenDatabase;
let now = Date.UTC(2026, 0, 15);

beforeAll(async () => {
  [chain, database] = await Promise.all([startSandboxProcess(), openTestDatabase()]);
});
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
  await database.db.deleteFrom("submission").execute();
  alarms.length = 0;
});
afterAll(async () => {
  await database?.close();
  await chain?.stop();
});
/** Knows nothing from before a slot, as one that was started anew or prunes its ledger; `tells` where that begins. */
const ledgerFrom =
  (startsAt: () => bigint, reports = startsAt) =>
  ({ method }: RpcRequest): Behaviour => {
    if (method === "getFirstAvailableBlock") return { result: Number(reports()) };
    if (method !== "getSignatureStatuses") return "honest";
    return (reported) => {
      const { value, ...rest } = reported as Statuses;
      return { ...rest, value: value.map((status) => (status && status.slot >= startsAt() ? status : null)) };
    };
  };

describe("a submission on a cluster whose outcome was not seen", () => {
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
    let frozen: number | undefined;
    const lagging = (request: RpcRequest): Behaviour =>
      request.method === "getEpochInfo"
        ? (reported) => ({ ...(reported as object), ...(frozen ? { blockHeight: frozen } : {}) })
        : swallows(request);
    const network = await openDevnet(swallows, lagging);
    const { id } = await leaveOpen(network, 2_000_000n);
    frozen = Number(await network.rpc.getBlockHeight().send());
    await chain.advanceClock(120);
    now += 150_000;
    expect(await stateAfterPass(network, id)).toBe("signed");
    frozen = undefined;
    expect(await stateAfterPass(network, id)).toBe("expired");
  });

  it("is confirmed when only the last URL's history knows it", async () => {
    const forgets = ledgerFrom(() => forever);
    const network = await openDevnet(forgets, forgets, () => "honest");
    const { id, wire } = await leaveOpen(network, 3_000_000n);
    await chain.rpc.sendTransaction(wire, { encoding: "base64" }).send();
    await letTimePass();
    expect(await stateAfterPass(network, id)).toBe("landed");
  });

  it("is confirmed although a URL that knows nothing omits its height, or another one does not answer", async () => {
    const mute = ({ method }: RpcRequest): Behaviour => (method === "getEpochInfo" ? { status: 503 } : "honest");
    const broken = ({ method }: RpcRequest): Behaviour =>
      method === "getBlockHeight" || method === "getGenesisHash" ? "honest" : { status: 503 };
    const forgets = ledgerFrom(() => forever);
    const network = await openDevnet(
      (request) => (mute(request) === "honest" ? forgets(request) : mute(request)),
      () => "honest",
      broken,
    );
    const { id, wire } = await leaveOpen(network, 4_000_000n);
    await chain.rpc.sendTransaction(wire, { encoding: "base64" }).send();
    await letTimePass();
    expect(await stateAfterPass(network, id)).toBe("landed");
  });

  it("stays open while a URL does not answer that might know, without an alarm", async () => {
    let isDown = true;
    const knowing = ({ method }: RpcRequest): Behaviour =>
      isDown && method === "getSignatureStatuses" ? { status: 503 } : "honest";
    const network = await openDevnet(
      ledgerFrom(
        () => forever,
        () => 0n,
      ),
      knowing,
    );
    const { id, wire } = await leaveOpen(network, 5_000_000n);
    await chain.rpc.sendTransaction(wire, { encoding: "base64" }).send();
    await letTimePass();
    expect(await stateAfterPass(network, id)).toBe("signed");
    expect(alarms).toEqual([]);
    isDown = false;
    expect(await stateAfterPass(network, id)).toBe("landed");
  });

  it("is not called expired by a URL behind which another, lagging machine answers", async () => {
    const twoFaced = ({ method }: RpcRequest): Behaviour =>
      method === "getSignatureStatuses" ? { result: { context: { slot: 1 }, value: [null] } } : "honest";
    const network = await openDevnet(twoFaced);
    const { id, wire } = await leaveOpen(network, 6_000_000n);
    await chain.rpc.sendTransaction(wire, { encoding: "base64" }).send();
    await letTimePass();
    expect(await stateAfterPass(network, id)).toBe("signed");
  });
});

describe("nodes whose ledger begins after a transaction", () => {
  let startsAt = 0n;
  const pruned = ledgerFrom(() => startsAt);
  const restarted = ledgerFrom(() => startsAt + 20n);

  it("say nothing about one that is confirmed: it stays open, with one alarm, until a node answers that knows it", async () => {
    const network = await openDevnet(pruned, restarted);
    const { id, wire, slot } = await leaveOpen(network, 7_000_000n);
    startsAt = slot + 100n;
    await chain.rpc.sendTransaction(wire, { encoding: "base64" }).send();
    await letTimePass();
    for (let pass = 0; pass < 4; pass += 1) expect(await stateAfterPass(network, id)).toBe("signed");
    expect(alarms).toEqual([
      {
        message: "transactions stay open: no node knows their outcome",
        fields: expect.objectContaining({
          event: "submissions_undecided",
          environment: "devnet",
          count: 1,
          reason: `a ledger begins at slot ${startsAt} and ${startsAt + 20n}, and it may have landed before`,
          submissions: [expect.objectContaining({ submission: id, recorded_slot: slot })],
        }),
      },
    ]);
    const withThird = await openDevnet(pruned, restarted, () => "honest");
    expect(await stateAfterPass(withThird, id)).toBe("landed");
  });

  it("say nothing about an unconfirmed one either, whichever other nodes have forgotten it", async () => {
    const forgets = ledgerFrom(
      () => forever,
      () => 0n,
    );
    const network = await openDevnet(pruned, restarted, forgets, () => "honest");
    const { id, slot } = await leaveOpen(network, 8_000_000n);
    startsAt = slot + 1n;
    await letTimePass();
    expect(await stateAfterPass(network, id)).toBe("signed");
    expect(alarms).toHaveLength(1);
    const withoutThem = await openDevnet(
      ledgerFrom(() => slot),
      () => "honest",
    );
    expect(await stateAfterPass(withoutThem, id)).toBe("expired");
  });

  it("keep one with a gap in its ledger from calling expired what is confirmed, while the one that knows is away", async () => {
    const gap = ledgerFrom(
      () => forever,
      () => 0n,
    );
    let isAway = false;
    const network = await openDevnet(gap, pruned, () => (isAway ? { status: 503 } : "honest"));
    const { id, wire, slot } = await leaveOpen(network, 8_500_000n);
    startsAt = slot + 100n;
    await chain.rpc.sendTransaction(wire, { encoding: "base64" }).send();
    isAway = true;
    await letTimePass();
    expect(await stateAfterPass(network, id)).toBe("signed");
    isAway = false;
    expect(await stateAfterPass(network, id)).toBe("landed");
  });

  it("are asked for a good while more where a row of an earlier release has no slot", async () => {
    const network = await openDevnet(pruned);
    const { id, slot } = await leaveOpen(network, 9_000_000n);
    await database.db.updateTable("submission").set({ recorded_slot: null }).where("id", "=", id).execute();
    startsAt = slot - 200n;
    await letTimePass();
    expect(await stateAfterPass(network, id)).toBe("signed");
    startsAt = 0n;
    expect(await stateAfterPass(network, id)).toBe("expired");
  });
});

const alarms: { fields: object; message: string }[] = [];
const log: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (fields, message) => void alarms.push({ fields, message }),
};
const payee = address("9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g");

const proxies: RpcProxy[] = [];

interface Statuses {
  readonly value: readonly ({ readonly slot: number } | null)[];
}

const forever = 10n ** 12n;

/** A cluster over nodes that behave so. */
async function openDevnet(...behaviours: ((request: RpcRequest) => Behaviour)[]): Promise<Network> {
  const own = await Promise.all(behaviours.map((behaviour) => startRpcProxy(chain.url, behaviour)));
  proxies.push(...own);
  const network = await openClusterNetwork({
    name: "devnet",
    urls: own.map(({ url }) => url),
    feePayer: serviceKeyOf(new Uint8Array(32).fill(9)),
    executor: serviceKeyOf(new Uint8Array(32).fill(8)),
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
  const { value: lifetime, context } = await network.rpc.getLatestBlockhash().send();
  const payer = network.feePayer.address;
  const transfer = getTransferSolInstruction({ source: createNoopSigner(payer), destination: payee, amount: lamports });
  const budget = { units: 10_000, microLamportsPerUnit: 0n };
  const { transaction, id } = composeTransaction(payer, lifetime, budget, [transfer]);
  const signature = await network.feePayer.sign(Uint8Array.from(transaction.messageBytes));
  const wire = encodeWithSignatures(transaction, new Map<Address, SignatureBytes>([[payer, signature]]));
  await storeSigned(
    [
      {
        id,
        tenantId: null,
        environment: network.name,
        accountAddress: null,
        purpose: "transaction",
        signature: getBase58Decoder().decode(signature),
        wireTransaction: wire,
        lastValidBlockHeight: lifetime.lastValidBlockHeight,
        recordedSlot: context.slot,
        reservedLamports: 0n,
        reservedOn: 0,
      },
    ],
    network.clock.now(),
  ).execute(database.db);
  return { id, slot: context.slot, wire: toBase64(wire) as Base64EncodedWireTransaction };
}

async function stateAfterPass(network: Network, id: string) {
  await recoverSubmissions({ db: database.db, log }, network, 0);
  return (await findSubmission(database.db, id))?.state;
}

/** Accepts transactions and forgets them. */
const swallows = ({ method }: RpcRequest): Behaviour =>
  method === "sendTransaction" ? { result: "1".repeat(64) } : "honest";

/** So that nothing can be confirmed any more, by the chain and by the clock. */
const letTimePass = async () => {
  await chain.advanceClock(120);
  now += 150_000;
};
