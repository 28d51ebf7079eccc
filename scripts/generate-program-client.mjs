/**
 * Renders everything that follows from `program/codama/`: the two files in `program/idl/` and the client in
 * `packages/program-client/src/generated/`. With `--check` nothing is written: the same is rendered into a temporary
 * directory, differences are listed, and the exit code is 1 if there are any. A directory may be named to stand for
 * the repository.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { renderVisitor } from "@codama/renderers-js";
import { createFromRoot } from "codama";
import { anchorIdl } from "../program/codama/anchor-idl.mjs";
import { root } from "../program/codama/program.mjs";

const generated = "packages/program-client/src/generated";

const filesUnder = (directory) =>
  readdirSync(directory, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      return entry.isDirectory() ? filesUnder(path) : [path];
    })
    .sort();

/** Node resolves neither directories nor missing extensions, so every relative import is spelled out. */
const spellImports = (file, source) =>
  source.replace(/(from\s+|import\()(["'])(\.{1,2}(?:\/[^"']*)?)\2/g, (whole, lead, quote, target) => {
    if (target.endsWith(".js")) return whole;
    const path = join(dirname(file), target);
    const spelled = existsSync(`${path}.ts`) ? `${target}.js` : `${target.replace(/\/$/, "")}/index.js`;
    return `${lead}${quote}${spelled}${quote}`;
  });

/** The client-plugin half of the program file, which nothing here uses and which needs a whole kit client. */
const withoutPlugin = (source) => {
  const at = source.indexOf("export type SmartAccountProgramPlugin ");
  if (at < 0) throw new Error("the renderer no longer writes its plugin where it did");
  return source.slice(0, at).replace(/import \{[^}]*\} from "\.\.\/accounts";\n/, "");
};

/** Texts are wanted in every build, and `process` is not everywhere. */
const withoutEnvironment = (source) => {
  const out = source.replace(
    /if \(process\.env\["NODE_ENV"\] !== "production"\) \{\s*(return [\s\S]*?;)\s*\}\s*return "Error message not[^;]*;/,
    "$1",
  );
  return out.replace(/if \(process\.env\["NODE_ENV"\] !== "production"\) \{\n([\s\S]*?)\n\}\n/, "$1\n");
};

const withoutUnusedImports = (source) =>
  source.replace(/import \{([^}]*)\} from ("[^"]*");\n/g, (_, names, from) => {
    const used = names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && occurrences(source, name.replace(/^type /, "")) > 1);
    return used.length === 0 ? "" : `import {\n${used.map((name) => `  ${name},\n`).join("")}} from ${from};\n`;
  });

const occurrences = (source, name) => source.match(new RegExp(`\\b${name}\\b`, "g"))?.length ?? 0;

/** What kit has and the client takes from elsewhere: why is said in each of these files. */
const ownCodecs = [
  { file: "address-codec.js", names: ["getAddressDecoder", "getAddressEncoder"] },
  { file: "array-decoder.js", names: ["getArrayDecoder"] },
];

const withOwnCodecs = (source) =>
  ownCodecs.reduce((text, { file, names }) => {
    const used = names.filter((name) => text.includes(`  ${name},\n`));
    if (used.length === 0) return text;
    const without = used.reduce(
      (rest, name) =>
        rest.replace(new RegExp(`(import \\{\n(?:[^}]*\n)?)  ${name},\n([^}]*\\} from "@solana/kit";\n)`), "$1$2"),
      text,
    );
    return without.replace(
      / from "@solana\/kit";\n/,
      ` from "@solana/kit";\nimport { ${used.join(", ")} } from "../../${file}";\n`,
    );
  }, source);

/** Putting a codec together costs many times what using it does: each is kept once made. */
const withKeptCodecs = (source) =>
  source.replace(
    /^export function get(\w+(?:Encoder|Decoder))\(\): ([^{]+?) \{\n {2}return ([\s\S]*?);\n\}\n/gm,
    (_, name, type, made) =>
      `export function get${name}(): ${type} {\n  kept${name} ??= ${made};\n  return kept${name};\n}\nlet kept${name}: ${type} | undefined;\n`,
  );

/** A discriminator is compared as it is, without a codec that copies it first. */
const withPlainDiscriminators = (source) =>
  source
    .replace(/fixEncoderSize\(getBytesEncoder\(\), 8\)\.encode\(\s*(new Uint8Array\(\[[^\]]*\]\)),?\s*\)/g, "$1")
    .replace(
      /^( +)if \(\s*containsBytes\(\s*data,\s*(new Uint8Array\(\[[^\]]*\]\)),\s*0,?\s*\)\s*\) \{/gm,
      "$1if (containsBytes(data, $2, 0)) {",
    );

function adapt(file, source) {
  const needed = file.endsWith("programs/smartAccountProgram.ts")
    ? withoutUnusedImports(withPlainDiscriminators(withoutPlugin(source)))
    : source;
  const adapted = withKeptCodecs(withOwnCodecs(withoutEnvironment(needed)));
  for (const name of ownCodecs.flatMap(({ names }) => names)) {
    if (new RegExp(`\\b${name},[^}]*from "@solana/kit"`).test(adapted))
      throw new Error(`${file} takes ${name} from kit`);
  }
  if (adapted.includes("process.env")) throw new Error(`${file} still reads process.env`);
  return spellImports(file, adapted);
}

async function render(target) {
  const client = join(target, generated);
  const { program } = root;
  // Fetching by seeds is left out: addresses.ts derives addresses without waiting.
  const accounts = program.accounts.map(({ pda: _, ...account }) => account);
  await createFromRoot({ ...root, program: { ...program, accounts } }).accept(
    renderVisitor(client, {
      generatedFolder: ".",
      deleteFolderBeforeRendering: true,
      formatCode: true,
      syncPackageJson: false,
      kitImportStrategy: "rootOnly",
    }),
  );
  for (const file of filesUnder(client)) writeFileSync(file, adapt(file, readFileSync(file, "utf8")));

  const idl = join(target, "program/idl");
  mkdirSync(idl, { recursive: true });
  writeFileSync(join(idl, "smart_account_program.codama.json"), `${JSON.stringify(root, null, 2)}\n`);
  writeFileSync(join(idl, "smart_account_program.idl.json"), `${JSON.stringify(anchorIdl(root), null, 2)}\n`);
}

/** Paths, relative to the trees, whose content differs between the two trees or that only one of them has. */
function differences(fresh, present) {
  const listed = (base) => {
    const directories = [generated, "program/idl"].map((path) => join(base, path)).filter((path) => existsSync(path));
    return new Set(directories.flatMap(filesUnder).map((path) => relative(base, path)));
  };
  const all = [...new Set([...listed(fresh), ...listed(present)])].sort();
  const content = (base, path) => (existsSync(join(base, path)) ? readFileSync(join(base, path), "utf8") : undefined);
  return all.filter((path) => content(fresh, path) !== content(present, path));
}

const { values, positionals } = parseArgs({ options: { check: { type: "boolean" } }, allowPositionals: true });
const target = positionals[0] ?? fileURLToPath(new URL("..", import.meta.url));

if (values.check) {
  const fresh = mkdtempSync(join(tmpdir(), "program-client-"));
  try {
    await render(fresh);
    const stale = differences(fresh, target);
    for (const path of stale) console.error(`stale: ${path}`);
    if (stale.length > 0) console.error("Run: node scripts/generate-program-client.mjs");
    process.exitCode = stale.length > 0 ? 1 : 0;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
} else {
  await render(target);
}
