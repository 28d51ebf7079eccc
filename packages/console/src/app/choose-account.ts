/** The account whose pages are shown; or that the address names one which is not in the list; or that there is none at all. */
export type Choice<Account> =
  | { readonly status: "chosen"; readonly account: Account }
  | { readonly status: "missing"; readonly address: string }
  | { readonly status: "none" };

/** `asked` is the address that is named, if any; `own` that of the account which the signer opened. Where none is named it is that, or the first. */
export function chooseAccount<Account extends { readonly address: string }>(
  accounts: readonly Account[],
  asked: string | undefined,
  own: string,
): Choice<Account> {
  const find = (wanted: string) => accounts.find(({ address }) => address === wanted);
  if (asked !== undefined) {
    const account = find(asked);
    return account === undefined ? { status: "missing", address: asked } : { status: "chosen", account };
  }
  const account = find(own) ?? accounts[0];
  return account === undefined ? { status: "none" } : { status: "chosen", account };
}
