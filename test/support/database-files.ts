import type { PGliteOptions } from "@electric-sql/pglite";

type Filesystem = NonNullable<PGliteOptions["fs"]>;

/** A file of a data directory, or a folder where it has no content. A folder comes before what lies in it. */
export interface DatabaseFile {
  readonly path: string;
  readonly content: Uint8Array | undefined;
}

/** Where an embedded database has its data directory. */
const dataDirectory = "/pglite/data";

/** The parts of Emscripten's files in memory that are needed here. */
interface Node {
  contents: Uint8Array;
  usedBytes: number;
  stream_ops: { readonly write: (stream: unknown, ...rest: unknown[]) => number };
  readonly node_ops: { mknod(parent: Node, name: string, mode: number, device: number): Node };
}
interface MemoryFiles {
  mkdirTree(path: string): void;
  lookupPath(path: string): { readonly node: Node };
  quit(): void;
}

/**
 * Files in memory that a database begins with, for one that is opened once. Each is laid where it belongs, which takes a fraction of what
 * PGlite's own loading of an archive does: that walks the path of every file for each of its folders.
 */
export function filesInMemory(files: readonly DatabaseFile[]): Filesystem {
  let memory: MemoryFiles | undefined;
  return {
    init: async (_, options) => {
      const preRun = (module: { readonly FS: MemoryFiles }) => {
        memory = module.FS;
        layOut(files, memory);
      };
      return { emscriptenOpts: { ...options, preRun: [...(options.preRun ?? []), preRun as never] } };
    },
    initialSyncFs: async () => undefined,
    syncToFs: async () => undefined,
    closeFs: async () => memory?.quit(),
    dumpTar: async () => {
      throw new Error("a database that began with files is not dumped");
    },
  };
}

function layOut(files: readonly DatabaseFile[], memory: MemoryFiles): void {
  memory.mkdirTree(dataDirectory);
  const folders = new Map([["", memory.lookupPath(dataDirectory).node]]);
  for (const { path, content } of files) {
    const end = path.lastIndexOf("/");
    const parent = folders.get(path.slice(0, end));
    if (parent === undefined) throw new Error(`no folder was named before ${path}`);
    const make = (mode: number) => parent.node_ops.mknod(parent, path.slice(end + 1), mode, 0);
    if (content === undefined) {
      folders.set(path, make(0o40700));
      continue;
    }
    const node = make(0o100600);
    node.contents = content;
    node.usedBytes = content.length;
    node.stream_ops = copyingBeforeWriting(node);
  }
}

/** What writes in a file whose content is everybody's: few files are written in, and copies of all of them are what is collected most. */
function copyingBeforeWriting(node: Node): Node["stream_ops"] {
  const { contents, stream_ops } = node;
  return {
    ...stream_ops,
    write: (...how) => {
      // A Buffer's `slice` would be no copy.
      if (node.contents === contents) node.contents = new Uint8Array(contents);
      return stream_ops.write(...how);
    },
  };
}

const blockSize = 512;

/** What an archive has that `dumpDataDir` wrote: paths of at most a hundred characters. The contents are parts of it, not copies. */
export function readArchive(archive: Uint8Array): readonly DatabaseFile[] {
  const text = (from: number, length: number) =>
    Buffer.from(archive.subarray(from, from + length))
      .toString("latin1")
      .replace(/\0.*$/su, "");
  const files: DatabaseFile[] = [];
  for (let at = 0; at < archive.length; ) {
    const path = text(at, 100);
    if (path === "") break;
    const size = Number.parseInt(text(at + 124, 12), 8);
    const begin = at + blockSize;
    files.push({ path, content: text(at + 156, 1) === "5" ? undefined : archive.subarray(begin, begin + size) });
    at = begin + Math.ceil(size / blockSize) * blockSize;
  }
  return files;
}
