import { addressOfKey, type Permission } from "@trellis/sdk";
import { freshEmail, newKey, runExample, type Stage, signIn } from "./run-example.js";

const everything: readonly Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];

/** An account of three signers, of whom two decide: a payment and a change of the policy are proposed and voted on. */
export async function proposals(stage: Stage): Promise<void> {
  const { client, say } = stage;
  const [second, third] = [newKey(), newKey()];
  const email = freshEmail("chair");
  const { address: account } = await client.accounts.createCustom({
    policies: {
      signers: [
        { type: "email", email, permissions: everything },
        { type: "pubkey", address: addressOfKey(second), permissions: everything },
        { type: "pubkey", address: addressOfKey(third), permissions: ["CAN_VOTE"] },
      ],
      threshold: 2,
    },
  });
  say(`account   ${account}`);
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  const chair = await signIn(stage, email);

  // The client makes sure that exactly this payment is put to the vote.
  const payment = {
    type: "transfer",
    currency: "sol",
    destination: addressOfKey(newKey()),
    amount: 400_000_000n,
  } as const;
  const { proposalAddress: proposal } = await client.proposals.create({
    account,
    session: chair,
    content: payment,
    approve: true,
  });
  const { votesNeeded, warnings } = await client.proposals.get(account, proposal);
  say(`proposal  ${proposal}, ${votesNeeded} approval missing, ${warnings.length} warnings`);

  // A voter says what they think they vote on; the vote is not signed when the service says something else.
  const paid = await client.proposals.voteAndExecute({ account, proposal, keys: [second], content: payment });
  say(`paid      ${paid.signature}`);

  // A change of the policy that one signer cannot make alone becomes a proposal too.
  const { proposal: change } = await client.accounts.update({ account, session: chair, changes: { threshold: 1 } });
  if (change === undefined) throw new Error("The change was made without a vote.");
  await client.proposals.vote({ account, proposal: change.proposalAddress, keys: [third], action: "approve" });
  await client.proposals.execute({ account, proposal: change.proposalAddress, session: chair });
  say(`threshold ${(await client.accounts.get(account)).policies.threshold}`);

  for await (const { transactionIndex, kind, status } of client.proposals.list(account)) {
    say(`number ${transactionIndex}: ${kind} ${status}`);
  }
  say(`left      ${(await client.accounts.balances(account)).lamports} lamports`);
}

await runExample(import.meta.url, proposals);
