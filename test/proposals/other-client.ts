import type { Address, Instruction } from "@solana/kit";
import { addressOfKey, type SignerKey, signTransaction } from "@trellis/sdk";
import { expect } from "vitest";
import type { TestService } from "../support/test-service.js";
import { newKey } from "./support.js";

/** Sends a transaction straight to the chain, paid by a fresh key that the service never hears of. */
export async function sendElsewhere(
  trellis: TestService,
  keys: readonly SignerKey[],
  build: (payer: Address) => readonly Instruction[],
): Promise<Address> {
  const payer = newKey();
  const address = addressOfKey(payer);
  const { rpc, sandbox } = trellis.network;
  await sandbox?.airdrop(address, 1_000_000_000n);
  const wire = signTransaction(await trellis.compose(address, build(address)), [payer, ...keys]);
  const signature = await rpc.sendTransaction(wire as never, { encoding: "base64" }).send();
  const { value } = await rpc.getSignatureStatuses([signature]).send();
  expect(value[0]?.err).toBeNull();
  return address;
}
