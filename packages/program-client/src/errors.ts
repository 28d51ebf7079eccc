import type { Address } from "@solana/kit";
import { SMART_ACCOUNT_PROGRAM_ADDRESS } from "./addresses.js";
import * as generatedErrors from "./generated/errors/index.js";

/** A program's refusal in words. `name` is permanent; numbers above 6078 differ between builds of the program. */
export type ProgramErrorDescription = { readonly code: number; readonly name: string; readonly message: string };

/** Errors of the framework the program is written in, as far as its checks can produce them. */
const FRAMEWORK_ERRORS: ReadonlyMap<number, readonly [name: string, message: string]> = new Map([
  [100, ["InstructionMissing", "The instruction's data is too short to name an instruction"]],
  [101, ["InstructionFallbackNotFound", "The program has no such instruction"]],
  [102, ["InstructionDidNotDeserialize", "The instruction's data cannot be parsed"]],
  [2000, ["ConstraintMut", "An account must be writable"]],
  [2003, ["ConstraintRaw", "An account is not at its derived address"]],
  [2004, ["ConstraintOwner", "An account has the wrong owner"]],
  [2006, ["ConstraintSeeds", "A derived address does not match its seeds"]],
  [2011, ["ConstraintClose", "An account cannot receive its own rent"]],
  [2012, ["ConstraintAddress", "An account is not the required one"]],
  [2014, ["ConstraintTokenMint", "A token account has another mint"]],
  [2015, ["ConstraintTokenOwner", "A token account has another owner"]],
  [2020, ["ConstraintAccountIsNone", "An account that another one needs is absent"]],
  [3001, ["AccountDiscriminatorNotFound", "An account is too short to have a kind"]],
  [3002, ["AccountDiscriminatorMismatch", "An account is of another kind"]],
  [3003, ["AccountDidNotDeserialize", "An account's data cannot be parsed"]],
  [3005, ["AccountNotEnoughKeys", "Too few accounts"]],
  [3006, ["AccountNotMutable", "An account must be writable"]],
  [3007, ["AccountOwnedByWrongProgram", "An account belongs to another program"]],
  [3008, ["InvalidProgramId", "A program is not the required one"]],
  [3010, ["AccountNotSigner", "An account must sign"]],
  [3011, ["AccountNotSystemOwned", "An account must be owned by the system program"]],
  [3012, ["AccountNotInitialized", "An account does not exist"]],
] as const);

/** Above this number the program's builds disagree. */
const LAST_COMMON_CODE = 6078;

const PREFIX = "SMART_ACCOUNT_PROGRAM_ERROR__";

const PROGRAM_ERRORS: ReadonlyMap<number, ProgramErrorDescription> = new Map(
  Object.entries(generatedErrors).flatMap(([key, code]) => {
    if (!key.startsWith(PREFIX) || typeof code !== "number") return [];
    const name = key
      .slice(PREFIX.length)
      .split("_")
      .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
      .join("");
    const message = generatedErrors.getSmartAccountProgramErrorMessage(
      code as generatedErrors.SmartAccountProgramError,
    );
    return [[code, { code, name, message }] as const];
  }),
);

/** What an error number of the smart account program means; undefined when this client does not know the number. */
export function describeProgramError(code: number): ProgramErrorDescription | undefined {
  const known = PROGRAM_ERRORS.get(code);
  if (known !== undefined) return known;
  const framework = FRAMEWORK_ERRORS.get(code);
  return framework === undefined ? undefined : { code, name: framework[0], message: framework[1] };
}

/** The number of a named error in the build this project ships; undefined for names it does not have. */
export function programErrorCode(name: string): number | undefined {
  for (const error of PROGRAM_ERRORS.values()) if (error.name === name) return error.code;
  return undefined;
}

/** The program whose failure started the unwinding: the innermost one. Undefined when the logs name none. */
export function failingProgram(logs: readonly string[]): Address | undefined {
  for (const line of logs) {
    const match = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) failed: /.exec(line);
    if (match?.[1] !== undefined) return match[1] as Address;
  }
  return undefined;
}

/**
 * Explains a custom error number together with the transaction's logs.
 *
 * An instruction inside a smart account's call surfaces with its own number, so a failure of another program is
 * not explained (undefined). The program's own log line comes before any table, because its builds number the later
 * errors differently; without a log line, numbers above 6078 are explained by the build this project ships.
 */
export function explainProgramError(code: number, logs: readonly string[]): ProgramErrorDescription | undefined {
  const program = failingProgram(logs);
  if (program !== undefined && program !== SMART_ACCOUNT_PROGRAM_ADDRESS) return undefined;
  const logged = loggedError(code, logs);
  if (logged === undefined) return describeProgramError(code);
  const known = describeProgramError(code);
  const sameName = known?.name === logged.name || code <= LAST_COMMON_CODE ? known : undefined;
  return sameName ?? { code, name: logged.name, message: logged.message ?? logged.name };
}

function loggedError(code: number, logs: readonly string[]): { name: string; message: string | undefined } | undefined {
  for (const line of logs) {
    const match = /AnchorError\b.*?Error Code: (\w+)\. Error Number: (\d+)\.(?: Error Message: (.*?)\.?$)?/.exec(line);
    if (match?.[1] !== undefined && Number(match[2]) === code) return { name: match[1], message: match[3] };
  }
  return undefined;
}

/**
 * The numbers in `{InstructionError: [index, {Custom: code}]}`, however deep a client library wrapped its integers.
 * Undefined for every other error.
 */
export function customErrorOf(error: unknown): { readonly index: number; readonly code: number } | undefined {
  if (typeof error !== "object" || error === null || !("InstructionError" in error)) return undefined;
  const { InstructionError: at } = error;
  if (!Array.isArray(at)) return undefined;
  const cause: unknown = at[1];
  if (typeof cause !== "object" || cause === null || !("Custom" in cause)) return undefined;
  return { index: Number(at[0]), code: Number(cause.Custom) };
}
