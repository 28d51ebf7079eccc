import {
  type Address,
  createNoopSigner,
  createSolanaRpcFromTransport,
  getBase58Decoder,
  type RpcTransport,
  type SignatureBytes,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressOfBytes } from "@trellis/program-client";
import { composeTransaction } from "@trellis/solana/compose.js";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { encodeWithSignatures } from "@trellis/solana/wire-transaction.js";
import { beforeAll, describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { hashOf } from "../../test/support/test-network.js";
import { openClusterNetwork } from "../adapters/chain/cluster/cluster-network.js";
import { confirmNewSubmission } from "./confirm-submission.js";
import { createLookout } from "./lookout.js";
import { storeSigned } from "./submission-store.js";

let devnet: Network;
/** What the chain is asked, and how often. */
const asked = new Map<string, number>();
/** Sends that the chain does not hear of. */
let lost = 0;
const test = useTestNetwork();
beforeAll(async () => {
  const transport: RpcTransport = async <Response>({ payload }: { payload: unknown }) => {
    const { id, method } = payload as { id: unknown; method: string };
    asked.set(method, (asked.get(method) ?? 0) + 1);
    if (method === "sendTransaction" && lost > 0) {
      lost -= 1;
      return { jsonrpc: "2.0", id, result: "1".repeat(64) } as Response;
    }
    return (await test.network.sandbox?.handleRpc(payload)) as Response;
  };
  devnet = await openClusterNetwork({
    name: "devnet",
    urls: ["http://node.test/"],
    feePayer: serviceKeyOf(new Uint8Array(32).fill(9)),
    executor: serviceKeyOf(new Uint8Array(32).fill(8)),
    genesisHash: await test.network.rpc.getGenesisHash().send(),
    mints: new Map(),
    sponsorship: test.network.sponsorship,
    realClock: test.needs.realClock,
    pause,
    log: test.needs.log,
    connect: () => transport,
  });
  await test.network.sandbox?.airdrop(devnet.feePayer.address, 10_000_000_000n);
});

describe("confirming a payment on a cluster", () => {
  it("sends each payment once, and reads the status of all of them together", async () => {
    await pay({ ...test.needs, pause, lookout: createLookout(pause) }, "the first");
    asked.clear();
    // Nobody's wait is over before all are under way.
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let waiting = 0;
    const together = () => {
      waiting += 1;
      if (waiting === 60) open();
      return gate;
    };
    const needs = { ...test.needs, pause: together, lookout: createLookout(pause) };
    const outcomes = await Promise.all(Array.from({ length: 60 }, (_, i) => pay(needs, `payee ${i}`)));
    expect(new Set(outcomes.map(({ state }) => state))).toEqual(new Set(["landed"]));
    expect(asked.get("sendTransaction")).toBe(60);
    expect(asked.get("getSignatureStatuses")).toBeLessThan(10);
    // The time of a block is known from the first payment, and nothing expires this early.
    for (const method of ["getBlockTime", "getBlockHeight", "getEpochInfo", "getFirstAvailableBlock"]) {
      expect(asked.get(method)).toBeUndefined();
    }
  });

  it("sends again where a transaction was lost, and not with every read", async () => {
    const needs = { ...test.needs, pause, lookout: createLookout(pause) };
    asked.clear();
    lost = 3;
    expect(await pay(needs, "the patient one")).toMatchObject({ state: "landed" });
    expect(asked.get("sendTransaction")).toBe(4);
    expect(asked.get("getSignatureStatuses")).toBeGreaterThan(6);
  });
});

const pause = async () => undefined;

/** Pays a stranger, as the service does it once everything is checked. */
async function pay(needs: Parameters<typeof confirmNewSubmission>[0], name: string) {
  const { feePayer } = devnet;
  // Not among what is counted: the preparation asks for it.
  const rpc = createSolanaRpcFromTransport(
    async <Response>({ payload }: { payload: unknown }) => (await test.network.sandbox?.handleRpc(payload)) as Response,
  ) as Network["rpc"];
  const { value: lifetime, context } = await rpc.getLatestBlockhash().send();
  const transfer = getTransferSolInstruction({
    source: createNoopSigner(feePayer.address),
    destination: addressOfBytes(hashOf(name)),
    amount: 1_000_000n,
  });
  const budget = { units: 10_000, microLamportsPerUnit: 0n };
  const { transaction, id } = composeTransaction(feePayer.address, lifetime, budget, [transfer]);
  const signature = await feePayer.sign(Uint8Array.from(transaction.messageBytes));
  const signatures = new Map<Address, SignatureBytes>([[feePayer.address, signature]]);
  const wire = encodeWithSignatures(transaction, signatures);
  const signed = {
    id,
    tenantId: null,
    environment: "devnet",
    accountAddress: null,
    purpose: "transaction",
    signature: getBase58Decoder().decode(signature),
    wireTransaction: wire,
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
    recordedSlot: context.slot,
    reservedLamports: 0n,
    reservedOn: 0,
  } as const;
  await storeSigned([signed], devnet.clock.now()).execute(needs.db);
  return confirmNewSubmission(needs, devnet, {
    id,
    signature: signed.signature,
    wire_transaction: wire,
    last_valid_block_height: signed.lastValidBlockHeight,
    recorded_slot: context.slot,
  });
}
