import type { AddressInfo } from "node:net";
import { base58 } from "@scure/base";
import { type Address, address, type Signature } from "@solana/kit";
import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network, ServiceKey } from "@trellis/kernel/ports/network.js";
import { UnusableEnvironmentError } from "@trellis/kernel/unusable-environment-error.js";
import { PROGRAM_CONFIG_ADDRESS, SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { createTrellisClient, generateEncryptionKeyPair, openSession, type TrellisClient } from "@trellis/sdk";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openClusterNetwork } from "../../src/adapters/chain/cluster/cluster-network.js";
import { systemPause } from "../../src/adapters/system.js";
import { use } from "../support/scene.js";
import { evenLimits } from "../support/sponsorship.js";
import { startTestService, type TestService } from "../support/test-service.js";
import { type Behaviour, findDeadUrl, type RpcProxy, type RpcRequest, startRpcProxy } from "./rpc-proxy.js";
import { startSandboxProcess } from "./sandbox-process.js";

/** The sandbox's USDC; named in the configuration, it is also that of the devnet played here. */
const usdc = address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
/** Where the loader keeps the code of the smart account program. */
const codeAddress = "2g3u9qgz4adKQVN1TUoh7bbBKqaSsjXtz1yX2ptagW5T";
const sol = 1_000_000_000n;
let genesisHash: string;
const letters: string[] = [];
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData(stream, _session, done) {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      PostalMime.parse(Buffer.concat(chunks)).then(({ text }) => {
        letters.push(text ?? "");
        done();
      }, done);
    });
  },
});
const closing: { close(): Promise<void> }[] = [];
const chain = use(() => startSandboxProcess());
beforeAll(async () => {
  genesisHash = await chain.rpc.getGenesisHash().send();
  await new Promise<void>((resolve) => mailServer.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
});
afterAll(async () => {
  await new Promise<void>((resolve) => mailServer.close(resolve));
  expect(await chain?.stop()).toBe(0);
});

describe("the program of the cluster", { timeout: 240_000 }, () => {
  /** A node that answers questions about the program's code as given. */
  const nodeThat = (behaviour: Behaviour) =>
    proxy((request) => (JSON.stringify(request.params ?? []).includes(codeAddress) ? behaviour : "honest"));
  const startOver = async ({ url }: RpcProxy, more: Readonly<Record<string, string>> = {}) =>
    (await startOnDevnet([url], newFeePayer(), { TRELLIS_METRICS_PORT: "0", ...more })).trellis.service;
  const knownFigure = /^trellis_program_known\{environment="devnet"\} (\d)$/m;
  const readMetrics = async (service: TestService["service"]) => (await fetch(service.metricsUrl ?? "")).text();
  const readKnown = async (service: TestService["service"]) => {
    for (;;) {
      const [, known] = knownFigure.exec(await readMetrics(service)) ?? [];
      if (known !== undefined) return known;
    }
  };
  /** Its code, but for one byte. */
  const another: Behaviour = (result, { method }) => {
    if (method !== "getAccountInfo") return result;
    const { value, ...rest } = result as { readonly value: { readonly data: readonly [string, string] } };
    const bytes = Buffer.from(value.data[0], "base64");
    bytes[1_000] = (bytes[1_000] ?? 0) ^ 1;
    return { ...rest, value: { ...value, data: [bytes.toString("base64"), "base64"] } };
  };

  it("is known, or not, soon after the start", async () => {
    expect(await readKnown(await startOver(await nodeThat("honest")))).toBe("1");
    expect(await readKnown(await startOver(await nodeThat(another)))).toBe("0");
  });

  it("holds up neither the start nor the end of the service where a node is silent about it", async () => {
    const node = await nodeThat("silent");
    const service = await startOver(node);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect(await readMetrics(service)).not.toMatch(knownFigure);
    await service.close();
    expect(node.received.some(({ params }) => JSON.stringify(params ?? []).includes(codeAddress))).toBe(true);
  });
});

describe("the service on a cluster", { timeout: 240_000 }, () => {
  it("plays the whole story while one URL is dead, one silent and one lies", async () => {
    const silent = await proxy(() => "silent");
    const lying = await proxy(runsAhead);
    // Takes no transactions: they go to the next node.
    const deaf = await proxy(({ method }) => (method === "sendTransaction" ? { status: 503 } : "honest"));
    const good = await proxy();
    const feePayer = newFeePayer();
    await chain.airdrop(feePayer.address, 5n * sol);
    const urls = [await findDeadUrl(), silent.url, lying.url, deaf.url, good.url];
    const { trellis, client } = await startOnDevnet(urls, feePayer);

    const ada = await openHolder(client, "ada@example.org");
    const grace = await client.accounts.create({ type: "signers", signers: [newFeePayer().address], threshold: 1 });
    await chain.airdrop(ada.address, sol);
    await chain.mint(ada.address, usdc, 20_000_000n);
    const paid = await client.transfers.send({
      account: ada.address,
      session: ada.session,
      currency: "usdc",
      destination: grace.address,
      amount: 12_500_000n,
    });

    const { value } = await chain.rpc.getSignatureStatuses([paid.signature as never]).send();
    expect(value[0]).toMatchObject({ err: null });
    const { tokens } = await client.accounts.balances(grace.address);
    expect(tokens).toContainEqual(expect.objectContaining({ token_address: usdc, amount_decimal: "12.5" }));
    const refused = deaf.received.find(({ method }) => method === "sendTransaction");
    expect(good.received.map(({ params }) => params)).toContainEqual(refused?.params);
    // Nothing but comparisons ever reached the liar.
    const askedOfLiar = new Set(lying.received.map(({ method }) => method));
    expect([...askedOfLiar].sort()).toEqual(["getBlockHeight", "getGenesisHash"]);
    // The deaf one counts again once it was compared anew.
    const message = expect.stringMatching(/^[12] of 5 RPC URLs answer and agree\.$/);
    await expect
      .poll(() => readinessOf(trellis), { timeout: 30_000, interval: 500 })
      .toEqual({
        status: 200,
        body: { status: "ready", checks: { database: { ok: true }, devnet: { ok: true, message } } },
      });
    // The sandbox exists beside a cluster only where it was asked for.
    const outbox = await trellis.request("GET", "/api/service/v1/sandbox/outbox?email=ada@example.org");
    expect(outbox.status).toBe(404);
  });

  it("says that its fee payer is empty, and works once it is funded", async () => {
    const feePayer = newFeePayer();
    const { trellis, client } = await startOnDevnet([(await proxy()).url], feePayer);
    const create = () => client.accounts.create({ type: "signers", signers: [newFeePayer().address], threshold: 1 });

    await expect(create()).rejects.toMatchObject({
      status: 503,
      code: "service_unavailable",
      message: expect.stringContaining("fee payer on devnet does not hold enough SOL"),
    });
    const message = "The fee payer does not hold enough SOL to pay for a transaction.";
    // Reads work, and no other process has more money: requests need not go elsewhere.
    expect(await readinessOf(trellis)).toMatchObject({
      status: 200,
      body: { status: "degraded", checks: { devnet: { ok: true, poor: true, message } } },
    });

    await chain.airdrop(feePayer.address, sol / 10n);
    await expect(create()).resolves.toMatchObject({ status: "active" });
    // What is not well is read again after a second.
    await expect
      .poll(() => readinessOf(trellis), { timeout: 30_000 })
      .toMatchObject({
        status: 200,
        body: { checks: { devnet: { ok: true, message: "The fee payer runs low on SOL." } } },
      });
  });
});

describe("opening a cluster", () => {
  const lines: string[] = [];
  const quietLog: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (_fields, message) => void lines.push(message),
    error: () => undefined,
  };
  let now = Date.UTC(2026, 0, 15);
  interface More {
    readonly genesisHash?: string;
    readonly mints?: [string, Address][];
    readonly feePayer?: ServiceKey;
    readonly passkeyPayer?: ServiceKey;
  }
  const open = (urls: readonly string[], more: More = {}) =>
    openClusterNetwork({
      name: "devnet",
      urls,
      feePayer: more.feePayer ?? serviceKeyOf(newFeePayer().seed),
      executor: serviceKeyOf(new Uint8Array(32).fill(8)),
      passkeyPayer: more.passkeyPayer,
      genesisHash: more.genesisHash ?? genesisHash,
      mints: new Map(more.mints ?? []),
      sponsorship: evenLimits(1n),
      realClock: { now: () => now },
      pause: systemPause,
      log: quietLog,
      timings: { requestMs: 10_000, totalMs: 20_000, compareMs: 10_000, compareEveryMs: 1_000 },
    });

  /** What the chain would say if this account were not there. */
  const without = (missing: Address) =>
    proxy(({ method, params }) => {
      if (method !== "getMultipleAccounts") return "honest";
      const addresses = params?.[0] as string[];
      return (result) => {
        const { value, ...rest } = result as { value: unknown[] };
        return { ...rest, value: value.map((account, i) => (addresses[i] === missing ? null : account)) };
      };
    });

  it("follows a payer of passkeys by itself: where that is empty, nothing else waits", async () => {
    const [feePayer, passkeyPayer] = [serviceKeyOf(newFeePayer().seed), serviceKeyOf(newFeePayer().seed)];
    await chain.airdrop(feePayer.address, sol);
    const network = await open([(await proxy()).url], { feePayer, passkeyPayer });
    expect([...network.serviceAddresses]).toContain(passkeyPayer.address);
    const message = "The passkey payer does not hold enough SOL to pay for a transaction.";
    expect(await network.health()).toEqual({ ok: true, message });
    const sign = async () => network.passkeyPayer?.sign(new Uint8Array(1));
    await expect(sign()).rejects.toMatchObject({ code: "service_unavailable" });
    await chain.airdrop(passkeyPayer.address, sol / 100n);
    expect(await sign()).toHaveLength(64);
    now += 600_000;
    expect(await network.health()).toEqual({ ok: true, message: "The passkey payer runs low on SOL." });
  });

  it("is refused on the wrong cluster", async () => {
    const real = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxkzBkH2";
    await expect(open([(await proxy()).url], { genesisHash: real })).rejects.toThrow(
      /devnet cannot be used: the genesis hash at URL 1 .* is that of another cluster/,
    );
  });

  it("is refused when no node answers", async () => {
    const opening = open([await findDeadUrl(), await findDeadUrl()]);
    await expect(opening).rejects.toThrow(UnusableEnvironmentError);
    await expect(opening).rejects.toThrow(/no URL answers: 1 \(127\.0\.0\.1:\d+\), 2 /);
  });

  it("is refused where the program is absent, or not set up", async () => {
    const opening = async (missing: Address) => open([(await without(missing)).url]);
    await expect(opening(SMART_ACCOUNT_PROGRAM_ADDRESS)).rejects.toThrow("is not deployed there");
    await expect(opening(PROGRAM_CONFIG_ADDRESS)).rejects.toThrow("is not initialized");
  });

  it("warns of what a single URL cannot prove", async () => {
    const { url } = await proxy();
    const warned = () => lines.filter((line) => line.includes("RPC URL is the only one"));
    const before = warned().length;
    await open([url, (await proxy()).url]);
    expect(warned()).toHaveLength(before);
    await open([url]);
    expect(warned()).toHaveLength(before + 1);
  });

  it("reads named mints from the chain, and refuses what is none", async () => {
    const { url } = await proxy();
    const pyusd = address("2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo");
    const { currencies } = await open([url], {
      mints: [
        ["usdc", usdc],
        ["paper", pyusd],
      ],
    });
    expect(currencies).toEqual([
      expect.objectContaining({ symbol: "sol", mint: null }),
      expect.objectContaining({ symbol: "usdc", mint: usdc, name: "USD Coin", decimals: 6 }),
      expect.objectContaining({ symbol: "paper", mint: pyusd, tokenProgram: expect.stringMatching(/^TokenzQd/) }),
    ]);
    await expect(open([url], { mints: [["fake", PROGRAM_CONFIG_ADDRESS]] })).rejects.toThrow("the mint of fake");
  });

  describe("says what can no longer be confirmed", () => {
    const leastMs = 150_000;
    let height = 0n;
    const lifetime = async (network: Network) => {
      height = await network.rpc.getBlockHeight({ commitment: "finalized" }).send();
      return { last: height - 1n, recordedAt: now };
    };
    /** What is said of an unknown transaction. */
    const verdictOf = async (network: Network, lastValidBlockHeight: bigint, recordedAt: number) => {
      const signature = "1".repeat(64) as Signature;
      const unseen = { signature, lastValidBlockHeight, recordedAt, recordedSlot: 0n };
      const [verdict] = await network.judgeUnseen([unseen]);
      return verdict?.kind;
    };

    it("only after 150 seconds of real time, and only when the height has passed", async () => {
      const network = await open([(await proxy()).url]);
      const { last, recordedAt } = await lifetime(network);
      expect(await verdictOf(network, last, recordedAt)).toBe("alive");
      now += leastMs - 1;
      expect(await verdictOf(network, last, recordedAt)).toBe("alive");
      now += 1;
      expect(await verdictOf(network, last, recordedAt)).toBe("expired");
      expect(await verdictOf(network, height + 10_000n, recordedAt)).toBe("alive");
    });

    it("only when every URL that answers says so", async () => {
      let lagging = true;
      const slow = await proxy(({ method }) => {
        if (!lagging) return "honest";
        if (method === "getEpochInfo") return (reported) => epochInfoAt(reported, () => 2);
        return method === "getBlockHeight" ? () => 2 : "honest";
      });
      const network = await open([(await proxy()).url, slow.url, await findDeadUrl()]);
      const { last, recordedAt } = await lifetime(network);
      now += leastMs;
      expect(await verdictOf(network, last, recordedAt)).toBe("alive");
      lagging = false;
      expect(await verdictOf(network, last, recordedAt)).toBe("expired");
    });

    it("whatever one that runs ahead of the others claims", async () => {
      const network = await open([(await proxy(runsAhead)).url, (await proxy()).url, (await proxy()).url]);
      const { recordedAt } = await lifetime(network);
      now += leastMs;
      expect(await verdictOf(network, height + 10_000n, recordedAt)).toBe("alive");
      expect(await verdictOf(network, height - 1n, recordedAt)).toBe("expired");
    });

    it("and nothing at all while no URL answers", async () => {
      let isDown = false;
      const { url } = await proxy(() => (isDown ? { status: 503 } : "honest"));
      const network = await open([url]);
      const { last, recordedAt } = await lifetime(network);
      now += leastMs;
      isDown = true;
      expect(await verdictOf(network, last, recordedAt)).toBe("untold");
    });
  });
});

async function proxy(behaviour?: (request: RpcRequest) => Behaviour): Promise<RpcProxy> {
  const started = await startRpcProxy(chain.url, behaviour);
  closing.push(started);
  return started;
}

function newFeePayer() {
  const { seed, publicKey } = generateEd25519KeyPair();
  return { seed, address: address(base58.encode(publicKey)), secret: base58.encode(Buffer.concat([seed, publicKey])) };
}

async function startOnDevnet(
  urls: readonly string[],
  feePayer = newFeePayer(),
  more: Readonly<Record<string, string>> = {},
) {
  const { port } = mailServer.server.address() as AddressInfo;
  const trellis = await startTestService({
    TRELLIS_DEVNET_RPC_URLS: urls.join(","),
    TRELLIS_DEVNET_FEE_PAYER: feePayer.secret,
    TRELLIS_DEVNET_MINTS: `usdc=${usdc}`,
    TRELLIS_DEVNET_GENESIS_HASH: genesisHash,
    TRELLIS_API_KEY_ENVIRONMENTS: "devnet",
    TRELLIS_SMTP_URL: `smtp://127.0.0.1:${port}`,
    TRELLIS_MAIL_FROM: "no-reply@trellis.example",
    ...more,
  });
  closing.push(trellis);
  const client = createTrellisClient({
    baseUrl: trellis.url,
    apiKey: trellis.apiKey,
    environment: "devnet",
    mints: { usdc },
    maxRetries: 0,
  });
  return { trellis, client };
}

/** A node whose chain has run away: every height it reports is far too high. */
function runsAhead({ method }: RpcRequest): Behaviour {
  if (method === "getBlockHeight" || method === "getSlot") return (height) => Number(height) + 100_000;
  if (method === "getEpochInfo") return (reported) => epochInfoAt(reported, (height) => height + 100_000);
  return "honest";
}

/** What a node reports whose height is another. */
function epochInfoAt(reported: unknown, heightOf: (height: number) => number) {
  const info = reported as { blockHeight: number; absoluteSlot: number };
  return { ...info, blockHeight: heightOf(info.blockHeight), absoluteSlot: heightOf(info.absoluteSlot) };
}

async function openHolder(client: TrellisClient, email: string) {
  await client.accounts.create({ type: "email", email });
  const code = /\b\d{6}\b/.exec(letters.at(-1) ?? "")?.[0];
  if (code === undefined) throw new Error("the mail holds no code");
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.accounts.verify({
    email,
    otp_code: code,
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  return { address: verified.address as Address, session: await openSession(verified.authentication[0], keyPair) };
}

async function readinessOf({ url }: TestService) {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, body: (await answer.json()) as object };
}
