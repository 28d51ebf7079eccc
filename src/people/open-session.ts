import { Buffer } from "node:buffer";
import type { Address } from "@solana/kit";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { sealTo } from "@trellis/kernel/crypto/hpke.js";
import { generateAuthorizationKey, type P256PublicKey } from "@trellis/kernel/crypto/p256.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import { groupCommit } from "@trellis/kernel/group-commit.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Authorized, Custodian, Custodians, Wallet } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { namesOf, type RowOf, typedRows } from "@trellis/kernel/typed-rows.js";
import { type RawBuilder, sql } from "kysely";
import { askCustodian } from "../custody/custodians.js";
import { beginChains, countRefresh, lockChain } from "../custody/session-chain.js";
import { openAlone } from "./end-sessions.js";
import { drawToken, hashToken, type OpenedSession, toSessionWallet } from "./session.js";

export interface SessionNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly custodians: Custodians;
}

/** Whose session, at which custodian, for whose eyes. */
export interface SessionRequest {
  readonly userId: string;
  readonly custodian: Custodian;
  readonly wallet: Wallet;
  readonly clientKey: P256PublicKey;
  readonly lifeMs: number;
  /** What the holder's passkey signed for it; absent: a code or an earlier session was shown. */
  readonly grant?: Authorized;
  /**
   * Absent: the session starts a chain of its own. `startedAt` is environment time in Unix milliseconds; `replacesId` is
   * the session whose answer was lost, if there is one.
   */
  readonly chain?: {
    readonly id: string;
    readonly startedAt: number;
    readonly parentId: string;
    readonly replacesId: string | null;
  };
}

/** What is claimed by sessions of a tenant that are opened together, each for something of its own. */
export interface SharedClaim {
  /** The tenant's, in its environment. */
  readonly tenantId: string;
  /** The id of what is claimed: of two sessions for the same the second one finds it claimed. */
  readonly of: string;
  /** SQL with the `id` of each row of `asked` (`id`, `claimed`, `user_id`) whose `claimed` is good for a session. The same for all of a kind. */
  readonly claim: (now: number) => RawBuilder<unknown>;
}

/**
 * Opens a session (gap 20): makes an authorization key, registers its public half with the custodian, seals the private
 * half to the client's key and forgets it. `claim` makes SQL that yields a row if the session may be opened; it takes
 * effect together with the session or not at all. Where the session continues a chain, `claim` has to ask that the query
 * `chain` has a row. Without a row nothing stays behind: the key is revoked, and the result is undefined. Where the tenant
 * allows one session, a new chain is good for nothing until it has ended those that the user had: whatever dies in between
 * leaves the old ones. With a shared claim the session begins a chain, and is written together with others at that moment.
 */
export async function openSession(
  needs: SessionNeeds,
  network: Pick<Network, "name" | "clock">,
  request: SessionRequest,
  claim: (() => RawBuilder<unknown>) | SharedClaim,
): Promise<OpenedSession | undefined> {
  const now = network.clock.now();
  const id = needs.random.uuid();
  const chain = request.chain ?? { id, startedAt: now, parentId: null, replacesId: null };
  const expiresAt = Math.min(now + request.lifeMs, chain.startedAt + limits.sessionMaxMs);
  const { custodian, wallet, clientKey } = request;

  const authorizationKey = generateAuthorizationKey();
  const sealed = sealTo(clientKey.point, Buffer.from(Buffer.from(authorizationKey.privateKeyPkcs8).toString("base64")));
  authorizationKey.privateKeyPkcs8.fill(0);
  const registered = await askCustodian(
    custodian.registerAuthorizationKey({
      walletId: wallet.id,
      publicKey: authorizationKey.publicKey,
      now,
      expiresAt,
      ...(request.grant && { grant: request.grant }),
    }),
  );
  const [token, accessToken, refreshToken] = [
    drawToken(needs.random),
    drawToken(needs.random),
    drawToken(needs.random),
  ];
  const row = {
    id,
    claimed: typeof claim === "function" ? null : claim.of,
    user_id: request.userId,
    provider: custodian.provider,
    wallet_id: wallet.id,
    authorization_key_id: registered.id,
    authorization_public_key: authorizationKey.publicKey,
    client_public_key: clientKey.point,
    token_hash: hashToken(needs.keyring, token),
    access_token_hash: hashToken(needs.keyring, accessToken),
    refresh_token_hash: hashToken(needs.keyring, refreshToken),
    chain_id: chain.id,
    parent_id: chain.parentId,
    replaces_id: chain.replacesId,
    chain_started_at: BigInt(chain.startedAt),
    created_at: BigInt(now),
    expires_at: BigInt(expiresAt),
  };
  let opened: Written | undefined;
  if (typeof claim === "function") {
    const granted = sql`granted as (${claim()}), claimed as (select ${id}::text as id from granted)`;
    const opening = request.chain
      ? {
          members: sql`chain as materialized (${lockChain(chain.id, now)}), ${granted}, counted as (${countRefresh(chain.id, now)})`,
          isAlone: sql`false`,
        }
      : beginningChains(granted);
    [opened] = await insertSessions(needs.db, [row], opening);
  } else {
    opened = await openTogether(needs.db, { environment: network.name, now, row, claim });
  }
  if (opened === undefined) {
    await askCustodian(custodian.revokeAuthorizationKey({ id: registered.id, now }));
    return undefined;
  }
  if (opened.is_alone) {
    await openAlone(needs, { userId: request.userId, id: chain.id, provider: custodian.provider }, now);
  }
  return {
    id,
    provider: custodian.provider,
    userId: request.userId,
    token,
    accessToken,
    refreshToken,
    sealed: {
      encrypted_authorization_key: {
        encapsulated_key: Buffer.from(sealed.encapsulatedKey).toString("base64"),
        ciphertext: Buffer.from(sealed.ciphertext).toString("base64"),
        encryption_type: "HPKE",
      },
      expires_at: expiresAt,
      wallets: [wallet, ...opened.further.map((further) => toWallet(further, wallet))].map(toSessionWallet),
    },
  };
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

type AskedRow = RowOf<typeof askedColumns> & { readonly id: string; readonly claimed: string | null };

interface Written {
  readonly id: string;
  /** The tenant allows one session. */
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

interface Opening {
  readonly environment: string;
  readonly now: number;
  readonly row: AskedRow;
  readonly claim: SharedClaim;
}

/** A tenant that is being frozen holds up its own sessions alone. */
const openTogether = groupCommit<Db, Opening, Written | undefined>(
  {
    laneOf: ({ environment, claim }) => `${environment} ${claim.tenantId}`,
    keyOf: ({ claim }) => claim.of,
  },
  async (db, all) => {
    const [first] = all;
    assertOurs(first, "nothing is not opened");
    const rows = all.map(({ row }) => row);
    const written = await insertSessions(db, rows, beginningChains(sql`claimed as (${first.claim.claim(first.now)})`));
    const byId = new Map(written.map((each) => [each.id, each]));
    return all.map(({ row }) => byId.get(row.id));
  },
);

interface FurtherWallet {
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

const toWallet = (further: FurtherWallet, { provider, ownerId }: Wallet): Wallet => ({
  id: further.id,
  provider,
  ownerId,
  address: further.address as Address,
  createdAt: further.created_at,
  ...(further.imported_at === null ? {} : { importedAt: further.imported_at }),
});
