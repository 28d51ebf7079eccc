import type { Address } from "@solana/addresses";
import { computeBudgetProgramAddress, signatureProgramAddress } from "../program-address.js";
import type { RawInstruction } from "./decode-instruction.js";
import { decodePayload } from "./decode-sync-call.js";

/** A passkey signer for which the key of its session signs. */
export type PasskeySessionUse = { readonly passkeyAccount: Address; readonly sessionKey: Address };

/** A transaction's instructions, as the programs behind the signature program get them. */
export type Unwrapped = {
  readonly instructions: readonly RawInstruction[];
  /** Every address that has to sign; in place of a session key, the passkey signer that it signs for. */
  readonly requiredSigners: readonly Address[];
  readonly passkeySessions: readonly PasskeySessionUse[];
};

/** Execute by session; WebAuthn; signed inside by the passkey's own account. */
const head = [3, 0, 1];

/**
 * Puts in place of each "execute by session" of the signature program what it executes, so that it is judged like anything that
 * stands in the transaction itself. Other calls of that program stay, and nobody here knows them.
 *
 * Throws a `RangeError` where its bytes do not add up, and where the session key could do anything else: it pays the fee, an instruction
 * names it, or it signs for two passkeys.
 */
export function unwrapPasskeySessions(
  instructions: readonly RawInstruction[],
  requiredSigners: readonly Address[],
): Unwrapped {
  const read = instructions.map((instruction) => readExecution(instruction) ?? instruction);
  const uses = new Map<Address, Address>();
  for (const each of read) {
    if (!("inner" in each)) continue;
    const { passkeyAccount, sessionKey } = each.use;
    if ((uses.get(sessionKey) ?? passkeyAccount) !== passkeyAccount) {
      throw new RangeError("one session key signs for two passkeys");
    }
    uses.set(sessionKey, passkeyAccount);
  }
  const unwrapped = read.flatMap((each) => ("inner" in each ? each.inner : [each]));
  for (const sessionKey of uses.keys()) {
    const isNamed = unwrapped.some(({ accounts, programAddress }) =>
      [programAddress, ...accounts].includes(sessionKey),
    );
    if (isNamed || requiredSigners.indexOf(sessionKey) < 1) {
      throw new RangeError("a session key does something else than sign for its passkey");
    }
  }
  return {
    instructions: unwrapped,
    requiredSigners: requiredSigners.map((signer) => uses.get(signer) ?? signer),
    passkeySessions: [...uses].map(([sessionKey, passkeyAccount]) => ({ passkeyAccount, sessionKey })),
  };
}

type Execution = { readonly inner: readonly RawInstruction[]; readonly use: PasskeySessionUse };

function readExecution({ programAddress, accounts, data }: RawInstruction): Execution | undefined {
  const isExecution = programAddress === signatureProgramAddress && head.every((byte, at) => data[at] === byte);
  if (!isExecution) return undefined;
  const [passkeyAccount, sessionKey, ...others] = accounts;
  if (passkeyAccount === undefined || sessionKey === undefined) throw new RangeError("an account is missing");
  const inner = decodePayload(data.subarray(head.length), others);
  // What the runtime takes for the whole transaction counts only where it stands in the transaction itself.
  const strange = inner.find(({ programAddress: called }) => unwrappable.includes(called));
  if (strange !== undefined) throw new RangeError(`a session executes a call of ${strange.programAddress}`);
  return { inner, use: { passkeyAccount, sessionKey } };
}

const unwrappable: readonly Address[] = [signatureProgramAddress, computeBudgetProgramAddress];
