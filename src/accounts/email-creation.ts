import { createHash } from "node:crypto";
import type { P256PublicKey } from "@trellis/kernel/crypto/p256.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { type RawBuilder, sql } from "kysely";
import { findGuardian } from "../custody/custodians.js";
import { type CodeOwner, spendCode } from "../people/check-code.js";
import { makingUsers, newUserId, type UserIdNeeds } from "../people/user-id.js";
import { findUser, takesCodeAlone } from "../people/user-store.js";
import type { Creation } from "./creation.js";
import { type CreationPlan, planEmailAccount } from "./creation-plan.js";
import { chooseNewGuardianWallet } from "./guardian-wallets.js";

/** What a plan says where a page has asked for it. */
const byPage = JSON.stringify({ isByPage: true } satisfies Pick<CreationPlan, "isByPage">);

/** The address an e-mail account is made for. */
interface EmailOwner {
  readonly tenantId: string;
  readonly email: string;
}

/** What ties a code to the client that used it: the hash of the client's encryption key. */
function fingerprint(clientKey: P256PublicKey): Uint8Array {
  return createHash("sha256").update(clientKey.point).digest();
}

/** SQL that is true when the address has its e-mail account, or a creation of it that is under way. */
export function hasEmailAccount(network: Pick<Network, "name">, owner: EmailOwner): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from app_user as owner
    where owner.tenant_id = ${owner.tenantId} and owner.environment = ${network.name} and owner.email = ${owner.email}
      and (
        exists (select 1 from account where account.user_id = owner.id and account.type = 'email')
        or exists (select 1 from account_creation as creation
          where creation.user_id = owner.id and creation.type = 'email' and creation.state = 'pending')
      ))`;
}

/** What the tenant wants of an account that waits for its code. */
interface NotedPending {
  readonly memo: string | null;
  /** Of an account that is not a plain one. */
  readonly plan: CreationPlan | undefined;
  readonly requiresPasskey: boolean;
}

const nothingNoted: NotedPending = { memo: null, plan: undefined, requiresPasskey: false };

/**
 * SQL that remembers an address as waiting for its code, for a statement with a query `granted`. "as it was": what was noted before
 * stays, as the caller is not the tenant.
 */
export function rememberPending(
  network: Pick<Network, "name" | "clock">,
  owner: EmailOwner,
  noted: NotedPending | "as it was",
): RawBuilder<unknown> {
  const { memo, plan, requiresPasskey } = noted === "as it was" ? nothingNoted : noted;
  const kept = sql.raw(noted === "as it was" ? "pending" : "excluded");
  return sql`insert into pending_account as pending (tenant_id, environment, email, memo, plan, requires_passkey, created_at)
    select ${owner.tenantId}::text, ${network.name}::text, ${owner.email}::text, ${memo}::text,
      ${plan === undefined ? null : JSON.stringify(plan)}::text, ${requiresPasskey}::boolean, ${network.clock.now()}::int8
    from granted
    on conflict (tenant_id, environment, email) do update set memo = ${kept}.memo, plan = ${kept}.plan,
      requires_passkey = ${kept}.requires_passkey, created_at = excluded.created_at`;
}

/**
 * Spends a right code and records the creation it was good for, with its user: one statement (gap 22). Undefined when the
 * code was not to be spent any more, or the account exists already.
 */
export async function beginEmailCreation(
  needs: UserIdNeeds & { readonly db: Db; readonly realClock: Clock; readonly custodians: Custodians },
  network: Network,
  owner: CodeOwner,
  codeId: string,
  clientKey: P256PublicKey,
): Promise<Creation | undefined> {
  const id = needs.random.uuid();
  const isByPage = owner.share !== "secret";
  const now = network.clock.now();
  const number = await numberGuardian(needs, network, owner);
  const userId = newUserId(needs, { tenantId: owner.tenantId, environment: network.name, email: owner.email });
  const begin = sql<{ user_id: string; plan: string }>`
    with spent as (${spendCode(network, codeId)}),
    asked as (
      select (pending.plan::jsonb || ${isByPage ? byPage : "{}"}::jsonb || ${number})::text as plan from pending_account as pending
      where pending.tenant_id = ${owner.tenantId} and pending.environment = ${network.name}
        and pending.email = ${owner.email} and pending.plan is not null
    ),
    owner as (
      insert into app_user (id, tenant_id, environment, email, created_at, passkey_sign_in)
      select ${userId}, ${owner.tenantId}::text, ${network.name}::text, ${owner.email}::text,
        ${now}::int8, case when exists (
          select from pending_account where tenant_id = ${owner.tenantId} and environment = ${network.name}
            and email = ${owner.email} and requires_passkey
        ) then 'from_first' else 'optional' end
      from spent
      where not ${hasEmailAccount(network, owner)}
      -- Someone who is a signer elsewhere is a user already; writing the row back makes it come out of the statement.
      on conflict (tenant_id, environment, email) do update set email = excluded.email
      returning id
    )
    insert into account_creation (id, tenant_id, environment, user_id, type, plan, state, one_time_code_id,
      client_key_fingerprint, created_at, looked_at)
    select ${id}::text, ${owner.tenantId}::text, ${network.name}::text, owner.id, 'email',
      coalesce((select plan from asked), ${JSON.stringify(planEmailAccount({ isByPage }))}::text), 'pending',
      ${codeId}::text, ${fingerprint(clientKey)}::bytea, ${now}::int8, ${needs.realClock.now()}::int8
    from owner
    returning user_id, plan`;
  const { rows } = await makingUsers(() => begin.execute(needs.db));
  const row = rows[0];
  if (row === undefined) return undefined;
  return {
    id,
    tenant_id: owner.tenantId,
    user_id: row.user_id,
    type: "email",
    plan: row.plan,
    state: "pending",
    submission_id: null,
    account_address: null,
  };
}

/** SQL: the signers of a plan that is pending, where the guardian's is not the first wallet there of its user. */
async function numberGuardian(
  { db, custodians }: { readonly db: Db; readonly custodians: Custodians },
  { name: environment }: Network,
  { tenantId, email }: EmailOwner,
): Promise<RawBuilder<unknown>> {
  const guardian = findGuardian(custodians);
  const user = guardian && (await findUser(db, tenantId, environment, email));
  const number = guardian && user && (await chooseNewGuardianWallet(db, guardian, { userId: user.id, environment }));
  if (number === undefined || number === 1) return sql`'{}'::jsonb`;
  return sql`jsonb_build_object('signers', (
    select jsonb_agg(case when jsonb_exists(signer, 'relyingParty') then signer || ${JSON.stringify({ number })}::jsonb else signer end order by n)
    from jsonb_array_elements(pending.plan::jsonb -> 'signers') with ordinality as planned (signer, n)))`;
}

/**
 * The creation that a spent code started, for the client that spent it: same code, same key, no session given out yet
 * (gap 22). The caller has compared the code and its lifetime.
 */
export async function findResumableCreation(
  db: Db,
  codeId: string,
  clientKey: P256PublicKey,
): Promise<Creation | undefined> {
  return db
    .selectFrom("account_creation")
    .selectAll()
    .where("one_time_code_id", "=", codeId)
    .where("client_key_fingerprint", "=", fingerprint(clientKey))
    .where("answered_at", "is", null)
    .executeTakeFirst();
}

/**
 * SQL with one row for the call that may answer a creation with a session; there is one such call ever, and none for a user whom a
 * code alone does not sign in.
 */
export function claimAnswer(creation: Pick<Creation, "id" | "user_id">, now: number): RawBuilder<unknown> {
  return sql`update account_creation set answered_at = ${now}::int8
    where id = ${creation.id} and answered_at is null and ${takesCodeAlone(creation.user_id)} returning id`;
}
