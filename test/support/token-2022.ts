import { AccountRole, type Address, createNoopSigner, getAddressEncoder, type Instruction } from "@solana/kit";
import { getCreateAccountInstruction, SYSTEM_PROGRAM_ADDRESS } from "@solana-program/system";
import { getCreateAssociatedTokenIdempotentInstruction, getMintToInstruction } from "@solana-program/token";
import type { Network, ServiceKey } from "@trellis/kernel/ports/network.js";
import { TOKEN_2022_PROGRAM_ADDRESS } from "@trellis/solana/token-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { sendAs } from "./standing-orders.js";

/** A mint of a test, and what its issuer does with it. */
export interface TestMint {
  readonly address: Address;
  readonly tokenProgram: Address;
  /** Gives an owner tokens, and opens his account for them at the network's expense. */
  mintTo(owner: Address, amount: bigint): Promise<void>;
  /** Opens an owner's account at the network's expense. */
  open(owner: Address): Promise<void>;
  tokenOf(owner: Address): Address;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Of an owner's associated account. */
  freeze(owner: Address): Promise<void>;
  thaw(owner: Address): Promise<void>;
  /** Sets the fee, in hundredths of a percent: it is charged from two epochs later on. */
  setFee(basisPoints: number, maximum?: bigint): Promise<void>;
  /** The owner has his account take transfers with a memo only. */
  demandMemo(owner: ServiceKey): Promise<void>;
  /** The owner gives the account to another owner. Not of associated accounts of Token-2022, whose owners never change. */
  handOn(owner: ServiceKey, to: Address): Promise<void>;
  /** The owner closes his empty account. */
  close(owner: ServiceKey): Promise<void>;
}

/** A mint like the great issuers': with a fee of nothing, a hook without a program, and a pause. */
export type ExtendedMint = TestMint;

/** What a mint is like. */
export interface MintOptions {
  /** Basis points of a fee; absent: the mint has none, now or ever. */
  readonly fee?: number;
  /** A hook; null: of no program. */
  readonly hook?: Address | null;
  readonly pausable?: boolean;
  readonly nonTransferable?: boolean;
  readonly freezesNewAccounts?: boolean;
  /** Whether its issuer can freeze accounts. */
  readonly freezable?: boolean;
  /** Token-2022 by default. */
  readonly tokenProgram?: Address;
}

const bytesOf = (address: Address) => [...getAddressEncoder().encode(address)];
const u64 = (value: bigint) => [...new Uint8Array(new BigUint64Array([value]).buffer)];
const u16 = (value: number) => [value & 0xff, value >> 8];
const most = 1_000_000_000_000n;

/** Makes a mint with a fee of nothing, a hook without a program, and a pause; `authority` mints and pauses. */
export const openExtendedMint = (network: Network, mint: ServiceKey, authority: ServiceKey): Promise<ExtendedMint> =>
  openMint(network, mint, authority, { fee: 0, hook: null, pausable: true });

/** Makes a mint of six decimals; `authority` mints, pauses, freezes and sets the fee. */
export async function openMint(
  network: Network,
  mint: ServiceKey,
  authority: ServiceKey,
  options: MintOptions = {},
): Promise<TestMint> {
  const { feePayer } = network;
  const { tokenProgram = TOKEN_2022_PROGRAM_ADDRESS } = options;
  const call = (
    data: readonly number[],
    writable: readonly Address[],
    { readable = [], signers = [] }: { readable?: readonly Address[]; signers?: readonly ServiceKey[] } = {},
  ): Instruction => ({
    programAddress: tokenProgram,
    accounts: [
      ...writable.map((address) => ({ address, role: AccountRole.WRITABLE })),
      ...readable.map((address) => ({ address, role: AccountRole.READONLY })),
      ...signers.map(({ address }) => ({ address, role: AccountRole.READONLY_SIGNER })),
    ],
    data: Uint8Array.from(data),
  });
  const key = bytesOf(authority.address);
  const noCaller = new Array<number>(32).fill(0);
  const { fee, hook, pausable, nonTransferable, freezesNewAccounts, freezable } = options;
  const extensions: readonly (readonly [bytes: number, initialise: readonly number[]])[] = [
    ...(fee === undefined ? [] : [[108, [26, 0, 1, ...key, 1, ...key, ...u16(fee), ...u64(most)]] as const]),
    ...(hook === undefined ? [] : [[64, [36, 0, ...key, ...(hook === null ? noCaller : bytesOf(hook))]] as const]),
    ...(pausable ? [[33, [44, 0, ...key]] as const] : []),
    ...(nonTransferable ? [[0, [32]] as const] : []),
    ...(freezesNewAccounts ? [[1, [28, 0, 2]] as const] : []),
  ];
  // The base layout; with extensions a mark, and each with its head.
  const space = extensions.length === 0 ? 82 : extensions.reduce((sum, [bytes]) => sum + 4 + bytes, 166);
  const lamports = await network.rpc.getMinimumBalanceForRentExemption(BigInt(space)).send();
  const isFreezable = freezable === true || freezesNewAccounts === true;
  await sendAs(
    network,
    [
      getCreateAccountInstruction({
        payer: createNoopSigner(feePayer.address),
        newAccount: createNoopSigner(mint.address),
        lamports,
        space,
        programAddress: tokenProgram,
      }),
      ...extensions.map(([, initialise]) => call(initialise, [mint.address])),
      // InitializeMint2.
      call([20, 6, ...key, ...(isFreezable ? [1, ...key] : [0])], [mint.address]),
    ],
    [mint],
  );
  const tokenOf = (owner: Address) => deriveTokenAccount(owner, mint.address, tokenProgram);
  const opening = (owner: Address) =>
    getCreateAssociatedTokenIdempotentInstruction({
      payer: createNoopSigner(feePayer.address),
      ata: tokenOf(owner),
      owner,
      mint: mint.address,
      tokenProgram,
    });
  const issue = (instruction: Instruction) => sendAs(network, [instruction], [authority]);
  const signers = [authority];
  const aboutMint = (data: readonly number[]) => issue(call(data, [mint.address], { signers }));
  const aboutToken = (data: readonly number[], owner: Address) =>
    issue(call(data, [tokenOf(owner)], { readable: [mint.address], signers }));
  return {
    address: mint.address,
    tokenProgram,
    tokenOf,
    open: (owner) => sendAs(network, [opening(owner)], []),
    mintTo: (owner, amount) => {
      const [token, mintAuthority] = [tokenOf(owner), createNoopSigner(authority.address)];
      const minting = { mint: mint.address, token, mintAuthority, amount };
      const thawing = call([11], [token], { readable: [mint.address], signers });
      return sendAs(
        network,
        [
          opening(owner),
          ...(freezesNewAccounts ? [thawing] : []),
          getMintToInstruction(minting, { programAddress: tokenProgram }),
        ],
        [authority],
      );
    },
    pause: () => aboutMint([44, 1]),
    resume: () => aboutMint([44, 2]),
    freeze: (owner) => aboutToken([10], owner),
    thaw: (owner) => aboutToken([11], owner),
    setFee: (basisPoints, maximum = most) => aboutMint([26, 5, ...u16(basisPoints), ...u64(maximum)]),
    demandMemo: (owner) => {
      const token = tokenOf(owner.address);
      const reallocation: Instruction = {
        programAddress: tokenProgram,
        accounts: [
          { address: token, role: AccountRole.WRITABLE },
          { address: feePayer.address, role: AccountRole.WRITABLE_SIGNER },
          { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY },
          { address: owner.address, role: AccountRole.READONLY_SIGNER },
        ],
        data: Uint8Array.from([29, 8, 0]),
      };
      return sendAs(network, [reallocation, call([30, 0], [token], { signers: [owner] })], [owner]);
    },
    handOn: (owner, to) =>
      sendAs(network, [call([6, 2, 1, ...bytesOf(to)], [tokenOf(owner.address)], { signers: [owner] })], [owner]),
    close: (owner) =>
      sendAs(network, [call([9], [tokenOf(owner.address), feePayer.address], { signers: [owner] })], [owner]),
  };
}
