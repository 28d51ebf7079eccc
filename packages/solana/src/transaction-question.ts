/**
 * How nodes are asked for a landed transaction by those who read its balances. One wording: what was asked a moment ago is remembered, and
 * the histories of payer and payee and the settling of a payment ask for the same one.
 */
export const transactionQuestion = {
  commitment: "confirmed",
  encoding: "json",
  // The present clients' types end with 0; a later version reads the same.
  maxSupportedTransactionVersion: 1 as 0,
} as const;
