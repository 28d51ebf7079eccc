import type { Address, Instruction } from "@solana/kit";
import type { TrellisError } from "@trellis/kernel/errors.js";
import type { SubmitHooks } from "@trellis/kernel/module.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db, PreparedTransactionTable, SubmissionTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Simulation } from "@trellis/solana/simulate.js";
import type { WireTransaction } from "@trellis/solana/wire-transaction.js";
import type { SignedPayload, StampEntry } from "../custody/match-stamps.js";
import type { Cost } from "../sponsorship/sponsorship.js";
import type { ActingAccount } from "./acting-account.js";
import type { Owner } from "./prepared-store.js";

/** What checking asks of the world. */
export interface CheckNeeds {
  readonly db: Db;
  readonly custodians: Custodians;
  readonly realClock: Clock;
  readonly submitHooks: SubmitHooks;
}

/** In whose name, and on which chain, transactions are submitted. */
export interface SubmitContext<Needs extends CheckNeeds = CheckNeeds> {
  readonly needs: Needs;
  readonly network: Network;
  readonly account: ActingAccount;
  /** Whether the caller has the API key of an agent. */
  readonly byAgent: boolean;
}

/** One transaction of a submit request. */
export interface SubmitItem {
  /** Base64. */
  readonly transaction: string;
  readonly entries: readonly StampEntry[];
  /** Where it stood in the request, for messages. */
  readonly field: string;
}

/** What every check of one transaction is given. */
export interface ItemContext extends SubmitContext {
  readonly owner: Owner;
  readonly item: SubmitItem;
  readonly wire: WireTransaction;
}

/** A transaction that has every signature, or what the custodians and the fee payer need to make theirs. */
export interface CompleteItem {
  readonly wire: WireTransaction;
  /** Null for a transaction that was not prepared here. */
  readonly prepared: PreparedTransactionTable | null;
  readonly stamps: readonly SignedPayload[];
  /** True: the bytes are another message than the one that was prepared, which they carry out. */
  readonly carriesOut?: boolean;
  /** The error for a simulation that failed; undefined: that of any transaction. */
  readonly refusalOf?: (simulation: Pick<Simulation, "error" | "logs">) => TrellisError | undefined;
  /** Who has signed, by the bytes or by a payload. */
  readonly present: ReadonlySet<Address>;
}

/** What execution needs of one whose signers may do what it does. */
export interface ReadyItem extends Omit<CompleteItem, "present" | "refusalOf"> {
  readonly instructions: readonly Instruction[];
  readonly lastValidBlockHeight: bigint;
  /** What the service pays for it; nothing where it does not pay. */
  readonly costs: readonly Cost[];
  /** Who is a signer may be another matter afterwards. */
  readonly changesSettings: boolean;
  /** What is voted on, or how the vote stands. */
  readonly changesProposals: boolean;
}

/** What the checks that can be made before something is signed have found. */
export type CheckedItem =
  /** These very bytes were submitted before: their outcome is the answer. */
  | { readonly kind: "known"; readonly submission: SubmissionTable; readonly wire: WireTransaction }
  /** It passed them all. `slot`: one at which it had not landed, since it was simulated there. */
  | { readonly kind: "ready"; readonly ready: ReadyItem; readonly slot: bigint }
  /** It follows one that stands before it in the same request, and is checked again once that has landed. */
  | { readonly kind: "later" };

/** One that can be executed now. */
export type ExecutableItem = Exclude<CheckedItem, { readonly kind: "later" }>;
