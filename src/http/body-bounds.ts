import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";

interface Place {
  readonly value: unknown;
  readonly path: string;
}

/**
 * Throws `invalid_request` for a JSON body with a list that is longer than any that is accepted, or with more values than any
 * request has: before its schema is checked, which takes time for each of them. A body may be so deep that no function could
 * call itself for each level.
 */
export function refuseLongBodies(body: unknown): void {
  let values = 0;
  const left: Place[] = [{ value: body, path: "" }];
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    const { value, path } = place;
    values += 1;
    if (values + left.length > limits.bodyValues) {
      throw new TrellisError("invalid_request", { message: `The body has more than ${limits.bodyValues} values.` });
    }
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      if (value.length > limits.bodyListItems) {
        const message = `${path || "The body"} has ${value.length} items; no list has more than ${limits.bodyListItems}.`;
        throw new TrellisError("invalid_request", { field: path || "body", message });
      }
      for (const inner of value) left.push({ value: inner, path });
    } else {
      for (const [name, inner] of Object.entries(value)) {
        left.push({ value: inner, path: `${path === "" ? "" : `${path}.`}${name}`.slice(0, 200) });
      }
    }
  }
}
