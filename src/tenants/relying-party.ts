import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { DbOrTrx, Trx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { anyLocalPort } from "@trellis/kernel/relying-party.js";
import { sql } from "kysely";

/** Where the passkeys of a tenant's users belong (gap 161). */
export interface RelyingPartyTerms {
  /** A domain. What is registered for one is of no use for another. */
  readonly id: string;
  /** What browsers show. */
  readonly name: string;
  /** Of the pages that may ask for its passkeys, as browsers write origins. */
  readonly origins: readonly string[];
}

/** Where a page of the machine itself is enough: what a tenant has in the sandbox that set nothing. */
const ofThisMachine: RelyingPartyTerms = { id: "localhost", name: "Trellis sandbox", origins: [anyLocalPort] };

/** What a tenant set; null: nothing. */
export async function findRelyingParty(db: DbOrTrx, tenantId: string): Promise<RelyingPartyTerms | null> {
  const { relying_party } = await db
    .selectFrom("tenant")
    .select("relying_party")
    .where("id", "=", tenantId)
    .executeTakeFirstOrThrow();
  return parseTerms(relying_party);
}

/** A tenant that has a domain, or would have it if those before it did not. */
export interface DomainClaim {
  readonly id: string;
  /** Whether an operator has said that the domain is this tenant's. */
  readonly isConfirmed: boolean;
  /** Whether the tenant has set it as its relying party. */
  readonly isSet: boolean;
}

/**
 * Tenants that claim a domain, the one that has it first: it is the one's that an operator has named, else the eldest's of those that
 * have set it. Disabled tenants claim nothing.
 */
export async function listDomainClaims(db: DbOrTrx, domain: string): Promise<readonly DomainClaim[]> {
  const { rows } = await sql<{ id: string; confirmed: boolean; is_set: boolean }>`
    select id, confirmed_relying_party is not distinct from ${domain}::text as confirmed,
      (relying_party::jsonb ->> 'id') is not distinct from ${domain}::text as is_set
    from tenant
    where disabled_at is null and (relying_party::jsonb ->> 'id' = ${domain} or confirmed_relying_party = ${domain})
    order by confirmed desc, created_at, id`.execute(db);
  return rows.map(({ id, confirmed, is_set }) => ({ id, isConfirmed: confirmed, isSet: is_set }));
}

/** Whether a domain is another tenant's. `localhost` is nobody's. */
export async function isRelyingPartyOfAnother(db: DbOrTrx, tenantId: string, domain: string): Promise<boolean> {
  if (domain === ofThisMachine.id) return false;
  const [first] = await listDomainClaims(db, domain);
  return first !== undefined && first.id !== tenantId;
}

/** Whether this is a domain that passkeys can belong to, as it is compared: in small letters, with no dot at its end. */
export const isDomain = (text: string): boolean => domainForm.test(text);

const domainForm = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Has a domain be this tenant's, or with null no named tenant's. Does nothing, and returns a sentence, where there is no such tenant or it is
 * named for another domain already: a tenant has one at a time.
 */
export async function confirmDomain(trx: Trx, domain: string, tenantId: string | null): Promise<string | undefined> {
  if (tenantId !== null) {
    const tenant = await trx
      .selectFrom("tenant")
      .select("confirmed_relying_party as named")
      .where("id", "=", tenantId)
      .forUpdate()
      .executeTakeFirst();
    if (tenant === undefined) return `There is no tenant ${tenantId}.`;
    if (tenant.named !== null && tenant.named !== domain) {
      return `${tenantId} is named for ${tenant.named}, and a tenant is named for one domain. First: trellis tenant relying-party ${tenant.named} --owner none`;
    }
    await trx.updateTable("tenant").set({ confirmed_relying_party: domain }).where("id", "=", tenantId).execute();
  }
  await trx
    .updateTable("tenant")
    .set({ confirmed_relying_party: null })
    .where("confirmed_relying_party", "=", domain)
    .where(sql<boolean>`id is distinct from ${tenantId}::text`)
    .execute();
  return undefined;
}

/** Whether a domain is this tenant's: it is its relying party, and no elder tenant's. `localhost` is nobody's. */
export async function isRelyingPartyOf(db: DbOrTrx, tenantId: string, id: string): Promise<boolean> {
  if (id === ofThisMachine.id) return false;
  const terms = await findRelyingParty(db, tenantId);
  return terms?.id === id && !(await isRelyingPartyOfAnother(db, tenantId, id));
}

/** Sets it, for what is registered from now on; what belongs to another domain stays there. */
export async function setRelyingParty(db: DbOrTrx, tenantId: string, terms: RelyingPartyTerms): Promise<void> {
  await db
    .updateTable("tenant")
    .set({ relying_party: JSON.stringify({ id: terms.id, name: terms.name, origins: terms.origins }) })
    .where("id", "=", tenantId)
    .execute();
}

/** The terms for passkeys that are added in an environment. Throws `passkeys_not_configured`. */
export function relyingPartyIn(environment: EnvironmentName, stored: RelyingPartyTerms | null): RelyingPartyTerms {
  const terms = stored ?? (environment === "sandbox" ? ofThisMachine : null);
  if (terms === null || (environment === "mainnet" && terms.id === ofThisMachine.id)) {
    throw new TrellisError("passkeys_not_configured");
  }
  return terms;
}

/** The domain of the passkeys that are added in an environment; undefined: there are none. */
export const relyingPartyIdIn = (environment: EnvironmentName, stored: RelyingPartyTerms | null): string | undefined =>
  (stored ?? (environment === "sandbox" ? ofThisMachine : undefined))?.id;

/** Of the pages that may ask for passkeys that are there already, whatever domain is set now; none: nobody may. */
export function originsIn(environment: EnvironmentName, stored: RelyingPartyTerms | null): readonly string[] {
  return (stored ?? (environment === "sandbox" ? ofThisMachine : undefined))?.origins ?? [];
}

/** The terms as the column has them. */
export function parseTerms(stored: string | null): RelyingPartyTerms | null {
  if (stored === null) return null;
  const terms = JSON.parse(stored) as Partial<RelyingPartyTerms>;
  const { id, name, origins } = terms;
  assertOurs(id !== undefined && name !== undefined && Array.isArray(origins), "a relying party is stored whole");
  return { id, name, origins };
}
