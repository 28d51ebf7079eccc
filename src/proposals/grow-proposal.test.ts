import type { Address } from "@solana/kit";
import { addressOfKey } from "@trellis/sdk";
import { expect, it } from "vitest";
import { makeKey } from "../../test/adversarial/support.js";
import { dataOf, may, newKey, type Prepared, pays, proposalsOf } from "../../test/proposals/support.js";
import { useTestService } from "../../test/support/scene.js";
import { getActingAccount } from "../transactions/acting-account.js";
import { getProposalRow } from "./find-proposal.js";
import { growProposal } from "./grow-proposal.js";

const trellis = useTestService();
const at = proposalsOf(trellis);

it("the service pays for the growth of proposals alone whose whole rent returns to a fee payer of it", async () => {
  const { network } = trellis;
  const [a, b] = [newKey(), newKey()];
  const opened = await at.open({ signers: [may(a)], threshold: 1 });
  const { proposalAddress } = await at.propose(opened, a, { ...pays(makeKey().address, 5_000_000n), approve: true });
  const patch = { signers: [may(a), may(b)], threshold: 1 };
  const change = dataOf<Prepared>(await at.request("PATCH", opened, "", patch));
  dataOf(await at.submit(opened, change.transaction, [a]));
  const { db } = trellis.service;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const account = await getActingAccount(db, network, "default", opened.address);
  const row = await getProposalRow({ db, log }, network, opened.settings, proposalAddress);
  const voters: readonly Address[] = [addressOfKey(a)];
  const grow = (collectors: Partial<typeof row>, payers: Partial<typeof network> = {}) =>
    growProposal({ ...network, ...payers }, account, { ...row, ...collectors }, voters, undefined);

  const lamports = 96n * 6_960n;
  expect(await grow({})).toMatchObject({ lamports });
  const rotated = { feePayer: { ...network.feePayer, address: makeKey().address }, formerFeePayer: network.feePayer };
  expect(await grow({}, rotated)).toMatchObject({ lamports });
  const elsewhere = makeKey().address;
  for (const collectors of [{ transaction_rent_collector: elsewhere }, { proposal_rent_collector: elsewhere }]) {
    await expect(grow(collectors)).rejects.toMatchObject({ code: "insufficient_balance" });
  }
});

const quiet = () => undefined;
