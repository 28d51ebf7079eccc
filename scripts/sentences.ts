// Keeps the documents readable for people who read English as a second language: no sentence above 35 words, and on a page at
// most 18 words a sentence on average. Prints what is longer, and fails at it.
//
// What counts: a sentence ends with `.`, `!` or `?`, and with its paragraph, list item or table cell. A word is what stands between
// spaces; code between backquotes is one word, and a link counts by its text alone.
// - A list item is a text of its own: it continues neither the sentence before it nor the next one.
// - A table cell, and each line in one, is a text of its own, held to the 35 words. It does not count for the average: short cells would hide long prose.
// - Headings, code blocks, images, comments, the separators of tables and links that are a number only do not count.
//
// `tsx scripts/sentences.ts` checks every page, and with --all lists what the excused ones still have;
// `tsx scripts/sentences.ts docs/story.md …` checks these pages as if none were excused.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface Sentence {
  readonly line: number;
  readonly words: number;
  readonly text: string;
  readonly isCell: boolean;
}

/** A piece of a text, with the line it stands on. */
interface Piece {
  readonly text: string;
  readonly line: number;
}

interface Text {
  readonly isCell: boolean;
  readonly pieces: Piece[];
}

interface Judgement {
  readonly file: string;
  readonly average: number;
  readonly tooLong: readonly Sentence[];
  readonly isRight: boolean;
}

export const longestSentence = 35;
const highestAverage = 18;

/** Pages that are not yet right. A page leaves this list once it is, and none is added. */
const excused: readonly string[] = [];

const root = fileURLToPath(new URL("..", import.meta.url));

/** The pages that are held to it, as paths from the root. */
export function pages(): string[] {
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file).replaceAll("\\", "/"));
  return ["README.md", "packages/sdk/README.md", "packages/react/README.md", ...docs.sort()];
}

/** The result for a page's sentences: those that are too long, and the average of its prose. */
export function judge(file: string): Judgement {
  const sentences = sentencesOf(readFileSync(join(root, file), "utf8"));
  const prose = sentences.filter(({ isCell }) => !isCell);
  const words = prose.reduce((sum, each) => sum + each.words, 0);
  const average = prose.length === 0 ? 0 : words / prose.length;
  const tooLong = sentences.filter((each) => each.words > longestSentence);
  return { file, average, tooLong, isRight: tooLong.length === 0 && average <= highestAverage };
}

/** The sentences of a Markdown text, each with its line, its words and whether it stands in a table. */
export function sentencesOf(markdown: string): Sentence[] {
  return textsOf(markdown).flatMap(({ pieces, isCell }) => {
    const found: Sentence[] = [];
    let words: string[] = [];
    let line = 0;
    const end = () => {
      if (words.some((word) => /[\p{L}\p{N}]/u.test(word)))
        found.push({ line, words: words.length, text: words.join(" "), isCell });
      words = [];
    };
    const all = pieces.flatMap((piece) => piece.text.split(/\s+/).map((word) => ({ word, line: piece.line })));
    const real = all.filter(({ word }) => /[\p{L}\p{N}]/u.test(word));
    real.forEach(({ word, line: at }, index) => {
      if (words.length === 0) line = at;
      words.push(word);
      if (endsSentence(word, real[index + 1]?.word)) end();
    });
    end();
    return found;
  });
}

function endsSentence(word: string, next: string | undefined): boolean {
  if (next === undefined || !/[.!?…][)"”'*_]*$/.test(word)) return false;
  if (/\b(e\.g|i\.e|etc|vs|cf|No|approx)\.$/.test(word)) return false;
  return /^[("“'*_[]*[\p{Lu}\p{N}§]/u.test(next);
}

/** Paragraphs, list items and cells; each as pieces of plain text with the lines they stand on. */
function textsOf(markdown: string): Text[] {
  const texts: Text[] = [];
  let open: Text | undefined;
  let fence: string | undefined;
  const lines = markdown.replaceAll(/<!--[\s\S]*?-->/g, (comment) => comment.replaceAll(/[^\n]/g, "")).split("\n");
  lines.forEach((raw, index) => {
    const line = raw.trim();
    const mark = /^(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      return;
    }
    if (mark !== undefined) {
      fence = mark;
      open = undefined;
      return;
    }
    if (line === "" || /^#{1,6} /.test(line) || /^\|?[\s:|-]+\|?$/.test(line)) {
      open = undefined;
      return;
    }
    if (line.startsWith("|")) {
      open = undefined;
      for (const cell of plain(line.replaceAll("<br>", "|")).replaceAll("\\|", " ").split("|")) {
        texts.push({ isCell: true, pieces: [{ text: cell, line: index + 1 }] });
      }
      return;
    }
    const item = /^(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line.replace(/^(> ?)+/, ""));
    if (item !== null || open === undefined) {
      open = { isCell: false, pieces: [] };
      texts.push(open);
    }
    open.pieces.push({ text: item?.[1] ?? line, line: index + 1 });
  });
  return texts.map((text) => (text.isCell ? text : { ...text, pieces: plainPieces(text.pieces) }));
}

/** Takes the marks out of a whole paragraph at once, as code and links may continue over the end of a line. */
function plainPieces(pieces: readonly Piece[]): Piece[] {
  const texts = plain(pieces.map(({ text }) => text).join("\n")).split("\n");
  return texts.map((text, index) => ({ text, line: pieces[index]?.line ?? 0 }));
}

/** The text without its marks, with as many lines as before; code is one word that begins like a name. */
function plain(text: string): string {
  const lineEnds = (part: string) => "\n".repeat(part.split("\n").length - 1);
  return text
    .replaceAll(
      /(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g,
      (_, __, code: string) =>
        `C·${code
          .trim()
          .replaceAll(/\s+/g, "·")
          .replaceAll(/[|.!?…]/g, "·")}${lineEnds(code)}`,
    )
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, lineEnds)
    .replaceAll(/\[[\d.]+\]\([^)]*\)/g, lineEnds)
    .replaceAll(/\]\([^)]*\)/g, (target) => lineEnds(target))
    .replaceAll("[", "")
    .replaceAll(/<\/?[a-z][^>]*>/g, lineEnds)
    .replaceAll(/\*\*|__/g, "");
}

function view(text: string): string {
  const readable = text.replaceAll(/C·(\S*)/g, (_, code: string) => `\`${code.replaceAll("·", " ")}\``);
  return readable.length > 90 ? `${readable.slice(0, 90)}…` : readable;
}

function main(args: readonly string[]): void {
  const named = args.filter((arg) => !arg.startsWith("--"));
  const judged = (named.length > 0 ? named : pages()).map(judge);
  const isExcused = ({ file }: Judgement) => named.length === 0 && excused.includes(file);
  const wrong = judged.filter((page) => !page.isRight && !isExcused(page));
  const viewPages = args.includes("--all") ? judged.filter(({ isRight }) => !isRight) : wrong;
  for (const { file, average, tooLong } of viewPages) {
    for (const { line, words, text } of tooLong) console.log(`${file}:${line}: ${words} words: ${view(text)}`);
    if (average > highestAverage) console.log(`${file}: ${average.toFixed(1)} words a sentence on average`);
  }
  const mended = judged.filter((page) => page.isRight && isExcused(page)).map(({ file }) => file);
  for (const file of mended) console.log(`${file} is right: it leaves the list in scripts/sentences.ts`);
  const removed = named.length > 0 ? [] : excused.filter((file) => !judged.some((page) => page.file === file));
  for (const file of removed) console.log(`${file} is no page: it leaves the list in scripts/sentences.ts`);
  process.exit(wrong.length + mended.length + removed.length === 0 ? 0 : 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
