import {
  type Address,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Rpc,
  type Signature,
  type SolanaRpcApi,
} from "@solana/kit";
import type { Db } from "@trellis/kernel/ports/database.js";
import { expect } from "vitest";

/** What the fee payer paid for on the chain is what is recorded, each with the outcome it had. */
export async function expectRecordsMatchChain(db: Db, rpc: Rpc<SolanaRpcApi>): Promise<void> {
  const rows = await db.selectFrom("submission").select(["signature", "state", "wire_transaction"]).execute();
  const payers = new Set(rows.map(({ wire_transaction }) => payerOf(wire_transaction)));
  expect(payers.size).toBe(1);
  const [payer] = payers;
  const onChain = new Map<string, string>();
  let before: Signature | undefined;
  for (;;) {
    const page = await rpc
      .getSignaturesForAddress(payer as Address, { limit: 1_000, ...(before === undefined ? {} : { before }) })
      .send();
    for (const { signature, err } of page) onChain.set(signature, err === null ? "landed" : "failed");
    before = page.at(-1)?.signature;
    if (page.length < 1_000) break;
  }
  const recorded = new Map(
    rows.flatMap(({ signature, state }) => (state === "expired" ? [] : [[signature, state] as const])),
  );
  // The fee payer's own money is a gift of the faucet.
  const gifts = [...onChain.keys()].filter((signature) => !recorded.has(signature));
  for (const gift of gifts) expect(await payerOnChain(rpc, gift), gift).not.toBe(payer);
  expect(recorded).toEqual(new Map([...onChain].filter(([signature]) => !gifts.includes(signature))));
}

function payerOf(wire: Uint8Array): string {
  const { messageBytes } = getTransactionDecoder().decode(wire);
  return String(getCompiledTransactionMessageDecoder().decode(messageBytes).staticAccounts[0]);
}

async function payerOnChain(rpc: Rpc<SolanaRpcApi>, signature: string): Promise<string> {
  const found = await rpc
    .getTransaction(signature as Signature, { encoding: "json", maxSupportedTransactionVersion: 0 })
    .send();
  return String(found?.transaction.message.accountKeys[0]);
}
