import { addressOfKey } from "@trellis/sdk";
import { makeKey } from "../../adversarial/support.js";
import { onAccount, scene } from "./scene.js";
import type { Rows } from "./world.js";

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
  executeProposal: {
    single: () => onAccount(`/proposals/${scene.approved}/execute`, { signer: addressOfKey(scene.keys[0]) }),
  },
  voteAndExecuteProposal: {
    single: () =>
      onAccount(`/proposals/${scene.proposed}/vote-and-execute`, { signers: [addressOfKey(scene.keys[1])] }),
  },
};
