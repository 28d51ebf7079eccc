import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import type { AccountSignerTable, AccountTable, Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText, emailText, uuidText } from "@trellis/kernel/wire-texts.js";
import { type RawBuilder, sql } from "kysely";
import Type, { type Static } from "typebox";
import { countEntries } from "../audit/audit-store.js";
import { askCustodian, backupCustodian } from "../custody/custodians.js";
import { proveWallet, WireWalletProof } from "../custody/wallet-proof.js";
import { parseEmailAddress } from "../people/email-address.js";
import { ensureUser } from "../people/user-store.js";
import { findAccountSigners } from "./account-store.js";
import { type FoundAccount, findAccountOnChain } from "./find-settings.js";
import { Memo, parseMemo } from "./memo.js";
import { Policies, Provider, toPoliciesOfSettings } from "./policy.js";
import { learnMembers, nameHolders, namePasskeys } from "./settings-change-signers.js";
import { challengeFor, importOf, requireProof, SignerProof, toWireChallenge, WireChallenge } from "./signer-proof.js";

interface Needs {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly realClock: Clock;
  readonly custodians: Custodians;
}

/** Gap 114. */
export const importAccount = endpoint(
  {
    operation: "importAccount",
    summary: "Import an account",
    description:
      "Takes an account of the program that was made elsewhere into this service. Any caller may have it read; it is served " +
      "here once one of its signers has proven itself: by signing the text of `challenge`, sent as `proof` in a second " +
      "call (a passkey signs it with the key of its session), or by being a wallet that this service holds for a user of " +
      "yours. With `email` the wallets of that address are made, which the account's signers can then be changed to. " +
      "Repeating it changes nothing.",
    tag: "Accounts",
    method: "POST",
    path: "/api/service/v1/accounts:import",
    scope: "accounts:write",
    environment: "optional",
    body: Type.Object(
      {
        address: Type.Optional(addressText({ description: "The smart account's address." })),
        settings_address: Type.Optional(
          addressText({ description: "Its settings: needed where it never sent anything." }),
        ),
        email: Type.Optional(emailText()),
        memo: Type.Optional(Memo),
        wallet_nonce: Type.Optional(
          Type.String({
            pattern: "^[0-9a-f]{64}$",
            description: "Beside email: has each of its wallets sign a text with this in it, which proves that it can.",
          }),
        ),
        proof: Type.Optional(SignerProof),
      },
      { examples: [{ address: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM" }] },
    ),
    // Its result depends on the chain, and repeating it is safe.
    idempotent: false,
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({
        address: addressText(),
        settings_address: addressText(),
        status: Type.Enum(["unproven", "active"]),
        policies: Policies,
        grid_user_id: Type.Optional(uuidText({ description: "Once it is active." })),
        wallets: Type.Array(
          Type.Object({
            address: addressText(),
            provider: Provider,
            proof: Type.Optional(WireWalletProof),
          }),
          { description: "Of the e-mail address in the request." },
        ),
        challenge: Type.Optional(WireChallenge),
      }),
    },
    errors: [
      "account_not_found",
      "account_served_elsewhere",
      "invalid_address",
      "invalid_email",
      "invalid_import_proof",
      "forbidden_account",
      "provider_unavailable",
      "submission_in_progress",
      "chain_unavailable",
    ],
  },
  async (needs: Needs, { body, caller: { tenantId }, network }) => {
    const memo = parseMemo(body.memo);
    const email = body.email === undefined ? undefined : parseEmailAddress(body.email);
    const account = await findAccountOnChain(network, body);
    const { settings, settingsAddress, address, slot } = account;
    for (const member of [...settings.signers.map((signer) => signer.address), settings.settingsAuthority]) {
      if (member === null || !network.serviceAddresses.has(member)) continue;
      throw new TrellisError("forbidden_account", { message: "A key of the service belongs to this account." });
    }
    const proving = { keyring: needs.keyring, now: needs.realClock.now() };
    // In this order: an account that is not here was released before its releases are counted, if it ever was.
    const served = await findServed(needs.db, network, account);
    const releases = await countReleases(needs.db, network, tenantId, account);
    const about = importOf(network, tenantId, account, releases);
    if (body.proof) await requireProof(network, proving, about, account, body.proof);
    const user = email === undefined ? undefined : await openUser(needs, network, tenantId, email, body.wallet_nonce);

    // For a tenant that has released the account a wallet is no proof: it may still be a signer then, and an API key alone would take the
    // account back before the next tenant has it.
    const isProven =
      body.proof !== undefined || (releases === 0 && (await hasWallet(needs.db, network, tenantId, account)));
    if (served === undefined && isProven) await serve(needs, network, tenantId, account, user?.id, memo);
    const row = served ?? (await findServed(needs.db, network, account));
    const isMine = row?.tenant_id === tenantId;
    // Only a caller proven to belong to it learns that another tenant has it, and one that is about to make wallets its signers that
    // could do nothing with it here.
    const isReportedWhose = isProven || body.wallet_nonce !== undefined;
    if (row !== undefined && !isMine && isReportedWhose) throw new TrellisError("account_served_elsewhere");
    if (row === undefined && isProven) throw new TrellisError("submission_in_progress", { retryAfterSeconds: 5 });

    // A key may have become a wallet without its account learning of it.
    if (isMine) await nameHolders(needs.db, { tenantId, environment: network.name }, { account: address });
    // They may have been changed elsewhere since: the present signers sign in here.
    const known = isMine ? await learnAll(needs.db, network, row, { settings, slot }) : [];
    const challenge = isMine ? undefined : challengeFor(proving, about);
    return {
      data: {
        address: address as string,
        settings_address: settingsAddress as string,
        status: isMine ? ("active" as const) : ("unproven" as const),
        policies: toPoliciesOfSettings(settings, known),
        ...(isMine ? { grid_user_id: row.user_id } : {}),
        wallets: user?.wallets ?? [],
        ...(challenge === undefined ? {} : { challenge: toWireChallenge(challenge) }),
      },
    };
  },
);

interface ImportUser {
  readonly id: string;
  readonly wallets: {
    readonly address: string;
    readonly provider: Static<typeof Provider>;
    readonly proof?: { readonly message: string; readonly signature: string };
  }[];
}

/** The user of an address, with a wallet at every custodian; the same ones every time. */
async function openUser(
  needs: Needs,
  network: Network,
  tenantId: string,
  email: string,
  nonce: string | undefined,
): Promise<ImportUser> {
  const now = network.clock.now();
  const id = await ensureUser(needs, tenantId, network.name, email, now);
  const wallets: ImportUser["wallets"] = [];
  for (const [provider, custodian] of needs.custodians) {
    // Its wallets are signers of accounts that are guarded from the start.
    if (custodian.isGuardian === true) continue;
    const wallet = await askCustodian(custodian.ensureWallet({ ownerId: id, environment: network.name, now }));
    const proof = nonce === undefined ? {} : { proof: await proveWallet(custodian, wallet.id, nonce) };
    wallets.push({ address: wallet.address, provider, ...proof });
  }
  return { id, wallets };
}

/** The signers as the chain has them, with passkeys named. */
async function learnAll(
  db: Db,
  network: Network,
  row: AccountTable,
  read: Pick<FoundAccount, "settings" | "slot">,
): Promise<readonly AccountSignerTable[]> {
  const known = await learnMembers(db, network, row, await findAccountSigners(db, row), read);
  return namePasskeys(db, network, row, known, read.slot);
}

function membersOf({ settings }: FoundAccount): string[] {
  return settings.signers.map(({ address }) => address);
}

/** How often the tenant has released the account, in the last two years. */
const countReleases = (db: Db, network: Network, tenantId: string, { address }: FoundAccount): Promise<number> =>
  countEntries(db, {
    tenantId,
    environment: network.name,
    kind: "account.released",
    subject: `account/${address}`,
  });

/** Whether a signer is a wallet that a custodian here holds for a user of the tenant. */
async function hasWallet(db: Db, network: Network, tenantId: string, account: FoundAccount): Promise<boolean> {
  const { rows } = await sql`select 1 from (${walletsOf(network, tenantId, account)}) as wallet limit 1`.execute(db);
  return rows.length > 0;
}

function walletsOf(network: Network, tenantId: string, account: FoundAccount): RawBuilder<unknown> {
  return sql`select wallet.id, wallet.address, wallet.provider from wallet
    join app_user on app_user.id = wallet.owner_id
    where wallet.address = any(${membersOf(account)}::text[]) and wallet.environment = ${network.name}
      and app_user.tenant_id = ${tenantId} and app_user.environment = ${network.name}`;
}

function findServed(db: Db, network: Network, { address }: FoundAccount) {
  return db
    .selectFrom("account")
    .selectAll()
    .where("environment", "=", network.name)
    .where("address", "=", address)
    .executeTakeFirst();
}

/**
 * Writes the account with its signers, and has its history and its proposals followed, in one statement. Nothing happens
 * where a tenant has it already, or where it may be the outcome of a creation here that is still under way.
 */
async function serve(
  needs: Needs,
  network: Network,
  tenantId: string,
  account: FoundAccount,
  userId: string | undefined,
  memo: string | null,
): Promise<void> {
  const now = network.clock.now();
  const { address, settingsAddress } = account;
  const members = sql`unnest(${membersOf(account)}::text[]) with ordinality as member (address, place)`;
  await sql`
    with known_wallet as (${walletsOf(network, tenantId, account)}),
    -- Word for word the conditions of the indexes by which passes find them.
    creation as (
      select plan, user_id from account_creation where environment = ${network.name}
        and state = 'pending' and (submission_id is not null or type = 'email')
      union all
      select plan, user_id from account_creation where environment = ${network.name}
        and state = 'pending' and submission_id is null and type <> 'email'
    ), served as (
      insert into account (environment, address, tenant_id, settings_address, type, user_id, memo, created_at, updated_at, imported_at)
      select ${network.name}::text, ${address}::text, ${tenantId}::text, ${settingsAddress}::text, 'custom',
        ${userId ?? needs.random.uuid()}::text, ${memo}::text, ${now}::int8, ${now}::int8, ${now}::int8
      where not exists (
        select 1 from creation where exists (
          select 1 from ${members}
          left join wallet as held on held.address = member.address
          where position(member.address in creation.plan) > 0 or creation.user_id = held.owner_id
            or position(held.owner_id in creation.plan) > 0
        ))
      on conflict do nothing
      returning environment, tenant_id
    ), subscribed as (
      insert into proposal_watch (environment, settings_address, transaction_index, stale_transaction_index, read_slot,
        tenant_id, active_at, due_at)
      select environment, ${settingsAddress}::text, 0, 0, -1, tenant_id, ${now}::int8, ${now}::int8 from served
      -- What a wake has left that came after an earlier release says nothing about what is known now.
      on conflict (environment, settings_address) do update set transaction_index = 0, stale_transaction_index = 0, read_slot = -1,
        tenant_id = excluded.tenant_id, active_at = excluded.active_at, due_at = excluded.due_at, looked_at = null, stale_due_at = null
    ), recorded as (
      insert into history_watch (environment, account_address, tenant_id, active_at, due_at)
      select environment, ${address}::text, tenant_id, ${now}::int8, ${now}::int8 from served
      on conflict (environment, account_address) do update set tenant_id = excluded.tenant_id, active_at = excluded.active_at,
        due_at = excluded.due_at, followed_since = null, looked_at = null, read_at = null, complete_at = null, fingerprint = null
    )
    insert into account_signer (environment, account_address, signer_address, role, provider, wallet_id, position)
    select served.environment, ${address}::text, member.address,
      case when known_wallet.provider = ${backupCustodian}::text then 'backup' else 'primary' end,
      coalesce(known_wallet.provider, 'external'), known_wallet.id,
      (row_number() over (order by coalesce(known_wallet.provider, 'z'), member.place))::int4 - 1
    from served cross join ${members} left join known_wallet on known_wallet.address = member.address`.execute(
    needs.db,
  );
}
