import { createHash } from "node:crypto";
import { assertOurs } from "@trellis/kernel/errors.js";
import type { Kysely } from "kysely";
import type { Decision, PolicyAuthority, PolicyWallet, SigningPolicy } from "../signing-policy.js";
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
  type Pending,
  saveWallet,
  type WalletState,
  withSpent,
} from "./policy-store.js";
import type { PolicyTables } from "./policy-tables.js";
import { defaultPolicies, parseWalletPolicy, policyText, type WalletPolicy } from "./wallet-policy.js";

interface OfWallet {
  readonly wallet: PolicyWallet;
  /** Unix milliseconds of the environment's time. */
  readonly now: number;
}

/** What decides whether wallets sign, with what a holder may say about it. Who asks was verified before. */
export interface WalletPolicies extends SigningPolicy {
  /**
   * Asks for another policy, which was parsed. The first one of a wallet that has signed nothing is taken at once; any other waits as a change of
   * settings does, and is taken when it is asked for again.
   */
  requestPolicy(request: OfWallet & { policy: WalletPolicy; authority: PolicyAuthority }): Promise<Decision>;
  /** What waits, and what can be signed now; undefined where records were altered. */
  listPending(request: OfWallet): Promise<readonly Pending[] | undefined>;
  /**
   * Begins again behind a restored database: whatever waits is cancelled, as it may have been, and the wallet counts as one that has signed.
   * Changes nothing of a wallet whose records were altered.
   */
  restart(request: OfWallet): Promise<void>;
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
}): WalletPolicies {
  const { db, secret } = parts;
  return {
    async decide(request) {
      const facts = classify(request.message, request.wallet.address);
      return db.transaction().execute(async (trx) => {
        const before = await lockWallet(trx, secret, request.wallet);
        const policy = before && policyOf(before, request.wallet);
        if (before === undefined || policy === undefined) return altered;
        const now = Math.max(request.now, before.latestAt);
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
        await saveWallet(trx, secret, request.wallet, { before, after });
        if (decision.kind === "refuse") return decision;
        if (!counted) await count(trx, secret, { walletId: id, hash, now });
        await approve(trx, secret, { walletId: id, addresses: verdict.approved, now });
        return decision;
      });
    },

    requestPolicy: ({ wallet, policy, authority, now: asked }) =>
      db.transaction().execute(async (trx) => {
        const before = await lockWallet(trx, secret, wallet);
        const current = before && policyOf(before, wallet);
        if (before === undefined || current === undefined) return altered;
        const { authority: needed, delay_seconds: delay, window_seconds: window } = current.settings_changes;
        if ((needed === "passkey" || current.authority === "passkey") && authority.kind !== "passkey") {
          return refuse("passkey_needed", "Another policy needs a passkey.");
        }
        const now = Math.max(asked, before.latestAt);
        assertOurs(parseWalletPolicy(policy) !== undefined, "a policy was parsed before it is stored");
        const text = policyText(policy);
        const what = `policy ${createHash("sha256").update(text).digest("hex")}`;
        const waits = { what, delayMs: before.isNew ? 0 : delay * 1_000, windowMs: window * 1_000 };
        const turn = takeTurn(before.pending, waits, { now, by: null });
        const version = turn.isReady ? before.version + 1 : before.version;
        const taken = turn.isReady ? { policy: text, version } : {};
        await saveWallet(trx, secret, wallet, {
          before,
          after: { ...before, ...taken, latestAt: now, pending: turn.pending },
        });
        if (turn.isReady) return { kind: "allow" };
        return refuse("policy_change_delayed", "The policy is taken after its delay.", turn.notBefore);
      }),

    listPending: ({ wallet, now }) =>
      db.transaction().execute(async (trx) => {
        const state = await lockWallet(trx, secret, wallet);
        return state?.pending.filter((one) => isOpen(one, now, null));
      }),

    restart: ({ wallet, now: asked }) =>
      db.transaction().execute(async (trx) => {
        const before = await lockWallet(trx, secret, wallet);
        if (before === undefined) return;
        const now = Math.max(asked, before.latestAt, 1);
        const pending = before.pending.map((one) => (isOpen(one, now, null) ? { ...one, cancelledAt: now } : one));
        await saveWallet(trx, secret, wallet, { before, after: { ...before, latestAt: now, pending } });
      }),

    cancelPending: ({ wallet, what, now: asked }) =>
      db.transaction().execute(async (trx) => {
        const before = await lockWallet(trx, secret, wallet);
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

function policyOf({ policy }: WalletState, { kind }: PolicyWallet): WalletPolicy | undefined {
  return policy === null ? defaultPolicies[kind] : parseWalletPolicy(JSON.parse(policy));
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
