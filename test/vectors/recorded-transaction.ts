import { AccountRole, type Address, getBase58Decoder, type Instruction } from "@solana/kit";
import { SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import type { Vector } from "../../program/test/support/conformance.js";

/** The program's instructions of a recorded transaction, with the rights its header gives. */
export function instructionsOf({ transaction }: Vector): Instruction[] {
  const wire = Uint8Array.from(Buffer.from(transaction, "base64"));
  let at = 0;
  const compact = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wire[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (count: number): Uint8Array => {
    at += count;
    return wire.slice(at - count, at);
  };
  const signatures = compact();
  take(signatures * 64);
  const [signers = 0, readonlySigners = 0, readonlyOthers = 0] = take(3);
  const keys = Array.from({ length: compact() }, () => getBase58Decoder().decode(take(32)) as Address);
  take(32);
  const keyAt = (i: number): Address => {
    const key = keys[i];
    if (key === undefined) throw new Error("no such key");
    return key;
  };
  const roleAt = (i: number): AccountRole => {
    if (i < signers) return i < signers - readonlySigners ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
    return i < keys.length - readonlyOthers ? AccountRole.WRITABLE : AccountRole.READONLY;
  };
  const instructions = Array.from({ length: compact() }, () => {
    const [program = 0] = take(1);
    const accounts = [...take(compact())].map((i) => ({ address: keyAt(i), role: roleAt(i) }));
    const data = take(compact());
    return { programAddress: keyAt(program), accounts, data };
  });
  return instructions.filter(({ programAddress }) => programAddress === SMART_ACCOUNT_PROGRAM_ADDRESS);
}
