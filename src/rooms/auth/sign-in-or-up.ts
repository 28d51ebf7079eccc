import { sql } from "kysely";
import { AssertionFailed } from "../../errors.js";
import type { CustodianName } from "../../ports/custodian.js";
import type { Db } from "../../ports/database.js";
import type { Network } from "../../ports/network.js";
import { hasEmailAccount, rememberPending } from "../accounts/email-creation.js";
import { type IssueCodeNeeds, type IssuedCode, issueCode } from "../otp/issue-code.js";
import type { CodePurpose } from "../otp/one-time-code.js";

/** Whose address it is that nobody may be told anything about. */
interface Addressee {
  readonly tenantId: string;
  /** In stored form (gap 13). */
  readonly email: string;
}

/** A lost race is over with the next look. */
const looksMax = 3;

/**
 * Sends a code to any address: to sign in where somebody has an account, to make one where nobody has (gap 123). Nothing in
 * what it does or throws tells which it was; only the mail does. Throws what `issueCode` throws.
 */
export async function issueCodeToAnybody(
  needs: IssueCodeNeeds,
  network: Network,
  to: Addressee,
  wanted: { readonly provider: CustodianName; readonly requestedSessionSeconds: number | null },
): Promise<IssuedCode> {
  for (let look = 1; look <= looksMax; look += 1) {
    const purpose = await purposeFor(needs.db, network, to);
    const issued = await issueCode(
      needs,
      network,
      { ...to, ...wanted, purpose },
      purpose === "create"
        ? { refuseWhen: hasEmailAccount(network, to), alongside: rememberPending(network, to, null) }
        : {},
    );
    // Somebody has made the account meanwhile.
    if (issued !== undefined) return issued;
  }
  throw new AssertionFailed("an account that was made is not found");
}

/** What the newest code of an address is for; to sign in, where there is none. */
export async function latestPurpose(db: Db, network: Network, to: Addressee): Promise<CodePurpose> {
  const newest = await db
    .selectFrom("one_time_code")
    .select("purpose")
    .where("tenant_id", "=", to.tenantId)
    .where("environment", "=", network.name)
    .where("email", "=", to.email)
    .where("purpose", "in", ["create", "authenticate"])
    .orderBy("created_at", "desc")
    .orderBy(sql`(state = 'live')`, "desc")
    .limit(1)
    .executeTakeFirst();
  return newest?.purpose === "create" ? "create" : "authenticate";
}

/** An address that signs for an account, or whose own is being made, signs in. */
async function purposeFor(db: Db, network: Network, to: Addressee): Promise<"create" | "authenticate"> {
  const { rows } = await sql<{ is_known: boolean }>`
    select ${hasEmailAccount(network, to)} or exists (
      select from app_user as person
      join kms_wallet as wallet on wallet.owner_id = person.id and wallet.environment = person.environment
      join account_signer as signer on signer.wallet_id = wallet.id and signer.environment = wallet.environment
      where person.tenant_id = ${to.tenantId} and person.environment = ${network.name} and person.email = ${to.email}
    ) as is_known`.execute(db);
  return rows[0]?.is_known === true ? "authenticate" : "create";
}
