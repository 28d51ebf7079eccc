import { createHash } from "node:crypto";
import { type Kysely, type RawBuilder, sql } from "kysely";
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
import { peekPending } from "./read-wallet.js";
import {
  type HeldPolicy,
  heldPolicy,
  type OrderFault,
  type PolicyOrder,
  policyOf,
  promoted,
  takeOrder,
} from "./set-policy.js";
import {
  type CancelFault,
  cancelled,
  changeIdOf,
  isOpen,
  takeTurn,
  type WaitingChanges,
  waitingAmong,
  waitingMax,
} from "./waiting-changes.js";
import type { WalletState } from "./wallet-state.js";

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
  /** Changes of settings that wait, and those that can be signed now; undefined where records were altered. */
  listPending(request: OfWallet): Promise<WaitingChanges | undefined>;
  /** The same for anybody who asks: nothing is locked, awaited or written. */
  peekPending(request: OfWallet): Promise<WaitingChanges | undefined>;
  /**
   * Begins again behind a restored database: whatever waits is cancelled, a policy too, as it may have been since. One whose delay was over
   * by `knownUntil`, the latest time that the database knows of, held already: nothing that was forgotten can have withdrawn it while it
   * waited. The wallet counts as one that has signed. Changes nothing of a wallet whose records were altered.
   */
  restart(request: OfWallet & { knownUntil: number }): Promise<void>;
  /** Ends one that waits, or that could be signed now, for the passkey that has signed for that. Again: the same. */
  cancelPending(request: OfWallet & { id: string; passkeyId: string }): Promise<WaitingChanges | CancelFault>;
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

    listPending: ({ wallet, now: asked }) =>
      db.transaction().execute(async (trx) => {
        const locked = await lockWallet(trx, binding, wallet);
        return locked && waitingAmong(locked.pending, Math.max(asked, locked.latestAt));
      }),

    peekPending: ({ wallet, now: asked }) =>
      db
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute(async (trx) => {
          const read = await peekPending(trx, secret, wallet);
          return read && waitingAmong(read.pending, Math.max(asked, read.latestAt));
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

    cancelPending: ({ wallet, id, passkeyId, now: asked }) =>
      db.transaction().execute(async (trx) => {
        const before = await lockWallet(trx, binding, wallet);
        if (before === undefined) return "altered";
        const now = Math.max(asked, before.latestAt);
        const pending = cancelled(before.pending, id, now);
        if (typeof pending === "string") return pending;
        if (pending !== before.pending) {
          await sql`select set_config('trellis.actor', ${`passkey/${passkeyId}`}, true)`.execute(trx);
          await saveWallet(trx, secret, wallet, { before, after: { ...before, latestAt: now, pending } });
        }
        return waitingAmong(pending, now);
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
  if (turn === "too_many") {
    const text = `${waitingMax} changes of settings wait already: cancel one, or wait until one is over.`;
    return { decision: refuse("too_many_changes", text), after: { ...before, latestAt: now } };
  }
  const after = { ...before, latestAt: now, pending: turn?.pending ?? before.pending };
  if (turn !== undefined && !turn.isReady) {
    const text = "A change of settings is signed after its delay.";
    const { notBefore } = turn.one;
    return { decision: refuse("settings_change_delayed", text, { notBefore, changeId: changeIdOf(turn.one) }), after };
  }
  const spent = given.isCounted ? before.spent : withSpent(before.spent, verdict.spent, now);
  return { decision: { kind: "allow" }, after: { ...after, spent } };
}
