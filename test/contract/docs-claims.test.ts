import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Contract } from "@trellis/kernel/endpoint.js";
import { type ErrorCode, errorCatalogue, wireCode } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { describe, expect, it } from "vitest";
import { custodianVariables } from "../../src/config/custodian.js";
import { variables } from "../../src/config/variables.js";
import { operations } from "../../src/custody/protocol/operations.js";
import { endpoints } from "../../src/endpoints.js";
import {
  branchesOf,
  declaredProperties,
  elementSchemas,
  type JsonSchema,
  jsonSchemaOf,
} from "../../src/http/json-schema.js";
import { operationalContracts } from "../../src/http/operational-endpoints.js";
import { sandboxRpcContract } from "../../src/http/sandbox-rpc.js";

describe("the documentation", () => {
  it("states the numbers of limits.ts", () => {
    const untrue = Object.entries(claims).flatMap(([page, sentences]) => {
      const text = inOneLine(pageOf(page));
      return sentences.filter((sentence) => !text.includes(sentence)).map((sentence) => `${page}: ${sentence}`);
    });
    expect(untrue).toEqual([]);
  });

  it("names the errors that an operation declares in the operation's row", () => {
    const unsaid = contracts.flatMap((contract) => {
      const row = pageWith(contract)
        .split("\n")
        .filter((line) => line.startsWith(rowOf(contract)))
        .join("\n");
      return contract.errors
        .filter((code) => !row.includes(`\`${wireCode(code)}\``))
        .map((code) => `${contract.operation}: ${code}`);
    });
    expect(unsaid).toEqual([]);
  });

  it("names every field of requests and answers in the contract", () => {
    const contract = [...pages].flatMap(([page, text]) => (page.startsWith("docs/api/") ? [text] : [])).join("\n");
    const words = new Set(contract.match(/\w+/g));
    const ours = endpoints.map(({ contract: each }) => each as Contract);
    const unnamed = ours.flatMap(({ operation, body, query, response }) =>
      namesWithin([body, query, response.schema].flatMap((schema) => (schema ? [jsonSchemaOf(schema)] : [])))
        .filter((name) => !words.has(name))
        .map((name) => `${operation}: ${name}`),
    );
    expect([...new Set(unnamed)]).toEqual([]);
  });

  it("gives errors the status they have", () => {
    const wrong = [...pages].flatMap(([page, text]) =>
      [...inOneLine(text).matchAll(/\b([45]\d\d) `([a-z_]+)`/g)].flatMap(([said, status, code = ""]) => {
        const known = Object.entries(errorCatalogue).filter(([name]) => wireCode(name as ErrorCode) === code);
        const isTrue = known.some(([, [actual]]) => String(actual) === status);
        return known.length > 0 && !isTrue ? [`${page}: ${said}`] : [];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it("calls paths and methods that there are", () => {
    const nameless = (path: string) => path.replace(/\{\w+\}/g, "{}");
    // The protocol of custodians is a contract of its own.
    const known = [...contracts, ...Object.values(operations)].map(({ method, path }) => ({
      method,
      path: nameless(path),
    }));
    const unknown = [...pages].flatMap(([page, text]) =>
      [...text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) ([…/][^`\s?]*)/g)].flatMap(([, method, written = ""]) => {
        // `…` stands for a beginning that the page names.
        const end = nameless(written.replace(/^…/, ""));
        const isKnown = known.some((each) => each.method === method && each.path.endsWith(end));
        return isKnown || notOurs.test(written) ? [] : [`${page}: ${method} ${written}`];
      }),
    );
    expect(unknown).toEqual([]);
  });

  it("names variables that there are", () => {
    const files = new Map(pages);
    for (const file of [
      "deploy/container/compose.yml",
      "deploy/container/Containerfile",
      "deploy/systemd/trellis.service",
      "deploy/systemd/trellis-custodian.service",
    ]) {
      files.set(file, read(file));
    }
    const unknown = [...files].flatMap(([page, text]) =>
      [...text.matchAll(/\bTRELLIS_[A-Z0-9_]*[A-Z0-9](?![A-Z0-9_…*<])/g)]
        .map(([name]) => name)
        .filter((name) => !(name in variables) && !(name in custodianVariables) && !besides.has(name))
        .map((name) => `${page}: ${name}`),
    );
    expect([...new Set(unknown)]).toEqual([]);
  });
});

const root = fileURLToPath(new URL("../..", import.meta.url));

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const documentsIn = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));

/** What users read. */
const pages = new Map(
  [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "packages/sdk/README.md",
    "packages/react/README.md",
    "examples/README.md",
  ]
    .concat(documentsIn("docs"), documentsIn("docs/api"))
    .map((file) => [file, read(file)]),
);
const contracts = [...endpoints.map(({ contract }) => contract), sandboxRpcContract, ...operationalContracts];

interface Called {
  readonly method: string;
  readonly path: string;
}

const minutes = (ms: number) => ms / 60_000;
const hours = (ms: number) => ms / 3_600_000;
const days = (ms: number) => ms / 86_400_000;
const many = (count: number | bigint) => count.toLocaleString("en-US");
const byDefault = (name: keyof typeof variables) => many(Number(variables[name][0]));
const sol = (name: keyof typeof variables) => String(Number(variables[name][0]) / 1_000_000_000);

/** Sentences of the documentation that state a number of `limits.ts`, made of that number. */
const claims: Readonly<Record<string, readonly string[]>> = {
  "docs/api/general.md": [
    `A body** may have up to ${limits.bodyBytes / 1024} KiB`,
    `| tries per one-time code | ${limits.otpAttempts} |`,
    `| life of a one-time code | ${minutes(limits.otpLifetimeMs)} minutes from its making |`,
    `| signers of an account | ${limits.signersMax} |`,
    `| transactions of one submit | ${limits.submitTransactionsMax} |`,
    `| page of a list | ${limits.historyPageDefault} by default, at most ${limits.historyPageMax} | most lists; of events, attempts and deposits at most ${limits.eventPageMax} |`,
    `| life of a credential bundle | ${hours(limits.credentialBundleDefaultMs)} hour by default |`,
    `Results are kept for ${hours(limits.idempotencyKeptMs)} hours`,
    `keeps its key for ${limits.idempotencyLeaseMs / 1000} seconds at most`,
  ],
  "docs/api/accounts.md": [
    `seconds, 0 to ${many(limits.timeLockMaxSeconds)} (${limits.timeLockMaxSeconds / 86_400} days)`,
    `| signers | 1 to ${limits.signersMax}, none twice |`,
    `| \`threshold\` | 1 to ${limits.signersMax}, and at most`,
    `More than fits into the ${many(limits.transactionBytes)} bytes of a transaction`,
    `| \`expires_at\` | date-time | ${minutes(limits.otpLifetimeMs)} minutes after \`created_at\` |`,
  ],
  "docs/api/sessions.md": [
    `It lives ${minutes(limits.otpLifetimeMs)} minutes`,
    `| ${limits.otpFailuresPerAddressPerDay} wrong tries for one address within 24 hours`,
    `| ${limits.otpFailuresPerTenantPerHourAlarm} wrong tries for one tenant and environment within an hour`,
    `while it lasts, ${limits.otpFailuresPerAddressUnderAlarm} block an address`,
    `more than ${limits.mailsPerAddressPerHour} mails an hour or ${limits.mailsPerAddressPerDay} a day to one address`,
    `more than ${limits.signUpMailsPerAddressPerHour} sign-up mails an hour or ${limits.signUpMailsPerAddressPerDay} a day to one address`,
    `A session lives ${hours(limits.sessionDefaultMs)} hours, or as long as \`expiration\` asks, at most ${days(limits.sessionMaxMs)} days`,
    `accepted once more within ${limits.refreshGraceMs / 1000} seconds`,
    `refreshed at most ${limits.refreshesPerMinute} times a minute`,
    `obeys the newest ${limits.liveKeysTried} authorization keys`,
    `No chain outlives ${days(limits.sessionMaxMs)} days`,
  ],
  "docs/api/transactions.md": [
    `within ${minutes(limits.kmsTimestampToleranceMs)} minutes of real time`,
    `the wallet's ${limits.explainingKeysTried} other sessions`,
    `one of the latest ${limits.explainingKeysTried} encryption keys`,
    `for ${days(limits.kept.submissionMs)} days after its outcome`,
    `The multiple form takes 1 to ${limits.submitTransactionsMax} transactions`,
    `at most ${limits.openProposalsMax} open proposals whose rent the service paid`,
  ],
  "docs/api/payment-intents.md": [
    `It has 1 to ${limits.paymentMemoBytes} bytes of UTF-8`,
    `\`limit\` (0 to ${limits.intentPageMax}, ${limits.intentPageDefault} by default)`,
    `Intents are kept for ${days(limits.kept.paymentIntentMs)} days`,
    `cancelled at the partner after ${minutes(limits.railAbandonMs)} minutes`,
    `has not come ${days(limits.payInOpenForMs)} days (environment time) after it was opened`,
    `is tried ${limits.simulatedPaymentTries} times`,
  ],
  "docs/api/history.md": [
    `when the last look is more than ${limits.refreshGoodForMs / 1000} seconds old`,
    `no more than ${limits.refreshPatienceMs / 1000} seconds for it`,
    `owned before, up to ${limits.historyTokenAccountsMax}`,
    `for the ${limits.subscribedAccountsMax} accounts last active and ${many(limits.subscribedTokenAccountsMax)} of their token accounts`,
    `when somebody asks, or after ${days(limits.historyReadApartMostMs)} days`,
    `\`limit\` is 0 to ${limits.historyPageMax}, ${limits.historyPageDefault} by default`,
    `a page looks through ${limits.historyScanMax} rows`,
  ],
  "docs/api/proposals.md": [
    `\`actions\`, 1 to ${limits.proposalActionsMax} of those below`,
    `default ${limits.proposalPageDefault}, maximum ${limits.proposalPageMax}`,
    `(older than ${limits.oldApprovalSeconds / 3_600} hours)`,
    `of the ${limits.subscribedAccountsMax} accounts last active and of ${limits.subscribedProposalsMax} of their open proposals`,
    `${limits.refreshesApartLeastMs / 1000} seconds | ${minutes(limits.openRefreshesApartMostMs)} minutes |`,
    `followed for ${minutes(limits.awakeMs)} minutes after that`,
    `the last look is more than ${limits.refreshGoodForMs / 1000} seconds old, and waits no more than ${limits.refreshPatienceMs / 1000} seconds`,
    `\`transactions\`, 2 to ${limits.batchTransactionsMax} of them`,
    `more than ${limits.batchTransactionsRead} the content is not shown`,
    `of the same \`signer\`'s among the account's ${limits.draftsRead} latest proposals`,
  ],
  "docs/api/spending-limits.md": [
    `1 to ${limits.spendingLimitSignersMax} different addresses`,
    `up to ${limits.spendingLimitDestinationsMax} different owners`,
    `\`limit\` is 0 to ${limits.spendingLimitPageMax}, by default ${limits.spendingLimitPageDefault}`,
  ],
  "docs/api/standing-orders.md": [
    `expires ${days(limits.standingOrderLimitOutlivesMs)} days after the last of them`,
    `in the last ${minutes(limits.standingOrderStartGraceMs)} minutes`,
    `more than ${many(limits.standingOrderDuesMax)} due dates`,
    `at most ${limits.standingOrdersOpenMax} pending and active orders`,
    `\`limit\` is 0 to ${limits.standingOrderPageMax}, by default ${limits.standingOrderPageDefault}`,
    `for a proposal ${days(limits.standingOrderProposalWaitMs)} days later`,
    `has not come ${minutes(limits.standingOrderMandateGraceMs)} minutes after that`,
    `noticed for ${days(limits.standingOrderRemovalWaitMs)} days`,
    `Payouts are kept for ${days(limits.kept.railTransferMs)} days`,
  ],
  "docs/api/rails.md": [
    `The link lives ${hours(limits.kycLinkMs)} hours`,
    `older than ${limits.partnerWordGoodForMs / 1000} seconds, and for ${limits.partnerPatienceMs / 1000} seconds at most`,
    `read within ${hours(limits.approvalGoodForMs)} hours of real time is believed`,
    `(\`limit\`, ${limits.depositPageDefault} by default and ${limits.depositPageMax} at most, and \`cursor\`)`,
    `At most ${limits.externalAccountsMax} for one account`,
    `none within ${limits.partnerCallMs / 1000} seconds`,
    `A key older than ${hours(limits.partnerKeyMs)} hours`,
    `News are kept for ${days(limits.kept.railNoticeMs)} days`,
    `At most ${many(limits.partnerNewsPerMinute)} a minute come from one address`,
  ],
  "docs/api/events.md": [
    `\`limit\` ${limits.eventPageDefault} by default and ${limits.eventPageMax} at most`,
    `A tenant has at most ${limits.webhookEndpointsMax} in an environment`,
    `(\`proposal\`, \`proposal.*\`), 1 to ${limits.webhookFiltersMax} of them`,
    `${limits.secretOverlapSeconds / 3_600} hours by default, 0 to ${limits.secretOverlapMaxSeconds / 86_400} days`,
    `forgotten after ${days(limits.kept.deletedEndpointMs)} days`,
    `an endpoint has ${limits.deliveriesAtOncePerEndpoint} requests under way at most`,
    `A request has ${limits.receiverTotalMs / 1000} seconds, ${limits.receiverConnectMs / 1000} of them to connect`,
    `at most ${limits.receiverAnswerReadBytes / 1024} kB are read, and ${limits.receiverAnswerKeptBytes / 1024} kB kept`,
    `up to ${many(limits.replayMax)} events a call`,
    `at once, and after ${waits(limits.deliveryWaitsMs)}, each wait`,
    `kept for ${days(limits.kept.eventMs)} days, attempts for ${days(limits.kept.webhookAttemptMs)}, endpoints of single payments for ${days(limits.kept.intentEndpointMs)}`,
  ],
  "docs/api/api-keys.md": [
    `${many(limits.apiKeysMax)} test keys and ${many(limits.apiKeysMax)} live keys of a tenant at most`,
    `\`allowed_origins\` (up to ${limits.apiKeyOriginsMax}), \`allowed_addresses\` (up to ${limits.apiKeyRangesMax})`,
    `${limits.apiKeyPageDefault} a page, ${limits.apiKeyPageMax} at most`,
    `are ${limits.pageSignUpMailsPerAddressPerHour} an hour and ${limits.pageSignUpMailsPerAddressPerDay} a day to one address`,
    `${3 * limits.mailsPerAddressPerHour} mails an hour and ${3 * limits.mailsPerAddressPerDay} a day at most`,
    `One signs for ${days(limits.identityKeySignsMs)} days`,
  ],
  "docs/api/passkey-signers.md": [
    `One remote address may make ${limits.ceremonyCallsPerMinute} calls a minute`,
    `One challenge takes ${limits.signerAnswersMax} answers without a key`,
    `your accounts with this signer, the newest ${limits.accountsOfWallet}`,
  ],
  "docs/api/import.md": [`an end ${minutes(limits.importProofMs)} minutes ahead`],
  "docs/api/sandbox.md": [
    `by ${limits.clockAdvanceMaxSeconds / 86_400} days a call at the most`,
    `(${many(limits.standingOrderStopsInOneMove)} at most)`,
    `After ${many(limits.standingOrderRunsInOneMove)} due dates, or ${many(limits.standingOrderStopsInOneMove)} stops`,
    `N is 0 to ${limits.sandboxFaultsAlways}, which is always`,
    `\`price\` is at most ${limits.sandboxPriceMax}, \`lag\` ${limits.sandboxLagMax}`,
    `Of more than ${many(limits.sandboxLagTransactionsMax)} transactions that it has still to learn of, or ${limits.sandboxLagBytesMax / 1_048_576} MiB of accounts`,
    `(${many(limits.computePriceCapMicroLamports)} at most, `,
    `at most ${limits.simulatedPaymentMaxCents / 100n}`,
    `${limits.sandboxSockets.connections} connections, ${limits.sandboxSockets.connectionsPerOwner} of one key, ${many(limits.sandboxSockets.subscriptionsPerConnection)} subscriptions (${many(limits.sandboxSockets.subscriptionsPerOwner)} of one key, ${many(limits.sandboxSockets.subscriptions)} in all)`,
  ],
  "docs/operations.md": [
    `below ${Number(limits.passkeyPayerNeedsLamports) / 1_000_000_000} SOL no passkey is made`,
    `has ${limits.creationsUnderWayMax} of them under way`,
    `Of each, ${limits.creationsWaitingPerTenantMax} requests may wait, ${many(limits.creationsWaitingMax)} in all, for ${limits.creationWaitMaxMs / 1000} seconds at most`,
    `in statements of ${limits.sweptInOneStatement} rows`,
    `after ${limits.statementMs / 1000} seconds, one of a pass after ${limits.backgroundStatementMs / 1000}, and a transaction that does nothing for ${limits.idleInTransactionMs / 1000} seconds`,
    `| stored answers of idempotency keys | ${hours(limits.idempotencyKeptMs)} hours |`,
    `| wrong tries | ${days(limits.kept.otpFailureMs)} days |`,
    `| mails (texts are wiped when they have gone out) | ${days(limits.kept.mailMs)} days |`,
    `| addresses that asked for an account and never used the code | ${days(limits.kept.pendingAccountMs)} days |`,
    `| sessions | ${days(limits.kept.sessionMs)} days after`,
    `| authorization keys | ${days(limits.kept.authorizationKeyMs)} days after`,
    `| signed bytes of a submission | ${days(limits.kept.submissionBytesMs)} days after`,
    `${days(limits.kept.submissionMs)} days after their outcome`,
    `| sponsorship budgets | ${days(limits.kept.sponsorshipBudgetMs)} days after their day |`,
    `| events, and what was delivered of them | ${days(limits.kept.eventMs)} days `,
  ],
  "SECURITY.md": [
    `${minutes(limits.otpLifetimeMs)} minutes, ${limits.otpAttempts} tries`,
    `${limits.otpFailuresPerAddressPerDay}; ${limits.otpFailuresPerAddressUnderAlarm} under alarm`,
    `${hours(limits.sessionDefaultMs)} hours, at most ${days(limits.sessionMaxMs)} days`,
    `${byDefault("TRELLIS_RATE_LIMIT")}, ${byDefault("TRELLIS_TENANT_RATE_LIMIT")}`,
    `${byDefault("TRELLIS_PUBLISHABLE_RATE_LIMIT")}, ${byDefault("TRELLIS_PUBLISHABLE_ADDRESS_RATE_LIMIT")}`,
    `| ${byDefault("TRELLIS_TENANT_DAILY_WRITES")} |`,
    `| ${sol("TRELLIS_SPONSOR_PER_TRANSACTION")}; ${sol("TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY")}, ${sol("TRELLIS_SPONSOR_PER_TENANT_PER_DAY")}, ${sol("TRELLIS_SPONSOR_PER_DAY")} |`,
  ],
  "docs/personal-data.md": [
    `the partner never answered for: ${days(limits.kept.unansweredVerificationMs)} days`,
    `counts as waited for during ${days(limits.payInOpenForMs)} days`,
    `amounts and addresses, for ${days(limits.kept.eventMs)} days`,
  ],
  "docs/glossary.md": [`good for ${minutes(limits.otpLifetimeMs)} minutes and three tries`],
};

/** `[5_000, 300_000, 7_200_000]` → `5 s, 5 min and 2 h`. */
function waits(all: readonly number[]): string {
  const texts = all.map((ms) =>
    ms < 60_000 ? `${ms / 1000} s` : ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`,
  );
  return `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;
}

/** Paths that are written down and are no operations of the interface. */
const notOurs = /^\/(hooks\/bridge\/|metrics$|api\/service\/v1\/sandbox\/rpc$)/;

/** Variables that others than the service read: scripts, examples and tests. */
const besides = new Set([
  "TRELLIS_URL",
  "TRELLIS_AGENT_KEY",
  "TRELLIS_CI_ALL",
  "TRELLIS_TEST_DATABASE_URL",
  "TRELLIS_TEST_PYTHON",
  "TRELLIS_HISTORIES",
  "TRELLIS_HISTORY_SEED",
  "TRELLIS_OUTSIDE_HISTORIES",
  "TRELLIS_OUTSIDE_HISTORY_SEED",
  "TRELLIS_OUTSIDE_PARTNERS",
  "TRELLIS_KILLED_WRITERS",
  "TRELLIS_KILLED_DELIVERERS",
  "TRELLIS_EVENT_STORM",
  "TRELLIS_EVENT_STORM_RECEIVERS",
]);

const pageOf = (name: string): string => pages.get(name) ?? "";

/** How rows of tables begin that are about an operation. */
const rowOf = ({ method, path }: Called): string => `| \`${method} ${path.replace("/api/service/v1", "")}\` `;

/** The page of the contract whose tables have the operation. */
const pageWith = (called: Called): string => [...pages.values()].find((text) => text.includes(rowOf(called))) ?? "";

/** The names of all fields in these schemas, at any depth. */
function namesWithin(schemas: readonly JsonSchema[]): string[] {
  const branches = branchesOf(schemas);
  const elements = elementSchemas(branches);
  return [
    ...(elements.length === 0 ? [] : namesWithin(elements)),
    ...[...declaredProperties(branches)].flatMap(([name, { schemas: fields }]) => [name, ...namesWithin(fields)]),
  ];
}

const inOneLine = (text: string): string => text.replace(/\s+/g, " ");
