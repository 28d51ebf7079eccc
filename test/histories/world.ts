import { inspect } from "node:util";
import {
  type Address,
  address,
  createSolanaRpcFromTransport,
  generateKeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
} from "@solana/kit";
import { createKeyring, type Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Call, Caller, Endpoint } from "@trellis/kernel/endpoint.js";
import type { SubmitHooks } from "@trellis/kernel/module.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Custodian, CustodianName } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Mailer, MailMessage } from "@trellis/kernel/ports/mail.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import type { RailsByEnvironment } from "@trellis/kernel/ports/rails.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import type { WebhookSender } from "@trellis/kernel/ports/webhook-post.js";
import { scopes } from "@trellis/kernel/scope.js";
import { openSandboxNetwork, type SandboxNetwork } from "@trellis/sandbox/sandbox-network.js";
import { judgeByOneNode } from "@trellis/solana/one-node.js";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { sql } from "kysely";
import { createAccount } from "../../src/accounts/create-account.js";
import { type CreationQueue, createCreationQueue } from "../../src/accounts/creation-queue.js";
import { verifyAccount } from "../../src/accounts/verify-account.js";
import { openClusterNetwork } from "../../src/adapters/chain/cluster/cluster-network.js";
import type { OpenDatabase } from "../../src/adapters/db/open-database.js";
import { systemPause, systemRandom } from "../../src/adapters/system.js";
import { makeCustodians } from "../../src/composition/open-custodians.js";
import { submitHooks } from "../../src/modules.js";
import { readOutbox } from "../../src/people/sandbox-outbox.js";
import { createProposalRefreshes, type ProposalRefreshes } from "../../src/proposals/proposal-refreshes.js";
import { completeOpenWork } from "../../src/scheduler/passes.js";
import { createLookout, type Lookout } from "../../src/submissions/lookout.js";
import { evenLimits } from "../support/sponsorship.js";
import { openTestDatabase } from "../support/test-database.js";
import { createClientKey, importAuthorizationKey, sessionOf, type Verified } from "../support/test-network.js";
import { createDraw, type Draw } from "./draw.js";
import { connectFaulty, type FaultyChain, honestNode, type NodeFaults, noFaults } from "./faulty-nodes.js";
import { openMortalDatabase } from "./mortal-database.js";
import { type ProcessLife, startLife } from "./process-life.js";
import { createTimeline, type Timeline } from "./timeline.js";

/** The environments that histories play in: one node and its own clock, or a cluster behind several URLs. */
export type PlayedEnvironment = "sandbox" | "devnet";

/** An e-mail account with money, its holder's key, and a payee. */
export interface Payer {
  readonly environment: PlayedEnvironment;
  readonly address: Address;
  readonly provider: CustodianName;
  readonly authorizationKey: ReturnType<typeof importAuthorizationKey>;
  readonly payee: Address;
}

/** One chain, one database and accounts, for many histories one after another. */
export interface World {
  readonly timeline: Timeline;
  readonly db: Db;
  readonly caller: Caller;
  readonly chain: SandboxNetwork["network"];
  readonly payers: Readonly<Record<PlayedEnvironment, readonly Payer[]>>;
  readonly feePayers: ReadonlySet<Address>;
  /**
   * Starts a service process. Its calls fail, and it dies, as the setting says: undefined when it died on the way. Throws
   * what the start throws.
   */
  start(setting: ProcessSetting): Promise<ServiceProcess | undefined>;
  /** JSON-RPC without faults. */
  handle(payload: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** What a process meets with. */
export interface ProcessSetting {
  readonly name: string;
  readonly environment: PlayedEnvironment;
  readonly draw: Draw;
  readonly chain: FaultyChain;
  /** One for each URL. */
  readonly nodes: () => readonly NodeFaults[];
  readonly dieAt: number | undefined;
  /** How many times as long as asked for its pauses last. */
  readonly slowness: number;
  readonly note: (line: string) => void;
  /** Gets everything the process reports as an error. */
  readonly onError: (message: string) => void;
}

/** A service process without its HTTP server: what endpoints and passes need, and the network they act on. */
export interface ServiceProcess {
  readonly life: ProcessLife;
  readonly network: Network;
  readonly needs: ServiceNeeds;
  /** Calls an endpoint; for ever, when the process ends before it answers. */
  call<Data>(endpoint: Endpoint<ServiceNeeds>, parts: CallParts): Promise<Data>;
}

export interface CallParts {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
  readonly operationId?: string;
}

export interface ServiceNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly realClock: Clock;
  readonly log: Log;
  readonly pause: Pause;
  readonly mailer: Mailer;
  readonly custodians: ReadonlyMap<CustodianName, Custodian>;
  readonly creationQueue: CreationQueue;
  readonly proposalRefreshes: ProposalRefreshes;
  readonly lookout: Lookout;
  readonly submitHooks: SubmitHooks;
  readonly webhookSender: WebhookSender;
  readonly rails: RailsByEnvironment;
  readonly publicUrl: () => string;
}

const payersEach = 6;
const startMoney = 100_000_000_000n;
const sponsorship = evenLimits(1_000_000_000_000n, { perTransaction: 10_000_000n });
const tenantId = "tenant-1";
const feePayerSeed = new Uint8Array(32).fill(9);

/** Opens the world at a fixed instant, with the database's own rules against leaving a final state or changing bytes. */
export async function openWorld(): Promise<World> {
  const timeline = createTimeline(Date.UTC(2026, 0, 15, 12));
  const database = await openTestDatabase();
  await guardSubmissions(database.db);
  const keyring = createKeyring({ masterKeys: [{ id: "test", key: new Uint8Array(32).fill(7) }], activeId: "test" });
  const sandbox = await openSandboxNetwork({
    database,
    keyring,
    realClock: { now: timeline.chainNow },
    random: systemRandom,
    pause: systemPause,
    log: silentLog,
    sponsorship,
    programPath: null,
  });
  const handle = async (payload: unknown) => sandbox.network.sandbox?.handleRpc(payload);
  const genesisHash = await sandbox.network.rpc.getGenesisHash().send();
  const mails: MailMessage[] = [];
  const start = (setting: ProcessSetting) =>
    startProcess({ timeline, database, keyring, sandbox: sandbox.network, genesisHash, mails }, setting);
  await database.db
    .insertInto("tenant")
    .values({ id: tenantId, name: tenantId, created_at: BigInt(timeline.now()) })
    .execute();

  await sandbox.network.sandbox?.airdrop(serviceKeyOf(feePayerSeed).address, startMoney * 100n);
  const calm: FaultyChain = { handle, faults: () => noFaults, onSend: async () => undefined, blockhashes: [] };
  const draw = createDraw(1);
  const feePayers = new Set<Address>();
  const settle = async (environment: PlayedEnvironment): Promise<readonly Payer[]> => {
    const process = await timeline.run(
      start({
        name: "setup",
        environment,
        draw,
        chain: calm,
        nodes: () => [honestNode],
        dieAt: undefined,
        slowness: 1,
        note: () => undefined,
        onError: (message) => {
          throw new Error(message);
        },
      }),
    );
    if (!process) throw new Error("nothing kills the process of the setup");
    feePayers.add(process.network.feePayer.address);
    const payers: Payer[] = [];
    for (let i = 0; i < payersEach; i += 1) {
      const payer = await timeline.run(openPayer(process, environment, `${environment}-${i}@example.org`, mails));
      await sandbox.network.sandbox?.airdrop(payer.address, startMoney);
      await sandbox.network.sandbox?.airdrop(payer.payee, 1_000_000_000n);
      payers.push(payer);
    }
    // Nothing is left over for the first history to find.
    await timeline.run(completeOpenWork(process.needs, process.network));
    return payers;
  };
  const payers = { sandbox: await settle("sandbox"), devnet: await settle("devnet") };

  return {
    timeline,
    db: database.db,
    caller,
    chain: sandbox.network,
    payers,
    feePayers,
    start,
    handle,
    close: async () => {
      await sandbox.close();
      await database.close();
    },
  };
}

const caller: Caller = {
  tenantId,
  apiKeyId: "key-1",
  scopes: new Set(scopes),
  environments: ["sandbox", "devnet"],
};

const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** What the submissions of all histories must never do, said once more by the database itself. */
async function guardSubmissions(db: Db): Promise<void> {
  await sql`create function guard_submission() returns trigger language plpgsql as $$ begin
      if old.wire_transaction <> new.wire_transaction or old.signature <> new.signature then
        raise exception 'the bytes of a submission changed';
      end if;
      if old.state in ('landed', 'failed', 'expired') and new.state <> old.state then
        raise exception 'a final submission went from % to %', old.state, new.state;
      end if;
      if old.state = 'sent' and new.state = 'signed' then
        raise exception 'a submission went back';
      end if;
      return new;
    end $$`.execute(db);
  await sql`create trigger guard before update on submission for each row execute function guard_submission()`.execute(
    db,
  );
}

async function startProcess(
  world: {
    readonly timeline: Timeline;
    readonly database: OpenDatabase;
    readonly keyring: Keyring;
    readonly sandbox: Network;
    readonly genesisHash: string;
    readonly mails: MailMessage[];
  },
  setting: ProcessSetting,
): Promise<ServiceProcess | undefined> {
  const { timeline, keyring } = world;
  const { draw, chain, environment, nodes } = setting;
  const life = startLife(timeline, setting.name, setting.dieAt, setting.note, chain.convoys ? "together" : "apart");
  const db = openMortalDatabase(world.database.db, timeline, life, draw);
  const realClock: Clock = { now: timeline.now };
  const random = systemRandom;
  const pause: Pause = (ms) => life.wait(ms * setting.slowness);
  const log: Log = {
    ...silentLog,
    error: (fields, message) => setting.onError(`${message}: ${inspect(fields, { depth: 6 })}`),
  };
  const toNode = (index: number, timeoutMs: number) =>
    connectFaulty(
      {
        timeline,
        draw,
        life,
        chain,
        label: `node ${index + 1}`,
        node: () => nodes()[index] ?? honestNode,
      },
      timeoutMs,
    );
  const openNetwork = async (): Promise<Network> => {
    if (environment === "sandbox") {
      const rpc = createSolanaRpcFromTransport(toNode(0, 20_000)) as Rpc<SolanaRpcApi>;
      const { sandbox: _controls, ...plain } = world.sandbox;
      return {
        ...plain,
        rpc,
        judgeUnseen: judgeByOneNode(rpc, plain.clock),
        landsInOrder: false,
        health: async () => ({ ok: true }),
      };
    }
    return openClusterNetwork({
      name: "devnet",
      urls: nodes().map((_node, index) => `http://node-${index}.test/`),
      feePayer: serviceKeyOf(feePayerSeed),
      executor: serviceKeyOf(new Uint8Array(32).fill(8)),
      genesisHash: world.genesisHash,
      mints: new Map(),
      sponsorship,
      realClock,
      pause,
      log,
      connect: (url, timeoutMs) => toNode(Number(/\d+/.exec(url)?.[0]), timeoutMs),
    });
  };
  const network = await Promise.race([openNetwork(), life.ended]);
  if (!network) return undefined;
  const needs: ServiceNeeds = {
    db,
    keyring,
    random,
    realClock,
    log,
    pause,
    mailer: { senderName: "Trellis", send: async (mail) => void world.mails.push(mail) },
    custodians: makeCustodians(db, { keyring, random }),
    creationQueue: createCreationQueue(realClock),
    proposalRefreshes: createProposalRefreshes({ db, log, pause }),
    lookout: createLookout(pause),
    submitHooks,
    webhookSender: {
      check: async () => undefined,
      send: async () => ({ kind: "failed", fault: "connection_failed", durationMs: 0 }),
    },
    rails: new Map(),
    publicUrl: () => "https://trellis.example",
  };
  return {
    life,
    network,
    needs,
    call: async <Data>(endpoint: Endpoint<ServiceNeeds>, parts: CallParts) => {
      const call: Partial<Call> = {
        params: (parts.params ?? {}) as never,
        query: (parts.query ?? {}) as never,
        body: parts.body as never,
        caller,
        network,
        requestId: "request-1",
        operationId: parts.operationId,
      };
      return (await endpoint.handle(needs, call as Call)).data as Data;
    },
  };
}

async function openPayer(
  process: ServiceProcess,
  environment: PlayedEnvironment,
  email: string,
  mails: readonly MailMessage[],
): Promise<Payer> {
  await process.call(createAccount, { body: { type: "email", email } });
  const mailed = /\b\d{6}\b/.exec(mails.at(-1)?.text ?? "")?.[0];
  const code = environment === "devnet" ? mailed : await readOutboxCode(process, email);
  const clientKey = await createClientKey();
  const expiration = Math.floor(process.needs.realClock.now() / 1000) + 30 * 86_400;
  const verified = await process.call<Verified>(verifyAccount, {
    body: { email, otp_code: code, kms_provider_config: { encryption_public_key: clientKey.spki }, expiration },
  });
  const opened = await clientKey.open(sessionOf(verified).session.encrypted_authorization_key);
  const payee = await generateKeyPairSigner();
  return {
    environment,
    address: address(verified.address),
    provider: "kms_a",
    authorizationKey: importAuthorizationKey(opened),
    payee: payee.address,
  };
}

async function readOutboxCode(process: ServiceProcess, email: string): Promise<string | undefined> {
  const mails = await process.call<readonly { readonly otp_code: string }[]>(readOutbox, { query: { email } });
  return mails[0]?.otp_code;
}
