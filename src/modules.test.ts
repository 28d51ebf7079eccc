import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openOwnAccount } from "../test/support/self-paid.js";
import { breakConnection, openTestNetwork, type TestNetwork } from "../test/support/test-network.js";
import { modules, sealedColumns, submitHooks } from "./modules.js";

let test: TestNetwork;
beforeAll(async () => {
  test = await openTestNetwork();
});
afterAll(() => test?.close());

describe("the list of modules", () => {
  it("names every folder that has a module.ts", () => {
    const root = fileURLToPath(new URL("..", import.meta.url));
    const files = ["src", "packages/kernel/src", "packages/solana/src"].flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
        .filter(({ name }) => name === "module.ts")
        .map(({ parentPath }) =>
          parentPath
            .slice(root.length)
            .replace(/^src\//, "")
            .replace(/^packages\/(.*)\/src/, "$1"),
        )
        // What a module is.
        .filter((folder) => folder !== "kernel"),
    );
    const named = modules.map(({ name }) => name).filter((name) => name !== "adapters");
    expect(named.sort()).toEqual(files.sort());
  });

  it("has every pass, check, effect and sealed column once", () => {
    const { needs, network } = test;
    const named = [
      ...modules.flatMap(({ openWork }) => openWork?.(needs, network) ?? []),
      ...modules.flatMap(({ passes }) => passes?.(needs, network) ?? []),
      ...submitHooks.checks,
      ...modules.flatMap(({ afterConfirmation = [] }) => afterConfirmation),
    ].map(({ name }) => name);
    expect(new Set(named).size).toBe(named.length);
    const columns = sealedColumns.map(({ table, column }) => `${table}.${column}`);
    expect(new Set(columns).size).toBe(columns.length);
  });
});

describe("the effects of a confirmed transaction", () => {
  it("fail for the log alone, one without the others", async () => {
    const account = await openOwnAccount(test);
    await test.needs.db
      .updateTable("account")
      .set({ members_due: 0n })
      .where("address", "=", account.address)
      .execute();
    test.logLines.length = 0;
    const deaf = breakConnection(test.network, () => true);
    const landed = {
      account: { address: account.address, tenantId: account.caller.tenantId, settingsAddress: account.settings },
      slot: 1n,
      changesSettings: true,
      changesProposals: true,
    };
    await submitHooks.afterConfirmation(test.needs, deaf, landed);
    expect(test.logLines.map(({ level, fields }) => [level, "effect" in fields && fields.effect])).toEqual([
      ["warn", "read_members"],
      ["warn", "read_proposals"],
      ["warn", "read_limits"],
    ]);
  });

  it("are left out where nothing that concerns them has changed", async () => {
    const account = await openOwnAccount(test);
    test.logLines.length = 0;
    const deaf = breakConnection(test.network, () => true);
    await submitHooks.afterConfirmation(test.needs, deaf, {
      account: { address: account.address, tenantId: account.caller.tenantId, settingsAddress: account.settings },
      slot: 1n,
      changesSettings: false,
      changesProposals: false,
    });
    expect(test.logLines).toEqual([]);
  });
});
