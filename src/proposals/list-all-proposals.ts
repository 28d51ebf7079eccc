import { isAddress } from "@solana/kit";
import { type Answer, type Caller, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { address, cursor, int8, listAnswer, pageOf } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { requireOwnWallet } from "../people/own-wallet.js";
import { proposalPlace } from "./list-proposals.js";
import { AccountProposal } from "./proposal.js";
import { type ListedRow, listOfTenant } from "./proposal-listing-store.js";
import { clientStates } from "./proposal-states.js";
import { listProposals as findProposals } from "./proposal-store.js";
import { showProposal } from "./show-proposal.js";

const place = cursor("b1", { listedAt: int8, settings: address, index: int8 });

const Query = Type.Object({
  status: Type.Optional(Type.Array(Type.Enum([...clientStates.all]), { description: "Repeat it for several." })),
  account: Type.Optional(addressText({ description: "Only this account's, by their transaction indexes." })),
  signer: Type.Optional(addressText({ description: "Only those whose vote is or was up to this signer." })),
  waiting_for: Type.Optional(
    addressText({
      description: "Only Active ones that this signer may vote on and has neither approved nor rejected.",
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 0, maximum: limits.proposalPageMax, default: limits.proposalPageDefault }),
  ),
  cursor: Type.Optional(Type.String({ description: "From the page before." })),
});
type Query = Static<typeof Query>;

interface Needs {
  readonly db: Db;
}

/** Gap 209. Answered from the index alone: how soon it knows is as in the list of an account that is not asked for. */
export const listAllProposals = endpoint(
  {
    operation: "listAllProposals",
    summary: "List proposals of all accounts",
    description:
      "The proposals of all your accounts, newest first, or those that wait for a signer's vote. `account`, `signer` and " +
      "`waiting_for` exclude each other, and `waiting_for` excludes `status`. With a publishable key `waiting_for` names a " +
      "wallet of the session. Of an account with more than 100 voters, `waiting_for` knows the first 100 in the order of its settings.",
    tag: "Proposals",
    method: "GET",
    path: "/api/service/v1/proposals",
    scope: "proposals:read",
    publishable: "session",
    environment: "optional",
    query: Query,
    response: { status: 200, envelope: true, schema: Type.Array(AccountProposal) },
    errors: ["account_not_found", "invalid_cursor", "invalid_address", "secret_key_required"],
  },
  async (needs: Needs, { query, network, caller }) => {
    requireServable(query);
    if (caller.isPublishable) {
      await requireOwnWallet(needs.db, network.name, caller, { field: "waiting_for", address: query.waiting_for });
    }
    return query.account === undefined
      ? listAcross(needs, network, caller, query)
      : listOfOne(needs, network, caller, query.account, query);
  },
);

/** Each list is a stretch of one index: what none serves is refused. */
function requireServable({ status, account, signer, waiting_for: waitingFor }: Query): void {
  const named = Object.entries({ account, signer, waiting_for: waitingFor }).filter(([, value]) => value !== undefined);
  const [, second] = named;
  if (second !== undefined) {
    const [field] = second;
    throw new TrellisError("invalid_request", {
      field,
      message: "Name one of account, signer and waiting_for, not several.",
    });
  }
  if (waitingFor !== undefined && status !== undefined && status.length > 0) {
    throw new TrellisError("invalid_request", {
      field: "status",
      message: "What waits for a vote is Active: leave status out.",
    });
  }
  for (const [field, value] of named) {
    if (field !== "account" && !isAddress(value ?? "")) throw new TrellisError("invalid_address", { field });
  }
}

async function listAcross(
  { db }: Needs,
  network: Network,
  { tenantId }: Caller,
  query: Query,
): Promise<Answer<AccountProposal[]>> {
  const { status = [], signer, waiting_for: waitingFor, limit = limits.proposalPageDefault } = query;
  const before = query.cursor === undefined ? undefined : place.decode(query.cursor);
  if (limit === 0) return { data: [] };
  const of = waitingFor ?? signer;
  const found = await listOfTenant(db, {
    environment: network.name,
    tenantId,
    ...(of === undefined ? {} : { signer: of }),
    waits: waitingFor !== undefined,
    statuses: status,
    before,
    // One more than the page shows whether there is another.
    limit: limit + 1,
  });
  const page = pageOf(found, limit, ({ listed_at, settings_address, transaction_index }) =>
    place.encode({ listedAt: BigInt(listed_at), settings: settings_address, index: BigInt(transaction_index) }),
  );
  const rows = page.rows.map(showListed);
  // The settings may have moved on since its row was written: the next writer of the row puts that right.
  return listAnswer(waitingFor === undefined ? rows : rows.filter(({ stale }) => !stale), page.cursor);
}

function showListed(row: ListedRow): AccountProposal {
  const account = {
    address: row.account_address,
    settingsAddress: row.settings_address,
    staleTransactionIndex: row.stale_transaction_index,
  };
  return { ...showProposal(row, account, false), account: row.account_address };
}

async function listOfOne(
  { db }: Needs,
  network: Network,
  { tenantId }: Caller,
  account: string,
  query: Query,
): Promise<Answer<AccountProposal[]>> {
  if (!isAddress(account)) throw new TrellisError("account_not_found");
  const { status = [], limit = limits.proposalPageDefault } = query;
  const before = query.cursor === undefined ? undefined : proposalPlace.decode(query.cursor);
  const found = await findProposals(db, {
    environment: network.name,
    tenantId,
    accountAddress: account,
    statuses: status,
    ...(before === undefined ? {} : { before: before.index }),
    limit: limit + 1,
  });
  if (found === undefined) throw new TrellisError("account_not_found");
  if (limit === 0) return { data: [] };
  const page = pageOf(found.rows, limit, (last) => proposalPlace.encode({ index: BigInt(last.transaction_index) }));
  const shown = { address: account, ...found };
  return listAnswer(
    page.rows.map((row) => ({ ...showProposal(row, shown, false), account })),
    page.cursor,
  );
}
