import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Db, Trx } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { createSeedReader } from "../../adapters/kms/wallet-keys.js";
import { asActor, nameActor, recordEntry } from "../../audit/actor.js";
import { encryptToRecipients } from "../age.js";
import { ArchiveError } from "./archive-error.js";
import { archiveVersion, createSum, type TableSum, toLine } from "./archive-lines.js";
import { readKeySecrets } from "./carried-secrets.js";
import { archivedTables } from "./catalogue-rest.js";
import { type Chosen, findOpenWork, readColumnTypes, readRows, readSchemaVersion, unbind } from "./read-tables.js";
import { toPortableRow } from "./row-form.js";

/** What writing an archive asks of the world. */
export interface ExportNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  /** Real time, Unix milliseconds. */
  readonly now: number;
}

/** What is to be in an archive, and who can open it. */
export interface ExportRequest {
  readonly tenantId: string;
  /** Each environment with its cluster's genesis hash. */
  readonly environments: Readonly<Record<string, string>>;
  /** `age1…` */
  readonly recipients: readonly string[];
  /** Requests that began before it was frozen have ended by then: how long it has to have been, in milliseconds. */
  readonly settledMs: number;
  /** False: neither the API keys nor the secrets that they are hashed with are written. */
  readonly withApiKeys: boolean;
}

/** Takes the encrypted pieces and stores them for good; says the SHA-256 of all, hex. */
export type ArchiveSink = (pieces: AsyncIterable<Uint8Array>) => Promise<string>;

/** An archive that was written. */
export interface WrittenArchive {
  readonly id: string;
  readonly sha256: string;
  readonly tables: Readonly<Record<string, TableSum>>;
}

/**
 * Writes everything of a frozen tenant, as it is at one instant. The audit log has it before anything is written, and once the file is
 * stored. Throws ArchiveError where the tenant is not there, not frozen, or something of it is under way.
 */
export async function exportTenant(
  needs: ExportNeeds,
  request: ExportRequest,
  store: ArchiveSink,
): Promise<WrittenArchive> {
  const { tenantId, recipients } = request;
  const environments = Object.keys(request.environments);
  const id = needs.random.uuid();
  const record = (trx: Trx, kind: string, more: object) =>
    recordEntry(trx, {
      tenantId,
      kind,
      subject: `tenant/${tenantId}`,
      details: { archive: id, ...more, recipients, environments },
    });
  const settle = (trx: Trx) => requireSettled(trx, { tenantId, environments }, needs.now, request.settledMs);
  // Before anything is written: a file whose export breaks off is in the log, too.
  await asActor(needs.db, "operator", async (trx) => {
    await settle(trx);
    await record(trx, "tenant.export_started", {});
  });
  // One snapshot for all of it.
  const transaction = needs.db.transaction().setIsolationLevel("repeatable read");
  return transaction.execute(async (trx) => {
    await nameActor(trx, "operator");
    await unbind(trx);
    await settle(trx);
    const tables: Record<string, TableSum> = {};
    const sha256 = await store(encryptToRecipients(recipients, writeLines(trx, needs, request, id, tables)));
    await record(trx, "tenant.exported", { sha256 });
    return { id, sha256, tables };
  });
}

async function requireSettled(trx: Trx, chosen: Chosen, now: number, settledMs: number): Promise<void> {
  const tenant = await trx.selectFrom("tenant").selectAll().where("id", "=", chosen.tenantId).executeTakeFirst();
  if (tenant === undefined) throw new ArchiveError(`There is no tenant ${chosen.tenantId}.`);
  if (tenant.frozen_at === null) {
    throw new ArchiveError(`Freeze the tenant first: trellis tenant freeze ${chosen.tenantId}, or --freeze.`);
  }
  if (Number(tenant.frozen_at) > now - settledMs) {
    throw new ArchiveError(
      "The tenant was frozen a moment ago, and requests of before may still run. Try again shortly.",
    );
  }
  const open = await findOpenWork(trx, chosen, now);
  if (open.length === 0) return;
  throw new ArchiveError(
    `Not everything of the tenant can be carried: ${open.join(", ")}. What is under way ends while the service runs.`,
  );
}

async function* writeLines(
  trx: Trx,
  { keyring, random, now }: ExportNeeds,
  { tenantId, environments, withApiKeys }: ExportRequest,
  id: string,
  tables: Record<string, TableSum>,
): AsyncGenerator<Buffer> {
  yield toLine({
    header: {
      version: archiveVersion,
      id,
      schema: await readSchemaVersion(trx),
      created_at: new Date(now).toISOString(),
      tenant: tenantId,
      environments,
      api_key_secrets: withApiKeys ? await readKeySecrets(trx, keyring, tenantId) : {},
    },
  });
  const departure = { keyring, walletSeedOf: createSeedReader({ db: trx, keyring, random, now: () => now }) };
  for (const table of archivedTables) {
    const carried = withApiKeys || table.table !== "api_key" ? table : { ...table, only: "false" };
    const { table: name } = carried;
    const columns = await readColumnTypes(trx, name);
    yield toLine({ table: { name, columns } });
    const sum = createSum();
    for await (const rows of readRows(trx, carried, columns, { tenantId, environments: Object.keys(environments) })) {
      for (const row of rows) {
        const line = toLine({ row: await toPortableRow(departure, carried, row) });
        sum.add(line);
        yield line;
      }
    }
    const result = sum.result();
    tables[name] = result;
    yield toLine({ end: { name, ...result } });
  }
  yield toLine({ manifest: tables });
}
