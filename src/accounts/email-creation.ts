import { createHash } from "node:crypto";
import type { P256PublicKey } from "@trellis/kernel/crypto/p256.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import { groupCommit } from "@trellis/kernel/group-commit.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { type RowOf, typedRows } from "@trellis/kernel/typed-rows.js";
import { type RawBuilder, sql } from "kysely";
import { findGuardian } from "../custody/custodians.js";
import { type CodeOwner, spendCodes } from "../people/check-code.js";
import type { SharedClaim } from "../people/session-write-store.js";
import { makingUsers, newUserId, newUserIds, type UserIdNeeds } from "../people/user-id.js";
import { findUser, takesCodeAlone } from "../people/user-store.js";
import type { Creation } from "./creation.js";
import { type CreationPlan, planEmailAccount } from "./creation-plan.js";
import { chooseNewGuardianWallet } from "./guardian-wallets.js";

/** What a plan says where a page has asked for it. */
const byPage = JSON.stringify({ isByPage: true } satisfies Pick<CreationPlan, "isByPage">);

/** The address an e-mail account is made for: values, or SQL. */
interface EmailOwner<Text = string> {
  readonly tenantId: Text;
  readonly email: Text;
}

/** What ties a code to the client that used it: the hash of the client's encryption key. */
function fingerprint(clientKey: P256PublicKey): Uint8Array {
  return createHash("sha256").update(clientKey.point).digest();
}

/** SQL that is true when the address has its e-mail account, or a creation of it that is under way. */
export function hasEmailAccount(
  network: Pick<Network, "name">,
  owner: EmailOwner<string | RawBuilder<unknown>>,
): RawBuilder<boolean> {
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
 * Spends a right code and records the creation it was good for, with its user: one statement (gap 22), with others of the tenant that
 * begin at that moment. Undefined when the code was not to be spent any more, or the account exists already.
 */
export async function beginEmailCreation(
  needs: UserIdNeeds & { readonly db: Db; readonly realClock: Clock; readonly custodians: Custodians },
  network: Network,
  owner: CodeOwner,
  codeId: string,
  clientKey: P256PublicKey,
): Promise<Creation | undefined> {
  const isByPage = owner.share !== "secret";
  const begun = await beginTogether(needs.db, {
    network,
    realNow: needs.realClock.now(),
    row: {
      id: needs.random.uuid(),
      code_id: codeId,
      tenant_id: owner.tenantId,
      email: owner.email,
      user_ids: newUserIds(needs, { tenantId: owner.tenantId, environment: network.name, email: owner.email }),
      by_page: isByPage ? byPage : "{}",
      guardian_number: (await numberGuardian(needs, network, owner)) ?? null,
      plan: JSON.stringify(planEmailAccount({ isByPage })),
      client_key_fingerprint: fingerprint(clientKey),
    },
  });
  if (begun === undefined) return undefined;
  return {
    ...begun,
    tenant_id: owner.tenantId,
    type: "email",
    state: "pending",
    submission_id: null,
    account_address: null,
  };
}

const begunColumns = {
  id: "text",
  code_id: "text",
  tenant_id: "text",
  email: "text",
  user_ids: "text",
  by_page: "text",
  guardian_number: "int4",
  plan: "text",
  client_key_fingerprint: "bytea",
} as const;

interface Beginning {
  readonly network: Network;
  /** Unix milliseconds. */
  readonly realNow: number;
  readonly row: RowOf<typeof begunColumns> & Pick<Creation, "id" | "tenant_id"> & { readonly email: string };
}

type Begun = Pick<Creation, "id" | "user_id" | "plan">;

/**
 * An address is begun once in a statement, and where two are under way the trigger leaves the later one out. A tenant that is being frozen
 * holds up its own creations alone.
 */
const beginTogether = groupCommit<Db, Beginning, Begun | undefined>(
  { laneOf: ({ network, row }) => `${network.name} ${row.tenant_id}`, keyOf: ({ row }) => row.email },
  async (db, all) => {
    const [first] = all;
    assertOurs(first, "nothing is not begun");
    const { network, realNow } = first;
    const now = network.clock.now();
    const begunOwner = { tenantId: sql.ref("begun.tenant_id"), email: sql.ref("begun.email") };
    const rows = all.map(({ row }) => row);
    const begin = sql<Begun>`
      with begun as materialized (select * from ${typedRows("begun", begunColumns, rows)}),
      spent as (${spendCodes(network, sql`select code_id from begun`)}),
      owner as (
        insert into app_user (id, tenant_id, environment, email, created_at, passkey_sign_in)
        select ${newUserId(sql.ref("begun.user_ids"))}, begun.tenant_id, ${network.name}::text, begun.email,
          ${now}::int8, case when pending.requires_passkey then 'from_first' else 'optional' end
        from begun join spent on spent.id = begun.code_id left join ${pendingOf(network)} on true
        where not ${hasEmailAccount(network, begunOwner)}
        -- In the order in which others make several.
        order by begun.email collate "C"
        -- Someone who is a signer elsewhere is a user already; writing the row back makes it come out of the statement.
        on conflict (tenant_id, environment, email) do update set email = excluded.email
        returning id, tenant_id, email
      )
      insert into account_creation (id, tenant_id, environment, user_id, type, plan, state, one_time_code_id,
        client_key_fingerprint, created_at, looked_at)
      select begun.id, begun.tenant_id, ${network.name}::text, owner.id, 'email',
        coalesce((pending.plan::jsonb || begun.by_page::jsonb || ${numberedSigners})::text, begun.plan), 'pending',
        begun.code_id, begun.client_key_fingerprint, ${now}::int8, ${realNow}::int8
      from owner join begun on begun.tenant_id = owner.tenant_id and begun.email = owner.email
        left join ${pendingOf(network)} on true
      order by begun.id
      returning id, user_id, plan`;
    const { rows: made } = await makingUsers(() => begin.execute(db));
    const byId = new Map(made.map((each) => [each.id, each]));
    return all.map(({ row }) => byId.get(row.id));
  },
);

/** SQL: what was noted of the address of `begun`. */
const pendingOf = ({ name }: Pick<Network, "name">) => sql`lateral (
    select plan, requires_passkey from pending_account
    where tenant_id = begun.tenant_id and environment = ${name} and email = begun.email
  ) as pending`;

/** SQL: the signers of a plan that is pending, where the guardian's is not the first wallet there of its user. */
const numberedSigners = sql`case when begun.guardian_number is null then '{}'::jsonb else jsonb_build_object('signers', (
    select jsonb_agg(case when jsonb_exists(signer, 'relyingParty')
      then signer || jsonb_build_object('number', begun.guardian_number) else signer end order by n)
    from jsonb_array_elements(pending.plan::jsonb -> 'signers') with ordinality as planned (signer, n))) end`;

/** The number of the guardian's wallet of a user, where it is not the first one there. */
async function numberGuardian(
  { db, custodians }: { readonly db: Db; readonly custodians: Custodians },
  { name: environment }: Network,
  { tenantId, email }: EmailOwner,
): Promise<number | undefined> {
  const guardian = findGuardian(custodians);
  const user = guardian && (await findUser(db, tenantId, environment, email));
  const number = guardian && user && (await chooseNewGuardianWallet(db, guardian, { userId: user.id, environment }));
  return number === 1 ? undefined : number;
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
 * Has a creation answered with a session by one call ever, and by none for a user whom a code alone does not sign in.
 */
export const claimAnswer = ({ id, tenant_id: tenantId }: Pick<Creation, "id" | "tenant_id">): SharedClaim => ({
  kind: "account_creation",
  tenantId,
  of: id,
  // Locked in one order, so that two statements never wait for each other's rows.
  claim: (now) => sql`update account_creation set answered_at = ${now}::int8 from (
      select creation.id, asked.id as session_id from asked join account_creation as creation on creation.id = asked.claimed
      order by creation.id for no key update of creation
    ) as held
    where account_creation.id = held.id and answered_at is null and ${takesCodeAlone(sql.ref("account_creation.user_id"))}
    returning held.session_id as id`,
});
