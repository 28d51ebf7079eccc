import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { DataDirectoryInUseError } from "../../src/adapters/db/data-directory-lock.js";
import { createLogger } from "../../src/adapters/log/pino-log.js";
import { type Config, parseConfig } from "../../src/config/config.js";
import { rebuildIndex } from "../../src/operator/rebuild-index.js";
import { type RunningService, startService } from "../../src/service.js";
import { unpackSnapshot } from "../support/test-database.js";
import { useDirectory } from "../support/use-directory.js";
import { type Chain, callsOn, openAccount, openChainClient } from "./index-chain-client.js";

const directory = useDirectory();
let config: Config;
beforeAll(async () => {
  await unpackSnapshot(join(directory, "postgres"));
  config = parseConfig({ PORT: "0", TRELLIS_DATA_DIR: directory, TRELLIS_API_KEY: apiKey, TRELLIS_RATE_LIMIT: "0" });
});

it("is followed by the running service, and made anew by the command as it was", { timeout: 240_000 }, async () => {
  const first = await startService(config, logger);
  const chain = chainOf(first);
  const account = await openAccount(chain, { members: 1, threshold: 1 });
  const client = await openChainClient(chain);
  await callsOn(account, client, 1n).createPayment(1_000_000n);
  await callsOn(account, client, 1n).vote("approve", 0);
  await expect(rebuildIndex(config, logger, undefined)).rejects.toThrow(DataDirectoryInUseError);
  await first.close();

  // What happened before a start is there when it answers.
  const second = await startService(config, logger);
  const followed = await rowsOf(second);
  expect(followed).toMatchObject([{ transaction_index: 1n, status: "Approved", chain_status: "approved" }]);
  await second.db.updateTable("proposal").set({ status: "Cancelled", votes: "[]" }).execute();
  await second.close();

  const counts = await rebuildIndex(config, logger, "sandbox");
  expect([...counts]).toMatchObject([
    [
      "sandbox",
      { accounts: 1, unreadable: 0, transactions: 1, proposals: 1, closed: 0, histories: { accounts: 1, unread: 0 } },
    ],
  ]);
  expect([...(await rebuildIndex(config, logger, "mainnet"))]).toEqual([]);

  const third = await startService(config, logger);
  expect(await rowsOf(third)).toEqual(followed);
  await third.close();
});

const apiKey = `sk_test_${randomBytes(24).toString("hex")}`;
const logger = createLogger("fatal");

/** The service's own chain and, over HTTP, its endpoints. */
function chainOf(service: RunningService): Chain {
  const network = service.networks.get("sandbox");
  if (network === undefined) throw new Error("no sandbox");
  return {
    network,
    call: async <T>(endpoint: Parameters<Chain["call"]>[0], parts: Parameters<Chain["call"]>[1] = {}): Promise<T> => {
      const { method, path } = endpoint.contract;
      const response = await fetch(`${service.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          "x-service-environment": "sandbox",
          "content-type": "application/json",
        },
        body: JSON.stringify(parts.body),
      });
      const body = (await response.json()) as { data: T };
      if (!response.ok) throw new Error(JSON.stringify(body));
      return body.data;
    },
  };
}

const rowsOf = (service: RunningService) =>
  service.db
    .selectFrom("proposal")
    .select(["transaction_index", "status", "chain_status", "votes", "opened_at", "reclaimed_lamports"])
    .orderBy("transaction_index")
    .execute();
