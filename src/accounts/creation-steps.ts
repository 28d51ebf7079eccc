import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Step } from "@trellis/kernel/steps.js";
import type { CreatedAccount, Creation, CreationNeeds, Landed } from "./creation.js";
import type { ResolvedPlan } from "./creation-plan.js";
import { loadCreated, markFailed, reload, writeAccount } from "./creation-store.js";
import { type Attempt, confirmBytes, storeNewBytes } from "./send-creation.js";

/** A creation that a process holds. */
export interface CreationFlow {
  readonly needs: CreationNeeds;
  readonly network: Network;
  /** The wallets of its plan exist: the custodians make the same ones every time. */
  readonly plan: ResolvedPlan;
  /** From here on no further bytes are signed: real time, Unix milliseconds. */
  readonly giveUpAt: number;
}

/** How far a creation is: its row, and what its driver has learned since it was read. */
export interface CreationState {
  readonly creation: Creation;
  /** Bytes that were signed and gave no account. */
  readonly attempts: number;
  /** The stored bytes have failed or expired. */
  readonly isVoid?: boolean;
  readonly landed?: Landed;
  readonly account?: CreatedAccount;
}

/** A window that was missed is rebuilt; other processes and other creators compete for the same counter. */
const attemptsMax = 12;

/** The state of a creation that was read just now. Throws `account_creation_failed` where its plan was refused. */
export function stateOf(creation: Creation, attempts = 0): CreationState {
  if (creation.state === "failed") throw new TrellisError("account_creation_failed");
  return { creation, attempts };
}

const isLanded = ({ creation, landed }: CreationState) => landed !== undefined || creation.state === "landed";

/** How a recorded creation gets its account, by whichever request or pass is at it. */
export const creationSteps: readonly Step<CreationFlow, CreationState>[] = [
  {
    // The signed bytes are stored, the creation points to them, and their cost is reserved: no others are signed while they
    // may land.
    name: "store the bytes",
    isDone: (state) => isLanded(state) || (state.creation.submission_id !== null && state.isVoid !== true),
    run: async (flow, state) => {
      const { needs, network, plan } = flow;
      const attempt = await storeNewBytes(needs, network, state.creation, plan);
      // A missed race reads what the winner stored.
      return attempt.kind === "again" ? readAnew(flow, state) : takeOver(flow, state, attempt);
    },
  },
  {
    // The chain has executed the bytes, and on a cluster that is final: its record of them says which account they made.
    name: "confirm them",
    isDone: isLanded,
    run: async (flow, state) => {
      const attempt = await confirmBytes(flow.needs, flow.network, state.creation.submission_id ?? "");
      return attempt.kind === "again" ? { ...state, isVoid: true } : takeOver(flow, state, attempt);
    },
  },
  {
    // The account with its signers, and the end of the creation and of its submission: one statement, which changes nothing
    // when it is repeated.
    name: "write the account",
    isDone: ({ account }) => account !== undefined,
    run: async ({ needs, network, plan }, state) => {
      const { creation, landed } = state;
      const account =
        landed === undefined
          ? await loadCreated(needs.db, network, creation, plan)
          : await writeAccount(needs, network, creation, plan, landed);
      return { ...state, account };
    },
  },
];

/** The creation as it stands now. Throws `submission_in_progress` where its driver has tried for long enough. */
async function readAnew({ needs, giveUpAt }: CreationFlow, state: CreationState): Promise<CreationState> {
  const creation = await reload(needs.db, state.creation.id);
  const attempts = state.attempts + 1;
  if (attempts >= attemptsMax || needs.realClock.now() >= giveUpAt) throw new TrellisError("submission_in_progress");
  return stateOf(creation, attempts);
}

/** Throws `account_creation_failed` where the program refuses the plan: that is for good. */
async function takeOver(
  { needs }: CreationFlow,
  state: CreationState,
  attempt: Exclude<Attempt, { readonly kind: "again" }>,
): Promise<CreationState> {
  if (attempt.kind === "landed") return { ...state, landed: attempt };
  await markFailed(needs.db, state.creation);
  const { programError, reason } = attempt;
  throw new TrellisError("account_creation_failed", { facts: { program_error: programError, reason } });
}
