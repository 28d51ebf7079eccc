/** What about a transaction or payload differs from what was asked for. */
export type TransactionDifference =
  | "unreadable"
  | "lookup_tables"
  | "unexpected_instruction"
  | "missing_instruction"
  | "settings_account"
  | "vault_index"
  | "source"
  | "destination"
  | "amount"
  | "mint"
  | "decimals"
  | "memo"
  | "authority"
  | "token_account_creation"
  | "fee_payer"
  | "signers"
  | "compute_budget"
  | "fee"
  | "settings_change"
  | "proposal"
  | "vote"
  | "content"
  | "payload"
  /** What signs elsewhere has changed it. */
  | "altered";

/**
 * The service prepared something else than the caller asked for, or something that cannot be read. Nothing was signed.
 * `difference` says in which respect; `expected` and `actual` are for people.
 */
export class TransactionMismatchError extends Error {
  override readonly name = "TransactionMismatchError";
  readonly difference: TransactionDifference;
  readonly expected: string | undefined;
  readonly actual: string | undefined;

  constructor(
    difference: TransactionDifference,
    message: string,
    values: { readonly expected?: unknown; readonly actual?: unknown; readonly cause?: unknown } = {},
  ) {
    const expected = values.expected === undefined ? undefined : String(values.expected);
    const actual = values.actual === undefined ? undefined : String(values.actual);
    const detail = [
      expected === undefined ? undefined : `expected ${expected}`,
      actual === undefined ? undefined : `found ${actual}`,
    ].filter((part) => part !== undefined);
    super(detail.length === 0 ? message : `${message}: ${detail.join(", ")}`, { cause: values.cause });
    this.difference = difference;
    this.expected = expected;
    this.actual = actual;
  }
}
