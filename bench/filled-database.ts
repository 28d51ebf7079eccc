import pg from "pg";
import { fillTables } from "../test/database/fill.js";

/** How many of each a database is filled with. */
export interface FilledSizes {
  readonly accounts: number;
  /** Transactions and transfers of accounts together. */
  readonly history: number;
  readonly events: number;
}

/** 32 digits of base58 that follow from a text, as long as an address or a signature. */
const name = (of: string, length: number) =>
  `rpad(translate(md5('${of}' || n::text), '0', 'g'), ${length}, ${length > 44 ? "'y'" : "'x'"})`;

/** An account of those that exist, by turns. */
const ofAccount = (of: string, accounts: number) => name(of, 44).replaceAll("n::text", `(n % ${accounts} + 1)::text`);

/** Rows as a service leaves them that has made such accounts, with one signer each: SQL over the numbers `n`. */
const tables = (now: number, { accounts, history, events }: FilledSizes) => {
  const own = { tenant_id: `'default'`, environment: `'sandbox'` };
  const at = `${now} - 86400000 + n % 86400000`;
  const inHistory = {
    environment: own.environment,
    account_address: ofAccount("account", accounts),
    signature: name("signature", 88),
    slot: "n",
    confirmed_at: `${Math.floor(now / 1000)} - 86400 + n % 86400`,
  };
  const ofEach: Record<string, readonly [number, Readonly<Record<string, string>>]> = {
    app_user: [
      accounts,
      {
        ...own,
        id: `md5('user' || n::text)::uuid::text`,
        email: `'filled-' || n || '@example.org'`,
        created_at: at,
        passkey_sign_in: `'optional'`,
      },
    ],
    account: [
      accounts,
      {
        ...own,
        address: name("account", 44),
        settings_address: name("settings", 44),
        type: `'email'`,
        user_id: `md5('user' || n::text)::uuid::text`,
        created_at: at,
        updated_at: at,
      },
    ],
    account_signer: [
      accounts,
      {
        environment: own.environment,
        account_address: name("account", 44),
        signer_address: name("signer", 44),
        role: `'primary'`,
        provider: `'kms_a'`,
        wallet_id: `md5('wallet' || n::text)::uuid::text`,
        position: "0",
      },
    ],
    signed_account: [
      accounts,
      {
        ...own,
        signer_address: name("signer", 44),
        type: `'email'`,
        created_at: at,
        account_address: name("account", 44),
      },
    ],
    account_creation: [
      accounts,
      {
        ...own,
        id: `md5('creation' || n::text)::uuid::text`,
        user_id: `md5('user' || n::text)::uuid::text`,
        type: `'email'`,
        plan: `'{}'`,
        state: `'landed'`,
        submission_id: `encode(sha256(n::text::bytea), 'hex')`,
        account_address: name("account", 44),
        created_at: at,
      },
    ],
    submission: [
      accounts,
      {
        ...own,
        id: `encode(sha256(n::text::bytea), 'hex')`,
        purpose: `'account_creation'`,
        signature: name("creation", 88),
        wire_transaction: `''::bytea`,
        last_valid_block_height: "0",
        state: `'landed'`,
        reserved_lamports: "0",
        spent_lamports: "0",
        created_at: at,
        updated_at: at,
      },
    ],
    // Nothing has happened to them lately, so none is read.
    history_watch: [
      accounts,
      { environment: own.environment, account_address: name("account", 44), active_at: at, due_at: "null::int8" },
    ],
    history_address: [
      accounts,
      {
        environment: own.environment,
        account_address: name("account", 44),
        address: name("account", 44),
        role: `'vault'`,
        total: "0",
      },
    ],
    history_transaction: [
      Math.floor(history / 2),
      { ...inHistory, finalized: "true", failed: "false", kind: `'deposit'`, found_at: ofAccount("account", accounts) },
    ],
    history_transfer: [
      Math.floor(history / 2),
      {
        ...inHistory,
        position: "0",
        instruction_index: "0",
        direction: `'inflow'`,
        own_address: ofAccount("account", accounts),
        mint: `'11111111111111111111111111111111'`,
        is_token_2022: "false",
        decimals: "9",
        from_address: name("sender", 44),
        to_address: ofAccount("account", accounts),
        amount: `'1000000'`,
        is_first_of_mint: "true",
      },
    ],
    event: [
      events,
      {
        ...own,
        id: `'evt_' || md5('event' || n::text)`,
        type: `'transfer.received'`,
        object_id: name("object", 44),
        data: `json_build_object('object', json_build_object('address', ${ofAccount("account", accounts)}), 'sequence', 1)::text`,
        created_at: at,
        place: "n",
        placed_at: at,
      },
    ],
  };
  return ofEach;
};

/**
 * Fills the database of a service that has run once and stands still. All rows are of the tenant `default` in the sandbox. They are
 * written as others are, with their indexes, and analyzed. Needs a role that may switch triggers off, as a superuser may.
 */
export async function fillServiceDatabase(url: string, sizes: FilledSizes): Promise<void> {
  const made = Object.entries(tables(Date.now(), sizes));
  await fillTables(
    url,
    Object.fromEntries(
      made.map(([table, [count, columns]]) => [
        table,
        `insert into ${table} (${Object.keys(columns).join(", ")})
          select ${Object.values(columns).join(", ")} from generate_series(1, ${count}) as n`,
      ]),
    ),
  );
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // As tables of a service are: what is written to them survives a power cut, and costs as much.
  const { rows } = await client.query<{ name: string }>(
    `with recursive referred (id, depth) as (
       select oid, 0 from pg_class where relpersistence = 'u' and relkind = 'r'
       union select confrelid, depth + 1 from pg_constraint join referred on conrelid = id
         where contype = 'f' and conrelid <> confrelid)
     select id::regclass::text as name from referred join pg_class on pg_class.oid = id and relpersistence = 'u'
     group by id order by max(depth) desc`,
  );
  for (const { name: table } of rows) {
    await client.query(`alter table ${table} set logged, set (autovacuum_enabled = true)`);
    await client.query(`vacuum analyze ${table}`);
  }
  await client.query("update event_feed set next_place = greatest(next_place, (select max(place) + 1 from event))");
  await client.query("checkpoint");
  await client.end();
}
