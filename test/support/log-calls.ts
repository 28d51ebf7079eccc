import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { sourcesIn } from "./imports-of.js";

/** One line that the service can write. */
export interface LogCall {
  readonly file: string;
  readonly level: string;
  readonly event: string;
  readonly message: string;
  /** What an operator has to do: the comment `// operator: …` above the call. */
  readonly operator: string | undefined;
}

/** What the log calls of a source are, and what is wrong with their form, with the place. */
interface LogCalls {
  readonly calls: readonly LogCall[];
  readonly faults: readonly string[];
}

const levels: readonly string[] = ["trace", "debug", "info", "warn", "error", "fatal"];
const logNames: readonly string[] = ["log", "logger"];
const logTypes: readonly string[] = ["Log", "Logger", "FastifyBaseLogger"];
/** Where lines are passed on to pino, whatever they are. */
const adapter = "adapters/log/pino-log.ts";

/** The log calls of everything that runs as the service, tests aside. */
export function logCallsIn(root: string): LogCalls {
  const files = ["src", "packages"]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => sourcesIn(root, folder))
    .filter((file) => !file.endsWith(adapter) && !/\/(?:node_modules|dist)\//.test(file));
  const all = files.map((file) => logCallsOf(file, readFileSync(join(root, file), "utf8")));
  return { calls: all.flatMap(({ calls }) => calls), faults: all.flatMap(({ faults }) => faults) };
}

/** The log calls of one source. `file` is its path from the root of the repository. */
export function logCallsOf(file: string, text: string): LogCalls {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lines = text.split("\n");
  const calls: LogCall[] = [];
  const faults: string[] = [];
  const lineOf = (node: ts.Node) => source.getLineAndCharacterOfPosition(node.getStart()).line;
  const fault = (node: ts.Node, what: string) => void faults.push(`${file}:${lineOf(node) + 1}: ${what}`);
  const visit = (node: ts.Node): void => {
    const hidden = hiddenLog(node);
    if (hidden !== undefined) fault(node, hidden);
    if (ts.isPropertyAccessExpression(node) && isLog(node.expression) && levels.includes(node.name.text)) {
      const said =
        ts.isCallExpression(node.parent) && node.parent.expression === node ? saidBy(node.parent) : undefined;
      if (said === undefined) fault(node, "is no call with fields and a message");
      else if (typeof said === "string") fault(node, said);
      else calls.push({ file, level: node.name.text, ...said, operator: operatorAbove(lines, lineOf(node)) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { calls, faults };
}

/** Event and message of a call, or what is wrong with it. */
function saidBy(call: ts.CallExpression): Pick<LogCall, "event" | "message"> | string {
  const [fields, message, ...others] = call.arguments;
  if (fields === undefined || !ts.isObjectLiteralExpression(fields)) return "its fields are no object literal";
  const named = (name: string) => fields.properties.filter((one) => one.name?.getText() === name);
  const [event, ...more] = named("event");
  if (event === undefined || more.length > 0) return "has no event, or several";
  if (event !== fields.properties[0]) return "its event is not its first field";
  if (!ts.isPropertyAssignment(event) || !ts.isStringLiteral(event.initializer)) return "its event is no literal";
  if (named("error").length > 0) return "names what was thrown `error` and not `err`";
  if (named("signature").length > 0) return "names a signature, which the log hides: say transaction_signature";
  if (message === undefined || !ts.isStringLiteral(message) || others.length > 0) return "its message is no literal";
  return { event: event.initializer.text, message: message.text };
}

/** How a log is reached under a name by which its calls are not found; undefined: this is no such place. */
function hiddenLog(node: ts.Node): string | undefined {
  if (ts.isElementAccessExpression(node) && isLog(node.expression))
    return "takes a level of the log by a computed name";
  if (ts.isParameter(node) || ts.isPropertySignature(node) || ts.isVariableDeclaration(node)) {
    const type = node.type;
    const isTyped = type !== undefined && ts.isTypeReferenceNode(type) && logTypes.includes(type.typeName.getText());
    if (isTyped && !logNames.includes(node.name.getText())) return `a log has the name ${node.name.getText()}`;
  }
  if (ts.isVariableDeclaration(node) && node.initializer !== undefined && isLog(node.initializer))
    return logNames.includes(node.name.getText()) ? undefined : `a log has the name ${node.name.getText()}`;
  if (ts.isBindingElement(node) && logNames.includes(node.propertyName?.getText() ?? ""))
    return logNames.includes(node.name.getText()) ? undefined : `a log has the name ${node.name.getText()}`;
  return undefined;
}

function isLog(node: ts.Expression): boolean {
  const name = ts.isPropertyAccessExpression(node) ? node.name : node;
  return ts.isIdentifier(name) && logNames.includes(name.text);
}

/** `// operator: …` among the comments right above a line, without its mark. */
function operatorAbove(lines: readonly string[], line: number): string | undefined {
  const comments: string[] = [];
  for (let at = line - 1; /^\s*\/\//.test(lines[at] ?? ""); at -= 1)
    comments.unshift((lines[at] ?? "").replace(/^\s*\/\/\s?/, ""));
  const begun = comments.findIndex((comment) => comment.startsWith("operator: "));
  return begun < 0 ? undefined : comments.slice(begun).join(" ").replace("operator: ", "");
}
