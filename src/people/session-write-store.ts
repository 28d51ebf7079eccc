import { assertOurs } from "@trellis/kernel/errors.js";
import { groupCommit } from "@trellis/kernel/group-commit.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { namesOf, type RowOf, typedRows } from "@trellis/kernel/typed-rows.js";
import { type RawBuilder, sql } from "kysely";
import { beginChains, countRefresh, lockChain } from "../custody/session-chain.js";

/** What is claimed by sessions of a tenant that are opened together, each for something of its own. */
export interface SharedClaim {
  /** Those of a kind have the same `claim`. */
  readonly kind: string;
  readonly tenantId: string;
  /** The id of what is claimed: of two sessions for the same the second one finds it claimed. */
  readonly of: string;
  /**
   * SQL with the `id` of each row of `asked` (`id`, `claimed`) whose `claimed` is good for a session. `now` is environment time in Unix
   * milliseconds.
   */
  readonly claim: (now: number) => RawBuilder<unknown>;
}

const sessionColumns = {
  id: "text",
  user_id: "text",
  provider: "text",
  wallet_id: "text",
  authorization_key_id: "text",
  authorization_public_key: "bytea",
  client_public_key: "bytea",
  token_hash: "bytea",
  access_token_hash: "bytea",
  refresh_token_hash: "bytea",
  chain_id: "text",
  parent_id: "text",
  replaces_id: "text",
  chain_started_at: "int8",
  created_at: "int8",
  expires_at: "int8",
} as const;
const askedColumns = { ...sessionColumns, claimed: "text" } as const;

/** A session as it is written. */
type SessionRow = RowOf<typeof sessionColumns> & {
  readonly id: string;
  readonly chain_id: string;
  readonly created_at: bigint;
};

type AskedRow = SessionRow & { readonly claimed: string | null };

/** A session that was written. */
interface Written {
  readonly id: string;
  /** It begins a chain, which is to be its user's only one: it is good for nothing until it has ended the others. */
  readonly is_alone: boolean;
  readonly further: readonly FurtherWallet[];
}

/** How sessions are claimed: members that follow `asked`, the rows as a table, and have the `id`s of those to open in `claimed`. */
interface Claiming {
  readonly members: RawBuilder<unknown>;
  /** Whether a `session` is to be its user's only one. */
  readonly isAlone: RawBuilder<unknown>;
}

/** The same for sessions that begin chains. */
const beginningChains = (claimed: RawBuilder<unknown>): Claiming => ({
  members: sql`${claimed}, policy as materialized (
      select asked.id, one_session from asked join app_user on app_user.id = asked.user_id
        join tenant on tenant.id = app_user.tenant_id
    ), begun as (${beginChains})`,
  isAlone: sql`(select one_session from policy where policy.id = session.id)`,
});

/** The same for the one session that continues a chain. */
const continuingChain = ({ chain_id: id, created_at }: SessionRow, claimed: RawBuilder<unknown>): Claiming => ({
  members: sql`chain as materialized (${lockChain(id, Number(created_at))}), ${claimed},
    counted as (${countRefresh(id, Number(created_at))})`,
  isAlone: sql`false`,
});

async function insertSessions(
  db: Db,
  rows: readonly AskedRow[],
  { members, isAlone }: Claiming,
): Promise<readonly Written[]> {
  const names = namesOf(sessionColumns);
  const written = await sql<Written>`
    with asked as materialized (select * from ${typedRows("asked", askedColumns, rows)}), ${members}
    insert into session (${names}, state)
    select ${names}, 'live' from asked join claimed using (id) order by id
    returning id, ${isAlone} as is_alone, ${furtherWallets} as further`.execute(db);
  return written.rows;
}

/**
 * Writes a session where `claim` yields a row, both or neither; undefined: it yields none. One with a parent continues that one's chain, and
 * `claim` has to ask that the query `chain` has a row.
 */
export async function writeSession(db: Db, row: SessionRow, claim: RawBuilder<unknown>): Promise<Written | undefined> {
  const claimed = sql`granted as (${claim}), claimed as (select ${row.id}::text as id from granted)`;
  const claiming = row.parent_id === null ? beginningChains(claimed) : continuingChain(row, claimed);
  const [written] = await insertSessions(db, [{ ...row, claimed: null }], claiming);
  return written;
}

interface Writing {
  readonly environment: string;
  readonly row: SessionRow;
  readonly claim: SharedClaim;
}

/**
 * The same for a session that begins a chain, together with others of the tenant at that moment. A tenant that is being frozen holds up its
 * own alone.
 */
export const writeTogether = groupCommit<Db, Writing, Written | undefined>(
  {
    laneOf: ({ environment, claim }) => `${environment} ${claim.tenantId} ${claim.kind}`,
    keyOf: ({ claim }) => claim.of,
  },
  async (db, all) => {
    const [first] = all;
    assertOurs(first, "nothing is not written");
    const rows = all.map(({ row, claim }) => ({ ...row, claimed: claim.of }));
    const claim = first.claim.claim(Number(first.row.created_at));
    const written = await insertSessions(db, rows, beginningChains(sql`claimed as (${claim})`));
    const byId = new Map(written.map((each) => [each.id, each]));
    return all.map(({ row }) => byId.get(row.id));
  },
);

/** Another wallet of a session's user. `created_at` and `imported_at`: Unix milliseconds. */
export interface FurtherWallet {
  readonly id: string;
  readonly address: string;
  readonly created_at: number;
  readonly imported_at: number | null;
}

/** SQL: the other wallets of a session's user at its custodian, which the keys of this one command. */
const furtherWallets = sql`(select coalesce(json_agg(json_build_object('id', own.id, 'address', own.address,
    'created_at', own.created_at, 'imported_at', own.imported_at) order by own.number), '[]')
  from wallet as own where own.owner_id = session.user_id and own.provider = session.provider
    and own.commanded_by = session.wallet_id)`;
