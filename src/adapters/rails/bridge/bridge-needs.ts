import type { Log } from "@trellis/kernel/ports/log.js";
import type { BankRail, Coin, Fiat, PartnerAnswer, Refusal } from "@trellis/kernel/ports/rails.js";
import { PartnerUnavailable } from "@trellis/kernel/ports/rails.js";
import { type AskBridge, type BridgeAnswer, codeOf, describeRefusal } from "./bridge-http.js";
import { field, isJson, text, textsWithin } from "./read-json.js";
import type { Alarm } from "./states.js";

/** A currency that is offered, and the coins it becomes and is made of. */
export interface BridgePair {
  readonly currency: Fiat;
  /** The first is used where the caller chooses none. */
  readonly coins: readonly Coin[];
}

/** What an operator chose about this partner. */
export interface BridgeChoices {
  readonly pairs: readonly BridgePair[];
  /** Percent as a decimal, of deposits and transfers; null: none. */
  readonly developerFeePercent: string | null;
  /** What the partner is sent about wallets that are paid, where a law wants it; null: nothing. */
  readonly travelRule: "self_custodied" | "external" | "hosted" | null;
  /** Whether a pay-out may come from any address on chain, instead of from the account alone (risk R2). */
  readonly allowsAnySender: boolean;
}

/** What every noun of this partner is given. */
export interface BridgeNeeds {
  readonly ask: AskBridge;
  readonly log: Log;
  readonly alarm: Alarm;
  readonly choices: BridgeChoices;
}

/** Reports each unknown word once in a process: every check would say it again. */
export function createAlarm(log: Log): Alarm {
  const reported = new Set<string>();
  return (about, word) => {
    const plain = word.replace(/[^\w .-]/g, "").slice(0, 64);
    const name = `${about}/${plain}`;
    if (reported.has(name) || reported.size > 1_000) return;
    reported.add(name);
    log.error(
      { event: "partner_value_unknown", partner: "bridge", about, word: plain },
      "partner sent a value that this release does not know",
    );
  };
}

/** An answer that says less than can be worked with: what was asked may have happened all the same. */
export function unreadable(what: string): PartnerUnavailable {
  return new PartnerUnavailable(`bridge: ${what}`);
}

/** The partner's answer as the port has it. `otherwise` is the reason where its words give none. */
export function answerOf<T>(
  answer: BridgeAnswer,
  read: (body: unknown) => T,
  otherwise: Refusal["reason"] = "invalid_details",
): PartnerAnswer<T> {
  return answer.ok ? { ok: true, value: read(answer.body) } : refused(answer, otherwise);
}

export function refused(
  answer: BridgeAnswer,
  otherwise: Refusal["reason"] = "invalid_details",
): { readonly ok: false; readonly refused: Refusal } {
  const about = fieldOf(answer.body);
  return {
    ok: false,
    refused: {
      reason: reasonOf(answer, otherwise),
      ...(about === undefined ? {} : { field: about }),
      forOperator: describeRefusal(answer),
    },
  };
}

/** Refused here, before anybody was asked. */
export function refuse(reason: Refusal["reason"], about: string, why: string): PartnerAnswer<never> {
  return { ok: false, refused: { reason, field: about, forOperator: why } };
}

function reasonOf(answer: BridgeAnswer, otherwise: Refusal["reason"]): Refusal["reason"] {
  const { status, body } = answer;
  const code = codeOf(body)?.toLowerCase() ?? "";
  const said = [code, ...textsWithin([text(body, "message"), field(field(body, "source"), "key")], 20)]
    .join(" ")
    .toLowerCase();
  if (status === 404 || code === "not_found") return "not_found";
  if (code.startsWith("duplicate")) return "duplicate";
  if (/aml|compliance|sanction/.test(said)) return "refused_by_compliance";
  if (/endorsement/.test(said)) return "endorsement_required";
  if (/terms.of.service|\btos\b|tos_/.test(said)) return "terms_required";
  if (/\bkyc\b|kyc_|not (been )?approved|not active|must be active/.test(said)) return "verification_required";
  if (/minimum|maximum|too (small|large|low|high)|below the|exceeds|amount must|net amount/.test(said)) {
    return "amount_out_of_range";
  }
  if (/not enabled|not permitted|beta|contact (us|support|sales)/.test(said) || status === 403) return "not_enabled";
  if (/unsupported|not supported|invalid (route|pair)/.test(said)) return "unsupported_pair";
  return otherwise;
}

/** The first field it names, in its own words. */
function fieldOf(body: unknown): string | undefined {
  const key = field(field(body, "source"), "key");
  const name = typeof key === "string" ? key : isJson(key) ? Object.keys(key)[0] : undefined;
  return name?.slice(0, 100);
}

const pageSize = "100";
const pagesMax = 50;

/** A list's pages, newest first, until an empty one; not without end, also where the partner repeats itself. */
export async function* pagesOf(
  ask: AskBridge,
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): AsyncGenerator<readonly unknown[] | { readonly refusal: BridgeAnswer }> {
  let after: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const answer = await ask({
      method: "GET",
      path,
      query: { ...query, limit: pageSize, starting_after: after },
      signal,
    });
    if (!answer.ok) {
      yield { refusal: answer };
      return;
    }
    const data = dataOf(answer.body);
    if (data.length === 0) return;
    yield data;
    const last = lastIdOf(data);
    if (last === undefined || last === after) return;
    after = last;
  }
  throw unreadable(`${path.at(-1)} has more than ${pagesMax} pages`);
}

/** Behind which item the next page begins: the last one whose id can be read. */
export const lastIdOf = (page: readonly unknown[]): string | undefined =>
  page.map((item) => text(item, "id")).findLast((id) => id !== undefined);

/** The items of a list, whether in an envelope or not. */
export function dataOf(body: unknown): readonly unknown[] {
  const data = Array.isArray(body) ? body : field(body, "data");
  if (!Array.isArray(data)) throw unreadable("a list has no data");
  return data;
}

/** Ways to pay of each currency, in and out, and the least that is paid out (the partner's published minimums). */
export const waysOf: Readonly<Record<Fiat, { readonly rails: readonly BankRail[]; readonly minimum: string }>> = {
  usd: { rails: ["ach_push", "wire"], minimum: "1.00" },
  eur: { rails: ["sepa"], minimum: "1.00" },
  gbp: { rails: ["faster_payments"], minimum: "3.00" },
  mxn: { rails: ["spei"], minimum: "50.00" },
  brl: { rails: ["pix"], minimum: "10.00" },
};
