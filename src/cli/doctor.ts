import { type Address, isAddress } from "@solana/kit";
import { SIGNATURE_PROGRAM_ADDRESS, SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { parseKnownPrograms } from "@trellis/solana/known-builds.js";
import { openCommandRpc } from "../adapters/chain/command-rpc.js";
import { openChainReader } from "./doctor/chain-reader.js";
import { DoctorError } from "./doctor/doctor-error.js";
import { type ExaminedProgram, examineProgram, judgeProgram } from "./doctor/examine-program.js";
import { findExaminedAccount } from "./doctor/find-settings.js";
import { judgeAuthority } from "./doctor/judge-authority.js";
import { readAuthority } from "./doctor/read-authority.js";
import { describeAuthority, renderAuthority } from "./doctor/render-authority.js";
import { type OrdersSource, readReportedOrders } from "./doctor/standing-orders.js";

/** What `trellis doctor` was called with, as text. */
export interface DoctorOptions {
  readonly address: string | undefined;
  readonly rpc: string | undefined;
  readonly settings?: string | undefined;
  /** Addresses separated by commas, as the next. */
  readonly "expect-signers"?: string | undefined;
  /** The address that is meant to be the admin. */
  readonly "expect-admin"?: string | undefined;
  readonly "service-keys"?: string | undefined;
  /** Keys that pay standing orders, separated by commas. */
  readonly executors?: string | undefined;
  /** URL of the service that is asked for its standing orders, with `apiKey`. */
  readonly service?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly environment?: string | undefined;
  /** SHA-256 of builds of the program that are trusted, separated by commas. */
  readonly knownPrograms?: string | undefined;
  readonly json?: boolean | undefined;
}

/** Whether the program is what was tested is a question beside the others: they are not kept waiting for it. */
const programPatienceMs = 30_000;

/**
 * `trellis doctor`: says from chain data alone who may act for a smart account, and whether that is as expected. Gives
 * the text for standard output and the exit code, 0 for PASS and 1 for FAIL. Throws `DoctorError` when there is no
 * answer. `patienceMs`: how long reading the program may take; null: it is not read.
 */
export async function runDoctor(
  options: DoctorOptions,
  patienceMs: number | null = programPatienceMs,
): Promise<{ readonly text: string; readonly exitCode: 0 | 1 }> {
  if (options.address === undefined) throw new DoctorError("Name the smart account: trellis doctor <address>.");
  if (options.rpc === undefined) throw new DoctorError("Name a node with --rpc: the JSON-RPC URL of the cluster.");
  if (!URL.canParse(options.rpc)) throw new DoctorError("--rpc is not a URL.");
  const address = parseAddress(options.address, "The account");
  const named = options.settings === undefined ? undefined : parseAddress(options.settings, "--settings");
  const expected = {
    signers: parseAddresses(options["expect-signers"], "--expect-signers"),
    admin: options["expect-admin"] === undefined ? undefined : parseAddress(options["expect-admin"], "--expect-admin"),
    serviceKeys: parseAddresses(options["service-keys"], "--service-keys") ?? [],
  };
  const trusted = parseKnownPrograms(options.knownPrograms ?? "");
  if (trusted === undefined) {
    throw new DoctorError(
      "TRELLIS_KNOWN_PROGRAMS must be SHA-256 hashes of 64 hexadecimal digits, separated by commas.",
    );
  }
  const executors = parseAddresses(options.executors, "--executors") ?? [];
  const orders =
    options.service === undefined ? undefined : await readReportedOrders(sourceOf(options, options.service), address);
  const rpc = openCommandRpc(options.rpc);
  const chain = await openChainReader(rpc);
  const account = await findExaminedAccount(chain, address, named);
  const authority = await readAuthority(chain, account);
  // Where no passkey signs, the account does not depend on the second one.
  const signatureProgram = authority.passkeys.length === 0 ? [] : [SIGNATURE_PROGRAM_ADDRESS];
  const addresses = patienceMs === null ? [] : [SMART_ACCOUNT_PROGRAM_ADDRESS, ...signatureProgram];
  const programs: ExaminedProgram[] = [];
  for (const one of addresses) programs.push(await examineProgram(rpc, one, trusted, patienceMs ?? 0));
  const checks = [...judgeAuthority(authority, expected), ...programs.flatMap(judgeProgram)];
  const report = describeAuthority(authority, checks, { executors, orders, programs });
  return {
    text: options.json ? `${JSON.stringify(report, null, 2)}\n` : renderAuthority(report),
    exitCode: report.verdict === "PASS" ? 0 : 1,
  };
}

function sourceOf({ apiKey, environment }: DoctorOptions, url: string): OrdersSource {
  if (!URL.canParse(url)) throw new DoctorError("--service is not a URL.");
  if (apiKey === undefined || apiKey === "")
    throw new DoctorError("--service needs TRELLIS_API_KEY in the environment.");
  return { url, apiKey, environment };
}

function parseAddresses(text: string | undefined, name: string): readonly Address[] | undefined {
  if (text === undefined) return undefined;
  return text.split(",").map((part) => parseAddress(part.trim(), name));
}

function parseAddress(text: string, name: string): Address {
  if (!isAddress(text)) throw new DoctorError(`${name}: "${text}" is not an address.`);
  return text;
}
