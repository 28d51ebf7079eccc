import { readFile } from "node:fs/promises";
import { createInterface, type Interface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import {
  createTrellisClient,
  fetchInOldNames,
  type MovedAccount,
  moveAccount,
  TrellisApiError,
  type TrellisClient,
  TrellisNetworkError,
  type WireEnvironment,
} from "@trellis/sdk";
import { openCommandRpc } from "../adapters/chain/command-rpc.js";
import { ConfigError } from "../config/config.js";
import { openChainReader } from "./doctor/chain-reader.js";
import { DoctorError } from "./doctor/doctor-error.js";
import { runDoctor } from "./doctor.js";
import { openClient, urlOf } from "./listen.js";
import { type MovingAccount, parseMovingList, problemOf } from "./move/moving-list.js";
import { type MovingEntry, type MovingFile, type MovingRoute, openMovingFile } from "./move/moving-state.js";

/** What `trellis move` was called with. */
export interface MoveOptions {
  readonly url?: string | undefined;
  readonly environment?: string | undefined;
  readonly old?: string | undefined;
  readonly "old-environment"?: string | undefined;
  readonly rpc?: string | undefined;
  readonly email?: string | undefined;
  /** The account's settings, or its own address. */
  readonly place?: string | undefined;
  /** Addresses separated by commas. */
  readonly keep?: string | undefined;
  readonly list?: string | undefined;
  readonly state?: string | undefined;
  readonly "may-propose"?: boolean | undefined;
}

/** Where a person is asked and informed. */
export interface Terminal {
  readonly write: (text: string) => void;
  /** The code that an owner has got by mail. */
  readonly readCode: (email: string) => Promise<string>;
  readonly close?: () => void;
}

/** No person is there to enter codes: no further owner is sent one. */
export class InputEndedError extends Error {
  override readonly name = "InputEndedError";
}

interface Journey {
  readonly trellis: TrellisClient;
  readonly old: TrellisClient;
  readonly rpc: string;
  readonly route: MovingRoute;
  readonly mayPropose: boolean;
  readonly terminal: Terminal;
  /** Whom the last request went to: both services say the same words. */
  readonly asked: { last: "Trellis" | "the old service" };
}

const oldEnvironments: Readonly<Record<string, string>> = { mainnet: "production" };

/**
 * `trellis move`: moves accounts from a service that closes to this one (docs/moving.md), and has the doctor prove of each
 * that no other key holds authority. One that fails stops no other. Gives the exit code: 0 when all are moved and proven.
 *
 * What a run keeps is a file without secrets, from which the next one knows what is proven already: sign-ins are held in memory
 * only, and of an account that is not proven the chain is asked first. Throws ConfigError before anything has begun.
 */
export async function moveAccounts(
  variables: Readonly<Record<string, string | undefined>>,
  options: MoveOptions,
  terminal: Terminal = openTerminal(),
): Promise<0 | 1> {
  const accounts = await accountsOf(options);
  const journey = journeyOf(variables, options, terminal);
  // No account's signers are changed where that could not be proved afterwards.
  await openChainReader(openCommandRpc(journey.rpc)).catch((error: unknown) => {
    if (error instanceof DoctorError) throw new ConfigError([`--rpc is of no use: ${error.message}`]);
    throw error;
  });
  const path = options.state ?? (options.list === undefined ? undefined : `${options.list}.state.json`);
  const file = path === undefined ? undefined : await openMovingFile(path, journey.route);
  try {
    return await moveAll(journey, accounts, file);
  } finally {
    await file?.close();
    terminal.close?.();
  }
}

async function moveAll(
  journey: Journey,
  accounts: readonly MovingAccount[],
  file: MovingFile | undefined,
): Promise<0 | 1> {
  const { terminal } = journey;
  let state = file?.state ?? {};
  for (const [index, account] of accounts.entries()) {
    const title = `${index + 1}/${accounts.length} ${account.email} ${account.place}`;
    const former = state[account.place];
    if (former?.outcome === "moved") {
      terminal.write(`${title}: moved and proven by a former run, ${former.at}\n`);
      continue;
    }
    terminal.write(`${title}\n`);
    const { hasEnded, ...entry } = await moveOne(journey, account);
    terminal.write(`  ${entry.outcome.replaceAll("_", " ")}: ${entry.message}\n`);
    state = { ...state, [account.place]: entry };
    await file?.write(state);
    if (hasEnded) break;
  }
  const done = accounts.filter(({ place }) => state[place]?.outcome === "moved").length;
  terminal.write(
    `${done} of ${accounts.length} moved and proven.${done < accounts.length ? " Run it again for the rest." : ""}\n`,
  );
  return done === accounts.length ? 0 : 1;
}

async function moveOne(
  journey: Journey,
  { email, place, keep }: MovingAccount,
): Promise<MovingEntry & { readonly hasEnded?: boolean }> {
  const { trellis, old, terminal, mayPropose, asked } = journey;
  const at = new Date().toISOString();
  try {
    const moved = await moveAccount({
      trellis,
      old,
      email,
      address: place,
      keep,
      mayPropose,
      readCode: terminal.readCode,
    });
    const { address, proposal } = moved;
    if (proposal !== undefined) {
      const message = `the change waits as proposal ${proposal.transactionIndex}, ${proposal.proposalAddress}; move again once it is executed`;
      return { email, at, address, outcome: "proposed", message };
    }
    if (!moved.isMoved) {
      const message = "the chain does not show the change yet; run it again";
      return { email, at, address, outcome: "failed", message };
    }
    const findings = await examine(journey, moved, keep);
    return findings.length === 0
      ? { email, at, address, outcome: "moved", message: `${address}: no other key holds authority` }
      : { email, at, address, outcome: "moved_with_findings", message: findings.join(" ") };
  } catch (error) {
    // Whatever keeps one account from moving: the next may not be kept.
    const said = error instanceof Error ? error.message : String(error);
    const isAnswer = error instanceof TrellisApiError || error instanceof TrellisNetworkError;
    const message = isAnswer ? `${asked.last}: ${said}` : said;
    return { email, at, outcome: "failed", message, hasEnded: error instanceof InputEndedError };
  }
}

const refreshes = 20;
const pauseBetweenRefreshesMs = 2_000;

/** What the doctor finds fault with, once the finalized chain has the change. */
async function examine(
  { rpc }: Journey,
  { address, settings_address: settings, policies, wallets }: MovedAccount,
  keep: readonly string[],
): Promise<readonly string[]> {
  const members = policies.signers.map((signer) => signer.address);
  const expected = [...wallets.map((wallet) => wallet.address), ...keep.filter((key) => members.includes(key))];
  // One that stays, by name: without it the account would not be moved.
  const admin = policies.admin_address ?? undefined;
  for (let left = refreshes; ; left -= 1) {
    const examined = {
      address,
      rpc,
      settings,
      "expect-signers": expected.join(),
      "expect-admin": admin,
      json: true,
    };
    // Many accounts are moved one after the other, over one program: its code is not read for each of them.
    const { text } = await runDoctor(examined, null).catch((error: unknown) => {
      if (error instanceof DoctorError)
        throw new DoctorError(`${address} is moved, but this could not be proven. ${error.message}`);
      throw error;
    });
    const { checks } = JSON.parse(text) as { checks: { status: string; check: string; message: string }[] };
    const failed = checks.filter(({ status }) => status === "FAIL");
    if (left === 0 || !failed.some(({ check }) => check === "signers")) return failed.map(({ message }) => message);
    await wait(pauseBetweenRefreshesMs);
  }
}

async function accountsOf(options: MoveOptions): Promise<readonly MovingAccount[]> {
  const { list, email = "", place = "", keep } = options;
  if (list !== undefined) {
    if (email !== "" || place !== "" || keep !== undefined) {
      throw new ConfigError(["With --list the file alone names accounts, e-mail addresses and keys that stay."]);
    }
    const text = await readFile(list, "utf8").catch((error: Error) => {
      throw new ConfigError([`--list cannot be read: ${error.message}`]);
    });
    return parseMovingList(text);
  }
  const account = { email, place, keep: (keep ?? "").split(",").flatMap((part) => part.trim() || []) };
  const problem = problemOf(account);
  if (problem !== undefined) throw new ConfigError([`move needs --email and the account, or --list: ${problem}.`]);
  return [account];
}

function journeyOf(
  variables: Readonly<Record<string, string | undefined>>,
  options: MoveOptions,
  terminal: Terminal,
): Journey {
  const { rpc = "", old = "", environment = "sandbox" } = options;
  const apiKey = variables.OLD_API_KEY ?? "";
  const problems = [
    ...(URL.canParse(rpc) ? [] : ["--rpc must be the JSON-RPC URL of the cluster."]),
    ...(URL.canParse(old) ? [] : ["--old must be the URL of the service that is left."]),
    ...(apiKey === "" ? ["OLD_API_KEY must be an API key of the service that is left."] : []),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  const asked: Journey["asked"] = { last: "Trellis" };
  const asking =
    (whom: Journey["asked"]["last"]): typeof fetch =>
    (url, init) => {
      asked.last = whom;
      return fetch(url, init);
    };
  return {
    asked,
    trellis: openClient(variables, { url: options.url, environment }, asking("Trellis")),
    old: createTrellisClient({
      baseUrl: old,
      apiKey,
      environment: (options["old-environment"] ?? oldEnvironments[environment] ?? "sandbox") as WireEnvironment,
      fetch: fetchInOldNames(asking("the old service")),
    }),
    rpc,
    route: { from: new URL(old).origin, to: new URL(urlOf(variables, options.url)).origin, environment },
    mayPropose: options["may-propose"] === true,
    terminal,
  };
}

function openTerminal(): Terminal {
  let lines: Interface | undefined;
  let read: AsyncIterator<string> | undefined;
  return {
    write: (text) => process.stdout.write(text),
    readCode: async (email) => {
      // One reader for all codes: what is typed or piped ahead belongs to the next one.
      lines ??= createInterface({ input: process.stdin, output: process.stdout });
      read ??= lines[Symbol.asyncIterator]();
      process.stdout.write(`  Code that the old service has sent to ${email}: `);
      const { value, done } = await read.next();
      if (done === true) throw new InputEndedError("the input ended: no more codes can be entered");
      const code = value.trim();
      if (code === "") throw new Error("no code was entered");
      return code;
    },
    close: () => lines?.close(),
  };
}
