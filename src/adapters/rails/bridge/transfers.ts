import { references, whyNotReference } from "@trellis/kernel/bank-reference.js";
import type {
  BankRail,
  Leg,
  PartnerAnswer,
  PartnerRef,
  RailsPartner,
  RailTransfer,
} from "@trellis/kernel/ports/rails.js";
import { answerOf, type BridgeNeeds, pagesOf, refuse, refused, unreadable } from "./bridge-needs.js";
import { decimal, field, instant, type Json, sameDecimal, text, textFields } from "./read-json.js";
import { bankRail, fiat, isBackWord, paidRail, transferState } from "./states.js";
import { coin } from "./virtual-accounts.js";

type Creation = Parameters<RailsPartner["createTransfer"]>[0];
type BankLeg = Extract<Leg, { kind: "bank" }>;

/** How much earlier than our own time the partner's may be. */
const overlapMs = 10 * 60_000;

export function transfers(
  needs: BridgeNeeds,
): Pick<RailsPartner, "createTransfer" | "findTransfer" | "readTransfer" | "cancelTransfer"> {
  const { ask, choices } = needs;

  const readTransfer = async (ref: PartnerRef, signal: AbortSignal): Promise<PartnerAnswer<RailTransfer>> =>
    answerOf(
      await ask({ method: "GET", path: ["transfers", ref], signal }),
      (body) => transferOf(needs, body),
      "not_found",
    );

  return {
    readTransfer,

    createTransfer: async (request) => {
      const { from, to } = request;
      const problem = problemOf(needs, from, to);
      if (problem !== undefined) return problem;
      const isPayOut = from.kind === "solana";
      const answer = await ask({
        method: "POST",
        path: ["transfers"],
        idempotencyKey: request.idempotencyKey,
        signal: request.signal,
        body: {
          on_behalf_of: request.customer,
          client_reference_id: request.clientReference,
          amount: request.amount,
          ...(choices.developerFeePercent === null ? {} : { developer_fee_percent: choices.developerFeePercent }),
          source: sourceOf(from, choices.allowsAnySender),
          destination: destinationOf(to),
          ...(isPayOut && choices.allowsAnySender ? { features: { allow_any_from_address: true } } : {}),
        },
      });
      return answerOf(answer, (body) => {
        const transfer = transferOf(needs, body, request);
        const wrong = differenceOf(transfer, body, request);
        if (wrong !== undefined) {
          // A sender of money by such instructions would pay for something else.
          needs.log.error(
            { event: "partner_transfer_unexpected", partner: "bridge", transfer: transfer.ref, wrong },
            "partner made another transfer than was asked for",
          );
          throw unreadable(`the transfer that was made has another ${wrong}`);
        }
        return transfer;
      });
    },

    findTransfer: async ({ customer, clientReference, since }, signal) => {
      const query = { updated_after_ms: String(Math.max(0, since - overlapMs)) };
      // The customer's own: the transfers of everybody can be more than anybody reads.
      for await (const page of pagesOf(ask, ["customers", customer, "transfers"], query, signal)) {
        if ("refusal" in page) return refused(page.refusal, "not_found");
        for (const item of page) {
          if (text(item, "client_reference_id") !== clientReference) continue;
          const owner = text(item, "on_behalf_of");
          if (owner === undefined || owner === customer) return { ok: true, value: transferOf(needs, item) };
        }
      }
      return { ok: true, value: null };
    },

    cancelTransfer: async ({ ref, signal }) => {
      const answer = await ask({ method: "DELETE", path: ["transfers", ref], signal });
      // Its present state says more than this answer does, and repeating a cancellation finds it canceled.
      const now = await readTransfer(ref, signal);
      if (now.ok && now.value.state === "canceled") return now;
      if (!now.ok) return now;
      // It accepted the cancellation and does not report it yet; where money has arrived meanwhile, that is what counts.
      if (answer.ok && now.value.state === "awaiting_funds") {
        return { ok: true, value: { ...now.value, state: "canceled" } };
      }
      if (answer.ok) return refuse("wrong_state", "state", `a canceled transfer is ${now.value.state}`);
      return refused(answer, "wrong_state");
    },
  };
}

function problemOf({ choices }: BridgeNeeds, from: Leg, to: Leg): PartnerAnswer<never> | undefined {
  const bank = from.kind === "bank" ? from : to.kind === "bank" ? to : undefined;
  const chain = from.kind === "solana" ? from : to.kind === "solana" ? to : undefined;
  if (bank === undefined || chain === undefined) {
    return refuse("unsupported_pair", "source", "one end is a bank, the other one is on chain");
  }
  const pair = choices.pairs.find(({ currency }) => currency === bank.currency);
  if (!pair?.coins.includes(chain.coin)) {
    return refuse("unsupported_pair", "currency", `${bank.currency} with ${chain.coin} is not configured`);
  }
  if (to.kind !== "bank") return undefined;
  if (to.account === undefined) return refuse("invalid_details", "external_account_id", "no bank account is named");
  return to.reference === undefined ? undefined : referenceProblem(to.rail, to.reference);
}

function referenceProblem(rail: BankRail, reference: string): PartnerAnswer<never> | undefined {
  const why = whyNotReference(rail, reference);
  return why === undefined ? undefined : refuse("invalid_details", references[rail].name, why);
}

function sourceOf(from: Leg, anySender: boolean): object {
  if (from.kind === "bank") return { currency: from.currency, payment_rail: from.rail };
  return { currency: from.coin, payment_rail: "solana", ...(anySender ? {} : { from_address: from.address }) };
}

function destinationOf(to: Leg): object {
  if (to.kind === "solana") return { currency: to.coin, payment_rail: "solana", to_address: to.address };
  const reference = to.reference === undefined ? {} : { [references[to.rail].name]: linesOf(to.rail, to.reference) };
  return { currency: to.currency, payment_rail: paidRail(to.rail), external_account_id: to.account, ...reference };
}

/** A wire carries four lines of 35 characters; others one. */
function linesOf(rail: BankRail, reference: string): string {
  return rail === "wire" ? ([...reference].join("").match(/.{1,35}/gsu) ?? []).join("\n") : reference;
}

/** The first thing in which the answer is about something else than the request; what it leaves out is believed. */
function differenceOf(transfer: RailTransfer, body: unknown, request: Creation): string | undefined {
  const { from, to } = request;
  const destination = field(body, "destination");
  const amount = decimal(body, "amount");
  const differs = (reported: string | undefined, meant: string | undefined) =>
    reported !== undefined && meant !== undefined && reported !== meant;
  if (differs(text(body, "client_reference_id"), request.clientReference)) return "reference";
  if (differs(text(body, "on_behalf_of"), request.customer)) return "customer";
  if (amount !== undefined && !sameDecimal(amount, request.amount)) return "amount";
  if (to.kind === "solana" && differs(text(destination, "to_address"), to.address)) return "payee";
  if (to.kind === "bank" && differs(text(destination, "external_account_id"), to.account)) return "payee";
  const due = transfer.instructions?.amount;
  if (due !== undefined && !sameDecimal(due, request.amount)) return "amount to be sent";
  // Money is sent here: another coin, or no address at all, would be lost.
  if (from.kind === "solana" && transfer.state === "awaiting_funds") {
    if (transfer.instructions?.to_address === undefined) return "address: it names none";
    if (differs(transfer.instructions.currency?.toLowerCase(), from.coin)) return "coin";
    if (differs(transfer.instructions.payment_rail?.toLowerCase(), "solana")) return "chain";
  }
  return undefined;
}

function transferOf(needs: BridgeNeeds, body: unknown, asked?: Creation): RailTransfer {
  const id = text(body, "id");
  if (id === undefined) throw unreadable("a transfer has no id");
  const instructions = textFields(field(body, "source_deposit_instructions"));
  const receipt = textFields(field(body, "receipt"));
  const amount = decimal(body, "amount") ?? decimal(field(body, "receipt"), "initial_amount") ?? asked?.amount;
  if (amount === undefined) throw unreadable("a transfer has no amount");
  const returned = field(body, "return_details");
  const isBack = returned !== undefined || isBackWord(text(body, "state"));
  return {
    ref: id as PartnerRef,
    clientReference: text(body, "client_reference_id") ?? asked?.clientReference ?? "",
    state: transferState(text(body, "state"), needs.alarm),
    amount,
    from: legOf(field(body, "source"), "from_address") ?? asked?.from ?? missingLeg(),
    to: legOf(field(body, "destination"), "to_address") ?? asked?.to ?? missingLeg(),
    instructions: Object.keys(instructions).length === 0 ? null : instructions,
    receipt: Object.keys(receipt).length === 0 ? null : receipt,
    returned: isBack ? { reason: text(returned, "reason") ?? "returned" } : null,
    createdAt: instant(body, "created_at") ?? 0,
    updatedAt: instant(body, "updated_at") ?? instant(body, "created_at") ?? 0,
  };
}

function missingLeg(): never {
  throw unreadable("a transfer lacks one of its ends");
}

/** Undefined where the end cannot be made out: the partner's examples leave required names out. */
function legOf(end: unknown, addressName: string): Leg | undefined {
  const rail = text(end, "payment_rail");
  const currency = text(end, "currency");
  const onChain = coin(currency);
  if (rail === "solana" && onChain !== undefined) {
    return { kind: "solana", coin: onChain, address: text(end, addressName) ?? "" };
  }
  const known = bankRail(rail);
  const money = fiat(currency) ?? (known === undefined ? undefined : onlyCurrencyOf(known));
  if (known === undefined || money === undefined) return undefined;
  const account = text(end, "external_account_id");
  const reference = referenceOf(end as Json, known);
  const leg: BankLeg = { kind: "bank", currency: money, rail: known };
  return {
    ...leg,
    ...(account === undefined ? {} : { account: account as PartnerRef }),
    ...(reference === undefined ? {} : { reference }),
  };
}

function referenceOf(end: Json, rail: BankRail): string | undefined {
  return text(end, references[rail].name);
}

function onlyCurrencyOf(rail: BankRail): BankLeg["currency"] {
  if (rail === "sepa") return "eur";
  if (rail === "faster_payments") return "gbp";
  if (rail === "spei") return "mxn";
  return rail === "pix" ? "brl" : "usd";
}
