import { sign } from "node:crypto";
import type { StandardWallet, WalletAccount } from "@trellis/sdk";
import { makeKey, type OwnKey, signWire } from "../adversarial/support.js";

/** A browser's wallet by the Wallet Standard, with one key. */
export interface SoftWallet extends StandardWallet {
  readonly key: OwnKey;
  /** Every message that it was asked to sign, as text. */
  readonly messages: readonly string[];
}

/** What a wallet does otherwise than it should. */
interface Habits {
  readonly name?: string;
  readonly key?: OwnKey;
  /** What it makes of a transaction before it signs. */
  readonly alter?: (transaction: string) => string;
  /** What it makes of a message before it signs. */
  readonly alterMessage?: (message: Uint8Array) => Uint8Array;
}

export function createSoftWallet({
  name = "Soft Wallet",
  key = makeKey(),
  alter = (transaction) => transaction,
  alterMessage = (message) => message,
}: Habits = {}): SoftWallet {
  const messages: string[] = [];
  const chains = ["solana:localnet"];
  const features = {
    "standard:connect": {
      connect: async () => {
        wallet.accounts = [account];
        return { accounts: [account] };
      },
    },
    "solana:signMessage": {
      signMessage: async ({ message }: { readonly message: Uint8Array }) => {
        const signedMessage = alterMessage(message);
        messages.push(Buffer.from(signedMessage).toString());
        return [{ signedMessage, signature: new Uint8Array(sign(null, signedMessage, key.privateKey)) }];
      },
    },
    "solana:signTransaction": {
      signTransaction: async ({ transaction }: { readonly transaction: Uint8Array }) => {
        const signed = signWire(alter(Buffer.from(transaction).toString("base64")), [key]);
        return [{ signedTransaction: new Uint8Array(Buffer.from(signed, "base64")) }];
      },
    },
  };
  const account: WalletAccount = { address: key.address, chains, features: Object.keys(features) };
  const wallet = { name, icon: "data:,", chains, accounts: [] as WalletAccount[], features, key, messages };
  return wallet;
}
