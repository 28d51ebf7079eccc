import { limits } from "@trellis/kernel/limits.js";
import { isBefore } from "@trellis/kernel/page.js";
import type { DbOrTrx, MemberRole, MemberTable, Trx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { type Selectable, sql } from "kysely";

/** A member as the table has it. */
export type MemberRow = Selectable<MemberTable>;

/** Which members a caller may see: those who reach none but these environments, and of the others those of these roles. */
export interface Sight {
  readonly environments: readonly EnvironmentName[];
  readonly roles: readonly MemberRole[];
  readonly operators: boolean;
}

/** The same as SQL. */
const isInSight = ({ environments, roles, operators }: Sight) =>
  sql<boolean>`(environments::jsonb <@ ${JSON.stringify(environments)}::jsonb
    or (role = any(${[...roles]}::text[]) and (not is_operator or ${operators}::boolean)))`;

/** What changes the members of a tenant waits for its turn here: how many there are, and who is an owner, stays as it is read. */
export async function takeTurn(trx: Trx, tenantId: string): Promise<void> {
  await sql`select id from tenant where id = ${tenantId} for no key update`.execute(trx);
}

/** A tenant's members, the newest first, from behind a place. There are few enough to go through. */
export async function listMembers(
  db: DbOrTrx,
  wanted: {
    readonly tenantId: string;
    readonly sight: Sight;
    readonly behind: { readonly createdAt: bigint; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<readonly MemberRow[]> {
  let found = db
    .selectFrom("member")
    .selectAll()
    .where("tenant_id", "=", wanted.tenantId)
    .where(isInSight(wanted.sight));
  const { behind } = wanted;
  if (behind !== undefined) found = found.where(isBefore({ created_at: behind.createdAt, id: behind.id }));
  return found.orderBy("created_at", "desc").orderBy("id", "desc").limit(wanted.limit).execute();
}

/** A member of the tenant's who is in sight, held back from other changes until the transaction ends. */
export async function lockMember(
  trx: Trx,
  member: { readonly id: string; readonly tenantId: string; readonly sight: Sight },
): Promise<MemberRow | undefined> {
  return trx
    .selectFrom("member")
    .selectAll()
    .where("id", "=", member.id)
    .where("tenant_id", "=", member.tenantId)
    .where(isInSight(member.sight))
    .forUpdate()
    .executeTakeFirst();
}

/** The same by its address, whatever the member reaches. */
export async function lockMemberOf(
  trx: Trx,
  member: { readonly tenantId: string; readonly email: string },
): Promise<MemberRow | undefined> {
  return trx
    .selectFrom("member")
    .selectAll()
    .where("tenant_id", "=", member.tenantId)
    .where("email", "=", member.email)
    .forUpdate()
    .executeTakeFirst();
}

export async function findMember(db: DbOrTrx, id: string): Promise<MemberRow | undefined> {
  return db.selectFrom("member").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Whether the tenant can have another member. In its turn. */
export async function hasRoom(trx: Trx, tenantId: string): Promise<boolean> {
  const { members } = await trx
    .selectFrom("member")
    .select(({ fn }) => fn.countAll<bigint>().as("members"))
    .where("tenant_id", "=", tenantId)
    .executeTakeFirstOrThrow();
  return Number(members) < limits.membersMax;
}

/** Whether another member than this one is an owner who can act, and reaches all of these environments. In the tenant's turn. */
export async function hasOtherOwner(
  trx: Trx,
  { id, tenant_id }: MemberRow,
  environments: readonly EnvironmentName[],
): Promise<boolean> {
  const other = await trx
    .selectFrom("member")
    .select("id")
    .where("tenant_id", "=", tenant_id)
    .where("role", "=", "owner")
    .where("status", "=", "active")
    .where("last_signed_in_at", "is not", null)
    .where(sql<boolean>`environments::jsonb @> ${JSON.stringify(environments)}::jsonb`)
    .where("id", "<>", id)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

export async function insertMember(
  trx: Trx,
  row: Omit<MemberRow, "last_signed_in_at" | "proposal_mails" | "passkey_required">,
): Promise<MemberRow> {
  return trx.insertInto("member").values(row).returningAll().executeTakeFirstOrThrow();
}

export async function updateMember(
  trx: Trx,
  id: string,
  set: Partial<
    Pick<MemberRow, "name" | "role" | "status" | "environments" | "is_operator" | "proposal_mails" | "passkey_required">
  >,
): Promise<MemberRow> {
  // Writing a column back makes the statement good without a change.
  return trx
    .updateTable("member")
    .set({ ...set, id })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Removes a member, with the sessions, the passkeys and what would sign in. */
export async function deleteMember(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom("member").where("id", "=", id).execute();
}
