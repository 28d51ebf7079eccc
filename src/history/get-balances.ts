import { address } from "@solana/kit";
import { SYSTEM_PROGRAM_ADDRESS } from "@solana-program/system";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { formatUnits } from "@trellis/kernel/money.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, decimalText } from "@trellis/kernel/wire-texts.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { decodeMintDecimals, readTokenAccountsOf } from "@trellis/solana/token-accounts.js";
import Type, { type Static } from "typebox";
import { getAccountRow } from "../accounts/account-store.js";

const solDecimals = 9;

const TokenBalance = Type.Object(
  {
    token_address: addressText({ description: "The mint; the system program's address for SOL." }),
    amount: Type.Number({ description: "Base units. Above 2^53 the last digits are lost: use amount_decimal." }),
    amount_decimal: decimalText(),
    decimals: Type.Integer(),
    name: Type.Optional(Type.String()),
    symbol: Type.Optional(Type.String()),
  },
  { $id: "TokenBalance" },
);

type TokenBalance = Static<typeof TokenBalance>;

/** What a smart account holds, read from the chain (gap 34). */
export const getBalances = endpoint(
  {
    operation: "getBalances",
    summary: "Get balances",
    description: "SOL and every token the smart account holds, read from the chain. A fresh account answers zeros.",
    tag: "Accounts",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/balances",
    scope: "accounts:read",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, default: 10, description: "Tokens a page." })),
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
    }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object(
        {
          address: addressText(),
          lamports: Type.Number(),
          sol: Type.Number(),
          tokens: Type.Array(TokenBalance),
        },
        { $id: "Balances" },
      ),
    },
    errors: ["account_not_found", "chain_unavailable"],
  },
  async ({ db }: { db: Db }, { params, query, network, caller }) => {
    const account = await getAccountRow(db, {
      tenantId: caller.tenantId,
      environment: network.name,
      address: params.address,
    });
    const owner = address(account.address);
    const [{ value: lamports }, tokens] = await Promise.all([
      askChain(network.rpc.getBalance(owner, { commitment: "confirmed" })),
      readTokenBalances(network, owner),
    ]);
    const sol: TokenBalance = {
      token_address: SYSTEM_PROGRAM_ADDRESS,
      amount: Number(lamports),
      amount_decimal: formatUnits(lamports, solDecimals),
      decimals: solDecimals,
      name: "Solana",
      symbol: "SOL",
    };
    const all = [sol, ...tokens];
    const limit = query.limit ?? 10;
    const start = ((query.page ?? 1) - 1) * limit;
    return {
      data: {
        address: account.address,
        lamports: Number(lamports),
        sol: Number(formatUnits(lamports, solDecimals)),
        tokens: all.slice(start, start + limit),
      },
    };
  },
);

/** One entry per mint, however many token accounts hold it: configured currencies first, then by mint. */
async function readTokenBalances(network: Network, owner: ReturnType<typeof address>): Promise<TokenBalance[]> {
  const byMint = new Map<string, bigint>();
  for (const { mint, amount } of await readTokenAccountsOf(network, owner)) {
    byMint.set(mint, (byMint.get(mint) ?? 0n) + amount);
  }
  const decimals = await readDecimals(network, [...byMint.keys()]);
  const rank = (mint: string) => {
    const index = network.currencies.findIndex((currency) => currency.mint === mint);
    return index === -1 ? network.currencies.length : index;
  };
  return [...byMint]
    .sort(([left], [right]) => rank(left) - rank(right) || (left < right ? -1 : 1))
    .flatMap(([mint, amount]) => {
      const known = network.currencies.find((currency) => currency.mint === mint);
      const places = decimals.get(mint);
      if (places === undefined) return [];
      return [
        {
          token_address: mint,
          amount: Number(amount),
          amount_decimal: formatUnits(amount, places),
          decimals: places,
          ...(known ? { name: known.name, symbol: known.symbol.toUpperCase() } : {}),
        },
      ];
    });
}

async function readDecimals(network: Network, mints: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const decimals = new Map<string, number>();
  for (const { mint, decimals: places } of network.currencies) if (mint !== null) decimals.set(mint, places);
  const unknown = mints.filter((mint) => !decimals.has(mint)).map((mint) => address(mint));
  for (let start = 0; start < unknown.length; start += 100) {
    const page = unknown.slice(start, start + 100);
    const accounts = await readAccounts(network, page);
    for (const account of accounts) {
      const places = account && decodeMintDecimals(account);
      if (account && places !== undefined) decimals.set(account.address, places);
    }
  }
  return decimals;
}
