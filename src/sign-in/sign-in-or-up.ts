import { AssertionFailed } from "@trellis/kernel/errors.js";
import type { CustodianName } from "@trellis/kernel/ports/custodian.js";
import type { CodeShare, Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { isUnheld } from "../accounts/account-store.js";
import { hasEmailAccount, rememberPending } from "../accounts/email-creation.js";
import { type IssueCodeNeeds, type IssuedCode, issueCode } from "../people/issue-code.js";
import type { CodePurpose } from "../people/one-time-code.js";
import type { CodeShares } from "./code-shares.js";

/** Whose address it is that no response may reveal anything about. */
interface Addressee {
  readonly tenantId: string;
  /** In stored form (gap 13). */
  readonly email: string;
}

/** A lost race is over with the next check. */
const refreshesMax = 3;

/**
 * Sends a code to any address: to sign in where there is an account, to make one where there is none (gap 123). Nothing in
 * what it does or throws reveals which it was; only the mail does. Throws what `issueCode` throws.
 */
export async function issueCodeToAnybody(
  needs: IssueCodeNeeds,
  network: Network,
  to: Addressee,
  wanted: {
    readonly share: CodeShare;
    readonly provider: CustodianName;
    readonly requestedSessionSeconds: number | null;
  },
): Promise<IssuedCode> {
  for (let refresh = 1; refresh <= refreshesMax; refresh += 1) {
    const purpose = await purposeFor(needs.db, network, to);
    const issued = await issueCode(
      needs,
      network,
      { ...to, ...wanted, purpose },
      purpose === "create"
        ? { refuseWhen: hasEmailAccount(network, to), alongside: rememberPending(network, to, "as it was") }
        : {},
    );
    // Another request has made the account meanwhile.
    if (issued !== undefined) return issued;
  }
  throw new AssertionFailed("an account that was made is not found");
}

/**
 * What the code of an address is that is tried by one of these shares: a live one of a returning browser, or else the newest
 * of all; one to sign in of the last share, where there is none.
 */
export async function chooseCode(
  db: Db,
  network: Network,
  to: Addressee,
  shares: CodeShares,
): Promise<{ readonly purpose: CodePurpose; readonly share: CodeShare }> {
  const newest = await db
    .selectFrom("one_time_code")
    .select(["purpose", "share"])
    .where("tenant_id", "=", to.tenantId)
    .where("environment", "=", network.name)
    .where("email", "=", to.email)
    .where("purpose", "in", ["create", "authenticate"])
    .where("share", "in", [...shares])
    // However many others have asked for since by the publishable key alone.
    .orderBy(sql`(share = 'returning' and state = 'live' and expires_at > ${network.clock.now()}::int8)`, "desc")
    .orderBy("created_at", "desc")
    .orderBy(sql`(state = 'live')`, "desc")
    .limit(1)
    .executeTakeFirst();
  return newest ?? { purpose: "authenticate", share: shares[shares.length - 1] ?? shares[0] };
}

/** An address that signs for an account or has imported one, or whose own is being made, signs in. */
async function purposeFor(db: Db, network: Network, to: Addressee): Promise<"create" | "authenticate"> {
  const { rows } = await sql<{ is_known: boolean }>`
    select ${hasEmailAccount(network, to)} or exists (
      select from app_user as person
      join wallet on wallet.owner_id = person.id and wallet.environment = person.environment
      join account_signer as signer on signer.wallet_id = wallet.id and signer.environment = wallet.environment
      where person.tenant_id = ${to.tenantId} and person.environment = ${network.name} and person.email = ${to.email}
    ) or exists (
      select from app_user as person join account on account.user_id = person.id and account.environment = person.environment
      where person.tenant_id = ${to.tenantId} and person.environment = ${network.name} and person.email = ${to.email} and ${isUnheld}
    ) as is_known`.execute(db);
  return rows[0]?.is_known === true ? "authenticate" : "create";
}
