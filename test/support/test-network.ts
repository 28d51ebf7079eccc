import { Buffer } from "node:buffer";
import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";
import { Chacha20Poly1305 } from "@hpke/chacha20poly1305";
import { CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from "@hpke/core";
import { p256 } from "@noble/curves/nist.js";
import { type Address, createSolanaRpcFromTransport, type Rpc, type SolanaRpcApi } from "@solana/kit";
import { ed25519PublicKeyOf } from "@trellis/kernel/crypto/ed25519.js";
import { createKeyring, type Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Caller, Endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { SubmitHooks } from "@trellis/kernel/module.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Custodian, CustodianName } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Mailer } from "@trellis/kernel/ports/mail.js";
import { MailRefused } from "@trellis/kernel/ports/mail.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { RailsByEnvironment } from "@trellis/kernel/ports/rails.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import type { WebhookSender } from "@trellis/kernel/ports/webhook-post.js";
import { scopes } from "@trellis/kernel/scope.js";
import type { NoteSigner } from "@trellis/kernel/tlog/note.js";
import { addressOfBytes, SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { createSandboxRails } from "@trellis/sandbox/partner/index.js";
import { openSandboxNetwork } from "@trellis/sandbox/sandbox-network.js";
import { createProgramChecks, type ProgramChecks } from "@trellis/solana/check-program.js";
import canonicalize from "canonicalize";
import type { Static, TSchema } from "typebox";
import { Value } from "typebox/value";
import { createAccount } from "../../src/accounts/create-account.js";
import { type CreationQueue, createCreationQueue } from "../../src/accounts/creation-queue.js";
import type { Policies } from "../../src/accounts/policy.js";
import { verifyAccount } from "../../src/accounts/verify-account.js";
import { createHttpDelivery } from "../../src/adapters/http-delivery/http-delivery.js";
import { systemPause, systemRandom } from "../../src/adapters/system.js";
import type { LogWitness } from "../../src/audit/ask-witnesses.js";
import type { CustodianLogs } from "../../src/audit/cosign-custodians.js";
import { logSigner, witnessSigner } from "../../src/audit/log-key.js";
import { makeCustodians } from "../../src/composition/open-custodians.js";
import type { EventCatalogue } from "../../src/events/event-catalogue.js";
import { createHistoryRefreshes, type HistoryRefreshes } from "../../src/history/history-refreshes.js";
import { jsonSchemaOf, withoutIds } from "../../src/http/json-schema.js";
import { createSignInMails, type SignInMails } from "../../src/members/sign-in-mails.js";
import { eventCatalogue, submitHooks } from "../../src/modules.js";
import { readOutbox } from "../../src/people/sandbox-outbox.js";
import type { Authentication } from "../../src/people/session.js";
import type { LimitsOfOrders } from "../../src/policy-changes/limits-of-orders.js";
import { createProposalRefreshes, type ProposalRefreshes } from "../../src/proposals/proposal-refreshes.js";
import { createRequestLog, type RequestLog } from "../../src/requests/request-log.js";
import { airdrop } from "../../src/sandbox-controls/airdrop.js";
import { limitsOfOrders } from "../../src/standing-orders/limits-of-orders.js";
import type { StatusNeeds } from "../../src/status/get-status.js";
import { createLookout, type Lookout } from "../../src/submissions/lookout.js";
import { evenLimits } from "./sponsorship.js";
import { openTestDatabase } from "./test-database.js";

/** A clock that stands still until it is moved. */
interface TestClock extends Clock {
  advance(ms: number): void;
}

/** Everything endpoints ask of the world, on real parts. */
interface TestNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly realClock: TestClock;
  readonly log: Log;
  readonly pause: (ms: number) => Promise<void>;
  readonly mailer: Mailer;
  readonly signInMails: SignInMails;
  readonly version: string;
  readonly custodians: Map<CustodianName, Custodian>;
  readonly creationQueue: CreationQueue;
  readonly proposalRefreshes: ProposalRefreshes;
  readonly historyRefreshes: HistoryRefreshes;
  readonly lookout: Lookout;
  readonly requestLog: RequestLog;
  readonly readStatus: StatusNeeds["readStatus"];
  readonly submitHooks: SubmitHooks;
  readonly limitsOfOrders: LimitsOfOrders;
  readonly eventCatalogue: EventCatalogue;
  readonly programs: ProgramChecks;
  readonly webhookSender: WebhookSender;
  readonly publicUrl: () => string;
  readonly networks: ReadonlyMap<EnvironmentName, Network>;
  readonly served: readonly EnvironmentName[];
  readonly auditSigner: NoteSigner;
  readonly auditWitnesses: readonly LogWitness[];
  readonly custodianLogs: CustodianLogs;
  /** Of the sandbox: the simulated partner, where everything happens at once. */
  readonly rails: RailsByEnvironment;
}

/** One line that something reported. */
interface LogLine {
  readonly level: keyof Log;
  readonly fields: object;
  readonly message: string;
}

export interface TestNetwork {
  readonly needs: TestNeeds;
  readonly network: Network;
  readonly caller: Caller;
  readonly logLines: LogLine[];
  /** A caller of another tenant. */
  addTenant(id: string): Promise<Caller>;
  /** Calls an endpoint as the HTTP layer does: the body is held against the schema, and so is the answer. */
  call<T>(endpoint: Endpoint<TestNeeds>, parts?: CallParts): Promise<T>;
  /** The same for a list: what the page has, and where the next one begins, if there is one. */
  page<T>(endpoint: Endpoint<TestNeeds>, parts?: CallParts): Promise<Page<T>>;
  /** The code in the newest mail to an address. */
  latestCode(email: string, caller?: Caller): Promise<string>;
  /** Play money; the amount in base units. */
  airdrop(address: string, currency: string, amount: string): Promise<unknown>;
  /** Creates and verifies an e-mail account, as a client would, and funds it. */
  openHolder(email: string, more?: HolderTerms): Promise<HeldAccount>;
  close(): Promise<void>;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly cursor: string | undefined;
}

export interface CallParts {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly caller?: Caller;
  readonly network?: Network;
  readonly needs?: Partial<TestNeeds>;
  /** What the attempts under one idempotency key have in common. */
  readonly operationId?: string;
}

/** Opens a database in memory, the sandbox chain with the real program in it, and both custodians. */
export async function openTestNetwork(): Promise<TestNetwork> {
  const database = await openTestDatabase();
  const { db } = database;
  const realClock = createTestClock(Date.UTC(2026, 0, 15, 12));
  const keyring = createKeyring({ masterKeys: [{ id: "test", key: new Uint8Array(32).fill(7) }], activeId: "test" });
  const logLines: LogLine[] = [];
  const write = (level: keyof Log) => (fields: object, message: string) => {
    logLines.push({ level, fields, message });
  };
  const log: Log = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  const random = systemRandom;
  const sandbox = await openSandboxNetwork({
    database,
    keyring,
    realClock,
    random,
    pause: systemPause,
    log,
    sponsorship: {
      ...evenLimits(100_000_000_000n, { perTransaction: 10_000_000n, perAccountForLife: 1_000 }),
      perAccountPerDay: 1_000_000_000n,
    },
    programPath: null,
  });
  const { network } = sandbox;
  const mailer: Mailer = {
    senderName: "Trellis",
    send: async () => {
      throw new MailRefused("not_configured", "The sandbox sends nothing.");
    },
  };
  const needs: TestNeeds = {
    db,
    keyring,
    random,
    realClock,
    log,
    pause: systemPause,
    mailer,
    signInMails: createSignInMails({ db, keyring, random, realClock, mailer, log }),
    version: "0",
    custodians: new Map(makeCustodians(db, { keyring, random })),
    creationQueue: createCreationQueue(realClock),
    publicUrl: () => "https://trellis.example",
    networks: new Map([["sandbox" as const, network]]),
    served: ["sandbox"],
    auditSigner: logSigner(keyring, "trellis.example/audit"),
    auditWitnesses: [],
    custodianLogs: { logs: [], cosigner: witnessSigner(keyring, "trellis.example/audit"), faults: new Map() },
    proposalRefreshes: createProposalRefreshes({ db, log, pause: systemPause }),
    historyRefreshes: createHistoryRefreshes({ db, log, pause: systemPause }),
    lookout: createLookout(systemPause),
    requestLog: createRequestLog(),
    readStatus: async () => {
      throw new Error("only the whole service has a status");
    },
    submitHooks,
    limitsOfOrders,
    eventCatalogue,
    programs: createProgramChecks({ log, trusted: [], programs: [SMART_ACCOUNT_PROGRAM_ADDRESS] }),
    webhookSender: createHttpDelivery({ allowed: { networks: [], ports: [443], loopback: true } }),
    rails: new Map([
      [
        "sandbox" as const,
        createSandboxRails({
          db,
          keyring,
          random,
          log,
          network,
          pace: "instant",
          baseUrl: () => "http://localhost:8080",
        }),
      ],
    ]),
  };
  const addTenant = async (id: string): Promise<Caller> => {
    await db
      .insertInto("tenant")
      .values({ id, name: id, created_at: BigInt(realClock.now()) })
      .execute();
    return { tenantId: id, apiKeyId: `key-of-${id}`, scopes: new Set(scopes), environments: ["sandbox"] };
  };
  const caller = await addTenant("tenant-1");

  const answerOf = async (endpoint: Endpoint<TestNeeds>, parts: CallParts = {}) => {
    const { contract } = endpoint;
    // As the server holds it: the form of a named text is its reader's to judge.
    const body = contract.body && (withoutIds(jsonSchemaOf(contract.body)) as TSchema);
    assertFits(body, parts.body, `request of ${contract.operation}`);
    const answer = await endpoint.handle({ ...needs, ...parts.needs }, {
      params: parts.params,
      query: parts.query ?? {},
      body: parts.body,
      caller: parts.caller ?? caller,
      network: parts.network ?? network,
      requestId: "request-1",
      operationId: parts.operationId,
    } as never);
    assertFits(contract.response.schema, answer.data, `answer of ${contract.operation}`);
    return answer;
  };
  const call = async <T>(endpoint: Endpoint<TestNeeds>, parts?: CallParts): Promise<T> =>
    (await answerOf(endpoint, parts)).data as T;

  const readCodes = new Set<string>();
  const open = {
    needs,
    network,
    caller,
    logLines,
    addTenant,
    call,
    page: async <T>(endpoint: Endpoint<TestNeeds>, parts?: CallParts) => {
      const { data, headers } = await answerOf(endpoint, parts);
      return { items: data as T[], cursor: headers?.["x-next-cursor"] };
    },
    airdrop: (address: string, currency: string, amount: string) =>
      call(airdrop, { body: { address, currency, amount } }),
    latestCode: async (email: string, as: Caller = caller) => {
      const mails = await call<{ otp_code: string; created_at: string }[]>(readOutbox, {
        query: { email },
        caller: as,
      });
      const withCode = mails.filter(({ otp_code: code }) => code !== "");
      // The clock stands still here, and of two codes of one millisecond either may be listed first.
      const newest = withCode.filter(({ created_at: at }) => at === withCode[0]?.created_at);
      const { otp_code: code } = newest.find(({ otp_code: one }) => !readCodes.has(one)) ?? newest[0] ?? {};
      if (code === undefined) throw new Error(`no code was mailed to ${email}`);
      readCodes.add(code);
      return code;
    },
    close: async () => {
      await sandbox.close();
      await database.close();
    },
  };
  return { ...open, openHolder: (email, more) => openEmailAccount(open, email, more) };
}

/** Starts at an instant (Unix milliseconds) and moves on by hand. */
function createTestClock(start: number): TestClock {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}

function assertFits(schema: TSchema | undefined, value: unknown, what: string): void {
  if (schema === undefined || Value.Check(schema, value)) return;
  const [first] = Value.Errors(schema, value);
  throw new Error(`${what}: ${JSON.stringify(first)} in ${JSON.stringify(value)}`);
}

/** What both verify endpoints answer. */
export interface Verified {
  readonly address: string;
  readonly grid_user_id: string;
  readonly policies: Policies;
  readonly authentication: readonly Static<typeof Authentication>[];
}

/** What stands under a provider's key of a session. */
export type ProviderSession = NonNullable<Static<typeof Authentication>["session"]["KmsA"]>;

/** The only session of an answer. */
export function sessionOf(answer: { readonly authentication: Verified["authentication"] }): ProviderSession {
  const session = answer.authentication[0]?.session;
  const inner = session?.KmsA ?? session?.KmsB;
  if (inner === undefined) throw new Error("the answer has no session");
  return inner;
}

/** An e-mail account with what its holder has. */
export interface HeldAccount {
  readonly email: string;
  readonly address: Address;
  readonly verified: Verified;
  readonly clientKey: ClientKey;
  readonly authorizationKey: KeyObject;
}

/** What an e-mail account is opened with: money in base units. */
interface HolderTerms {
  readonly provider?: CustodianName;
  readonly expiration?: number;
  readonly passkeyRequired?: boolean;
  readonly sol?: string;
  readonly usdc?: string;
}

async function openEmailAccount(
  test: Pick<TestNetwork, "call" | "latestCode" | "airdrop">,
  email: string,
  { sol, usdc, passkeyRequired, ...more }: HolderTerms = {},
): Promise<HeldAccount> {
  await test.call(createAccount, {
    body: { type: "email", email, ...(passkeyRequired === true && { passkey_required: true }) },
  });
  const clientKey = await createClientKey();
  const verified = await test.call<Verified>(verifyAccount, {
    body: {
      email,
      otp_code: await test.latestCode(email),
      kms_provider_config: { encryption_public_key: clientKey.spki },
      ...more,
    },
  });
  const address = verified.address as Address;
  const opened = await clientKey.open(sessionOf(verified).session.encrypted_authorization_key);
  if (sol !== undefined) await test.airdrop(address, "sol", sol);
  if (usdc !== undefined) await test.airdrop(address, "usdc", usdc);
  return { email, address, verified, clientKey, authorizationKey: importAuthorizationKey(opened) };
}

/** The same chain over a connection that breaks whenever `breaks` says so, before the node hears of the call. */
export function breakConnection(network: Network, breaks: (method: string) => boolean): Network {
  const rpc = createSolanaRpcFromTransport(async <Response>({ payload }: { payload: unknown }) => {
    const { method } = payload as { method: string };
    if (breaks(method)) throw new Error(`the connection broke at ${method}`);
    return (await network.sandbox?.handleRpc(payload)) as Response;
  }) as Rpc<SolanaRpcApi>;
  return { ...network, rpc };
}

/** The code of the error that a call ends in; fails when it does not end in one of ours. */
export async function errorOf(call: Promise<unknown>): Promise<TrellisError> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("error" in outcome && outcome.error instanceof TrellisError) return outcome.error;
  throw new Error(
    `no error of the catalogue: ${JSON.stringify(outcome)}`,
    "error" in outcome ? { cause: outcome.error } : {},
  );
}

/** The authorization keys a wallet ever had, newest first, as its built-in custodian has them. */
export async function authorizationKeysOf(test: TestNetwork, session: ProviderSession) {
  return test.needs.db
    .selectFrom("kms_authorization_key")
    .selectAll()
    .where("wallet_id", "=", session.session.wallets[0]?.id ?? "")
    .orderBy("created_at", "desc")
    .execute();
}

/** How many of them command the wallet now. */
export async function countLiveKeys(test: TestNetwork, session: ProviderSession): Promise<number> {
  const now = BigInt(test.network.clock.now());
  const keys = await authorizationKeysOf(test, session);
  return keys.filter(({ revoked_at, expires_at }) => revoked_at === null && expires_at > now).length;
}

/** A client's own P-256 key pair for HPKE, with the public half as the wire wants it (interface 5.3). */
export interface ClientKey {
  /** Base64 SPKI DER with the uncompressed point: 91 bytes. */
  readonly spki: string;
  /** The same with the compressed point: 59 bytes. */
  readonly compressedSpki: string;
  /** The bare point in hex, uncompressed and compressed. */
  readonly pointHex: string;
  readonly compressedPointHex: string;
  /** Opens what was sealed to it; an implementation other than the service's own. */
  open(sealed: { encapsulated_key: string; ciphertext: string }): Promise<string>;
  /** The same where the encapsulated key is a compressed point. */
  openCompressed(encapsulatedKey: Uint8Array, ciphertext: Uint8Array): Promise<string>;
}

const hpke = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Chacha20Poly1305(),
});

/** Makes a client's HPKE key pair. */
export async function createClientKey(): Promise<ClientKey> {
  const pair = createECDH("prime256v1");
  const point = pair.generateKeys();
  const prefix = Buffer.from("301306072a8648ce3d020106082a8648ce3d030107", "hex");
  const spki = Buffer.concat([Buffer.from("3059", "hex"), prefix, Buffer.from("034200", "hex"), point]);
  const compressed = pair.getPublicKey(null, "compressed");
  const compressedSpki = Buffer.concat([Buffer.from("3039", "hex"), prefix, Buffer.from("032200", "hex"), compressed]);
  // Node cuts leading zeros off the scalar.
  const scalar = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32);
  const privateKey = await hpke.kem.importKey("raw", toArrayBuffer(scalar), false);
  const openBytes = async (encapsulatedKey: Uint8Array, ciphertext: Uint8Array): Promise<string> => {
    const recipient = await hpke.createRecipientContext({
      recipientKey: privateKey,
      enc: toArrayBuffer(encapsulatedKey),
    });
    return Buffer.from(await recipient.open(toArrayBuffer(ciphertext))).toString("utf8");
  };
  return {
    spki: spki.toString("base64"),
    compressedSpki: compressedSpki.toString("base64"),
    pointHex: point.toString("hex"),
    compressedPointHex: compressed.toString("hex"),
    open: ({ encapsulated_key, ciphertext }) =>
      openBytes(Buffer.from(encapsulated_key, "base64"), Buffer.from(ciphertext, "base64")),
    openCompressed: (encapsulatedKey, ciphertext) =>
      openBytes(p256.Point.fromBytes(encapsulatedKey).toBytes(false), ciphertext),
  };
}

/** The private key in an opened authorization key (interface 5.5). */
export function importAuthorizationKey(base64Pkcs8: string) {
  return createPrivateKey({ key: Buffer.from(base64Pkcs8, "base64"), format: "der", type: "pkcs8" });
}

/** A kms_a signature over a payload (interface 5.6), canonicalized by an implementation other than the service's own. */
export function stampKmsA(payload: string, privateKey: KeyObject): string {
  return signCanonical(JSON.parse(Buffer.from(payload, "base64").toString("utf8")), privateKey).toString("base64");
}

/** A kms_b signature over a payload (gap 28). */
export function stampKmsB(payload: string, privateKey: KeyObject, timestampMs: number) {
  const timestamp_ms = String(timestampMs);
  const document = JSON.parse(Buffer.from(payload, "base64").toString("utf8"));
  const spki = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  return {
    public_key: spki.subarray(spki.length - 65).toString("hex"),
    signature: signCanonical({ payload: document, timestamp_ms }, privateKey).toString("hex"),
    timestamp_ms,
  };
}

/** DER signature over the canonical JSON of a value. */
export function signCanonical(value: unknown, privateKey: KeyObject): Buffer {
  return sign("sha256", Buffer.from(canonicalize(value) ?? ""), { key: privateKey, dsaEncoding: "der" });
}

/** A fresh P-256 private key. */
export function createP256Key() {
  return generateKeyPairSync("ec", { namedCurve: "prime256v1" }).privateKey;
}

/** Some address without a known key, different for every label. */
export function hashOf(label: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(label).digest());
}

/** The public key of a signer, different for every label. */
export function publicKeyOf(label: string): Address {
  return addressOfBytes(ed25519PublicKeyOf(hashOf(label)));
}

function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}
