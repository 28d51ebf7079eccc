import type { Address, Rpc, SignatureBytes, SolanaRpcApi } from "@solana/kit";
import type { Clock } from "./clock.js";
import type { EnvironmentName } from "./environment.js";

/** A key the service itself holds: it pays fees and rent, and signs last (gap 31). */
export interface ServiceKey {
  readonly address: Address;
  /** Ed25519 over exactly these bytes. */
  sign(messageBytes: Uint8Array): Promise<SignatureBytes>;
}

/** A currency of the environment's configuration. */
export interface Currency {
  /** Lower case on the wire: `usdc`. */
  symbol: string;
  /** Null is SOL. */
  mint: Address | null;
  decimals: number;
  /** The token program that owns the mint. */
  tokenProgram: Address | null;
  name: string;
}

/** Bounds on what the service pays for others, in lamports (gap 31). */
export interface SponsorshipLimits extends DailyBudgets {
  perTransaction: bigint;
  /**
   * For rent that somebody else can cash in, of token accounts and spending limits: budgets apart, so that whoever takes
   * as much of it as he can stops no plain fee.
   */
  openings: DailyBudgets & {
    /** How many of these the service opens for one account in its whole life. */
    perAccountForLife: number;
  };
}

/** What may be spent on one day of real time, in lamports. */
export interface DailyBudgets {
  perAccountPerDay: bigint;
  perTenantPerDay: bigint;
  /** So much every tenant has of the day, although the others have used it up. */
  reservedPerTenantPerDay: bigint;
  perDay: bigint;
}

/** What one environment is made of. */
export interface Network {
  readonly name: EnvironmentName;
  /** Environment time: chain time, codes, sessions, due dates (gap 50). */
  readonly clock: Clock;
  /** The only way to the chain: kit's type, whatever stands behind it. */
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly feePayer: ServiceKey;
  /** Every address that no caller's instruction may name: the fee payer, and later the executor. */
  readonly serviceAddresses: ReadonlySet<Address>;
  readonly currencies: readonly Currency[];
  readonly sponsorship: SponsorshipLimits;
  /**
   * Whether no honest node can land a transaction any more that was valid up to this block height. `recordedAt`:
   * environment time, Unix milliseconds, no earlier than its blockhash was read. True is no outcome yet: what landed in
   * time is found by a look at the whole history made after this. Rejects when the chain cannot be asked.
   */
  hasExpired(lastValidBlockHeight: bigint, recordedAt: number): Promise<boolean>;
  /** How the chain and the fee payer are. Rejects when the chain cannot be asked. */
  health(): Promise<NetworkHealth>;
  /** Whether transactions land in the order they are sent, and hardly any are sent by others. */
  readonly landsInOrder: boolean;
  /** Present where the chain tells of changes. */
  readonly changes?: AccountChanges;
  /** Present on the sandbox only. */
  readonly sandbox?: SandboxControls;
}

/** The state of a network. */
export interface NetworkHealth {
  /** False: the chain cannot be asked, so that nothing works here. */
  readonly ok: boolean;
  /** True: what costs the service a fee has to wait until its fee payer is funded. Everything else works. */
  readonly poor?: boolean;
  /** For people; names no machines and no secrets, because anybody may read it. */
  readonly message?: string;
}

/** Word of accounts that changed on chain, without asking. None of it is sure to come: what is missed, looking finds. */
export interface AccountChanges {
  /** Which changed since the last call, each once. */
  take(): readonly Address[];
  /** Names those to be told of, in place of all named before. Absent where nothing need be named. */
  watch?(addresses: readonly Address[]): void;
}

/** What only the sandbox can do (gap 49). */
export interface SandboxControls {
  advanceClock(seconds: number): Promise<{ now: number; slot: bigint }>;
  airdrop(to: Address, lamports: bigint): Promise<string>;
  mintTo(owner: Address, mint: Address, amount: bigint): Promise<string>;
  /** Answers one JSON-RPC request or a batch. */
  handleRpc(payload: unknown): Promise<unknown>;
}
