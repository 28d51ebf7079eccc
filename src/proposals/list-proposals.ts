import { type Address, isAddress } from "@solana/kit";
import Type from "typebox";
import { endpoint } from "../kernel/endpoint.js";
import { TrellisError } from "../kernel/errors.js";
import { limits } from "../kernel/limits.js";
import { addressText } from "../kernel/wire-texts.js";
import type { Db } from "../ports/database.js";
import type { AccountLooks } from "./look-at-account.js";
import { clientStatuses, Proposal } from "./proposal.js";
import { listProposals as findProposals } from "./proposal-store.js";
import { showProposal } from "./show-proposal.js";

/**
 * Interface 4.10, gap 37. Answered from the index, after a look at the chain where the last one is some seconds old; a
 * chain that does not answer in time keeps no list from being answered (gap 60).
 */
export const listProposals = endpoint(
  {
    operation: "listProposals",
    summary: "List proposals",
    description: "The account's proposals, newest first, those included that were made elsewhere or are closed.",
    tag: "Proposals",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/proposals",
    scope: "proposals:read",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    query: Type.Object({
      status: Type.Optional(Type.Array(Type.Enum([...clientStatuses]), { description: "Repeat it for several." })),
      limit: Type.Optional(
        Type.Integer({ minimum: 0, maximum: limits.proposalPageMax, default: limits.proposalPageDefault }),
      ),
      cursor: Type.Optional(Type.String({ description: "From the page before." })),
      showOnChainStatus: Type.Optional(Type.Boolean({ description: "True: the status as the chain has it." })),
    }),
    response: { status: 200, envelope: true, schema: Type.Array(Proposal) },
    errors: ["account_not_found", "invalid_cursor"],
  },
  async (needs: { readonly db: Db; readonly accountLooks: AccountLooks }, { params, query, network, caller }) => {
    if (!isAddress(params.address)) throw new TrellisError("account_not_found");
    const limit = query.limit ?? limits.proposalPageDefault;
    const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
    const listing = {
      environment: network.name,
      tenantId: caller.tenantId,
      accountAddress: params.address,
      statuses: query.status ?? [],
      ...(before === undefined ? {} : { before }),
      // One more than the page tells whether there is another.
      limit: limit + 1,
    };
    let found = await findProposals(needs.db, listing);
    if (found === undefined) throw new TrellisError("account_not_found");
    if (limit === 0) return { data: [] };
    // The pages behind the first belong to the list that is being read.
    if (before === undefined && isOld(found.lookedAt, network.clock.now())) {
      const looked = await needs.accountLooks.look(network, found.settingsAddress as Address);
      if (looked) found = (await findProposals(needs.db, listing)) ?? found;
    }
    const { rows } = found;
    const account = { address: params.address, ...found };
    const data = rows.slice(0, limit).map((row) => showProposal(row, account, query.showOnChainStatus === true));
    const last = rows[limit - 1];
    if (rows.length <= limit || last === undefined) return { data };
    const cursor = encodeCursor(BigInt(last.transaction_index));
    return { data, headers: { "x-next-cursor": cursor }, metadata: { next_cursor: cursor } };
  },
);

const isOld = (lookedAt: number | null, now: number): boolean =>
  lookedAt === null || now - lookedAt > limits.lookGoodForMs;

const cursorForm = /^p1_([1-9][0-9]{0,18})$/;

/** A place in the list: everything behind this transaction index. */
function encodeCursor(index: bigint): string {
  return Buffer.from(`p1_${index}`).toString("base64url");
}

function decodeCursor(cursor: string): bigint {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const index = cursorForm.exec(text)?.[1];
  if (index === undefined || BigInt(index) > 9_223_372_036_854_775_807n || encodeCursor(BigInt(index)) !== cursor) {
    throw new TrellisError("invalid_cursor", { field: "cursor" });
  }
  return BigInt(index);
}
