import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Address } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressBytes, addressOfBytes, findProgramDerivedAddress } from "@trellis/program-client";

/** Solana's loader of programs that can be replaced: the code lies in an account beside the program's own. */
const upgradeableLoader = "BPFLoaderUpgradeab1e11111111111111111111111" as Address;
const programTag = 2;
const codeTag = 3;
/** Of the code's account: tag, slot of the deployment, and the optional authority stand before the code. */
const headerBytes = 45;
const elfMagic = [0x7f, 0x45, 0x4c, 0x46];

/** What a node shows is no program that can be read here; the message says why, in words for an operator. */
export class UnreadableProgramError extends Error {
  override readonly name = "UnreadableProgramError";
}

/** What changes with every deployment of a program. */
export interface DeploymentMark {
  /** Of the last deployment. */
  readonly slot: bigint;
  /** Who can replace the program; null: no key. */
  readonly upgradeAuthority: Address | null;
}

/** What a cluster runs at a program's address. */
export interface Deployment extends DeploymentMark {
  /** As deployed: with the zeros that fill up its account. */
  readonly elf: Uint8Array;
  /** Of the code without the zeros behind it, in hexadecimal: the same wherever it was deployed, and in whatever account. */
  readonly sha256: string;
}

/** How to ask. Ends with the signal's reason. */
export interface ReadingOptions {
  readonly abortSignal?: AbortSignal;
}

/**
 * Reads when a program was deployed last, and who can replace it, in one small question. Throws UnreadableProgramError where
 * there is no program of the upgradeable loader, and what the transport throws.
 */
export async function readDeploymentMark(
  network: Pick<Network, "rpc">,
  program: Address,
  options: ReadingOptions = {},
): Promise<DeploymentMark> {
  return (await readMark(network, program, options)).mark;
}

/**
 * Reads the whole code of a program, piece by piece, none of them large, and all of them together no more than an account can
 * hold. Throws UnreadableProgramError also where it was deployed anew meanwhile.
 */
export async function readDeployment(
  network: Pick<Network, "rpc">,
  program: Address,
  options: ReadingOptions = {},
): Promise<Deployment> {
  const { mark, readAt } = await readMark(network, program, options);
  const code = codeAddressOf(program);
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const asked = { offset: headerBytes + length, length: limits.programPieceBytes };
    const { value } = await network.rpc
      .getAccountInfo(code, {
        encoding: "base64",
        commitment: "finalized",
        dataSlice: asked,
        minContextSlot: readAt,
      })
      .send(options);
    const piece = bytesOf(requireCode(value, code).data);
    if (piece.length > asked.length)
      throw new UnreadableProgramError(`${code} was returned with more bytes than were asked for.`);
    pieces.push(piece);
    length += piece.length;
    if (piece.length < asked.length) break;
    if (length >= limits.programBytesMax) {
      throw new UnreadableProgramError(`${code} is larger than an account can be.`);
    }
  }
  const after = await readMark(network, program, options);
  if (!isSameMark(mark, after.mark))
    throw new UnreadableProgramError(`${program} was deployed anew while it was read.`);
  const elf = new Uint8Array(Buffer.concat(pieces));
  if (!elfMagic.every((byte, i) => elf[i] === byte))
    throw new UnreadableProgramError(`${code} does not hold a program.`);
  return { ...mark, elf, sha256: hashOfCode(elf) };
}

/** Whether nothing was deployed between two readings, and no other key can do so. */
export function isSameMark(one: DeploymentMark, other: DeploymentMark): boolean {
  return one.slot === other.slot && one.upgradeAuthority === other.upgradeAuthority;
}

/** SHA-256 of a program's code without the zeros behind it, in hexadecimal. */
export function hashOfCode(elf: Uint8Array): string {
  let end = elf.length;
  while (end > 0 && elf[end - 1] === 0) end -= 1;
  return createHash("sha256").update(elf.subarray(0, end)).digest("hex");
}

/** Where the upgradeable loader keeps the code of a program. */
function codeAddressOf(program: Address): Address {
  return findProgramDerivedAddress(upgradeableLoader, [addressBytes(program)]).address;
}

/** An account as a node shows it, cut to what was asked for. */
interface WireAccount {
  readonly owner: Address;
  readonly data: readonly [string, string];
}

async function readMark(
  { rpc }: Pick<Network, "rpc">,
  program: Address,
  options: ReadingOptions,
): Promise<{ readonly mark: DeploymentMark; readonly readAt: bigint }> {
  const code = codeAddressOf(program);
  const dataSlice = { offset: 0, length: headerBytes };
  const { value, context } = await rpc
    .getMultipleAccounts([program, code], { encoding: "base64", commitment: "finalized", dataSlice })
    .send(options);
  const [programAccount = null, codeAccount = null] = value;
  requireProgram(programAccount, program, code);
  return { mark: markOf(bytesOf(requireCode(codeAccount, code).data), code), readAt: context.slot };
}

function requireProgram(account: WireAccount | null, program: Address, code: Address): void {
  if (account === null) throw new UnreadableProgramError(`The cluster has no program at ${program}.`);
  if (account.owner !== upgradeableLoader) {
    throw new UnreadableProgramError(
      `${program} belongs to ${account.owner} and not to the upgradeable loader: its code cannot be read here.`,
    );
  }
  const state = bytesOf(account.data);
  if (state.length < 36 || state[0] !== programTag) throw new UnreadableProgramError(`${program} is not a program.`);
  if (addressOfBytes(state.subarray(4, 36)) !== code) {
    throw new UnreadableProgramError(`${program} names another account than ${code} as that of its code.`);
  }
}

function requireCode(account: WireAccount | null, code: Address): WireAccount {
  if (account?.owner === upgradeableLoader) return account;
  throw new UnreadableProgramError(`The cluster has no code of the program at ${code}.`);
}

function markOf(header: Uint8Array, code: Address): DeploymentMark {
  const hasAuthority = header[12] === 1;
  if (header.length !== headerBytes || header[0] !== codeTag || (header[12] !== 0 && !hasAuthority)) {
    throw new UnreadableProgramError(`${code} does not hold a program.`);
  }
  return {
    slot: new DataView(header.buffer, header.byteOffset).getBigUint64(4, true),
    upgradeAuthority: hasAuthority ? addressOfBytes(header.subarray(13, 45)) : null,
  };
}

function bytesOf([base64]: readonly [string, string]): Uint8Array {
  return new Uint8Array(Buffer.from(base64, "base64"));
}
