import type { Address } from "@solana/kit";
import type { SignerKey } from "@trellis/sdk";
import { createStandingOrder } from "../../src/standing-orders/create-standing-order.js";
import { dataOf, type Opened } from "../proposals/support.js";
import { limitsOf, submitAs } from "../spending-limits/support.js";
import type { OwnAccount } from "../support/self-paid.js";
import type { TestNetwork } from "../support/test-network.js";
import type { TestService } from "../support/test-service.js";

/** A standing order as answers show it. */
export interface WireOrder {
  readonly id: string;
  readonly status: string;
  readonly reason?: string;
  readonly mandate: string;
  readonly amount: string;
  readonly ui_amount: string;
  readonly currency: string;
  readonly period: string;
  readonly source: Record<string, unknown>;
  readonly destination: Record<string, unknown>;
  readonly destinations: string[];
  readonly start_date: string;
  readonly end_date?: string;
  readonly occurrences?: number;
  readonly remaining_amount?: string;
  readonly next_execution_date: string;
  readonly next_execution_dates: string[];
  readonly valid_until: string;
  readonly spending_limit_address: Address;
  readonly renewal_limit_address?: Address;
  readonly executor_address: Address;
  readonly proposal_address?: string;
  readonly transaction?: string;
  readonly transaction_signers?: string[];
}

/** A past due date of an order. */
export interface WireRun {
  readonly due_at: string;
  readonly state: string;
  readonly attempts: number;
  readonly signature: string | null;
  readonly error: string | null;
}

/** The endpoints of standing orders, as plain requests. */
export function ordersOf(trellis: TestService) {
  const limits = limitsOf(trellis);
  const { request } = limits;
  const create = (account: Opened, body: object, query = "", headers: Record<string, string> = {}) =>
    trellis.request("POST", `/api/service/v1/accounts/${account.address}/standing-order-intent${query}`, body, headers);
  const order = async (account: Opened, id: string) =>
    dataOf<WireOrder>(await request("GET", account, `/standing-order/${id}`));
  const runs = async (account: Opened, id: string, query = "") =>
    dataOf<WireRun[]>(await request("GET", account, `/standing-order/${id}/runs${query}`));
  const cancel = (account: Opened, id: string, body?: object, query = "") =>
    request("DELETE", account, `/standing-order/${id}${query}`, body);
  const resume = (account: Opened, id: string, body: object = {}, query = "") =>
    request("POST", account, `/standing-order/${id}/resume${query}`, body);
  const orders = async (account: Opened, query = "") => {
    const answer = await request("GET", account, `/standing-orders${query}`);
    return { ...answer, items: answer.body as WireOrder[] };
  };
  /** Creates one and gives it its limit. */
  const begin = async (account: Opened, body: object, keys: readonly SignerKey[], query = ""): Promise<WireOrder> => {
    const made = dataOf<WireOrder>(await create(account, body, query));
    await limits.submitNow(account, made as { transaction: string }, keys);
    return order(account, made.id);
  };
  const now = () => trellis.network.clock.now();
  return { ...limits, createOrder: create, order, runs, cancel, resume, orders, begin, now };
}

/** Creates a daily order of a million lamports that begins in half a minute, or as `terms` say, without HTTP. */
export function createOrderOf(test: TestNetwork, account: OwnAccount, payee: string, terms: object = {}) {
  return test.call<WireOrder & { readonly transaction: string }>(createStandingOrder, {
    params: { address: account.address },
    body: {
      amount: "1000000",
      frequency: "daily",
      ...between(account, payee),
      start_date: iso(test.network.clock.now() + 30_000),
      ...terms,
    },
  });
}

/** The same, and gives it its limit. */
export async function beginOrderOf(test: TestNetwork, account: OwnAccount, payee: string, terms: object = {}) {
  const created = await createOrderOf(test, account, payee, terms);
  await submitAs(test, account, created);
  return created;
}

/** What an order says about whom it pays, flat. */
export const between = (account: Pick<Opened, "address">, payee: string, currency = "sol") => ({
  source: { account: account.address, currency },
  destination: { address: payee, currency },
});

export const iso = (instant: number): string => new Date(instant).toISOString();
export const dayMs = 86_400_000;
