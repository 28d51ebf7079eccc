import type { Contract } from "@trellis/kernel/endpoint.js";

/** A contract's path as Fastify spells it: `{address}` is `:address`, and a colon of its own is doubled. */
export function routePathOf(path: string): string {
  return path.replaceAll(":", "::").replaceAll(/\{(\w+)\}/g, ":$1");
}

/** A contract's path with its parameters filled in, each encoded anew: one spelling for one resource. */
export function filledPathOf(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(params[name])));
}

/** Makes the function that names the methods a concrete path knows, for `allow`; empty for an unknown path. */
export function createMethodFinder(
  contracts: readonly Pick<Contract, "method" | "path">[],
): (path: string) => readonly string[] {
  const methodsByPath = new Map<string, Set<string>>();
  for (const { method, path } of contracts) {
    const methods = methodsByPath.get(path) ?? new Set();
    methodsByPath.set(path, methods.add(method));
    if (method === "GET") methods.add("HEAD");
  }
  const patterns = [...methodsByPath].map(([path, methods]) => {
    const literal = path.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return { pattern: new RegExp(`^${literal.join("[^/]+")}$`), methods };
  });
  return (path) => {
    const found = new Set<string>();
    for (const { pattern, methods } of patterns) {
      if (pattern.test(path)) for (const method of methods) found.add(method);
    }
    return [...found].sort();
  };
}

/** The path of a request's target, without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}
