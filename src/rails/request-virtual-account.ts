import { endpoint } from "@trellis/kernel/endpoint.js";
import { type ErrorCode, TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { PayIn, RailsPartner } from "@trellis/kernel/ports/rails.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import { getCurrency } from "@trellis/solana/currency.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { type OpeningNeeds, openTokenAccount } from "../transactions/open-token-account.js";
import { getRails, orUnavailable } from "./ask-partner.js";
import { requireCustomer } from "./rail-customer.js";
import type { RailNeeds } from "./rail-needs.js";
import { currencyField, showVirtualAccount, VirtualAccount } from "./virtual-account.js";
import {
  findVirtualAccountIn,
  isOpened,
  type OpenedVirtualAccount,
  recordVirtualAccount,
  type VirtualAccountRow,
} from "./virtual-account-store.js";
import { refreshVirtualAccount } from "./virtual-accounts.js";

export type RequestNeeds = RailNeeds & OpeningNeeds;

/** What asking for one can be refused with. */
export const requestErrors = [
  "account_not_found",
  "rail_not_available",
  "unsupported_currency",
  "destination_closed",
  "destination_frozen",
  "kyc_required",
  "virtual_account_exists",
  "rent_not_sponsored",
  "sponsorship_limit_exceeded",
  "submission_in_progress",
  "partner_refused",
  "partner_unavailable",
  "chain_unavailable",
] as const satisfies readonly ErrorCode[];

export const requestBody = Type.Object(
  {
    currency: currencyField,
    grid_user_id: Type.Optional(uuidText({ description: "The account's user; derived where absent." })),
  },
  { $id: "VirtualAccountRequest" },
);

/** Interface 4.13, gaps 44 and 98. */
export const requestVirtualAccount = endpoint(
  {
    operation: "requestVirtualAccount",
    summary: "Request a virtual account",
    description:
      "Bank details of the account's own: what is paid in there in a bank's currency arrives at the smart account as coins. " +
      "One for each currency. The account's holder has to be verified first, and needs the endorsement of the currency.",
    tag: "Virtual accounts",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/virtual-account",
    scope: "virtual-accounts:write",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    body: requestBody,
    response: { status: 201, envelope: true, schema: VirtualAccount },
    errors: [...requestErrors],
  },
  async (needs: RequestNeeds, { params, body, network, caller, operationId }) => {
    const row = await openVirtualAccount(needs, network, {
      tenantId: caller.tenantId,
      address: params.address,
      currency: body.currency,
      userId: body.grid_user_id,
      askedAs: operationId,
    });
    return { data: showVirtualAccount(needs.keyring, row) };
  },
);

/** How long the process that records one is left alone with it: real time. */
const recorderMs = 3 * limits.partnerCallMs;

/**
 * Opens one at the partner, once, whatever is repeated and wherever a process dies: it is recorded with the partner's key
 * before the partner hears of it, and the process that finds an unanswered one resumes it. A repetition under the same
 * idempotency key is answered with what the first one made.
 */
export async function openVirtualAccount(
  needs: RequestNeeds,
  network: Network,
  wanted: {
    readonly tenantId: string;
    readonly address: string;
    readonly currency: string;
    readonly userId: string | undefined;
    readonly askedAs: string | undefined;
  },
): Promise<OpenedVirtualAccount> {
  const { db, realClock } = needs;
  const account = await getAccountRow(db, { ...wanted, environment: network.name });
  if (wanted.userId !== undefined && wanted.userId !== account.user_id) {
    throw new TrellisError("invalid_request", {
      field: "grid_user_id",
      message: "grid_user_id is not the account's user.",
    });
  }
  const rails = getRails(needs, network);
  const { partner } = rails;
  const payIn = requirePayIn(partner, wanted.currency);
  const coin = payIn.to.find((symbol) => network.currencies.some((currency) => currency.symbol === symbol));
  if (coin === undefined) throw new TrellisError("rail_not_available", { field: "currency" });
  const currency = getCurrency(network, coin);
  const owner = { tenantId: account.tenant_id, environment: network.name, address: account.address };

  const begun = await findVirtualAccountIn(db, owner, partner.name, payIn.from);
  const mayAnswer = (row: VirtualAccountRow) =>
    (wanted.askedAs !== undefined && row.asked_as === wanted.askedAs) ||
    (!isOpened(row) && realClock.now() - Number(row.operation_begun_at) > recorderMs);
  let isOurs = begun !== undefined && mayAnswer(begun);
  let id = begun?.id;
  if (begun === undefined) {
    const { customer, verificationId } = await requireCustomer(needs, network, owner, {
      endorsement: payIn.endorsement,
    });
    await openTokenAccount(needs, network, account, currency);
    const recorded = await recordVirtualAccount(needs, network, {
      account: owner,
      userId: account.user_id,
      partner: partner.name,
      customer,
      verificationId,
      currency: payIn.from,
      coin,
      mint: currency.mint ?? "",
      askedAs: wanted.askedAs,
    });
    isOurs = recorded !== undefined;
    id = recorded?.id ?? (await findVirtualAccountIn(db, owner, partner.name, payIn.from))?.id;
  }
  // It was there a moment ago and is not any more: refused by the partner, in another caller's call.
  if (id === undefined) throw new TrellisError("partner_unavailable", { retryAfterSeconds: 1 });
  if (begun !== undefined && isOpened(begun)) {
    if (isOurs) return begun;
    throw exists(begun);
  }
  const row = await orUnavailable(refreshVirtualAccount(needs, network, rails, id));
  if (row === undefined || !isOpened(row)) throw new TrellisError("partner_unavailable", { retryAfterSeconds: 1 });
  if (!isOurs) throw exists(row);
  return row;
}

/** What the partner takes in a currency. Throws `unsupported_currency` with those it takes. */
export function requirePayIn({ payIns }: Pick<RailsPartner, "payIns">, currency: string): PayIn {
  const found = payIns.find(({ from }) => from === currency.toLowerCase());
  if (found !== undefined) return found;
  throw new TrellisError("unsupported_currency", {
    field: "currency",
    message: `There are no virtual accounts in ${currency}.`,
    suggestion: `There are some in: ${payIns.map(({ from }) => from).join(", ")}.`,
  });
}

/** A deactivated one is the currency's one as well: its partner can activate it again. */
function exists({ id, status }: OpenedVirtualAccount): TrellisError {
  return new TrellisError("virtual_account_exists", {
    field: "currency",
    facts: { virtual_account_id: id, status },
    suggestion:
      status === "activated"
        ? "Read it by GET /api/service/v1/accounts/{address}/virtual-accounts."
        : "It is deactivated. The partner has to activate it again; there is no second one in a currency.",
  });
}
