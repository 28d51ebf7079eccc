import { randomBytes, randomUUID, sign } from "node:crypto";
import type { Address } from "@solana/kit";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { fiatCurrencies } from "@trellis/kernel/ports/rails.js";
import { tenantsOwnScopes } from "@trellis/kernel/scope.js";
import { addressOfKey, createTrellisClient, generateEncryptionKeyPair, signLegacyPaymentIntent } from "@trellis/sdk";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { customAccount } from "../../examples/custom-account.js";
import { emailAccount } from "../../examples/email-account.js";
import { proposals } from "../../examples/proposals.js";
import { signersAccount } from "../../examples/signers-account.js";
import { spendingLimits } from "../../examples/spending-limits.js";
import { updateAccount } from "../../examples/update-account.js";
import { listKnownAccounts } from "../../src/accounts/account-list-store.js";
import { createCreationQueue } from "../../src/accounts/creation-queue.js";
import { openDatabase } from "../../src/adapters/db/open-database.js";
import { createRealClock, systemPause, systemRandom } from "../../src/adapters/system.js";
import { makeCustodians } from "../../src/composition/open-custodians.js";
import { endpoints } from "../../src/endpoints.js";
import { findSums } from "../../src/history/balance-history-store.js";
import { createHistoryFollower } from "../../src/history/follow-histories.js";
import { listTransactions, listTransfers } from "../../src/history/history-lists.js";
import { boundsOf } from "../../src/history/history-page.js";
import { findTenantIntents } from "../../src/payments/intent-store.js";
import { closeEndedProposals } from "../../src/proposals/close-proposals.js";
import { createProposalFollower } from "../../src/proposals/follow-proposals.js";
import { listOfTenant } from "../../src/proposals/proposal-listing-store.js";
import { listDeposits, readStanding } from "../../src/rails/deposit-store.js";
import { findVerifications, findVirtualAccounts } from "../../src/rails/rail-list-store.js";
import { openWorkPasses } from "../../src/scheduler/passes.js";
import { removeOutdated } from "../../src/scheduler/retention.js";
import { listKnownUsers } from "../../src/sign-in/user-list-store.js";
import { createLimitFollower } from "../../src/spending-limits/follow-limits.js";
import { findDueOrders, findNewestOrders } from "../../src/standing-orders/order-list-store.js";
import { payStandingOrders } from "../../src/standing-orders/pay-orders.js";
import { createLookout } from "../../src/submissions/lookout.js";
import { visiblePrefixOf } from "../../src/tenants/api-key.js";
import { makeKey } from "../adversarial/support.js";
import { openAccount, outcomeOf, preparePayment, readCode, type SignedPayment } from "../crash/honest-client.js";
import { may, newKey, pays, proposalsOf } from "../proposals/support.js";
import { browserWith, createSoftPasskey } from "../support/authenticator.js";
import { orderExport } from "../support/ordered-exports.js";
import { importOwnSigner } from "../support/own-signers.js";
import { answerOf, answerToClient, createSessionKey, openByClient } from "../support/passkey-signers.js";
import { createTestLocation, postgresUrl, type TestLocation } from "../support/test-database.js";
import { startTestService, type TestService } from "../support/test-service.js";
import { agedColumnOf, fillDatabase, filledTables, signerOfMany } from "./fill.js";
import { outdatedCount, rowCount } from "./fill-size.js";
import { findFault } from "./find-fault.js";
import { watchStatements } from "./watch-statements.js";

describe.runIf(postgresUrl !== undefined)(`${rowCount} rows of everything`, { timeout: 300_000 }, () => {
  let place: TestLocation;
  let trellis: TestService;
  let watched: Awaited<ReturnType<typeof watchStatements>>;
  const asked = new Set<string>();

  /** The faults of everything that was run since the last call; something has to have been run. */
  const faults = (): string[] => {
    const run = watched.take();
    expect(run.length).toBeGreaterThan(0);
    return [...new Set(run.flatMap((statement) => findFault(statement, filledTables) ?? []))];
  };

  beforeAll(async () => {
    place = await createTestLocation();
    const url = place.url ?? "";
    const empty = await openDatabase(place.location);
    await empty.db.insertInto("tenant").values({ id: "default", name: "Default", created_at: 0n }).execute();
    await empty.close();
    await fillDatabase(url, Date.now());
    watched = await watchStatements(url);
    trellis = await startTestService({ DATABASE_URL: url, TRELLIS_PUBLIC_URL: "https://trellis.example" });
  }, 600_000);
  afterAll(async () => {
    await trellis?.close();
    await watched?.stop();
    await place?.drop();
  });

  /** The client, noting which endpoints it asks. */
  const client = () =>
    createTrellisClient({
      baseUrl: trellis.url,
      apiKey: trellis.apiKey,
      environment: "sandbox",
      fetch: (input, init) => {
        note(init?.method ?? "GET", String(input));
        return fetch(input, init);
      },
    });
  const request: TestService["request"] = (method, path, body, headers) => {
    note(method, path);
    return trellis.request(method, path, body, headers);
  };
  const note = (method: string, url: string) => {
    const { pathname } = new URL(url, trellis.url);
    const found = endpoints.find(({ contract }) => {
      const form = contract.path.replace(/\{[^}]+\}/g, "[^/]+");
      return contract.method === method && new RegExp(`^${form}$`).test(pathname);
    });
    if (found) asked.add(found.contract.operation);
  };

  const cursorOf = (place: string) => Buffer.from(place).toString("base64url");
  /** The query of a page behind a place of an instant and an id, newest first. */
  const behind = (prefix: string) => `limit=5&cursor=${cursorOf(`${prefix}_${Date.now()}_${randomUUID()}`)}`;

  it("starts, and resumes what was left open", () => {
    expect(faults()).toEqual([]);
  });

  it("plays the examples", async () => {
    const stage = { client: client(), say: () => undefined };
    for (const play of [emailAccount, signersAccount, customAccount, updateAccount, proposals, spendingLimits]) {
      await play(stage);
    }
    expect(faults()).toEqual([]);
  });

  it("pays, refuses and repeats", async () => {
    const ours = client();
    const [ada, grace] = [
      await openAccount(ours, "ada@example.net", 1_000_000_000n),
      await openAccount(ours, "grace@example.net", 1_000_000_000n),
    ];
    const payments: SignedPayment[] = [];
    for (const amount of [1n, 2n, 3n]) payments.push(await preparePayment(ours, ada, grace.address, amount));
    const [first, second, third] = payments;
    const submit = (body: object, key?: string) =>
      request("POST", `/api/service/v1/accounts/${ada.address}/submit`, body, key ? { "idempotency-key": key } : {});
    expect((await submit(first?.submit ?? {}, "one")).status).toBe(200);
    expect((await submit(first?.submit ?? {}, "one")).status).toBe(200);
    expect((await submit(first?.submit ?? {})).status).toBe(200);
    // A signature over another payload, used and open ones.
    const wrong = { ...second?.submit, kms_payloads: first?.submit.kms_payloads };
    expect(await submit(wrong)).toMatchObject({ status: 400, body: { code: "payload_already_used" } });
    const open = { ...second?.submit, kms_payloads: third?.submit.kms_payloads };
    expect(await submit(open)).toMatchObject({ status: 400, body: { code: "invalid_signature" } });
    // Wrong codes, sign-ins of both generations, and a refresh, used up and used up again.
    const keyPair = generateEncryptionKeyPair();
    const kms_provider_config = { encryption_public_key: keyPair.publicKeySpkiBase64 };
    await ours.auth.start({ email: ada.email });
    const right = await readCode(ours, ada.email);
    for (const otp_code of [right === "000000" ? "111111" : "000000", right]) {
      const answer = await outcomeOf(ours.auth.verify({ email: ada.email, otp_code, kms_provider_config }));
      if (answer.kind !== "answered") continue;
      const [kms_payload] = answer.value.authentication;
      for (let use = 0; use < 3; use += 1) {
        await request("POST", "/api/service/v1/auth/refresh-session", { ...kms_provider_config, kms_payload });
      }
    }
    expect(await request("POST", "/api/service/v1/auth/init", { email: grace.email })).toMatchObject({ status: 200 });
    const started = await ours.legacy.auth({ email: ada.email, app_name: "Old app", app_icon_url: "" });
    const otp_code = await readCode(ours, ada.email);
    await ours.legacy.verifyOtp({ ...started, otp_code, auth_public_key: keyPair.publicKeySpkiBase64 });
    await ours.accounts.get(ada.address);
    await ours.accounts.balances(ada.address);
    await ours.accounts.balanceHistory(ada.address);
    for (const listed of [ours.history.transfers(ada.address), ours.history.transactions(ada.address)]) {
      expect((await listed.next()).done).toBe(false);
    }
    const states = ["awaiting_funds", "canceled", "payment_processed"] as const;
    for (const query of [{}, { state: states }, { state: "error", limit: 1 } as const]) {
      for await (const { id } of ours.paymentIntents.list(ada.address, query)) {
        await ours.paymentIntents.get(ada.address, id);
      }
      await ours.legacy.paymentIntents(ada.address, query);
    }
    await ours.paymentIntents.pageOfTenant({ account: ada.address, state: states, limit: 100 });
    // Of rows that were filled in no answer can be made: what is sealed in them is no text.
    const { db } = trellis.service;
    for (const state of [[], ["refunded"], ["payment_processed"], states] as const) {
      for (const before of [undefined, { createdAt: BigInt(Date.now() - 43_200_000), id: randomUUID() }]) {
        const listing = { states: state, limit: 101, ...(before === undefined ? {} : { before }) };
        await findTenantIntents(db, { tenantId: "default", environment: "sandbox" }, listing);
      }
    }
    const old = await ours.legacy.createPaymentIntent(ada.address, {
      amount: "4",
      source: { currency: "sol" },
      destination: { address: grace.address },
    });
    const expected = { from: ada.address as Address, to: grace.address as Address, mint: null, amount: 4n };
    const confirmation = signLegacyPaymentIntent(old, expected, ada.session, "sandbox");
    for (let again = 0; again < 2; again += 1) {
      await ours.legacy.confirmPaymentIntent(ada.address, old.PaymentProvider.id, confirmation);
    }
    await ours.legacy.paymentIntent(ada.address, old.PaymentProvider.id);
    const own = await request("POST", `/api/service/v1/accounts/${ada.address}/transactions`, { transaction: "x" });
    expect(own.status).toBe(400);
    await ours.sandbox.advanceClock(1);
    expect(faults()).toEqual([]);
  });

  it("makes API keys, and lets a page sign people in", async () => {
    const v1 = "/api/service/v1";
    const plan = {
      name: "App",
      type: "publishable",
      environments: ["sandbox"],
      allowed_origins: ["https://app.example"],
    };
    const made = await request("POST", `${v1}/api-keys`, plan);
    const { id, key } = (made.body as { data: { id: string; key: string } }).data;
    const page = { authorization: `Bearer ${key}`, origin: "https://app.example" };
    const ours = client();
    const email = "page@example.net";
    const kms_provider_config = { encryption_public_key: generateEncryptionKeyPair().publicKeySpkiBase64 };
    // The first one makes the account, the second finds it.
    for (let time = 0; time < 2; time += 1) {
      const asked = await request("POST", `${v1}/auth`, { email }, page);
      expect(asked.status).toBe(200);
      const { otp_id } = asked.body as { otp_id: string };
      const otp_code = await readCode(ours, email);
      const verified = await request(
        "POST",
        `${v1}/auth/verify`,
        { email, otp_code, kms_provider_config: { ...kms_provider_config, otp_id } },
        page,
      );
      expect(verified.status).toBe(200);
      const { address, authentication } = verified.body as {
        address: string;
        authentication: { session: { KmsA: { token: string } } }[];
      };
      const proof = { ...page, "x-session-token": authentication[0]?.session.KmsA.token ?? "" };
      expect(await request("POST", `${v1}/auth/token`, undefined, proof)).toMatchObject({ status: 200 });
      const sessions = `${v1}/accounts/${address}/sessions`;
      for (const query of ["limit=1", behind("s1")]) {
        expect(await request("GET", `${sessions}?${query}`)).toMatchObject({ status: 200 });
      }
      expect(await request("DELETE", `${sessions}/current`, undefined, proof)).toMatchObject({ status: 200 });
      expect(await request("DELETE", sessions)).toMatchObject({ status: 200 });
    }
    const wallet = makeKey();
    await ours.accounts.create({ type: "signers", signers: [wallet.address], threshold: 1 });
    const begun = await request("POST", `${v1}/auth/wallet:message`, { address: wallet.address }, page);
    const { message, nonce } = (begun.body as { data: { message: string; nonce: string } }).data;
    const signature = sign(null, Buffer.from(message), wallet.privateKey).toString("base64");
    const signed = { address: wallet.address, nonce, signature };
    expect(await request("POST", `${v1}/auth/wallet`, signed, page)).toMatchObject({ status: 200 });
    const policy = { idle_seconds: null, one_session: false };
    expect(await request("GET", `${v1}/session-policy`)).toMatchObject({ status: 200 });
    expect(await request("PUT", `${v1}/session-policy`, policy)).toMatchObject({ status: 200 });
    expect(await request("GET", "/.well-known/jwks.json")).toMatchObject({ status: 200 });
    for (const query of ["limit=1", behind("k1")]) {
      expect(await request("GET", `${v1}/api-keys?${query}`)).toMatchObject({ status: 200 });
    }
    expect(await request("DELETE", `${v1}/api-keys/${id}`)).toMatchObject({ status: 200 });
    const invited = await request("POST", `${v1}/members`, { email: "owner@example.net", role: "owner" });
    const { id: memberId, invitation } = (invited.body as { data: { id: string; invitation: { token: string } } }).data;
    for (const query of ["limit=1", behind("mb1")]) {
      expect(await request("GET", `${v1}/members?${query}`)).toMatchObject({ status: 200 });
    }
    for (const path of ["sign-in", "verify"]) {
      const tried = await request("POST", `${v1}/console/${path}`, { email: "owner@example.net", code: "000000" });
      expect(tried.status).toBe(path === "verify" ? 400 : 200);
    }
    const json = { "content-type": "application/json" };
    const toConsole = (method: string, path: string, headers: Record<string, string>, body?: string) => {
      note(method, `${v1}/console/${path}`);
      return fetch(`${trellis.url}${v1}/console/${path}`, { method, headers, ...(body && { body }) });
    };
    const accepted = await toConsole("POST", "accept", json, JSON.stringify({ token: invitation.token }));
    const { data: signedIn } = (await accepted.json()) as { data: { csrf_token: string } };
    const [cookie = ""] = (accepted.headers.get("set-cookie") ?? "").split(";");
    const asMember = { cookie, "x-csrf-token": signedIn.csrf_token };
    expect((await toConsole("GET", "session", asMember)).status).toBe(200);
    const wish = JSON.stringify({ proposal_mails: false });
    expect((await toConsole("PATCH", "member", { ...asMember, ...json }, wish)).status).toBe(200);
    await usePasskeyOfMember(toConsole, { ...asMember, ...json });
    expect((await toConsole("POST", "sign-out", asMember)).status).toBe(200);
    expect((await toConsole("DELETE", "sessions", asMember)).status).toBe(401);
    expect(await request("PATCH", `${v1}/members/${memberId}`, { name: "Ada" })).toMatchObject({ status: 200 });
    expect(await request("DELETE", `${v1}/members/${memberId}`)).toMatchObject({ status: 409 });
    for (const query of [
      "limit=1",
      "type=session.opened",
      "type=api_key.revoked",
      `cursor=${cursorOf("l1_1000100000")}`,
    ]) {
      expect(await request("GET", `${v1}/audit-events?${query}`)).toMatchObject({ status: 200 });
    }
    expect(await request("GET", `${v1}/audit-events/0`)).toMatchObject({ status: 200 });
    expect(faults()).toEqual([]);
    await listEveryRequest();
    expect(faults()).toEqual([]);
  });

  /** By every filter, of which some match a half of the rows, and some none. */
  const listEveryRequest = async () => {
    const v1 = "/api/service/v1/requests";
    await request("GET", `${v1}?limit=101`, undefined, { "x-request-id": "too-many" });
    for (const filter of [
      "",
      "&status=refused",
      "&status=failed",
      "&api_key_id=key-1",
      "&api_key_id=key-1&status=failed",
      "&api_key_id=none",
      "&code=insufficient_scope",
      "&code=none",
      "&request_id=repeated",
      "&request_id=none",
      "&environment=mainnet",
    ]) {
      for (const place of ["", `&cursor=${cursorOf("q1_500000")}`]) {
        expect(await request("GET", `${v1}?limit=100${filter}${place}`)).toMatchObject({ status: 200 });
      }
    }
    for (const id of ["repeated", "too-many"])
      expect(await request("GET", `${v1}/${id}`)).toMatchObject({ status: 200 });
    expect(await request("GET", `${v1}/none`)).toMatchObject({ status: 404 });
  };

  it("makes tenants", async () => {
    const v1 = "/api/service/v1";
    const { db } = trellis.service;
    const prefix = visiblePrefixOf(trellis.apiKey);
    const found = db.selectFrom("api_key").select("id").where("visible_prefix", "=", prefix);
    const { id } = await found.executeTakeFirstOrThrow();
    await db.updateTable("api_key").set({ scopes: '["admin:tenants"]' }).where("id", "=", id).execute();
    watched.take();
    expect(await request("POST", `${v1}/tenants`, { id: "shop" })).toMatchObject({ status: 201 });
    for (const query of ["limit=1", `cursor=${cursorOf("n1_default")}`]) {
      expect(await request("GET", `${v1}/tenants?${query}`)).toMatchObject({ status: 200 });
    }
    expect(await request("POST", `${v1}/tenants/shop/disable`, {})).toMatchObject({ status: 200 });
    expect(await request("POST", `${v1}/tenants/shop/enable`, {})).toMatchObject({ status: 200 });
    const plan = { name: "Server", scopes: ["accounts:read"], environments: ["sandbox"] };
    expect(await request("POST", `${v1}/tenants/shop/api-keys`, plan)).toMatchObject({ status: 201 });
    expect(faults()).toEqual([]);
    // It counts what is open, up to a bound that the metrics have as well.
    expect(await request("GET", `${v1}/status`)).toMatchObject({ status: 200, body: { data: { unread: [] } } });
    watched.take();
    await db
      .updateTable("api_key")
      .set({ scopes: JSON.stringify(tenantsOwnScopes) })
      .where("id", "=", id)
      .execute();
    expect(faults()).toEqual([]);
  });

  it("votes", async () => {
    const [a, b] = [newKey(), newKey()];
    const at = proposalsOf({ ...trellis, request });
    const account = await at.open({ signers: [may(a), may(b)], threshold: 2 }, 1_000_000_000n);
    const { proposalAddress } = await at.propose(account, a, pays(account.address, 1n));
    await at.cast(account, proposalAddress, "approve", [b]);
    await at.voteAndExecute(account, proposalAddress, [a]);
    await at.execute(account, proposalAddress, a);
    await at.get(account, proposalAddress);
    for (const query of ["", "?status=Active&status=Executed", "?limit=1"]) await at.list(account, query);
    for (const filter of [`waiting_for=${addressOfKey(a)}`, `account=${account.address}&status=Executed`]) {
      expect(await request("GET", `/api/service/v1/proposals?limit=5&${filter}`)).toMatchObject({ status: 200 });
    }
    const { db } = trellis.service;
    const places = [undefined, { listedAt: 10_000n, settings: "settings-100", index: 1n }];
    for (const signer of [undefined, signerOfMany, addressOfKey(a), "nobody"]) {
      const named = signer === undefined ? {} : { signer };
      for (const before of places) {
        const listing = { environment: "sandbox", tenantId: "default", ...named, before, limit: 101 } as const;
        for (const statuses of [[], ["Executed"], ["Rejected"], ["Active", "Executed", "Approved"]] as const) {
          await listOfTenant(db, { ...listing, statuses });
        }
        const waiting = await listOfTenant(db, { ...listing, statuses: [], waits: true });
        if (signer === signerOfMany) expect(waiting).toHaveLength(101);
      }
    }
    const close = `/api/service/v1/accounts/${account.address}/transaction-buffers/close`;
    expect(await request("POST", close, { signer: addressOfKey(a) })).toMatchObject({ body: { code: "no_changes" } });
    expect(faults()).toEqual([]);
  });

  it("orders payments, and changes what may be spent", async () => {
    const ours = client();
    const key = newKey();
    const { address: account } = await ours.accounts.create({
      type: "signers",
      signers: [addressOfKey(key)],
      threshold: 1,
    });
    await ours.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
    const keys = [key];
    const order = { currency: "sol", amount: 10_000_000n, payee: addressOfKey(newKey()), frequency: "weekly" } as const;
    const { id } = await ours.standingOrders.create({ account, keys, order });
    await ours.standingOrders.list(account);
    await request("GET", `/api/service/v1/accounts/${account}/standing-orders?status=active&tx_hash=none&currency=sol`);
    await ours.standingOrders.pageOfTenant({ account, limit: 100 });
    await ours.standingOrders.pageOfTenant({ account, due_before: "2100-01-01T00:00:00.000Z", limit: 100 });
    const { db } = trellis.service;
    const half = BigInt(Date.now() - 43_200_000);
    for (const of of [{}, { account }]) {
      const whose = { tenantId: "default", environment: "sandbox", account: undefined, ...of } as const;
      for (const statuses of [[], ["pending"], ["active"], ["completed", "inactive"]] as const) {
        for (const before of [undefined, { createdAt: half, id: randomUUID() }]) {
          await findNewestOrders(db, whose, { statuses, before, limit: 101 });
        }
      }
      for (const days of [-1, 1, 30, 10_000]) {
        const dueBefore = BigInt(Date.now() + days * 86_400_000);
        for (const after of [undefined, { dueAt: half, id: randomUUID() }]) {
          await findDueOrders(db, whose, { dueBefore, after, limit: 101 });
        }
      }
    }
    await ours.standingOrders.get(account, id);
    await ours.standingOrders.runs(account, id);
    for (const path of [`standing-orders?${behind("o1")}`, `standing-order/${id}/runs?cursor=${cursorOf("d1_1")}`]) {
      expect((await request("GET", `/api/service/v1/accounts/${account}/${path}`)).status).toBe(200);
    }
    await outcomeOf(ours.standingOrders.resume({ account, keys, id, order }));
    await ours.standingOrders.cancel({ account, keys, id });
    const limit = { currency: "sol", amount: 5_000_000n, period: "week", signers: [addressOfKey(key)] } as const;
    const { spendingLimit } = await ours.spendingLimits.create({ account, keys, limit });
    await ours.spendingLimits.update({ account, keys, spendingLimit, changes: { amount: 6_000_000n } });
    for (const of of [{}, { account }, { signer: addressOfKey(key) }, { signer: signerOfMany }]) {
      for (const more of [{}, { mint: "sol" }, { mint: "mint-1" }, { cursor: cursorOf(`s1_${account}`) }]) {
        await ours.spendingLimits.pageOfTenant({ ...of, ...more, limit: 2 });
      }
    }
    expect(faults()).toEqual([]);
  });

  it("reports what happened", async () => {
    const { events, webhookEndpoints } = client();
    const page = await events.page({ limit: 5, type: ["payment_intent", "transfer.received"] });
    await events.page({ limit: 5, ...(page.nextCursor === undefined ? {} : { cursor: page.nextCursor }) });
    const [first] = (await events.page({ limit: 1 })).events;
    await events.get(first?.id ?? "");
    const { id } = await webhookEndpoints.create({ url: "http://127.0.0.1:1/hooks", types: ["*"] });
    await webhookEndpoints.list();
    await webhookEndpoints.update(id, { description: "One of a million" });
    await webhookEndpoints.rotateSecret(id);
    await webhookEndpoints.test(id);
    const since = new Date(Date.now() - 60_000).toISOString();
    for (const what of [{ event_id: first?.id ?? "" }, { failed_since: since }, { missing_since: since }]) {
      await webhookEndpoints.replay(id, what);
    }
    await webhookEndpoints.attempts(id);
    const attempts = `/api/service/v1/webhook-endpoints/${id}/attempts?${behind("a1")}`;
    expect((await request("GET", attempts)).status).toBe(200);
    await webhookEndpoints.get(id);
    await webhookEndpoints.delete(id);
    expect(
      await request("POST", "/api/service/v1/sandbox/events", { type: "standing_order_run.missed" }),
    ).toMatchObject({
      status: 201,
    });
    expect(faults()).toEqual([]);
  });

  it("verifies people", async () => {
    const ours = client();
    const { address } = await ours.accounts.create({
      type: "signers",
      signers: [addressOfKey(newKey())],
      threshold: 1,
    });
    const person = { type: "individual", email: "ada@example.net", full_name: "Ada Lovelace" } as const;
    const { id } = await ours.kyc.start(address, person);
    await ours.kyc.get(address, id);
    const v0 = `/api/v0/service/smart-accounts/${address}/kyc`;
    expect(await request("POST", v0, person)).toMatchObject({ status: 201, body: { id } });
    for (const path of [v0, `${v0}/${id}`]) expect(await request("GET", path)).toMatchObject({ body: { id } });
    await ours.sandbox.setKyc(id, { status: "approved" });
    await ours.sandbox.advanceClock(1);
    for (const of of [{}, { account: address }])
      await ours.kyc.pageOfTenant({ ...of, email: person.email, limit: 100 });
    const { db } = trellis.service;
    const half = { createdAt: BigInt(Date.now() - 43_200_000), id: randomUUID() };
    for (const account of [undefined, address]) {
      for (const emailKey of [undefined, new Uint8Array(32)]) {
        for (const before of [undefined, half]) {
          for (const statuses of [[], ["rejected"], ["approved"], ["approved", "under_review"]] as const) {
            const of = { tenantId: "default", environment: "sandbox", account } as const;
            await findVerifications(db, of, { statuses, emailKey, before, limit: 101 });
          }
        }
      }
    }
    await ours.kyc.deleteRailData(address);
    expect(faults()).toEqual([]);
  });

  it("pays to banks, and is paid from them", async () => {
    const ours = client();
    const key = newKey();
    const { address: account } = await ours.accounts.create({
      type: "signers",
      signers: [addressOfKey(key)],
      threshold: 1,
    });
    for (const [currency, amount] of [
      ["sol", "1000000000"],
      ["usdc", "100000000"],
    ] as const) {
      await ours.sandbox.airdrop({ address: account, currency, amount });
    }
    const person = { type: "individual", email: "grace@example.net", full_name: "Grace Hopper" } as const;
    const { id: verification } = await ours.kyc.start(account, { ...person, endorsements: ["base", "sepa"] });
    await ours.sandbox.setKyc(verification, { status: "approved" });

    const bank = await ours.externalAccounts.add(account, usAccount);
    await ours.externalAccounts.add(account, usAccount);
    await ours.externalAccounts.list(account);
    await ours.externalAccounts.get(account, bank.id);
    const to = { externalAccountId: bank.id, rail: "ach_push", currency: "usd" } as const;
    const paid = await ours.transfers.sendToBank({ account, keys: [key], currency: "usdc", amount: 5_000_000n, to });
    await ours.sandbox.moveTransfer(paid.id, "payment_processed");
    expect(await ours.paymentIntents.get(account, paid.id)).toMatchObject({ state: "payment_processed" });
    const opened = await ours.transfers.receiveFromBank(account, {
      amount: "25.00",
      source: { payment_rail: "wire", currency: "usd" },
      destination: { currency: "usdc" },
    });
    await ours.sandbox.moveTransfer(opened.id, "funds_received");
    expect(await ours.paymentIntents.get(account, opened.id)).toMatchObject({ state: "payment_processed" });
    await ours.sandbox.closePayoutAddresses(bank.id);
    await ours.sandbox.setFaults({});
    await ours.sandbox.faults();
    await ours.externalAccounts.remove(account, bank.id);

    const dollars = await ours.virtualAccounts.request(account, { currency: "usd" });
    const v0 = `/api/v0/service/smart-accounts/${account}/virtual-accounts`;
    expect(await request("POST", v0, { currency: "eur" })).toMatchObject({ status: 201 });
    expect(await request("GET", v0)).toMatchObject({ status: 200 });
    await ours.virtualAccounts.list(account, { source_currency: "usd", status: "activated" });
    // Those that were filled in have no bank details that can be opened.
    await ours.virtualAccounts.pageOfTenant({ limit: 100, account });
    const { db } = trellis.service;
    const half = { createdAt: BigInt(Date.now() - 43_200_000), id: randomUUID() };
    for (const of of [{ account: undefined }, { account }]) {
      for (const userId of [undefined, dollars.grid_user_id]) {
        for (const before of [undefined, half]) {
          for (const currencies of [fiatCurrencies, ["usd"], ["eur"]] as const) {
            const whose = { tenantId: "default", environment: "sandbox", ...of } as const;
            for (const statuses of [[], ["activated"], ["deactivated"]] as const) {
              await findVirtualAccounts(db, whose, { statuses, currencies, userId, before, limit: 101 });
            }
          }
        }
      }
    }
    for (const amount of ["10.00", "10.02", "10.03"]) await ours.sandbox.deposit(dollars.id, { amount });
    const page = await ours.virtualAccounts.depositsPage(account, dollars.id, { limit: 2 });
    expect(page.deposits).toHaveLength(2);
    await ours.virtualAccounts.depositsPage(account, dollars.id, { cursor: page.nextCursor ?? "" });
    await ours.sandbox.setVirtualAccountStatus(dollars.id, "deactivated");
    for (const listed of [ours.history.transfers(account), ours.history.transactions(account)]) {
      expect((await listed.next()).done).toBe(false);
    }
    await ours.sandbox.advanceClock(1);
    await ours.sandbox.clock();
    expect(faults()).toEqual([]);
  });

  it("takes in an account that was made elsewhere", async () => {
    const ours = client();
    const key = newKey();
    const { address } = await ours.accounts.create({ type: "signers", signers: [addressOfKey(key)], threshold: 1 });
    await ours.sandbox.airdrop({ address, currency: "sol", amount: "1000000000" });
    // On chain it is one; this service forgets that it made it.
    const database = await openDatabase({ kind: "postgres", url: place.url ?? "" });
    const { settings_address } = await database.db
      .selectFrom("account")
      .select("settings_address")
      .where("address", "=", address)
      .executeTakeFirstOrThrow();
    await database.db.deleteFrom("proposal_watch").where("settings_address", "=", settings_address).execute();
    await database.db.deleteFrom("account_signer").where("account_address", "=", address).execute();
    await database.db.deleteFrom("account").where("address", "=", address).execute();
    await database.close();
    watched.take();
    const email = "ada@example.net";
    const { challenge } = await ours.accounts.import({ settings_address, email });
    const message = challenge?.message ?? "";
    const signature = Buffer.from(await serviceKeyOf(key).sign(Buffer.from(message))).toString("base64");
    const proof = { signer_address: addressOfKey(key), message, signature };
    for (const again of [{ proof }, { proof, email }]) {
      expect(await ours.accounts.import({ settings_address, ...again })).toMatchObject({ status: "active", address });
    }
    expect(faults()).toEqual([]);
  });

  it("lists deposits of a thousand, and reads them again", async () => {
    const database = await openDatabase({ kind: "postgres", url: place.url ?? "" });
    try {
      watched.take();
      const { rows } = await sql<{ id: string }>`select id from rail_virtual_account
        where environment = 'sandbox' and account_address = ${`account-${outdatedCount + 1}`}`.execute(database.db);
      const id = rows[0]?.id ?? "";
      const first = await listDeposits(database.db, id, { before: undefined, limit: 50 });
      expect(first).toHaveLength(51);
      const last = first[50];
      const before = { createdAt: last?.created_at ?? 0n, id: last?.id ?? "" };
      expect(await listDeposits(database.db, id, { before, limit: 50 })).toHaveLength(51);
      await readStanding(database.db, id, Date.now());
      expect(faults()).toEqual([]);
    } finally {
      await database.close();
    }
  });

  it("lists accounts and users by every filter", async () => {
    const { db } = trellis.service;
    const whose = { tenantId: "default", environment: "sandbox" } as const;
    const number = outdatedCount + 2;
    watched.take();
    for (const type of [undefined, "email", "custom"] as const) {
      for (const filter of [
        {},
        { memo: "memo" },
        { memo: "no memo" },
        { signer: "signer" },
        { signer: `wallet-address-${number + 1}` },
        { userId: `user-${number}` },
        { address: `account-${number}`, memo: "memo", signer: `wallet-address-${number}`, userId: `user-${number}` },
      ]) {
        for (const behind of [undefined, { createdAt: BigInt(Date.now() - 43_200_000), address: "account-1" }]) {
          const found = await listKnownAccounts(db, { ...whose, ...filter, type }, { limit: 101, behind });
          if (filter.memo === "no memo") expect(found).toEqual([]);
        }
      }
    }
    for (const filter of [{}, { email: `user-${number}@example.org` }, { id: `user-${number}` }]) {
      for (const behind of [undefined, { createdAt: BigInt(Date.now() - 43_200_000), id: "user-1" }]) {
        await listKnownUsers(db, { ...whose, ...filter }, Date.now(), { limit: 101, behind });
      }
    }
    const { address: account } = await trellis.openHolder();
    const { accounts, users } = client();
    // Settings of rows that were filled in have no addresses that a node would take.
    const [{ grid_user_id: userId = "" } = {}] = (await accounts.page({ limit: 1 })).accounts;
    expect((await accounts.page({ address: account })).accounts).toMatchObject([{ grid_user_id: userId }]);
    expect((await users.page({ limit: 1 })).users).toMatchObject([{ id: userId }]);
    const user = await users.get(userId);
    expect(user).toMatchObject({ accounts: [account], sessions_active: 1 });
    const { sessions } = await users.sessionPage(userId);
    await users.endSession(userId, sessions[0]?.id ?? "");
    expect(await users.endSessions(userId)).toBe(0);
    expect(faults()).toEqual([]);
  });

  it("adds up balances over time of any range", async () => {
    const database = await openDatabase({ kind: "postgres", url: place.url ?? "" });
    const at = {
      environment: "sandbox",
      tenantId: "default",
      accountAddress: "account-1",
      first: ["mint-7", "none"],
    } as const;
    try {
      watched.take();
      for (const span of ["hour", "day"] as const) {
        const seconds = span === "hour" ? 3_600 : 86_400;
        for (const only of [undefined, "mint-0", "none"]) {
          for (const end of [null, 500 * seconds, 9_000 * seconds]) {
            const found = await findSums(database.db, { ...at, span, only, from: 100 * seconds, end });
            expect(found?.tokens.length).toBeGreaterThan(0);
          }
        }
      }
      expect(faults()).toEqual([]);
    } finally {
      await database.close();
    }
  });

  it("lists histories of a thousand rows by every filter", async () => {
    const database = await openDatabase({ kind: "postgres", url: place.url ?? "" });
    const at = { environment: "sandbox", tenantId: "default", limit: 51 } as const;
    const [from, to] = [100_000, 900_000];
    try {
      watched.take();
      for (const accountAddress of ["account-0", "account-1"]) {
        for (const query of [{}, { start_date: String(from), end_date: String(to) }]) {
          for (const mint of [undefined, "mint", "no mint"]) {
            for (const signature of [undefined, "signature-1000"]) {
              const listing = { ...at, accountAddress, bounds: boundsOf(query), mint, signature };
              for (const status of [undefined, "confirmed", "finalized"] as const) {
                for (const direction of [undefined, "inflow", "outflow"] as const) {
                  await listTransfers(database.db, { ...listing, status, direction });
                }
              }
              for (const status of [undefined, "confirmed", "finalized", "failed"] as const) {
                for (const kind of [undefined, "payment", "proposal_vote"]) {
                  await listTransactions(database.db, { ...listing, status, kind });
                }
              }
            }
          }
        }
      }
      expect(faults()).toEqual([]);
    } finally {
      await database.close();
    }
  });

  it("passes over what is open, and sweeps what is over", async () => {
    const database = await openDatabase({ kind: "postgres", url: place.url ?? "" });
    const db = database.background;
    const [random, realClock] = [systemRandom, createRealClock()];
    const keyring = createKeyring({ masterKeys: [{ id: "any", key: randomBytes(32) }], activeId: "any" });
    const quiet = () => undefined;
    const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
    const custodians = makeCustodians(db, { keyring, random });
    const lookout = createLookout(systemPause);
    const needs = { db, random, realClock, log, pause: systemPause, lookout, custodians, keyring };
    const network = trellis.network;
    try {
      watched.take();
      await payStandingOrders(needs, network);
      const working = { ...needs, creationQueue: createCreationQueue(realClock) };
      for (const { run } of openWorkPasses(working, network)) await run();
      await createProposalFollower(needs).tick(network);
      await createHistoryFollower(needs).tick(network);
      await createLimitFollower(needs).tick(network);
      await network.sandbox?.advanceClock(limits.proposalClosingDelayMs / 1000 + 1);
      await closeEndedProposals(needs, network);
      expect(faults()).toEqual([]);
      const removed = await removeOutdated(needs, [network]);
      expect(faults()).toEqual([]);
      // The service's own sweep may have been faster.
      for (const table of Object.keys(removed)) {
        const { rows } = await sql<{ left: number }>`select count(*)::int4 as left from ${sql.table(table)}
          where ${sql.ref(agedColumnOf(table))} = 0
            ${table === "audit_entry" ? sql`and body is not null` : sql``}`.execute(db);
        expect([table, rows[0]?.left]).toEqual([table, expect.toSatisfy((left) => left < outdatedCount / 2)]);
      }
    } finally {
      await database.close();
    }
  });

  it("adds, reads and removes passkeys, and signs in with one", async () => {
    const { address: account, session } = await trellis.openHolder();
    const { passkeys, auth } = createTrellisClient({
      baseUrl: trellis.url,
      apiKey: trellis.apiKey,
      environment: "sandbox",
      fetch: (url, init) => {
        note(init?.method ?? "GET", String(url));
        return fetch(url, init);
      },
    });
    const credentials = browserWith(createSoftPasskey());
    watched.take();
    const passkey = await passkeys.add({ account, session, name: "Phone", credentials });
    await passkeys.rename(account, passkey.id, "Key");
    expect(await passkeys.list(account)).toHaveLength(1);
    await auth.signInWithPasskey({ credentials });
    const by = { passkeys: [passkey], credentials };
    for (const required of [true, false]) await passkeys.setRequirement({ account, required, passkeys: by });
    await passkeys.remove({ account, session, passkey });
    await passkeys.setRelyingParty({ rp_id: "localhost", name: "Sandbox", origins: ["http://localhost:3000"] });
    await passkeys.relyingParty();
    expect(await request("GET", "/api/service/v1/budgets")).toMatchObject({ status: 200 });
    const pages = { name: "Pages", color: "#14532d", publishable_key: trellis.apiKey };
    expect(await request("PUT", "/api/service/v1/treasury-page", pages)).toMatchObject({ status: 400 });
    for (const method of ["GET", "DELETE"]) {
      expect(await request(method, "/api/service/v1/treasury-page")).toMatchObject({ status: 404 });
    }
    expect(await request("GET", "/api/service/v1/treasury-pages/default")).toMatchObject({ status: 404 });
    const mails = "/api/service/v1/proposal-mails";
    expect(await request("PUT", mails, { kinds: ["waiting"] })).toMatchObject({ status: 200 });
    for (const method of ["GET", "DELETE"]) expect(await request(method, mails)).toMatchObject({ status: 200 });
    const policyOf = `/api/service/v1/accounts/${account}/guardian-policy`;
    expect(await request("GET", policyOf)).toMatchObject({ status: 200 });
    const authorization = { provider: "kms_c", kms_signed_payload: { signature: "none" } };
    const ordered = { policy: {}, replaces: 0, nonce: "n", expires_at: "2027-01-01T00:00:00.000Z", authorization };
    expect(await request("PUT", policyOf, ordered)).toMatchObject({ status: 403 });
    const changesOf = `/api/service/v1/accounts/${account}/guardian-changes`;
    expect(await request("GET", changesOf)).toMatchObject({ status: 200 });
    const cancelled = { nonce: "n", expires_at: "2027-01-01T00:00:00.000Z", authorization };
    expect(await request("DELETE", `${changesOf}/any`, cancelled)).toMatchObject({ status: 404 });
    const protection = `/api/service/v1/accounts/${account}/protection`;
    const wish = { recovery: { address: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM" } };
    expect(await request("POST", protection, wish)).toMatchObject({ status: 409 });
    const renewal = `/api/service/v1/accounts/${account}/wallets:renew`;
    expect(await request("POST", renewal, { wallet_nonce: "5e".repeat(32) })).toMatchObject({ status: 400 });
    await trellis.service.db
      .updateTable("account")
      .set({ imported_at: 1n })
      .where("environment", "=", "sandbox")
      .where("address", "=", account)
      .execute();
    await client().accounts.release(account);
    expect(faults()).toEqual([]);
  });

  it("names addresses, of the tenant and of an account", async () => {
    const { address } = await trellis.openHolder();
    watched.take();
    const { labels } = client();
    const payee = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";
    for (const book of [{}, { account: address }]) {
      for (const name of ["Landlord", "Tax office"]) await labels.put({ ...book, address: payee, name });
      await labels.shown({ ...book, addresses: [payee, address] });
      expect((await labels.page({ ...book, limit: 1 })).labels).toHaveLength(1);
      await labels.remove({ ...book, address: payee });
    }
    expect(faults()).toEqual([]);
  });

  it("orders, reads and cancels exports of wallets' keys", async () => {
    const { address: account, session } = await trellis.openHolder();
    const asking = client();
    const { walletExports } = asking;
    watched.take();
    const { ordered: walletExport } = await orderExport(asking, { account, session });
    expect(await walletExports.list(account)).toHaveLength(1);
    await walletExports.cancel({ account, walletExport, session });
    await walletExports.setTerms({ delay_seconds: 0 });
    const { ordered } = await orderExport(asking, { account, session });
    expect(await walletExports.get(account, ordered.id)).toHaveProperty("sealed_key");
    await asking.accounts.get(account);
    await walletExports.setTerms({ delay_seconds: 259_200 });
    await walletExports.terms();
    expect(faults()).toEqual([]);
  });

  it("imports keys of signers", async () => {
    const { address: account, session } = await trellis.openHolder();
    const asking = client();
    watched.take();
    const { wallet } = await importOwnSigner({ db: trellis.service.db, client: asking }, { account, session });
    expect(wallet.provider).toBe("kms_a");
    expect(faults()).toEqual([]);
  });

  it("lets passkeys sign on chain", async () => {
    const ours = client();
    const [passkey, pageOrigin] = [createSoftPasskey(), "https://trellis.example"];
    const { ceremonyType: _, ...made } = await answerToClient(ours, passkey, createSessionKey().key, { pageOrigin });
    const { address } = await ours.passkeySigners.createAccount(made);
    const next = await answerToClient(ours, passkey, createSessionKey().key, { kind: "auth", pageOrigin });
    const { authenticatorResponse } = next;
    const { ceremonyType: __, slotNumber: ___, ...found } = next;
    await ours.passkeySigners.find(found);
    expect((await request("POST", "/api/service/v1/passkeys/ceremony", { authenticatorResponse })).status).toBe(200);
    const other = await openByClient(ours, createSoftPasskey(), createSessionKey().key, { pageOrigin });
    const { passkeyAccount } = await openByClient(ours, passkey, createSessionKey().key, { kind: "auth", pageOrigin });
    expect(await ours.passkeySigners.get(passkeyAccount)).toMatchObject({ address: passkeyAccount });
    expect(await ours.passkeySigners.of(address)).toMatchObject({ passkey: { address: passkeyAccount } });
    await ours.passkeySigners.prepareAdd(address, { passkey: { address: other.passkeyAccount } });
    const terms = { appName: "App", pageOrigin };
    const begun = await ours.passkeySigners.authorize({
      sessionKey: createSessionKey().address,
      seconds: 900,
      ...terms,
    });
    expect(await ours.passkeySigners.outcome(begun)).toBeUndefined();
    await ours.sandbox.airdrop({ address, currency: "sol", amount: "1000000000" });
    const { transaction } = await ours.transfers.prepare(address, {
      amount: "5000000",
      source: { account: address, currency: "sol" },
      destination: { address: createSessionKey().address, currency: "sol" },
      passkey_approval: true,
    });
    await ours.sandbox.advanceClock(1);
    const asked = { account: address, passkeyAccount, transaction, ...terms };
    const { relying_party_id: rpId, origin, challenge } = (await ours.passkeySigners.approve(asked)).approval;
    const approved = answerOf(passkey, { challenge: Buffer.from(challenge, "base64url") }, { rpId, origin });
    const carriedOut = await request("POST", "/api/service/v1/passkeys/ceremony", { authenticatorResponse: approved });
    expect(carriedOut.status).toBe(200);
    const both = await request("DELETE", `/api/service/v1/accounts/${address}/passkeys/${passkeyAccount}/transaction`);
    // It is the only signer.
    expect(both.status).toBe(400);
    expect(faults()).toEqual([]);
  });

  it("leaves nothing out", async () => {
    const operations = endpoints.map(({ contract }) => contract.operation as string);
    expect(operations.filter((operation) => !asked.has(operation))).toEqual([]);
  });
});

const usAccount = {
  account_type: "us",
  currency: "usd",
  account_owner_name: "Grace Hopper",
  account: { account_number: "123456789", routing_number: "021000021" },
  address: { street_line_1: "1 Main Street", city: "Springfield", state: "IL", postal_code: "62701", country: "USA" },
} as const;

type ToConsole = (method: string, path: string, headers: Record<string, string>, body?: string) => Promise<Response>;

/** Adds a passkey to a member who is signed in, signs in by it, and removes it. */
async function usePasskeyOfMember(toConsole: ToConsole, asMember: Record<string, string>): Promise<void> {
  const place = { rpId: "trellis.example", origin: "https://trellis.example" };
  const passkey = createSoftPasskey();
  const id = Buffer.from(passkey.credentialId).toString("base64url");
  const { cookie: _, "x-csrf-token": __, ...asStranger } = asMember;
  const ask = async <T>(method: string, path: string, headers: Record<string, string>, body?: object): Promise<T> => {
    const reply = await toConsole(method, path, headers, body && JSON.stringify(body));
    const { data } = (await reply.json()) as { data: T };
    expect(reply.status, JSON.stringify(data)).toBeLessThan(300);
    return data;
  };
  const challengeOf = (text: string) => Buffer.from(text, "base64url");
  const { public_key: options } = await ask<{ public_key: { challenge: string } }>(
    "POST",
    "passkeys:options",
    asMember,
    {},
  );
  const made = passkey.register({ ...place, challenge: challengeOf(options.challenge) });
  const response = { clientDataJSON: made.clientDataJSON, authenticatorData: made.authenticatorData };
  const added = await ask<{ id: string }>("POST", "passkeys", asMember, {
    name: "Phone",
    credential: { id, response },
  });
  await ask("GET", "passkeys", asMember);
  await ask("PATCH", `passkeys/${added.id}`, asMember, { name: "Old phone" });
  const begun = await ask<{ challenge: string }>("POST", "passkey:options", asStranger, {});
  const signed = passkey.assert({ ...place, challenge: challengeOf(begun.challenge) });
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  await ask("POST", "passkey", asStranger, {
    credential: {
      id,
      response: {
        clientDataJSON: text(signed.clientDataJson),
        authenticatorData: text(signed.authenticatorData),
        signature: text(signed.signature),
      },
    },
  });
  await ask("DELETE", `passkeys/${added.id}`, asMember);
}
