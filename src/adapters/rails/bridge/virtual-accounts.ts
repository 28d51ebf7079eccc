import { type Coin, findCoin } from "@trellis/kernel/ports/coins.js";
import type { BankRail, Fiat, PartnerRef, PartnerVirtualAccount, RailsPartner } from "@trellis/kernel/ports/rails.js";
import { answerOf, type BridgeNeeds, pagesOf, refuse, refused, unreadable } from "./bridge-needs.js";
import { decimal, field, instant, text, textFields, texts } from "./read-json.js";
import { bankRail, fiat } from "./states.js";

/** A coin by the partner's word for it; undefined for those this release does not speak of. */
export function coin(word: string | undefined): Coin | undefined {
  return findCoin(word?.toLowerCase());
}

export function virtualAccounts(
  needs: BridgeNeeds,
): Pick<RailsPartner, "openVirtualAccount" | "findVirtualAccount" | "readVirtualAccount"> {
  const { ask, choices } = needs;
  return {
    openVirtualAccount: async (request) => {
      const pair = choices.pairs.find(({ currency }) => currency === request.from);
      if (pair === undefined || !pair.coins.includes(request.to)) {
        return refuse("unsupported_pair", "destination.currency", `${request.from} to ${request.to} is not configured`);
      }
      const answer = await ask({
        method: "POST",
        path: ["customers", request.customer, "virtual_accounts"],
        idempotencyKey: request.idempotencyKey,
        signal: request.signal,
        // The same bytes for every attempt under one key: nothing here depends on when it is said.
        body: {
          source: { currency: request.from },
          destination: { currency: request.to, payment_rail: "solana", address: request.address },
          ...(choices.developerFeePercent === null ? {} : { developer_fee_percent: choices.developerFeePercent }),
          ...(choices.travelRule === null
            ? {}
            : { travel_rule_data: { beneficiary: { is_self: true, wallet_type: choices.travelRule } } }),
        },
      });
      return answerOf(answer, (body) => {
        const account = accountOf(needs, body, request.customer);
        if (account.destination.address !== request.address || account.currency !== request.from) {
          // A payer who pays into it would pay another owner.
          needs.log.error(
            { event: "partner_virtual_account_unexpected", partner: "bridge", account: account.ref },
            "partner opened a virtual account for another address",
          );
          throw unreadable("the account that was opened is for another address or currency");
        }
        return account;
      });
    },

    findVirtualAccount: async ({ customer, from, address }, signal) => {
      let inactive: PartnerVirtualAccount | null = null;
      for await (const page of pagesOf(ask, ["customers", customer, "virtual_accounts"], {}, signal)) {
        if ("refusal" in page) return refused(page.refusal, "not_found");
        for (const item of page) {
          if (!isFor(item, from, address)) continue;
          const account = accountOf(needs, item, customer);
          if (account.status === "activated") return { ok: true, value: account };
          inactive ??= account;
        }
      }
      return { ok: true, value: inactive };
    },

    readVirtualAccount: async ({ customer, ref }, signal) => {
      const answer = await ask({ method: "GET", path: ["customers", customer, "virtual_accounts", ref], signal });
      return answerOf(answer, (body) => accountOf(needs, body, customer), "not_found");
    },
  };
}

function isFor(item: unknown, from: Fiat, address: string): boolean {
  const destination = field(item, "destination");
  return text(destination, "address") === address && currencyOf(item) === from;
}

function currencyOf(body: unknown): Fiat | undefined {
  return fiat(text(field(body, "source_deposit_instructions"), "currency") ?? text(field(body, "source"), "currency"));
}

function accountOf(needs: BridgeNeeds, body: unknown, customer: PartnerRef): PartnerVirtualAccount {
  const id = text(body, "id");
  const currency = currencyOf(body);
  const destination = field(body, "destination");
  const address = text(destination, "address");
  const to = coin(text(destination, "currency"));
  if (id === undefined || currency === undefined || address === undefined || to === undefined) {
    throw unreadable("a virtual account lacks its id, its currency or its destination");
  }
  const {
    currency: _,
    payment_rail,
    payment_rails,
    ...instructions
  } = textFields(field(body, "source_deposit_instructions"));
  return {
    ref: id as PartnerRef,
    customer: (text(body, "customer_id") ?? customer) as PartnerRef,
    status: statusOf(needs, text(body, "status")),
    currency,
    rails: railsOf(field(body, "source_deposit_instructions")),
    instructions,
    destination: { address, coin: to },
    feePercent: decimal(body, "developer_fee_percent") ?? null,
    createdAt: instant(body, "created_at") ?? 0,
  };
}

/** No response asks to pay into an account whose state is not known. */
function statusOf({ alarm }: BridgeNeeds, word: string | undefined): PartnerVirtualAccount["status"] {
  if (word === "activated" || word === "deactivated") return word;
  alarm("virtual account status", word ?? "");
  return "deactivated";
}

function railsOf(instructions: unknown): readonly BankRail[] {
  const words = [...texts(field(instructions, "payment_rails")), ...texts(field(instructions, "payment_rail"))];
  const known = words.flatMap((word) => word.split(",")).map((word) => bankRail(word.trim()));
  return [...new Set(known.filter((rail) => rail !== undefined))];
}
