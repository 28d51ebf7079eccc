import { type Address, address, createNoopSigner, getBase58Decoder, type SignatureBytes } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { breakConnection, openTestNetwork, type TestNetwork } from "../../test/support/test-network.js";
import { composeTransaction } from "../core/chain/compose.js";
import { encodeWithSignatures } from "../core/chain/wire-transaction.js";
import { findSubmission, storeSigned } from "../core/submissions/submission-store.js";
import { finishOpenWork } from "./passes.js";

let test: TestNetwork;

beforeEach(async () => {
  test = await openTestNetwork();
});

afterEach(() => test?.close());

/** A payment of the service's own, signed and recorded, and then nothing: as a crash leaves it. */
async function leaveOpen(lamports: bigint, spoil: (wire: Uint8Array) => Uint8Array = (wire) => wire): Promise<string> {
  const { network, needs } = test;
  const { value: lifetime, context } = await network.rpc.getLatestBlockhash().send();
  const transfer = getTransferSolInstruction({
    source: createNoopSigner(network.feePayer.address),
    destination: address("9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g"),
    amount: lamports,
  });
  const budget = { units: 10_000, microLamportsPerUnit: 0n };
  const { transaction, id } = composeTransaction(network.feePayer.address, lifetime, budget, [transfer]);
  const signature = await network.feePayer.sign(Uint8Array.from(transaction.messageBytes));
  const signatures = new Map<Address, SignatureBytes>([[network.feePayer.address, signature]]);
  await storeSigned(
    {
      id,
      tenantId: test.caller.tenantId,
      environment: network.name,
      accountAddress: null,
      purpose: "transaction",
      signature: getBase58Decoder().decode(signature),
      wireTransaction: spoil(encodeWithSignatures(transaction, signatures)),
      lastValidBlockHeight: lifetime.lastValidBlockHeight,
      recordedSlot: context.slot,
      reservedLamports: 0n,
      reservedOn: 0,
    },
    network.clock.now(),
    sql`(select 1) as once`,
  ).execute(needs.db);
  return id;
}

const stateOf = async (id: string) => (await findSubmission(test.needs.db, id))?.state;

describe("a pass over open work", () => {
  it("finishes the rest when the chain refuses the bytes of one submission, and reports that one", async () => {
    const broken = await leaveOpen(1_000_000n, (wire) => wire.slice(0, 40));
    test.needs.realClock.advance(1);
    const sound = await leaveOpen(2_000_000n);
    await finishOpenWork(test.needs, test.network);
    expect(await stateOf(sound)).toBe("landed");
    expect(await stateOf(broken)).toBe("signed");
    expect(test.logLines.filter(({ level }) => level === "error").map(({ fields }) => fields)).toEqual([
      expect.objectContaining({ submission: broken }),
    ]);
  });

  it("leaves everything for the next one while the chain does not answer", async () => {
    const id = await leaveOpen(1_000_000n);
    const silent = breakConnection(test.network, () => true);
    await finishOpenWork(test.needs, silent);
    expect(await stateOf(id)).toBe("signed");
    expect(test.logLines.map(({ level }) => level)).toContain("warn");
    await finishOpenWork(test.needs, test.network);
    expect(await stateOf(id)).toBe("landed");
  });
});
