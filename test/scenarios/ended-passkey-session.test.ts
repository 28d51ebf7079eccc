import { addressOfKey } from "@trellis/sdk";
import { expect, it } from "vitest";
import { everything, newKey, type Opened, type Prepared, pays, proposalsOf, refusalOf } from "../proposals/support.js";
import { bareOf, limitsOf, type PreparedLimit } from "../spending-limits/support.js";
import { createSoftPasskey } from "../support/authenticator.js";
import { openByClient } from "../support/passkey-signers.js";
import { useTestService } from "../support/scene.js";

/** What a passkey signer's session does up to its end, over HTTP, and what is answered behind it. */
const trellis = useTestService({ TRELLIS_PUBLIC_URL: "http://localhost:3000" });
const at = proposalsOf(trellis);
const limits = limitsOf(trellis);
const sol = 1_000_000_000n;

it.each([
  ["that its passkey has ended", (opened: Scene) => openByClient(trellis.client, opened.passkey, newKey(), ended)],
  ["whose time is over", () => trellis.client.sandbox.advanceClock(901)],
])("a session %s prepares nothing that it did before", async (_how, end) => {
  const scene = await open();
  const calls = callsOf(scene);
  for (const [name, call] of calls) expect([name, (await call()).status < 300]).toEqual([name, true]);
  await end(scene);
  for (const [name, call] of calls) {
    expect([name, ...refusalOf(await call())]).toEqual([name, 403, "passkey_session_required"]);
  }
});

it("what a session has signed does not land behind its end", async () => {
  const { account, key, limit, passkeyAccount, active } = await open(30);
  const payment = bareOf<PreparedLimit>(await limits.pay(account, limit, paying(passkeyAccount)));
  const vote = (await at.vote(account, active, "approve", [key])).body as { data: Prepared };
  await trellis.client.sandbox.advanceClock(31);
  for (const transaction of [payment.transaction, vote.data.transaction]) {
    expect(refusalOf(await at.submit(account, transaction, [key]))).toEqual([400, "transaction_failed"]);
  }
});

type Scene = Awaited<ReturnType<typeof open>>;

const ended = { kind: "auth", seconds: 0 } as const;

/** Everything that this passkey can be asked for about limits and proposals. */
function callsOf({ account, active, approved, limit, passkeyAccount }: Scene) {
  const proposal = (path: string, body: object) => () => at.request("POST", account, `/proposals/${path}`, body);
  const votes = (action: string) => ({ action, signers: [passkeyAccount] });
  const grant = { amount: "1000", mint: "sol", period: "day", spending_limit_signers: [passkeyAccount] };
  return [
    ["grant", () => limits.createLimit(account, grant)],
    ["exchange", () => limits.update(account, limit, { amount: "2000" })],
    ["remove", () => limits.remove(account, limit)],
    ["pay", () => limits.pay(account, limit, paying(passkeyAccount))],
    ["propose", () => at.create(account, { ...pays(payee, 1_000_000n), signer: passkeyAccount })],
    ["approve", proposal(`${active}/vote`, votes("approve"))],
    ["reject", proposal(`${active}/vote`, votes("reject"))],
    ["cancel", proposal(`${approved}/vote`, votes("cancel"))],
    ["execute", proposal(`${approved}/execute`, { signer: passkeyAccount })],
    ["approve and execute", proposal(`${active}/vote-and-execute`, { signers: [passkeyAccount] })],
    ["execute only", proposal(`${approved}/vote-and-execute`, { signers: [passkeyAccount] })],
  ] as const;
}

const payee = addressOfKey(newKey());
const paying = (signer: string) => ({ amount: "1000000", signer_address: signer, recipient_address: payee });

/** An account of a passkey alone that has a limit, a proposal to vote on, and one to execute. */
async function open(seconds = 900) {
  const [passkey, key] = [createSoftPasskey(), newKey() as Uint8Array];
  const { passkeyAccount } = await openByClient(trellis.client, passkey, key, { seconds });
  const account: Opened = await at.open(
    { signers: [{ address: passkeyAccount, permissions: everything }], threshold: 1 },
    sol,
  );
  const terms = { amount: "5000000", mint: "sol", period: "day", spending_limit_signers: [passkeyAccount] };
  const limit = await limits.grant(account, terms, [key]);
  const { proposalAddress: active } = await at.propose(account, key, pays(payee, 1_000_000n));
  const { proposalAddress: approved } = await at.propose(account, key, { ...pays(payee, 1_000_000n), approve: true });
  return { account, passkey, key, passkeyAccount, limit, active, approved };
}
