import type { errorCatalogue } from "@trellis/kernel/errors.js";
import { type Custodian, CustodianUnavailable } from "@trellis/kernel/ports/custodian.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { MailRefused } from "@trellis/kernel/ports/mail.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { PartnerUnavailable, type RailsPartner } from "@trellis/kernel/ports/rails.js";
import { publishableScopes, scopes } from "@trellis/kernel/scope.js";
import { createTrellisClient, type TrellisClient } from "@trellis/sdk";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { createBuiltInCustodian } from "../../../src/adapters/kms/built-in-custodian.js";
import { recordWallets } from "../../../src/custody/wallet-directory.js";
import { endpoints } from "../../../src/endpoints.js";
import { createHttpServer } from "../../../src/http/server.js";
import { createPublishedKeys } from "../../../src/sign-in/identity-keys.js";
import { createLookout } from "../../../src/submissions/lookout.js";
import { createApiKey } from "../../../src/tenants/api-key-store.js";
import { type FrailDatabase, openFrailDatabase } from "../../support/frail-database.js";
import { openTestNetwork, type TestNetwork } from "../../support/test-network.js";

export type Code = keyof typeof errorCatalogue;

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body: object;
}

/** For every operation, the forms of its request. */
export type Rows = Readonly<Record<string, Readonly<Record<string, () => Trial | Promise<Trial>>>>>;

/** One request to be made under a key, and how often it has taken effect. */
export interface Trial extends Exchange {
  readonly environment: EnvironmentName;
  /** True: a page asks, with a publishable key. */
  readonly byPage?: true;
  /** Absent for preparations, which have no effect. */
  readonly effects?: () => Promise<number>;
}

/** What may go wrong for a while. */
export interface Fault {
  readonly code: Code;
  begin(trial: Trial): void | Promise<void>;
  end(): void | Promise<void>;
}

export let test: TestNetwork;
export let frail: FrailDatabase;
export let app: FastifyInstance;
/** The same service with nothing left of its caller's requests a minute. */
export let exhausted: FastifyInstance;
export let apiKey: string;
let publishableKey: string;
const page = "https://app.example";
export let client: TrellisClient;
export const networks = new Map<EnvironmentName, Network>();
export const mails: { to: string; text: string }[] = [];
let custodiansAnswer = true;
let mailGoes = true;
let partnerAnswers = true;

/** Makes something once in each world: files that follow each other in one process have one of their own each. */
export function onceInWorld<T>(make: () => Promise<T>): () => Promise<T> {
  let made: { readonly of: TestNetwork; readonly value: T } | undefined;
  return async () => {
    if (made?.of !== test) made = { of: test, value: await make() };
    return made.value;
  };
}

/** Starts the service over a chain, a database, mail and custodians that can be made to fail. */
export async function openWorld(): Promise<void> {
  test = await openTestNetwork();
  const { needs, network } = test;
  networks.set("sandbox", { ...network });
  // The same chain under another name: mail leaves the house there.
  const { sandbox: _controls, ...devnet } = network;
  networks.set("devnet", { ...devnet, name: "devnet" });
  frail = openFrailDatabase(needs.db);
  const common = {
    endpoints,
    events: needs.eventCatalogue,
    needs: {
      ...needs,
      db: frail.db,
      // No caller waits for a slot of a chain that confirms at once.
      pause: async () => undefined,
      lookout: createLookout(async () => undefined),
      publishedKeys: createPublishedKeys({ db: frail.db, clock: needs.realClock }),
      mailer: {
        senderName: "Trellis",
        send: async (mail: { to: string; text: string }) => {
          if (!mailGoes) throw new MailRefused("unreachable", "No server answered.");
          mails.push(mail);
        },
      },
      webhookSender: {
        check: async () => undefined,
        send: async () => ({ kind: "answered", status: 200, body: "", retryAfter: undefined, durationMs: 1 }) as const,
      },
      rails: new Map(
        [...needs.rails].map(([name, rails]) => [name, { ...rails, partner: failingPartner(rails.partner) }]),
      ),
      custodians: new Map(
        [...needs.custodians, ["kms_c", makeGuardian(test)] as const].map(([name, custodian]) => [
          name,
          failing(custodian),
        ]),
      ),
    },
    networks,
    db: frail.db,
    keyring: needs.keyring,
    realClock: needs.realClock,
    random: needs.random,
    corsOrigins: [],
    trustProxy: false,
    logger: pino({ level: "silent" }),
    readiness: async () => ({ ready: true, checks: {} }),
    version: "0",
    checkResponses: true,
  };
  app = await createHttpServer({
    ...common,
    rateLimits: { perKeyPerMinute: 0, failedAuthenticationsPerAddressPerMinute: 0 },
  });
  exhausted = await createHttpServer({
    ...common,
    rateLimits: { perKeyPerMinute: 1, perPublishableKeyPerMinute: 1, failedAuthenticationsPerAddressPerMinute: 0 },
  });
  const making = {
    db: needs.db,
    secret: needs.keyring.macs("api-key"),
    random: needs.random,
    now: needs.realClock.now(),
  };
  const plan = {
    tenantId: test.caller.tenantId,
    name: "test",
    environments: ["sandbox", "devnet"] as const,
    expiresAt: null,
  };
  apiKey = (await createApiKey(making, { ...plan, scopes })).value;
  const ofPages = { kind: "publishable", scopes: publishableScopes, origins: [page] } as const;
  publishableKey = (await createApiKey(making, { ...plan, ...ofPages })).value;
  client = createTrellisClient({ baseUrl: await app.listen(), apiKey, environment: "sandbox" });
}

/** Takes all that its keys may ask of it at this moment: what a test prepares moves the clock. */
export async function exhaust(): Promise<void> {
  for (const more of [{}, { byPage: true }] as const) {
    const path = "/api/service/v1/accounts/x";
    await send(exhausted, { method: "GET", path, body: {}, environment: "sandbox", ...more });
  }
}

export async function closeWorld(): Promise<void> {
  await app?.close();
  await exhausted?.close();
  await test?.close();
}

/** A guardian as far as the service sees it: in this process, and with keys of its own. */
function makeGuardian({ needs: { db, keyring, random } }: TestNetwork): Custodian {
  const custodian = createBuiltInCustodian({ provider: "kms_c", db, keyring, random });
  return recordWallets(db, {
    ...custodian,
    isGuardian: true,
    addPasskey: (request) =>
      request.authority === undefined
        ? custodian.addFirstPasskey(request, async () => undefined)
        : custodian.addPasskey(request),
  });
}

export function letCustodiansAnswer(answer: boolean): void {
  custodiansAnswer = answer;
}

export function letMailGo(goes: boolean): void {
  mailGoes = goes;
}

function failing(custodian: Custodian): Custodian {
  const unless = <Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) => {
    return (...args: Args): Promise<Result> =>
      custodiansAnswer ? act(...args) : Promise.reject(new CustodianUnavailable("timeout", "No answer."));
  };
  return {
    ...custodian,
    ensureWallet: unless(custodian.ensureWallet),
    sign: unless(custodian.sign),
    revokeAuthorizationKey: unless(custodian.revokeAuthorizationKey),
    checkAuthority: unless(custodian.checkAuthority),
    beginPasskey: unless(custodian.beginPasskey),
    addPasskey: unless(custodian.addPasskey),
    listPasskeys: unless(custodian.listPasskeys),
    removePasskey: unless(custodian.removePasskey),
    beginWalletExport: unless(custodian.beginWalletExport),
    cancelWalletExport: unless(custodian.cancelWalletExport),
    exportWallet: unless(custodian.exportWallet),
    beginWalletImport: unless(custodian.beginWalletImport),
    importWallet: unless(custodian.importWallet),
  };
}

export async function send(to: FastifyInstance, trial: Trial, key?: string, body: object = trial.body) {
  const { method, path, environment, byPage } = trial;
  const answer = await to.inject({
    method: method as "POST",
    url: path,
    headers: {
      ...(byPage ? { authorization: `Bearer ${publishableKey}`, origin: page } : { authorization: `Bearer ${apiKey}` }),
      "x-service-environment": environment,
      ...(key === undefined ? {} : { "x-idempotency-key": key }),
      ...(method === "GET" ? {} : { "content-type": "application/json" }),
    },
    ...(method === "GET" ? {} : { payload: JSON.stringify(body) }),
  });
  const json = answer.json();
  return {
    status: answer.statusCode,
    text: answer.body,
    data: json.data ?? json,
    isReplayed: answer.headers["idempotent-replayed"] === "true",
    /** Of the answer itself, or of the failure inside it. */
    code: (json.code ?? json.data?.partial_failure?.error_code) as Code | undefined,
  };
}

/** A partner that is away while the test wants it to be. */
function failingPartner(partner: RailsPartner): RailsPartner {
  return new Proxy(partner, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function" || partnerAnswers) return member;
      return async () => {
        throw new PartnerUnavailable("away");
      };
    },
  });
}

export const letPartnerAnswer = (answers: boolean) => {
  partnerAnswers = answers;
};

/** Changes what both environments stand on. */
export const inBoth = (change: Partial<Network>) => {
  for (const network of networks.values()) Object.assign(network, change);
};
