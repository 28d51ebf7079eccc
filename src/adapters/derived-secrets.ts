import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { EnvelopeError } from "@trellis/kernel/crypto/envelope.js";
import type { NumberedSecret, SecretBook } from "@trellis/kernel/crypto/macs.js";
import type { Db, DerivedSecretTable } from "@trellis/kernel/ports/database.js";

/** How often a process reads which secrets there are. */
export const secretsRefreshMs = 5_000;

/**
 * How long a new secret is there for reading before anything is made with it. A process that has not read it by then reads it when it meets
 * a value that it does not know.
 */
export const secretsRolloutMs = 3 * secretsRefreshMs;

type Row = Pick<DerivedSecretTable, "purpose" | "id" | "sealed" | "activated_at" | "retired_at">;

/** What a derived secret is sealed with: bound to its row. */
export const secretContext = (purpose: string, id: number): string => `derived_secret/${purpose}/${id}`;

/** A book that is read from the database. `open` opens what is sealed. */
export interface StoredBook extends SecretBook {
  /** Reads it for the first time. Throws `EnvelopeError` for a secret that does not open. */
  load(): Promise<void>;
}

/** `unwrap` is that of a keyring over the same master keys. */
export function createStoredBook(db: Db, unwrap: Keyring["unwrap"]): StoredBook {
  let pages: ReadonlyMap<string, readonly NumberedSecret[]> = new Map();
  // A secret never changes under its id, so it is opened once.
  const opened = new Map<string, Uint8Array>();
  let reads = 0;
  let latest = 0;

  const openRow = ({ purpose, id, sealed }: Row): NumberedSecret | undefined => {
    if (id === 0) return { id, secret: undefined };
    const name = secretContext(purpose, id);
    const secret = opened.get(name) ?? (sealed === null ? undefined : unwrap(sealed, name));
    if (secret === undefined) return undefined;
    opened.set(name, secret);
    return { id, secret };
  };

  const read = async (open: (row: Row) => NumberedSecret | undefined): Promise<void> => {
    reads += 1;
    const turn = reads;
    const rows: readonly Row[] = await db
      .selectFrom("derived_secret")
      .select(["purpose", "id", "sealed", "activated_at", "retired_at"])
      .execute();
    // What a slower read has seen may be older.
    if (turn < latest) return;
    latest = turn;
    pages = pagesOf(rows, open);
  };

  return {
    secretsOf: (purpose) => pages.get(purpose),
    load: () => read(openRow),
    // One that this process cannot open, because it lacks the master key, must not take the others away.
    refresh: () => read((row) => tryToOpen(() => openRow(row))),
  };
}

function tryToOpen<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof EnvelopeError) return undefined;
    throw error;
  }
}

/** By purpose: the active secret, which is the one activated last, and then the others, the newest first. */
function pagesOf(
  rows: readonly Row[],
  open: (row: Row) => NumberedSecret | undefined,
): ReadonlyMap<string, readonly NumberedSecret[]> {
  const usable = rows
    .filter(({ retired_at: retiredAt }) => retiredAt === null)
    .flatMap((row) => {
      const secret = open(row);
      return secret === undefined ? [] : [{ ...secret, purpose: row.purpose, isActive: row.activated_at !== null }];
    })
    .sort((a, b) => Number(b.isActive) - Number(a.isActive) || b.id - a.id);
  const pages = new Map<string, NumberedSecret[]>();
  for (const { purpose, id, secret } of usable) pages.set(purpose, [...(pages.get(purpose) ?? []), { id, secret }]);
  return pages;
}

/**
 * Keeps a keyring's book up to date until it is closed. A read that fails is made up for by the next one, and by what meets an unknown value.
 */
export function followSecrets(keyring: Keyring): { close(): Promise<void> } {
  const timer = setInterval(() => {
    keyring.refreshSecrets().catch(() => {});
  }, secretsRefreshMs).unref();
  return {
    close: async () => {
      clearInterval(timer);
    },
  };
}
