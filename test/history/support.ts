import type { Endpoint } from "@trellis/kernel/endpoint.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { listTransactions } from "../../src/history/list-transactions.js";
import { listTransfers } from "../../src/history/list-transfers.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { paymentOf, signedPaymentOf } from "../support/played-cluster.js";
import type { HeldAccount, TestNetwork } from "../support/test-network.js";

/** A transfer as the list shows it. */
export interface WireTransfer {
  readonly id: string;
  readonly signature: string;
  readonly direction: "inflow" | "outflow";
  readonly mint: string;
  readonly amount: string;
  readonly from_address: string;
  readonly to_address: string;
  readonly confirmed_at: string;
  readonly confirmation_status: string;
  readonly instruction_index: number;
}

/** A transaction as the list shows it. */
export interface WireTransaction {
  readonly id: string;
  readonly signature: string;
  readonly status: string;
  readonly kind: string;
  readonly error?: unknown;
}

interface Where {
  readonly network?: Network;
}

/** The transfers of an account, as `GET …/transfers` answers them. */
export async function transfersOf(
  test: TestNetwork,
  address: string,
  query: Record<string, unknown> = {},
  where: Where = {},
): Promise<WireTransfer[]> {
  const listed = await test.call<{ readonly Spl: WireTransfer }[]>(listTransfers, {
    params: { address },
    query,
    ...where,
  });
  return listed.map(({ Spl }) => Spl);
}

/** The transactions of an account, as `GET …/transactions` answers them. */
export async function transactionsOf(
  test: TestNetwork,
  address: string,
  query: Record<string, unknown> = {},
  where: Where = {},
): Promise<WireTransaction[]> {
  return test.call(listTransactions, { params: { address }, query, ...where });
}

/** Every page of a list, by its cursors. */
export async function* pages(
  test: TestNetwork,
  list: Endpoint<never>,
  address: string,
  query: Record<string, unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the list's
): AsyncGenerator<any[]> {
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const answer = await list.handle(
      test.needs as never,
      {
        params: { address },
        query: cursor === undefined ? query : { ...query, cursor },
        caller: test.caller,
        network: test.network,
      } as never,
    );
    yield answer.data as unknown[];
    cursor = answer.headers?.["x-next-cursor"];
  }
}

/** Prepares, signs and submits a payment. Returns its signature. */
export async function payFrom(
  test: TestNetwork,
  holder: HeldAccount,
  payment: { readonly currency: string; readonly amount: string; readonly to: string },
  network: Network = test.network,
): Promise<string> {
  const { currency, to, amount } = payment;
  const signed = await signedPaymentOf(test, network, holder, paymentOf(holder, currency, to, amount));
  const { transaction_signature } = await test.call<{ transaction_signature: string }>(submitTransactions, {
    network,
    ...signed,
  });
  return transaction_signature;
}
