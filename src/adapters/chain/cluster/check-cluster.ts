import type { Address } from "@solana/kit";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Currency, Network } from "@trellis/kernel/ports/network.js";
import { UnusableEnvironmentError } from "@trellis/kernel/unusable-environment-error.js";
import { PROGRAM_CONFIG_ADDRESS, SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { type ChainAccount, readAccounts } from "@trellis/solana/read-accounts.js";
import { decodeMintDecimals, tokenPrograms } from "@trellis/solana/token-accounts.js";
import type { UrlStanding } from "./failover-transport.js";

/** Throws UnusableEnvironmentError when a URL belongs to another cluster, or none answers. */
export function checkStandings(environment: EnvironmentName, standings: readonly UrlStanding[]): void {
  const foreign = standings.filter(({ standing }) => standing === "foreign").map(({ label }) => label);
  if (foreign.length > 0) {
    throw new UnusableEnvironmentError(
      environment,
      `the genesis hash at URL ${foreign.join(" and ")} is that of another cluster.`,
    );
  }
  if (!standings.some(({ standing }) => standing === "agrees")) {
    throw new UnusableEnvironmentError(
      environment,
      `no URL answers: ${standings.map(({ label }) => label).join(", ")}.`,
    );
  }
}

/** Throws UnusableEnvironmentError when the smart account program or its configuration is not on the chain. */
export async function checkProgram(environment: EnvironmentName, network: Pick<Network, "rpc">): Promise<void> {
  const [program, config] = await readAccounts(network, [SMART_ACCOUNT_PROGRAM_ADDRESS, PROGRAM_CONFIG_ADDRESS]);
  if (!program?.executable) {
    throw new UnusableEnvironmentError(
      environment,
      `the smart account program ${SMART_ACCOUNT_PROGRAM_ADDRESS} is not deployed there.`,
    );
  }
  if (config?.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) {
    throw new UnusableEnvironmentError(
      environment,
      `the smart account program is deployed there, but its configuration ${PROGRAM_CONFIG_ADDRESS} is not initialized.`,
    );
  }
}

/**
 * The currencies of a network: the known ones, those that the operator names instead or besides, decimals and token
 * program as the chain has them. Throws UnusableEnvironmentError when a named mint is no mint.
 */
export async function resolveCurrencies(
  environment: EnvironmentName,
  network: Pick<Network, "rpc">,
  known: readonly Currency[],
  named: ReadonlyMap<string, Address>,
): Promise<readonly Currency[]> {
  const accounts = await readAccounts(network, [...named.values()]);
  const resolved = [...named].map(([symbol, mint], i): Currency => {
    const read = readMint(accounts[i]);
    if (read === undefined) {
      throw new UnusableEnvironmentError(environment, `the mint of ${symbol}, ${mint}, is not a mint there.`);
    }
    const name = known.find((currency) => currency.symbol === symbol)?.name ?? symbol.toUpperCase();
    return { symbol, name, mint, ...read };
  });
  return [...known.filter(({ symbol }) => !named.has(symbol)), ...resolved];
}

function readMint(account: ChainAccount | undefined): Pick<Currency, "decimals" | "tokenProgram"> | undefined {
  const decimals = account && decodeMintDecimals(account);
  const tokenProgram = tokenPrograms.find((program) => program === account?.owner);
  return decimals === undefined || tokenProgram === undefined ? undefined : { decimals, tokenProgram };
}
