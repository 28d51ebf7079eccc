import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { sourcesIn } from "./imports-of.js";

/** A text that stands in a source: a literal, a piece of a template, or the name of a property. */
export interface Literal {
  readonly file: string;
  readonly text: string;
  /** The properties it stands under, the nearest last: `["schema", "examples"]`. */
  readonly under: readonly string[];
}

/** Every text of a source, what is imported aside. `file` is its path from the root of the repository. */
export function literalsOf(file: string, source: string): Literal[] {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const found: Literal[] = [];
  const visit = (node: ts.Node, under: readonly string[]): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      found.push({ file, text: node.text, under });
    }
    const isNamed =
      ts.isPropertyAssignment(node) || ts.isPropertySignature(node) || ts.isShorthandPropertyAssignment(node);
    const name = isNamed && (ts.isIdentifier(node.name) || ts.isStringLiteralLike(node.name)) ? node.name : undefined;
    if (name !== undefined && ts.isIdentifier(name)) found.push({ file, text: name.text, under });
    if (ts.isPropertyAccessExpression(node)) found.push({ file, text: node.name.text, under });
    ts.forEachChild(node, (child) => visit(child, name === undefined ? under : [...under, name.text]));
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false, kind), []);
  return found;
}

/** Every text of the sources of a folder, tests aside. */
export function literalsIn(root: string, folder: string): Literal[] {
  return sourcesIn(root, folder).flatMap((file) => literalsOf(file, readFileSync(join(root, file), "utf8")));
}
