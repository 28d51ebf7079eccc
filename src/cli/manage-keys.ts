import { parseConfig } from "../config/config.js";
import { TrellisError } from "../errors.js";
import { type EnvironmentName, environmentNames } from "../ports/environment.js";
import { type ApiKeyRow, createApiKey, listApiKeys, revokeApiKey } from "../rooms/api-keys/api-key-store.js";
import { keepScopes, parseExpiry } from "../rooms/api-keys/create-api-key.js";
import { publishableScopes, type Scope, scopes, tenantsOwnScopes } from "../rooms/api-keys/scope.js";
import { showApiKey } from "../rooms/api-keys/shown-api-key.js";
import {
  createTenant,
  listTenants,
  switchTenant,
  type TenantRow,
  tenantIdForm,
} from "../rooms/api-keys/tenant-store.js";
import { inKeyOffice, type KeyOffice } from "../service.js";

/** What the command line says beside the words. */
export interface KeyOptions {
  readonly tenant?: string | undefined;
  readonly name?: string | undefined;
  readonly environments?: string | undefined;
  readonly scopes?: string | undefined;
  readonly publishable?: boolean | undefined;
  readonly origins?: string | undefined;
  readonly addresses?: string | undefined;
  readonly expires?: string | undefined;
}

/** What a command came to: text for people, and whether it was done. */
interface Report {
  readonly text: string;
  readonly isDone: boolean;
}

type Command = (office: KeyOffice) => Promise<Report>;

const done = (text: string): Report => ({ text, isDone: true });
const refused = (text: string): Report => ({ text, isDone: false });

/**
 * `trellis tenant …` and `trellis api-key …` (gap 122), in the database alone. Ends with 1 where a thing is not there or
 * cannot be so; returns a sentence where the command line itself is wrong. Throws `DataDirectoryInUseError` while the service
 * runs on the embedded database.
 */
export async function manageKeys(
  environment: Readonly<Record<string, string | undefined>>,
  words: readonly string[],
  options: KeyOptions,
): Promise<string | undefined> {
  const command = keyCommandOf(words, options);
  if (typeof command === "string") return command;
  const report = await inKeyOffice(parseConfig(environment), command);
  process[report.isDone ? "stdout" : "stderr"].write(`${report.text}\n`);
  if (!report.isDone) process.exitCode = 1;
  return undefined;
}

/** What these words ask for, or a sentence about what is wrong with them. */
export function keyCommandOf(words: readonly string[], options: KeyOptions): Command | string {
  const command = commandOf(words, options);
  if (typeof command === "string") return command;
  return async (office) => {
    try {
      return await command(office);
    } catch (error) {
      // What the rules of keys refuse is the operator's to mend.
      if (error instanceof TrellisError) return refused(error.message);
      throw error;
    }
  };
}

function commandOf([noun, verb, id, ...rest]: readonly string[], options: KeyOptions): Command | string {
  if (rest.length > 0) return `trellis ${noun} takes no more than two words.`;
  const { tenant } = options;
  if (noun === "tenant" && verb === "list" && id === undefined) return showTenants;
  if (noun === "tenant" && id !== undefined) {
    if (verb === "create") return (office) => makeTenant(office, id, options.name ?? id);
    if (verb === "disable" || verb === "enable") return (office) => setTenant(office, id, verb === "enable");
  }
  if (noun === "api-key" && verb === "revoke" && id !== undefined) return (office) => endKey(office, id);
  if (noun === "api-key" && (verb === "create" || verb === "list") && id === undefined) {
    if (tenant === undefined) return `api-key ${verb} needs --tenant.`;
    if (verb === "list") return (office) => showKeys(office, tenant);
    const { name, environments } = options;
    if (!name?.trim() || !environments?.trim()) return "api-key create needs --name and --environments.";
    if (!options.scopes?.trim() && options.publishable !== true) return "api-key create needs --scopes.";
    return (office) => makeKey(office, tenant, name.trim(), environments, options);
  }
  return noun === "tenant"
    ? "trellis tenant knows create <id>, disable <id>, enable <id> and list."
    : "trellis api-key knows create, revoke <id> and list.";
}

async function makeTenant({ db, now }: KeyOffice, id: string, name: string): Promise<Report> {
  if (!tenantIdForm.test(id)) {
    return refused(
      "A tenant's id has 1 to 63 small letters, digits, hyphens and underscores, and begins with none of the last two.",
    );
  }
  if ((await createTenant(db, { id, name, now })) === undefined) return refused(`There is a tenant ${id} already.`);
  return done(`The tenant ${id} is there. It has no keys yet: trellis api-key create --tenant ${id} …`);
}

async function setTenant({ db, now }: KeyOffice, id: string, isEnabled: boolean): Promise<Report> {
  const row = await switchTenant(db, { id, at: isEnabled ? null : now });
  return row === undefined ? refused(`There is no tenant ${id}.`) : done(describeTenant(row));
}

const tenantsShown = 1_000;

async function showTenants({ db }: KeyOffice): Promise<Report> {
  const rows = await listTenants(db, { limit: tenantsShown });
  return done(rows.length === 0 ? "There are no tenants." : rows.map(describeTenant).join("\n"));
}

function describeTenant({ id, name, disabled_at: at }: TenantRow): string {
  return `${id}  ${name}  ${at === null ? "enabled" : `disabled since ${new Date(Number(at)).toISOString()}`}`;
}

async function makeKey(
  office: KeyOffice,
  tenantId: string,
  name: string,
  environmentsText: string,
  options: KeyOptions,
): Promise<Report> {
  const kind = options.publishable === true ? "publishable" : "secret";
  const { db, now } = office;
  const found = await db.selectFrom("tenant").select("id").where("id", "=", tenantId).executeTakeFirst();
  if (found === undefined) return refused(`There is no tenant ${tenantId}.`);
  const environments = known(listed(environmentsText), environmentNames, "environment");
  const wanted = scopesOf(kind, options.scopes);
  if (typeof environments === "string") return refused(environments);
  if (typeof wanted === "string") return refused(wanted);
  const { id, value } = await createApiKey(office, {
    tenantId,
    name,
    kind,
    scopes: keepScopes(kind, wanted),
    environments: environments as EnvironmentName[],
    expiresAt: options.expires === undefined ? null : parseExpiry(options.expires, now),
    origins: listed(options.origins ?? ""),
    addresses: listed(options.addresses ?? ""),
  });
  return done(`${value}\n\nThis is the key ${id} of ${tenantId}. It is stored nowhere and not shown again.`);
}

function scopesOf(kind: "secret" | "publishable", text: string | undefined): readonly Scope[] | string {
  if (text === undefined || text.trim() === "all") return kind === "publishable" ? publishableScopes : tenantsOwnScopes;
  return known(listed(text), scopes, "scope") as readonly Scope[] | string;
}

const listed = (text: string): string[] => [...new Set(text.split(",").flatMap((part) => part.trim() || []))];

/** The names if all are known, else a sentence about the first that is not. */
function known(names: readonly string[], all: readonly string[], noun: string): readonly string[] | string {
  const unknown = names.find((name) => !all.includes(name));
  return unknown === undefined ? names : `There is no ${noun} "${unknown}". There are ${all.join(", ")}.`;
}

async function endKey({ db, now }: KeyOffice, id: string): Promise<Report> {
  const row = await revokeApiKey(db, { id, now });
  return row === undefined ? refused(`There is no API key ${id}.`) : done(describeKey(row, now));
}

const keysShown = 1_000;

async function showKeys({ db, now }: KeyOffice, tenantId: string): Promise<Report> {
  const rows = await listApiKeys(db, { tenantId, limit: keysShown });
  return done(rows.length === 0 ? `${tenantId} has no API keys.` : rows.map((row) => describeKey(row, now)).join("\n"));
}

function describeKey(row: ApiKeyRow, now: number): string {
  const key = showApiKey(row, now);
  const facts = [
    key.id,
    key.visible_prefix,
    key.status,
    key.environments.join(","),
    describeScopes(key.scopes),
    ...(key.allowed_origins.length === 0 ? [] : [key.allowed_origins.join(",")]),
    ...(key.allowed_addresses.length === 0 ? [] : [key.allowed_addresses.join(",")]),
    `last used ${key.last_used_at ?? "never"}`,
    ...(key.expires_at === undefined ? [] : [`expires ${key.expires_at}`]),
    key.name,
  ];
  return facts.join("  ");
}

function describeScopes(held: readonly Scope[]): string {
  if (!tenantsOwnScopes.every((scope) => held.includes(scope))) return held.join(",");
  return ["all scopes", ...held.filter((scope) => !tenantsOwnScopes.includes(scope))].join(",");
}
