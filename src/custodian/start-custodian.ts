import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Address } from "@solana/kit";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import { CustodyRefusal } from "@trellis/kernel/ports/custodian.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { lockDataDirectory } from "../adapters/db/data-directory-lock.js";
import { embeddedFolder, openDatabase } from "../adapters/db/open-database.js";
import { openKeyring } from "../adapters/keyring.js";
import { type ApprovalRequest, createBuiltInCustodian } from "../adapters/kms/built-in-custodian.js";
import { identityText, readKeyFolder } from "../adapters/kms/key-folder.js";
import { createRealClock, systemRandom } from "../adapters/system.js";
import { ConfigError } from "../config/config.js";
import type { CustodianConfig } from "../config/custodian.js";
import { noKeyStores } from "../config/key-stores.js";
import { findForm } from "../custody/forms.js";
import { asCustodianDb } from "./custodian-db.js";
import type { CustodianContext } from "./handlers.js";
import { custodianMigrations } from "./migrations/index.js";
import { forgetNonces } from "./nonces.js";
import { createWalletPolicies } from "./policy/create-policy.js";
import { createCustodianServer } from "./server.js";
import type { SigningPolicy } from "./signing-policy.js";
import { createTermsStore, type TermsStore } from "./wallet-terms.js";

/** A custodian that answers. */
export interface RunningCustodian {
  /** `https://host:port`. */
  readonly url: string;
  /** Base64url. */
  readonly identity: string;
  /** Stops accepting, finishes what runs, closes the database. */
  close(): Promise<void>;
}

/** What may stand in place of the usual. */
export interface CustodianParts {
  readonly policy?: SigningPolicy;
  readonly clock?: Clock;
}

const sweepMs = 60_000;

/**
 * Puts a custodian together and starts it: keys, a database of its own, the operations over the built-in custodian, the server. Throws
 * when something is missing; nothing stays open then.
 */
export async function startCustodian(
  config: CustodianConfig,
  log: Log,
  { clock = createRealClock(), ...replaced }: CustodianParts = {},
): Promise<RunningCustodian> {
  const form = findForm(config.name);
  if (form === undefined) throw new ConfigError([`TRELLIS_CUSTODIAN_NAME: holders sign for no ${config.name}.`]);
  const keys = await readKeyFolder(config.keyFolder);
  const database = await openDatabase(
    config.databaseUrl === null
      ? { kind: "embedded", directory: config.dataDirectory }
      : { kind: "postgres", url: config.databaseUrl },
    { schema: custodianMigrations },
  );
  try {
    const keyring = await openKeyring({ ...config, keyStores: noKeyStores }, database.db);
    const db = asCustodianDb(database.db);
    const terms = createTermsStore(db, keyring.deriveSecret("custodian/wallet-terms"));
    const policy =
      replaced.policy ?? createWalletPolicies({ db: db, secret: keyring.deriveSecret("custodian/policy") });
    const { name } = form;
    const context: CustodianContext = {
      name,
      db,
      terms,
      clock,
      identity: keys.identity,
      random: systemRandom,
      environments: config.environments,
      relyingParties: config.relyingParties,
      custodian: createBuiltInCustodian({
        provider: name,
        db: database.db,
        keyring,
        random: systemRandom,
        walletIdOf: terms.walletIdOf,
        keepsLastPasskey: async (walletId) => (await terms.get(walletId)).kind === "guarded",
        approve: (request) => requireAllowed(policy, terms, request),
      }),
    };
    const server = createCustodianServer(context, keys, log);
    await listen(server, config);
    const sweep = setInterval(() => {
      forgetNonces(db, clock.now()).catch((error: unknown) =>
        // operator: look at the custodian's database; nonces that stay refuse nothing that they should not
        log.warn({ event: "custodian_sweep_failed", err: error }, "custodian sweep failed"),
      );
    }, sweepMs);
    sweep.unref();
    const { port } = server.address() as AddressInfo;
    const host = config.host.includes(":") ? `[${config.host}]` : config.host;
    return {
      url: `https://${host}:${port}`,
      identity: identityText(keys.identity),
      close: async () => {
        clearInterval(sweep);
        server.close();
        server.closeIdleConnections();
        await once(server, "close");
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Makes the embedded database of a custodian's first start, whole or not at all; says whether it did. The process that has done this keeps
 * several times the memory that the custodian needs: it is for a process that ends then.
 */
export async function prepareCustodianDatabase({
  databaseUrl,
  dataDirectory,
}: Pick<CustodianConfig, "databaseUrl" | "dataDirectory">): Promise<boolean> {
  const made = join(dataDirectory, embeddedFolder);
  if (databaseUrl !== null || existsSync(made)) return false;
  // A former process may be at it still, and about to end.
  const lock = await lockDataDirectory(dataDirectory);
  try {
    const unfinished = join(dataDirectory, "unfinished");
    await rm(unfinished, { recursive: true, force: true });
    await (await openDatabase({ kind: "embedded", directory: unfinished }, { schema: custodianMigrations })).close();
    await rename(join(unfinished, embeddedFolder), made);
    await rm(unfinished, { recursive: true });
    return true;
  } finally {
    await lock.release();
  }
}

async function listen(
  server: ReturnType<typeof createCustodianServer>,
  { host, port }: Pick<CustodianConfig, "host" | "port">,
): Promise<void> {
  server.listen({ host, port });
  await once(server, "listening");
}

/** Asks the policy about what the wallet's key would sign. Throws CustodyRefusal. */
async function requireAllowed(policy: SigningPolicy, terms: TermsStore, request: ApprovalRequest): Promise<void> {
  const { wallet, messageBytes, authority, payload, now } = request;
  const { kind } = await terms.get(wallet.id);
  const { id, address, environment } = wallet;
  const decision = await policy.decide({
    wallet: { id, address: address as Address, environment: environment as EnvironmentName, kind },
    message: messageBytes,
    authority,
    payloadHash: createHash("sha256").update(payload).digest("hex"),
    now,
  });
  if (decision.kind === "refuse") throw new CustodyRefusal("policy", decision.text);
}
