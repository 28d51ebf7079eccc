import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network, ServiceKey } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import {
  addressOfBytes,
  addSpendingLimitAction,
  deriveSpendingLimitAddress,
  type NewSpendingLimit,
  Period,
  spendingLimitSize,
} from "@trellis/program-client";
import type { RawBuilder } from "kysely";
import type { Static } from "typebox";
import { chooseProposer } from "../policy-changes/choose-proposer.js";
import { requireAdminNamed, requireDecider } from "../policy-changes/decider.js";
import { prepareProposal } from "../proposals/open-proposal.js";
import { chooseRentCollector, composeLimitChange, type DecisionBody } from "../spending-limits/limit-change.js";
import type { ActingAccount } from "../transactions/acting-account.js";
import { findSigners } from "../transactions/choose-signers.js";
import { chooseFeePayer } from "../transactions/fee-config.js";
import { chooseLimitRentPayer } from "../transactions/limit-rent.js";
import { prepareInstructions } from "../transactions/prepare-synchronous.js";
import type { PreparedTransaction } from "../transactions/prepared-transaction.js";
import { rentSponsorOf } from "../transactions/rent-sponsor.js";
import type { Frequency } from "./schedule.js";

const u64Max = 18_446_744_073_709_551_615n;

const periodOf = { daily: Period.Day, weekly: Period.Week, monthly: Period.Month } as const;

/** The environment's executor. Throws `standing_orders_not_available` where there is none. */
export function requireExecutor({ executor }: Pick<Network, "executor">): ServiceKey {
  if (executor === null) throw new TrellisError("standing_orders_not_available");
  return executor;
}

/**
 * The limit that lets an executor pay an order, and nothing else (gap 42): the whole sum once where there is an end, twice
 * the amount each period where there is none. Any number of orders have a limit of their own, also for the same payee and
 * currency. Throws `invalid_amount` for a sum beyond 64 bits.
 */
export function limitFor(
  random: Random,
  terms: {
    readonly executor: Address;
    readonly payee: Address;
    readonly mint: Address | null;
    readonly amountBaseUnits: bigint;
    readonly frequency: Frequency;
    /** How many payments there will be, and when the limit expires, Unix seconds; null: without end. */
    readonly bounds: { readonly occurrences: number; readonly expiration: bigint } | null;
  },
): NewSpendingLimit {
  const { bounds } = terms;
  const sum = terms.amountBaseUnits * BigInt(bounds?.occurrences ?? 2);
  if (sum > u64Max) {
    throw new TrellisError("invalid_amount", {
      field: "amount",
      message: `The sum of all payments is ${sum} base units, more than a spending limit can hold.`,
    });
  }
  return {
    seed: addressOfBytes(random.bytes(32)),
    mint: terms.mint,
    amountBaseUnits: sum,
    period: bounds === null ? periodOf[terms.frequency] : Period.OneTime,
    signers: [terms.executor],
    destinations: [terms.payee],
    expiration: bounds?.expiration ?? null,
  };
}

/** What is to become of an account's limits. */
export interface MandateChange {
  readonly add?: NewSpendingLimit;
  /** A limit that is there. */
  readonly remove?: Address;
}

/** A prepared change, and the proposal it opens where it has to be voted on. */
export interface PreparedChange {
  readonly prepared: PreparedTransaction;
  readonly proposalAddress: Address | undefined;
  readonly transactionIndex: bigint | undefined;
}

/**
 * Prepares a change of an account's limits: at once by its signers, by its admin with `asAdmin`, and as a proposal where
 * the signers cannot act at once. `alongside` writes what is to be remembered with it, in the same statement.
 *
 * Throws `admin_required`, `account_has_no_admin`, `insufficient_permissions`, `rent_not_sponsored`, and what
 * prepareInstructions and prepareProposal throw.
 */
export async function prepareMandateChange(
  needs: { readonly db: Db; readonly random: Random },
  network: Network,
  account: ActingAccount,
  request: { readonly asAdmin: boolean; readonly body: Static<typeof DecisionBody> },
  change: MandateChange,
  alongside: (prepared: PreparedTransaction, proposalAddress: Address | undefined) => RawBuilder<unknown>,
): Promise<PreparedChange> {
  const { body } = request;
  const { add, remove } = change;
  const wish = { named: body.transaction_signers, provider: body.provider };
  const admin = requireDecider(account, request.asAdmin);
  const signers = admin === undefined ? findSigners(account, wish) : requireAdminNamed(account, admin, wish.named);
  const feePayer = chooseFeePayer(network, body);
  if (signers === undefined) {
    const actions = [
      ...(add === undefined ? [] : [addSpendingLimitAction(add)]),
      ...(remove === undefined ? [] : [{ __kind: "RemoveSpendingLimit", spendingLimit: remove } as const]),
    ];
    const proposed = {
      account,
      content: { kind: "settings", actions },
      ...chooseProposer(account, wish),
      feePayer,
    } as const;
    return prepareProposal(needs, network, proposed, alongside);
  }
  const sponsor = rentSponsorOf(needs.db, network, account.row.address, feePayer);
  const decision = { admin, signers, feePayer, sponsor };
  // One account gets the rent back and pays what is added: that stands first, so that nothing takes what was given back.
  const rentPayer =
    add === undefined
      ? await chooseRentCollector(account, decision)
      : await chooseLimitRentPayer(network, [spendingLimitSize(1, 1)], signers, sponsor);
  const prepared = await prepareInstructions(
    needs,
    network,
    {
      kind: "settings_change",
      account,
      signers,
      feePayer,
      instructions: composeLimitChange(account, decision, rentPayer, change),
    },
    (made) => alongside(made, undefined),
  );
  return { prepared, proposalAddress: undefined, transactionIndex: undefined };
}

/** Where a limit will stand. */
export function addressOfLimit(account: ActingAccount, limit: NewSpendingLimit): Address {
  return deriveSpendingLimitAddress(account.settingsAddress, limit.seed);
}
