import { TrellisError } from "@trellis/kernel/errors.js";

/**
 * Throws `invalid_request` for the character zero in any text of a JSON body, names included: no database keeps it, and no
 * caller's text has it. `text` is the body as it was received, `body` what it says.
 */
export function refuseZeroCharacters(text: string, body: unknown): void {
  // JSON has no other way to say it: nearly every body is not searched.
  if (!text.includes("\\u0000")) return;
  const field = findZero(body);
  if (field === undefined) return;
  throw new TrellisError("invalid_request", { field, message: `${field} has the character zero, which no text has.` });
}

interface Place {
  readonly value: unknown;
  readonly path: string;
}

const zero = "\u0000";
/** No field has a name that long. */
const pathMax = 200;

/** The path of the first text with it. A body may be so deep that no function could call itself for each level. */
function findZero(body: unknown): string | undefined {
  const left: Place[] = [{ value: body, path: "" }];
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    const { value, path } = place;
    if (typeof value === "string" && value.includes(zero)) return path || "body";
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      const at = `${path === "" ? "" : `${path}.`}${name.replaceAll(zero, "")}`.slice(0, pathMax);
      if (name.includes(zero)) return at || "body";
      left.push({ value: inner, path: at });
    }
  }
  return undefined;
}
