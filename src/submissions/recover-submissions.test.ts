import {
  type Address,
  createNoopSigner,
  createSolanaRpcFromTransport,
  getBase58Decoder,
  type SignatureBytes,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressOfBytes } from "@trellis/program-client";
import { composeTransaction } from "@trellis/solana/compose.js";
import { encodeWithSignatures } from "@trellis/solana/wire-transaction.js";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { hashOf } from "../../test/support/test-network.js";
import { recoverSubmissions } from "./recover-submissions.js";
import type { SignedSubmission } from "./submission.js";
import { claimOpenSubmissions, findSubmission, storeSigned } from "./submission-store.js";

const test = useTestNetwork({ each: true });

describe("the recovery of submissions", () => {
  it("decides what can be decided, however many others cannot be decided", async () => {
    for (let i = 0; i < 600; i += 1) await storeUndecidable(i);
    test.needs.realClock.advance(1);
    const payment = await storePayment(1);
    expect(await recoverSubmissions(test.needs, test.network, 0)).toEqual({ ended: 1, left: 600 });
    expect(await stateOf(payment)).toBe("landed");
    expect((await test.network.rpc.getBalance(payeeOf(1)).send()).value).toBe(1_000_000n);
    // A line for each bunch, and not for each of them.
    expect(test.logLines.filter(({ level }) => level === "error")).toHaveLength(3);
  });

  it("reads those first whose last read is longest ago", async () => {
    const claim = (limit: number) => {
      const now = test.network.clock.now();
      return claimOpenSubmissions(test.needs.db, "sandbox", { recordedBefore: now, readBefore: now, now, limit });
    };
    for (let i = 0; i < 6; i += 1) await storeUndecidable(i);
    const first = await claim(4);
    test.needs.realClock.advance(1_000);
    const newest = await storeUndecidable(6);
    const second = await claim(3);
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(7);
    expect(second.map(({ id }) => id)).toContain(newest);
    test.needs.realClock.advance(1_000);
    const third = (await claim(4)).map(({ id }) => id).sort();
    expect(third).toEqual(first.map(({ id }) => id).sort());
  });

  it("asks for statuses 256 at a time, and sends only what can still be confirmed", async () => {
    for (let i = 0; i < 300; i += 1) await storeUndecidable(i);
    for (let i = 0; i < 40; i += 1) await storePayment(i);
    const landed = await storePayment(40);
    const row = await findSubmission(test.needs.db, landed);
    await test.network.rpc
      .sendTransaction(Buffer.from(row?.wire_transaction ?? []).toString("base64") as never, { encoding: "base64" })
      .send();
    const { network, asked } = listening();
    expect(await recoverSubmissions(test.needs, network, 0)).toEqual({ ended: 41, left: 300 });
    expect(asked.get("sendTransaction")).toBe(40);
    // A look at each bunch, and one more after something was sent.
    expect(asked.get("getSignatureStatuses")).toBeLessThanOrEqual(4);
    expect(asked.get("getBlockTime")).toBeUndefined();
  });

  it("shares the work with a pass that runs at the same time elsewhere", async () => {
    for (let i = 0; i < 400; i += 1) await storePayment(i);
    const { network, asked } = listening();
    const passes = await Promise.all([
      recoverSubmissions(test.needs, network, 0),
      recoverSubmissions(test.needs, network, 0),
    ]);
    expect(passes.reduce((sum, { ended }) => sum + ended, 0)).toBeGreaterThanOrEqual(400);
    const open = await test.needs.db.selectFrom("submission").select("id").where("state", "!=", "landed").execute();
    expect(open).toEqual([]);
    // At worst what one pass has just taken is taken once more, when nothing else is left.
    expect(asked.get("sendTransaction")).toBeLessThanOrEqual(800);
    expect((await test.network.rpc.getBalance(payeeOf(7)).send()).value).toBe(1_000_000n);
  });

  it("skips what another process works on, and what was read a moment ago", async () => {
    const idleMs = 20_000;
    await storeUndecidable(1);
    const pass = async () => (await recoverSubmissions(test.needs, test.network, idleMs)).left;
    expect(await pass()).toBe(0);
    test.needs.realClock.advance(idleMs);
    expect(await pass()).toBe(1);
    expect(await pass()).toBe(0);
    test.needs.realClock.advance(5_000);
    expect(await pass()).toBe(1);
  });
});

async function store(signed: Partial<SignedSubmission> & Pick<SignedSubmission, "id" | "signature">): Promise<string> {
  const row = {
    tenantId: test.caller.tenantId,
    environment: "sandbox",
    accountAddress: null,
    purpose: "transaction",
    wireTransaction: new Uint8Array(200),
    lastValidBlockHeight: 0n,
    recordedSlot: 0n,
    reservedLamports: 0n,
    reservedOn: 0,
    ...signed,
  } as const;
  await storeSigned([row], test.network.clock.now()).execute(test.needs.db);
  return signed.id;
}

/** One that is over, and of which no node can tell what became: no ledger begins before slot zero. */
const storeUndecidable = (i: number) =>
  store({
    id: `undecidable-${i}`,
    signature: getBase58Decoder().decode(new Uint8Array([...hashOf(`a${i}`), ...hashOf(`b${i}`)])),
    recordedSlot: -1n,
  });

/** A payment to a stranger, signed and never sent. */
async function storePayment(i: number, lifetimeOf: Network = test.network): Promise<string> {
  const { feePayer } = test.network;
  const { value: lifetime, context } = await lifetimeOf.rpc.getLatestBlockhash().send();
  const transfer = getTransferSolInstruction({
    source: createNoopSigner(feePayer.address),
    destination: payeeOf(i),
    amount: 1_000_000n,
  });
  const budget = { units: 10_000, microLamportsPerUnit: 0n };
  const { transaction, id } = composeTransaction(feePayer.address, lifetime, budget, [transfer]);
  const signature = await feePayer.sign(Uint8Array.from(transaction.messageBytes));
  const signatures = new Map<Address, SignatureBytes>([[feePayer.address, signature]]);
  return store({
    id,
    signature: getBase58Decoder().decode(signature),
    wireTransaction: encodeWithSignatures(transaction, signatures),
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
    recordedSlot: context.slot,
  });
}

const payeeOf = (i: number) => addressOfBytes(hashOf(`payee ${i}`));

const stateOf = async (id: string) => (await findSubmission(test.needs.db, id))?.state;

/** The same network, and what it is asked. */
function listening(): { readonly network: Network; readonly asked: Map<string, number> } {
  const asked = new Map<string, number>();
  const rpc = createSolanaRpcFromTransport(async <Response>({ payload }: { payload: unknown }) => {
    const { method } = payload as { method: string };
    asked.set(method, (asked.get(method) ?? 0) + 1);
    return (await test.network.sandbox?.handleRpc(payload)) as Response;
  }) as Network["rpc"];
  return { network: { ...test.network, rpc }, asked };
}
