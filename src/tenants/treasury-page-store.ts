import { assertOurs } from "@trellis/kernel/errors.js";
import type { DbOrTrx } from "@trellis/kernel/ports/database.js";

/** What a tenant's treasury pages are called and look like, and what they call the service with (gap 220). */
export interface TreasuryPage {
  /** At the top of every page. */
  readonly name: string;
  /** `#rrggbb`. */
  readonly color: string;
  /** A small picture as a `data:` URL; null: there is none. */
  readonly logo: string | null;
  /** For pages of the service's own origin. It is no secret. */
  readonly publishableKey: string;
}

/** What a tenant set; null: its pages are off. Undefined: there is no such tenant, or it is disabled. */
export async function findTreasuryPage(db: DbOrTrx, tenantId: string): Promise<TreasuryPage | null | undefined> {
  const row = await db
    .selectFrom("tenant")
    .select("treasury_page")
    .where("id", "=", tenantId)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return row.treasury_page === null ? null : parsePage(row.treasury_page);
}

/** Sets it; null turns the pages off. */
export async function storeTreasuryPage(db: DbOrTrx, tenantId: string, page: TreasuryPage | null): Promise<void> {
  const stored =
    page === null
      ? null
      : JSON.stringify({
          name: page.name,
          color: page.color,
          logo: page.logo,
          publishable_key: page.publishableKey,
        });
  await db.updateTable("tenant").set({ treasury_page: stored }).where("id", "=", tenantId).execute();
}

function parsePage(stored: string): TreasuryPage {
  const { name, color, logo, publishable_key } = JSON.parse(stored) as Readonly<Record<string, unknown>>;
  assertOurs(
    typeof name === "string" &&
      typeof color === "string" &&
      typeof publishable_key === "string" &&
      (logo === null || typeof logo === "string"),
    "treasury pages are stored whole",
  );
  return { name, color, logo, publishableKey: publishable_key };
}
