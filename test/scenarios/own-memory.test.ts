import { type Address, createNoopSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { decodeTransaction } from "@trellis/sdk";
import { composeTransaction, noBlockhash } from "@trellis/solana/compose.js";
import { expect, it } from "vitest";
import { apiPath, dataOf, expectError, makeKey, stamp } from "../adversarial/support.js";
import { use, useTestService } from "../support/scene.js";

/** A program that needs more than 32 KiB of memory can be called by a smart account as by any wallet. */
const trellis = useTestService();
const ada = use(() => trellis.openHolder({ sol: "1000000000" }));

it("keeps the memory that a transaction of one's own asks for, and adds none where it asks for none", async () => {
  for (const asked of [131_072, undefined]) {
    const path = `${apiPath}/accounts/${ada.address}`;
    const answered = await trellis.request("POST", `${path}/transactions`, { transaction: payment(asked) });
    const prepared = dataOf<{ transaction: string; kms_payloads: never[] }>(answered);
    expect(decodeTransaction(prepared.transaction).computeBudget.heapFrameBytes).toBe(asked);
    const signed = { transaction: prepared.transaction, kms_payloads: stamp(prepared, ada.session) };
    expect((await trellis.request("POST", `${path}/submit`, signed)).status).toBe(200);
  }
});

it("refuses a request for memory that the chain would refuse", async () => {
  const path = `${apiPath}/accounts/${ada.address}`;
  expectError(
    await trellis.request("POST", `${path}/transactions`, { transaction: payment(33_000) }),
    400,
    "invalid_transaction",
  );
  const signer = ada.session.wallets[0]?.address;
  const proposal = { type: "custom", transaction: payment(33_000), signer };
  expectError(await trellis.request("POST", `${path}/proposals`, proposal), 400, "invalid_transaction");
});

function payment(heapFrameBytes: number | undefined): string {
  const vault = ada.address as Address;
  const transfer = getTransferSolInstruction({
    source: createNoopSigner(vault),
    destination: makeKey().address as Address,
    amount: 5_000_000n,
  });
  const budget = { units: 200_000, microLamportsPerUnit: 0n, heapFrameBytes };
  return Buffer.from(composeTransaction(vault, noBlockhash, budget, [transfer]).bytes).toString("base64");
}
