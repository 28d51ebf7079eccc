import type { Address } from "@solana/kit";
import { allOf } from "@trellis/kernel/each-of.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { type ChainAccount, readAccountsAtSlot } from "@trellis/solana/read-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import type { StandingOrder } from "./standing-order-store.js";

/** What the chain holds of the accounts that a payment of an order depends on. */
export interface OrderAccounts {
  /** The slot of the newest of these readings. */
  readonly slot: bigint;
  readonly limit: ChainAccount | undefined;
  readonly vault: ChainAccount | undefined;
  /** Of an order in tokens; undefined for SOL. */
  readonly token:
    | {
        readonly mint: ChainAccount;
        readonly source: Address;
        readonly destination: Address;
        readonly held: ChainAccount | undefined;
        readonly payee: ChainAccount | undefined;
      }
    | "no mint"
    | undefined;
}

type Order = Pick<StandingOrder, "account_address" | "spending_limit_address" | "mint" | "payee">;

/** Accounts in one question to a node. */
const askedAtOnce = 100;

/**
 * Reads what payments of these orders depend on, each account once however many orders share it: in their order. Throws
 * `chain_unavailable`.
 */
export async function readOrderAccounts(
  network: Pick<Network, "rpc" | "currencies">,
  orders: readonly Order[],
): Promise<readonly OrderAccounts[]> {
  const known = new Map(
    network.currencies.flatMap(({ mint, tokenProgram }) => (mint ? [[mint as string, tokenProgram]] : [])),
  );
  const mints = [...new Set(orders.flatMap(({ mint }) => mint ?? []))] as Address[];
  const unknown = mints.filter((mint) => !known.get(mint));
  // Where the mint is not configured any more, its program has to be learned first.
  const learned = unknown.length === 0 ? undefined : await readMany(network, unknown);
  const programOf = (mint: string) => known.get(mint) ?? learned?.found.get(mint)?.owner;

  const wanted = new Set<string>(mints);
  for (const { account_address, spending_limit_address, mint, payee } of orders) {
    wanted.add(spending_limit_address).add(account_address);
    const program = mint === null ? undefined : programOf(mint);
    if (mint === null || !program) continue;
    wanted.add(tokenAccountOf(account_address, mint, program));
    wanted.add(tokenAccountOf(payee, mint, program));
  }
  const { slot, found } = await readMany(network, [...wanted] as Address[]);

  return orders.map((order): OrderAccounts => {
    const { account_address: owner, mint, payee } = order;
    const common = { slot, limit: found.get(order.spending_limit_address), vault: found.get(owner) };
    if (mint === null) return { ...common, token: undefined };
    const account = found.get(mint);
    const program = programOf(mint);
    if (!account || !program) return { ...common, token: "no mint" };
    const source = tokenAccountOf(owner, mint, program);
    const destination = tokenAccountOf(payee, mint, program);
    const token = { mint: account, source, destination, held: found.get(source), payee: found.get(destination) };
    return { ...common, token };
  });
}

const tokenAccountOf = (owner: string, mint: string, program: string): Address =>
  deriveTokenAccount(owner as Address, mint as Address, program as Address);

async function readMany(
  network: Pick<Network, "rpc">,
  addresses: readonly Address[],
): Promise<{ readonly slot: bigint; readonly found: ReadonlyMap<string, ChainAccount> }> {
  const parts: Address[][] = [];
  for (let at = 0; at < addresses.length; at += askedAtOnce) parts.push(addresses.slice(at, at + askedAtOnce));
  const answers = await allOf(parts.map((part) => readAccountsAtSlot(network, part)));
  const found = new Map<string, ChainAccount>();
  let slot = 0n;
  for (const answer of answers) {
    if (answer.slot > slot) slot = answer.slot;
    for (const account of answer.accounts) if (account) found.set(account.address, account);
  }
  return { slot, found };
}
