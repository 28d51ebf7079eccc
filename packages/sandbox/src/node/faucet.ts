import { createHash } from "node:crypto";
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createAddressWithSeed,
  createNoopSigner,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  type Signature,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { getCreateAccountWithSeedInstruction, getTransferSolInstruction } from "@solana-program/system";
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getMintToInstruction,
} from "@solana-program/token";
import { signEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import type { ChainKey, ChainKeys } from "./chain-keys.js";
import type { ChainTime } from "./chain-time.js";
import { checkTransaction } from "./guard.js";
import type { HistoryStore } from "./history-store.js";
import type { Ledger } from "./ledger.js";
import { memoProgram } from "./memo.js";
import { invalidParams } from "./rpc-error.js";
import { isTokenOwned } from "./token-layout.js";

/** Hands out money by real transactions of the chain's own keys. Both throw RpcError when they do not land. */
export interface Faucet {
  airdrop(to: Address, lamports: bigint): Promise<Signature>;
  /**
   * Mints base units to the owner's associated token account, which is created when missing. What has a name is minted once:
   * the chain itself refuses a second transaction of that name, and the first one's signature is the answer.
   */
  mintTo(owner: Address, mint: Address, amount: bigint, name?: string): Promise<Signature>;
}

/** Makes the faucet over the ledger. */
export function createFaucet(
  ledger: Ledger,
  history: HistoryStore,
  time: ChainTime,
  keys: ChainKeys,
  random: Random,
): Faucet {
  const send = (instructions: Instruction[], signers: ChainKey[]): Promise<Signature> => {
    // Two equal gifts in one slot would otherwise be one transaction.
    const distinction = {
      programAddress: address(memoProgram),
      data: Buffer.from(Buffer.from(random.bytes(8)).toString("hex")),
    };
    const compiled = pipe(
      createTransactionMessage({ version: "legacy" }),
      (message) => setTransactionMessageFeePayer(keys.faucet.address, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(time.blockhash(), message),
      (message) => appendTransactionMessageInstructions([...instructions, distinction], message),
      compileTransaction,
    );
    const message = new Uint8Array(compiled.messageBytes);
    const signatures = Object.fromEntries(
      signers.map((key) => [key.address, signEd25519(key.privateKey, message) as SignatureBytes]),
    );
    const wire = getTransactionEncoder().encode({ ...compiled, signatures: { ...compiled.signatures, ...signatures } });
    return ledger.send(checkTransaction(new Uint8Array(wire)), { preflight: true });
  };

  /** The transaction that made a mark, if there is one: transactions that fail make none. */
  const findMarked = async (mark: Address): Promise<Signature | undefined> => {
    if (ledger.read(mark) === undefined) return undefined;
    const entries = await history.listSignatures(mark, { limit: 100 });
    return entries.findLast(({ fault }) => fault === null)?.signature;
  };

  return {
    airdrop: (to, lamports) =>
      send(
        [
          getTransferSolInstruction({
            source: createNoopSigner(keys.faucet.address),
            destination: to,
            amount: lamports,
          }),
        ],
        [keys.faucet],
      ),
    mintTo: async (owner, mint, amount, name) => {
      const state = ledger.read(mint);
      if (state === undefined || !isTokenOwned(state)) throw invalidParams("there is no such mint");
      const tokenProgram = state.owner;
      const [ata] = await findAssociatedTokenPda({ owner, mint, tokenProgram });
      const payer = createNoopSigner(keys.faucet.address);
      const mintAuthority = createNoopSigner(keys.mintAuthority.address);
      const instructions = [
        getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner, mint, tokenProgram }),
        getMintToInstruction({ mint, token: ata, mintAuthority, amount }, { programAddress: tokenProgram }),
      ];
      if (name === undefined) return send(instructions, [keys.faucet, keys.mintAuthority]);
      const seed = createHash("sha256").update(name).digest("hex").slice(0, 32);
      const mark = await createAddressWithSeed({
        baseAddress: keys.faucet.address,
        seed,
        programAddress: SYSTEM_PROGRAM_ADDRESS,
      });
      const before = await findMarked(mark);
      if (before !== undefined) return before;
      // An account is made once: the second call fails as a whole.
      const marking = getCreateAccountWithSeedInstruction({
        payer,
        newAccount: mark,
        baseAccount: payer,
        base: keys.faucet.address,
        seed,
        amount: markLamports,
        space: 0,
        programAddress: SYSTEM_PROGRAM_ADDRESS,
      });
      try {
        return await send([marking, ...instructions], [keys.faucet, keys.mintAuthority]);
      } catch (error) {
        const faster = await findMarked(mark);
        if (faster === undefined) throw error;
        return faster;
      }
    },
  };
}

/** The rent minimum of an account without data. */
const markLamports = 890_880n;
