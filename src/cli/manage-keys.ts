import { isAddress } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { type EnvironmentName, environmentNames } from "@trellis/kernel/ports/environment.js";
import { agentScopes, publishableScopes, type Scope, scopes, tenantsOwnScopes } from "@trellis/kernel/scope.js";
import { whyNoCallerSigns } from "@trellis/solana/signable-address.js";
import { asActor } from "../audit/actor.js";
import type { KeyOffice } from "../operator/key-office.js";
import { type AccountDefaults, setAccountDefaults } from "../tenants/account-defaults.js";
import type { ApiKeyKind } from "../tenants/api-key.js";
import {
  type ApiKeyPlan,
  type ApiKeyRow,
  createApiKey,
  defaultTenantId,
  ensureTenant,
  listApiKeys,
  revokeApiKey,
} from "../tenants/api-key-store.js";
import { keepScopes, parseExpiry } from "../tenants/create-api-key.js";
import { confirmDomain, isDomain, listDomainClaims } from "../tenants/relying-party.js";
import {
  createTenant,
  freezeTenant,
  listTenants,
  switchTenant,
  type TenantRow,
  tenantIdForm,
} from "../tenants/tenant-store.js";
import { showApiKey } from "../tenants/wire-api-key.js";

/** What a new key may be given, as the command line has it: lists are separated by commas. */
export interface KeyOptions {
  readonly scopes?: string | undefined;
  readonly publishable?: boolean | undefined;
  /** It is an agent's (gap 231). */
  readonly agent?: boolean | undefined;
  readonly origins?: string | undefined;
  readonly addresses?: string | undefined;
  readonly expires?: string | undefined;
}

/** The result of a command: text for people, and whether it was done. */
export interface KeyReport {
  readonly text: string;
  readonly isDone: boolean;
}

/** What is done about tenants and keys in the database. */
export type KeyCommand = (office: KeyOffice) => Promise<KeyReport>;

export const done = (text: string): KeyReport => ({ text, isDone: true });
export const refused = (text: string): KeyReport => ({ text, isDone: false });

/**
 * Prints the result of a command about tenants and keys (gap 122), and ends with 1 where it was not done. What the rules of
 * keys refuse is the operator's to mend: it is printed as well.
 */
export async function reportOf(running: Promise<KeyReport>): Promise<void> {
  const report = await running.catch((error: unknown) => {
    if (error instanceof TrellisError) return refused(error.message);
    throw error;
  });
  process[report.isDone ? "stdout" : "stderr"].write(`${report.text}\n`);
  if (!report.isDone) process.exitCode = 1;
}

/** What a command says of a tenant's accounts (gap 191). */
export interface DefaultsOptions {
  readonly protection?: string | undefined;
  readonly recovery?: string | undefined;
}

export async function makeTenant(
  { db, now, newTenantProtection }: KeyOffice,
  id: string,
  { name = id, ...options }: DefaultsOptions & { readonly name?: string | undefined },
): Promise<KeyReport> {
  if (!tenantIdForm.test(id)) {
    return refused(
      "A tenant's id has 1 to 63 small letters, digits, hyphens and underscores, and begins with none of the last two.",
    );
  }
  const defaults = readDefaults(options);
  if (typeof defaults === "string") return refused(defaults);
  const { protection = newTenantProtection, recoveryAddress } = defaults;
  const row = await asActor(db, "operator", (trx) => createTenant(trx, { id, name, now, protection, recoveryAddress }));
  if (row === undefined) return refused(`There is a tenant ${id} already.`);
  return done(
    `The tenant ${id} is there. It has no keys yet: trellis api-key create --tenant ${id} …\n${describeDefaults(row)}`,
  );
}

/** Sets what a tenant's e-mail accounts are from now on, where a request says nothing. */
export async function protectTenant({ db }: KeyOffice, id: string, options: DefaultsOptions): Promise<KeyReport> {
  const defaults = readDefaults(options);
  if (typeof defaults === "string") return refused(defaults);
  const row = await asActor(db, "operator", (trx) => setAccountDefaults(trx, id, defaults));
  return row === undefined ? refused(`There is no tenant ${id}.`) : done(describeDefaults(row));
}

/** What is to be set, or a sentence about what cannot be. */
function readDefaults({ protection, recovery }: DefaultsOptions): Partial<AccountDefaults> | string {
  if (protection !== undefined && protection !== "plain" && protection !== "guarded") {
    return `--protection is plain or guarded, not ${protection}.`;
  }
  const set: Partial<AccountDefaults> = protection === undefined ? {} : { protection };
  if (recovery === undefined) return set;
  if (recovery === "none") return { ...set, recoveryAddress: null };
  if (!isAddress(recovery)) return "--recovery is the address of a key, or none.";
  const why = whyNoCallerSigns(recovery);
  return why === undefined ? { ...set, recoveryAddress: recovery } : `No key can sign for ${recovery}: it ${why}.`;
}

function describeDefaults({ id, default_protection: protection, recovery_address: recovery }: TenantRow): string {
  const begin = `E-mail accounts of ${id} are ${protection} unless the request says otherwise`;
  if (protection === "plain") return `${begin}.`;
  const open = `each request has to name one, until trellis tenant protect ${id} --recovery <address>`;
  return `${begin}. Recovery signer where it names none: ${recovery ?? `none, ${open}`}.`;
}

export async function setTenant({ db, now }: KeyOffice, id: string, isEnabled: boolean): Promise<KeyReport> {
  const row = await asActor(db, "operator", (trx) => switchTenant(trx, { id, at: isEnabled ? null : now }));
  return row === undefined ? refused(`There is no tenant ${id}.`) : done(describeTenant(row));
}

/** `trellis tenant freeze`: the first step of moving a tenant. */
export async function freeze({ db, now, otherReleases }: KeyOffice, id: string): Promise<KeyReport> {
  const row = await asActor(db, "operator", (trx) => freezeTenant(trx, { id, at: now }));
  if (row === undefined) return refused(`There is no tenant ${id}.`);
  const warning = warnOfOthers(await otherReleases());
  return done(
    `${describeTenant(row)}\nIt can be read, and nothing new is signed for it. What is under way is seen to its end.${warning}`,
  );
}

/** Of connections to the database that are not of this release. */
export function warnOfOthers(names: readonly string[]): string {
  if (names.length === 0) return "";
  const listed = names.map((name) => (name === "" ? "without a name" : `named "${name}"`)).join(", ");
  return (
    `\nThere are connections to the database that are not of this release: ${listed}. A process of another release may write what ` +
    "a frozen tenant must not: end every one of them before you export."
  );
}

/** `trellis tenant unfreeze`. Where the tenant goes on at two places, its standing orders are paid by both. */
export async function unfreeze({ db }: KeyOffice, id: string, isSure: boolean): Promise<KeyReport> {
  if (!isSure) {
    return refused(
      "Where an archive of this tenant was imported elsewhere, both installations would pay its standing orders and command its " +
        "wallets. Make sure that none was, or that it is frozen there, and say so: --nowhere-else",
    );
  }
  const row = await asActor(db, "operator", (trx) => freezeTenant(trx, { id, at: null }));
  return row === undefined ? refused(`There is no tenant ${id}.`) : done(describeTenant(row));
}

/** `trellis tenant relying-party`: of tenants that claim one domain, the elder has it unless the operator says whose it is. */
export async function decideDomain({ db }: KeyOffice, domain: string, owner: string | undefined): Promise<KeyReport> {
  if (!isDomain(domain)) return refused(`A domain is written in small letters, as app.example, not ${domain}.`);
  if (owner !== undefined) {
    const named = owner === "none" ? null : owner;
    const hindrance = await asActor(db, "operator", (trx) => confirmDomain(trx, domain, named));
    if (hindrance !== undefined) return refused(hindrance);
  }
  const claims = await listDomainClaims(db, domain);
  if (claims.length === 0) return done(`No tenant claims ${domain}.`);
  const lines = claims.map(({ id, isConfirmed, isSet }, i) => {
    const notes = [
      i === 0 ? "has it" : "is refused it",
      ...(isConfirmed ? ["named by the operator"] : []),
      ...(isSet ? [] : ["has not set it yet"]),
    ];
    return `${id}  ${notes.join(", ")}`;
  });
  return done(lines.join("\n"));
}

const tenantsView = 1_000;

export async function showTenants({ db }: KeyOffice): Promise<KeyReport> {
  const rows = await listTenants(db, { limit: tenantsView });
  return done(rows.length === 0 ? "There are no tenants." : rows.map(describeTenant).join("\n"));
}

function describeTenant({ id, name, disabled_at: at, frozen_at: frozenAt }: TenantRow): string {
  const frozen = frozenAt === null ? "" : `, frozen since ${new Date(Number(frozenAt)).toISOString()}`;
  return `${id}  ${name}  ${at === null ? "enabled" : `disabled since ${new Date(Number(at)).toISOString()}`}${frozen}`;
}

/** Makes an API key for a tenant. Throws `TrellisError` where the rules of keys refuse it. */
export async function makeKey(
  office: KeyOffice,
  options: KeyOptions & { readonly tenant: string; readonly name: string; readonly environments: string },
): Promise<KeyReport> {
  const { tenant: tenantId, environments: environmentsText } = options;
  const name = options.name.trim();
  const kind = options.publishable === true ? "publishable" : options.agent === true ? "agent" : "secret";
  const { db, now } = office;
  if (tenantId === defaultTenantId) {
    await asActor(db, "operator", (trx) => ensureTenant(trx, { id: tenantId, name: "Default", now }));
  }
  const found = await db.selectFrom("tenant").select("id").where("id", "=", tenantId).executeTakeFirst();
  if (found === undefined) return refused(`There is no tenant ${tenantId}.`);
  const environments = known(listed(environmentsText), environmentNames, "environment");
  const wanted = scopesOf(kind, options.scopes);
  if (typeof environments === "string") return refused(environments);
  if (typeof wanted === "string") return refused(wanted);
  const plan = {
    tenantId,
    name,
    kind,
    scopes: keepScopes(kind, wanted),
    environments: environments as EnvironmentName[],
    expiresAt: options.expires === undefined ? null : parseExpiry(options.expires, now),
    origins: listed(options.origins ?? ""),
    addresses: listed(options.addresses ?? ""),
  } satisfies ApiKeyPlan;
  const { id, value } = await asActor(db, "operator", (trx) => createApiKey({ ...office, db: trx }, plan));
  return done(`${value}\n\nThis is the key ${id} of ${tenantId}. It is stored nowhere and not printed again.`);
}

function scopesOf(kind: ApiKeyKind, text: string | undefined): readonly Scope[] | string {
  const all = { secret: tenantsOwnScopes, publishable: publishableScopes, agent: agentScopes }[kind];
  if (text === undefined || text.trim() === "all") return all;
  return known(listed(text), scopes, "scope") as readonly Scope[] | string;
}

const listed = (text: string): string[] => [...new Set(text.split(",").flatMap((part) => part.trim() || []))];

/** The names if all are known, else a sentence about the first that is not. */
function known(names: readonly string[], all: readonly string[], noun: string): readonly string[] | string {
  const unknown = names.find((name) => !all.includes(name));
  return unknown === undefined ? names : `There is no ${noun} "${unknown}". There are ${all.join(", ")}.`;
}

export async function endKey({ db, now }: KeyOffice, id: string): Promise<KeyReport> {
  const row = await asActor(db, "operator", (trx) => revokeApiKey(trx, { id, now }));
  return row === undefined ? refused(`There is no API key ${id}.`) : done(describeKey(row, now));
}

const keysView = 1_000;

export async function showKeys({ db, now }: KeyOffice, tenantId: string): Promise<KeyReport> {
  const rows = await listApiKeys(db, { tenantId, limit: keysView });
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
