import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { DbOrTrx } from "@trellis/kernel/ports/database.js";
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

/**
 * Whether a domain is another tenant's: of tenants with the same one, the eldest has it. `localhost` is nobody's. Disabled tenants do not count.
 */
export async function isRelyingPartyOfAnother(db: DbOrTrx, tenantId: string, id: string): Promise<boolean> {
  if (id === ofThisMachine.id) return false;
  const eldest = await db
    .selectFrom("tenant")
    .select("id")
    .where(sql<string>`relying_party::jsonb ->> 'id'`, "=", id)
    .where((row) => row.or([row("disabled_at", "is", null), row("id", "=", tenantId)]))
    .orderBy("created_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return eldest !== undefined && eldest.id !== tenantId;
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
