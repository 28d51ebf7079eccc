import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { ArchiveError } from "./archive-error.js";

/** The form of the lines. A reader takes no other. */
export const archiveVersion = 1;

/** The first line. */
export interface ArchiveHeader {
  readonly version: number;
  readonly id: string;
  /** The last migration of the database it was read from. */
  readonly schema: string;
  readonly created_at: string;
  readonly tenant: string;
  /** Each environment with its cluster's genesis hash. */
  readonly environments: Readonly<Record<string, string>>;
  /** What the hashes of API keys were made with: base64, by the number that the rows name. */
  readonly api_key_secrets: Readonly<Record<string, string>>;
}

export type PortableValue =
  | string
  | number
  | boolean
  | null
  | readonly string[]
  | { readonly [name: string]: PortableValue };
/** A row as the archive has it. */
export type PortableRow = Readonly<Record<string, PortableValue>>;

/** How many rows of a table there are, and the SHA-256 of their lines, hex. */
export interface TableSum {
  readonly rows: number;
  readonly sha256: string;
}

export type ArchiveLine =
  | { readonly header: ArchiveHeader }
  | { readonly table: { readonly name: string; readonly columns: Readonly<Record<string, string>> } }
  | { readonly row: PortableRow }
  | { readonly end: TableSum & { readonly name: string } }
  | { readonly manifest: Readonly<Record<string, TableSum>> };

export const toLine = (line: ArchiveLine): Buffer => Buffer.from(`${JSON.stringify(line)}\n`);

/** Counts the rows of a table, and hashes their lines. */
export function createSum() {
  const hash = createHash("sha256");
  let rows = 0;
  return {
    add: (line: Uint8Array) => {
      rows += 1;
      hash.update(line);
    },
    result: (): TableSum => ({ rows, sha256: hash.digest("hex") }),
  };
}

/** No row is as long: what the service stores has bounds far below. */
const longestLine = 64 * 1024 * 1024;

/** The lines of a text with their bytes, a piece at a time. Throws ArchiveError for a last one without its end. */
export async function* readLines(
  text: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly line: ArchiveLine; readonly bytes: Buffer }> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const piece of text) {
    let rest = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const bytes = Buffer.concat([...held, rest.subarray(0, end + 1)]);
      held = [];
      length = 0;
      rest = rest.subarray(end + 1);
      yield { line: parseLine(bytes), bytes };
    }
    held.push(rest);
    length += rest.length;
    if (length > longestLine) throw new ArchiveError("A line of the archive is too long.");
  }
  if (length > 0) throw new ArchiveError("The archive ends within a line.");
}

function parseLine(bytes: Buffer): ArchiveLine {
  try {
    const line: unknown = JSON.parse(bytes.toString("utf8"));
    if (typeof line === "object" && line !== null && Object.keys(line).length === 1) return line as ArchiveLine;
  } catch {
    // What the parser says of it may repeat what is in it.
  }
  throw new ArchiveError("A line of the archive is not well formed.");
}
