import type { PartnerRef, Payout, PayoutAddress, RailsPartner } from "@trellis/kernel/ports/rails.js";
import { answerOf, type BridgeNeeds, dataOf, lastIdOf, pagesOf, refuse, refused, unreadable } from "./bridge-needs.js";
import { decimal, field, instant, text, textFields } from "./read-json.js";
import { bankRail, fiat, isBackWord, paidRail, transferState } from "./states.js";
import { coin } from "./virtual-accounts.js";

type Opening = Parameters<RailsPartner["openPayoutAddress"]>[0];

/** Permanent addresses that pass coins on to a bank account, which the partner calls liquidation addresses, and their drains. */
export function liquidationAddresses(
  needs: BridgeNeeds,
): Pick<RailsPartner, "openPayoutAddress" | "findPayoutAddress" | "readPayoutAddress" | "listPayouts"> {
  const { ask, choices } = needs;
  return {
    openPayoutAddress: async (request) => {
      const { customer, bankAccount, currency, rail } = request;
      const pair = choices.pairs.find((one) => one.currency === currency);
      if (!pair?.coins.includes(request.coin)) {
        return refuse("unsupported_pair", "currency", `${currency} with ${request.coin} is not configured`);
      }
      const answer = await ask({
        method: "POST",
        path: ["customers", customer, "liquidation_addresses"],
        idempotencyKey: request.idempotencyKey,
        signal: request.signal,
        body: {
          chain: "solana",
          currency: request.coin,
          external_account_id: bankAccount,
          destination_payment_rail: paidRail(rail),
          destination_currency: currency,
          return_address: request.returnAddress,
          ...(choices.developerFeePercent === null
            ? {}
            : { custom_developer_fee_percent: choices.developerFeePercent }),
        },
      });
      return answerOf(answer, (body) => {
        const opened = addressOf(needs, body, customer, request);
        const wrong = differenceOf(opened, request);
        if (wrong !== undefined) {
          // A sender of coins to it would pay another party.
          needs.log.error(
            { event: "partner_address_unexpected", partner: "bridge", address: opened.ref, wrong },
            "partner opened another address than was asked for",
          );
          throw unreadable(`the address that was opened has another ${wrong}`);
        }
        return opened;
      });
    },

    findPayoutAddress: async ({ customer, bankAccount, rail, coin: wanted, returnAddress }, signal) => {
      let inactive: PayoutAddress | null = null;
      for await (const page of pagesOf(ask, ["customers", customer, "liquidation_addresses"], {}, signal)) {
        if ("refusal" in page) return refused(page.refusal, "not_found");
        for (const item of page) {
          const isIt =
            text(item, "external_account_id") === bankAccount &&
            (text(item, "chain") ?? "solana").toLowerCase() === "solana" &&
            coin(text(item, "currency")) === wanted &&
            (text(item, "return_address") ?? returnAddress) === returnAddress &&
            bankRail(text(item, "destination_payment_rail")) === rail;
          if (!isIt) continue;
          const found = addressOf(needs, item, customer);
          if (found.status === "activated") return { ok: true, value: found };
          inactive ??= found;
        }
      }
      return { ok: true, value: inactive };
    },

    readPayoutAddress: async ({ customer, ref }, signal) => {
      const answer = await ask({ method: "GET", path: ["customers", customer, "liquidation_addresses", ref], signal });
      return answerOf(answer, (body) => addressOf(needs, body, customer), "not_found");
    },

    listPayouts: async ({ customer, payoutAddress, after }, signal) => {
      const answer = await ask({
        method: "GET",
        path: ["customers", customer, "liquidation_addresses", payoutAddress, "drains"],
        query: { limit: "100", starting_after: after ?? undefined },
        signal,
      });
      if (!answer.ok) return refused(answer, "not_found");
      const page = dataOf(answer.body);
      const last = lastIdOf(page);
      return {
        ok: true,
        value: {
          payouts: page.flatMap((item) => payoutOf(needs, item, payoutAddress) ?? []),
          next: last === undefined || last === after ? null : last,
        },
      };
    },
  };
}

/** The first thing in which the answer is about something else than the request. */
function differenceOf(opened: PayoutAddress, asked: Opening): string | undefined {
  if (opened.customer !== asked.customer) return "customer";
  if (opened.bankAccount !== asked.bankAccount) return "payee";
  if (opened.currency !== asked.currency) return "currency";
  if (opened.rail !== asked.rail) return "rail";
  return opened.coin === asked.coin ? undefined : "coin";
}

/** What the answer to an opening leaves out is believed to be as asked; but for the address itself. */
function addressOf(needs: BridgeNeeds, body: unknown, customer: PartnerRef, asked?: Opening): PayoutAddress {
  const id = text(body, "id");
  const address = text(body, "address");
  const named = text(body, "destination_payment_rail");
  const rail = named === undefined ? asked?.rail : bankRail(named);
  const money = text(body, "destination_currency");
  const currency = money === undefined ? asked?.currency : fiat(money);
  const onChain = text(body, "currency");
  const claimed = onChain === undefined ? asked?.coin : coin(onChain);
  const bankAccount = text(body, "external_account_id") ?? asked?.bankAccount;
  const isSolana = (text(body, "chain") ?? "solana").toLowerCase() === "solana";
  if (
    id === undefined ||
    address === undefined ||
    rail === undefined ||
    currency === undefined ||
    claimed === undefined ||
    bankAccount === undefined ||
    !isSolana
  ) {
    throw unreadable("a liquidation address lacks its id, its address, or where its coins go");
  }
  return {
    ref: id as PartnerRef,
    customer: (text(body, "customer_id") ?? customer) as PartnerRef,
    bankAccount: bankAccount as PartnerRef,
    currency,
    rail,
    coin: claimed,
    address,
    returnAddress: text(body, "return_address") ?? asked?.returnAddress ?? null,
    status: statusOf(needs, text(body, "state")),
    createdAt: instant(body, "created_at") ?? 0,
  };
}

/** Older answers have no state. Nothing is sent to an address whose state is not known. */
function statusOf({ alarm }: BridgeNeeds, word: string | undefined): PayoutAddress["status"] {
  if (word === undefined || word === "active" || word === "activated") return "activated";
  if (word !== "deactivated" && word !== "inactive") alarm("liquidation address state", word);
  return "deactivated";
}

/** Undefined for what cannot be made out. */
function payoutOf(needs: BridgeNeeds, item: unknown, payoutAddress: PartnerRef): Payout | undefined {
  const id = text(item, "id");
  const amount = decimal(item, "amount") ?? decimal(field(item, "receipt"), "initial_amount");
  const claimed = coin(text(item, "currency"));
  if (id === undefined || amount === undefined || claimed === undefined) {
    needs.alarm("drain", "without id, amount or currency");
    return undefined;
  }
  const state = transferState(text(item, "state"), needs.alarm);
  const receipt = textFields(field(item, "receipt"));
  const destination = text(item, "destination_tx_hash");
  const reported = { ...receipt, ...(destination === undefined ? {} : { destination_tx_hash: destination }) };
  const returned = field(item, "return_details");
  const isBack = returned !== undefined || isBackWord(text(item, "state"));
  return {
    ref: id as PartnerRef,
    payoutAddress: (text(item, "liquidation_address_id") ?? payoutAddress) as PartnerRef,
    state,
    amount,
    coin: claimed,
    signature: text(item, "deposit_tx_hash") ?? receipt.source_tx_hash ?? null,
    receipt: Object.keys(reported).length === 0 ? null : reported,
    returned: isBack ? { reason: text(returned, "reason") ?? "returned" } : null,
    createdAt: instant(item, "created_at") ?? 0,
  };
}
