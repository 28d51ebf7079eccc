import { decodeBase64, encodeBase64, equalBytes } from "./encoding.js";
import type { OfflineKey } from "./offline-key.js";
import type { WireEnvironment } from "./wire.js";

/** An account of a wallet, in as much of the Wallet Standard as is used here. */
export type WalletAccount = {
  readonly address: string;
  readonly chains: readonly string[];
  readonly features: readonly string[];
};

/** A wallet of the Wallet Standard, in as much of it as is used here: what a browser's wallet registers is one. */
export type StandardWallet = {
  readonly name: string;
  readonly icon: string;
  readonly chains: readonly string[];
  readonly accounts: readonly WalletAccount[];
  readonly features: Readonly<Record<string, unknown>>;
};

/** A wallet that cannot do what it was asked for, or has done something else. Nothing of it was used. */
export class WalletError extends Error {
  override readonly name = "WalletError";
  /** What is wrong: it cannot do it, it connected no account, or what came back is not what was asked for. */
  readonly reason: "unsupported" | "not_connected" | "wrong_answer";

  constructor(reason: WalletError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

type Connect = { readonly connect: (input?: { readonly silent?: boolean }) => Promise<unknown> };
type SignMessage = {
  readonly signMessage: (
    ...inputs: readonly { readonly account: WalletAccount; readonly message: Uint8Array }[]
  ) => Promise<readonly { readonly signedMessage: Uint8Array; readonly signature: Uint8Array }[]>;
};
type SignTransaction = {
  readonly signTransaction: (
    ...inputs: readonly {
      readonly account: WalletAccount;
      readonly transaction: Uint8Array;
      readonly chain?: string | undefined;
    }[]
  ) => Promise<readonly { readonly signedTransaction: Uint8Array }[]>;
};

const connectFeature = "standard:connect";
const messageFeature = "solana:signMessage";
const transactionFeature = "solana:signTransaction";

/** Whether a wallet can sign in and sign transactions here. */
export const isUsableWallet = ({ features }: StandardWallet): boolean =>
  [connectFeature, messageFeature, transactionFeature].every((name) => Object.hasOwn(features, name));

/**
 * Has a wallet connect, which asks its holder unless `silent`, and answers its first account that signs transactions. Rejects with
 * `WalletError` where there is none, and with what the wallet rejects with.
 */
export async function connectWallet(
  wallet: StandardWallet,
  { address, silent = false }: { readonly address?: string; readonly silent?: boolean } = {},
): Promise<WalletAccount> {
  await featureOf<Connect>(wallet, connectFeature).connect(silent ? { silent } : undefined);
  const account = wallet.accounts.find(
    (each) => each.features.includes(transactionFeature) && (address === undefined || each.address === address),
  );
  if (account !== undefined) return account;
  throw new WalletError("not_connected", `${wallet.name} has not connected ${address ?? "an account that signs"}`);
}

/**
 * What signs sign-in messages with a wallet, for `auth.signInWithWallet`. It rejects with `WalletError` where the wallet has signed
 * another text than it was given.
 */
export function walletMessageSigner(
  wallet: StandardWallet,
  account: WalletAccount,
): (message: Uint8Array) => Promise<Uint8Array> {
  const feature = featureOf<SignMessage>(wallet, messageFeature);
  return async (message) => {
    const [signed] = await feature.signMessage({ account, message });
    if (signed !== undefined && equalBytes(signed.signedMessage, message)) return Uint8Array.from(signed.signature);
    throw new WalletError("wrong_answer", `${wallet.name} has signed another message`);
  };
}

/**
 * A wallet as one of `offlineKeys`: it signs the transactions that this library has checked. What it has changed is refused with
 * `TransactionMismatchError`, before anything is sent. `environment`: of the client.
 */
export function walletKey(wallet: StandardWallet, account: WalletAccount, environment: WireEnvironment): OfflineKey {
  const feature = featureOf<SignTransaction>(wallet, transactionFeature);
  const chain = `solana:${clusterOf(environment)}`;
  return {
    address: account.address,
    sign: async (transaction) => {
      const [signed] = await feature.signTransaction({ account, transaction: decodeBase64(transaction), chain });
      if (signed === undefined) throw new WalletError("wrong_answer", `${wallet.name} has signed nothing`);
      return encodeBase64(Uint8Array.from(signed.signedTransaction));
    },
  };
}

/** As wallets call the cluster of an environment. */
export function clusterOf(environment: WireEnvironment): "localnet" | "devnet" | "mainnet" {
  if (environment === "sandbox") return "localnet";
  return environment === "devnet" ? "devnet" : "mainnet";
}

function featureOf<Feature>({ name, features }: StandardWallet, feature: string): Feature {
  if (Object.hasOwn(features, feature)) return features[feature] as Feature;
  throw new WalletError("unsupported", `${name} has no ${feature}`);
}
