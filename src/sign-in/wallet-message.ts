import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";

/** What a wallet is asked to sign. */
export interface WalletMessage {
  readonly environment: EnvironmentName;
  /** The wallet's address. */
  readonly address: string;
  /** Of the page, as browsers write it. */
  readonly origin: string;
  /** Letters and digits. */
  readonly nonce: string;
  /** Unix milliseconds, real time, as the next. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** As Sign In With Solana calls clusters. */
export const chainIds: Readonly<Record<EnvironmentName, string>> = {
  sandbox: "localnet",
  devnet: "devnet",
  mainnet: "mainnet",
};

/**
 * The text of Sign In With Solana (gap 221): wallets know it, show it as a sign-in, and warn where its domain is not that of the page. No
 * wallet takes it for a transaction. All of it follows from the arguments, so that nobody has to read a text that was received.
 */
export function walletMessage({ environment, address, origin, nonce, issuedAt, expiresAt }: WalletMessage): string {
  return [
    `${new URL(origin).host} wants you to sign in with your Solana account:`,
    address,
    "",
    "This signs you in on this page. It moves no money and changes no rights.",
    "",
    `URI: ${origin}`,
    "Version: 1",
    `Chain ID: ${chainIds[environment]}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(issuedAt).toISOString()}`,
    `Expiration Time: ${new Date(expiresAt).toISOString()}`,
  ].join("\n");
}
