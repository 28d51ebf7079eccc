import type { DbOrTrx } from "@trellis/kernel/ports/database.js";
import { addressOfKey, type SignerKey } from "@trellis/sdk";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { makeKey } from "../../test/adversarial/support.js";
import { openAccount } from "../../test/crash/honest-client.js";
import {
  dataOf,
  may,
  newKey,
  type Opened,
  type Prepared,
  pays,
  refusalOf,
  useProposals,
  type View,
} from "../../test/proposals/support.js";
import { asOtherTenant } from "../../test/support/other-tenant.js";

const { trellis, at } = useProposals();
const sol = 1_000_000_000n;
const payee = makeKey().address;
const path = "/api/service/v1/proposals";

type Listed = View & { readonly account: string };

describe("200", () => {
  it("is a signer's inbox: what waits for its vote, in every account, until it has voted", async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()];
    const [first, second] = [await shared([a, b, c]), await shared([a, b, c])];
    const one = await at.propose(first, a, pays(payee, 1n));
    await trellis.network.sandbox?.advanceClock(10);
    const two = await at.propose(second, a, { ...pays(payee, 2n), approve: true });
    expect(await namesOf(waiting(b))).toEqual([name(second, two), name(first, one)]);
    expect(await namesOf(waiting(a))).toEqual([name(first, one)]);
    await at.cast(first, one.proposalAddress, "reject", [b]);
    expect(await namesOf(waiting(b))).toEqual([name(second, two)]);
    // Approved: it waits for no vote any more, neither of those who have voted nor of the others.
    await at.cast(second, two.proposalAddress, "approve", [b]);
    expect(await namesOf(waiting(b))).toEqual([]);
    expect(await namesOf(waiting(c))).toEqual([name(first, one)]);
    // What a signer could vote on stays in the list of all that it could.
    expect(await namesOf(`?signer=${addressOfKey(c)}`)).toEqual([name(second, two), name(first, one)]);
    expect(await namesOf(`?signer=${addressOfKey(c)}&status=Approved`)).toEqual([name(second, two)]);
  });

  it("waits for nobody who may not vote, and for nobody once it is stale", async () => {
    const [a, b, mute] = [newKey(), newKey(), newKey()];
    const signers = [may(a), may(b), may(mute, ["CAN_INITIATE", "CAN_EXECUTE"])];
    const account = await at.open({ signers, threshold: 2 }, sol);
    const change = await at.propose(account, a, {
      type: "settings",
      actions: [{ type: "AddSigner", newSigner: may(newKey(), ["CAN_VOTE"]) }],
    });
    const stale = await at.propose(account, a, pays(payee, 1n));
    expect(await namesOf(waiting(mute))).toEqual([]);
    expect(await namesOf(waiting(b))).toHaveLength(2);
    await at.cast(account, change.proposalAddress, "approve", [a, b]);
    await at.run(account, change.proposalAddress, a);
    expect(await namesOf(waiting(b))).toEqual([]);
    expect(await namesOf(`?account=${account.address}&status=Active`)).toEqual([name(account, stale)]);
  });

  it("waits for a signer that joined from then on", async () => {
    const [a, b, joins] = [newKey(), newKey(), newKey()];
    const account = await shared([a, b]);
    const actions = [{ type: "AddSigner", newSigner: may(joins, ["CAN_VOTE"]) }];
    const change = await at.propose(account, a, { type: "settings", actions });
    await at.cast(account, change.proposalAddress, "approve", [a, b]);
    await at.run(account, change.proposalAddress, a);
    const next = await at.propose(account, a, pays(payee, 1n));
    expect(await namesOf(waiting(joins))).toEqual([name(account, next)]);
    expect(await namesOf(`?signer=${addressOfKey(joins)}`)).toEqual([name(account, next)]);
  });

  it("lists all of the tenant page by page, each once, also where several were opened at once", async () => {
    const before = (await listed()).length;
    const [a, b] = [newKey(), newKey()];
    const accounts = [await shared([a, b]), await shared([a, b]), await shared([a, b])];
    for (const account of accounts) {
      for (let i = 0; i < 2; i += 1) await at.propose(account, a, { ...pays(payee, 1n + BigInt(i)), approve: i === 0 });
    }
    const whole = await listed("?limit=100");
    expect(whole.length).toBe(before + 6);
    for (const query of [
      "",
      `signer=${addressOfKey(b)}&`,
      "status=Active&status=Executed&",
      `waiting_for=${addressOfKey(b)}&`,
    ]) {
      const all = await listed(`?${query}limit=100`);
      expect(all.length).toBeGreaterThan(1);
      expect(await inPagesOf(2, query)).toEqual(all);
    }
    expect(await listed("?limit=0")).toEqual([]);
  });

  it("of one account is its list, newest index first", async () => {
    const a = newKey();
    const account = await shared([a, newKey()]);
    for (let i = 0; i < 3; i += 1) await at.propose(account, a, pays(payee, 1n + BigInt(i)));
    const own = dataOf<View[]>(await at.list(account)).map((view) => ({ ...view, account: account.address }));
    expect(await listed(`?account=${account.address}`)).toEqual(own);
    expect(await inPagesOf(2, `account=${account.address}&status=Active&`)).toEqual(own);
  });

  it("holds no locks but those of rows, however many accounts a transaction writes", async () => {
    const a = newKey();
    const account = await shared([a, newKey()]);
    await at.propose(account, a, pays(payee, 1n));
    await trellis.service.db.transaction().execute(async (trx) => {
      await sql`update proposal set approved = '[]', opened_at = 1 where settings_address = ${account.settings}`.execute(
        trx,
      );
      await sql`update proposal_watch set voters = '["x"]' where settings_address = ${account.settings}`.execute(trx);
      const { rows } = await sql`select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`.execute(
        trx,
      );
      expect(rows).toEqual([]);
      // Before anybody else can see them: the service that runs here reads the account again when it likes.
      expect(await rowsOf(account, trx)).toMatchObject([{ signer_address: "" }, { signer_address: "x", waits: true }]);
    });
  });

  it("does a bounded part at once for an account with very many proposals", async () => {
    const a = newKey();
    const account = await shared([a, newKey()]);
    await at.propose(account, a, pays(payee, 1n));
    await trellis.service.db.transaction().execute(async (trx) => {
      await sql`update proposal_watch set voters = '[]' where settings_address = ${account.settings}`.execute(trx);
      await sql`create temporary table copy as select * from proposal where settings_address = ${account.settings}`.execute(
        trx,
      );
      await sql`insert into proposal select copied.* from copy cross join lateral generate_series(10, 2609) n
        cross join lateral json_populate_record(null::proposal, (to_jsonb(copy) || jsonb_build_object('transaction_index', n,
          'proposal_address', 'p' || n, 'transaction_address', 't' || n))::json) as copied`.execute(trx);
      await sql`drop table copy`.execute(trx);
      const countOf = async (where: ReturnType<typeof sql>) =>
        (
          await sql<{
            count: number;
            lowest: number;
          }>`select count(*)::int4 as count, min(transaction_index)::int4 as lowest
            from proposal_listing where settings_address = ${account.settings} and ${where}`.execute(trx)
        ).rows[0];
      await sql`update proposal_watch set voters = '["x"]' where settings_address = ${account.settings}`.execute(trx);
      expect(await countOf(sql`signer_address = 'x'`)).toEqual({ count: 500, lowest: 2110 });
      await sql`update proposal_listing set waits = true where settings_address = ${account.settings}`.execute(trx);
      await sql`update proposal_watch set stale_transaction_index = 5000 where settings_address = ${account.settings}`.execute(
        trx,
      );
      expect((await countOf(sql`waits`))?.lowest).toBe(1);
      expect((await countOf(sql`not waits`))?.count).toBe(2000);
    });
  });

  it("is the same after its rows were made again", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await shared([a, b]);
    await at.propose(account, a, pays(payee, 1n));
    const before = await rowsOf(account);
    expect(before).toHaveLength(3);
    await sql`delete from proposal_listing where settings_address = ${account.settings}`.execute(trellis.service.db);
    await sql`update proposal_watch set voters = null where settings_address = ${account.settings}`.execute(
      trellis.service.db,
    );
    await trellis.network.sandbox?.advanceClock(60);
    await at.list(account);
    expect(await rowsOf(account)).toEqual(before);
  });
});

describe("200 with a publishable key", () => {
  it("shows what waits for a wallet of the session, and nothing else", async () => {
    const [ada, eve] = [
      await openAccount(trellis.client, "ada@example.org", sol),
      await openAccount(trellis.client, "eve@example.org", sol),
    ];
    const walletOf = async ({ address }: { address: string }) =>
      (await trellis.client.accounts.get(address)).policies.signers[0]?.address ?? "";
    const content = { type: "transfer", currency: "sol", destination: payee, amount: 1n } as const;
    const made = await trellis.client.proposals.create({ account: ada.address, session: ada.session, content });
    const { key } = dataOf<{ key: string }>(
      await trellis.request("POST", "/api/service/v1/api-keys", {
        name: "page",
        type: "publishable",
        environments: ["sandbox"],
        allowed_origins: ["https://app.example"],
        scopes: ["proposals:read"],
      }),
    );
    const asPage = ({ session }: typeof ada, query: string) =>
      trellis.request("GET", `${path}${query}`, undefined, {
        authorization: `Bearer ${key}`,
        origin: "https://app.example",
        "x-session-token": session.authentication.session.KmsA?.token ?? "",
      });
    const [own, other] = [await walletOf(ada), await walletOf(eve)];
    const found = dataOf<Listed[]>(await asPage(ada, `?waiting_for=${own}`));
    expect(found.map(({ proposalAddress }) => proposalAddress)).toEqual([made.proposalAddress]);
    expect(dataOf(await asPage(eve, `?waiting_for=${other}`))).toEqual([]);
    for (const query of ["", `?waiting_for=${other}`, `?signer=${own}`, `?account=${ada.address}`, "?status=Active"]) {
      expect(refusalOf(await asPage(ada, query))).toEqual([403, "secret_key_required"]);
    }
  });
});

describe("400", () => {
  it("refuses filters that no index serves together, and what is no address, cursor or status", async () => {
    const key = makeKey().address;
    const both = [
      `account=${key}&signer=${key}`,
      `signer=${key}&waiting_for=${key}`,
      `waiting_for=${key}&status=Active`,
    ];
    for (const query of [...both, "limit=101", "status=Open"]) {
      expect(refusalOf(await list(`?${query}`))).toEqual([400, "invalid_request"]);
    }
    for (const query of ["signer=nobody", "waiting_for="]) {
      expect(refusalOf(await list(`?${query}`))).toEqual([400, "invalid_address"]);
    }
    const ofAccount = Buffer.from("p1_1").toString("base64url");
    expect(refusalOf(await list(`?cursor=${ofAccount}`))).toEqual([400, "invalid_cursor"]);
  });
});

describe("404", () => {
  it("is the answer for an account that there is not, and to another tenant, whose list is empty", async () => {
    const a = newKey();
    const account = await shared([a, newKey()]);
    await at.propose(account, a, pays(payee, 1n));
    const theirs = await asOtherTenant(trellis);
    for (const [address, headers] of [
      [payee, {}],
      ["nobody", {}],
      [account.address, theirs],
    ] as const) {
      const answered = await trellis.request("GET", `${path}?account=${address}`, undefined, headers);
      expect(refusalOf(answered)).toEqual([404, "account_not_found"]);
    }
    for (const query of ["", waiting(a), `?signer=${addressOfKey(a)}`]) {
      expect(dataOf(await trellis.request("GET", `${path}${query}`, undefined, theirs))).toEqual([]);
    }
  });
});

const list = (query = "") => trellis.request("GET", `${path}${query}`);
const listed = async (query = "?limit=100") => dataOf<Listed[]>(await list(query));
const waiting = (key: SignerKey) => `?waiting_for=${addressOfKey(key)}`;
const name = (account: Opened, { proposalAddress }: Pick<Prepared, "proposalAddress">) =>
  `${account.address} ${proposalAddress}`;
const namesOf = async (query: string) =>
  (await listed(query)).map(({ account, proposalAddress }) => `${account} ${proposalAddress}`);

/** An account of these signers in which two approve. */
const shared = (keys: readonly SignerKey[]) => at.open({ signers: keys.map((key) => may(key)), threshold: 2 }, sol);

async function inPagesOf(limit: number, query: string): Promise<Listed[]> {
  const rows: Listed[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const { body } = await list(`?${query}limit=${limit}${cursor === "" ? "" : `&cursor=${cursor}`}`);
    const page = body as { data: Listed[]; metadata: { next_cursor?: string } };
    rows.push(...page.data);
    cursor = page.metadata.next_cursor;
  }
  return rows;
}

const rowsOf = async ({ settings }: Opened, db: DbOrTrx = trellis.service.db) =>
  (
    await sql`select * from proposal_listing where settings_address = ${settings}
      order by transaction_index, signer_address`.execute(db)
  ).rows;
