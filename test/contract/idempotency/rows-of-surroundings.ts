import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { makeKey } from "../../adversarial/support.js";
import { post, settleWithSession } from "./requests.js";
import { endpointsAt, newEndpoint } from "./scene.js";
import { app, type Rows, send, type Trial, test } from "./world.js";

const keysNamed = (name: string) =>
  test.needs.db.selectFrom("api_key").select(["id", "revoked_at"]).where("name", "=", name).execute();

const tenantsOf = (id: string) =>
  test.needs.db.selectFrom("tenant").select("disabled_at").where("id", "=", id).execute();

const membersOf = (email: string) =>
  test.needs.db.selectFrom("member").select(["id", "status"]).where("email", "=", email).execute();

async function newMember(): Promise<{ readonly email: string; readonly id: string | undefined }> {
  const email = `${randomUUID()}@example.org`;
  await send(app, post("/members", { email, role: "viewer" }));
  return { email, id: (await membersOf(email))[0]?.id };
}

async function newTenant(): Promise<string> {
  const id = `t-${randomUUID()}`;
  await send(app, post("/tenants", { id }));
  return id;
}

/** Turns the tenant's treasury pages on under a name of their own. */
async function treasuryPages() {
  const wanted = {
    name: "Pages",
    type: "publishable",
    environments: ["sandbox"],
    allowed_origins: ["https://app.example"],
  };
  const { key } = (await send(app, post("/api-keys", wanted))).data as unknown as { key: string };
  const name = randomUUID();
  const count = async () => {
    const found = test.needs.db.selectFrom("tenant").select("id").where("treasury_page", "like", `%${name}%`);
    return (await found.execute()).length;
  };
  return { body: { name, color: "#14532d", publishable_key: key }, count };
}

/** Turns mails about proposals on, under a subject of their own. */
function proposalMails() {
  const subject = randomUUID();
  const count = async () => {
    const found = test.needs.db.selectFrom("tenant").select("id").where("proposal_mails", "like", `%${subject}%`);
    return (await found.execute()).length;
  };
  return { body: { kinds: ["waiting"], subject }, count };
}

export const rowsOfSurroundings: Rows = {
  setProposalMails: {
    single: () => {
      const { body, count } = proposalMails();
      return { ...post("/proposal-mails", body, { effects: count }), method: "PUT" };
    },
  },
  deleteProposalMails: {
    single: async () => {
      const { body, count } = proposalMails();
      await send(app, { ...post("/proposal-mails", body, { effects: count }), method: "PUT" });
      const effects = async () => ((await count()) === 0 ? 1 : 0);
      return { ...post("/proposal-mails", {}, { effects }), method: "DELETE" };
    },
  },
  setTreasuryPage: {
    single: async () => {
      const { body, count } = await treasuryPages();
      return { ...post("/treasury-page", body, { effects: count }), method: "PUT" };
    },
  },
  deleteTreasuryPage: {
    single: async () => {
      const { body, count } = await treasuryPages();
      await send(app, { ...post("/treasury-page", body, { effects: count }), method: "PUT" });
      const effects = async () => ((await count()) === 0 ? 1 : 0);
      return { ...post("/treasury-page", {}, { effects }), method: "DELETE" };
    },
  },
  createApiKey: {
    single: () => {
      const name = randomUUID();
      const effects = async () => (await keysNamed(name)).length;
      return post("/api-keys", { name, scopes: ["accounts:read"], environments: ["sandbox"] }, { effects });
    },
  },
  revokeApiKey: {
    single: async () => {
      const name = randomUUID();
      await send(app, post("/api-keys", { name, scopes: ["accounts:read"], environments: ["sandbox"] }));
      const [key] = await keysNamed(name);
      const effects = async () => (await keysNamed(name)).filter(({ revoked_at }) => revoked_at !== null).length;
      return { ...post(`/api-keys/${key?.id}`, {}, { effects }), method: "DELETE" };
    },
  },
  inviteMember: {
    single: () => {
      const email = `${randomUUID()}@example.org`;
      const effects = async () => (await membersOf(email)).length;
      return post("/members", { email, role: "viewer" }, { effects });
    },
  },
  updateMember: {
    single: async () => {
      const { email, id } = await newMember();
      const effects = async () => (await membersOf(email)).filter(({ status }) => status === "disabled").length;
      return { ...post(`/members/${id}`, { status: "disabled" }, { effects }), method: "PATCH" };
    },
  },
  removeMember: {
    single: async () => {
      const { email, id } = await newMember();
      const effects = async () => 1 - (await membersOf(email)).length;
      return { ...post(`/members/${id}`, {}, { effects }), method: "DELETE" };
    },
  },
  createTenant: {
    single: () => {
      const id = `t-${randomUUID()}`;
      const effects = async () => (await tenantsOf(id)).length;
      return post("/tenants", { id, name: "Matrix" }, { effects });
    },
  },
  disableTenant: {
    single: async () => {
      const id = await newTenant();
      const effects = async () => (await tenantsOf(id)).filter(({ disabled_at }) => disabled_at !== null).length;
      return post(`/tenants/${id}/disable`, {}, { effects });
    },
  },
  enableTenant: {
    single: async () => {
      const id = await newTenant();
      await send(app, post(`/tenants/${id}/disable`, {}));
      const effects = async () => (await tenantsOf(id)).filter(({ disabled_at }) => disabled_at === null).length;
      return post(`/tenants/${id}/enable`, {}, { effects });
    },
  },
  createTenantApiKey: {
    single: async () => {
      const [id, name] = [await newTenant(), randomUUID()];
      const effects = async () => (await keysNamed(name)).length;
      return post(`/tenants/${id}/api-keys`, { name, scopes: ["admin:keys"], environments: ["sandbox"] }, { effects });
    },
  },
  createWebhookEndpoint: {
    single: async () => {
      await test.needs.db.deleteFrom("webhook_endpoint").execute();
      const url = `https://203.0.114.${Math.floor(Math.random() * 250)}/${randomUUID()}`;
      const effects = async () => (await endpointsAt(url)).length;
      return post("/webhook-endpoints", { url, types: ["*"] }, { effects });
    },
  },
  updateWebhookEndpoint: {
    single: async () => {
      const { id } = await newEndpoint();
      const url = `https://203.0.114.7/${id}`;
      const effects = async () => (await endpointsAt(url)).length;
      return { ...post(`/webhook-endpoints/${id}`, { url }, { effects }), method: "PATCH" };
    },
  },
  deleteWebhookEndpoint: {
    single: async () => {
      const { id, url } = await newEndpoint();
      const effects = async () => (await endpointsAt(url)).filter(({ status }) => status === "deleted").length;
      return { ...post(`/webhook-endpoints/${id}`, {}, { effects }), method: "DELETE" };
    },
  },
  rotateWebhookSecret: {
    single: async () => {
      const { id, url } = await newEndpoint();
      const effects = async () =>
        (await endpointsAt(url)).filter(({ previous_secret }) => previous_secret !== null).length;
      return post(`/webhook-endpoints/${id}/rotate-secret`, {}, { effects });
    },
  },
  testWebhookEndpoint: {
    // Sent to an address without a server; a second example does no harm.
    single: async () => post(`/webhook-endpoints/${(await newEndpoint()).id}/test`, {}),
  },
  replayEvents: {
    single: async () => {
      const { id } = await newEndpoint();
      const { text } = await send(app, post("/sandbox/events", { type: "webhook.test" }));
      const event_id = (JSON.parse(text) as { data: { id: string } }).data.id;
      const effects = async () =>
        (await test.needs.db.selectFrom("webhook_delivery").selectAll().where("endpoint_id", "=", id).execute()).length;
      return post(`/webhook-endpoints/${id}/replay`, { event_id }, { effects });
    },
  },
  sandboxTriggerEvent: {
    single: async () => {
      // Others are reported meanwhile, and are no examples.
      const examples = async () => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int4 as count from event where is_example`.execute(test.needs.db);
        return rows[0]?.count ?? 0;
      };
      const before = await examples();
      return post("/sandbox/events", { type: "proposal.voted" }, { effects: async () => (await examples()) - before });
    },
  },
  sandboxAirdrop: {
    single: () => {
      const { address } = makeKey();
      const effects = async () => Number((await test.network.rpc.getBalance(address).send()).value) / 1_000_000_000;
      return post("/sandbox/airdrop", { address, currency: "sol", amount: "1000000000" }, { effects });
    },
  },
  sandboxSetFaults: {
    single: async () => {
      // Blocks that are full once for what bids less: a client that sends again does not notice.
      const priceNow = async () => (await test.network.sandbox?.readFaults())?.price ?? 0;
      const price = (await priceNow()) + 1;
      const effects = async () => Number((await priceNow()) === price);
      return post("/sandbox/faults", { full_blocks: 1, price }, { effects });
    },
  },
  sandboxAdvanceClock: {
    single: () => {
      const before = test.network.clock.now();
      // The chain's time moves on by whole slots.
      const effects = async () => Math.floor((test.network.clock.now() - before) / 60_000);
      return post("/sandbox/clock/advance", { seconds: 60 }, { effects });
    },
  },
  putLabel: {
    single: () => labelling(""),
  },
  putAccountLabel: {
    single: async () => labelling((await settleWithSession()).address),
  },
  removeLabel: {
    single: () => unlabelling(""),
  },
  removeAccountLabel: {
    single: async () => unlabelling((await settleWithSession()).address),
  },
};

const labelPath = (account: string, address: string) =>
  account === "" ? `/labels/${address}` : `/accounts/${account}/labels/${address}`;

const entriesOf = (address: string, kind: string) => async () => {
  const { rows } = await sql`select from audit_entry where subject = ${`label/${address}`} and kind = ${kind}`.execute(
    test.needs.db,
  );
  return rows.length;
};

function labelling(account: string): Trial {
  const { address } = makeKey();
  const body = { name: `Payee ${randomUUID().slice(0, 8)}` };
  return {
    ...post(labelPath(account, address), body, { effects: entriesOf(address, "label.created") }),
    method: "PUT",
  };
}

async function unlabelling(account: string): Promise<Trial> {
  const { address } = makeKey();
  await send(app, {
    ...post(labelPath(account, address), { name: `Payee ${randomUUID().slice(0, 8)}` }),
    method: "PUT",
  });
  const effects = entriesOf(address, "label.removed");
  return { ...post(labelPath(account, address), {}, { effects }), method: "DELETE" };
}
