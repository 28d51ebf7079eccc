import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import { createMacs, emptyBook } from "@trellis/kernel/crypto/macs.js";
import type { Command } from "commander";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { systemRandom } from "../../src/adapters/system.js";
import { createCommandNeeds } from "../../src/cli/commands/needs.js";
import { createProgram, runProgram } from "../../src/cli/commands/program.js";
import type { KeyCommand } from "../../src/cli/manage-keys.js";
import { listRefunds, settleOne } from "../../src/cli/rails-refunds.js";
import { createAuthenticator } from "../../src/tenants/authenticate.js";
import { useDatabase } from "../support/use-database.js";

const database = useDatabase();

describe("trellis tenant and api-key", () => {
  it("make a tenant and keys that work, show each key once, and end them", async () => {
    expect(await run("tenant create shop", { name: "Shop" })).toMatchObject({ code: 0 });
    expect(await run("tenant create shop")).toMatchObject({ code: 1, stderr: "There is a tenant shop already.\n" });
    const made = await run("api-key create", forShop);
    expect(made).toMatchObject({ code: 0 });
    const [key = ""] = (made.stdout ?? "").split("\n");
    expect(key).toMatch(/^sk_test_/);
    const caller = await authenticate(key);
    expect(caller).toMatchObject({ tenantId: "shop", environments: ["sandbox"] });
    expect([...caller.scopes]).toEqual(["accounts:read", "auth:write"]);

    const listed = await run("api-key list", { tenant: "shop" });
    expect(listed.stdout).toContain("Server");
    expect(listed.stdout).not.toContain(key);
    const [id = ""] = (listed.stdout ?? "").split("  ");

    expect((await run("tenant disable shop")).stdout).toContain("disabled since");
    await expect(authenticate(key)).rejects.toMatchObject({ code: "api_key_disabled" });
    expect((await run("tenant list")).stdout).toContain("shop  Shop  disabled since");
    expect((await run("tenant enable shop")).stdout).toContain("enabled");
    expect(await authenticate(key)).toMatchObject({ tenantId: "shop" });

    others = ["", "psql"];
    expect((await run("tenant freeze shop")).stdout).toContain('not of this release: without a name, named "psql".');
    others = [];
    expect((await run("tenant freeze shop")).stdout).not.toContain("not of this release");
    expect((await run("tenant freeze shop")).stdout).toContain("frozen since");
    expect(await authenticate(key)).toMatchObject({ tenantId: "shop", isFrozen: true });
    expect(await run("tenant unfreeze shop")).toMatchObject({ code: 1 });
    expect(await authenticate(key)).toMatchObject({ isFrozen: true });
    expect((await run("tenant unfreeze shop", { "nowhere-else": true })).stdout).not.toContain("frozen");
    expect(await authenticate(key)).not.toHaveProperty("isFrozen");

    expect((await run(`api-key revoke ${id}`)).stdout).toContain("revoked");
    await expect(authenticate(key)).rejects.toMatchObject({ code: "api_key_disabled" });
  });

  it("invite members to the console, and print links for those who are", async () => {
    const invitation = { email: "Ada@Example.org", role: "owner", operator: true };
    const invited = await run("console invite", invitation);
    expect(invited).toMatchObject({ code: 1, stderr: "There is no tenant default.\n" });
    await run("tenant create default");
    const made = await run("console invite", invitation);
    expect(made.stdout).toMatch(
      /^ada@example\.org is invited as owner and operator\..*\nhttps:\/\/trellis\.example\/console\/#accept=[\w-]{43}\n$/,
    );
    const link = await run("console link", { email: "ada@example.org" });
    expect(link.stdout).toContain("#accept=");
    expect((await run("console invite", { ...invitation, role: "king" })).stderr).toContain(
      "--role is owner, developer",
    );
    expect((await run("console invite", { ...invitation, environments: "moon" })).stderr).toContain(
      "--environments has",
    );
    expect((await run("console link", { email: "eve@example.org" })).stderr).toContain("has no member");
    expect((await run("console allow-codes", { email: "eve@example.org" })).stderr).toContain("has no member");
    expect((await run("console allow-codes", { email: "ada@example.org" })).stderr).toContain("requires no passkey");
    await database.db.updateTable("member").set({ passkey_required: true }).execute();
    expect((await run("console allow-codes", { email: "ada@example.org" })).stdout).toContain("again");
    const { rows: lifted } = await sql<{ body: string }>`select body from audit_entry where kind = 'member.changed'
      order by sequence desc limit 1`.execute(database.db);
    expect(JSON.parse(lifted[0]?.body ?? "")).toMatchObject({
      actor: "operator",
      details: { passkey_required: false },
    });
    expect((await run("console disable", { email: "eve@example.org" })).stderr).toContain("has no member");
    expect((await run("console disable", { email: "ada@example.org" })).stdout).toContain("is disabled in default");
    expect((await run("console link", { email: "ada@example.org" })).stderr).toContain("is disabled");
    expect(await run("console invite", invitation)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("already"),
    });
    expect((await run("console remove", { email: "ada@example.org" })).stdout).toContain("is removed in default");
    expect(await database.db.selectFrom("member").select("id").execute()).toEqual([]);
  });

  it("make publishable keys for listed pages, with the scopes they can have", async () => {
    const pages = { tenant: "shop", name: "App", environments: "sandbox", publishable: true };
    const made = await run("api-key create", { ...pages, origins: "https://app.example, http://localhost:5173" });
    const [key = ""] = (made.stdout ?? "").split("\n");
    expect(key).toMatch(/^pk_test_/);
    const at = (origin: string | undefined) => authenticate(key, { address: "192.0.2.1", origin });
    expect(await at("http://localhost:5173")).toMatchObject({ isPublishable: true });
    await expect(at("https://evil.example")).rejects.toMatchObject({ code: "origin_not_allowed" });
    await expect(at(undefined)).rejects.toMatchObject({ code: "origin_not_allowed" });
    expect((await run("api-key create", pages)).stderr).toContain("needs the origins");
    const tooMuch = { ...pages, origins: "https://app.example", scopes: "accounts:write" };
    expect((await run("api-key create", tooMuch)).stderr).toContain("cannot have the scope accounts:write");
  });

  it("say what is wrong, and make nothing then", async () => {
    const before = (await run("api-key list", { tenant: "shop" })).stdout;
    for (const [options, text] of [
      [{ ...forShop, tenant: "nobody" }, "no tenant nobody"],
      [{ ...forShop, scopes: "everything" }, 'no scope "everything"'],
      [{ ...forShop, environments: "sandbox,mainnet" }, "for mainnet alone"],
      [{ ...forShop, environments: "moon" }, 'no environment "moon"'],
      [{ ...forShop, addresses: "300.1.1.1" }, "CIDR"],
      [{ ...forShop, expires: "2020-01-01T00:00:00Z" }, "in the future"],
      [{ ...forShop, origins: "https://app.example" }, "Only publishable keys"],
    ] as const) {
      expect(await run("api-key create", options)).toMatchObject({ code: 1, stderr: expect.stringContaining(text) });
    }
    expect(await run("tenant create Shop")).toMatchObject({ code: 1 });
    expect(await run("tenant disable nobody")).toMatchObject({ code: 1 });
    expect(await run("api-key revoke nothing")).toMatchObject({ code: 1 });
    expect(await run("tenant rename shop")).toMatchObject({ code: 2, stderr: expect.stringContaining("rename") });
    expect((await run("api-key list", { tenant: "shop" })).stdout).toBe(before);
  });

  it("open the configured database and print their result, as others do", async () => {
    const directory = mkdtempSync(join(tmpdir(), "trellis-keys-"));
    const written: string[] = [];
    const stream = vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
    try {
      const variables = { TRELLIS_DATA_DIR: directory, TRELLIS_MASTER_KEY: randomBytes(32).toString("base64") };
      expect(await runProgram(createCommandNeeds(variables), ["tenant", "create", "shop"])).toBeUndefined();
      await listRefunds(variables);
      const refusals = vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
      await settleOne(variables, "nothing", { note: "seen", by: undefined });
      refusals.mockRestore();
      expect(process.exitCode).toBe(1);
    } finally {
      process.exitCode = 0;
      stream.mockRestore();
      rmSync(directory, { recursive: true, force: true });
    }
    expect(written.join("")).toContain("The tenant shop is there");
    expect(written.join("")).toContain("There is no failed refund that is not settled.");
    expect(written.join("")).toContain("There is neither a payment nor a payout nothing.");
  });
});

describe("trellis tenant create and protect", () => {
  const recovery = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";

  it("say what a tenant's accounts are where a request says nothing, and change it later", async () => {
    expect((await run("tenant create plain-shop")).stdout).toContain("E-mail accounts of plain-shop are plain");
    const made = await run("tenant create guarded-shop", { protection: "guarded" });
    expect(made.stdout).toContain(
      "are guarded unless the request says otherwise. Recovery signer where it names none: none",
    );
    const protect = (options: Record<string, string>) => run("tenant protect guarded-shop", options);
    expect((await protect({ recovery })).stdout).toContain(`names none: ${recovery}.`);
    expect((await protect({ protection: "plain" })).stdout).toContain("are plain");
    expect((await protect({ protection: "guarded" })).stdout).toContain(recovery);
    expect((await protect({ recovery: "none" })).stdout).toContain("none, each request has to name one");
  });

  it("refuse what is no protection, and what no key signs for", async () => {
    await run("tenant create strict-shop");
    const program = "11111111111111111111111111111111";
    for (const options of [{ protection: "strong" }, { recovery: "x" }, { recovery: program }]) {
      expect(await run("tenant protect strict-shop", options)).toMatchObject({ code: 1, stdout: "" });
    }
    expect((await run("tenant protect nobody")).stderr).toBe("There is no tenant nobody.\n");
  });

  it("make guarded accounts the default where the service says so", async () => {
    protection = "guarded";
    expect((await run("tenant create real-shop")).stdout).toContain("are guarded");
    expect((await run("tenant create other-shop", { protection: "plain" })).stdout).toContain("are plain");
    protection = "plain";
  });
});

describe("trellis tenant relying-party", () => {
  it("says which tenant has a domain, and has another one have it", async () => {
    const decide = async (options: Record<string, string> = {}) =>
      (await run("tenant relying-party shared.example", options)).stdout;
    expect(await decide()).toBe("No tenant claims shared.example.\n");
    for (const id of ["squatter", "owner"]) {
      await run(`tenant create ${id}`);
      await sql`update tenant set relying_party = ${JSON.stringify({ id: "shared.example", name: "x", origins: [] })},
        created_at = ${id === "owner" ? 2 : 1} where id = ${id}`.execute(database.db);
    }
    expect(await decide()).toBe("squatter  has it\nowner  is refused it\n");
    const named = "owner  has it, named by the operator\nsquatter  is refused it\n";
    expect(await decide({ owner: "owner" })).toBe(named);
    const wrong = await run("tenant relying-party shared.example", { owner: "nobody" });
    expect(wrong).toMatchObject({ code: 1, stderr: "There is no tenant nobody.\n" });
    expect(await decide()).toBe(named);
    expect(await decide({ owner: "none" })).toBe("squatter  has it\nowner  is refused it\n");
    await run("tenant create later");
    expect(await decide({ owner: "later" })).toContain("later  has it, named by the operator, has not set it yet\n");
    const { rows } = await sql<{ body: string }>`select body from audit_entry where kind = 'relying_party.changed'
      and tenant_id = 'owner' order by sequence desc limit 2`.execute(database.db);
    expect(rows.map(({ body }) => JSON.parse(body))).toMatchObject([
      { actor: "operator", details: { before: { confirmed: "shared.example" } } },
      { actor: "operator", details: { confirmed: "shared.example" } },
    ]);
  });

  it("takes no domain from a tenant that is named for it, and names none for what is no domain", async () => {
    await run("tenant create named");
    await run("tenant relying-party first.example", { owner: "named" });
    expect(await run("tenant relying-party second.example", { owner: "named" })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("trellis tenant relying-party first.example --owner none"),
    });
    expect((await run("tenant relying-party first.example")).stdout).toContain("named  has it, named by the operator");
    expect((await run("tenant relying-party second.example")).stdout).toBe("No tenant claims second.example.\n");
    for (const typed of ["First.Example", "https://first.example", "first.example.", "localhost"]) {
      const { code, stderr } = await run(`tenant relying-party ${typed}`, { owner: "none" });
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`not ${typed}`) });
    }
    await run("tenant relying-party first.example", { owner: "none" });
    expect((await run("tenant relying-party second.example", { owner: "named" })).code).toBe(0);
  });
});

describe("the command line", () => {
  /** Every command that does something, with the words that name it. */
  function* leaves(command: Command, words: readonly string[] = []): Generator<[string, Command]> {
    for (const sub of command.commands) {
      const here = [...words, sub.name()];
      yield [here.join(" "), sub];
      yield* leaves(sub, here);
    }
  }
  const all = [...leaves(createProgram(createCommandNeeds({})))];

  it.each(all)("%s takes no option that it does not have, and explains itself", async (words, command) => {
    const needed = [
      ...command.registeredArguments.filter(({ required }) => required).map(() => "x"),
      ...command.options.filter(({ mandatory }) => mandatory).map(({ long }) => `${long} x`),
    ].join(" ");
    expect(await run(`${words} ${needed} --no-such-option`.replaceAll(/ +/g, " "))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("unknown option '--no-such-option'"),
    });
    const help = await run(`${words} --help`);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toContain(`Usage: trellis ${words}`);
    expect(command.description()).not.toBe("");
    for (const { long, description } of command.options) expect([long, description]).not.toEqual([long, ""]);
  });

  it("takes no word too many, and no command that there is not", async () => {
    for (const words of [
      "trigger list --port 99",
      "start --port 1",
      "tenant list shop",
      "rails refunds --environment devnet",
      "sandboks",
    ]) {
      expect([words, (await run(words)).code]).toEqual([words, 2]);
    }
    expect((await run("sandboks")).stderr).toContain("Did you mean sandbox?");
  });
});

let protection: "plain" | "guarded" = "plain";
let others: readonly string[] = [];
const now = Date.parse("2026-03-01T12:00:00Z");
const keyBytes = new Uint8Array(randomBytes(32));
const secret = createMacs("api-key", () => keyBytes, emptyBook);
const keyring = createKeyring({ masterKeys: [{ id: "1", key: keyBytes }], activeId: "1" });
const forShop = { tenant: "shop", name: "Server", environments: "sandbox", scopes: "accounts:read, auth:write" };

/** Runs a command line on this database: what it writes, and what it ends with. */
async function run(words: string, options: Readonly<Record<string, string | boolean>> = {}) {
  const written = { stdout: "", stderr: "" };
  const streams = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  const given = Object.entries(options).flatMap(([name, value]) => [
    `--${name}`,
    ...(typeof value === "string" ? [value] : []),
  ]);
  try {
    const office = {
      db: database.db,
      keyring,
      publicUrl: "https://trellis.example",
      secret,
      random: systemRandom,
      now,
      newTenantProtection: protection,
      otherReleases: async () => others,
    };
    const needs = { environment: {}, inKeyOffice: (command: KeyCommand) => command(office) };
    const code = await runProgram(needs, [...words.split(" "), ...given]);
    return { ...written, code: code ?? Number(process.exitCode ?? 0) };
  } finally {
    process.exitCode = 0;
    for (const stream of streams) stream.mockRestore();
  }
}

/** What the service would say to the key. */
const authenticate = (key: string, place = { address: "192.0.2.1", origin: undefined as string | undefined }) =>
  createAuthenticator({ db: database.db, secret, clock: { now: () => now } }).authenticate(key, place);
