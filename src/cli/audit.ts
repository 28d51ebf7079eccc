import { readFile } from "node:fs/promises";
import type { AcceptReport } from "../audit/accept-log.js";
import type { LogReport } from "../audit/verify-log.js";
import { parseConfig } from "../config/config.js";
import { parseCustodianConfig } from "../config/custodian.js";
import {
  acceptServiceLog,
  readCustodianLogKey,
  readCustodianWitnessKey,
  takeCustodianCheckpoint,
  verifyCustodianLog,
} from "../custodian/log-commands.js";
import {
  acceptCustodianLog,
  readLogKey,
  readWitnessKey,
  takeCheckpoint,
  verifyAuditLog,
} from "../operator/audit-log.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** `trellis audit key`: prints what verifies the checkpoints of the audit log. */
export async function printLogKey(environment: Environment): Promise<void> {
  process.stdout.write(`${await readLogKey(parseConfig(environment))}\n`);
}

/** `trellis audit witness-key`: prints what verifies cosignatures of this service. */
export async function printWitnessKey(environment: Environment): Promise<void> {
  process.stdout.write(`${await readWitnessKey(parseConfig(environment))}\n`);
}

/** `trellis audit checkpoint`: prints a checkpoint over everything that was logged until now. */
export async function printCheckpoint(environment: Environment): Promise<void> {
  process.stdout.write(await takeCheckpoint(parseConfig(environment)));
}

/** `trellis audit verify`: prints what is wrong with the log, and ends with 1 where anything is. */
export async function verify(environment: Environment, files: readonly string[]): Promise<void> {
  const kept = await Promise.all(files.map((file) => readFile(file, "utf8")));
  printReport(await verifyAuditLog(parseConfig(environment), kept));
}

/** `trellis custodian audit key`: the same of a custodian's own log, as the next two. */
export async function printCustodianLogKey(environment: Environment): Promise<void> {
  process.stdout.write(`${await readCustodianLogKey(parseCustodianConfig(environment))}\n`);
}

/** `trellis custodian audit witness-key`. */
export async function printCustodianWitnessKey(environment: Environment): Promise<void> {
  process.stdout.write(`${await readCustodianWitnessKey(parseCustodianConfig(environment))}\n`);
}

/** `trellis custodian audit checkpoint`. */
export async function printCustodianCheckpoint(environment: Environment): Promise<void> {
  process.stdout.write(await takeCustodianCheckpoint(parseCustodianConfig(environment)));
}

/** `trellis custodian audit verify`. */
export async function verifyOfCustodian(environment: Environment, files: readonly string[]): Promise<void> {
  const kept = await Promise.all(files.map((file) => readFile(file, "utf8")));
  printReport(await verifyCustodianLog(parseCustodianConfig(environment), kept));
}

/** `trellis audit accept`: about logs of custodians. */
export async function accept(environment: Environment, root: string | undefined): Promise<void> {
  printAcceptance(await acceptCustodianLog(parseConfig(environment), root));
}

/** `trellis custodian audit accept`: about the service's log. */
export async function acceptAtCustodian(environment: Environment, root: string | undefined): Promise<void> {
  printAcceptance(await acceptServiceLog(parseCustodianConfig(environment), root));
}

function printAcceptance({ text, isDone }: AcceptReport): void {
  process.stdout.write(text);
  if (!isDone) process.exitCode = 1;
}

function printReport({ size, withoutBody, faults }: LogReport): void {
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  const deleted = withoutBody === 0 ? "" : `, ${withoutBody} of them without their bodies`;
  process.stdout.write(`${faults.length === 0 ? "PASS" : "FAIL"}: ${size} entries${deleted}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
