import { randomBytes } from "node:crypto";
import { addressOfKey, createTrellisClient, type TrellisClient } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { may, newKey, proposalsOf } from "../proposals/support.js";
import { use, useTestService } from "../support/scene.js";
import { agentKey } from "./support.js";

const owner = newKey();
const trellis = useTestService({ TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "100" });
const account = use(() => proposalsOf(trellis).open({ signers: [may(owner)], threshold: 1 }, 5_000_000_000n));
const apiKey = use(async () => ({ value: await agentKey(trellis, "Submitter") }));
const holder = { keys: [owner] };
const payee = () => addressOfKey(newKey());
const transfer = () => ({ type: "transfer", currency: "sol", amount: 1_000_000n, destination: payee() }) as const;

/** Has the server's key prepare, and an agent's submit what the owner's key has signed; `change` stands between. */
function mixed(change: (transaction: string) => string = (transaction) => transaction): TrellisClient {
  return createTrellisClient({
    baseUrl: trellis.url,
    apiKey: trellis.apiKey,
    environment: "sandbox",
    fetch: (url, init) => {
      if (!String(url).endsWith("/submit")) return fetch(url, init);
      const headers = new Headers(init?.headers);
      headers.set("authorization", `Bearer ${apiKey.value}`);
      const body = JSON.parse(String(init?.body)) as { readonly transaction: string };
      return fetch(url, {
        ...init,
        headers,
        body: JSON.stringify({ ...body, transaction: change(body.transaction) }),
      });
    },
  });
}

const proposed = async () => {
  const { proposalAddress } = await trellis.client.proposals.create({
    account: account.address,
    ...holder,
    content: transfer(),
  });
  return proposalAddress;
};

const forbidden: readonly (readonly [string, (client: TrellisClient) => Promise<unknown>])[] = [
  [
    "a vote",
    async (client) =>
      client.proposals.vote({ account: account.address, proposal: await proposed(), action: "approve", ...holder }),
  ],
  [
    "an execution",
    async (client) => {
      const proposal = await proposed();
      await trellis.client.proposals.vote({ account: account.address, proposal, action: "approve", ...holder });
      return client.proposals.execute({ account: account.address, proposal, ...holder });
    },
  ],
  [
    "a transfer of the members",
    (client) =>
      client.transfers.send({
        account: account.address,
        ...holder,
        currency: "sol",
        destination: payee(),
        amount: 1_000_000n,
      }),
  ],
  [
    "a change of the settings",
    (client) =>
      client.allowances.create({
        account: account.address,
        ...holder,
        allowance: { agent: payee(), currency: "sol", amount: 1n, period: "day" },
      }),
  ],
];

describe("what an agent's API key submits", () => {
  it.each(forbidden)("is not %s, no matter who has prepared and signed it", async (_what, act) => {
    await expect(act(mixed())).rejects.toMatchObject({ code: "not_for_agents", status: 403 });
  });

  it.each(forbidden)("is not %s that was built elsewhere", async (_what, act) => {
    await expect(act(mixed(withOtherBlockhash))).rejects.toMatchObject({ code: "not_for_agents", status: 403 });
  });

  it("is a payment out of a limit, and a proposal", async () => {
    const key = newKey();
    const { allowance } = await trellis.client.allowances.create({
      account: account.address,
      ...holder,
      allowance: { agent: addressOfKey(key), currency: "sol", amount: 50_000_000n, period: "day" },
    });
    const client = mixed();
    const recipient = payee();
    const payment = { account: account.address, allowance, keys: [key], currency: "sol", recipient };
    expect(await client.allowances.pay({ ...payment, amount: 2_000_000n })).toHaveProperty("signature");
    expect(await client.proposals.create({ account: account.address, ...holder, content: transfer() })).toHaveProperty(
      "signature",
    );
  });
});

describe("an agent's API key", () => {
  it("prepares no proposal that its signer approves at once", async () => {
    const path = `/api/service/v1/accounts/${account.address}/proposals`;
    const body = {
      type: "transfer",
      currency: "sol",
      amount: "1000000",
      destination: payee(),
      signer: addressOfKey(owner),
      approve: true,
    };
    const headers = { authorization: `Bearer ${apiKey.value}` };
    expect(await trellis.request("POST", path, body, headers)).toMatchObject({
      status: 403,
      body: { code: "not_for_agents" },
    });
  });

  it("has idempotency keys of its own", async () => {
    const path = `/api/service/v1/accounts/${account.address}/proposals`;
    const body = { type: "transfer", currency: "sol", amount: "1000000", signer: addressOfKey(owner) };
    const idempotency = { "x-idempotency-key": randomBytes(16).toString("hex") };
    const send = (destination: string, headers: Record<string, string>) =>
      trellis.request("POST", path, { ...body, destination }, { ...idempotency, ...headers });
    const other = await agentKey(trellis, "Another");
    for (const key of [apiKey.value, other, trellis.apiKey]) {
      expect((await send(payee(), { authorization: `Bearer ${key}` })).status).toBe(201);
    }
  });
});

describe("a key that is no agent's", () => {
  it("is refused where a tool of an agent's server calls with it", async () => {
    const path = `/api/service/v1/accounts/${account.address}`;
    const headers = { "x-agent-tool": "pay" };
    expect(await trellis.request("GET", path, undefined, headers)).toMatchObject({
      status: 403,
      body: { code: "agent_key_required" },
    });
    expect(
      (await trellis.request("GET", path, undefined, { ...headers, authorization: `Bearer ${apiKey.value}` })).status,
    ).toBe(200);
  });
});

/** The same transaction with another blockhash: nothing that was prepared here. Its signatures are of other bytes. */
function withOtherBlockhash(transaction: string): string {
  const bytes = Buffer.from(transaction, "base64");
  const signatures = bytes[0] ?? 0;
  const message = 1 + 64 * signatures;
  const isVersioned = (bytes[message] ?? 0) >= 0x80;
  const header = message + (isVersioned ? 1 : 0) + 3;
  const keys = bytes[header] ?? 0;
  randomBytes(32).copy(bytes, header + 1 + 32 * keys);
  return bytes.toString("base64");
}
