import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { anyLocalPort } from "@trellis/kernel/relying-party.js";

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
