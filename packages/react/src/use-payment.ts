import { SignedOutError } from "@trellis/sdk";
import { useEffect, useSyncExternalStore } from "react";
import { useChosenAccount } from "./account-provider.js";
import { explainError } from "./explain-error.js";
import type { PaymentRequest, PaymentState } from "./payment-slot.js";
import { useConnection } from "./provider.js";

export type Payment = {
  readonly state: PaymentState;
  /**
   * Pays from the chosen account, and answers where that has led; never rejects. Called again with the same
   * request it is the same payment, until `reset` after its end.
   */
  readonly pay: (request: PaymentRequest) => Promise<PaymentState>;
  /** Where the outcome is unknown: finds it out, by the very bytes that were signed. */
  readonly retry: () => Promise<PaymentState>;
  /** Makes room for the next payment after this one's end. */
  readonly reset: () => void;
};

const idle: PaymentState = { status: "idle" };
const subscribeToNothing = () => () => undefined;
const getIdle = () => idle;

/**
 * One payment at a time. `name` tells several of them apart, an order's number for example. Neither a double click, nor a
 * new rendering, nor leaving the page in the middle pays twice: what was signed is kept, and resumed when the account is
 * signed in again.
 */
export function usePayment(name = "payment"): Payment {
  const connection = useConnection();
  const account = useChosenAccount();
  const slot = account === undefined ? undefined : connection.paymentSlot(account, name);
  const get = slot?.get ?? getIdle;
  const state = useSyncExternalStore(slot?.subscribe ?? subscribeToNothing, get, get);
  useEffect(() => {
    void slot?.wake();
  }, [slot]);
  return {
    state,
    pay: slot?.pay ?? refusePayment,
    retry: slot?.retry ?? stayIdle,
    reset: slot?.reset ?? doNothing,
  };
}

async function refusePayment(request: PaymentRequest): Promise<PaymentState> {
  return { status: "refused", error: explainError(new SignedOutError("no user is signed in")), request };
}

const stayIdle = async (): Promise<PaymentState> => idle;
const doNothing = () => undefined;
