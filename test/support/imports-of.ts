import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import ts from "typescript";

/** One import of a file: `target` is a file of the repository, or the name of a package. */
export interface Import {
  readonly file: string;
  readonly target: string;
  /** Nothing of it is left when the file is compiled. */
  readonly typeOnly: boolean;
}

/** What stands for the target where the name is computed: the import's target is unknown. */
export const computed = "(computed)";

/**
 * Every import that a text makes, in whatever form: `import … from`, `import "…"`, `export … from`, `import("…")`, the same in
 * a type, and `import … = require("…")`. `file` is its path from the root of the repository.
 */
export function importsOf(file: string, text: string): Import[] {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, kind);
  const found: Import[] = [];
  const add = (name: ts.Node | undefined, typeOnly: boolean) => {
    const target = name !== undefined && ts.isStringLiteralLike(name) ? targetOf(file, name.text) : computed;
    found.push({ file, target, typeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnlyImport(node));
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier) add(node.moduleSpecifier, isTypeOnlyExport(node));
    else if (ts.isImportTypeNode(node))
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true);
    else if (ts.isExternalModuleReference(node)) add(node.expression, false);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** What the files of a folder import, tests aside; each target that is a file here is one there is. */
export function importsIn(root: string, folder: string): Import[] {
  const files = sourcesIn(root, folder);
  const known = new Set(files);
  return files
    .flatMap((file) => importsOf(file, readFileSync(join(root, file), "utf8")))
    .map((found) => (known.has(`${found.target}x`) ? { ...found, target: `${found.target}x` } : found));
}

/** The sources of a folder, tests aside, as paths from the root. */
export function sourcesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.includes(".test."))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

/** The circles among files: every import that leads back to a file on the way to it, with that way. */
export function circlesAmong(imports: readonly Import[]): readonly (readonly string[])[] {
  const targets = new Map<string, string[]>();
  for (const { file, target } of imports) targets.set(file, [...(targets.get(file) ?? []), target]);
  const circles: (readonly string[])[] = [];
  const done = new Set<string>();
  const follow = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file]);
    else if (!done.has(file)) for (const target of targets.get(file) ?? []) follow(target, [...path, file]);
    done.add(file);
  };
  for (const file of targets.keys()) follow(file, []);
  return circles;
}

function isTypeOnlyImport({ importClause }: ts.ImportDeclaration): boolean {
  if (importClause === undefined) return false;
  if (importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { name, namedBindings } = importClause;
  if (name !== undefined || namedBindings === undefined || !ts.isNamedImports(namedBindings)) return false;
  return namedBindings.elements.length > 0 && namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly);
}

function isTypeOnlyExport({ isTypeOnly, exportClause }: ts.ExportDeclaration): boolean {
  if (isTypeOnly) return true;
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) return false;
  return exportClause.elements.length > 0 && exportClause.elements.every((element) => element.isTypeOnly);
}

function targetOf(file: string, name: string): string {
  const own = /^@trellis\/(kernel|program-client|sandbox|solana)(?:\/(.+)\.js)?$/.exec(name);
  if (own !== null) return `packages/${own[1]}/src/${own[2] ?? "index"}.ts`;
  if (!name.startsWith(".")) return name;
  return join(dirname(file), name)
    .split(sep)
    .join("/")
    .replace(/\.js(x?)$/, ".ts$1");
}
