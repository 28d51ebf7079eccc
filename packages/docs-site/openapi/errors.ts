import type { Contract } from "@trellis/kernel/endpoint.js";
import { type ErrorCode, errorCatalogue, wireCode } from "@trellis/kernel/errors.js";
import { floorErrors } from "../../../src/http/floor-errors.js";
import { headerRefs } from "./headers.js";
import { pascal } from "./schemas.js";

/** The errors of every operation by status, and those that several have, by name. */
export interface DescribedErrors {
  of(contract: Contract): Record<string, object>;
  readonly shared: Readonly<Record<string, object>>;
}

/**
 * Describes what operations can be refused with. The same refusals of several operations are one component, called by the
 * code where there is one, otherwise by the first operation that has them.
 */
export function describeErrors(contracts: readonly Contract[]): DescribedErrors {
  const uses = new Map<string, { count: number; readonly name: string }>();
  for (const contract of contracts) {
    for (const [status, codes] of codesByStatus(contract)) {
      const [only, ...others] = new Set(codes.map(wireCode));
      const name = only !== undefined && others.length === 0 ? pascal(only) : `${pascal(contract.operation)}${status}`;
      const key = keyOf(status, codes);
      const use = uses.get(key) ?? { count: 0, name };
      use.count += 1;
      uses.set(key, use);
    }
  }
  const shared: Record<string, object> = {};
  return {
    shared,
    of: (contract) => {
      const described: Record<string, object> = {};
      for (const [status, codes] of codesByStatus(contract)) {
        const { count = 0, name = "" } = uses.get(keyOf(status, codes)) ?? {};
        const response = describe(status, codes);
        if (count > 1) shared[name] = response;
        described[String(status)] = count > 1 ? { $ref: `#/components/responses/${name}` } : response;
      }
      if (!Object.keys(described).some((status) => status.startsWith("4"))) {
        shared.Refused = describe(400, ["invalid_request"]);
        described["4XX"] = { $ref: "#/components/responses/Refused" };
      }
      return described;
    },
  };
}

const keyOf = (status: number, codes: readonly ErrorCode[]): string => `${status} ${codes.join(" ")}`;

const catalogueOrder = Object.keys(errorCatalogue) as ErrorCode[];

/** Its own first, then those of many: the same codes stand in the same order wherever they stand. */
function codesByStatus(contract: Contract): Map<number, ErrorCode[]> {
  const floor = new Set(floorErrors(contract));
  const own = new Set<ErrorCode>(contract.errors);
  const ordered = [
    ...catalogueOrder.filter((code) => own.has(code) && !floor.has(code)),
    ...catalogueOrder.filter((code) => floor.has(code)),
  ];
  const found = new Map<number, ErrorCode[]>();
  for (const code of ordered) {
    const [status] = errorCatalogue[code];
    found.set(status, [...(found.get(status) ?? []), code]);
  }
  return found;
}

function describe(status: number, codes: readonly ErrorCode[]): object {
  // Not an enum of the schema: clients made from it would refuse a code that is added later. What each means stands once, in
  // the catalogue of errors.
  const wire = [...new Set(codes.map(wireCode))];
  return {
    description: wire.map((code) => `\`${code}\``).join(", "),
    headers: headerRefs([
      "x-request-id",
      ...(status === 429 || status === 409 ? (["retry-after"] as const) : []),
      ...(status === 401 ? (["www-authenticate"] as const) : []),
    ]),
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
}
