import {
  type Instruction,
  isSolanaError,
  type ReadonlyUint8Array,
  SOLANA_ERROR__PROGRAM_CLIENTS__FAILED_TO_IDENTIFY_INSTRUCTION,
  SolanaError,
} from "@solana/kit";
import { SMART_ACCOUNT_PROGRAM_ADDRESS } from "./addresses.js";
import {
  identifySmartAccountProgramInstruction,
  type ParsedSmartAccountProgramInstruction,
  parseSmartAccountProgramInstruction,
  type SmartAccountProgramInstruction,
} from "./generated/programs/index.js";
import { ProgramDataError } from "./program-data.js";

type Parsed = ParsedSmartAccountProgramInstruction | undefined;

/** One request asks several times what an instruction is, each time for another reason. */
const known = new WeakMap<Instruction, Parsed>();

/**
 * Reads an instruction of the program from its bytes; undefined when it is another program's, or one that this client
 * does not know. Throws a `ProgramDataError` when it is one and malformed. The result is shared.
 */
export function readProgramInstruction(instruction: Instruction): Parsed {
  if (instruction.programAddress !== SMART_ACCOUNT_PROGRAM_ADDRESS) return undefined;
  if (known.has(instruction)) return known.get(instruction);
  const parsed = parse(instruction);
  known.set(instruction, parsed);
  return parsed;
}

function parse(instruction: Instruction): Parsed {
  const whole = {
    ...instruction,
    programAddress: SMART_ACCOUNT_PROGRAM_ADDRESS,
    accounts: instruction.accounts ?? [],
    data: instruction.data ?? new Uint8Array(0),
  };
  try {
    return parseSmartAccountProgramInstruction(whole as never);
  } catch (error) {
    if (isUnknown(error)) return undefined;
    if (error instanceof SolanaError || error instanceof RangeError) {
      throw new ProgramDataError(`the instruction is malformed: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** The generated client throws on data it does not know; here that only means "something else". */
const isUnknown = (error: unknown): boolean =>
  isSolanaError(error, SOLANA_ERROR__PROGRAM_CLIENTS__FAILED_TO_IDENTIFY_INSTRUCTION);

/** Which of the program's instructions data begins; undefined for one that this client does not know. */
export function identifyProgramInstruction(data: ReadonlyUint8Array): SmartAccountProgramInstruction | undefined {
  try {
    return identifySmartAccountProgramInstruction(data);
  } catch (error) {
    if (isUnknown(error)) return undefined;
    throw error;
  }
}
