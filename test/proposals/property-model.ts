/**
 * What an account's proposals are to become, kept independently of the service and of its client of the program: written
 * from the rules of the program and of the interface alone, over names in place of addresses.
 */

/** Bits of a permission mask. */
export const canInitiate = 1;
export const canVote = 2;
export const canExecute = 4;

export type VoteAction = "approve" | "reject" | "cancel";
export type ChainStatus = "draft" | "active" | "rejected" | "approved" | "executed" | "cancelled";
export type WireStatus = "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled";

export type ModelAction =
  | { readonly type: "AddSigner"; readonly signer: string; readonly mask: number }
  | { readonly type: "RemoveSigner"; readonly signer: string }
  | { readonly type: "ChangeThreshold"; readonly threshold: number }
  | { readonly type: "SetTimeLock"; readonly seconds: number };

export type ModelContent =
  | { readonly kind: "transaction"; readonly lamports: bigint }
  | { readonly kind: "settings"; readonly actions: readonly ModelAction[] };

export interface ModelProposal {
  readonly index: number;
  readonly content: ModelContent;
  /** How many members' votes there is room for. */
  room: number;
  status: ChainStatus;
  /** Unix seconds. */
  since: number;
  readonly approved: Set<string>;
  readonly rejected: Set<string>;
  readonly cancelled: Set<string>;
  isClosed: boolean;
  /** Whether it was stale when it was closed. */
  closedStale: boolean;
}

export interface ModelAccount {
  readonly members: Map<string, number>;
  threshold: number;
  timeLock: number;
  /** Last used index, and up to where votes are void. */
  index: number;
  staleIndex: number;
  lamports: bigint;
  readonly proposals: Map<number, ModelProposal>;
}

/** Error codes of the program (program specification, 7.1) and of the system program. */
export const programErrors = {
  unauthorized: 6005,
  notASigner: 6006,
  staleProposal: 6008,
  invalidStatus: 6009,
  alreadyApproved: 6011,
  alreadyRejected: 6012,
  alreadyCancelled: 6013,
  timeLock: 6022,
  noMoney: 1,
} as const;

/** Undefined: it succeeds. `any`: it fails, in a way that is not the matter here. */
export type ChainOutcome = number | "any" | undefined;

export function voters({ members }: ModelAccount): readonly string[] {
  return [...members].filter(([, mask]) => (mask & canVote) !== 0).map(([name]) => name);
}

export function may(account: ModelAccount, name: string, bit: number): boolean {
  return ((account.members.get(name) ?? 0) & bit) !== 0;
}

function memberError(account: ModelAccount, name: string, bit: number): ChainOutcome {
  if (!account.members.has(name)) return programErrors.notASigner;
  return may(account, name, bit) ? undefined : programErrors.unauthorized;
}

export function isStale(account: ModelAccount, proposal: ModelProposal): boolean {
  return proposal.index <= account.staleIndex;
}

/** The votes of one kind. */
export function votesOf(proposal: ModelProposal, action: VoteAction): Set<string> {
  return { approve: proposal.approved, reject: proposal.rejected, cancel: proposal.cancelled }[action];
}

/** How many votes of a kind decide. */
export function votesToDecide(account: ModelAccount, action: VoteAction): number {
  return action === "reject" ? voters(account).length - account.threshold + 1 : account.threshold;
}

/** A new proposal under the next index. */
export function create(
  account: ModelAccount,
  creator: string,
  content: ModelContent,
  now: number,
  isDraft = false,
): ChainOutcome {
  const error = memberError(account, creator, canInitiate);
  if (error !== undefined) return error;
  account.index += 1;
  account.proposals.set(account.index, {
    index: account.index,
    content,
    room: account.members.size,
    status: isDraft ? "draft" : "active",
    since: now,
    approved: new Set(),
    rejected: new Set(),
    cancelled: new Set(),
    isClosed: false,
    closedStale: false,
  });
  return undefined;
}

export function activate(account: ModelAccount, proposal: ModelProposal, name: string, now: number): ChainOutcome {
  if (proposal.isClosed) return "any";
  const error = memberError(account, name, canInitiate);
  if (error !== undefined) return error;
  if (proposal.status !== "draft") return programErrors.invalidStatus;
  if (isStale(account, proposal)) return programErrors.staleProposal;
  proposal.status = "active";
  proposal.since = now;
  return undefined;
}

export function vote(
  account: ModelAccount,
  proposal: ModelProposal,
  name: string,
  action: VoteAction,
  now: number,
): ChainOutcome {
  const error = memberError(account, name, canVote);
  if (proposal.isClosed) return "any";
  if (error !== undefined) return error;
  if (action === "cancel") {
    if (proposal.status !== "approved") return programErrors.invalidStatus;
    if (proposal.cancelled.has(name)) return programErrors.alreadyCancelled;
    for (const former of [...proposal.cancelled]) {
      if (!account.members.has(former)) proposal.cancelled.delete(former);
    }
    proposal.cancelled.add(name);
    proposal.room = Math.max(proposal.room, account.members.size);
    if (proposal.cancelled.size >= account.threshold) settle(proposal, "cancelled", now);
    return undefined;
  }
  if (proposal.status !== "active") return programErrors.invalidStatus;
  if (isStale(account, proposal)) return programErrors.staleProposal;
  const isFor = action === "approve";
  const [own, other] = isFor ? [proposal.approved, proposal.rejected] : [proposal.rejected, proposal.approved];
  if (own.has(name)) return isFor ? programErrors.alreadyApproved : programErrors.alreadyRejected;
  other.delete(name);
  own.add(name);
  if (own.size >= votesToDecide(account, action)) settle(proposal, isFor ? "approved" : "rejected", now);
  return undefined;
}

function settle(proposal: ModelProposal, status: ChainStatus, now: number): void {
  proposal.status = status;
  proposal.since = now;
}

/** Unix seconds from which an approved proposal can be executed. */
export function executableFrom(account: ModelAccount, proposal: ModelProposal): number {
  return proposal.since + account.timeLock;
}

export function execute(account: ModelAccount, proposal: ModelProposal, name: string, now: number): ChainOutcome {
  if (proposal.isClosed) return "any";
  const error = memberError(account, name, canExecute);
  if (error !== undefined) return error;
  if (proposal.status !== "approved") return programErrors.invalidStatus;
  if (now < executableFrom(account, proposal)) return programErrors.timeLock;
  const { content } = proposal;
  if (content.kind === "transaction") {
    if (content.lamports > account.lamports) return programErrors.noMoney;
    account.lamports -= content.lamports;
  } else {
    if (isStale(account, proposal)) return programErrors.staleProposal;
    if (!change(account, content.actions)) return "any";
  }
  settle(proposal, "executed", now);
  return undefined;
}

/** Applies changes of the settings in order; false, and nothing changed, when the program refuses them. */
export function change(account: ModelAccount, actions: readonly ModelAction[]): boolean {
  const next = applied(account, actions);
  if (next === undefined) return false;
  account.members.clear();
  for (const [name, mask] of next.members) account.members.set(name, mask);
  account.threshold = next.threshold;
  account.timeLock = next.timeLock;
  account.staleIndex = account.index;
  return true;
}

/**
 * The policy after these changes; undefined when it would be none. Only the end counts: a member added twice may be
 * removed once, and is a member as before.
 */
export function applied(
  account: Pick<ModelAccount, "members" | "threshold" | "timeLock">,
  actions: readonly ModelAction[],
): Pick<ModelAccount, "members" | "threshold" | "timeLock"> | undefined {
  const members = new Map(account.members);
  const surplus: string[] = [];
  let { threshold, timeLock } = account;
  for (const action of actions) {
    if (action.type === "AddSigner") {
      if (members.has(action.signer)) surplus.push(action.signer);
      else members.set(action.signer, action.mask);
    } else if (action.type === "RemoveSigner") {
      const place = surplus.indexOf(action.signer);
      if (place >= 0) surplus.splice(place, 1);
      else if (!members.delete(action.signer)) return undefined;
    } else if (action.type === "ChangeThreshold") threshold = action.threshold;
    else timeLock = action.seconds;
  }
  const holders = (bit: number) => [...members.values()].filter((mask) => (mask & bit) !== 0).length;
  const isPolicy =
    surplus.length === 0 &&
    [canInitiate, canVote, canExecute].every((bit) => holders(bit) > 0) &&
    threshold > 0 &&
    threshold <= holders(canVote);
  return isPolicy ? { members, threshold, timeLock } : undefined;
}

/** Whether these members together may act at once, without a vote. */
export function mayActAtOnce(account: ModelAccount, names: readonly string[]): boolean {
  const masks = names.map((name) => account.members.get(name) ?? 0);
  return (
    account.timeLock === 0 &&
    masks.reduce((all, mask) => all | mask, 0) === 7 &&
    masks.filter((mask) => (mask & canVote) !== 0).length >= account.threshold
  );
}

/** Closes the two accounts; any client may, of what is decided or void. */
export function close(account: ModelAccount, proposal: ModelProposal): ChainOutcome {
  if (proposal.isClosed) return "any";
  const isStaleNow = isStale(account, proposal);
  const { status, content } = proposal;
  const isDecided = status === "executed" || status === "rejected" || status === "cancelled";
  const isVoid =
    isStaleNow && (status === "draft" || status === "active" || (status === "approved" && content.kind === "settings"));
  if (!isDecided && !isVoid) return programErrors.invalidStatus;
  proposal.isClosed = true;
  proposal.closedStale = !isDecided;
  return undefined;
}

const wireNames: Record<ChainStatus, WireStatus> = {
  draft: "Active",
  active: "Active",
  approved: "Approved",
  executed: "Executed",
  rejected: "Rejected",
  cancelled: "Cancelled",
};

/** What clients are to see (interface 3.1, gap 37): a proposal closed without a decision counts as cancelled. */
export function wireStatus(proposal: ModelProposal): WireStatus {
  return proposal.closedStale ? "Cancelled" : wireNames[proposal.status];
}

/** Approvals still missing; 0 unless it is open to votes. */
export function votesNeeded(account: ModelAccount, proposal: ModelProposal): number {
  if (wireStatus(proposal) !== "Active") return 0;
  return Math.max(0, account.threshold - proposal.approved.size);
}
