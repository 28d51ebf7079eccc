import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  isWritableRole,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";

const programAddress = address("SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG");
const discriminator = [0x5a, 0x51, 0xbb, 0x51, 0x27, 0x46, 0x80, 0x4e];
const blockhash = address("4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi") as string as Blockhash;

/** A synchronous call to be put together: who signs, and what the vault does. */
export type SyncCallParts = {
  readonly settings: Address;
  readonly accountIndex?: number;
  readonly members: readonly Address[];
  readonly instructions: readonly Instruction[];
};

/** Builds an `execute_transaction_sync_v2` instruction from ordinary instructions of the vault. */
export function buildSyncInstruction(parts: SyncCallParts): Instruction {
  const roles = new Map<Address, AccountRole>();
  for (const instruction of parts.instructions) {
    for (const meta of instruction.accounts ?? []) {
      // Inside the call the vault signs through the program; a fee payer signs by its place in the message.
      const role = isWritableRole(meta.role) ? AccountRole.WRITABLE : AccountRole.READONLY;
      roles.set(meta.address, Math.max(role, roles.get(meta.address) ?? AccountRole.READONLY));
    }
  }
  for (const { programAddress: program } of parts.instructions) {
    if (!roles.has(program)) roles.set(program, AccountRole.READONLY);
  }
  const accounts = [...roles.keys()];
  const indexOf = (wanted: Address) => accounts.indexOf(wanted);
  const payload = [
    parts.instructions.length,
    ...parts.instructions.flatMap((instruction) => {
      const metas = instruction.accounts ?? [];
      const data = [...(instruction.data ?? [])];
      const indexes = metas.map((meta) => indexOf(meta.address));
      return [
        indexOf(instruction.programAddress),
        indexes.length,
        ...indexes,
        data.length & 0xff,
        data.length >> 8,
        ...data,
      ];
    }),
  ];
  const length = [payload.length & 0xff, payload.length >> 8, 0, 0];
  return {
    programAddress,
    accounts: [
      { address: parts.settings, role: AccountRole.WRITABLE },
      { address: programAddress, role: AccountRole.READONLY },
      ...parts.members.map((member) => ({ address: member, role: AccountRole.READONLY_SIGNER })),
      ...accounts.map((account) => ({ address: account, role: roles.get(account) ?? AccountRole.READONLY })),
    ],
    data: new Uint8Array([...discriminator, parts.accountIndex ?? 0, parts.members.length, 0, ...length, ...payload]),
  };
}

/** Compiles instructions into an unsigned base64 transaction. */
export function buildTransaction(
  feePayer: Address,
  instructions: readonly Instruction[],
  version: "legacy" | 0 = 0,
): string {
  const message = pipe(
    createTransactionMessage({ version }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 1n }, paid),
    (timed) => appendTransactionMessageInstructions(instructions, timed),
  );
  return getBase64EncodedWireTransaction(compileTransaction(message));
}
