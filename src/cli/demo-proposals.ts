import {
  addressOfKey,
  createTrellisClient,
  formatUnits,
  type Permission,
  type ProposalDetails,
  type ProposalStatus,
  type ProposedContent,
  TrellisApiError,
} from "@trellis/sdk";
import { type DemoOptions, freshEmail, requireThat, signIn, stepper } from "./demo-steps.js";

const everything: readonly Permission[] = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
const timeLockSeconds = 3_600;

/**
 * Plays the story of a treasury against a running service: three signers of whom two decide, a time lock of an hour, an
 * invoice that is paid against one dissenting vote, and an attempt to lower the threshold that is voted down. Throws when
 * any step ends otherwise.
 */
export async function playProposalsDemo({ baseUrl, apiKey, say }: DemoOptions): Promise<void> {
  const client = createTrellisClient({ baseUrl, apiKey, environment: "sandbox" });
  const step = stepper(say);

  step("Ada, Grace and Linus open a treasury: two of three decide, and a decision waits an hour");
  const linus = globalThis.crypto.getRandomValues(new Uint8Array(32));
  const [adasMail, gracesMail] = [freshEmail("Ada"), freshEmail("Grace")];
  const treasury = await client.accounts.createCustom({
    policies: {
      signers: [
        { type: "email", email: adasMail, permissions: everything },
        { type: "email", email: gracesMail, permissions: everything },
        { type: "pubkey", address: addressOfKey(linus), permissions: everything },
      ],
      threshold: 2,
      time_lock: timeLockSeconds,
    },
    memo: "treasury",
  });
  const account = treasury.address;
  say(`account      ${account}`);
  const ada = await signIn(client, adasMail);
  const grace = await signIn(client, gracesMail);
  const names = new Map<string, string>([
    ...ada.wallets.map(({ address }): [string, string] => [address, "Ada"]),
    ...grace.wallets.map(({ address }): [string, string] => [address, "Grace"]),
    [addressOfKey(linus), "Linus"],
  ]);
  say("Ada and Grace sign with keys at the custodian, Linus with one of his own");
  await client.sandbox.airdrop({ address: account, currency: "usdc", amount: "1000000000" });
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  say("the faucet gives it 1,000 USDC");

  step("Ada proposes to pay an invoice of 250 USDC, and approves it herself");
  const supplier = addressOfKey(globalThis.crypto.getRandomValues(new Uint8Array(32)));
  const invoice: ProposedContent = { type: "transfer", currency: "usdc", destination: supplier, amount: 250_000_000n };
  const { proposalAddress: proposal, transactionIndex } = await client.proposals.create({
    account,
    session: ada,
    content: invoice,
    approve: true,
  });
  say(`proposal     ${proposal} (number ${transactionIndex})`);

  step("Linus reads what it would do, and is against it");
  report(await client.proposals.get(account, proposal), names, say);
  await client.proposals.vote({ account, proposal, keys: [linus], action: "reject", content: invoice });
  reportVotes(await client.proposals.get(account, proposal), names, say);

  step("Grace is for it; her client compares it with the invoice before her key signs");
  await client.proposals.vote({ account, proposal, session: grace, action: "approve", content: invoice });
  const approved = await client.proposals.get(account, proposal);
  reportVotes(approved, names, say);
  requireStatus(approved, "Approved");
  say(`executable at ${approved.executableAt}`);

  step("Ada is in a hurry, and is refused");
  say(await refusalOf(client.proposals.execute({ account, proposal, session: ada, content: invoice })));

  step("An hour passes");
  const { now } = await client.sandbox.advanceClock(timeLockSeconds);
  say(`it is ${now} for the whole sandbox, from now on`);

  step("The payment is confirmed");
  const executed = await client.proposals.execute({ account, proposal, session: ada, content: invoice });
  say(`signature    ${executed.signature}`);
  const paid = await client.proposals.get(account, proposal);
  reportVotes(paid, names, say);
  requireStatus(paid, "Executed");
  const { tokens } = await client.accounts.balances(account);
  const left = tokens.find(({ symbol }) => symbol === "USDC")?.amount_decimal;
  requireThat(left === "750", `The treasury holds ${left} USDC instead of 750.`);
  say(`the treasury holds ${left} USDC`);

  step("Ada proposes that one signature be enough; the service warns, and the others say no");
  const takeover: ProposedContent = { type: "settings", actions: [{ type: "ChangeThreshold", newThreshold: 1 }] };
  const second = await client.proposals.create({ account, session: ada, content: takeover, approve: true });
  const about = { account, proposal: second.proposalAddress };
  const warned = await client.proposals.get(account, second.proposalAddress);
  report(warned, names, say);
  requireThat(
    warned.warnings.some(({ code }) => code === "lowers_threshold"),
    "The service did not warn of a lower threshold.",
  );
  await client.proposals.vote({ ...about, session: grace, keys: [linus], action: "reject", content: takeover });
  const rejected = await client.proposals.get(account, second.proposalAddress);
  reportVotes(rejected, names, say);
  requireStatus(rejected, "Rejected");

  step("The list, newest first");
  for await (const { status, transactionIndex: index, kind } of client.proposals.list(account)) {
    say(`number ${index}: ${kind}, ${status}`);
  }
  say("");
  say("Done. Every vote was checked by the voter's own client, and counted by the on-chain program.");
}

type Names = ReadonlyMap<string, string>;

function report(proposal: ProposalDetails, names: Names, say: (line: string) => void): void {
  for (const item of proposal.summary) say(`would do     ${JSON.stringify(item)}`);
  for (const { address, mint, change } of proposal.balanceChanges ?? []) {
    say(`would move   ${amountOf(change, mint)} at ${address}`);
  }
  for (const { code, message } of proposal.warnings) say(`warning      ${code}: ${message}`);
  reportVotes(proposal, names, say);
}

function reportVotes(proposal: ProposalDetails, names: Names, say: (line: string) => void): void {
  // The chain orders them by their keys, which are others in every run.
  const list = (signers: readonly string[]) =>
    signers
      .map((signer) => names.get(signer) ?? signer)
      .sort()
      .join(", ") || "no one";
  const { status, approved, rejected, votesNeeded } = proposal;
  const missing = status === "Active" ? `; votes missing ${votesNeeded}` : "";
  say(`${status}: for it ${list(approved)}; against it ${list(rejected)}${missing}`);
}

/** A change of a balance as people write it: SOL has 9 decimals, the story's other currency has 6. */
function amountOf(change: string, mint: string | null): string {
  return mint === null ? `${formatUnits(change, 9)} SOL` : `${formatUnits(change, 6)} USDC`;
}

function requireStatus({ status }: ProposalDetails, wanted: ProposalStatus): void {
  requireThat(status === wanted, `The proposal is ${status} instead of ${wanted}.`);
}

/** What the service says why it is too early. Throws when it does not refuse, or for another reason. */
async function refusalOf(execution: Promise<unknown>): Promise<string> {
  try {
    await execution;
  } catch (error) {
    if (!(error instanceof TrellisApiError) || error.code !== "time_lock_not_released") throw error;
    return `${error.code}: ${error.message}`;
  }
  throw new Error("The time lock did not hold: the payment was executed at once.");
}
