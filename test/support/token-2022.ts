import { AccountRole, type Address, createNoopSigner, getAddressEncoder, type Instruction } from "@solana/kit";
import { getCreateAccountInstruction } from "@solana-program/system";
import { getCreateAssociatedTokenIdempotentInstruction, getMintToInstruction } from "@solana-program/token";
import { TOKEN_2022_PROGRAM_ADDRESS } from "../../src/core/chain/token-accounts.js";
import { deriveTokenAccount } from "../../src/core/chain/token-address.js";
import type { Network, ServiceKey } from "../../src/ports/network.js";
import { sendAs } from "./standing-orders.js";

/** A mint of the second token program like the great issuers': with a fee of nothing, a hook of nobody, and a pause. */
export interface ExtendedMint {
  readonly address: Address;
  /** Gives an owner tokens, and opens his account for them at the network's expense. */
  mintTo(owner: Address, amount: bigint): Promise<void>;
  tokenOf(owner: Address): Address;
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** Bytes of such a mint: the base layout, a mark, and three extensions with their heads. */
const mintBytes = 166 + (4 + 108) + (4 + 64) + (4 + 33);

const bytesOf = (address: Address) => [...getAddressEncoder().encode(address)];
const u64 = (value: bigint) => [...new Uint8Array(new BigUint64Array([value]).buffer)];

/** Makes a mint; `authority` mints and pauses. */
export async function openExtendedMint(
  network: Network,
  mint: ServiceKey,
  authority: ServiceKey,
): Promise<ExtendedMint> {
  const { feePayer } = network;
  const instruct = (data: readonly number[], signer?: ServiceKey): Instruction => ({
    programAddress: TOKEN_2022_PROGRAM_ADDRESS,
    accounts: [
      { address: mint.address, role: AccountRole.WRITABLE },
      ...(signer === undefined ? [] : [{ address: signer.address, role: AccountRole.READONLY_SIGNER }]),
    ],
    data: Uint8Array.from(data),
  });
  const key = bytesOf(authority.address);
  const nobody = new Array<number>(32).fill(0);
  const lamports = await network.rpc.getMinimumBalanceForRentExemption(BigInt(mintBytes)).send();
  await sendAs(
    network,
    [
      getCreateAccountInstruction({
        payer: createNoopSigner(feePayer.address),
        newAccount: createNoopSigner(mint.address),
        lamports,
        space: mintBytes,
        programAddress: TOKEN_2022_PROGRAM_ADDRESS,
      }),
      // TransferFeeExtension: no fee now, and none at the most.
      instruct([26, 0, 1, ...key, 1, ...key, 0, 0, ...u64(0n)]),
      // TransferHookExtension, without a program.
      instruct([36, 0, ...key, ...nobody]),
      // PausableExtension.
      instruct([44, 0, ...key]),
      // InitializeMint2: six decimals, nobody freezes.
      instruct([20, 6, ...key, 0]),
    ],
    [mint],
  );
  const tokenOf = (owner: Address) => deriveTokenAccount(owner, mint.address, TOKEN_2022_PROGRAM_ADDRESS);
  return {
    address: mint.address,
    tokenOf,
    mintTo: (owner, amount) =>
      sendAs(
        network,
        [
          getCreateAssociatedTokenIdempotentInstruction({
            payer: createNoopSigner(feePayer.address),
            ata: tokenOf(owner),
            owner,
            mint: mint.address,
            tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
          }),
          getMintToInstruction(
            {
              mint: mint.address,
              token: tokenOf(owner),
              mintAuthority: createNoopSigner(authority.address),
              amount,
            },
            { programAddress: TOKEN_2022_PROGRAM_ADDRESS },
          ),
        ],
        [authority],
      ),
    pause: () => sendAs(network, [instruct([44, 1], authority)], [authority]),
    resume: () => sendAs(network, [instruct([44, 2], authority)], [authority]),
  };
}
