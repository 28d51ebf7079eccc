import { addressOfKey, createTrellisClient, type TrellisApiError, type TrellisClient } from "@trellis/sdk";
import { expect, it } from "vitest";
import { may, newKey, proposalsOf } from "../proposals/support.js";
import { use, useTestService } from "../support/scene.js";
import { agentKey } from "./support.js";

const [owner, agent] = [newKey(), newKey()];
const trellis = useTestService({
  TRELLIS_SPONSOR_PER_TENANT_PER_DAY: "100000000",
  TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "100000000",
  TRELLIS_SPONSOR_PER_TRANSACTION: "50000000",
});
const account = use(() =>
  proposalsOf(trellis).open({ signers: [may(owner), may(agent, ["CAN_INITIATE"])], threshold: 1 }, 1_000_000_000n),
);

it("lets agents that open proposals all day use up their part, of the tenant's budget and the account's, and no more", async () => {
  const greedy = await clientOf("Greedy");
  const opened = await openUntilRefused(greedy);
  expect(opened).toBeGreaterThan(2);
  await expect(propose(greedy)).rejects.toMatchObject({ code: "sponsorship_limit_exceeded", status: 429 });
  // Another agent has a part of its own, and the owners have what is left to vote, as the tenant's server has to propose.
  expect(await openUntilRefused(await clientOf("Modest"))).toBe(opened);
  const { proposalAddress: proposal } = await propose(trellis.client);
  await trellis.client.proposals.vote({ account: account.address, proposal, action: "approve", keys: [owner] });
});

const propose = (client: TrellisClient) =>
  client.proposals.create({
    account: account.address,
    keys: [agent],
    content: { type: "transfer", currency: "sol", amount: 1_000_000n, destination: addressOfKey(newKey()) },
  });

/** How many were opened. */
async function openUntilRefused(client: TrellisClient): Promise<number> {
  for (let opened = 0; ; opened += 1) {
    const refusal = await propose(client).then(
      () => undefined,
      (error: TrellisApiError) => error.code,
    );
    if (refusal === undefined) continue;
    expect(refusal).toBe("sponsorship_limit_exceeded");
    return opened;
  }
}

const clientOf = async (name: string): Promise<TrellisClient> =>
  createTrellisClient({ baseUrl: trellis.url, apiKey: await agentKey(trellis, name), environment: "sandbox" });
