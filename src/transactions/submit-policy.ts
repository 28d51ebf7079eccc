import type { Address } from "@solana/kit";
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from "@solana-program/compute-budget";
import { readSettingsChange, type SettingsChange } from "../accounts/settings-change.js";
import type { ReadMessage } from "../chain/read-message.js";
import type { Network } from "../environment.js";
import { TrellisError } from "../errors.js";
import {
  checkConsensus,
  ProgramDataError,
  parseTransactionSync,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "../program-client/index.js";
import type { ActingAccount } from "./acting-account.js";
import { refuseForbidden } from "./forbidden-instructions.js";

/**
 * Requires that the signers present may do what the transaction does, by the account's settings as they are now, and that
 * nothing inside it touches a service key. Lookup tables were resolved just before: what they hold may have changed since
 * the transaction was prepared (gap 31).
 *
 * Throws `insufficient_permissions` naming what lacks, `proposal_required` under a time lock, `forbidden_account`.
 */
export function requireAuthority(
  account: ActingAccount,
  message: ReadMessage,
  present: ReadonlySet<Address>,
  network: Pick<Network, "serviceAddresses">,
): void {
  for (const instruction of message.instructions) {
    const change = readCaller(() => readSettingsChange(instruction));
    if (change) requireSettingsAuthority(account, change, present, network);
    const call = readCaller(() => parseTransactionSync(instruction));
    if (!call) continue;
    refuseForbidden(call.instructions, network.serviceAddresses);
    if (account.settings.timeLockSeconds > 0) throw new TrellisError("proposal_required");
    const absent = call.members.find((member) => !present.has(member));
    const verdict = checkConsensus(account.settings, call.members);
    if (absent === undefined && verdict.ok) continue;
    throw new TrellisError("insufficient_permissions", {
      message: absent === undefined && !verdict.ok ? verdict.message : `${absent} has not signed.`,
    });
  }
}

/**
 * Requires that a transaction prepared elsewhere is about this account and nothing else, and needs no signature that only
 * the service or a custodian could give (gap 31). Throws `transaction_not_prepared` or `forbidden_account`.
 */
export function requireSelfContained(
  account: ActingAccount,
  message: ReadMessage,
  network: Network,
  field: string,
): void {
  const refuse = (text: string) => new TrellisError("transaction_not_prepared", { field, message: text });
  for (const address of network.serviceAddresses) {
    if (message.addresses.has(address)) {
      throw refuse("This transaction was not prepared here, so the service neither pays for it nor appears in it.");
    }
  }
  for (const instruction of message.instructions) {
    if (instruction.programAddress === COMPUTE_BUDGET_PROGRAM_ADDRESS) continue;
    const settings = instruction.accounts?.[0]?.address;
    if (instruction.programAddress !== SMART_ACCOUNT_PROGRAM_ADDRESS || settings !== account.settingsAddress) {
      throw refuse("A transaction built elsewhere may only call the smart account program for this account.");
    }
    const call = readCaller(() => parseTransactionSync(instruction));
    if (call && call.smartAccount !== account.address) {
      throw refuse("A transaction built elsewhere may only move what this account's own address holds.");
    }
  }
}

/**
 * Requires that whoever changes the settings may do so now: enough members of an account that belongs to its signers, or
 * the admin of one that has an admin. A key of the service becomes neither signer nor admin (gaps 16, 31).
 */
function requireSettingsAuthority(
  account: ActingAccount,
  change: SettingsChange,
  present: ReadonlySet<Address>,
  network: Pick<Network, "serviceAddresses">,
): void {
  for (const action of change.actions) {
    const named = action.type === "add_signer" ? action.address : action.type === "set_admin" && action.admin_address;
    if (!named || !network.serviceAddresses.has(named as Address)) continue;
    throw new TrellisError("forbidden_account", {
      field: "transaction",
      message: "A key of the service cannot belong to an account.",
    });
  }
  const { settings, settingsAddress } = account;
  const refuse = (message: string) => new TrellisError("insufficient_permissions", { message });
  if (change.settings !== settingsAddress) throw refuse("The change is about the settings of another account.");
  const { by } = change;
  const signing = by.kind === "members" ? by.members : [by.admin];
  const absent = signing.find((address) => !present.has(address));
  if (absent !== undefined) throw refuse(`${absent} has not signed.`);
  if (by.kind === "admin") {
    if (settings.settingsAuthority !== by.admin) throw refuse(`${by.admin} is not the admin of this account.`);
    return;
  }
  if (settings.settingsAuthority !== null) throw refuse("Only the admin of this account changes its settings.");
  if (settings.timeLockSeconds > 0) throw new TrellisError("proposal_required");
  const verdict = checkConsensus(settings, by.members);
  if (!verdict.ok) throw refuse(verdict.message);
}

/** A caller's bytes may say anything; what the program could not read either is not worth sending. */
function readCaller<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof ProgramDataError)) throw cause;
    throw new TrellisError("invalid_transaction", {
      field: "transaction",
      message: `The call of the smart account program cannot be read: ${cause.message}.`,
      cause,
    });
  }
}
