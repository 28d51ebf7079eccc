import type { Address, Base64EncodedWireTransaction } from "@solana/kit";
import { createTransactionBufferInstruction } from "@trellis/program-client";
import { addressOfKey, signTransaction } from "@trellis/sdk";
import { composeTransaction } from "@trellis/solana/compose.js";
import { toBase64 } from "@trellis/solana/wire-transaction.js";
import { makeKey } from "../../adversarial/support.js";
import { onAccount, scene } from "./scene.js";
import { client, onceInWorld, type Rows, test } from "./world.js";

/** Leaves a buffer of the first of the scene's keys behind; nothing in these tests takes it away. */
const leaveOnce = onceInWorld(async () => {
  const { rpc, sandbox } = test.network;
  const [key] = scene.keys;
  const creator = addressOfKey(key);
  await sandbox?.airdrop(creator, 1_000_000_000n);
  const { settings_address: settings } = await client.accounts.get(scene.account);
  const { value } = await rpc.getLatestBlockhash().send();
  const budget = { units: 200_000, microLamportsPerUnit: 0n };
  const { bytes } = composeTransaction(creator, value, budget, [
    createTransactionBufferInstruction({
      settings: settings as Address,
      creator,
      bufferIndex: 7,
      rentPayer: creator,
      finalHash: new Uint8Array(32),
      finalSize: 10,
      firstPart: new Uint8Array(1),
    }),
  ]);
  const signed = signTransaction(toBase64(bytes), [key]) as Base64EncodedWireTransaction;
  await rpc.sendTransaction(signed, { encoding: "base64" }).send();
});
async function leaveBuffer(): Promise<void> {
  if (scene.account !== "") await leaveOnce();
}

export const rowsOfProposals: Rows = {
  updateAccount: {
    "at once": () =>
      onAccount("", { threshold: 1, transaction_signers: scene.keys.map((key) => addressOfKey(key)) }, "PATCH"),
    "by a vote": () => onAccount("", { threshold: 1, transaction_signers: [addressOfKey(scene.keys[0])] }, "PATCH"),
  },
  voteOnProposal: {
    single: () =>
      onAccount(`/proposals/${scene.proposed}/vote`, { action: "approve", signers: [addressOfKey(scene.keys[1])] }),
  },
  createProposal: {
    single: () =>
      onAccount("/proposals", {
        type: "transfer",
        amount: "1000000",
        currency: "sol",
        destination: scene.account === "" ? "" : makeKey().address,
        signer: addressOfKey(scene.keys[0]),
      }),
  },
  closeTransactionBuffers: {
    single: async () => {
      await leaveBuffer();
      return onAccount("/transaction-buffers/close", { signer: addressOfKey(scene.keys[0]) });
    },
  },
  executeProposal: {
    single: () => onAccount(`/proposals/${scene.approved}/execute`, { signer: addressOfKey(scene.keys[0]) }),
  },
  voteAndExecuteProposal: {
    single: () =>
      onAccount(`/proposals/${scene.proposed}/vote-and-execute`, { signers: [addressOfKey(scene.keys[1])] }),
  },
};
