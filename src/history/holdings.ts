import { createHash } from "node:crypto";
import type { Address } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Currency, Network } from "@trellis/kernel/ports/network.js";
import { type ChainAccount, readAccountsAtSlot } from "@trellis/solana/read-accounts.js";
import { decodeTokenAccount, readTokenAccountsOf } from "@trellis/solana/token-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import type { FollowedAddress, HistoryAccount } from "./history-store.js";

/** What an account's addresses hold on chain. */
export interface Holdings {
  readonly lamports: bigint;
  /** Of the settings account, changed by whatever changes it. */
  readonly settingsDigest: string;
  /** Base units by token account. */
  readonly tokens: ReadonlyMap<Address, bigint>;
  /** The slot at which the smart account was read. */
  readonly slot: bigint;
}

/** Reads everything an account holds, all its token accounts included. Three calls. Throws `chain_unavailable`. */
export async function readHoldings(network: Pick<Network, "rpc">, account: HistoryAccount): Promise<Holdings> {
  const owned = await readTokenAccountsOf(network, account.address);
  // Last, so that it is no older than the others.
  const { slot, accounts } = await readAccountsAtSlot(network, [account.address, account.settingsAddress]);
  const [vault, settings] = accounts;
  return {
    lamports: vault?.lamports ?? 0n,
    settingsDigest: digestOf(settings),
    tokens: new Map(owned.map(({ address, amount }) => [address, amount])),
    slot,
  };
}

/**
 * Reads of several accounts what shows whether anything happened to them, with as few questions as there are hundreds of
 * addresses: the account, its settings, the token accounts that are known, and those that wallets would pay to in the
 * configured currencies. Returns fingerprints to compare by account. Throws `chain_unavailable`.
 */
export async function glance(
  network: Pick<Network, "rpc" | "currencies">,
  accounts: readonly { readonly account: HistoryAccount; readonly followed: readonly FollowedAddress[] }[],
): Promise<ReadonlyMap<Address, string>> {
  const wanted = accounts.map(({ account, followed }) => ({
    account,
    tokens: tokensAtAGlance(account, network.currencies, followed),
  }));
  const addresses = wanted.flatMap(({ account, tokens }) => [account.address, account.settingsAddress, ...tokens]);
  const read: (ChainAccount | undefined)[] = [];
  for (let at = 0; at < addresses.length; at += accountsInOneQuestion) {
    read.push(...(await readAccountsAtSlot(network, addresses.slice(at, at + accountsInOneQuestion))).accounts);
  }
  let at = 0;
  const fingerprints = new Map<Address, string>();
  for (const { account, tokens } of wanted) {
    const [vault, settings] = [read[at], read[at + 1]];
    const held = new Map<Address, bigint>();
    tokens.forEach((address, i) => {
      const found = read[at + 2 + i];
      const token = found && decodeTokenAccount(found);
      if (token?.owner === account.address) held.set(address, token.amount);
    });
    at += 2 + tokens.length;
    fingerprints.set(
      account.address,
      fingerprintOf(tokens, { lamports: vault?.lamports ?? 0n, settingsDigest: digestOf(settings), tokens: held }),
    );
  }
  return fingerprints;
}

const accountsInOneQuestion = 100;

/** The fingerprint that a glance will give as long as nothing changes. */
export function expectedFingerprint(
  network: Pick<Network, "currencies">,
  account: HistoryAccount,
  followed: readonly FollowedAddress[],
  holdings: Holdings,
): string {
  return fingerprintOf(tokensAtAGlance(account, network.currencies, followed), holdings);
}

function tokensAtAGlance(
  account: HistoryAccount,
  currencies: readonly Currency[],
  followed: readonly FollowedAddress[],
): Address[] {
  const usual = usualTokenAccounts(account, currencies);
  const known = followed.filter(({ role }) => role === "token").map(({ address }) => address as Address);
  return [...new Set([...usual, ...known])].slice(0, usual.length + limits.historyTokenAccountsAtAGlance);
}

/** Where wallets pay to in the configured currencies. */
export function usualTokenAccounts({ address }: HistoryAccount, currencies: readonly Currency[]): Address[] {
  return currencies.flatMap(({ mint, tokenProgram }) =>
    mint === null || tokenProgram === null ? [] : [deriveTokenAccount(address, mint, tokenProgram)],
  );
}

function fingerprintOf(
  addresses: readonly Address[],
  { lamports, settingsDigest, tokens }: Pick<Holdings, "lamports" | "settingsDigest" | "tokens">,
): string {
  const held = addresses.map((address) => `${address} ${tokens.get(address) ?? "-"}`);
  return createHash("sha256")
    .update([lamports, settingsDigest, ...held].join("\n"))
    .digest("base64");
}

const digestOf = (account: ChainAccount | undefined): string =>
  account === undefined ? "" : createHash("sha256").update(account.data).digest("base64");
