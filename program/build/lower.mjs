// Rewrites textual LLVM IR so that the upstream BPF backend accepts it. Usage: node lower.mjs in.ll out.ll
//
// The backend has no library calls. Two kinds of operation would become some:
//  - memcpy, memmove and memset of unknown or large size: made calls of the machine's own functions;
//  - multiplication with overflow check (`checked_mul`, growing a Vec): made plain multiplication and division.
// It also refuses functions whose result is marked as returned through memory, although passing the pointer is all
// that it has to do: the mark is removed.

import { readFileSync, writeFileSync } from "node:fs";

/** Largest constant size in bytes that the backend expands into single loads and stores. */
const LARGEST_INLINE_BYTES = 96;

/** Splits a call's argument text at the commas outside of any bracket. */
function splitArguments(text) {
  const parts = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if ("([{<".includes(text[i])) depth++;
    else if (")]}>".includes(text[i])) depth--;
    else if (text[i] === "," && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts.map((part) => part.trim());
}

/** `ptr noundef nonnull align 8 %x` → `%x`; constant expressions such as `getelementptr (…)` stay whole. */
function withoutAttributes(argument) {
  const expression = argument.match(/(?:getelementptr|inttoptr)\b.*$/);
  if (expression) return expression[0];
  return argument.slice(argument.lastIndexOf(" ") + 1);
}

/** Position after the bracket that closes the one at `open`. */
function closingBracket(text, open) {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === "(") depth++;
    else if (text[i] === ")" && --depth === 0) return i;
  }
  throw new Error(`unbalanced brackets: ${text}`);
}

const usedFunctions = new Set();

/** One line of a memory intrinsic as a call of the machine's function, or unchanged when it is small. */
function lowerMemoryCall(line, name) {
  const open = line.indexOf("(", line.indexOf("@llvm."));
  const [to, from, size] = splitArguments(line.slice(open + 1, closingBracket(line, open))).map(withoutAttributes);
  if (/^\d+$/.test(size) && Number(size) <= LARGEST_INLINE_BYTES) return line;
  usedFunctions.add(name);
  const second = name === "memset" ? `i8 ${from}` : `ptr ${from}`;
  return `  call void @sol_${name}_(ptr ${to}, ${second}, i64 ${size})`;
}

const CHECKED_MUL = "@llvm.umul.with.overflow.i64";
const CHECKED_MUL_BODY = `
define internal { i64, i1 } @checked_mul(i64 %a, i64 %b) alwaysinline {
  %product = mul i64 %a, %b
  %a_is_zero = icmp eq i64 %a, 0
  %divisor = select i1 %a_is_zero, i64 1, i64 %a
  %quotient = udiv i64 %product, %divisor
  %differs = icmp ne i64 %quotient, %b
  %overflow = select i1 %a_is_zero, i1 false, i1 %differs
  %partial = insertvalue { i64, i1 } poison, i64 %product, 0
  %result = insertvalue { i64, i1 } %partial, i1 %overflow, 1
  ret { i64, i1 } %result
}
`;

/** A checked multiplication as a call of the function above; the optimizer inlines it. */
function lowerCheckedMul(line) {
  const start = line.indexOf("call { i64, i1 }");
  const open = line.indexOf("(", line.indexOf(CHECKED_MUL));
  const close = closingBracket(line, open);
  const result = line.slice(0, start).replace(/\b(tail|notail|musttail) $/, "");
  return `${result}call { i64, i1 } @checked_mul(${line.slice(open + 1, close)})`;
}

const RESULT_IN_MEMORY = /\bsret\([^)]*\) /g;

function lowerLine(original) {
  const line = original.replace(RESULT_IN_MEMORY, "");
  if (line.startsWith("declare") && line.includes(CHECKED_MUL)) return "";
  if (!/\bcall\b/.test(line)) return line;
  const memory = line.match(/@llvm\.(memcpy|memmove|memset)\.p0/);
  if (memory) return lowerMemoryCall(line, memory[1]);
  if (line.includes(CHECKED_MUL)) return lowerCheckedMul(line);
  return line;
}

const [, , input, output] = process.argv;
const source = readFileSync(input, "utf8");
let lowered = source.split("\n").map(lowerLine).join("\n");
if (source.includes(CHECKED_MUL)) lowered += CHECKED_MUL_BODY;
for (const name of usedFunctions) {
  if (!new RegExp(`^declare [^\\n]*@sol_${name}_\\(`, "m").test(lowered)) {
    lowered += `\ndeclare void @sol_${name}_(ptr, ${name === "memset" ? "i8" : "ptr"}, i64)\n`;
  }
}
writeFileSync(output, lowered);
