import { accountPath, type ServiceCalls } from "./service-calls.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import { drawWalletNonce, isProven } from "./wallet-proof.js";
import type { RenewedWallet } from "./wire.js";

/**
 * Has the service make, for each of its wallets that signs for an account and derives from a former root, the one that takes its place
 * (gap 193). Each has proven that it can sign. Nothing changes on chain before the account's signers are changed. Rejects with
 * `TransactionMismatchError` where one has not proven it.
 */
export async function renewWallets(
  { post }: Pick<ServiceCalls, "post">,
  account: string,
): Promise<readonly RenewedWallet[]> {
  const nonce = drawWalletNonce();
  const renewed = await post<readonly RenewedWallet[]>(accountPath(account, "/wallets:renew"), { wallet_nonce: nonce });
  const unproven = renewed.find((wallet) => !isProven(wallet, nonce));
  if (unproven === undefined) return renewed;
  throw new TransactionMismatchError("signers", `the wallet ${unproven.address} did not prove that it can sign`);
}
