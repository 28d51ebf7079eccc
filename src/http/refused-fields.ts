import type { Contract } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";

/** How deep bodies are searched: a field of a field of a field. */
const depthMax = 3;

/**
 * Makes the check for bodies in which a word that cannot be carried out must not be ignored: it throws `invalid_request`
 * with `field_unknown` for such a field, wherever it stands with a value. `refused` says for each name why, and what to use.
 */
export function compileRefusedFields(
  refused: NonNullable<Contract["refusesFields"]> | undefined,
): ((body: unknown) => void) | undefined {
  if (refused === undefined) return undefined;
  const reasons = new Map(Object.entries(refused).map(([name, reason]) => [plainOf(name), reason]));
  const search = (value: unknown, path: readonly string[]): void => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      const reason = inner === null ? undefined : reasons.get(plainOf(name));
      if (reason !== undefined) throw refusal([...path, name].join("."), reason);
      if (path.length + 1 < depthMax) search(inner, [...path, name]);
    }
  };
  return (body) => search(body, []);
}

/** The same name whatever its capitals, underscores and hyphens. */
function plainOf(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

function refusal(field: string, { why, use }: { readonly why: string; readonly use?: string }): TrellisError {
  const message = `${field} is not a known field here; ${why}.`;
  return new TrellisError("invalid_request", {
    message,
    details: [{ field, code: "field_unknown", message, ...(use === undefined ? {} : { suggestion: use }) }],
  });
}
