import { createHash } from "node:crypto";
import type { Kysely, RawBuilder } from "kysely";
import type { Decision, PolicyWallet, SigningPolicy, SigningRequest } from "../signing-policy.js";
import { classify } from "./classify.js";
import type { Fact } from "./facts.js";
import { judge, refuse, type Verdict } from "./judge.js";
import {
  approve,
  approvedAmong,
  count,
  isCounted,
  lockWallet,
  mintName,
  noPresence,
  type PolicyPresence,
  saveWallet,
  withSpent,
} from "./policy-store.js";
import type { PolicyTables } from "./policy-tables.js";
import {
  type HeldPolicy,
  heldPolicy,
  type OrderFault,
  type PolicyOrder,
  policyOf,
  promoted,
  takeOrder,
} from "./set-policy.js";
import type { Pending, WalletState } from "./wallet-state.js";

interface OfWallet {
  readonly wallet: PolicyWallet;
  /** Unix milliseconds of the environment's time. */
  readonly now: number;
}

/** What decides whether wallets sign, with what a holder may say about it. Who asks was verified before. */
export interface WalletPolicies extends SigningPolicy {
  /** The policy that holds, and the one that waits; undefined where records were altered. */
  readPolicy(request: OfWallet): Promise<HeldPolicy | undefined>;
  /** Takes another policy, which was parsed and which a passkey of the wallet has signed for; see `takeOrder`. */
  setPolicy(request: OfWallet & { order: PolicyOrder }): Promise<HeldPolicy | OrderFault>;
  /** What waits, and what can be signed now; undefined where records were altered. */
  listPending(request: OfWallet): Promise<readonly Pending[] | undefined>;
  /**
   * Begins again behind a restored database: whatever waits is cancelled, a policy too, as it may have been since. One whose delay was over
   * by `knownUntil`, the latest time that the database knows of, held already: nothing that was forgotten can have withdrawn it while it
   * waited. The wallet counts as one that has signed. Changes nothing of a wallet whose records were altered.
   */
  restart(request: OfWallet & { knownUntil: number }): Promise<void>;
  /** Ends what waits. False: nothing of that name does. */
  cancelPending(request: OfWallet & { what: string }): Promise<boolean>;
}

const altered = refuse("altered_record", "Records of this wallet were altered outside the custodian.");

/**
 * The policies of a custodian's wallets, over its own database. `secret` binds the rows and is in no database. The lock on a
 * wallet's row makes two requests for one wallet stand in line, so that what only one may spend is not spent by two.
 */
export function createWalletPolicies(parts: {
  readonly db: Kysely<PolicyTables>;
  readonly secret: Uint8Array;
  /** What says of a wallet whether it ever had a policy's row, besides that row. */
  readonly presence?: PolicyPresence;
  /** SQL that enters into the log that this is signed. */
  readonly entryOf?: (request: SigningRequest) => RawBuilder<unknown>;
}): WalletPolicies {
  const { db, secret } = parts;
  const binding = { secret, presence: parts.presence ?? noPresence };
  return {
    async decide(request) {
      const facts = classify(request.message, request.wallet.address);
      return db.transaction().execute(async (trx) => {
        const locked = await lockWallet(trx, binding, request.wallet);
        if (locked === undefined) return altered;
        const now = Math.max(request.now, locked.latestAt);
        const before = promoted(locked, now);
        const policy = policyOf(before, request.wallet);
        if (policy === undefined) return altered;
        const hash = createHash("sha256").update(request.message).digest();
        const { id } = request.wallet;
        const counted = await isCounted(trx, secret, id, hash);
        const approved = await approvedAmong(trx, secret, id, destinationsOf(facts));
        const past = {
          spentSince: sumsSince(before),
          isCounted: counted,
          isApproved: (address: string) => approved.has(address),
        };
        const verdict = judge({ facts, policy, authority: request.authority, now, past });
        if (verdict.kind === "refuse") return verdict;
        const { decision, after } = settle({ before, verdict, now, hash: hash.toString("hex"), isCounted: counted });
        const entry = decision.kind === "allow" ? parts.entryOf?.(request) : undefined;
        await saveWallet(trx, secret, request.wallet, { before, after, entry });
        if (decision.kind === "refuse") return decision;
        if (!counted) await count(trx, secret, { walletId: id, hash, now });
        await approve(trx, secret, { walletId: id, addresses: verdict.approved, now });
        return decision;
      });
    },

    readPolicy: ({ wallet, now: asked }) =>
      db.transaction().execute(async (trx) => {
        const locked = await lockWallet(trx, binding, wallet);
        if (locked === undefined) return undefined;
        const now = Math.max(asked, locked.latestAt);
        return heldPolicy(promoted(locked, now), wallet, now);
      }),

    setPolicy: ({ wallet, order, now: asked }) =>
      db.transaction().execute(async (trx) => {
        const locked = await lockWallet(trx, binding, wallet);
        if (locked === undefined) return "altered";
        const now = Math.max(asked, locked.latestAt);
        const before = promoted(locked, now);
        const after = takeOrder(before, wallet, order, now);
        if (typeof after === "string") return after;
        if (after !== before) await saveWallet(trx, secret, wallet, { before: locked, after });
        return heldPolicy(after, wallet, now) ?? "altered";
      }),

    listPending: ({ wallet, now }) =>
      db.transaction().execute(async (trx) => {
        const state = await lockWallet(trx, binding, wallet);
        return state?.pending.filter((one) => isOpen(one, now, null));
      }),

    restart: ({ wallet, now: asked, knownUntil }) =>
      db.transaction().execute(async (trx) => {
        const before = await lockWallet(trx, binding, wallet);
        if (before === undefined) return;
        const now = Math.max(asked, before.latestAt, 1);
        const pending = before.pending.map((one) => (isOpen(one, now, null) ? { ...one, cancelledAt: now } : one));
        const held = promoted(before, Math.min(now, Math.max(knownUntil, before.latestAt)));
        await saveWallet(trx, secret, wallet, { before, after: { ...held, next: null, latestAt: now, pending } });
      }),

    cancelPending: ({ wallet, what, now: asked }) =>
      db.transaction().execute(async (trx) => {
        const before = await lockWallet(trx, binding, wallet);
        if (before === undefined) return false;
        const now = Math.max(asked, before.latestAt);
        const open = before.pending.find((one) => one.what === what && isOpen(one, now, null));
        if (open === undefined) return false;
        const pending = [...before.pending.filter((one) => one !== open), { ...open, cancelledAt: now }];
        await saveWallet(trx, secret, wallet, { before, after: { ...before, latestAt: now, pending } });
        return true;
      }),
  };
}

const destinationsOf = (facts: readonly Fact[]) =>
  facts.flatMap((fact) =>
    fact.kind !== "transfer"
      ? []
      : [fact.destination.account, ...(fact.destination.owner === null ? [] : [fact.destination.owner])],
  );

const sumsSince =
  ({ spent }: WalletState) =>
  (mint: Parameters<typeof mintName>[0], since: number): bigint =>
    spent
      .filter((row) => row.mint === mintName(mint) && row.hour >= since)
      .reduce((sum, { amount }) => sum + amount, 0n);

/** What becomes of a wallet by a message that its policy allows, after its delay where there is one. */
function settle(given: {
  readonly before: WalletState;
  readonly verdict: Verdict;
  readonly now: number;
  readonly hash: string;
  readonly isCounted: boolean;
}): { readonly decision: Decision; readonly after: WalletState } {
  const { before, verdict, now, hash } = given;
  const { delayed } = verdict;
  const turn = delayed === null ? undefined : takeTurn(before.pending, delayed, { now, by: hash });
  const after = { ...before, latestAt: now, pending: turn?.pending ?? before.pending };
  if (turn !== undefined && !turn.isReady) {
    const text = "A change of settings is signed after its delay.";
    return { decision: refuse("settings_change_delayed", text, turn.notBefore), after };
  }
  const spent = given.isCounted ? before.spent : withSpent(before.spent, verdict.spent, now);
  return { decision: { kind: "allow" }, after: { ...after, spent } };
}

/** Begins a delay, lets it go on, or uses it up. */
function takeTurn(
  pending: readonly Pending[],
  { what, delayMs, windowMs }: NonNullable<Verdict["delayed"]>,
  { now, by }: { readonly now: number; readonly by: string | null },
): { readonly pending: readonly Pending[]; readonly isReady: boolean; readonly notBefore: number } {
  const others = pending.filter((one) => one.what !== what);
  const former = pending.find((one) => one.what === what && isOpen(one, now, by));
  const notBefore = former?.notBefore ?? now + delayMs;
  const one = former ?? {
    what,
    notBefore,
    endsAt: notBefore + windowMs,
    cancelledAt: null,
    usedAt: null,
    usedBy: null,
  };
  const isReady = now >= notBefore;
  const next = isReady && one.usedAt === null ? { ...one, usedAt: now, usedBy: by } : one;
  return { pending: [...others, next], isReady, notBefore };
}

/** Whether a delay runs or has run out and was not used, except by this very message. */
function isOpen({ cancelledAt, endsAt, usedAt, usedBy }: Pending, now: number, by: string | null): boolean {
  return cancelledAt === null && now < endsAt && (usedAt === null || (by !== null && usedBy === by));
}
