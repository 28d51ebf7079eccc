import type { Address, Instruction } from "@solana/kit";
import type { Keyring } from "./crypto/envelope.js";
import type { EventObjects } from "./event-objects.js";
import type { Clock } from "./ports/clock.js";
import type { DatabaseSchema, Db } from "./ports/database.js";
import type { Log } from "./ports/log.js";
import type { Network } from "./ports/network.js";
import type { StateColumn } from "./states.js";

/** Work that recurs. Any number of processes may run it at once; one process never runs it beside itself. */
export interface Pass {
  /** For the metrics, and the log. */
  readonly name: string;
  /** Real time. */
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
  /** Ends what it has begun and does not wait for, and keeps what the next process has to know. */
  readonly stop?: () => Promise<unknown>;
  /** Run once at the start, when nothing in this process is at the work: resumes also what was begun a moment ago. */
  readonly atStart?: () => Promise<unknown>;
}

/** A column of sealed values. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Columns that name the row. */
  readonly key: readonly string[];
  /** What the values of a row are bound to. */
  contextOf(row: Readonly<Record<string, unknown>>): string;
}

/** What secrets of a purpose are replaced by: see `crypto/macs.ts`. */
export interface ReplaceableSecret {
  readonly purpose: string;
  /** How long what was made with it may be presented, in milliseconds: the least time that a former secret stays. */
  readonly usedForMs: number;
  /** Where what was made with it is stored: a former secret stays for as long as a row holds such a value. */
  readonly columns: readonly {
    readonly table: keyof DatabaseSchema;
    readonly column: string;
    /** SQL: the rows that count. */
    readonly only?: string;
  }[];
  /** Brings stored values under the active secret; says how many it moved, and how many are not what they should be. */
  readonly rebind?: (needs: SecretNeeds) => Promise<{ readonly moved: number; readonly broken: number }>;
  /** Says how many stored values are not what they should be. */
  readonly check?: (needs: SecretNeeds) => Promise<number>;
}

export interface SecretNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
}

/** What is removed of a table, found by an index that begins with exactly these columns and holds exactly `only`. */
export interface RetentionRule {
  readonly table: keyof DatabaseSchema;
  /** The instant it counts from. */
  readonly since: string;
  readonly keptMs: number;
  /** Environment time: there is a column `environment`, and each environment has its own present. */
  readonly clock: "environment" | "real";
  /** Real time, in days since 1970 instead of milliseconds. */
  readonly unit?: "day";
  /** SQL: which rows at all. */
  readonly only?: string;
  /** SQL over the rows found, as `old`: those that still have to stay, for a while: meanwhile they hide what is behind them. */
  readonly except?: string;
  /** SQL: what is set instead of removing the row. */
  readonly set?: string;
}

/** What a hook may ask of the world: the database, the log, and the chain as an argument. */
export interface HookNeeds {
  readonly db: Db;
  readonly realClock: Clock;
  readonly log: Log;
}

/** A transaction that is about to be signed and recorded: its signers may do what it does. */
export interface Submitted {
  readonly settingsAddress: Address;
  /** Up to this index the account's proposals are stale. */
  readonly staleTransactionIndex: bigint;
  readonly instructions: readonly Instruction[];
  /** What was kept of a buffer when it was prepared (JSON); null for one that writes none, or was not prepared here. */
  readonly bufferStep: string | null;
  /** What is read for it has to be as new. */
  readonly leastSlot: bigint;
}

/** What a module requires of a transaction before anything is signed. */
export interface SubmitCheck {
  readonly name: string;
  /** "in_turn": once what it follows has landed; "at_once": also before, where both are submitted by one request. */
  readonly when: "at_once" | "in_turn";
  /** Throws an error of the catalogue where it may not be submitted. */
  readonly require: (needs: Pick<HookNeeds, "db">, network: Network, submitted: Submitted) => Promise<void>;
}

/** A transaction that has landed, and what it may have changed. */
export interface Confirmed {
  readonly account: { readonly address: string; readonly tenantId: string; readonly settingsAddress: Address };
  readonly slot: bigint;
  readonly changesSettings: boolean;
  readonly changesProposals: boolean;
}

/** What a module does with a transaction that has landed. A pass of the same module makes up for one that fails or is lost. */
export interface ConfirmationEffect {
  /** For the log where it fails. */
  readonly name: string;
  readonly concerns: (landed: Confirmed) => boolean;
  readonly run: (needs: HookNeeds, network: Network, landed: Confirmed) => Promise<unknown>;
}

/** A change of settings that its custodian signs after a delay alone, as it has said when it was asked to sign. */
export interface DelayedChange {
  readonly account: { readonly address: string; readonly tenantId: string };
  /** The custodian's wallet. */
  readonly walletId: string;
  /** What it is listed and cancelled by; undefined: the custodian has not said. */
  readonly changeId: string | undefined;
  /** Environment time, Unix milliseconds. */
  readonly notBefore: number;
}

/**
 * What a module hands to the whole, as data. `src/modules.ts` lists the modules; their endpoints stand in `src/endpoints.ts`.
 * `OpenWorkNeeds`: what its `openWork` needs of the world, which is less.
 */
export interface Module<Needs, OpenWorkNeeds = unknown> {
  /** Its folder. */
  readonly name: string;
  /** What resumes work that a crash or a silent chain has left unfinished, in one environment. */
  readonly openWork?: (needs: OpenWorkNeeds, network: Network) => readonly Pass[];
  /** The other passes of one environment. */
  readonly passes?: (needs: Needs, network: Network) => readonly Pass[];
  /** The passes over all environments at once. */
  readonly sharedPasses?: (needs: Needs) => readonly Pass[];
  /** Every column of its tables that says where a row stands, with the table of what may follow what. */
  readonly states?: readonly StateColumn[];
  /** Every column of its tables that holds sealed values. */
  readonly sealedColumns?: readonly SealedColumn[];
  /** The secrets of its keyed hashes that can be replaced while the service runs. */
  readonly secrets?: readonly ReplaceableSecret[];
  /** How long its rows stay, in the order of what depends on what. */
  readonly retention?: readonly RetentionRule[];
  /** What its events carry, by their type. */
  readonly events?: EventObjects;
  /** What earlier releases have left otherwise: brought in order by the sweep. */
  readonly sweep?: (needs: Needs) => Promise<unknown>;
  /** In reading order. */
  readonly submitChecks?: readonly SubmitCheck[];
  readonly afterConfirmation?: readonly ConfirmationEffect[];
  /** Again for each time that it is refused. What it throws is thrown to the caller, who asks again. */
  readonly onDelayedChange?: (needs: HookNeeds, network: Network, change: DelayedChange) => Promise<unknown>;
}

/** What the modules to the right have a submit do, for those to the left: asked for through their needs. */
export interface SubmitHooks {
  /** In the order of the modules. */
  readonly checks: readonly SubmitCheck[];
  onDelayedChange(needs: HookNeeds, network: Network, change: DelayedChange): Promise<void>;
  /** Never throws: what fails is logged, and a pass makes up for it. */
  afterConfirmation(needs: HookNeeds, network: Network, landed: Confirmed): Promise<void>;
}
