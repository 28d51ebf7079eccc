import { idempotency } from "@trellis/kernel/idempotency/module.js";
import type { Module, ReplaceableSecret, RetentionRule, SealedColumn, SubmitHooks } from "@trellis/kernel/module.js";
import type { StateColumn } from "@trellis/kernel/states.js";
import type { ProgramNeeds } from "@trellis/solana/check-program.js";
import { solana } from "@trellis/solana/module.js";
import type { CreationNeeds } from "./accounts/creation.js";
import { accounts } from "./accounts/module.js";
import { adapterTables } from "./adapters/adapter-tables.js";
import type { WitnessNeeds } from "./audit/ask-witnesses.js";
import type { CosignNeeds } from "./audit/cosign-custodians.js";
import { audit } from "./audit/module.js";
import type { LogNeeds } from "./audit/publish-entries.js";
import { custody } from "./custody/module.js";
import type { DeliveryNeeds } from "./events/deliver-events.js";
import { type EventCatalogue, foldEvents } from "./events/event-catalogue.js";
import { events } from "./events/module.js";
import { history } from "./history/module.js";
import type { HistoryNeeds } from "./history/refresh-history.js";
import { members } from "./members/module.js";
import { passkeySigners } from "./passkey-signers/module.js";
import { passkeys } from "./passkeys/module.js";
import { payments } from "./payments/module.js";
import { people } from "./people/module.js";
import type { NoticeNeeds } from "./people/send-notice.js";
import { proposals } from "./proposals/module.js";
import type { IndexNeeds } from "./proposals/refresh-proposals.js";
import { rails } from "./rails/module.js";
import type { RailNeeds } from "./rails/rail-needs.js";
import { requests } from "./requests/module.js";
import type { RecordingNeeds } from "./requests/record-requests.js";
import { signIn } from "./sign-in/module.js";
import { spendingLimits } from "./spending-limits/module.js";
import { sponsorship } from "./sponsorship/module.js";
import { standingOrders } from "./standing-orders/module.js";
import { submissions } from "./submissions/module.js";
import { tenants } from "./tenants/module.js";
import { transactions } from "./transactions/module.js";
import { walletExports } from "./wallet-exports/module.js";
import { walletImports } from "./wallet-imports/module.js";

/** What taking up open work needs of the world. */
export type OpenWorkNeeds = CreationNeeds;

/** What the modules need of the world for their passes. */
export type ModuleNeeds = LogNeeds &
  WitnessNeeds &
  CosignNeeds &
  OpenWorkNeeds &
  IndexNeeds &
  HistoryNeeds &
  RailNeeds &
  DeliveryNeeds &
  ProgramNeeds &
  NoticeNeeds &
  RecordingNeeds;

/**
 * The modules that have more than endpoints, from left to right; behind them the tables of adapters. Only `payments` stands
 * before `rails`, so that a payment's row goes before the transfer it shows.
 */
export const modules: readonly Module<ModuleNeeds, OpenWorkNeeds>[] = [
  idempotency,
  solana,
  events,
  audit,
  tenants,
  requests,
  custody,
  people,
  sponsorship,
  submissions,
  accounts,
  transactions,
  payments,
  rails,
  history,
  proposals,
  spendingLimits,
  standingOrders,
  passkeys,
  passkeySigners,
  walletExports,
  walletImports,
  signIn,
  members,
  adapterTables,
];

/** Every column that says where a row stands. */
export const stateColumns: readonly StateColumn[] = modules.flatMap(({ states = [] }) => states);

/** Every column that holds sealed values. */
export const sealedColumns: readonly SealedColumn[] = modules.flatMap(({ sealedColumns = [] }) => sealedColumns);

/** The secrets of keyed hashes that can be replaced while the service runs. */
export const replaceableSecrets: readonly ReplaceableSecret[] = modules.flatMap(({ secrets = [] }) => secrets);

/** How long rows stay, in the order of what depends on what. */
export const retentionRules: readonly RetentionRule[] = modules.flatMap(({ retention = [] }) => retention);

/** Every type of event, with what the modules say of its object. */
export const eventCatalogue: EventCatalogue = foldEvents(modules.map(({ events = {} }) => events));

const effects = modules.flatMap(({ afterConfirmation = [] }) => afterConfirmation);

/** What modules have a submit do that stand to the right of it. */
export const submitHooks: SubmitHooks = {
  checks: modules.flatMap(({ submitChecks = [] }) => submitChecks),
  onDelayedChange: async (needs, network, change) => {
    for (const { onDelayedChange } of modules) await onDelayedChange?.(needs, network, change);
  },
  afterConfirmation: async (needs, network, landed) => {
    for (const { name, concerns, run } of effects) {
      if (!concerns(landed)) continue;
      try {
        await run(needs, network, landed);
      } catch (error) {
        const { address: account } = landed.account;
        needs.log.warn(
          { event: "landed_effect_failed", err: error, account, effect: name },
          "effect of a confirmed transaction failed: a pass repeats it",
        );
      }
    }
  },
};
