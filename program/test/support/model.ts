import { hex } from "./bytes.js";
import { EXECUTE, INITIATE, VOTE } from "./members.js";

/**
 * The rules of a smart account as a small model, written from the specification's section 6 and apart from the
 * program. Every operation answers with the error number it must give, or undefined after it took effect.
 * Members are named by the hexadecimal form of their key.
 */

export type Change =
  | { readonly kind: "addSigner"; readonly key: string; readonly mask: number }
  | { readonly kind: "removeSigner"; readonly key: string }
  | { readonly kind: "changeThreshold"; readonly threshold: number }
  | { readonly kind: "setTimeLock"; readonly seconds: number };

interface Payment {
  readonly kind: "payment";
  readonly lamports: bigint;
}

interface SettingsTransaction {
  readonly kind: "settings";
  readonly changes: readonly Change[];
}

export type Status = "Draft" | "Active" | "Rejected" | "Approved" | "Executed" | "Cancelled";

interface Proposal {
  status: Status;
  since: bigint;
  approved: Set<string>;
  rejected: Set<string>;
  cancelled: Set<string>;
}

export type Vote = "approve" | "reject" | "cancel";

/** The part of the state that a settings change can alter, so that a failing one leaves no trace. */
interface Terms {
  members: Map<string, number>;
  threshold: number;
  timeLock: number;
  stale: number;
}

const MAX_TIME_LOCK = 7_776_000;

export function createModel(start: {
  readonly members: readonly { readonly key: Uint8Array; readonly mask: number }[];
  readonly threshold: number;
  readonly timeLock: number;
  /** Undefined: autonomous. */
  readonly authority: string | undefined;
}) {
  let terms: Terms = {
    members: new Map(start.members.map((member) => [hex(member.key), member.mask])),
    threshold: start.threshold,
    timeLock: start.timeLock,
    stale: 0,
  };
  let index = 0;
  let paid = 0n;
  let authority = start.authority;
  const transactions = new Map<number, Payment | SettingsTransaction>();
  const proposals = new Map<number, Proposal>();

  const may = (key: string, mask: number): number | undefined => {
    const granted = terms.members.get(key);
    if (granted === undefined) return 6006;
    return granted & mask ? undefined : 6005;
  };
  const voters = (of: Terms): number => [...of.members.values()].filter((mask) => mask & VOTE).length;

  function invariants(of: Terms): number | undefined {
    const masks = [...of.members.values()];
    if (masks.some((mask) => mask > 7)) return 6029;
    if (!masks.some((mask) => mask & INITIATE)) return 6018;
    if (!masks.some((mask) => mask & EXECUTE)) return 6019;
    if (!masks.some((mask) => mask & VOTE)) return 6017;
    if (of.threshold < 1 || of.threshold > voters(of)) return 6004;
    if (of.timeLock > MAX_TIME_LOCK) return 6031;
    return undefined;
  }

  /** Applies changes one by one; a member added twice only shows at the end. */
  function change(changes: readonly Change[]): number | undefined {
    const next: Terms = { ...terms, members: new Map(terms.members) };
    const surplus: string[] = [];
    for (const one of changes) {
      if (one.kind === "addSigner") {
        if (next.members.has(one.key)) surplus.push(one.key);
        else next.members.set(one.key, one.mask);
      } else if (one.kind === "removeSigner") {
        const place = surplus.indexOf(one.key);
        if (place >= 0) surplus.splice(place, 1);
        else if (!next.members.delete(one.key)) return 6006;
      } else if (one.kind === "changeThreshold") next.threshold = one.threshold;
      else next.timeLock = one.seconds;
      next.stale = index;
    }
    if (surplus.length > 0) return 6001;
    const broken = invariants(next);
    if (broken === undefined) terms = next;
    return broken;
  }

  function acceptable(changes: readonly Change[]): number | undefined {
    if (changes.length === 0) return 6023;
    const tooLong = changes.some((one) => one.kind === "setTimeLock" && one.seconds > MAX_TIME_LOCK);
    return tooLong ? 6031 : undefined;
  }

  function consensus(signers: readonly string[]): number | undefined {
    if (terms.timeLock !== 0) return 6051;
    if (signers.length < terms.threshold) return 6047;
    let masks = 0;
    let votes = 0;
    for (const [position, signer] of signers.entries()) {
      const mask = terms.members.get(signer);
      if (mask === undefined) return 6006;
      if (signers.indexOf(signer) < position) return 6001;
      masks |= mask;
      if (mask & VOTE) votes++;
    }
    if (masks !== 7) return 6049;
    return votes < terms.threshold ? 6050 : undefined;
  }

  function executable(signer: string, proposal: Proposal, now: bigint): number | undefined {
    const refused = may(signer, EXECUTE);
    if (refused !== undefined) return refused;
    if (proposal.status !== "Approved") return 6009;
    return now - proposal.since < BigInt(terms.timeLock) ? 6022 : undefined;
  }

  function store(transaction: Payment | SettingsTransaction): undefined {
    index++;
    transactions.set(index, transaction);
  }

  function byAuthority(signer: string, effect: () => number | undefined): number | undefined {
    return authority === undefined || signer !== authority ? 6005 : effect();
  }

  return {
    state: () => ({ ...terms, index, paid, authority }),
    proposal: (at: number): Proposal | undefined => proposals.get(at),
    transaction: (at: number) => transactions.get(at),
    firstStoredIndexes: () => [...transactions.keys()],

    createPayment(creator: string, lamports: bigint): number | undefined {
      return may(creator, INITIATE) ?? store({ kind: "payment", lamports });
    },
    createSettings(creator: string, changes: readonly Change[]): number | undefined {
      if (authority !== undefined) return 6021;
      return may(creator, INITIATE) ?? acceptable(changes) ?? store({ kind: "settings", changes });
    },
    propose(creator: string, at: number, draft: boolean, now: bigint): number | undefined {
      if (proposals.has(at)) return 0;
      if (at > index) return 6010;
      if (at <= terms.stale) return 6008;
      const refused = may(creator, INITIATE | VOTE);
      if (refused !== undefined) return refused;
      proposals.set(at, {
        status: draft ? "Draft" : "Active",
        since: now,
        approved: new Set(),
        rejected: new Set(),
        cancelled: new Set(),
      });
      return undefined;
    },
    activate(signer: string, at: number, now: bigint): number | undefined {
      const proposal = proposals.get(at);
      if (proposal === undefined) return 3012;
      const refused = may(signer, INITIATE);
      if (refused !== undefined) return refused;
      if (proposal.status !== "Draft") return 6009;
      if (at <= terms.stale) return 6008;
      proposal.status = "Active";
      proposal.since = now;
      return undefined;
    },
    vote(kind: Vote, signer: string, at: number, now: bigint): number | undefined {
      const proposal = proposals.get(at);
      if (proposal === undefined) return 3012;
      const refused = may(signer, VOTE);
      if (refused !== undefined) return refused;
      if (proposal.status !== (kind === "cancel" ? "Approved" : "Active")) return 6009;
      if (kind !== "cancel" && at <= terms.stale) return 6008;
      const decide = (status: Status) => {
        proposal.status = status;
        proposal.since = now;
      };
      if (kind === "approve") {
        if (proposal.approved.has(signer)) return 6011;
        proposal.rejected.delete(signer);
        proposal.approved.add(signer);
        if (proposal.approved.size >= terms.threshold) decide("Approved");
      } else if (kind === "reject") {
        if (proposal.rejected.has(signer)) return 6012;
        proposal.approved.delete(signer);
        proposal.rejected.add(signer);
        if (proposal.rejected.size >= voters(terms) - terms.threshold + 1) decide("Rejected");
      } else {
        if (proposal.cancelled.has(signer)) return 6013;
        for (const key of proposal.cancelled) if (!terms.members.has(key)) proposal.cancelled.delete(key);
        proposal.cancelled.add(signer);
        if (proposal.cancelled.size >= terms.threshold) decide("Cancelled");
      }
      return undefined;
    },
    execute(kind: "payment" | "settings", signer: string, at: number, now: bigint): number | undefined {
      const proposal = proposals.get(at);
      const transaction = transactions.get(at);
      if (proposal === undefined || transaction === undefined) return 3012;
      if (transaction.kind !== kind) return 3002;
      const refused = executable(signer, proposal, now);
      if (refused !== undefined) return refused;
      if (transaction.kind === "payment") paid += transaction.lamports;
      else {
        if (at <= terms.stale) return 6008;
        const broken = change(transaction.changes);
        if (broken !== undefined) return broken;
      }
      proposal.status = "Executed";
      proposal.since = now;
      return undefined;
    },
    payTogether(signers: readonly string[], lamports: bigint): number | undefined {
      const refused = consensus(signers);
      if (refused === undefined) paid += lamports;
      return refused;
    },
    changeTogether(signers: readonly string[], changes: readonly Change[]): number | undefined {
      if (authority !== undefined) return 6021;
      return acceptable(changes) ?? consensus(signers) ?? change(changes);
    },
    changeByAuthority(signer: string, one: Change): number | undefined {
      return byAuthority(signer, () => {
        if (one.kind === "addSigner" && terms.members.has(one.key)) return 6001;
        if (one.kind === "removeSigner" && terms.members.size === 1) return 6016;
        return change([one]);
      });
    },
    handOver(signer: string, to: string | undefined): number | undefined {
      return byAuthority(signer, () => {
        authority = to;
        terms.stale = index;
        return undefined;
      });
    },
    close(kind: "payment" | "settings", at: number): number | undefined {
      const transaction = transactions.get(at);
      if (transaction === undefined) return 3012;
      if (transaction.kind !== kind) return 3002;
      const status = proposals.get(at)?.status;
      const isStale = at <= terms.stale;
      const closable =
        status === "Executed" || status === "Rejected" || status === "Cancelled"
          ? true
          : status === "Approved"
            ? isStale && kind === "settings"
            : isStale;
      if (!closable) return 6009;
      transactions.delete(at);
      proposals.delete(at);
      return undefined;
    },
  };
}

export type Model = ReturnType<typeof createModel>;
