import { Compile } from "typebox/compile";
import { type OperationName, operations } from "../custody/protocol/operations.js";
import type { CustodianContext } from "./context.js";
import { handlers } from "./handlers.js";
import { type PlainAnswer, ProtocolError } from "./refusals.js";

interface Route {
  readonly name: OperationName;
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  /** Undefined: it has no body. */
  readonly takes: ((body: unknown) => boolean) | undefined;
}

const routes: readonly Route[] = (Object.keys(operations) as OperationName[]).map((name) => {
  const { method, path, ...rest } = operations[name];
  const names = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, parameter = ""]) => parameter);
  const checker = "body" in rest ? Compile(rest.body) : undefined;
  return {
    name,
    method,
    names,
    pattern: new RegExp(`^${path.replace(/\{[a-z_]+\}/g, "([A-Za-z0-9_-]{1,64})")}$`),
    takes: checker === undefined ? undefined : (body) => checker.Check(body),
  };
});

/** Carries out an authenticated request. Throws ProtocolError and CustodyRefusal. */
export async function dispatch(
  context: CustodianContext,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: Uint8Array },
): Promise<PlainAnswer> {
  for (const route of routes) {
    const found = route.method === method ? route.pattern.exec(path) : null;
    if (found === null) continue;
    const params = Object.fromEntries(route.names.map((name, i) => [name, found[i + 1] ?? ""]));
    const asked = { params, body: readBody(route, body) };
    // The body was checked against the operation's own schema, which is what the handler's type is made of.
    const handle = handlers[route.name] as (context: CustodianContext, asked: unknown) => Promise<unknown>;
    return { status: 200, body: await handle(context, asked) };
  }
  throw new ProtocolError("not_found", "There is no such operation.");
}

function readBody({ takes }: Route, bytes: Uint8Array): unknown {
  if (takes === undefined) {
    if (bytes.length > 0) throw new ProtocolError("invalid_request", "The operation takes no body.");
    return undefined;
  }
  const body = parseJson(bytes);
  if (body === undefined || !takes(body)) {
    throw new ProtocolError("invalid_request", "The body is not one of this operation.");
  }
  return body;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // Text that is no JSON is one of the answers of a parser of untrusted input.
    return undefined;
  }
}
