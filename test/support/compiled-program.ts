import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync, type Plugin, build as runBuild } from "esbuild";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** The program as its sources are, to be run by Node.js. */
export interface CompiledProgram {
  /** Resolves packages as the repository does; files of a test may be compiled into it. */
  readonly folder: string;
  /** The service: `npm start`. */
  readonly service: string;
  /** The command line: `trellis`. */
  readonly commands: string;
}

/** What a process of the program takes over from this one's environment, beside what a test sets. */
export function processEnvironment(): Readonly<Record<string, string>> {
  const { PATH = "", HOME = "", NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };
}

let compiled: Promise<CompiledProgram> | undefined;

/**
 * Compiles the program once for all tests of this process, each entry to one file with what it imports: such a file starts with a
 * quarter of the work that its sources take, and with half of what a file for each source takes.
 */
export const compileProgram = (): Promise<CompiledProgram> => {
  compiled ??= compile();
  return compiled;
};

/** Compiles a single file of the tests, for a process of theirs, and gives its place. */
export function compileBeside({ folder }: CompiledProgram, file: string, name: string): string {
  const outfile = join(folder, name);
  buildSync({ entryPoints: [file], outfile, format: "esm", platform: "node", target: "node20" });
  return outfile;
}

const folderName = /^trellis-program-(\d+)$/;

async function compile(): Promise<CompiledProgram> {
  removeLeftOnes();
  return compileTree(repository, join(tmpdir(), `trellis-program-${process.pid}`));
}

/** The same of another copy of the repository, with its packages, into a folder that is not there yet. */
export async function compileTree(repository: string, folder: string): Promise<CompiledProgram> {
  mkdirSync(join(folder, "dist/adapters/db"), { recursive: true });
  for (const name of ["package.json", "program", "node_modules"])
    symlinkSync(join(repository, name), join(folder, name));
  copyFileSync(join(repository, "src/adapters/db/functions.sql"), join(folder, "dist/adapters/db/functions.sql"));
  await runBuild({
    entryPoints: ["main", "cli/main", "cli/guardian-beside"].map((name) => join(repository, `src/${name}.ts`)),
    outbase: join(repository, "src"),
    outdir: join(folder, "dist"),
    bundle: true,
    tsconfig: join(repository, "tsconfig.json"),
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: packagesApart,
    // Some packages are not modules, and ask for others as they run.
    banner: {
      js: "import { createRequire as createRequireOf } from 'node:module'; const require = createRequireOf(import.meta.url);",
    },
    plugins: [placedAsBuilt(repository, folder)],
  });
  return { folder, service: join(folder, "dist/main.js"), commands: join(folder, "dist/cli/main.js") };
}

/** What has files or code of its own beside it, what is not always installed, and what tests change in a process. */
const packagesApart = [
  "@electric-sql/pglite",
  "bufferutil",
  "litesvm",
  "pg",
  "pg-native",
  "pino",
  "pkcs11js",
  "utf-8-validate",
];

/** Has every source find the files beside it where a build would place it: `dist` stands for `src`. */
const placedAsBuilt = (repository: string, folder: string): Plugin => ({
  name: "placed as built",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const inside = relative(repository, path);
      if (!/^(packages[\\/][\w-]+[\\/])?src[\\/]/.test(inside)) return undefined;
      const text = readFileSync(path, "utf8");
      if (!text.includes("import.meta.url")) return undefined;
      const built = join(folder, inside.replace(/(^|[\\/])src([\\/])/, "$1dist$2").replace(/\.ts$/, ".js"));
      const contents = text.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(built).href));
      return { contents, loader: "ts", resolveDir: dirname(path) };
    });
  },
});

/** A process of tests is ended without notice; the next one removes what it made. */
function removeLeftOnes(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(folderName.exec(name)?.[1]);
    if (pid === process.pid || (pid > 0 && !existsSync(`/proc/${pid}`)))
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}
