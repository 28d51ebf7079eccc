import { addressOfKey, type PasskeySession } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { newKey } from "../proposals/support.js";
import { createSoftPasskey, type SoftPasskey } from "../support/authenticator.js";
import { openByClient } from "../support/passkey-signers.js";
import { useTestService } from "../support/scene.js";
import { publicKeyOf } from "../support/test-network.js";

/** Orders of accounts that a passkey signs for: its session gives and takes the limit, and pays nothing itself. */
const trellis = useTestService({ TRELLIS_PUBLIC_URL: "http://localhost:3000" });
const daySeconds = 86_400;
const permissions = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;
let number = 0;

describe("a standing order that a session key has given its limit", () => {
  it("is paid after the session has ended, and is cancelled by a later one", async () => {
    const { account, passkey, session, payee, order } = await open();
    const by = { account, passkeySessions: [session] };
    const { id } = await trellis.client.standingOrders.create({ ...by, order });
    expect(await trellis.client.standingOrders.get(account, id)).toMatchObject({
      status: "active",
      mandate: "active",
    });
    await trellis.client.sandbox.advanceClock(3 * daySeconds);
    expect(await statesOf(account, id)).toEqual(["paid", "paid", "paid", "paid"]);
    expect(await trellis.lamportsOf(payee)).toBe(20_000_000n);

    // It is stopped by the call; the limit stays until a session takes it.
    await expect(trellis.client.standingOrders.cancel({ ...by, id })).rejects.toMatchObject(noSession);
    const stopped = { status: "cancelled", mandate: "active" };
    expect(await trellis.client.standingOrders.get(account, id)).toMatchObject(stopped);
    await trellis.client.sandbox.advanceClock(2 * daySeconds);
    expect(await trellis.lamportsOf(payee)).toBe(20_000_000n);
    const held = await trellis.lamportsOf(session.passkeyAccount);
    const passkeySessions = [await openAgain(passkey)];
    const { order: cancelled } = await trellis.client.standingOrders.cancel({ account, passkeySessions, id });
    expect(cancelled).toMatchObject({ status: "cancelled", mandate: "revoked" });
    // What a passkey's account got could never leave it.
    expect(await trellis.lamportsOf(session.passkeyAccount)).toBe(held);
  });

  it("goes on by a later session once its limit was removed", async () => {
    const { account, passkey, session, payee, order } = await open();
    const by = { account, passkeySessions: [session] };
    const { id, spendingLimit } = await trellis.client.standingOrders.create({ ...by, order });
    await trellis.client.spendingLimits.remove({ ...by, spendingLimit });
    const paused = { status: "inactive", reason: "spending_limit_missing" };
    expect(await trellis.client.standingOrders.get(account, id)).toMatchObject(paused);
    await trellis.client.sandbox.advanceClock(daySeconds);
    await expect(trellis.client.standingOrders.resume({ ...by, id, order })).rejects.toMatchObject(noSession);
    const before = await trellis.lamportsOf(payee);
    const passkeySessions = [await openAgain(passkey)];
    const resumed = await trellis.client.standingOrders.resume({ account, passkeySessions, id, order });
    expect(resumed.order).toMatchObject({ status: "active", mandate: "active" });
    await trellis.client.sandbox.advanceClock(2 * daySeconds);
    expect((await trellis.lamportsOf(payee)) - before).toBe(10_000_000n);
  });

  it("is none where no session is open, and none of the wrong passkey's", async () => {
    const { account, passkey, order } = await open();
    const stranger = await openByClient(trellis.client, createSoftPasskey(), newKey());
    const create = (session: PasskeySession) =>
      trellis.client.standingOrders.create({ account, passkeySessions: [session], order });
    await expect(create(stranger)).rejects.toMatchObject({ code: "insufficient_permissions" });
    const ended = await openAgain(passkey, 0);
    await expect(create(ended)).rejects.toMatchObject(noSession);
    expect(await trellis.client.standingOrders.list(account)).toEqual([]);
  });
});

describe("a standing order that has to be voted for", () => {
  it("is proposed, voted for and executed by a session key and another signer", async () => {
    const own = newKey();
    const { account, session, payee, order } = await open();
    const signers = [session.passkeyAccount, addressOfKey(own)].map((address) => ({ address, permissions }));
    const by = { account, passkeySessions: [session] };
    await trellis.client.accounts.update({ ...by, changes: { signers, threshold: 2 } });
    const proposed = await trellis.client.standingOrders.create({ ...by, order });
    const proposal = proposed.proposal?.proposalAddress ?? "";
    await trellis.client.proposals.vote({ account, keys: [own], proposal, action: "approve" });
    await trellis.client.proposals.voteAndExecute({ ...by, proposal });
    expect(await trellis.client.standingOrders.get(account, proposed.id)).toMatchObject({ status: "active" });

    const theirs = await trellis.client.standingOrders.create({ account, keys: [own], order });
    const other = theirs.proposal?.proposalAddress ?? "";
    await trellis.client.proposals.vote({ ...by, proposal: other, action: "approve" });
    await trellis.client.proposals.voteAndExecute({ account, keys: [own], proposal: other });
    await trellis.client.sandbox.advanceClock(daySeconds);
    expect(await trellis.lamportsOf(payee)).toBeGreaterThan(10_000_000n);
  });
});

describe("a standing order of an account whose admin is a passkey", () => {
  it("is given and taken by the admin's session", async () => {
    const session = await openByClient(trellis.client, createSoftPasskey(), newKey());
    const { address: account } = await trellis.client.accounts.createCustom({
      policies: {
        signers: [{ address: addressOfKey(newKey()), permissions }],
        threshold: 1,
        admin_address: session.passkeyAccount,
      },
    });
    await fund(account);
    const by = { account, passkeySessions: [session], admin: true };
    const { id } = await trellis.client.standingOrders.create({ ...by, order: daily(nextPayee()) });
    expect(await trellis.client.standingOrders.get(account, id)).toMatchObject({ status: "active" });
    const { order } = await trellis.client.standingOrders.cancel({ ...by, id });
    expect(order).toMatchObject({ status: "cancelled", mandate: "revoked" });
  });
});

const noSession = { status: 403, code: "passkey_session_required" };

function nextPayee(): string {
  number += 1;
  return publicKeyOf(`payee ${number} of a passkey's order`);
}

/** Without end: a limit of twice the amount each day. */
const daily = (payee: string) => ({ currency: "sol", amount: 5_000_000n, payee, frequency: "daily" }) as const;

const fund = (address: string) => trellis.client.sandbox.airdrop({ address, currency: "sol", amount: "5000000000" });

/** An account of a passkey signer alone, with money, and terms of an order. */
async function open() {
  const passkey = createSoftPasskey();
  const session = await openByClient(trellis.client, passkey, newKey());
  const wanted = { type: "signers", signers: [session.passkeyAccount], threshold: 1 } as const;
  const { address: account } = await trellis.client.accounts.create(wanted);
  await fund(account);
  const payee = nextPayee();
  return { account, passkey, session, payee, order: daily(payee) };
}

const openAgain = (passkey: SoftPasskey, seconds = 900) =>
  openByClient(trellis.client, passkey, newKey(), { kind: "auth", seconds });

async function statesOf(account: string, id: string): Promise<readonly string[]> {
  return (await trellis.client.standingOrders.runs(account, id)).map(({ state }) => state);
}
