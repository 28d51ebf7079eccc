import type { Address, Commitment, Rpc, Signature, SignatureBytes, SolanaRpcApi } from "@solana/kit";
import type { AnswerRoom } from "./answer-room.js";
import type { Clock } from "./clock.js";
import type { EnvironmentName } from "./environment.js";
import type { RpcSockets } from "./rpc-sockets.js";

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
   * For rent that others can cash in, of token accounts and spending limits: budgets apart, so that a caller that takes
   * as much of it as it can stops no plain fee.
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

/** A transaction that was sent, or may have been, and that a read did not find. */
export interface UnseenTransaction {
  readonly signature: Signature;
  /** The last block height at which it can land. */
  readonly lastValidBlockHeight: bigint;
  /** Environment time, Unix milliseconds, no earlier than its blockhash was read. */
  readonly recordedAt: number;
  /** A slot at which it had not landed; null where none was noted. */
  readonly recordedSlot: bigint | null;
}

/** What a node reports of a transaction it knows. */
export interface TransactionStatus {
  readonly slot: bigint;
  /** The slot the node had reached when it reported this. */
  readonly reportedAtSlot: bigint;
  /** The chain's error as it stands in JSON-RPC; null when it succeeded. */
  readonly error: unknown;
  readonly commitment: Commitment;
}

/** What nodes say about a transaction that was not seen. */
export type Verdict =
  /** One of them knows it after all. */
  | { readonly kind: "seen"; readonly status: TransactionStatus }
  /** It can still land. */
  | { readonly kind: "alive" }
  /** It has not landed, and never will: a proof. */
  | { readonly kind: "expired" }
  /** It can no longer land, and no node asked knows that it has; but not all that were asked keep the blocks in which it would be. */
  | { readonly kind: "unprovable"; readonly reason: string }
  /** A node that may know did not answer; to be asked again. */
  | { readonly kind: "untold"; readonly reason: unknown };

/** A message that others may have sent: whose signature it would have is not known, as its first signer's key is not ours. */
export interface UnseenMessage {
  /** An account that the message names. */
  readonly address: Address;
  /** The last block height at which it can land. */
  readonly lastValidBlockHeight: bigint;
  /** Environment time, Unix milliseconds, no earlier than its blockhash was read. */
  readonly recordedAt: number;
  /** A slot at which it had not landed; null where none was noted. */
  readonly recordedSlot: bigint | null;
  /** Where an earlier listing stopped; null: it begins with the newest. */
  readonly before: Signature | null;
}

/** The transactions under which a message can have landed. */
export type Listing =
  | {
      readonly kind: "listed";
      /** Newest first, each once: what any node lists. */
      readonly signatures: readonly Signature[];
      /** Where the list continues, behind these; null: these are the rest of it. */
      readonly next: Signature | null;
      /** Whether it can still land, and so be missing here. */
      readonly isAlive: boolean;
      /** Why what is not among them may have landed all the same; null: nodes prove that it has not. */
      readonly doubt: string | null;
    }
  /** A node that may know did not answer; to be asked again. */
  | { readonly kind: "untold"; readonly reason: unknown };

/** What one environment is made of. */
export interface Network {
  readonly name: EnvironmentName;
  /** Environment time: chain time, codes, sessions, due dates (gap 50). */
  readonly clock: Clock;
  /** The only way to the chain: kit's type, whatever stands behind it. */
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly feePayer: ServiceKey;
  /** The fee payer before it, while they change: it signs what was prepared for it until that expires, and nothing new. */
  readonly formerFeePayer?: ServiceKey;
  /** Draws on the spending limits of standing orders, and signs nothing else (gap 42). Null: there are none here. */
  readonly executor: ServiceKey | null;
  /** The executor before it, while they change: it pays the orders whose limits name it. New limits name the other one. */
  readonly formerExecutor?: ServiceKey;
  /**
   * Pays for passkeys that sign on chain and for their sessions, in place of the fee payer: the program that it signs for there is another
   * party's, and could take what it holds. Absent: the fee payer does.
   */
  readonly passkeyPayer?: ServiceKey;
  /** Every address that no caller's instruction may name: the fee payers, the executors and the payer of passkeys. */
  readonly serviceAddresses: ReadonlySet<Address>;
  readonly currencies: readonly Currency[];
  readonly sponsorship: SponsorshipLimits;
  /**
   * What became of transactions that a read did not find, each on its own: up to 256, verdicts in their order. Does not
   * reject: what cannot be asked is reported as `untold`.
   */
  judgeUnseen(unseen: readonly UnseenTransaction[]): Promise<readonly Verdict[]>;
  /** Lists under which transactions a message can have landed, up to a thousand at a time. Does not reject. */
  listLanded(unseen: UnseenMessage): Promise<Listing>;
  /**
   * Unix seconds of the block at `slot`, where a node that had reached `reportedAtSlot` has just reported it. Exact in the
   * sandbox, and rejects there when the chain cannot be asked; on a cluster within two seconds, because it is derived.
   */
  blockTimeOf(slot: bigint, reportedAtSlot: bigint): Promise<number>;
  /** How the chain and the fee payer are. Rejects when the chain cannot be asked. */
  health(): Promise<NetworkHealth>;
  /** The nodes it is asked through, for operators. Absent in the sandbox, which has none. */
  readonly nodes?: {
    /** How they stood when they were last compared, in the order of the configuration. */
    list(): readonly NodeStanding[];
    /** Asks all of them now. Does not reject. */
    compare(): Promise<unknown>;
  };
  /** How the connection is by which the chain reports changes. Absent where there is none. */
  readonly changesState?: () => "idle" | "connected" | "lost";
  /** Whether transactions land in the order they are sent, and hardly any are sent by others. */
  readonly landsInOrder: boolean;
  /** Present where the chain's own rows lie in the service's database: what that loses, the chain has lost, too. */
  readonly isInDatabase?: true;
  /** Present where the chain reports changes. */
  readonly changes?: AccountChanges;
  /** Present on the sandbox only. */
  readonly sandbox?: SandboxControls;
}

/** A node of a cluster, as it was when all were last compared. */
export interface NodeStanding {
  /** Its place in the configuration, counted from 1. */
  readonly number: number;
  /** Without user, path and query, which hold keys. */
  readonly origin: string;
  /** `foreign`: another cluster's. `unseen`: it has never answered. `silent`: it fails at present. The others: by its height. */
  readonly standing: "agrees" | "outvoted" | "behind" | "foreign" | "unseen" | "silent";
  /** The block height that it said; undefined: it did not answer. */
  readonly height: bigint | undefined;
  /** Unix milliseconds, real time. Undefined: not yet. */
  readonly comparedAt: number | undefined;
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

/** Reports of accounts that changed on chain, without asking. None is sure to arrive: what is missed, reading finds. */
export interface AccountChanges {
  /** Which changed since the last call, each once. */
  take(): readonly Address[];
  /** Has these reported again, together with what changes next: they were received, and could not be noted anywhere. */
  putBack(addresses: readonly Address[]): void;
  /** Names those to be reported, in place of all named before. Absent where nothing need be named: all are reported. */
  subscribeTo?(addresses: readonly Address[]): void;
  /**
   * Which addresses transactions have named since the last call, with the owners of token accounts, each once; the latest
   * ten thousand. Present where all are reported.
   */
  takeNamed?(): readonly Address[];
  /** As `putBack`, of those. Present with `takeNamed`. */
  putBackNamed?(addresses: readonly Address[]): void;
  /** The present moment, to compare with later. Present with `changedSince`. */
  mark?(): number;
  /** Whether any of these was named by a transaction after a mark. Never false when one was. Present where all are reported. */
  changedSince?(mark: number, addresses: readonly string[]): boolean;
}

/**
 * What goes wrong on purpose in a sandbox (gap 126): how often for each transaction or blockhash, before it goes well, but for
 * `price` and `lag`. Zeros: nothing. `limits.sandboxFaultsAlways` is always.
 */
export interface SandboxFaults {
  /** A transaction that is sent is answered with its signature, and lost. */
  readonly drop: number;
  /** A node that has not seen the blockhash yet: sending with preflight and simulating are refused. */
  readonly blockhashNotFound: number;
  /**
   * Blocks are full: a transaction that bids less than the price is answered with its signature, and lost. Zero with a price:
   * always; without a price, one that bids anything has room.
   */
  readonly fullBlocks: number;
  /** What recent fees are, and what it takes to land: micro-lamports per compute unit. */
  readonly price: number;
  /** A transaction that is sent lands on a fork that the cluster leaves: it is reported as processed for a while, and is lost. */
  readonly fork: number;
  /** Slots by which the node that answers is behind: what landed since it does not know yet. */
  readonly lag: number;
}

/** What only the sandbox can do (gap 49). */
export interface SandboxControls {
  advanceClock(seconds: number): Promise<{ now: number; slot: bigint }>;
  /**
   * Moves the clock to the first slot that begins at an instant of environment time or after it, Unix milliseconds; not at
   * all where the present slot does. From then on the chain's time is that instant or later.
   */
  advanceClockTo(instant: number): Promise<{ now: number; slot: bigint }>;
  airdrop(to: Address, lamports: bigint): Promise<string>;
  /** What has a name is minted once on this chain, whichever caller asks again: the answer is the first one's signature then. */
  mintTo(owner: Address, mint: Address, amount: bigint, name?: string): Promise<string>;
  /** What goes wrong on purpose at present (gap 126). */
  readFaults(): Promise<SandboxFaults>;
  /** Has this go wrong on purpose from now on, in place of what did, and counts anew. Lost with the process that runs the chain. */
  setFaults(faults: SandboxFaults): Promise<void>;
  /** Answers one JSON-RPC request or a batch of this process, parsed. */
  handleRpc(payload: unknown): Promise<unknown>;
  /**
   * Answers the text of a JSON-RPC request or a batch of anybody, with text in UTF-8; undefined where nothing is to be
   * answered. What the answer takes up is counted in `room`, which its opener releases: where it finds no room, a JSON-RPC
   * error says so (gap 155).
   */
  answerRpc(text: string, room: AnswerRoom): Promise<string | Uint8Array | undefined>;
  /** JSON-RPC with subscriptions (gap 125). */
  readonly sockets: RpcSockets;
}
