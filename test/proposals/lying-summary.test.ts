/** With a node of the caller's own, no signer approves what a service says and the chain does not hold. */
import { createNoopSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { getApproveInstruction } from "@solana-program/token";
import { addressOfKey, createTrellisClient, type ProposedContent, type ReadAccounts } from "@trellis/sdk";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { beforeAll, expect, it } from "vitest";
import { makeKey, tokenProgram, usdcMint } from "../adversarial/support.js";
import { useTestService } from "../support/scene.js";
import { may, newKey, type Opened, proposalsOf } from "./support.js";

const [ana, ben] = [newKey(), newKey()];
const [payee, thief] = [makeKey().address, makeKey().address];
let account: Opened;
const trellis = useTestService();
beforeAll(async () => {
  account = await proposalsOf(trellis).open({ signers: [may(ana), may(ben)], threshold: 2 }, 5_000_000_000n);
  await trellis.client.sandbox.airdrop({ address: account.address, currency: "usdc", amount: "9000000" });
}, 300_000);
const approval = async (): Promise<ProposedContent> => {
  const owner = createNoopSigner(account.address);
  const source = deriveTokenAccount(account.address, usdcMint, tokenProgram);
  const grant = getApproveInstruction({ source, delegate: thief, owner, amount: 9_000_000n });
  return { type: "custom", transaction: await trellis.compose(account.address, [grant]) };
};
const limit = async (): Promise<ProposedContent> => ({
  type: "settings",
  actions: [{ type: "AddSpendingLimit", mint: null, amount: "5000000000", period: "week", signers: [payee] }],
});
const batch = async (): Promise<ProposedContent> => {
  const source = createNoopSigner(account.address);
  const pay = (amount: bigint) => getTransferSolInstruction({ source, destination: thief, amount });
  const transactions = await Promise.all(
    [2_000_000n, 7_000_000n].map((amount) => trellis.compose(account.address, [pay(amount)])),
  );
  return { type: "batch", transactions };
};
const cases: readonly (readonly [string, () => Promise<ProposedContent>, (text: string) => string])[] = [
  ["a payment", async () => transfer("sol", 3_000_000_000n), (text) => text.replace("3000000000", "3000000")],
  ["a payee", async () => transfer("sol", 3_000_000n), (text) => text.replaceAll(thief, payee)],
  ["tokens", async () => transfer("usdc", 8_000_000n), (text) => text.replace("8000000", "8000")],
  ["who may take tokens", approval, (text) => text.replace(thief, payee)],
  ["a part of a batch", batch, (text) => text.replace("7000000", "7000")],
  ["a change of settings", limit, (text) => text.replace("5000000000", "5000000")],
];

it.each(cases)(
  "is not approved where the service lies about %s, and is where it does not",
  {
    timeout: 300_000,
  },
  async (_what, contentOf, lie) => {
    const content = await contentOf();
    const made = await trellis.client.proposals.create({ account: account.address, keys: [ana], content });
    const about = { account: account.address, proposal: made.proposalAddress, action: "approve", keys: [ben] } as const;
    const lying = clientOf(lie);
    const view = await lying.proposals.get(account.address, made.proposalAddress);
    const truth = await trellis.client.proposals.get(account.address, made.proposalAddress);
    expect(view.summary).not.toEqual(truth.summary);
    for (const more of [{}, { shown: view }]) {
      await expect(lying.proposals.vote({ ...about, ...more })).rejects.toMatchObject({
        name: "TransactionMismatchError",
        difference: "content",
      });
    }
    const { signers } = await clientOf((text) => text).proposals.vote({ ...about, shown: truth });
    expect(signers).toEqual([addressOfKey(ben)]);
  },
);

interface Reported {
  readonly summary?: unknown;
  readonly votesNeeded?: number;
  readonly proposal?: Reported;
}

const transfer = (currency: string, amount: bigint) =>
  ({ type: "transfer", currency, destination: thief, amount }) satisfies ProposedContent;

const ownNode: ReadAccounts = async (addresses) =>
  (await readAccounts(trellis.network, addresses)).map((found) => (found ? Uint8Array.from(found.data) : null));

/** A client of a service that says of every proposal, always alike, what `lie` makes of it. */
function clientOf(lie: (text: string) => string) {
  const reported = (said: Reported): Reported => {
    if (said.proposal !== undefined) return { ...said, proposal: reported(said.proposal) };
    return said.votesNeeded === undefined ? said : { ...said, summary: JSON.parse(lie(JSON.stringify(said.summary))) };
  };
  return createTrellisClient({
    baseUrl: trellis.service.url,
    apiKey: trellis.apiKey,
    environment: "sandbox",
    readAccounts: ownNode,
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      const { data, ...rest } = (await answer.json()) as { data: Reported };
      const body = JSON.stringify({ ...rest, data: reported(data) });
      return new Response(body, { status: answer.status, headers: answer.headers });
    },
  });
}
