import { createAccount } from "./accounts/create-account.js";
import { createCustomAccount } from "./accounts/create-custom-account.js";
import { getAccount } from "./accounts/get-account.js";
import { verifyAccount } from "./accounts/verify-account.js";
import { refreshSession } from "./auth/refresh-session.js";
import { initAuthentication, startAuthentication } from "./auth/start-authentication.js";
import { verifyAuthentication } from "./auth/verify-authentication.js";
import { getBalances } from "./balances/get-balances.js";
import { startLegacyAuthentication } from "./legacy/start-legacy-authentication.js";
import { verifyLegacyAuthentication } from "./legacy/verify-legacy-authentication.js";
import { readOutbox } from "./mail/sandbox-outbox.js";
import { preparePayment } from "./payment-intents/prepare-payment.js";
import { createProposal } from "./proposals/create-proposal.js";
import { executeProposal } from "./proposals/execute-proposal.js";
import { getProposal } from "./proposals/get-proposal.js";
import { listProposals } from "./proposals/list-proposals.js";
import { voteAndExecuteProposal } from "./proposals/vote-and-execute.js";
import { voteOnProposal } from "./proposals/vote-on-proposal.js";
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
  listProposals, // interface 4.10
  getProposal, // interface 4.11
  voteOnProposal, // interface 4.12
  createProposal, // gap 36
  executeProposal, // gap 39
  voteAndExecuteProposal, // gap 39
  startAuthentication, // gap 21
  initAuthentication, // gap 21
  refreshSession, // gap 20
  prepareTransaction, // gap 32
  preparePayment, // gap 33
  getBalances, // gap 34
  startLegacyAuthentication, // interface 4.16
  verifyLegacyAuthentication, // interface 4.16
  readOutbox, // gap 49
  airdrop, // gap 49
  advanceClock, // gap 49
];
