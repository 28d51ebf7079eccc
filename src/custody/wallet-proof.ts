/**
 * The text that proves that a custodian holds a wallet's key. It begins with a letter, which no message of a transaction does
 * that the chain takes: it would need 84 signatures.
 */
export function walletProof(wallet: { readonly address: string; readonly environment: string }, nonce: string): string {
  return [
    "This custodian holds the key of the wallet below and can sign with it.",
    "This moves no money, changes no rights, and signs nobody in.",
    "",
    `Wallet: ${wallet.address}`,
    `Environment: ${wallet.environment}`,
    `Nonce: ${nonce}`,
  ].join("\n");
}
