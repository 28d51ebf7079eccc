import type { Address } from "@solana/kit";
import { suspended } from "../../standing-orders/standing-order-store.js";
import { whyOf } from "../why.js";
import { DoctorError } from "./doctor-error.js";

/** What the service says of a standing order. */
export interface ReportedOrder {
  readonly id: string;
  readonly status: string;
  readonly reason?: string;
  readonly executor_address: string;
  readonly spending_limit_address: string;
}

/** Where the service is asked, and as whom. */
export interface OrdersSource {
  readonly url: string;
  readonly apiKey: string;
  readonly environment: string | undefined;
}

/** More pages than any account has. */
const pagesMax = 1_000;

/** All standing orders of an account, as the service has them. Throws `DoctorError` when it does not list them. */
export async function readReportedOrders(source: OrdersSource, account: Address): Promise<readonly ReportedOrder[]> {
  const reported: ReportedOrder[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < pagesMax; page += 1) {
    const url = new URL(`/api/service/v1/accounts/${account}/standing-orders`, source.url);
    url.searchParams.set("limit", "100");
    if (cursor !== null) url.searchParams.set("cursor", cursor);
    const response = await fetch(url, {
      headers: {
        authorization: `Bearer ${source.apiKey}`,
        ...(source.environment === undefined ? {} : { "x-service-environment": source.environment }),
      },
    }).catch((cause: unknown) => {
      throw new DoctorError(`${url.origin} does not answer: ${whyOf(cause)}.`);
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (!response.ok || !Array.isArray(answer)) {
      throw new DoctorError(`${url.origin} does not list the account's standing orders: status ${response.status}.`);
    }
    reported.push(...(answer as ReportedOrder[]));
    cursor = response.headers.get("x-next-cursor");
    if (cursor === null) return reported;
  }
  throw new DoctorError(`${source.url} names ever more standing orders.`);
}

/** What is known of executors and of what they may pay. */
export interface KnownOrders {
  readonly executors: readonly string[];
  /** Undefined: no service was asked. */
  readonly orders: readonly ReportedOrder[] | undefined;
}

/** Whether the executor holds a limit, and for which order; null where it does not hold it. */
export function describeMandate(
  limit: { readonly address: string; readonly signers: readonly string[] },
  { executors, orders }: KnownOrders,
): { readonly order: string | null; readonly status: string; readonly suspended?: true } | null {
  const order = orders?.find(({ spending_limit_address }) => spending_limit_address === limit.address);
  if (order !== undefined) {
    const isSuspended = order.status === "inactive" && order.reason === suspended;
    return { order: order.id, status: order.status, ...(isSuspended ? { suspended: true } : {}) };
  }
  const known = new Set([...executors, ...(orders ?? []).map(({ executor_address }) => executor_address)]);
  if (!limit.signers.some((signer) => known.has(signer))) return null;
  return { order: null, status: orders === undefined ? "unasked" : "unknown" };
}
