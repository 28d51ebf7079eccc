import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rm, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { ToolRefusal } from "./tool.js";

/** What the first use of a reference decided. Every later one pays from the same place, or is refused. */
export interface PaidFrom {
  readonly account: string;
  readonly allowance: string;
}

/** One use of a reference. What is named in `from` has to be what the first use decided. */
export interface ReferenceUse {
  readonly signer: string;
  readonly reference: string;
  /** What is paid, and to whom. */
  readonly content: Readonly<Record<string, string>>;
  readonly from: Partial<PaidFrom>;
}

/** Remembers what each reference pays and from where. It is written before anything is paid. */
export interface References {
  /**
   * The place that the reference is bound to. `choose` is called where it is new. Throws what `choose` throws, and ToolRefusal: `reference_used`
   * for another content or place, another service or API key, or after 20 hours, and `references_full`.
   */
  bind(use: ReferenceUse, choose: () => Promise<PaidFrom>): Promise<PaidFrom>;
}

/** How long a reference can be tried again: shorter than the service keeps idempotency keys, which is a day. */
const retriedMs = 20 * 3_600_000;
/** References that are kept. When there are more, those are removed that are older than `keptMs`. */
const referencesMax = 10_000;
const keptMs = 90 * 24 * 3_600_000;

interface Bound extends PaidFrom {
  readonly at: number;
  readonly service: string;
  readonly content: string;
}

/**
 * Keeps references in a folder, a file for each, which appears whole or not at all: servers that share the folder agree. `service` names where
 * idempotency keys are kept: the address, the environment and the API key. It is kept as a hash.
 */
export function openReferences(given: {
  readonly folder: string;
  readonly service: readonly string[];
  /** Unix milliseconds; default `Date.now`. */
  readonly now?: () => number;
}): References {
  const { folder, now = Date.now } = given;
  const service = hashOf(given.service);
  return {
    bind: async ({ signer, reference, content, from }, choose) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${hashOf([signer, reference])}.json`);
      const asked = hashOf(Object.entries(content).sort(([one], [other]) => (one < other ? -1 : 1)));
      let bound = await read(path);
      if (bound === undefined) {
        await makeRoom(folder, now());
        const { account, allowance } = await choose();
        await write(folder, path, { account, allowance, content: asked, service, at: now() });
        // Another server may have been faster: then it has decided.
        bound = await read(path);
      }
      if (bound === undefined) throw new Error("the record of a reference is gone");
      const { account, allowance } = bound;
      const isSame =
        bound.content === asked && (from.account ?? account) === account && (from.allowance ?? allowance) === allowance;
      if (!isSame) {
        throw new ToolRefusal("reference_used", "This reference was used for something else. Take another one.");
      }
      if (bound.service !== service || Math.abs(now() - bound.at) > retriedMs) {
        throw new ToolRefusal(
          "reference_used",
          "This reference was used before, too long ago or with another API key, and may have been paid. List the transfers to find out.",
        );
      }
      return { account, allowance };
    },
  };
}

async function read(path: string): Promise<Bound | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Bound;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes a new record, unless there is one. When it resolves, the record is on the disk. */
async function write(folder: string, path: string, bound: Bound): Promise<void> {
  const draft = join(folder, `${randomUUID()}.draft`);
  const file = await open(draft, "wx", 0o600);
  try {
    try {
      await file.writeFile(JSON.stringify(bound));
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await unlink(draft);
  }
  await syncFolder(folder);
}

/** Windows has no such thing as a folder that is synced. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function makeRoom(folder: string, now: number): Promise<void> {
  const names = await readdir(folder);
  if (names.length < referencesMax) return;
  let left = names.length;
  for (const path of names.map((name) => join(folder, name))) {
    if (now - (await stat(path)).mtimeMs < keptMs) continue;
    await rm(path, { force: true });
    left -= 1;
  }
  if (left >= referencesMax) {
    throw new ToolRefusal("references_full", "No more references can be kept. Ask the person you work for.");
  }
}

const hashOf = (parts: readonly unknown[]): string => createHash("sha256").update(JSON.stringify(parts)).digest("hex");
