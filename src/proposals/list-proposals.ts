import { type Address, isAddress } from "@solana/kit";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int8, listAnswer, pageOf } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { Proposal } from "./proposal.js";
import type { ProposalRefreshes } from "./proposal-refreshes.js";
import { clientStates } from "./proposal-states.js";
import { listProposals as findProposals } from "./proposal-store.js";
import { showProposal } from "./show-proposal.js";

/** Everything with a smaller transaction index. */
export const proposalPlace = cursor("p1", { index: int8 });

/**
 * Interface 4.10, gap 37. Answered from the index, after a read of the chain where the last one is some seconds old; a
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
      status: Type.Optional(Type.Array(Type.Enum([...clientStates.all]), { description: "Repeat it for several." })),
      limit: Type.Optional(
        Type.Integer({ minimum: 0, maximum: limits.proposalPageMax, default: limits.proposalPageDefault }),
      ),
      cursor: Type.Optional(Type.String({ description: "From the page before." })),
      showOnChainStatus: Type.Optional(Type.Boolean({ description: "True: the status as the chain has it." })),
    }),
    response: { status: 200, envelope: true, schema: Type.Array(Proposal) },
    errors: ["account_not_found", "invalid_cursor"],
  },
  async (
    needs: { readonly db: Db; readonly proposalRefreshes: ProposalRefreshes },
    { params, query, network, caller },
  ) => {
    if (!isAddress(params.address)) throw new TrellisError("account_not_found");
    const limit = query.limit ?? limits.proposalPageDefault;
    const before = query.cursor === undefined ? undefined : proposalPlace.decode(query.cursor);
    const listing = {
      environment: network.name,
      tenantId: caller.tenantId,
      accountAddress: params.address,
      statuses: query.status ?? [],
      ...(before === undefined ? {} : { before: before.index }),
      // One more than the page shows whether there is another.
      limit: limit + 1,
    };
    let found = await findProposals(needs.db, listing);
    if (found === undefined) throw new TrellisError("account_not_found");
    if (limit === 0) return { data: [] };
    // The pages behind the first belong to the list that is being read.
    if (before === undefined && isOld(found.refreshedAt, network.clock.now())) {
      const isRefreshed = await needs.proposalRefreshes.refresh(network, found.settingsAddress as Address);
      if (isRefreshed) found = (await findProposals(needs.db, listing)) ?? found;
    }
    const { rows } = found;
    const account = { address: params.address, ...found };
    const page = pageOf(rows, limit, (last) => proposalPlace.encode({ index: BigInt(last.transaction_index) }));
    return listAnswer(
      page.rows.map((row) => showProposal(row, account, query.showOnChainStatus === true)),
      page.cursor,
    );
  },
);

const isOld = (refreshedAt: number | null, now: number): boolean =>
  refreshedAt === null || now - refreshedAt > limits.refreshGoodForMs;
