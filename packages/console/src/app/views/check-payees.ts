import { type ExplainedError, explainError, useClient } from "@trellis/react";
import { type CreateProposalRequest, type ProposedTransfer, TrellisApiError } from "@trellis/sdk";
import { useEffect, useRef, useState } from "react";
import { usePlace } from "../place.js";
import type { ReadyPayee } from "./payee-list.js";

/** Where the check of a list stands. */
export type PayeesCheck =
  | { readonly status: "none" }
  | { readonly status: "checking"; readonly done: number; readonly all: number }
  /** `refusals`: of lines that the service would not pay, by their line. */
  | { readonly status: "refused"; readonly refusals: ReadonlyMap<number, ExplainedError> }
  /** Whether the list can be paid was not found out. */
  | { readonly status: "failed"; readonly error: ExplainedError }
  /** `payees`: those that were checked. Only they may be proposed, whatever the list is read as by now. */
  | { readonly status: "fine"; readonly payees: readonly ReadyPayee[] };

/** A payee as the hooks propose a payment to them. */
export const transferOf = ({ destination, currency, units, memo }: ReadyPayee): ProposedTransfer => ({
  currency: currency.symbol,
  destination,
  amount: units,
  ...(memo === "" ? {} : { memo }),
});

/**
 * Asks the service whether it would pay a list, before anybody is asked to propose it: the whole is prepared and not signed. Of a list that
 * is refused each payee is prepared alone, so that all lines that are wrong are named, and not the first one only.
 */
export function usePayeesCheck(signer: string) {
  const client = useClient();
  const { account } = usePlace();
  const [state, setState] = useState<PayeesCheck>({ status: "none" });
  // What was begun last; another list, or none, ends it.
  const run = useRef(0);
  useEffect(
    () => () => {
      run.current += 1;
    },
    [],
  );

  /** Why the service would not do it. */
  const prepare = async (request: CreateProposalRequest): Promise<ExplainedError | undefined> => {
    try {
      await client.proposals.prepareCreate(account, request);
      return undefined;
    } catch (error) {
      return explainError(error);
    }
  };

  const forget = () => {
    run.current += 1;
    setState({ status: "none" });
  };
  const check = async (payees: readonly ReadyPayee[]) => {
    run.current += 1;
    const mine = run.current;
    const put = (next: PayeesCheck) => {
      if (run.current === mine) setState(next);
    };
    const all = payees.length;
    put({ status: "checking", done: 0, all });
    const error = await prepare({ type: "transfers", signer, transfers: payees.map(requestedOf) });
    if (error === undefined) {
      put({ status: "fine", payees });
      return;
    }
    const refusals = new Map<number, ExplainedError>();
    for (const [done, payee] of payees.entries()) {
      if (run.current !== mine) return;
      put({ status: "checking", done, all });
      const refusal = await prepare({ type: "transfer", signer, ...requestedOf(payee) });
      if (refusal === undefined) continue;
      if (!isAboutPayee(refusal)) {
        put({ status: "failed", error: refusal });
        return;
      }
      refusals.set(payee.line, refusal);
    }
    put(refusals.size > 0 ? { status: "refused", refusals } : { status: "failed", error });
  };
  return { state, check, forget };
}

/** What the service says of a payment; anything else is about asking, such as too often. */
const isAboutPayee = ({ cause }: ExplainedError): boolean => cause instanceof TrellisApiError && cause.status === 400;

/** The same as the service is asked. */
const requestedOf = ({ destination, currency, units, memo }: ReadyPayee) => ({
  currency: currency.symbol,
  destination,
  amount: String(units),
  ...(memo === "" ? {} : { memo }),
});
