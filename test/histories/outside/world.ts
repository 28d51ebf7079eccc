import { createHash } from "node:crypto";
import { type Address, getTransactionDecoder } from "@solana/kit";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import type { Pass } from "@trellis/kernel/module.js";
import type { CustodianName } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { PartnerRef, Rails } from "@trellis/kernel/ports/rails.js";
import { scopes } from "@trellis/kernel/scope.js";
import { SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { signatureOf } from "@trellis/sandbox/node/address-bytes.js";
import { createSandboxRails } from "@trellis/sandbox/partner/index.js";
import { openSandboxNetwork } from "@trellis/sandbox/sandbox-network.js";
import { createProgramChecks } from "@trellis/solana/check-program.js";
import { readAccount } from "@trellis/solana/read-accounts.js";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { decodeTokenAccount } from "@trellis/solana/token-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { createCreationQueue } from "../../../src/accounts/creation-queue.js";
import { openClusterNetwork } from "../../../src/adapters/chain/cluster/cluster-network.js";
import { createBuiltInCustodian } from "../../../src/adapters/kms/built-in-custodian.js";
import { systemPause, systemRandom } from "../../../src/adapters/system.js";
import { logSigner, witnessSigner } from "../../../src/audit/log-key.js";
import { endpoints } from "../../../src/endpoints.js";
import { createHistoryRefreshes } from "../../../src/history/history-refreshes.js";
import { createHttpServer } from "../../../src/http/server.js";
import { createSignInMails } from "../../../src/members/sign-in-mails.js";
import { eventCatalogue, submitHooks } from "../../../src/modules.js";
import { createProposalRefreshes } from "../../../src/proposals/proposal-refreshes.js";
import { createRequestLog } from "../../../src/requests/request-log.js";
import { passesOf } from "../../../src/scheduler/passes.js";
import { createPublishedKeys } from "../../../src/sign-in/identity-keys.js";
import { limitsOfOrders } from "../../../src/standing-orders/limits-of-orders.js";
import { createLookout } from "../../../src/submissions/lookout.js";
import { createApiKey, ensureTenant } from "../../../src/tenants/api-key-store.js";
import { evenLimits } from "../../support/sponsorship.js";
import { openTestDatabase } from "../../support/test-database.js";
import { hashOf } from "../../support/test-network.js";
import { type Clocks, createClocks } from "./clocks.js";
import { openReplica, type Replica } from "./failover.js";
import { createWildPartner, type WildPartner } from "./wild-partner.js";

/** The coin of banks on this chain. */
export const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" as Address;

const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" as Address;

/** The response to a request. */
export interface Answered {
  readonly status: number;
  /** Of a success, without its envelope. */
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows what it asked for
  readonly data: any;
  /** Of a refusal, or of the failure inside an answer. */
  readonly code: string | undefined;
}

/** What the service reported as an error. */
export interface Alarm {
  readonly message: string;
  readonly fields: object;
}

/** A transaction that is in a block. */
export interface OnChain {
  readonly signature: string;
  readonly failed: boolean;
}

/** A service on a real cluster with a partner, and what is not the service's: the chain, the partner, and time. */
export interface OutsideWorld {
  readonly clocks: Clocks;
  readonly db: Db;
  /** The chain itself, without faults. */
  readonly chain: Network;
  /** As the service has it. */
  readonly network: Network;
  readonly rails: Rails;
  readonly wild: WildPartner;
  readonly replica: Replica;
  /** Grows. */
  readonly alarms: Alarm[];
  /** What was asked to be cancelled while coins lay at its address. Grows. */
  readonly cancelledWithCoins: string[];
  readonly mails: { readonly to: string; readonly text: string }[];
  request(method: "GET" | "POST", path: string, body?: object, key?: string): Promise<Answered>;
  /** One run of every pass, as their timers make them. */
  runPasses(): Promise<void>;
  /** The service's process ends, and another one begins. */
  restart(): Promise<void>;
  /** What is in the chain, by the identity of the message: lower-case hex SHA-256. */
  landed(): Promise<ReadonlyMap<string, OnChain>>;
  /** Base units of USDC, or lamports, that an address has. */
  held(owner: Address, currency: "sol" | "usdc"): Promise<bigint>;
  /** What lies at the address that a transfer of the partner is paid at; null: it has none. */
  coinsOf(ref: PartnerRef): Promise<bigint | null>;
  close(): Promise<void>;
}

/** The identity of a wire transaction's message, computed here once more. */
export function identityOf(wire: Uint8Array): string {
  const { messageBytes } = getTransactionDecoder().decode(wire);
  return createHash("sha256").update(Uint8Array.from(messageBytes)).digest("hex");
}

/** Opens it at a fixed instant. */
export async function openOutsideWorld(): Promise<OutsideWorld> {
  const clocks = createClocks(Date.UTC(2026, 0, 15, 12));
  const database = await openTestDatabase();
  const { db } = database;
  const keyring = createKeyring({ masterKeys: [{ id: "test", key: new Uint8Array(32).fill(7) }], activeId: "test" });
  const random = systemRandom;
  const alarms: Alarm[] = [];
  const ignore = () => undefined;
  const log: Log = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (fields, message) => void alarms.push({ fields, message }),
  };
  const sponsorship = evenLimits(1_000_000_000_000_000n, { perTransaction: 10_000_000n, perAccountForLife: 1_000 });
  const sandbox = await openSandboxNetwork({
    database,
    keyring,
    realClock: clocks.chain,
    random,
    pause: systemPause,
    log,
    sponsorship,
    programPath: null,
  });
  const chain = sandbox.network;
  const pause = async (ms: number) => clocks.pass(ms);
  const network = await openClusterNetwork({
    name: "devnet",
    urls: ["http://node.test/1"],
    feePayer: serviceKeyOf(hashOf("the fee payer of what happens outside")),
    executor: serviceKeyOf(hashOf("the executor of what happens outside")),
    genesisHash: await chain.rpc.getGenesisHash().send(),
    mints: new Map([["usdc", usdc]]),
    sponsorship,
    realClock: clocks.real,
    pause,
    log,
    connect:
      () =>
      async <Response>({ payload }: { readonly payload: unknown }) =>
        (await chain.sandbox?.handleRpc(payload)) as Response,
  });
  await chain.sandbox?.airdrop(network.feePayer.address, 1_000_000_000_000n);

  const simulated = createSandboxRails({
    db,
    keyring,
    random,
    log,
    network: { ...chain, name: "devnet", clock: clocks.real },
    pace: "instant",
    baseUrl: () => "https://trellis.example",
  });
  const cancelledWithCoins: string[] = [];
  const coinsOf = async (ref: PartnerRef): Promise<bigint | null> => {
    const row = await db.selectFrom("simulated_transfer").select("watched").where("ref", "=", ref).executeTakeFirst();
    return row?.watched == null ? null : held(row.watched as Address, "usdc");
  };
  const wild = createWildPartner(simulated.partner, async (ref) => {
    if (((await coinsOf(ref)) ?? 0n) > 0n) cancelledWithCoins.push(ref);
  });
  const rails: Rails = { ...simulated, partner: wild.partner };

  const held = async (owner: Address, currency: "sol" | "usdc"): Promise<bigint> => {
    if (currency === "sol") return (await chain.rpc.getBalance(owner).send()).value;
    const account = await readAccount(chain, deriveTokenAccount(owner, usdc, tokenProgram));
    return (account && decodeTokenAccount(account)?.amount) ?? 0n;
  };

  const mails: { to: string; text: string }[] = [];
  const custodian = (provider: CustodianName) => createBuiltInCustodian({ provider, db, keyring, random });
  const networks = new Map<EnvironmentName, Network>([["devnet", network]]);
  const now = () => clocks.real.now();
  await ensureTenant(db, { id: "tenant-1", name: "tenant-1", now: now() });
  const { value: apiKey } = await createApiKey(
    { db, secret: keyring.macs("api-key"), random, now: now() },
    { tenantId: "tenant-1", name: "test", scopes, environments: ["devnet"], expiresAt: null },
  );

  const startProcess = async (): Promise<{ readonly app: FastifyInstance; readonly passes: readonly Pass[] }> => {
    const mailer = { senderName: "Trellis", send: async (mail: { to: string; text: string }) => void mails.push(mail) };
    const needs = {
      db,
      keyring,
      random,
      realClock: clocks.real,
      log,
      pause,
      mailer,
      signInMails: createSignInMails({ db, keyring, random, realClock: clocks.real, mailer, log }),
      version: "0",
      custodians: new Map([
        ["kms_a" as const, custodian("kms_a")],
        ["kms_b" as const, custodian("kms_b")],
      ]),
      creationQueue: createCreationQueue(clocks.real),
      requestLog: createRequestLog(),
      readStatus: async () => {
        throw new Error("only the whole service has a status");
      },
      publicUrl: () => "https://trellis.example",
      networks,
      served: ["sandbox" as const],
      auditSigner: logSigner(keyring, "trellis.example/audit"),
      auditWitnesses: [],
      custodianLogs: { logs: [], cosigner: witnessSigner(keyring, "trellis.example/audit"), faults: new Map() },
      proposalRefreshes: createProposalRefreshes({ db, log, pause }),
      historyRefreshes: createHistoryRefreshes({ db, log, pause }),
      lookout: createLookout(pause),
      submitHooks,
      limitsOfOrders,
      eventCatalogue,
      programs: createProgramChecks({ log, trusted: [], programs: [SMART_ACCOUNT_PROGRAM_ADDRESS] }),
      publishedKeys: createPublishedKeys({ db, clock: clocks.real }),
      webhookSender: {
        check: async () => undefined,
        send: async () => ({ kind: "answered", status: 200, body: "", retryAfter: undefined, durationMs: 1 }) as const,
      },
      rails: new Map([["devnet" as const, rails]]),
    };
    const app = await createHttpServer({
      endpoints,
      needs,
      networks,
      db,
      keyring,
      realClock: clocks.real,
      random,
      corsOrigins: [],
      trustProxy: false,
      logger: pino({ level: "silent" }),
      readiness: async () => ({ ready: true, checks: {} }),
      version: "0",
      checkResponses: true,
      rateLimits: { perKeyPerMinute: 0, failedAuthenticationsPerAddressPerMinute: 0 },
    });
    return { app, passes: passesOf(needs, network) };
  };
  let running = await startProcess();

  const found = new Map<string, OnChain>();
  let foundTo = -1n;
  return {
    clocks,
    db,
    chain,
    network,
    rails,
    wild,
    replica: await openReplica(db),
    alarms,
    cancelledWithCoins,
    mails,
    request: async (method, path, body, key) => {
      const answer = await running.app.inject({
        method,
        url: path,
        headers: {
          authorization: `Bearer ${apiKey}`,
          "x-service-environment": "devnet",
          ...(key === undefined ? {} : { "x-idempotency-key": key }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      const json = answer.json();
      return {
        status: answer.statusCode,
        data: json?.data ?? json,
        code: json?.code ?? json?.data?.partial_failure?.error_code,
      };
    },
    runPasses: async () => {
      for (const { run } of running.passes) await run();
    },
    restart: async () => {
      const { app, passes } = running;
      running = await startProcess();
      for (const { stop } of passes) await stop?.();
      await app.close();
    },
    landed: async () => {
      const rows = await db
        .selectFrom("chain_transaction")
        .select(["signature", "slot", "error", "wire_transaction"])
        .where("slot", ">=", foundTo)
        .execute();
      for (const { signature, slot, error, wire_transaction: wire } of rows) {
        found.set(identityOf(wire), { signature: signatureOf(signature), failed: error !== null });
        if (slot > foundTo) foundTo = slot;
      }
      return found;
    },
    held,
    coinsOf,
    close: async () => {
      for (const { stop } of running.passes) await stop?.();
      await running.app.close();
      await sandbox.close();
      await database.close();
    },
  };
}
