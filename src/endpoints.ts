import { createAccount } from "./accounts/create-account.js";
import { createCustomAccount } from "./accounts/create-custom-account.js";
import { getAccount } from "./accounts/get-account.js";
import { verifyAccount } from "./accounts/verify-account.js";
import { refreshSession } from "./auth/refresh-session.js";
import { initAuthentication, startAuthentication } from "./auth/start-authentication.js";
import { verifyAuthentication } from "./auth/verify-authentication.js";
import { getBalances } from "./balances/get-balances.js";
import { readOutbox } from "./mail/sandbox-outbox.js";
import { preparePayment } from "./payment-intents/prepare-payment.js";
import { advanceClock } from "./sandbox/advance-clock.js";
import { airdrop } from "./sandbox/airdrop.js";
import { updateAccount } from "./settings-changes/update-account.js";
import { prepareTransaction } from "./transactions/prepare-transaction.js";
import { submitTransactions } from "./transactions/submit-transactions.js";

/** Every endpoint, in the interface's order: the map of the house. */
export const endpoints = [
  createAccount, // interface 4.1
  verifyAccount, // interface 4.2
  createCustomAccount, // interface 4.3
  getAccount, // interface 4.4
  updateAccount, // interface 4.5
  submitTransactions, // interface 4.6
  verifyAuthentication, // interface 4.7
  startAuthentication, // gap 21
  initAuthentication, // gap 21
  refreshSession, // gap 20
  prepareTransaction, // gap 32
  preparePayment, // gap 33
  getBalances, // gap 34
  readOutbox, // gap 49
  airdrop, // gap 49
  advanceClock, // gap 49
];
