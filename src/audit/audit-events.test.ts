import { createHash, randomBytes } from "node:crypto";
import { parseCheckpoint } from "@trellis/kernel/tlog/checkpoint.js";
import { hashLeaf, isIncluded, isSame, rootOf } from "@trellis/kernel/tlog/merkle.js";
import { parseVkey } from "@trellis/kernel/tlog/note.js";
import { readNodes, tilePath } from "@trellis/kernel/tlog/tile.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { useTestService } from "../../test/support/scene.js";
import { createRealClock } from "../adapters/system.js";
import { recordEntry } from "./actor.js";
import { signLog } from "./publish-entries.js";

const test = useTestService({ TRELLIS_AUDIT_ORIGIN: "log.example/audit" });
const api = "/api/service/v1";

describe("GET /audit-events 200", () => {
  it("shows a tenant its entries, the newest first, page by page", async () => {
    const made = await makeKey({ name: "one" });
    await test.request("DELETE", `${api}/api-keys/${made.id}`);
    const whole = await list("?limit=200");
    expect(whole.items.slice(0, 2).map(({ type, subject }) => [type, subject])).toEqual([
      ["api_key.revoked", `api_key/${made.id}`],
      ["api_key.created", `api_key/${made.id}`],
    ]);
    expect(whole.items[1]).toMatchObject({
      actor: expect.stringMatching(/^api_key\//),
      details: { scopes: ["audit:read"] },
    });
    expect(whole.items.at(-1)).toMatchObject({
      type: "tenant.created",
      subject: "tenant/default",
      actor: "configuration",
    });
    const first = await list("?limit=1");
    const second = await list(`?limit=1&cursor=${first.cursor}`);
    expect([...first.items, ...second.items]).toEqual(whole.items.slice(0, 2));
    expect((await list(`?limit=200&cursor=${second.cursor}`)).items).toEqual(whole.items.slice(2));
  });

  it("narrows the list to a type", async () => {
    const { id } = await makeKey({ name: "typed" });
    const { items } = await list("?type=api_key.created");
    expect(items[0]).toMatchObject({ subject: `api_key/${id}` });
    expect(new Set(items.map(({ type }) => type))).toEqual(new Set(["api_key.created"]));
  });

  it("shows entries of environments that the key opens, and none of another tenant", async () => {
    const { db } = test.service;
    await sql`insert into tenant (id, name, created_at) values ('elsewhere', 'Elsewhere', 0)`.execute(db);
    await sql`select audit('default', 'mainnet', 'session.ended', 'session/x', null, null)`.execute(db);
    await sql`select audit('default', 'sandbox', 'session.ended', 'session/y', null, null)`.execute(db);
    const subjects = (await list("?limit=5")).items.map(({ subject }) => subject);
    expect(subjects).toContain("session/y");
    expect(subjects).not.toContain("session/x");
    expect(subjects).not.toContain("tenant/elsewhere");
    const { rows } = await sql<{ place: bigint }>`select place from audit_entry
      where subject in ('session/x', 'tenant/elsewhere')`.execute(db);
    expect(rows).toHaveLength(2);
    for (const { place } of rows) expect((await get(Number(place))).status).toBe(404);
  });
});

describe("GET /audit-events 403", () => {
  it("is the answer to a key without the scope", async () => {
    const { key } = await makeKey({ name: "other", scopes: ["accounts:read"] });
    const { status, body } = await test.request("GET", `${api}/audit-events`, undefined, {
      authorization: `Bearer ${key}`,
    });
    expect([status, (body as Body).code]).toEqual([403, "insufficient_scope"]);
  });
});

describe("GET /audit-events/{index}", () => {
  it("answers an entry with the proof that it is in the last checkpoint", async () => {
    await makeKey({ name: "proven" });
    const [entry] = (await list("?limit=1")).items;
    const index = entry?.index ?? -1;
    await sign();
    const { data } = await get(index);
    const checkpoint = parseCheckpoint(data.proof.checkpoint);
    const leaf = hashLeaf(Buffer.from(data.leaf));
    const proof = data.proof.hashes.map((hash: string) => new Uint8Array(Buffer.from(hash, "base64")));
    expect(isIncluded({ index, size: checkpoint?.size ?? 0, leaf, root: checkpoint?.root ?? leaf }, proof)).toBe(true);
    const hash = createHash("sha256").update(Buffer.from(data.salt, "hex")).update(data.body).digest("hex");
    expect(JSON.parse(data.leaf)).toMatchObject({ seq: index, kind: "api_key.created", body_hash: hash });
  });

  it("answers 404 for what is no index", async () => {
    for (const index of ["-1", "x", "01", "99999999", "9999999999999999999"]) {
      expect(await get(index)).toMatchObject({ status: 404, code: "audit_event_not_found" });
    }
  });
});

describe("the log from outside", () => {
  it("is whole: its tiles have the root of its checkpoint", async () => {
    for (let n = 0; n < 300; n += 1) {
      const entry = { tenantId: null, kind: "master_key.rotated", subject: `master_key/${n}`, details: {} };
      await recordEntry(test.service.db, entry);
    }
    await sign();
    const answered = await fetch(`${test.url}/audit/v1/checkpoint`);
    expect(answered.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const checkpoint = parseCheckpoint(await answered.text());
    if (checkpoint === undefined) throw new Error("no checkpoint");
    expect(checkpoint.origin).toBe("log.example/audit");
    const { size } = checkpoint;
    const read = readNodes((names) =>
      Promise.all(
        names.map(async ({ level, index }) => {
          const width = Math.min(256, Math.floor(size / 256 ** level) - index * 256);
          const tile = await fetch(`${test.url}/audit/v1/tile/${tilePath({ level, index, width })}`);
          expect(tile.headers.get("cache-control")).toContain("immutable");
          return { level, index, hashes: new Uint8Array(await tile.arrayBuffer()) };
        }),
      ),
    );
    expect(isSame(await rootOf(size, read), checkpoint.root)).toBe(true);
  });

  it("answers the key of its name", async () => {
    const key = await (await fetch(`${test.url}/audit/v1/key`)).text();
    expect(parseVkey(key.trim())).toMatchObject({ name: "log.example/audit", kind: "ed25519" });
  });

  it("has nothing else", async () => {
    for (const path of ["tile/0/1", "tile/0/999", "tile/entries/000", "tile/0/001.p/255", "tile/0/000.p/256", "x"]) {
      expect([path, (await fetch(`${test.url}/audit/v1/${path}`)).status]).toEqual([path, 404]);
    }
  });
});

const seed = randomBytes(32);
/** As the service's pass does, which need not be waited for. */
const sign = () =>
  signLog({ db: test.service.db, realClock: createRealClock(), auditSigner: { name: "log.example/audit", seed } });

interface Body {
  readonly code?: string;
  readonly data?: unknown;
}

interface Proven {
  readonly leaf: string;
  readonly salt: string;
  readonly body: string;
  readonly proof: { readonly checkpoint: string; readonly hashes: readonly string[] };
}

interface Shown {
  readonly index: number;
  readonly type: string;
  readonly subject?: string;
}

async function list(query: string): Promise<{ items: readonly Shown[]; cursor: string | null }> {
  const { body, headers } = await test.request("GET", `${api}/audit-events${query}`);
  return { items: (body as Body).data as never, cursor: headers.get("x-next-cursor") };
}

async function get(index: number | string) {
  const { status, body } = await test.request("GET", `${api}/audit-events/${index}`);
  return { status, code: (body as Body).code, data: (body as Body).data as Proven };
}

async function makeKey(more: object): Promise<{ id: string; key: string }> {
  const { body } = await test.request("POST", `${api}/api-keys`, {
    scopes: ["audit:read"],
    environments: ["sandbox"],
    ...more,
  });
  return (body as Body).data as never;
}
