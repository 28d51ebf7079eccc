import { type Address, isAddress } from "@solana/kit";
import { type Caller, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { address, cursor, int8, listAnswer, pageOf } from "@trellis/kernel/page.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, emailText } from "@trellis/kernel/wire-texts.js";
import { decodeSettings, ProgramDataError } from "@trellis/program-client";
import { type ChainAccount, readAccounts } from "@trellis/solana/read-accounts.js";
import Type, { type Static } from "typebox";
import { parseEmailAddress } from "../people/email-address.js";
import { requireOwnWallet } from "../people/own-wallet.js";
import { findUser } from "../people/user-store.js";
import { type AccountFilter, accountTypes, listKnownAccounts } from "./account-list-store.js";
import type { KnownAccount } from "./account-store.js";
import { Account, readerRequiresPasskey, seenBy, toWireAccount } from "./get-account.js";
import { Protection, protectionOf } from "./guarded-account.js";
import { Memo, parseMemo } from "./memo.js";
import { Policies, toPoliciesOfSettings } from "./policy.js";

/** An account in a list, which a chain that does not answer keeps nobody from reading. */
const ListedAccount = Type.Object(
  {
    ...Account.properties,
    policies: Type.Union([Policies, Type.Null()], { description: "Null: the chain does not show them at present." }),
    protection: Type.Union([Protection, Type.Null()], { description: "Null where `policies` is." }),
  },
  { $id: "ListedAccount" },
);

const query = Type.Object({
  email: Type.Optional(emailText({ description: "Those of the user with this address." })),
  memo: Type.Optional({ ...Memo, description: "Those with exactly this memo." }),
  address: Type.Optional(addressText({ description: "This one." })),
  signer: Type.Optional(addressText({ description: "Those that have it among their signers." })),
  status: Type.Optional(Type.Enum(["active"], { description: "Every account of the list is active." })),
  type: Type.Optional(Type.Enum([...accountTypes])),
  limit: Type.Optional(
    Type.Integer({ minimum: 0, maximum: limits.accountPageMax, default: limits.accountPageDefault }),
  ),
  cursor: Type.Optional(Type.String({ description: "x-next-cursor of the page before." })),
});

/** Everything older than an account. */
const place = cursor("c1", { createdAt: int8, address });

/** Gap 204. */
export const listAccounts = endpoint(
  {
    operation: "listAccounts",
    summary: "List accounts",
    description:
      "The tenant's accounts, newest first, each as GET shows it. Without `address`, at most one of `email`, `memo` and `signer` is taken; " +
      "`type` goes with each. An account that is pending has no address yet, and is not listed; nor is one that was released. With a " +
      "publishable key `signer` names a wallet of the session, and `email` and `memo` are not taken.",
    tag: "Accounts",
    method: "GET",
    path: "/api/service/v1/accounts",
    scope: "accounts:read",
    publishable: "session",
    environment: "optional",
    query,
    response: { status: 200, envelope: true, schema: Type.Array(ListedAccount) },
    errors: ["invalid_email", "invalid_address", "invalid_cursor", "secret_key_required"],
  },
  async (needs: { readonly db: Db; readonly custodians: Custodians }, { query, caller, network }) => {
    requireServable(query);
    if (caller.isPublishable) await requireOwnAccounts(needs.db, network, caller, query);
    const limit = query.limit ?? limits.accountPageDefault;
    const behind = query.cursor === undefined ? undefined : place.decode(query.cursor);
    const filter = await readFilter(needs.db, { tenantId: caller.tenantId, environment: network.name }, query);
    if (filter === undefined || limit === 0) return { data: [] };
    const found = await listKnownAccounts(needs.db, filter, { limit: limit + 1, behind });
    const page = pageOf(found, limit, ({ row }) => place.encode({ createdAt: row.created_at, address: row.address }));
    const [settings, readerRequires] = await Promise.all([
      readSettings(network, page.rows),
      readerRequiresPasskey(needs.db, caller),
    ]);
    return listAnswer(
      page.rows.map((known, i) => toListed(seenBy(caller, known, readerRequires), settings[i], needs.custodians)),
      page.cursor,
    );
  },
);

type Query = Static<typeof query>;

/** Throws `invalid_request` where no index serves the filters together, and `invalid_address`. */
function requireServable({ email, memo, address, signer }: Query): void {
  const given = Object.entries({ email, memo, signer }).flatMap(([name, text]) => (text === undefined ? [] : [name]));
  const [first, second] = given;
  if (address === undefined && second !== undefined) {
    throw new TrellisError("invalid_request", {
      field: second,
      message: `Accounts are listed by ${first} or by ${second}, not by both.`,
      suggestion: `Leave one of them out, or name one account by its address.`,
    });
  }
  for (const [field, text] of Object.entries({ address, signer })) {
    if (text !== undefined && !isAddress(text)) throw new TrellisError("invalid_address", { field });
  }
}

/**
 * A page lists the accounts that its user's own wallet signs for (gap 223). What it does not show of them, it does not search by either. Throws
 * `secret_key_required`.
 */
async function requireOwnAccounts(db: Db, network: Network, caller: Caller, { email, memo, signer }: Query) {
  if (email !== undefined || memo !== undefined) {
    throw new TrellisError("secret_key_required", {
      message: "With a publishable key, accounts are listed by signer, and not by email or memo.",
    });
  }
  await requireOwnWallet(db, network.name, caller, { field: "signer", address: signer });
}

/** Which accounts are meant; undefined: none can be. Throws `invalid_request` and `invalid_email`. */
async function readFilter(
  db: Db,
  whose: Pick<AccountFilter, "tenantId" | "environment">,
  { email, memo, address, signer, type }: Query,
): Promise<AccountFilter | undefined> {
  const filter = { ...whose, type, address, signer, memo: parseMemo(memo) ?? undefined };
  if (email === undefined) return filter;
  const user = await findUser(db, whose.tenantId, whose.environment, parseEmailAddress(email));
  return user === undefined ? undefined : { ...filter, userId: user.id };
}

/** The settings of accounts in one call; undefined where the chain does not show them, or does not answer. */
async function readSettings(
  network: Network,
  accounts: readonly KnownAccount[],
): Promise<readonly (ChainAccount | undefined)[]> {
  try {
    return await readAccounts(
      network,
      accounts.map(({ row }) => row.settings_address as Address),
    );
  } catch (error) {
    if (error instanceof TrellisError && error.code === "chain_unavailable") return [];
    throw error;
  }
}

function toListed(
  known: KnownAccount,
  settings: ChainAccount | undefined,
  custodians: Custodians,
): Static<typeof ListedAccount> {
  const policies = settings === undefined ? null : decodePolicies(settings, known);
  return toWireAccount(known, policies, policies === null ? null : protectionOf(policies, custodians));
}

/** Null for bytes that are no settings: one account of a page keeps no other from being read. */
function decodePolicies({ data }: ChainAccount, { signers }: KnownAccount): Policies | null {
  try {
    return toPoliciesOfSettings(decodeSettings(data), signers);
  } catch (error) {
    if (error instanceof ProgramDataError) return null;
    throw error;
  }
}
