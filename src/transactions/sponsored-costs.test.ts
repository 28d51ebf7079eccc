import { type Address, createNoopSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { deriveProposalAddress, voteInstruction } from "@trellis/program-client";
import { addressOfKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { newKey } from "../../test/proposals/support.js";
import { costsOf } from "./sponsored-costs.js";

const [feePayer, voter, settings, address] = [newKey(), newKey(), newKey(), newKey()].map(addressOfKey) as [
  Address,
  Address,
  Address,
  Address,
];
const proposal = deriveProposalAddress(settings, 7n);

describe("the rent that a vote to cancel brings along", () => {
  it("is growth of the proposal where the proposal gets it", () => {
    expect(costsOfCancelling(proposal)).toEqual([
      { kind: "fee", lamports: 5_000n },
      { kind: "proposal_growth", heldAt: proposal, beneficiary: feePayer, lamports: 700_000n },
    ]);
  });

  it.each([
    ["the voter", voter],
    ["another proposal", deriveProposalAddress(settings, 8n)],
    ["the account", address],
  ])("is not paid where %s gets it", (_who, to) => {
    expect(() => costsOfCancelling(to)).toThrow(expect.objectContaining({ code: "forbidden_account" }));
  });
});

function costsOfCancelling(to: Address) {
  const source = createNoopSigner(feePayer);
  const instructions = [
    getTransferSolInstruction({ source, destination: to, amount: 700_000n }),
    voteInstruction({ action: "cancel", settings, transactionIndex: 7n, signer: voter }),
  ];
  const prepared = { fee_payer: feePayer, fee_lamports: 5_000n, rent_lamports: 700_000n };
  return costsOf({ address, settingsAddress: settings }, { instructions }, prepared);
}
