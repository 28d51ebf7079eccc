// Prints the figures of this house: how large it is, how much of it one has to read, and what is still to become less. It only
// prints: the rules that hold are tests.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { type Import, importsIn, importsOf, sourcesIn } from "../test/support/imports-of.js";
import { folderOf, modules, ownSources } from "../test/support/modules.js";
import { judge, longestSentence, pages } from "./sentences.js";

type Row = readonly [figure: string | number, what: string];

/** A file written by hand, tests aside, with what the figures need of it. */
interface Source {
  readonly file: string;
  readonly text: string;
  readonly lines: number;
  /** How many lines each function has; one within another counts for both. */
  readonly functions: readonly number[];
  /** Names and texts of the code; comments are none. */
  readonly tokens: readonly string[];
}

/**
 * Words that stand for another one of the field (`told` for reported, `look` for read): in names, texts and comments. Not among
 * them: `land`, which is Solana's own word for a transaction that gets into a block, and `look up`.
 */
const words: readonly (readonly [word: string, forms: RegExp])[] = [
  ["told", inNames("told")],
  ["look", inNames("look(?:s|ed|ing)?(?!\\s?up)")],
  ["watch", inNames("watch(?:es|ed|ing)?")],
  ["let go", inNames("let(?:s|ting)?\\s?go")],
  ["go on", inNames("go\\s?on", "goes\\s?on", "going\\s?on", "gone\\s?on", "went\\s?on")],
  ["come", inNames("comes?", "came")],
  ["gone", inNames("gone")],
  ["taken", inNames("taken")],
  ["finish", inNames("finish(?:es|ed|ing)?")],
  ["shown", inNames("shown")],
  ["whoever", inNames("whoever")],
  ["nobody", inNames("nobody")],
  ["somebody", inNames("somebody")],
  ["further ones", /\bfurther ones\b/gi],
  ["by itself", /\bby itself\b/gi],
  ["is the word of", /\bis the word of\b/gi],
];

const flows: readonly (readonly [name: string, entries: readonly string[]])[] = [
  ["submitting a transaction", ["src/transactions/submit-transactions.ts"]],
  [
    "a proposal written in pieces, to its submission",
    [
      "src/proposals/prepare-buffered.ts",
      "src/proposals/create-proposal.ts",
      "src/transactions/submit-transactions.ts",
    ],
  ],
];

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const folders = [...ownSources, "packages/sdk/src", "packages/react/src"];
const sources = new Map(folders.map((folder) => [folder, sourcesIn(root, folder).filter(isByHand).map(parse)]));
const of = (folder: string): readonly Source[] => sources.get(folder) ?? [];
const all = folders.flatMap(of);
const imports = ownSources.flatMap((folder) => importsIn(root, folder));

print("Size", [
  ...folders.map(
    (folder): Row => [sum(of(folder).map(({ lines }) => lines)), `lines in ${folder}, by hand, tests aside`],
  ),
  ...folders.map((folder): Row => [of(folder).length, `files in ${folder}, likewise`]),
]);
print("To read", [
  ...flowRows(imports),
  [byFolder(({ lines }) => (lines > 300 ? 1 : 0)), "files over 300 lines"],
  [byFolder(({ functions }) => functions.filter((lines) => lines > 60).length), "functions over 60 lines"],
  [
    imports.filter(isToTheRight).length,
    "imports from a module to one on its right (the order: test/support/modules.ts)",
  ],
]);
print("Documents", [
  [wordsIn(read("ARCHITECTURE.md")), "words in ARCHITECTURE.md"],
  [wordsIn(read("CHANGELOG.md")), "words in CHANGELOG.md"],
  [
    wordsIn(read("SECURITY.md").split(/^## Contents$/m)[0] ?? ""),
    "words on SECURITY.md's first page, up to its contents",
  ],
  ...sentenceRows(),
]);
print("Tests", testRows());
print("Names", [
  [filesWith(/\b(usdc|usdt|eurc|pyusd)\b/), "files of src that name a coin, comments aside"],
  [filesWith(/\b(kms_a|kms_b)\b/), "files of src that name a custodian, comments aside"],
]);
print(
  "Words of the house's own, in src and packages, comments included",
  words.map(([word, forms]): Row => [sum(all.map(({ text }) => text.match(forms)?.length ?? 0)), word]),
);

function isToTheRight({ file, target }: Import): boolean {
  return modules.includes(folderOf(file)) && modules.indexOf(folderOf(target)) > modules.indexOf(folderOf(file));
}

function flowRows(all: readonly Import[]): Row[] {
  const targets = new Map<string, string[]>();
  for (const { file, target, typeOnly } of all) {
    if (!typeOnly && folderOf(target) !== "" && isByHand(target))
      targets.set(file, [...(targets.get(file) ?? []), target]);
  }
  return flows.map(([name, entries]) => {
    const reached = new Set<string>(entries);
    for (const file of reached) for (const target of targets.get(file) ?? []) reached.add(target);
    const inService = [...reached].filter((file) => file.startsWith("src/")).length;
    return [
      `${inService} + ${reached.size - inService}`,
      `files of src and of packages behind ${name}, by imports of values`,
    ];
  });
}

function sentenceRows(): Row[] {
  const judged = pages().map(judge);
  return [
    [judged.filter(({ isRight }) => !isRight).length, `of ${judged.length} pages whose sentences are too long`],
    [sum(judged.map(({ tooLong }) => tooLong.length)), `sentences above ${longestSentence} words`],
  ];
}

function testRows(): Row[] {
  const tests = [...folders, "test", "program/test"].flatMap(testsIn);
  const before = tests
    .map((file) =>
      read(file)
        .split("\n")
        .findIndex((line) => /^\s*(it|test)[.(]/.test(line)),
    )
    .filter((lines) => lines >= 0)
    .sort((one, other) => one - other);
  const endpoints = [...new Set(importsOf("src/endpoints.ts", read("src/endpoints.ts")).filter(isOfValues))];
  const tested = endpoints.filter(({ target }) => existsSync(join(root, target.replace(/\.ts$/, ".test.ts"))));
  return [
    [before[Math.floor(before.length / 2)] ?? 0, `lines before the first test, the median of ${before.length} files`],
    [tested.length, `of ${endpoints.length} endpoints' files with a test of their name beside them`],
  ];
}

function isOfValues({ target, typeOnly }: Import): boolean {
  return !typeOnly && target.startsWith("src/") && target.split("/").length > 2;
}

function testsIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => join(folder, file));
}

function isByHand(file: string): boolean {
  return !file.includes("/generated/");
}

function parse(file: string): Source {
  const text = read(file);
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, kind);
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const functions: number[] = [];
  const tokens: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      functions.push(lineAt(node.end) - lineAt(node.getStart(source)) + 1);
    }
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node))
      tokens.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { file, text, lines: text.split("\n").length - 1, functions, tokens };
}

function filesWith(name: RegExp): number {
  return ownSources.flatMap(of).filter(({ tokens }) => tokens.some((token) => name.test(token))).length;
}

function byFolder(count: (source: Source) => number): string {
  return folders.map((folder) => sum(of(folder).map(count))).join(" + ");
}

/** The word where it stands alone and where it is a part of a name in camel case, at its beginning or within. */
function inNames(...forms: readonly string[]): RegExp {
  const capitals = forms.map((form) => form.replace(/^[a-z]/, (first) => first.toUpperCase()));
  return new RegExp(`(?:(?<![a-zA-Z])(?:${forms.join("|")})|${capitals.join("|")})(?![a-z])`, "g");
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function print(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}`);
  for (const [figure, what] of rows) console.log(`${figure.toLocaleString("en-US").padStart(10)}  ${what}`);
}
