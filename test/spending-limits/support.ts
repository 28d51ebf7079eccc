import type { Address } from "@solana/kit";
import { addressOfKey, type SignerKey, signTransaction } from "@trellis/sdk";
import { expect } from "vitest";
import { createSpendingLimit } from "../../src/spending-limits/create-spending-limit.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { type Opened, proposalsOf } from "../proposals/support.js";
import type { OwnAccount } from "../support/self-paid.js";
import type { TestNetwork } from "../support/test-network.js";
import type { TestService } from "../support/test-service.js";

/** A spending limit as answers show it. */
export interface WireLimit {
  readonly address: Address;
  readonly settings_address: string;
  readonly main_account_address: string;
  readonly environment: string;
  readonly mint: string | null;
  readonly currency?: string;
  readonly amount: string;
  readonly remaining_amount: string;
  readonly period: string;
  readonly last_reset: string;
  readonly next_reset: string | null;
  readonly signers: string[];
  readonly destinations: string[];
  readonly expiration: string | null;
  readonly usable: boolean;
}

/** What preparing something about a limit answers: bare. */
export interface PreparedLimit {
  readonly transaction: string;
  readonly transaction_signers: string[];
  readonly kms_payloads: { readonly address: string; readonly payload: string; readonly provider: "kms_a" | "kms_b" }[];
  readonly summary: Record<string, unknown>[];
  readonly fee: { readonly lamports: string; readonly rent_lamports: string; readonly paid_by: Address };
  readonly spending_limit_address: Address;
}

/** The answer of a request that must be a success, without any envelope. */
export function bareOf<T>({ status, body }: { status: number; body: unknown }): T {
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  expect(body).not.toHaveProperty("metadata");
  return body as T;
}

/** The endpoints of spending limits, as plain requests. */
export function limitsOf(trellis: TestService) {
  const proposals = proposalsOf(trellis);
  const { request } = proposals;
  const create = (account: Opened, body: object, query = "", headers: Record<string, string> = {}) =>
    trellis.request("POST", `/api/service/v1/accounts/${account.address}/spending-limit${query}`, body, headers);
  const remove = (account: Opened, limit: string, body?: object, query = "") =>
    request("DELETE", account, `/spending-limit/${limit}${query}`, body);
  const update = (account: Opened, limit: string, body: object, query = "") =>
    request("PATCH", account, `/spending-limit/${limit}${query}`, body);
  const pay = (account: Opened, limit: string, body: object) =>
    request("POST", account, `/spending-limit/${limit}/transactions`, body);
  const list = (account: Opened, query = "") => request("GET", account, `/spending-limits${query}`);
  const get = async (account: Opened, limit: string) =>
    bareOf<WireLimit>(await request("GET", account, `/spending-limit/${limit}`));
  const submit = async (account: Opened, prepared: Pick<PreparedLimit, "transaction">, keys: readonly SignerKey[]) => {
    const answer = await proposals.submit(account, prepared.transaction, keys);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  /** Creates one at once and answers where it is. */
  const grant = async (account: Opened, body: object, keys: readonly SignerKey[], query = ""): Promise<Address> => {
    const prepared = bareOf<PreparedLimit>(await create(account, body, query));
    await submit(account, prepared, keys);
    return prepared.spending_limit_address;
  };
  /** Pays at once. */
  const payNow = async (account: Opened, limit: string, signer: SignerKey, to: string, amount: bigint | string) => {
    const body = { amount: String(amount), signer_address: addressOfKey(signer), recipient_address: to };
    await submit(account, bareOf<PreparedLimit>(await pay(account, limit, body)), [signer]);
  };
  return {
    ...proposals,
    createLimit: create,
    remove,
    update,
    pay,
    limits: list,
    limit: get,
    submitNow: submit,
    grant,
    payNow,
  };
}

/** Gives a limit of five million base units a day to the holder's key, or one on other terms, without HTTP; where it is. */
export async function grantLimit(test: TestNetwork, account: OwnAccount, terms: object = {}): Promise<Address> {
  const prepared = await test.call<PreparedLimit>(createSpendingLimit, {
    params: { address: account.address },
    body: {
      amount: "5000000",
      mint: "sol",
      period: "day",
      spending_limit_signers: [addressOfKey(account.key)],
      ...terms,
    },
    caller: account.caller,
  });
  await submitAs(test, account, prepared);
  return prepared.spending_limit_address;
}

/** Signs with the holder's key and submits. */
export const submitAs = (test: TestNetwork, account: OwnAccount, { transaction }: Pick<PreparedLimit, "transaction">) =>
  test.call(submitTransactions, {
    params: { address: account.address },
    body: { transaction: signTransaction(transaction, [account.key]), kms_payloads: [] },
    caller: account.caller,
  });
