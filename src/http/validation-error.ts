import { type ErrorDetail, TrellisError } from "@trellis/kernel/errors.js";

/** What ajv reports about one broken rule. */
export interface BrokenRule {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
}

/** Details in one answer at most, and broken rules read to find them: a long list can break any number. */
const detailsMax = 20;
const rulesMax = 500;

/** Our own word for a union of which the value fits no branch, and aims at none. */
const noForm = "noForm";

/** More exact codes for `details[].code`: permanent, like the catalogue's. */
const codeByKeyword: Readonly<Record<string, string>> = {
  required: "field_required",
  type: "field_wrong_type",
  additionalProperties: "field_unknown",
  enum: "field_not_allowed",
  const: "field_not_allowed",
  [noForm]: "field_not_allowed",
  format: "field_malformed",
  pattern: "field_malformed",
  minLength: "field_too_short",
  maxLength: "field_too_long",
  minItems: "field_too_short",
  maxItems: "field_too_long",
  minimum: "field_out_of_range",
  maximum: "field_out_of_range",
  exclusiveMinimum: "field_out_of_range",
  exclusiveMaximum: "field_out_of_range",
};

/**
 * The `invalid_request` for broken rules of a request part, one detail a field, 20 at most (gap 3). `part` is `body`,
 * `querystring`, `params` or `headers`. No value of the request is repeated: it may be a secret.
 */
export function validationError(rules: readonly BrokenRule[], part: string): TrellisError {
  const details: ErrorDetail[] = [];
  const fields = new Set<string>();
  for (const rule of withoutUnions(rules.slice(0, rulesMax))) {
    const field = fieldOf(rule, part);
    if (fields.has(field)) continue;
    fields.add(field);
    const message = `${nameOf(field, part)} ${complaintOf(rule)}.`;
    const code = codeByKeyword[rule.keyword] ?? "invalid_request";
    details.push({ ...(field === "" ? {} : { field }), code, message });
    if (details.length === detailsMax) break;
  }
  const message = details[0]?.message;
  return new TrellisError("invalid_request", message === undefined ? {} : { message, details });
}

function nameOf(field: string, part: string): string {
  if (field !== "") return part === "querystring" ? `The query parameter ${field}` : field;
  return part === "body" ? "The body" : part === "querystring" ? "The query" : "The path";
}

/**
 * `/policies/signers/0` as `policies.signers.0`, and the missing or unknown property behind it. A query parameter is called
 * by its name, although it may stand there several times.
 */
function fieldOf(rule: BrokenRule, part: string): string {
  const path = rule.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const property = rule.params.missingProperty ?? rule.params.additionalProperty;
  if (typeof property === "string") path.push(property.length > 100 ? `${property.slice(0, 100)}…` : property);
  return part === "querystring" ? (path[0] ?? "") : path.join(".");
}

const typeWords: Readonly<Record<string, string>> = {
  string: "a string",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

function complaintOf({ keyword, params, message }: BrokenRule): string {
  const limit = String(params.limit);
  switch (keyword) {
    case "required":
      return "is required";
    case "type":
      return `must be ${[params.type]
        .flat()
        .map((type) => typeWords[String(type)] ?? String(type))
        .join(" or ")}`;
    case "additionalProperties":
      return "is not a known field here";
    case "const":
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case "enum":
      return `must be one of ${listOf(params.allowedValues)}`;
    case "minLength":
      return `must have at least ${counted(limit, "character", "characters")}`;
    case "maxLength":
      return `must have at most ${counted(limit, "character", "characters")}`;
    case "minItems":
      return `must have at least ${counted(limit, "entry", "entries")}`;
    case "maxItems":
      return `must have at most ${counted(limit, "entry", "entries")}`;
    case "uniqueItems":
      return "must not name an entry twice";
    case "minimum":
      return `must be at least ${limit}`;
    case "maximum":
      return `must be at most ${limit}`;
    case "format":
      return `must be a well-formed ${String(params.format)}`;
    case "pattern":
      return `must match ${String(params.pattern)}`;
    case noForm:
      return "fits none of the allowed forms";
    default:
      return message ?? "is not valid";
  }
}

const counted = (count: string, one: string, several: string): string => `${count} ${count === "1" ? one : several}`;

function listOf(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(", ") : "";
}

/**
 * Replaces what ajv says about every branch of a failed union by what the caller most likely got wrong: the rules of the
 * branch they aimed at, recognised by its constants, or one rule that sums the branches up.
 */
function withoutUnions(rules: readonly BrokenRule[]): readonly BrokenRule[] {
  const union = rules
    .filter((rule) => rule.keyword === "anyOf" || rule.keyword === "oneOf")
    .sort((a, b) => a.schemaPath.length - b.schemaPath.length)[0];
  if (!union) return rules;
  const prefix = `${union.schemaPath}/`;
  const isInside = (rule: BrokenRule) =>
    rule.schemaPath.startsWith(prefix) && `${rule.instancePath}/`.startsWith(`${union.instancePath}/`);
  const branches = new Map<string, BrokenRule[]>();
  for (const rule of rules.filter(isInside)) {
    const name = rule.schemaPath.slice(prefix.length).split("/", 1)[0] ?? "";
    branches.set(name, [...(branches.get(name) ?? []), rule]);
  }
  const explained = explainUnion(union, [...branches.values()]);
  return withoutUnions(rules.flatMap((rule) => (rule === union ? explained : isInside(rule) ? [] : [rule])));
}

function explainUnion(union: BrokenRule, branches: readonly (readonly BrokenRule[])[]): readonly BrokenRule[] {
  const unexplained = [{ ...union, keyword: noForm }];
  const reported = reportingConstants(union, branches);
  if (reported) return [reported];
  const distanceOf = distanceFrom(union);
  const own = branches.map((rules) => {
    const atRoot = rules.filter((rule) => rule.instancePath === union.instancePath && rootRules.has(rule.keyword));
    return atRoot.find((rule) => rule.keyword === "const") ?? atRoot[0];
  });
  const aimedAt = branches
    .filter((_, index) => own[index] === undefined)
    .sort((a, b) => distanceOf(a) - distanceOf(b))[0];
  if (aimedAt) return aimedAt;
  const constants = own.flatMap((rule) => (rule?.keyword === "const" ? [rule.params.allowedValue] : []));
  if (branches.length > 0 && constants.length === branches.length) {
    return [{ ...union, keyword: "enum", params: { allowedValues: constants } }];
  }
  const types = own.flatMap((rule) => (rule?.keyword === "type" ? [rule.params.type] : []));
  if (branches.length > 0 && types.length === branches.length) {
    return [{ ...union, keyword: "type", params: { type: [...new Set(types.flat())] } }];
  }
  return unexplained;
}

/**
 * Every branch asks for another constant in one field: all of them are what it can be, not the one that happens to be first.
 * Branches that have such a constant as the name of a field (`{<type>: {…}}`) say the same in another spelling.
 */
function reportingConstants(union: BrokenRule, branches: readonly (readonly BrokenRule[])[]): BrokenRule | undefined {
  const reporting = branches.map((rules) => rules.find((rule) => isReporting(rule, union)));
  const [first] = reporting;
  if (first === undefined || branches.length < 2) return undefined;
  const allowedValues = reporting.flatMap((rule) => (rule === undefined ? [] : [rule.params.allowedValue]));
  const isSaid = (rule: BrokenRule | undefined, i: number) =>
    rule === undefined
      ? branches[i]?.every(({ params: { missingProperty } }) => allowedValues.includes(missingProperty))
      : rule.instancePath === first.instancePath;
  if (!reporting.every(isSaid)) return undefined;
  return { ...union, instancePath: first.instancePath, keyword: "enum", params: { allowedValues } };
}

/** Rules that say that a value is not of a branch at all. */
const rootRules: ReadonlySet<string> = new Set(["type", "const", "enum"]);

/** A constant in a field of the union's own value: one further inside says nothing of which branch is meant. */
const isReporting = ({ keyword, instancePath }: BrokenRule, union: BrokenRule): boolean =>
  keyword === "const" && /^\/[^/]+$/.test(instancePath.slice(union.instancePath.length));

/** How far a value is from a branch: a wrong constant weighs more than anything else. */
function distanceFrom(union: BrokenRule): (rules: readonly BrokenRule[]) => number {
  const weightOf = (rule: BrokenRule) => (isReporting(rule, union) ? 1_000_000 : rule.keyword === "required" ? 10 : 1);
  return (rules) => rules.reduce((sum, rule) => sum + weightOf(rule), 0);
}
