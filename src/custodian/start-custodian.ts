import { createHash } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Address } from "@solana/kit";
import { originOf } from "@trellis/kernel/crypto/webauthn.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import { CustodyRefusal, type Stamp } from "@trellis/kernel/ports/custodian.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { followSecrets } from "../adapters/derived-secrets.js";
import { openKeyring } from "../adapters/keyring.js";
import { type ApprovalRequest, createBuiltInCustodian } from "../adapters/kms/built-in-custodian.js";
import { entryOfCustodian } from "../adapters/kms/counter-entries.js";
import { identityText, readKeyFolder } from "../adapters/kms/key-folder.js";
import { createWalletKeys, ensureFirstRoot } from "../adapters/kms/wallet-keys.js";
import { createRealClock, systemRandom } from "../adapters/system.js";
import { recordConfiguration } from "../audit/record-configuration.js";
import { ConfigError } from "../config/config.js";
import type { CustodianConfig } from "../config/custodian.js";
import { noKeyStores } from "../config/key-stores.js";
import { findForm } from "../custody/forms.js";
import { endAfterRestore, grantLifeMaxMs } from "./after-restore.js";
import { createPageServer } from "./approval-page/page-server.js";
import type { CustodianContext } from "./context.js";
import { asCustodianDb } from "./custodian-db.js";
import { forgetNonces } from "./nonces.js";
import { leaseOf, openCustodianDatabase } from "./open-custodian-database.js";
import { forgetBodies, openOwnLog, signatureEntry, signOwnLog } from "./own-log.js";
import { createWalletPolicies } from "./policy/create-policy.js";
import { openRestoreMark } from "./restore-mark.js";
import { createCustodianServer } from "./server.js";
import type { SigningPolicy } from "./signing-policy.js";
import { takeDatabase } from "./take-database.js";
import { createTermsStore, type TermsStore } from "./wallet-terms.js";

/** A custodian that answers. */
export interface RunningCustodian {
  /** `https://host:port`. */
  readonly url: string;
  /** Base64url. */
  readonly identity: string;
  /** Where its page is served; null: it has none. */
  readonly pagePort: number | null;
  /** Stops accepting, finishes what runs, closes the database. */
  close(): Promise<void>;
}

/** What may stand in place of the usual. */
export interface CustodianParts {
  readonly policy?: SigningPolicy;
  readonly clock?: Clock;
  /** Whether its database was put back from a backup, and the operator knows. */
  readonly afterRestore?: boolean;
  /**
   * It starts behind a database that was put back, and ends nothing: where it holds wallets of a sandbox alone, whose database may lose its
   * last seconds with the power.
   */
  readonly ignoresRestores?: boolean;
  /** Ends the process, as another one has its database: the connection that held it was lost. */
  readonly onDisplaced?: () => void;
}

const sweepMs = 60_000;

/**
 * Puts a custodian together and starts it: keys, a database of its own, the operations over the built-in custodian, the server. Throws
 * when something is missing; nothing stays open then.
 */
export async function startCustodian(
  config: CustodianConfig,
  log: Log,
  {
    clock = createRealClock(),
    afterRestore = false,
    ignoresRestores = false,
    onDisplaced = () => undefined,
    ...replaced
  }: CustodianParts = {},
): Promise<RunningCustodian> {
  const form = findForm(config.name);
  if (form === undefined) throw new ConfigError([`TRELLIS_CUSTODIAN_NAME: holders sign for no ${config.name}.`]);
  const folder = await readKeyFolder(config.keyFolder);
  // Before it is migrated: a process of another release may run over it.
  const lease = await takeDatabase(leaseOf(config), () => {
    // operator: stop one of the two custodians; where none is known, look for who else has the database's URL
    log.error({ event: "custodian_displaced" }, "custodian database is held by another process");
    onDisplaced();
  });
  const database = await openCustodianDatabase(config).catch(async (error: unknown) => {
    await lease.release();
    throw error;
  });
  const opened: Server[] = [];
  try {
    const keyring = await openKeyring({ ...config, keyStores: noKeyStores }, database.db);
    const db = asCustodianDb(database.db);
    const terms = createTermsStore(db, keyring.deriveSecret("custodian/wallet-terms"));
    const policies = createWalletPolicies({
      db,
      secret: keyring.deriveSecret("custodian/policy"),
      entryOf: signatureEntry,
      presence: terms.presence,
    });
    const policy = replaced.policy ?? policies;
    const { dataDirectory: directory } = config;
    await terms.notePolicies();
    if (afterRestore) await endAfterRestore({ db, terms, policies, directory, clock });
    const mark = await openRestoreMark(db, directory);
    if (!afterRestore && !ignoresRestores && mark.mismatch !== undefined)
      throw new ConfigError([restored(mark.mismatch)]);
    await mark.advance();
    const { name } = form;
    const keys = { provider: name, db: database.db, keyring, random: systemRandom, now: () => clock.now() };
    await ensureFirstRoot(keys);
    const ownLog = openOwnLog(database.db, keyring, folder, clock);
    const context: CustodianContext = {
      name,
      db,
      terms,
      policies,
      clock,
      log,
      ownLog,
      identity: folder.identity,
      random: systemRandom,
      sessionWalletId: createWalletKeys(keys).idOf,
      grantsFrom: mark.restoredAt === 0 ? 0 : mark.restoredAt + grantLifeMaxMs,
      environments: config.environments,
      relyingParties: config.relyingParties,
      pageOrigin: config.page?.origin ?? null,
      pageApps: config.page?.apps ?? [],
      custodian: createBuiltInCustodian({
        provider: name,
        db: database.db,
        keyring,
        random: systemRandom,
        planOf: terms.planOf,
        counterEntry: entryOfCustodian,
        keepsLastPasskey: async (walletId) => (await terms.get(walletId)).kind === "guarded",
        approve: (request) => requireAllowed(policy, terms, request, config.page?.origin ?? null),
      }),
    };
    const server = createCustodianServer(context, folder, log);
    await recordConfiguration(database.db, {
      master_keys: config.masterKeys?.map(({ id }) => id) ?? ["file"],
      identity: identityText(folder.identity),
      service: identityText(folder.peer),
      environments: config.environments,
      relying_parties: config.relyingParties,
      page: config.page?.origin ?? null,
      page_apps: config.page?.apps ?? [],
    });
    const servers = [server, ...(config.page === null ? [] : [createPageServer(context, log)])];
    for (const [index, each] of servers.entries()) {
      opened.push(each);
      await listen(each, index === 0 ? config : { host: config.host, port: config.page?.port ?? 0 });
    }
    const secrets = followSecrets(keyring);
    const work = startWork(log, [
      { everyMs: sweepMs, run: () => forgetNonces(db, clock.now()) },
      { everyMs: sweepMs, run: () => mark.advance() },
      { everyMs: sweepMs, run: () => forgetBodies(ownLog) },
      { everyMs: limits.auditEveryMs, run: () => signOwnLog(ownLog) },
    ]);
    const [{ port }, page] = servers.map((each) => each.address() as AddressInfo) as [AddressInfo, AddressInfo?];
    const host = config.host.includes(":") ? `[${config.host}]` : config.host;
    return {
      url: `https://${host}:${port}`,
      identity: identityText(folder.identity),
      pagePort: page?.port ?? null,
      close: async () => {
        await Promise.all(servers.map(stop));
        await secrets.close();
        await work.stop();
        await database.close();
        await lease.release();
      },
    };
  } catch (error) {
    for (const server of opened) if (server.listening) await stop(server);
    await database.close();
    await lease.release();
    throw error;
  }
}

async function stop(server: Server): Promise<void> {
  server.close();
  server.closeIdleConnections();
  await once(server, "close");
}

/** Runs each now and then, never beside itself. */
function startWork(log: Log, all: readonly { readonly everyMs: number; run(): Promise<unknown> }[]) {
  const running = new Set<Promise<unknown>>();
  const timers = all.map(({ everyMs, run }) => {
    let isRunning = false;
    const timer = setInterval(() => {
      if (isRunning) return;
      isRunning = true;
      const done = run()
        .catch((error: unknown) =>
          // operator: look at the custodian's database, and whether its data directory can be written; where the error names the log, run trellis custodian audit verify
          log.error({ event: "custodian_work_failed", err: error }, "custodian's recurring work failed"),
        )
        .finally(() => {
          isRunning = false;
          running.delete(done);
        });
      running.add(done);
    }, everyMs);
    return timer.unref();
  });
  return {
    async stop(): Promise<void> {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
    },
  };
}

const restored = (mismatch: string): string =>
  `The custodian's database was put back, or what lies beside it was: ${mismatch}. What was ended since may live again. Read ` +
  "docs/deployment.md#a-custodian-after-a-restore, and start it once with --after-restore.";

async function listen(server: Server, { host, port }: Pick<CustodianConfig, "host" | "port">): Promise<void> {
  server.listen({ host, port });
  await once(server, "listening");
}

/** Asks the policy about what the wallet's key would sign. Throws CustodyRefusal. */
async function requireAllowed(
  policy: SigningPolicy,
  terms: TermsStore,
  request: ApprovalRequest,
  pageOrigin: string | null,
): Promise<void> {
  const { wallet, messageBytes, payload, stamp, now } = request;
  const isOwnPage = pageOrigin !== null && originIn(stamp) === pageOrigin;
  const authority = request.authority.kind === "passkey" ? { ...request.authority, isOwnPage } : request.authority;
  const { kind } = await terms.get(wallet.id);
  const { id, address, environment } = wallet;
  const decision = await policy.decide({
    wallet: { id, address: address as Address, environment: environment as EnvironmentName, kind },
    message: messageBytes,
    authority,
    payloadHash: createHash("sha256").update(payload).digest("hex"),
    now,
  });
  if (decision.kind === "allow") return;
  const { kind: _, reason: rule, text, ...waiting } = decision;
  throw new CustodyRefusal("policy", text, { rule, ...waiting });
}

/** The origin of the page on which a passkey signed: the browser wrote it, and the passkey signed it. */
const originIn = (stamp: Stamp): string | undefined =>
  stamp.form === "passkey" && "clientDataJson" in stamp
    ? originOf(Buffer.from(stamp.clientDataJson, "base64url"))
    : undefined;
