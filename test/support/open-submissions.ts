import { type Address, address, createNoopSigner, getBase58Decoder, type SignatureBytes } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { composeTransaction } from "@trellis/solana/compose.js";
import { encodeWithSignatures } from "@trellis/solana/wire-transaction.js";
import { storeSigned } from "../../src/submissions/submission-store.js";
import type { TestNetwork } from "./test-network.js";

/** A payment of the service's own, signed and recorded, and then nothing: as a crash leaves it. */
export async function leaveOpen(
  test: TestNetwork,
  lamports: bigint,
  spoil: (wire: Uint8Array) => Uint8Array = (wire) => wire,
  tenantId: string = test.caller.tenantId,
): Promise<string> {
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
    [
      {
        id,
        tenantId,
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
    ],
    network.clock.now(),
  ).execute(needs.db);
  return id;
}
