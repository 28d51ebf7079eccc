import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Address } from "@solana/kit";
import { agentScopes } from "@trellis/kernel/scope.js";
import { addressOfKey, TrellisNetworkError } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { readKeyFile } from "../../src/cli/agent-key.js";
import { type AgentOptions, createAgent } from "../../src/cli/create-agent.js";
import { serveMcp } from "../../src/cli/mcp.js";
import { may, newKey, proposalsOf } from "../proposals/support.js";
import { use, useTestService } from "../support/scene.js";
import { agentKey, connect, connectWithKey } from "./support.js";

const owner = newKey();
const trellis = useTestService({ TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "100" });
const account = use(() => proposalsOf(trellis).open({ signers: [may(owner)], threshold: 1 }, 5_000_000_000n));
const apiKey = use(async () => ({ value: await agentKey(trellis, "Payer") }));
const folder = use(async () => {
  const path = await mkdtemp(join(tmpdir(), "trellis-agents-"));
  return { path, close: () => rm(path, { recursive: true }) };
});

describe("an agent whose host holds a key", () => {
  it("pays within its allowance, once for each reference, and nothing beyond it", async () => {
    const { key, agent, allowance, payee } = await openAgent();
    const payment = { recipient: payee, currency: "sol", amount: "0.02", reference: "invoice 1" };
    const paid = await agent.call("pay", payment);
    expect(paid.data).toMatchObject({ status: "paid", allowance, account: account.address });
    expect((await agent.call("pay", payment)).data?.signature).toBe(paid.data?.signature);
    expect(await trellis.lamportsOf(payee)).toBe(20_000_000n);
    const changed = await agent.call("pay", { ...payment, amount: "0.01" });
    expect(changed.error?.code).toBe("reference_used");
    const beyond = await agent.call("pay", { ...payment, amount: "0.031", reference: "invoice 2" });
    expect(beyond.error?.code).toBe("spending_limit_exceeded");
    expect(beyond.error?.facts?.message).toEqual({ untrusted_text: expect.any(String) });
    const other = await agent.call("pay", { ...payment, recipient: addressOfKey(newKey()), reference: "invoice 3" });
    expect(other.error?.code).toBe("no_allowance");
    expect((await agent.call("pay", { ...payment, currency: "usdc", reference: "4" })).error?.code).toBe(
      "no_allowance",
    );
    const { allowances } = trellis.client;
    expect((await allowances.list({ agent: addressOfKey(key) })).map(({ remaining }) => remaining)).toEqual([
      30_000_000n,
    ]);
    await allowances.revoke({ account: account.address, keys: [owner], allowance });
    const revoked = await agent.call("pay", { ...payment, amount: "0.01", reference: "invoice 5" });
    expect(revoked.error?.code).toBe("no_allowance");
    expect(await trellis.lamportsOf(payee)).toBe(20_000_000n);
  });

  it("pays one reference once, although the answer was lost and another allowance would be chosen by now", async () => {
    let isLost = true;
    const { key, allowance, payee, agent, folder } = await openAgent(
      { payees: false, amount: 20_000_000n },
      async (url, init) => {
        const answer = await fetch(url, init);
        if (!isLost || !String(url).endsWith("/submit")) return answer;
        throw new Error("the answer was lost");
      },
    );
    const payment = { recipient: payee, currency: "sol", amount: "0.02", reference: "invoice 9" };
    expect((await agent.call("pay", payment)).error?.code).toMatch(/outcome_unknown|no_answer/);
    isLost = false;
    const { allowances } = trellis.client;
    const limit = { agent: addressOfKey(key), currency: "sol", amount: 50_000_000n, period: "day" } as const;
    const second = await allowances.create({ account: account.address, keys: [owner], allowance: limit });
    // Another process of the same host, with the same folder.
    const again = await connectWithKey(trellis, { apiKey: apiKey.value, key, folder });
    const named = await again.call("pay", { ...payment, allowance: second.allowance });
    expect(named.error?.code).toBe("reference_used");
    expect((await again.call("pay", payment)).data).toMatchObject({ status: "paid", allowance });
    expect(await trellis.lamportsOf(payee)).toBe(20_000_000n);
    // What is left does not choose.
    expect((await again.call("pay", { ...payment, reference: "invoice 10" })).error?.code).toBe("several_allowances");
    const otherKey = await connectWithKey(trellis, { apiKey: await agentKey(trellis, "Renewed"), key, folder });
    expect((await otherKey.call("pay", payment)).error?.code).toBe("reference_used");
    expect(await trellis.lamportsOf(payee)).toBe(20_000_000n);
  });

  it.each([
    ["another payee", (body: object) => ({ ...body, recipient_address: addressOfKey(newKey()) })],
    ["more", (body: object) => ({ ...body, amount: "50000000" })],
  ])("signs nothing where the service prepares %s", async (_what, change) => {
    const sent: string[] = [];
    const { agent, payee } = await openAgent({ payees: false }, async (url, init) => {
      sent.push(String(url));
      if (!/\/transactions$/.test(String(url)) || typeof init?.body !== "string") return fetch(url, init);
      return fetch(url, { ...init, body: JSON.stringify(change(JSON.parse(init.body))) });
    });
    const answer = await agent.call("pay", { recipient: payee, currency: "sol", amount: "0.02", reference: "a" });
    expect(answer.error?.code).toBe("transaction_mismatch");
    expect(sent.filter((url) => url.endsWith("/submit"))).toEqual([]);
  });

  it("proposes where its key may, and what it proposes waits for the owners", async () => {
    const key = newKey();
    const may1 = { address: addressOfKey(key), permissions: ["CAN_INITIATE"] as const };
    const team = await proposalsOf(trellis).open({ signers: [may(owner), may1], threshold: 1 }, 1_000_000_000n);
    const agent = await connectWithKey(trellis, { apiKey: apiKey.value, key });
    const signers = [addressOfKey(key)];
    const content = { type: "spending_limit", currency: "sol", amount: "1", period: "day", signers };
    const made = await agent.call("propose", { account: team.address, content, reference: "raise" });
    expect(made.data).toMatchObject({ status: "proposed" });
    const { proposals } = await trellis.client.proposals.page(team.address);
    expect(proposals).toMatchObject([{ status: "Active", approved: [] }]);
    const pay = { account: team.address, recipient: addressOfKey(newKey()), currency: "sol", amount: "0.1" };
    expect((await agent.call("pay", { ...pay, reference: "b" })).error?.code).toBe("no_allowance");
    const stranger = await connectWithKey(trellis, { apiKey: apiKey.value, key: newKey() });
    const refused = await stranger.call("propose", { account: team.address, content, reference: "raise" });
    expect(refused.error?.code).toBe("insufficient_permissions");
  });

  it("shares a limit with another at the same moment, and the chain lets no more than the limit go", async () => {
    const keys = [newKey(), newKey()];
    const limit = { currency: "sol", amount: 50_000_000n, period: "day", signers: keys.map(addressOfKey) } as const;
    const { spendingLimit } = await trellis.client.spendingLimits.create({
      account: account.address,
      keys: [owner],
      limit,
    });
    const payees = keys.map(() => addressOfKey(newKey()) as Address);
    const agents = await Promise.all(keys.map((key) => connectWithKey(trellis, { apiKey: apiKey.value, key })));
    const answers = await Promise.all(
      agents.flatMap((agent, at) =>
        ["a", "b"].map((reference) =>
          agent.call("pay", { recipient: payees[at], currency: "sol", amount: "0.02", reference: `${at}${reference}` }),
        ),
      ),
    );
    expect(answers.filter(({ data }) => data?.status === "paid")).toHaveLength(2);
    for (const { error } of answers) if (error) expect(error.code).toBe("spending_limit_exceeded");
    const arrived = await Promise.all(payees.map((payee) => trellis.lamportsOf(payee)));
    expect(arrived.reduce((sum, lamports) => sum + (lamports ?? 0n), 0n)).toBe(40_000_000n);
    const left = await trellis.client.spendingLimits.get(account.address, spendingLimit);
    expect(left.remaining_amount).toBe("10000000");
  });
});

describe("trellis agent create", () => {
  it("gives an allowance by an owner's key, and prints what the agent's host starts, which pays over standard input", async () => {
    const ownerFile = await writeKey("owner.json", owner);
    const payee = addressOfKey(newKey()) as Address;
    const said = await create({ ...options(), ownerKey: ownerFile, keyFile: place("one.json"), payee: [payee] });
    expect((await stat(place("one.json"))).mode & 0o777).toBe(0o600);
    const { mcpServers } = JSON.parse(said.slice(said.indexOf("{")));
    const { command, args, env } = mcpServers.trellis as {
      command: string;
      args: string[];
      env: { [name: string]: string };
    };
    const [, ...rest] = args;
    const transport = new StdioClientTransport({
      command,
      args: ["--import", "tsx", mainFile, ...rest],
      env,
      stderr: "inherit",
    });
    const { client, call } = await connect(transport);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("pay");
    const paid = await call("pay", { recipient: payee, currency: "sol", amount: "0.02", reference: "first" });
    expect(paid.data).toMatchObject({ status: "paid" });
    expect(await trellis.lamportsOf(payee)).toBe(20_000_000n);
    await client.close();
    const { auditEvents: events } = await trellis.client.auditEvents.page({ type: "agent.called", limit: 20 });
    const details = events.map((event) => event.details as { agent: string; tool?: string; operation?: string });
    expect(details).toContainEqual(
      expect.objectContaining({ agent: "Shopper", tool: "pay", operation: "prepareLimitPayment" }),
    );
  });

  it("gives one by an owner's e-mail, and proposes it where the owners vote", async () => {
    const email = "owner@example.org";
    const { verify } = await trellis.client.auth.signIn(email);
    const [mail] = await trellis.client.sandbox.outbox(email);
    const { account: address } = await verify(mail?.otp_code ?? "");
    const given = { ...options(), account: address, email };
    const said = await create({ ...given, keyFile: place("two.json") });
    const agent = addressOfKey(await readKeyFile(place("two.json"), "key"));
    const [allowance] = await trellis.client.allowances.list({ account: address, agent });
    expect(allowance).toMatchObject({ amount: 50_000_000n, period: "day" });
    expect(said).toContain(allowance?.allowance);
    const team = await proposalsOf(trellis).open(
      { signers: [may(owner), may(newKey())], threshold: 2 },
      1_000_000_000n,
    );
    const ownerKey = await writeKey("owner2.json", owner);
    const proposed = await create({ ...options(), account: team.address, ownerKey, keyFile: place("three.json") });
    const { proposals } = await trellis.client.proposals.page(team.address);
    expect(proposed).toContain(proposals[0]?.proposalAddress);
  });

  it("is for a maker with the scopes that the documentation names, whose key ends, and who reads the code elsewhere", async () => {
    const email = "narrow@example.org";
    const { verify } = await trellis.client.auth.signIn(email);
    const [first] = await trellis.client.sandbox.outbox(email);
    const { account: address } = await verify(first?.otp_code ?? "");
    const end = new Date(Date.now() + 86_400_000).toISOString();
    const maker = await trellis.client.apiKeys.create({
      name: "Maker",
      environments: ["sandbox"],
      scopes: [...agentScopes, "admin:keys", "accounts:write", "auth:write"],
      expires_at: end,
      allowed_addresses: ["127.0.0.1"],
    });
    const readCode = async () => (await trellis.client.sandbox.outbox(email))[0]?.otp_code ?? "";
    const given = { ...options(), name: "Narrow", account: address, email, keyFile: place("five.json") };
    const bounds = {
      expires: end,
      allowedAddresses: "127.0.0.1",
      scopes: "accounts:read,payments:write,transactions:write",
    };
    await create({ ...given, ...bounds }, { apiKey: maker.key, readCode });
    const { apiKeys } = await trellis.client.apiKeys.page();
    expect(apiKeys.find(({ name }) => name === "Narrow")).toMatchObject({
      type: "agent",
      scopes: expect.arrayContaining(bounds.scopes.split(",")),
      expires_at: end,
      allowed_addresses: ["127.0.0.1/32"],
    });
  });

  it("is resumed where every answer about the API key was lost, and makes nothing twice", async () => {
    const ownerKey = await writeKey("owner-lost.json", owner);
    const given = { ...options(), name: "Lost", ownerKey, keyFile: place("lost.json") };
    const proxy = await openLosing("/api-keys");
    const lines: string[] = [];
    const lost = create({ ...given, url: proxy.url }, {}, lines);
    await expect(lost).rejects.toBeInstanceOf(TrellisNetworkError);
    await proxy.close();
    expect(lines.join("")).toContain("--resume");
    await expect(create(given)).rejects.toThrow("--resume");
    await expectResumed(given);
  });

  it("is resumed where it was killed when the allowance had been given, and makes nothing twice", async () => {
    const ownerKey = await writeKey("owner-killed.json", owner);
    const given = { ...options(), name: "Killed", ownerKey, keyFile: place("killed.json") };
    const proxy = await openLosing("/submit");
    const { name, amount, currency, period, keyFile } = given;
    const terms = { name, account: account.address, amount, currency, period };
    const named = { ...terms, "owner-key": ownerKey, "key-file": keyFile, url: proxy.url };
    const flags = Object.entries(named).flatMap(([flag, value]) => [`--${flag}`, value]);
    const env = { ...process.env, TRELLIS_API_KEY: trellis.apiKey };
    const child = spawn(process.execPath, ["--import", "tsx", mainFile, "agent", "create", ...flags], { env });
    const ended = once(child, "exit").then(() => "ended" as const);
    expect(await Promise.race([proxy.firstLost, ended])).toBe("lost");
    child.kill("SIGKILL");
    await ended;
    await proxy.close();
    await expectResumed(given);
  });

  it("leaves nothing behind where the owner cannot sign, and takes no key that others may read", async () => {
    const ownerKey = await writeKey("stranger.json", newKey());
    const keyFile = place("four.json");
    await expect(create({ ...options(), name: "Nobody's", ownerKey, keyFile })).rejects.toMatchObject({
      code: "insufficient_permissions",
    });
    await expect(readFile(keyFile)).rejects.toMatchObject({ code: "ENOENT" });
    const { apiKeys: keys } = await trellis.client.apiKeys.page();
    expect(keys.filter(({ name }) => name === "Nobody's").map(({ status }) => status)).toEqual(["revoked"]);
    await chmod(ownerKey, 0o644);
    await expect(create({ ...options(), ownerKey, keyFile })).rejects.toThrow("chmod 600");
    await expect(create({ ...options(), keyFile })).rejects.toThrow("--owner-key or --email");
    const unknown = create({ ...options(), email: "nobody@example.org", keyFile });
    await expect(unknown).rejects.toThrow("there is no account");
  });
});

describe("trellis mcp", () => {
  it("does not start with a key that is no agent's, and pays with no key whose references it cannot keep", async () => {
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const started = serveMcp({ TRELLIS_API_KEY: trellis.apiKey }, { url: trellis.url }, streams);
    await expect(started).rejects.toThrow("trellis agent create");
    const variables = { TRELLIS_API_KEY: apiKey.value, TRELLIS_AGENT_KEY: JSON.stringify([...newKey()]) };
    await expect(serveMcp(variables, { url: trellis.url }, streams)).rejects.toThrow("--references");
    streams.input.end();
    await serveMcp(variables, { url: trellis.url, references: place("references") }, streams);
  });
});

const mainFile = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const place = (name: string): string => join(folder.path, name);

async function writeKey(name: string, key: Uint8Array): Promise<string> {
  await writeFile(place(name), JSON.stringify([...key]), { mode: 0o600 });
  return place(name);
}

const options = (): AgentOptions => ({
  name: "Shopper",
  account: account.address,
  amount: "0.05",
  currency: "sol",
  period: "day",
  payee: [],
  url: trellis.url,
});

async function create(
  given: AgentOptions,
  {
    apiKey: maker = trellis.apiKey,
    readCode = () => Promise.reject<string>(new Error("asked")),
  }: { readonly apiKey?: string; readonly readCode?: () => Promise<string> } = {},
  lines: string[] = [],
): Promise<string> {
  const terminal = { write: (text: string) => void lines.push(text), readCode };
  await createAgent({ TRELLIS_API_KEY: maker }, given, terminal);
  return lines.join("");
}

/** Goes on with what an interrupted run has begun, twice: there is one API key, which works, and one allowance. */
async function expectResumed(given: AgentOptions & { readonly keyFile: string }): Promise<void> {
  const said = await create({ ...given, resume: true });
  const again = await create({ ...given, resume: true });
  const { TRELLIS_API_KEY: value } = JSON.parse(said.slice(said.indexOf("{"))).mcpServers.trellis.env;
  expect(again).toContain(value);
  const { apiKeys } = await trellis.client.apiKeys.page({ limit: 100 });
  expect(apiKeys.filter(({ name }) => name === given.name)).toMatchObject([{ status: "active" }]);
  const key = await readKeyFile(given.keyFile, "key");
  const held = await trellis.client.allowances.list({ account: given.account, agent: addressOfKey(key) });
  expect(held).toMatchObject([{ amount: 50_000_000n }]);
  expect(said).toContain(held[0]?.allowance);
  const agent = await connectWithKey(trellis, { apiKey: value, key });
  expect((await agent.call("list_allowances", { account: given.account })).data).toMatchObject({
    allowances: [{ amount: "50000000" }],
  });
}

/** Stands before the service, and loses every answer to a POST of paths with this end. */
async function openLosing(end: string) {
  const losses = new EventEmitter();
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { host: _host, connection: _connection, "content-length": _length, ...rest } = headers;
    const body = parts.length === 0 ? undefined : Buffer.concat(parts);
    const init = { method, headers: rest as Record<string, string>, ...(body === undefined ? {} : { body }) };
    const answer = await fetch(new URL(url, trellis.url), init);
    const text = await answer.text();
    if (method === "POST" && url.endsWith(end)) {
      losses.emit("lost");
      return response.destroy();
    }
    response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    firstLost: once(losses, "lost").then(() => "lost" as const),
    close: () => {
      server.close();
      server.closeAllConnections();
      return once(server, "close");
    },
  };
}

/** An agent with 0.05 SOL a day, for one payee or for all. */
async function openAgent({ payees = true, amount = 50_000_000n } = {}, fetch = globalThis.fetch) {
  const key = newKey();
  const payee = addressOfKey(newKey()) as Address;
  const { allowance } = await trellis.client.allowances.create({
    account: account.address,
    keys: [owner],
    allowance: {
      agent: addressOfKey(key),
      currency: "sol",
      amount,
      period: "day",
      ...(payees ? { payees: [payee] } : {}),
    },
  });
  const references = await mkdtemp(join(folder.path, "references-"));
  const agent = await connectWithKey(trellis, { apiKey: apiKey.value, key, fetch, folder: references });
  return { key, payee, allowance, agent, folder: references };
}
