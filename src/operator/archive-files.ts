import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, link, open, readFile, rm } from "node:fs/promises";
import { findOtherReleases } from "../adapters/db/releases.js";
import { openKeyring } from "../adapters/keyring.js";
import { createRealClock, systemRandom } from "../adapters/system.js";
import { asActor } from "../audit/actor.js";
import type { Config } from "../config/config.js";
import { freezeTenant } from "../tenants/tenant-store.js";
import { ArchiveError } from "./archive/archive-error.js";
import { type ArchiveSink, exportTenant, type WrittenArchive } from "./archive/export-tenant.js";
import { importTenant, type TakenArchive } from "./archive/import-tenant.js";
import { withDatabase } from "./with-database.js";

/** What an operator wants written. */
export interface ExportOrder {
  readonly tenantId: string;
  readonly file: string;
  /** `age1…` */
  readonly recipients: readonly string[];
  /** Undefined: every cluster that is configured. */
  readonly environments?: readonly string[] | undefined;
  readonly freezes: boolean;
  readonly withApiKeys: boolean;
  /** Called where requests of before the freeze have to end first. */
  readonly waits: (ms: number) => Promise<void>;
  /** Called with the names of connections to the database that are not of this release. */
  readonly warns: (names: readonly string[]) => void;
}

/** Requests that began before a freeze have ended by then, in every process. */
const settledMs = 60_000;

/** Writes an archive to a file that is not there yet, readable to its owner alone. Throws ArchiveError, AgeError. */
export async function exportToFile(config: Config, order: ExportOrder): Promise<WrittenArchive> {
  if (await exists(order.file)) throw new ArchiveError(`There is a file ${order.file} already.`);
  const environments = chooseEnvironments(config, order.environments);
  // Beside the embedded database nothing runs.
  const settled = config.databaseUrl === null ? 0 : settledMs;
  return withDatabase(config, async ({ background: db }) => {
    const { now } = createRealClock();
    order.warns(await findOtherReleases(db));
    if (order.freezes) {
      const row = await asActor(db, "operator", (trx) => freezeTenant(trx, { id: order.tenantId, at: now() }));
      const left = Number(row?.frozen_at ?? 0) + settled - now();
      if (row !== undefined && left > 0) await order.waits(left);
    }
    const needs = { db, keyring: await openKeyring(config, db), random: systemRandom, now: now() };
    const { tenantId, recipients, withApiKeys } = order;
    // Another export may be writing beside it.
    const draft = `${order.file}.${systemRandom.uuid()}.part`;
    const request = { tenantId, recipients, environments, settledMs: settled, withApiKeys };
    try {
      const written = await exportTenant(needs, request, storeAt(draft));
      // Fails where another one was written there meanwhile.
      await link(draft, order.file);
      return written;
    } finally {
      await rm(draft, { force: true });
    }
  });
}

/** What an operator wants taken. */
export interface ImportOrder {
  readonly file: string;
  /** A file with `AGE-SECRET-KEY-1…`, as age-keygen writes it. */
  readonly identityFile: string;
  readonly sha256: string;
  readonly as?: string | undefined;
}

/** Takes an archive from a file. Throws ArchiveError, AgeError. */
export async function importFromFile(config: Config, order: ImportOrder): Promise<TakenArchive> {
  const identity = identityIn(await readFile(order.identityFile, "utf8"));
  return withDatabase(config, async ({ background: db }) => {
    const needs = { db, keyring: await openKeyring(config, db), random: systemRandom, now: createRealClock().now() };
    return importTenant(needs, {
      file: createReadStream(order.file),
      identity,
      sha256: order.sha256.toLowerCase(),
      as: order.as,
      environments: clustersOf(config),
      remoteProviders: config.remoteCustodians.map(({ name }) => name),
    });
  });
}

/** Each cluster that is configured, with its genesis hash. The sandbox's chain belongs to its installation. */
const clustersOf = ({ clusters }: Config): Readonly<Record<string, string>> =>
  Object.fromEntries(clusters.map(({ name, genesisHash }) => [name, genesisHash]));

function chooseEnvironments(config: Config, wanted: readonly string[] | undefined): Readonly<Record<string, string>> {
  const here = clustersOf(config);
  const names = wanted ?? Object.keys(here);
  if (names.length === 0) {
    throw new ArchiveError(
      "No cluster is configured here. The accounts of the sandbox are on its own chain, which stays: there is nothing to move.",
    );
  }
  return Object.fromEntries(
    names.map((name): [string, string] => {
      const genesis = here[name];
      if (genesis === undefined) throw new ArchiveError(`${name} is no cluster that is configured here.`);
      return [name, genesis];
    }),
  );
}

function identityIn(text: string): string {
  const identity = text
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "" && !line.startsWith("#"));
  if (identity === undefined) throw new ArchiveError("The identity file has no identity in it.");
  return identity;
}

/** Stores what is written in a file of its own, on the disk when it returns. */
const storeAt =
  (path: string): ArchiveSink =>
  async (pieces) => {
    const file = await open(path, "wx", 0o600);
    try {
      const hash = createHash("sha256");
      for await (const piece of pieces) {
        hash.update(piece);
        await file.writeFile(piece);
      }
      await file.sync();
      return hash.digest("hex");
    } finally {
      await file.close();
    }
  };

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
