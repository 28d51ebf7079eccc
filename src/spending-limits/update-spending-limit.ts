import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { addressOfBytes, deriveSpendingLimitAddress, spendingLimitSize } from "@trellis/program-client";
import Type, { type Static } from "typebox";
import type { LimitsOfOrders } from "../policy-changes/limits-of-orders.js";
import { type LimitTerms, limitTerms, parseLimitTerms, type RequestedLimit } from "../proposals/requested-limit.js";
import { type ActingAccount, getActingAccount } from "../transactions/acting-account.js";
import { chooseLimitRentPayer } from "../transactions/limit-rent.js";
import { prepareInstructions } from "../transactions/prepare-synchronous.js";
import { preparedFields, toPreparedFields } from "../transactions/prepared-transaction.js";
import { findSpendingLimit, type StandingLimit } from "../transactions/read-spending-limits.js";
import { adminQuery, composeLimitChange, decideLimitChange, decisionFields } from "./limit-change.js";
import { hasExpired, periodNames, secondsNow } from "./spending-limit.js";

const Body = Type.Object(
  {
    amount: Type.Optional(limitTerms.amount),
    mint: Type.Optional(limitTerms.mint),
    period: Type.Optional(limitTerms.period),
    spending_limit_signers: Type.Optional(limitTerms.signers),
    destinations: Type.Optional(limitTerms.destinations),
    expiration: Type.Optional(limitTerms.expiration),
    ...decisionFields,
  },
  { examples: [{ amount: "2000000" }] },
);

/** Gap 41. The chain knows no change of a limit: the old one is removed, and a new one is added in the same transaction. */
export const updateSpendingLimit = endpoint(
  {
    operation: "updateSpendingLimit",
    summary: "Exchange a spending limit for one with other terms",
    description:
      "Prepares the removal of the limit and the grant of a new one, in one transaction. What is absent stays as it is; " +
      "the new limit has an address of its own, and its allowance starts again. Where the account's signers cannot act at " +
      "once, propose the actions AddSpendingLimit and RemoveSpendingLimit instead.",
    tag: "Spending limits",
    method: "PATCH",
    path: "/api/service/v1/accounts/{address}/spending-limit/{spending_limit_address}",
    scope: "accounts:write",
    environment: "optional",
    params: Type.Object({ address: addressText(), spending_limit_address: addressText() }),
    query: adminQuery,
    body: Body,
    refusesNearMisses: true,
    preparesOnly: true,
    response: {
      status: 200,
      envelope: false,
      schema: Type.Object({
        ...preparedFields,
        spending_limit_address: addressText({ description: "Of the new limit." }),
      }),
    },
    errors: [
      "account_not_found",
      "spending_limit_not_found",
      "no_changes",
      "admin_required",
      "account_has_no_admin",
      "invalid_amount",
      "invalid_address",
      "forbidden_account",
      "insufficient_permissions",
      "passkey_session_required",
      "proposal_required",
      "rent_not_sponsored",
      "transaction_too_large",
      "transaction_failed",
      "unsupported_fee_config",
      "chain_unavailable",
    ],
  },
  async (
    needs: { readonly db: Db; readonly random: Random; readonly limitsOfOrders: LimitsOfOrders },
    { params, query, body, network, caller },
  ) => {
    const account = await getActingAccount(needs.db, network, caller.tenantId, params.address);
    const freshness = { leastSlot: account.slot };
    const old = await findSpendingLimit(network, account.settingsAddress, params.spending_limit_address, freshness);
    if (old === undefined) throw new TrellisError("spending_limit_not_found");
    // An order's limit may name a former executor.
    const isOrders =
      old.signers.some((signer) => network.serviceAddresses.has(signer)) ||
      (await needs.limitsOfOrders.isOfOrder(needs.db, network.name, account.row.address, old.address));
    if (isOrders) {
      throw new TrellisError("forbidden_account", {
        message: "The limit is that of a standing order, and changes with it.",
      });
    }
    const terms = await mergeTerms(network, account, old, body);
    if (isSame(old, terms)) throw new TrellisError("no_changes");
    const add = { seed: addressOfBytes(needs.random.bytes(32)), accountIndex: old.accountIndex, ...terms };
    const change = { add, remove: old.address };
    const decision = decideLimitChange(needs.db, network, account, query.admin === true, body, change);
    const { signers, feePayer, sponsor } = decision;
    const size = spendingLimitSize(terms.signers.length, terms.destinations.length);
    const rentPayer = await chooseLimitRentPayer(network, [size], signers, sponsor);
    const prepared = await prepareInstructions(needs, network, {
      kind: "settings_change",
      account,
      signers,
      feePayer,
      instructions: composeLimitChange(account, decision, rentPayer, change),
    });
    const spending_limit_address = deriveSpendingLimitAddress(account.settingsAddress, add.seed);
    return { data: { ...toPreparedFields(prepared), spending_limit_address } };
  },
);

/** What is asked for, and of the old limit what is not; that was let through once and is not judged again. */
async function mergeTerms(
  network: Network,
  account: ActingAccount,
  old: StandingLimit,
  body: Static<typeof Body>,
): Promise<LimitTerms> {
  const requested: RequestedLimit = {
    mint: body.mint ?? null,
    amount: body.amount ?? old.amountBaseUnits.toString(),
    period: body.period ?? periodNames[old.period],
    signers: body.spending_limit_signers ?? [],
    destinations: body.destinations ?? [],
    expiration: body.expiration ?? null,
  };
  const terms = await parseLimitTerms(network, account, requested, { signers: "spending_limit_signers" });
  if (body.expiration === undefined && hasExpired(old, secondsNow(network))) {
    throw new TrellisError("invalid_request", {
      field: "expiration",
      message: "The limit has expired. Say until when the new one is to last; null: it does not expire.",
    });
  }
  return {
    ...terms,
    ...(body.mint === undefined ? { mint: old.mint } : {}),
    ...(body.spending_limit_signers === undefined ? { signers: old.signers } : {}),
    ...(body.destinations === undefined ? { destinations: old.destinations } : {}),
    ...(body.expiration === undefined ? { expiration: old.expiration } : {}),
  };
}

function isSame(old: StandingLimit, terms: LimitTerms): boolean {
  const sameSet = (left: readonly string[], right: readonly string[]) =>
    left.length === right.length && left.every((entry) => right.includes(entry));
  return (
    old.mint === terms.mint &&
    old.amountBaseUnits === terms.amountBaseUnits &&
    old.period === terms.period &&
    old.expiration === terms.expiration &&
    sameSet(old.signers, terms.signers) &&
    sameSet(old.destinations, terms.destinations)
  );
}
