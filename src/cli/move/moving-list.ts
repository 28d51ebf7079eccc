import { isAddress } from "@solana/kit";
import { ConfigError } from "../../config/config.js";

/** An account to be moved. */
export interface MovingAccount {
  readonly email: string;
  /** Its settings, or its own address. */
  readonly place: string;
  /** The owner's own keys among its signers. */
  readonly keep: readonly string[];
}

/**
 * Reads a list: a line is `email,settings`, with the owner's own keys behind it; empty lines and those that begin with #
 * say nothing. Throws ConfigError with every line that is wrong: nothing is begun then.
 */
export function parseMovingList(text: string): readonly MovingAccount[] {
  const problems: string[] = [];
  const accounts: MovingAccount[] = [];
  const seen = new Set<string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.trim().startsWith("#")) continue;
    const [email = "", place = "", ...keep] = line.split(",").map((part) => part.trim());
    const account = { email, place, keep: keep.filter((key) => key !== "") };
    const problem = problemOf(account) ?? (seen.has(place) ? `${place} is in the list already` : undefined);
    if (problem === undefined) accounts.push(account);
    else problems.push(`Line ${index + 1}: ${problem}.`);
    seen.add(place);
  }
  if (accounts.length === 0 && problems.length === 0) problems.push("The list names no account.");
  if (problems.length > 0) throw new ConfigError(problems);
  return accounts;
}

/** What is wrong with an account, if anything. */
export function problemOf({ email, place, keep }: MovingAccount): string | undefined {
  if (!email.includes("@")) return `"${email}" is not an e-mail address`;
  const wrong = [place, ...keep].find((address) => !isAddress(address));
  return wrong === undefined ? undefined : `"${wrong}" is not an address`;
}
