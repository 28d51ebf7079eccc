import type { Contract } from "@trellis/kernel/endpoint.js";
import { asDocumented, formOf, type JsonSchema, jsonSchemaOf } from "../../src/http/json-schema.js";
import { exampleOf, exampleOfAnswer, exampleOfBody } from "./openapi/examples.js";
import { tagDescriptions } from "./openapi/tags.js";
import type { DocPage } from "./page.js";

/** Fields that lie deeper are left to `openapi.json`: a table of them would hide the others. */
const depthMax = 4;

/** Where the rules about the operations of a tag are written, in `docs/api/`. */
const rulesOf: Readonly<Record<string, string>> = {
  Accounts: "accounts",
  Authentication: "sessions",
  Users: "users",
  Passkeys: "passkeys",
  "Passkey signers": "passkey-signers",
  "Wallet exports": "wallet-exports",
  "Wallet imports": "wallet-imports",
  Transactions: "transactions",
  Payments: "payment-intents",
  "Standing orders": "standing-orders",
  Proposals: "proposals",
  "Spending limits": "spending-limits",
  Rails: "rails",
  KYC: "rails",
  "Virtual accounts": "rails",
  Legacy: "legacy",
  Events: "events",
  "API keys": "api-keys",
  "Treasury pages": "treasury-pages",
  Tenants: "api-keys",
  Members: "members",
  Console: "members",
  "Audit log": "audit",
  Requests: "requests",
  Sandbox: "sandbox",
  Operations: "server",
};

/**
 * A page for every noun of the API: its operations, read off their contracts. `written` are the slugs of the pages that
 * are there besides.
 */
export function referencePages(contracts: readonly Contract[], written: ReadonlySet<string>): readonly DocPage[] {
  return tagsOf(contracts).map((tag) => ({
    slug: slugOf(tag),
    // The page of the contract about the same noun has the noun alone.
    title: `${tag}: fields`,
    group: "Reference" as const,
    markdown: () =>
      `# ${tag}: fields\n\n${introductionOf(tag, written)}${contracts
        .filter((contract) => contract.tag === tag)
        .map(operation)
        .join("\n")}`,
  }));
}

/** The nouns in the order in which they are read. Those of operators are last. */
export function tagsOf(contracts: readonly Contract[]): readonly string[] {
  const nouns = [...new Set(contracts.map(({ tag }) => tag))];
  return [...nouns.filter((tag) => tag !== "Operations"), ...nouns.filter((tag) => tag === "Operations")];
}

/** The pages with the fields of what a page of the contract is about. */
export function referencesOf(contractSlug: string, pages: readonly DocPage[]): readonly DocPage[] {
  const tags = Object.keys(rulesOf).filter((tag) => `contract-${rulesOf[tag]}` === contractSlug);
  return pages.filter(({ slug }) => tags.some((tag) => slugOf(tag) === slug));
}

/** Where the OpenAPI document of one noun alone is served. */
export const documentPath = (tag: string): string => `/docs/openapi/${wordsOf(tag)}.json`;

const slugOf = (tag: string): string => `api-${wordsOf(tag)}`;

const wordsOf = (tag: string): string => tag.toLowerCase().replaceAll(" ", "-");

function introductionOf(tag: string, written: ReadonlySet<string>): string {
  const slug = `contract-${rulesOf[tag]}`;
  const rules = written.has(slug) ? ` What they do, and the rules, are in [the contract](/docs/${slug}).` : "";
  const path = documentPath(tag);
  return `${tagDescriptions[tag] ?? ""}\n\nAn example and the fields of each call.${rules} For programs: [${path}](${path}).\n\n`;
}

function operation(contract: Contract): string {
  const { body, query, params, response } = contract;
  const schemas: [string, JsonSchema | undefined][] = [
    ["In the path", params && jsonSchemaOf(params)],
    ["In the query", query && jsonSchemaOf(query)],
    ["In the body", body && jsonSchemaOf(body)],
    [`Answer: ${response.status}${response.envelope ? ", below `data`" : ""}`, jsonSchemaOf(response.schema)],
  ];
  const tables = schemas.flatMap(([title, schema]) => {
    const rows = schema ? fieldsOf(schema, "", 0) : [];
    if (rows.length === 0) return [];
    return [`**${title}**\n\n| Field | Type | Meaning |\n| --- | --- | --- |\n${rows.join("\n")}\n`];
  });
  const errors = contract.errors.map((code) => `[\`${code}\`](/docs/errors#${code})`).join(", ");
  return [
    `## ${contract.summary}\n`,
    `\`\`\`\n${contract.method} ${contract.path}\n\`\`\`\n`,
    `[Try it in the API explorer](${inConsole(contract)})\n`,
    contract.description ? `${contract.description}\n` : "",
    `${needs(contract)}\n`,
    `**Example**\n\n\`\`\`sh\n${exampleRequest(contract)}\n\`\`\`\n`,
    `\`\`\`json\n${JSON.stringify(exampleOfAnswer(contract), null, 2)}\n\`\`\`\n`,
    ...tables,
    errors === "" ? "" : `Errors besides those that every call can meet: ${errors}.\n`,
  ].join("\n");
}

/** Where the console shows a call: after `#`, its own name for it. */
const inConsole = ({ tag, method, path }: Contract): string =>
  `/docs/api/#tag/${tag.toLowerCase().replaceAll(" ", "-")}/${method}${path}`;

function needs({ scope, environment, idempotent, method }: Contract): string {
  const parts = [
    scope === null ? "Needs no API key." : `Scope \`${scope}\`.`,
    environment === "required" ? "Needs the header `x-service-environment`." : "",
    environment === "sandbox" ? "In the sandbox only." : "",
    method !== "GET" && idempotent !== false ? "Takes an `x-idempotency-key`." : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

/** The call in curl, with values that fit; `$TRELLIS` is the service's address. */
function exampleRequest(contract: Contract): string {
  const { method, path, scope, environment, params, query, body, needsSession } = contract;
  const values = (params ? exampleOf(jsonSchemaOf(params)) : {}) as Readonly<Record<string, unknown>>;
  const asked = (query ? exampleOf(jsonSchemaOf(query)) : {}) as Readonly<Record<string, unknown>>;
  const search = new URLSearchParams(
    Object.entries(asked).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name]));
  const hasEnvironment = environment === "optional" || environment === "required";
  const parts = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$TRELLIS${filled}${search === "" ? "" : `?${search}`}"`,
    ...(scope === null ? [] : ['-H "authorization: Bearer $TRELLIS_API_KEY"']),
    ...(hasEnvironment ? ['-H "x-service-environment: sandbox"'] : []),
    ...(needsSession ? ['-H "x-session-token: $TOKEN"'] : []),
    ...(body
      ? [
          '-H "content-type: application/json"',
          `-d '${JSON.stringify(exampleOfBody(contract), null, 2).replaceAll("'", "'\\''")}'`,
        ]
      : []),
  ];
  return parts.join(" \\\n  ");
}

/** A row of Markdown for every field of an object, of the objects in it, and of the forms it may have. */
function fieldsOf(declared: JsonSchema, path: string, depth: number): string[] {
  if (depth > depthMax) return [];
  const schema = asDocumented(declared);
  const forms = schema.anyOf ?? schema.oneOf;
  const rows = [
    ...(schema.allOf ?? []).flatMap((part) => fieldsOf(part, path, depth)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const here = path === "" ? name : `${path}.${name}`;
      const optional = schema.required?.includes(name) ? "" : ", optional";
      const meaning = field.description ?? formOf(field).description ?? "";
      const type = `${typeOf(field)}${defaultOf(field)}`;
      const row = `| \`${here}\` | ${inCell(type)}${optional} | ${inCell(meaning)} |`;
      return [row, ...fieldsOf(field, here, depth + 1)];
    }),
    ...(forms ?? []).flatMap((form) => fieldsOf(form, path, depth)),
  ];
  if (schema.items && !Array.isArray(schema.items))
    rows.push(...fieldsOf(schema.items as JsonSchema, `${path}[]`, depth));
  return [...new Set(rows)];
}

function typeOf(declared: JsonSchema): string {
  const schema = asDocumented(declared);
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return [...new Set(forms.map(typeOf))].join(" or ");
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(" or ");
  if (schema.type === "array" && schema.items && !Array.isArray(schema.items)) {
    return `list of ${typeOf(schema.items as JsonSchema)}${boundsOf(schema, "Items", " entries")}`;
  }
  const type = Array.isArray(schema.type) ? schema.type.join(" or ") : (schema.type ?? "anything");
  if (typeof schema.format === "string") return `${type} (${schema.format})`;
  return `${type}${boundsOf(schema, "imum", "")}${boundsOf(schema, "Length", " characters")}`;
}

/** `, 1 to 10 entries`, by the keywords that end in this word; nothing where there are none. */
function boundsOf(schema: JsonSchema, keyword: "imum" | "Items" | "Length", of: string): string {
  const [least, most] = ["min", "max"].map((end) => schema[`${end}${keyword}`]);
  const view = (bound: unknown) => Number(bound).toLocaleString("en-US");
  if (most !== undefined) return `, ${least === undefined ? "at most" : `${view(least)} to`} ${view(most)}${of}`;
  return least === undefined ? "" : `, at least ${view(least)}${of}`;
}

/** `, default 50`; nothing where there is none. */
const defaultOf = ({ default: byDefault }: JsonSchema): string =>
  byDefault === undefined ? "" : `, default \`${JSON.stringify(byDefault)}\``;

const inCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
