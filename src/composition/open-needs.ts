import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import type { RailsByEnvironment } from "@trellis/kernel/ports/rails.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import type { WebhookSender } from "@trellis/kernel/ports/webhook-post.js";
import { SIGNATURE_PROGRAM_ADDRESS, SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { createProgramChecks } from "@trellis/solana/check-program.js";
import { createCreationQueue } from "../accounts/creation-queue.js";
import { createHttpDelivery } from "../adapters/http-delivery/http-delivery.js";
import { systemPause } from "../adapters/system.js";
import { createWitnessSender } from "../adapters/witness-http.js";
import { logSigner, witnessSigner } from "../audit/log-key.js";
import type { Config } from "../config/config.js";
import { newTenantProtection } from "../config/remote-custodians.js";
import { createHistoryRefreshes } from "../history/history-refreshes.js";
import { createSignInMails } from "../members/sign-in-mails.js";
import { eventCatalogue, submitHooks } from "../modules.js";
import { createProposalRefreshes } from "../proposals/proposal-refreshes.js";
import { createRequestLog } from "../requests/request-log.js";
import { createPublishedKeys } from "../sign-in/identity-keys.js";
import { limitsOfOrders } from "../standing-orders/limits-of-orders.js";
import { createLookout } from "../submissions/lookout.js";
import { openCustodians } from "./open-custodians.js";
import { openMailer } from "./open-mailer.js";
import type { Metering } from "./open-metering.js";
import { openRails } from "./open-rails.js";

/** What a test may replace of it. */
export interface ReplacedNeeds {
  /** Waits between two polls of the chain. */
  readonly pause?: Pause;
  readonly webhookSender?: WebhookSender;
  /** Partners in place of the configured ones. */
  readonly rails?: (networks: ReadonlyMap<EnvironmentName, Network>) => RailsByEnvironment;
}

/** What it is made of. */
interface Parts {
  /** `background`: the connections of what no caller waits for. */
  readonly database: { readonly db: Db; readonly background: Db };
  readonly keyring: Keyring;
  readonly random: Random;
  readonly realClock: Clock;
  readonly log: Log;
  readonly networks: ReadonlyMap<EnvironmentName, Network>;
  readonly metering: Metering | undefined;
  /** Where the service is reached, known once it listens. */
  readonly baseUrl: () => string;
  /** The release. */
  readonly version: string;
}

/** What endpoints and passes ask of the world. What has to be closed is added to `opened`. */
export async function openNeeds(
  config: Config,
  { database, networks, metering, baseUrl, version, ...parts }: Parts,
  replaced: ReplacedNeeds,
  opened: { close(): Promise<unknown> }[],
) {
  const { db, background } = database;
  const { keyring, random, realClock, log } = parts;
  const mailer = openMailer(config, opened);
  const signInMails = createSignInMails({ ...parts, db, mailer });
  opened.push({ close: signInMails.settled });
  const custodians = await openCustodians(config, { db, keyring, random, realClock, log }, opened);
  const pause = replaced.pause ?? systemPause;
  const sender = replaced.webhookSender ?? openWebhookSender(config);
  const needs = {
    ...parts,
    db,
    pause,
    mailer,
    signInMails,
    version,
    otpLifetimeMs: config.otpLifetimeMs,
    custodians: custodians.over(db),
    newTenantProtection: newTenantProtection(config),
    creationQueue: createCreationQueue(realClock),
    proposalRefreshes: createProposalRefreshes({ db, log, pause }),
    historyRefreshes: createHistoryRefreshes({ db, log, pause }),
    lookout: createLookout(pause),
    programs: createProgramChecks({
      log,
      trusted: config.knownPrograms,
      programs: [SMART_ACCOUNT_PROGRAM_ADDRESS, SIGNATURE_PROGRAM_ADDRESS],
    }),
    requestLog: createRequestLog(metering?.metrics),
    submitHooks,
    eventCatalogue,
    limitsOfOrders,
    publishedKeys: createPublishedKeys({ db, clock: realClock }),
    publicUrl: baseUrl,
    networks,
    served: [...networks.keys()],
    auditSigner: logSigner(keyring, config.auditOrigin),
    auditWitnesses: config.auditWitnesses.map(({ verifier, url }) => ({ verifier, send: createWitnessSender(url) })),
    custodianLogs: {
      logs: custodians.logs,
      cosigner: witnessSigner(keyring, config.auditOrigin),
      faults: new Map<string, string>(),
    },
    rails: replaced.rails?.(networks) ?? (await openRails(config, { ...parts, db, baseUrl }, networks)),
    webhookSender: metering?.meterSender(sender) ?? sender,
  };
  const inBackground = { ...needs, db: background, custodians: custodians.over(background) };
  return { needs, background: inBackground, guardian: custodians.guardian };
}

function openWebhookSender({ webhooks, sandbox }: Config): WebhookSender {
  return createHttpDelivery({ allowed: { ...webhooks, loopback: sandbox.kind === "embedded" } });
}
