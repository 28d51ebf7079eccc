import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { type Address, getBase58Decoder, getBase58Encoder } from "@solana/kit";
import type { Caller } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import { type Custodian, CustodianUnavailable } from "@trellis/kernel/ports/custodian.js";
import { type Mailer, MailRefused } from "@trellis/kernel/ports/mail.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { PartnerRef, RailsPartner } from "@trellis/kernel/ports/rails.js";
import type { WebhookOutcome, WebhookSender } from "@trellis/kernel/ports/webhook-post.js";
import { deriveProposalAddress, deriveTransactionAddress } from "@trellis/program-client";
import { toBase64 } from "@trellis/solana/wire-transaction.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { callsOn, openAccount, openServiceClient } from "../../test/proposals/index-chain-client.js";
import { addBank, openApproved, payBank, railsOf } from "../../test/rails/transfers-support.js";
import { bendNetwork } from "../../test/support/bent-network.js";
import { leaveOpen } from "../../test/support/open-submissions.js";
import { use, useTestNetwork } from "../../test/support/scene.js";
import { openOwnAccount, prepareSelfPaid } from "../../test/support/self-paid.js";
import { openControlledAccount, openOrder, runsOf } from "../../test/support/standing-orders.js";
import { createClientKey, errorOf, publicKeyOf } from "../../test/support/test-network.js";
import { createRecipient, exportsOf } from "../../test/support/wallet-exports.js";
import { createAccount } from "../accounts/create-account.js";
import { verifyAccount } from "../accounts/verify-account.js";
import { markChainsEnded } from "../custody/session-chain.js";
import { createWebhookEndpoint } from "../events/create-webhook-endpoint.js";
import { recordEvent } from "../events/record-event.js";
import { noteDelayedChange } from "../passkeys/send-change-notices.js";
import { findProposalByAddress } from "../proposals/proposal-store.js";
import { passesOf, sharedPasses } from "./passes.js";

/** Items of one tenant that are due before the one of another. */
const crowdSize = 10_000;
const test = useTestNetwork({ each: true });
const other = use(() => test.addTenant("tenant-2"), { each: true });
const db = () => test.needs.db;

/** One run of a pass, as its timer makes it. */
const run = (name: string, network: Network = test.network, needs: object = {}): Promise<unknown> => {
  const pass = passesOf({ ...test.needs, ...needs }, network).find((one) => one.name === name);
  if (pass === undefined) throw new Error(`there is no pass ${name}`);
  return pass.run();
};
const oneStatement =
  "one statement of the database does it, which has a time limit of its own, and nobody else is asked";
const ownDeadline = "all of it is one question to the chain, which its transport ends";
const orders = (() => {
  const open = async (id: string, tenantId: string) => {
    const account = await openControlledAccount(test.network, `holder of ${id}`);
    await test.network.sandbox?.airdrop(account.address, 10_000_000_000n);
    const startAt = test.network.clock.now();
    const payee = publicKeyOf(`payee of ${id}`) as Address;
    await openOrder(db(), test.network, account, {
      id,
      amount: 1_000_000n,
      frequency: "monthly",
      startAt,
      payee,
      tenantId,
    });
  };
  const isPaid = async (id: string) => (await runsOf(db(), id)).some((one) => one.endsWith(" paid"));
  return { open, isPaid };
})();
const creations = (() => {
  /** An account creation whose bytes were stored and never landed. */
  const leave = async (email: string, caller: Caller): Promise<string> => {
    await test.call(createAccount, { body: { type: "email", email }, caller });
    const { spki } = await createClientKey();
    const otp_code = await test.latestCode(email, caller);
    const body = { email, otp_code, kms_provider_config: { encryption_public_key: spki } };
    const swallowing = bendNetwork(test.network, async ({ method, ask }) =>
      method === "sendTransaction" ? { result: random(64) } : ask(),
    );
    const call = test.call(verifyAccount, {
      body,
      caller,
      network: swallowing,
      needs: { pause: async () => undefined },
    });
    expect((await errorOf(call)).code).toBe("submission_in_progress");
    const rows = db().selectFrom("account_creation").select("id").where("tenant_id", "=", caller.tenantId);
    return (await rows.orderBy("created_at", "desc").executeTakeFirstOrThrow()).id;
  };
  const hasEnded = async (id: string) =>
    (await db().selectFrom("account_creation").select("state").where("id", "=", id).executeTakeFirstOrThrow()).state ===
    "landed";
  return { leave, hasEnded };
})();
const submissions = (() => {
  const find = (id: string) => db().selectFrom("submission").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const hasLanded = async (id: string) => (await find(id)).state === "landed";
  const isSettled = async (id: string) => (await find(id)).spent_lamports !== null;
  /** One that has landed, and whose costs nobody has settled. */
  const leaveUnsettled = async (lamports: bigint, tenantId: string): Promise<string> => {
    const id = await leaveOpen(test, lamports, undefined, tenantId);
    await test.network.sandbox?.advanceClock(21);
    await run("recover_submissions");
    await db()
      .updateTable("submission")
      .set({ reserved_lamports: 5_000n, reserved_on: 1 })
      .where("id", "=", id)
      .execute();
    return id;
  };
  return { find, hasLanded, isSettled, leaveUnsettled };
})();
const selfPaid = (() => {
  /** A payment that its holder has signed, and nobody sent. */
  const leave = async (caller: Caller): Promise<string> => {
    const account = await openOwnAccount(test, test.network, caller);
    return (await prepareSelfPaid(test, account, publicKeyOf("payee of self-paid"))).id;
  };
  const isCanceled = async (id: string) =>
    (await db().selectFrom("payment_intent").select("state").where("id", "=", id).executeTakeFirstOrThrow()).state ===
    "canceled";
  return { leave, isCanceled };
})();
const members = (() => {
  const leaveDue = async (email: string, slot: bigint): Promise<string> => {
    const { address } = (await test.openHolder(email)).verified;
    await db().updateTable("account").set({ members_due: slot }).where("address", "=", address).execute();
    return address;
  };
  const isLearned = async (address: string) =>
    (await db().selectFrom("account").select("members_due").where("address", "=", address).executeTakeFirstOrThrow())
      .members_due === null;
  return { leaveDue, isLearned };
})();
const keys = (() => {
  /** A session that an operator has ended, whose key the custodian still takes. */
  const leave = async (email: string, tenantId = "tenant-1"): Promise<string> => {
    await test.openHolder(email);
    const { id, chain_id } = await db()
      .selectFrom("session")
      .innerJoin("app_user", "app_user.id", "session.user_id")
      .select(["session.id", "session.chain_id"])
      .where("app_user.email", "=", email)
      .executeTakeFirstOrThrow();
    await db().updateTable("app_user").set({ tenant_id: tenantId }).where("email", "=", email).execute();
    await markChainsEnded(db(), [chain_id], 1, "ended_by_operator");
    return id;
  };
  const isRevoked = async (id: string) =>
    (await db().selectFrom("session").select("key_revoked_at").where("id", "=", id).executeTakeFirstOrThrow())
      .key_revoked_at !== null;
  /** The custodian, but for what it does with the first key that it is asked about. */
  const atFirst = (first: () => Promise<void>) => {
    let asked: string | undefined;
    const kmsA = test.needs.custodians.get("kms_a") as Custodian;
    const revokeAuthorizationKey: Custodian["revokeAuthorizationKey"] = async (request) => {
      asked ??= request.id;
      if (request.id === asked) await first();
      return kmsA.revokeAuthorizationKey(request);
    };
    return { custodians: new Map(test.needs.custodians).set("kms_a", { ...kmsA, revokeAuthorizationKey }) };
  };
  return { leave, isRevoked, atFirst };
})();
const notices = (() => {
  /** An order of devnet whose owner was not mailed. */
  const leave = async (email: string, tenantId = "tenant-1"): Promise<string> => {
    const { id } = await exportsOf(test, await test.openHolder(email)).order(createRecipient());
    const unsent = {
      noticed_state: null,
      notice_due_at: 2n,
      notice_tries: 0,
      environment: "devnet",
      tenant_id: tenantId,
    };
    await db().updateTable("wallet_export").set(unsent).where("id", "=", id).execute();
    return id;
  };
  const isSent = async (id: string) =>
    (await db().selectFrom("wallet_export").select("noticed_state").where("id", "=", id).executeTakeFirstOrThrow())
      .noticed_state !== null;
  /** The sandbox sends nothing. */
  const devnet = (): Network => ({ ...test.network, name: "devnet" });
  const atFirst = (first: () => Promise<void>) => {
    const send: Mailer["send"] = async ({ to }) => {
      if (to.startsWith("first")) await first();
    };
    return { mailer: { senderName: "Trellis", send } };
  };
  return { leave, isSent, devnet, atFirst };
})();
const changes = (() => {
  /** A change of devnet that waits, whose owner was not mailed. */
  const leave = async (email: string, tenantId = "tenant-1"): Promise<string> => {
    const { verified, address } = await test.openHolder(email);
    const signer = verified.policies.signers[0]?.address ?? "";
    const wallet = await db().selectFrom("wallet").select("id").where("address", "=", signer).executeTakeFirstOrThrow();
    const delayed = { account: { address, tenantId }, walletId: wallet.id, changeId: "change", notBefore: 1 };
    await noteDelayedChange(test.needs, notices.devnet(), delayed);
    return `${wallet.id}/change`;
  };
  const isSent = async (id: string) =>
    (await db().selectFrom("guardian_change").select("notice_due_at").where("id", "=", id).executeTakeFirstOrThrow())
      .notice_due_at === null;
  return { leave, isSent };
})();

const proposalMails = (() => {
  /** A member who is to be mailed of a proposal of devnet. */
  const leave = async (email: string, tenant_id = "tenant-1"): Promise<string> => {
    const settings = JSON.stringify({ kinds: ["waiting"], environments: ["devnet"], subject: null, text: null });
    await db().updateTable("tenant").set({ proposal_mails: settings }).where("id", "=", tenant_id).execute();
    const member = {
      id: email,
      tenant_id,
      email,
      name: null,
      role: "viewer",
      status: "active",
      created_at: 1n,
    } as const;
    await db()
      .insertInto("member")
      .values({ ...member, environments: '["devnet"]' })
      .execute();
    const event = {
      id: `evt_${email}`,
      type: "proposal.created",
      object_id: "p",
      previous_status: null,
      once: null,
    } as const;
    const places = await db()
      .selectFrom("event")
      .select(({ fn }) => fn.max("place").as("last"))
      .executeTakeFirst();
    const place = BigInt(places?.last ?? 0n) + 1_000n;
    const data = JSON.stringify({ mainAccountAddress: "a", proposalAddress: "p", transactionIndex: 1 });
    const when = { created_at: 1n, place, placed_at: 1n, is_example: false };
    await db()
      .insertInto("event")
      .values({ ...event, ...when, tenant_id, environment: "devnet", data })
      .execute();
    const row = { id: email, tenant_id, environment: "devnet", member_id: email, mailed_place: 0n, mailed_at: null };
    await db()
      .insertInto("proposal_mail")
      .values({ ...row, news_place: place, notice_due_at: 2n })
      .execute();
    return email;
  };
  const isSent = async (id: string) =>
    (await db().selectFrom("proposal_mail").select("mailed_at").where("id", "=", id).executeTakeFirstOrThrow())
      .mailed_at !== null;
  return { leave, isSent };
})();

const importNotices = (() => {
  /** An import of devnet whose owner was not mailed. */
  const leave = async (email: string, tenantId = "tenant-1"): Promise<string> => {
    const { address, verified } = await test.openHolder(email);
    const id = `import-of-${email}`;
    const named = { wallet_id: "w", wallet_address: "w", signer_address: "s", recipient_public_key: "r" };
    const times = { notice_due_at: 2n, notice_tries: 0, requested_at: 1n, expires_at: 2n, imported_at: 1n };
    const owner = { tenant_id: tenantId, environment: "devnet", user_id: verified.grid_user_id };
    const said = { account_address: address, provider: "kms_a", state: "imported", is_noticed: false } as const;
    await db()
      .insertInto("wallet_import")
      .values({ id, ...owner, ...said, ...named, ...times })
      .execute();
    return id;
  };
  const isSent = async (id: string) =>
    (await db().selectFrom("wallet_import").select("is_noticed").where("id", "=", id).executeTakeFirstOrThrow())
      .is_noticed;
  return { ...notices, leave, isSent };
})();
const proposals = (() => {
  /** An account with one proposal on chain that the service has not read. */
  const open = async (to: "active" | "rejected" = "active") => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    const calls = callsOn(account, openServiceClient(test), 1n);
    await calls.createPayment(1n);
    if (to === "rejected") await calls.vote("reject", 0);
    return account;
  };
  type Opened = Awaited<ReturnType<typeof open>>;
  /** A node that shows no transaction of an account's proposal. */
  const silentAbout = ({ settings }: Opened) => {
    const hidden: unknown[] = [deriveProposalAddress(settings, 1n), deriveTransactionAddress(settings, 1n)];
    return bendNetwork(test.network, async (call) => {
      if (call.method === "getSignaturesForAddress" && hidden.includes(call.params[0]))
        throw new Error("there is no answer");
      return call.ask();
    });
  };
  const rowOf = ({ settings }: Opened) =>
    findProposalByAddress(db(), test.network.name, deriveProposalAddress(settings, 1n));
  const isKnown = async (opened: Opened) => (await rowOf(opened)) !== undefined;
  const statusOf = async (opened: Opened) => (await rowOf(opened))?.chain_status;
  return { open, silentAbout, isKnown, statusOf };
})();
const histories = (() => {
  /** Two accounts whose histories nobody has read, in the order in which they are due. */
  const open = async (): Promise<readonly [string, string]> => {
    const [first, second] = [
      (await test.openHolder("first@example.org")).verified.address,
      (await test.openHolder("second@example.org")).verified.address,
    ];
    const subscriptions = db().updateTable("history_watch");
    await subscriptions
      .set({ read_at: null, fingerprint: null, due_at: 1n })
      .where("account_address", "=", first)
      .execute();
    await subscriptions
      .set({ read_at: null, fingerprint: null, due_at: 2n })
      .where("account_address", "=", second)
      .execute();
    return [first, second];
  };
  const isRead = async (address: string) => {
    const subscription = db().selectFrom("history_watch").select("read_at").where("account_address", "=", address);
    return (await subscription.executeTakeFirstOrThrow()).read_at !== null;
  };
  return { open, isRead };
})();
const limitReads = (() => {
  /** An account whose limits are due to be read. */
  const leave = async () => {
    const account = await openOwnAccount(test);
    const { tenantId: tenant_id } = account.caller;
    const row = {
      environment: "sandbox",
      settings_address: account.settings,
      tenant_id,
      read_slot: -1n,
      active_at: 0n,
      due_at: 2n,
    };
    await db().insertInto("spending_limit_watch").values(row).execute();
    return account;
  };
  const isRead = async (settings: string) => {
    const found = db().selectFrom("spending_limit_watch").select("due_at").where("settings_address", "=", settings);
    return (await found.executeTakeFirstOrThrow()).due_at === null;
  };
  /** Whether a call asks for the limits of an account. */
  const isOf = (settings: Address) => {
    const sought = toBase64(getBase58Encoder().encode(settings) as Uint8Array);
    return ({ method, params }: { readonly method: string; readonly params: readonly unknown[] }) =>
      method === "getProgramAccounts" && inspect(params, { depth: null }).includes(sought);
  };
  return { leave, isRead, isOf };
})();
const transfers = (() => {
  let holder: { readonly address: string; readonly bank: string } | undefined;
  /** A payment to a bank that its partner has moved on, which nobody has told of. */
  const open = async (): Promise<string> => {
    if (holder === undefined || (await db().selectFrom("rail_external_account").select("id").execute()).length === 0) {
      const { address } = (await openApproved(test, "payer@example.org")).verified;
      holder = { address, bank: (await addBank(test, address)).id };
    }
    const { id } = await payBank(test, holder.address, holder.bank, "5000000");
    const find = db().selectFrom("rail_transfer").select("partner_ref").where("id", "=", id);
    const { partner_ref: ref } = await find.executeTakeFirstOrThrow();
    await railsOf(test).simulator?.setTransfer(ref as PartnerRef, "in_review");
    await db().updateTable("rail_transfer").set({ look_at: 2n }).where("id", "=", id).execute();
    return id;
  };
  const isSeen = async (id: string) =>
    (await db().selectFrom("rail_transfer").select("told").where("id", "=", id).executeTakeFirstOrThrow()).told ===
    "in_review";
  const nothingNew = { ok: true, value: { hints: [], cursor: "here" } } as const;
  /** The simulated partner over a network: `answer` decides when, and whether, it tells of a transfer. */
  const partnerThat = (
    answer: (ask: () => ReturnType<RailsPartner["readTransfer"]>) => ReturnType<RailsPartner["readTransfer"]>,
  ) => {
    const { partner } = railsOf(test);
    const readTransfer: RailsPartner["readTransfer"] = (ref, signal) => answer(() => partner.readTransfer(ref, signal));
    return { ...partner, readTransfer, changesSince: async () => nothingNew };
  };
  const served = (partner: RailsPartner) => ({ rails: new Map([["sandbox" as const, { partner }]]) });
  return { open, isSeen, nothingNew, partnerThat, served };
})();
const claimed: WebhookOutcome = { kind: "answered", status: 204, body: "", retryAfter: undefined, durationMs: 1 };
const events = (() => {
  /** Endpoints of two tenants, and what comes of a delivery to the first one's. */
  const open = async (first: WebhookSender["send"]) => {
    const arrived: string[] = [];
    const send: WebhookSender["send"] = async (request, signal) => {
      if (request.url.includes("first")) return first(request, signal);
      arrived.push(request.url);
      return claimed;
    };
    const webhookSender: WebhookSender = { check: async () => undefined, send };
    const needs = { webhookSender };
    await test.call(createWebhookEndpoint, { needs, body: { url: "https://first.example/hook", types: ["*"] } });
    await test.call(createWebhookEndpoint, {
      needs,
      caller: other,
      body: { url: "https://second.example/hook", types: ["*"] },
    });
    const [pass] = passesOf({ ...test.needs, ...needs }, test.network).filter(({ name }) => name === "deliver_events");
    if (pass === undefined) throw new Error("events are delivered");
    return { arrived, pass };
  };
  const emit = (tenantId: string, objectId: string) =>
    recordEvent(db(), {
      tenantId,
      environment: "sandbox",
      type: "webhook.test",
      objectId,
      data: {},
      now: test.network.clock.now(),
    });
  return { open, emit };
})();
const demands: Readonly<Record<string, Demands>> = {
  recover_submissions: {
    hangs: async () => {
      const sentNever = await leaveOpen(test, 1_000_000n);
      const landed = await leaveOpen(test, 2_000_000n, undefined, "tenant-2");
      const { wire_transaction: wire } = await submissions.find(landed);
      await test.network.rpc.sendTransaction(toBase64(wire) as never, { encoding: "base64" }).send();
      await test.network.sandbox?.advanceClock(21);
      await whileHanging("recover_submissions", firstOf("sendTransaction"), () => submissions.hasLanded(landed));
      expect(await submissions.hasLanded(sentNever)).toBe(true);
    },
    throws: async () => {
      const broken = await leaveOpen(test, 1_000_000n, (wire) => wire.slice(0, 40));
      const sound = await leaveOpen(test, 2_000_000n, undefined, "tenant-2");
      await test.network.sandbox?.advanceClock(21);
      await run("recover_submissions");
      expect([await submissions.hasLanded(broken), await submissions.hasLanded(sound)]).toEqual([false, true]);
    },
    crowded: async () => {
      const model = await leaveOpen(test, 1_000_000n);
      await multiply(
        "submission",
        "id",
        model,
        crowd((number) => ({ id: `crowd-${number}`, signature: random(64) })),
      );
      await test.network.sandbox?.advanceClock(1);
      const last = await leaveOpen(test, 2_000_000n, undefined, "tenant-2");
      await test.network.sandbox?.advanceClock(21);
      // The chain answers for the first batch alone.
      let questions = 0;
      const network = bendNetwork(test.network, async ({ method, ask }) => {
        if (method === "getSignatureStatuses") questions += 1;
        if (questions > 2) throw new Error("there is no answer");
        return ask();
      });
      await run("recover_submissions", network);
      expect(await submissions.hasLanded(last)).toBe(true);
    },
  },
  resume_creations: {
    hangs: async () => {
      const first = await creations.leave("first@example.org", test.caller);
      const second = await creations.leave("second@example.org", other);
      test.needs.realClock.advance(20_000);
      const ended = () => anyOf([first, second], creations.hasEnded);
      await whileHanging("resume_creations", firstOf("sendTransaction"), ended);
      expect([await creations.hasEnded(first), await creations.hasEnded(second)]).toEqual([true, true]);
    },
    throws: async () => {
      const broken = await creations.leave("first@example.org", test.caller);
      const sound = await creations.leave("second@example.org", other);
      await db().updateTable("account_creation").set({ plan: "no plan" }).where("id", "=", broken).execute();
      test.needs.realClock.advance(20_000);
      await run("resume_creations");
      expect([await creations.hasEnded(broken), await creations.hasEnded(sound)]).toEqual([false, true]);
    },
    crowded: async () => {
      const last = await creations.leave("last@example.org", other);
      const change = (number: number) => ({
        id: `crowd-${number}`,
        tenant_id: "tenant-1",
        plan: "no plan",
        looked_at: 0,
        one_time_code_id: null,
      });
      await multiply("account_creation", "id", last, crowd(change));
      test.needs.realClock.advance(20_000);
      await run("resume_creations");
      expect(await creations.hasEnded(last)).toBe(true);
    },
  },
  settle_submissions: {
    hangs: async () => {
      const first = await submissions.leaveUnsettled(1_000_000n, "tenant-1");
      const second = await submissions.leaveUnsettled(2_000_000n, "tenant-2");
      const settled = () => anyOf([first, second], submissions.isSettled);
      await whileHanging("settle_submissions", firstOf("getTransaction"), settled);
      expect([await submissions.isSettled(first), await submissions.isSettled(second)]).toEqual([true, true]);
    },
    throws: async () => {
      const both = [
        await submissions.leaveUnsettled(1_000_000n, "tenant-1"),
        await submissions.leaveUnsettled(2_000_000n, "tenant-2"),
      ];
      const isFirst = firstOf("getTransaction");
      // An answer of no known form.
      const network = bendNetwork(test.network, async (call) =>
        isFirst(call) ? { result: { meta: {} } } : call.ask(),
      );
      await run("settle_submissions", network).catch(() => undefined);
      expect(await anyOf(both, submissions.isSettled)).toBe(true);
    },
    crowded: async () => {
      const last = await submissions.leaveUnsettled(1_000_000n, "tenant-2");
      const change = (number: number) => ({ id: `crowd-${number}`, tenant_id: "tenant-1", signature: random(64) });
      await multiply("submission", "id", last, crowd(change));
      await db().updateTable("submission").set({ looked_at: 1n }).where("id", "=", last).execute();
      await run("settle_submissions");
      expect(await submissions.isSettled(last)).toBe(true);
    },
  },
  cancel_overdue_intents: {
    hangs: "one question to a cluster about all of them, which its transport ends, and then one statement",
    throws: oneStatement,
    crowded: "a statement cancels 300 without asking anybody, and a pass 6,000: ten thousand take two passes",
  },
  search_self_paid: {
    hangs: async () => {
      const both = [await selfPaid.leave(test.caller), await selfPaid.leave(other)];
      await test.network.sandbox?.advanceClock(150);
      const gate = createGate();
      let isFirst = true;
      const listLanded: Network["listLanded"] = async (unseen) => {
        if (isFirst) {
          isFirst = false;
          await gate.opened;
        }
        return test.network.listLanded(unseen);
      };
      const running = run("search_self_paid", { ...test.network, listLanded });
      await until(() => anyOf(both, selfPaid.isCanceled));
      gate.open();
      await running;
      for (const id of both) expect(await selfPaid.isCanceled(id)).toBe(true);
    },
    throws: async () => {
      const [broken, sound] = [await selfPaid.leave(test.caller), await selfPaid.leave(other)];
      await test.network.sandbox?.advanceClock(150);
      const { settings_address: settings } = await db()
        .selectFrom("account")
        .innerJoin("payment_intent", "payment_intent.account_address", "account.address")
        .select("settings_address")
        .where("payment_intent.id", "=", broken)
        .executeTakeFirstOrThrow();
      const listLanded: Network["listLanded"] = async (unseen) => {
        if (unseen.address === settings) throw new Error("a fault of our own");
        return test.network.listLanded(unseen);
      };
      await run("search_self_paid", { ...test.network, listLanded });
      expect([await selfPaid.isCanceled(broken), await selfPaid.isCanceled(sound)]).toEqual([false, true]);
    },
    crowded: async () => {
      const model = await selfPaid.leave(test.caller);
      const change = (number: number) => ({ id: `crowd-${number}`, prepared_id: random(32), attempt_at: 1 });
      await multiply("payment_intent", "id", model, crowd(change));
      const last = await selfPaid.leave(other);
      await test.network.sandbox?.advanceClock(150);
      await run("search_self_paid");
      expect(await selfPaid.isCanceled(last)).toBe(true);
    },
  },
  learn_members: {
    hangs: ownDeadline,
    throws: async () => {
      const broken = await members.leaveDue("first@example.org", 1n);
      const sound = await members.leaveDue("second@example.org", 2n);
      const to = { settings_address: test.network.feePayer.address };
      await db().updateTable("account").set(to).where("address", "=", broken).execute();
      await run("learn_members");
      expect([await members.isLearned(broken), await members.isLearned(sound)]).toEqual([false, true]);
    },
    crowded: async () => {
      const last = await members.leaveDue("last@example.org", 2n);
      await db().updateTable("account").set({ tenant_id: "tenant-2" }).where("address", "=", last).execute();
      const change = () => ({
        address: random(32),
        settings_address: random(32),
        tenant_id: "tenant-1",
        members_due: 1,
      });
      await multiply("account", "address", last, crowd(change));
      await run("learn_members");
      expect(await members.isLearned(last)).toBe(true);
    },
  },
  remove_ended_keys: {
    hangs: async () => {
      const left = [await keys.leave("first@example.org"), await keys.leave("second@example.org")];
      const gate = createGate();
      const running = run(
        "remove_ended_keys",
        test.network,
        keys.atFirst(() => gate.opened),
      );
      await until(() => anyOf(left, keys.isRevoked));
      gate.open();
      await running;
      for (const id of left) expect(await keys.isRevoked(id)).toBe(true);
    },
    throws: async () => {
      const left = [await keys.leave("first@example.org"), await keys.leave("second@example.org")];
      const revoked = async () => (await Promise.all(left.map(keys.isRevoked))).filter(Boolean).length;
      const silent = keys.atFirst(() => Promise.reject(new CustodianUnavailable("timeout", "no answer")));
      await run("remove_ended_keys", test.network, silent);
      expect(await revoked()).toBe(1);
      await test.network.sandbox?.advanceClock(limits.keyRemovalApartMs / 1000 + 1);
      await run("remove_ended_keys");
      expect(await revoked()).toBe(2);
      expect(await db().selectFrom("key_removal").selectAll().execute()).toEqual([]);
    },
    crowded: async () => {
      const last = await keys.leave("last@example.org", "tenant-2");
      const change = (number: number) => ({ session_id: `gone-${number}`, tenant_id: "tenant-1", attempt_at: 1 });
      await multiply("key_removal", "session_id", last, crowd(change));
      await run("remove_ended_keys");
      expect(await keys.isRevoked(last)).toBe(true);
    },
  },
  send_export_notices: {
    hangs: async () => {
      const [first, second] = [await notices.leave("first@example.org"), await notices.leave("second@example.org")];
      const gate = createGate();
      const running = run(
        "send_export_notices",
        notices.devnet(),
        notices.atFirst(() => gate.opened),
      );
      await until(() => notices.isSent(second));
      gate.open();
      await running;
      expect(await notices.isSent(first)).toBe(true);
    },
    throws: async () => {
      const [first, second] = [await notices.leave("first@example.org"), await notices.leave("second@example.org")];
      const refusing = notices.atFirst(() => Promise.reject(new MailRefused("rejected", "no")));
      await run("send_export_notices", notices.devnet(), refusing);
      expect([await notices.isSent(first), await notices.isSent(second)]).toEqual([false, true]);
      test.needs.realClock.advance(limits.noticeBackOffMs[0]);
      await run(
        "send_export_notices",
        notices.devnet(),
        notices.atFirst(async () => undefined),
      );
      expect(await notices.isSent(first)).toBe(true);
    },
    crowded: async () => {
      const last = await notices.leave("last@example.org", "tenant-2");
      const change = (number: number) => ({ id: `crowd-${number}`, tenant_id: "tenant-1", notice_due_at: 1 });
      await multiply("wallet_export", "id", last, crowd(change));
      await run(
        "send_export_notices",
        notices.devnet(),
        notices.atFirst(async () => undefined),
      );
      expect(await notices.isSent(last)).toBe(true);
    },
  },
  send_change_notices: {
    hangs: async () => {
      const [first, second] = [await changes.leave("first@example.net"), await changes.leave("second@example.net")];
      const gate = createGate();
      const running = run(
        "send_change_notices",
        notices.devnet(),
        notices.atFirst(() => gate.opened),
      );
      await until(() => changes.isSent(second));
      gate.open();
      await running;
      expect(await changes.isSent(first)).toBe(true);
    },
    throws: async () => {
      const [first, second] = [await changes.leave("first@example.net"), await changes.leave("second@example.net")];
      const refusing = notices.atFirst(() => Promise.reject(new MailRefused("rejected", "no")));
      await run("send_change_notices", notices.devnet(), refusing);
      expect([await changes.isSent(first), await changes.isSent(second)]).toEqual([false, true]);
      test.needs.realClock.advance(limits.noticeBackOffMs[0]);
      await run(
        "send_change_notices",
        notices.devnet(),
        notices.atFirst(async () => undefined),
      );
      expect(await changes.isSent(first)).toBe(true);
    },
    crowded: async () => {
      const last = await changes.leave("last@example.net", "tenant-2");
      const wallet = (number: number) => ({ id: `crowd-${number}`, address: `crowd-${number}`, number: number + 10 });
      await multiply("wallet", "id", last.replace("/change", ""), crowd(wallet));
      const change = (number: number) => ({
        id: `crowd-${number}`,
        wallet_id: `crowd-${number}`,
        tenant_id: "tenant-1",
        notice_due_at: 1,
      });
      await multiply("guardian_change", "id", last, crowd(change));
      await run(
        "send_change_notices",
        notices.devnet(),
        notices.atFirst(async () => undefined),
      );
      expect(await changes.isSent(last)).toBe(true);
    },
  },
  send_import_notices: {
    hangs: async () => {
      const [first, second] = [
        await importNotices.leave("first@example.org"),
        await importNotices.leave("second@example.org"),
      ];
      const gate = createGate();
      const running = run(
        "send_import_notices",
        importNotices.devnet(),
        importNotices.atFirst(() => gate.opened),
      );
      await until(() => importNotices.isSent(second));
      gate.open();
      await running;
      expect(await importNotices.isSent(first)).toBe(true);
    },
    throws: async () => {
      const [first, second] = [
        await importNotices.leave("first@example.org"),
        await importNotices.leave("second@example.org"),
      ];
      const refusing = importNotices.atFirst(() => Promise.reject(new MailRefused("rejected", "no")));
      await run("send_import_notices", importNotices.devnet(), refusing);
      expect([await importNotices.isSent(first), await importNotices.isSent(second)]).toEqual([false, true]);
      test.needs.realClock.advance(limits.noticeBackOffMs[0]);
      await run(
        "send_import_notices",
        importNotices.devnet(),
        importNotices.atFirst(async () => undefined),
      );
      expect(await importNotices.isSent(first)).toBe(true);
    },
    crowded: async () => {
      const last = await importNotices.leave("last@example.org", "tenant-2");
      const change = (number: number) => ({ id: `crowd-${number}`, tenant_id: "tenant-1", notice_due_at: 1 });
      await multiply("wallet_import", "id", last, crowd(change));
      await run(
        "send_import_notices",
        importNotices.devnet(),
        importNotices.atFirst(async () => undefined),
      );
      expect(await importNotices.isSent(last)).toBe(true);
    },
  },
  send_proposal_mails: {
    hangs: async () => {
      const [first, second] = [
        await proposalMails.leave("first@example.org"),
        await proposalMails.leave("second@example.org"),
      ];
      const gate = createGate();
      const running = run(
        "send_proposal_mails",
        notices.devnet(),
        notices.atFirst(() => gate.opened),
      );
      await until(() => proposalMails.isSent(second));
      gate.open();
      await running;
      expect(await proposalMails.isSent(first)).toBe(true);
    },
    throws: async () => {
      const [first, second] = [
        await proposalMails.leave("first@example.org"),
        await proposalMails.leave("second@example.org"),
      ];
      const refusing = notices.atFirst(() => Promise.reject(new MailRefused("rejected", "no")));
      await run("send_proposal_mails", notices.devnet(), refusing);
      expect([await proposalMails.isSent(first), await proposalMails.isSent(second)]).toEqual([false, true]);
      test.needs.realClock.advance(limits.noticeBackOffMs[0]);
      await run(
        "send_proposal_mails",
        notices.devnet(),
        notices.atFirst(async () => undefined),
      );
      expect(await proposalMails.isSent(first)).toBe(true);
    },
    crowded: async () => {
      const crowding = await proposalMails.leave("crowd@example.org");
      const last = await proposalMails.leave("last@example.org", "tenant-2");
      const member = (number: number) => ({ id: `crowd-${number}`, email: `crowd-${number}@example.org` });
      await multiply("member", "id", crowding, crowd(member));
      const change = (number: number) => ({ id: `crowd-${number}`, member_id: `crowd-${number}`, notice_due_at: 1 });
      await multiply("proposal_mail", "id", crowding, crowd(change));
      await run(
        "send_proposal_mails",
        notices.devnet(),
        notices.atFirst(async () => undefined),
      );
      expect(await proposalMails.isSent(last)).toBe(true);
    },
  },
  record_requests: {
    hangs: oneStatement,
    throws: "one statement writes all of them; what it does not take is counted, and lost",
    crowded: "a tenant has a bounded share of the queue, which its own tests hold",
  },
  dismiss_waiting_creations: {
    hangs: "it looks at what is in memory, and waits for nothing",
    throws: "it looks at what is in memory, and runs nothing that could throw",
    crowded: "it dismisses all that have waited too long, of whichever tenant",
  },
  follow_proposals: {
    hangs: async () => {
      const [first, second] = [await proposals.open(), await proposals.open()];
      const known = async () => (await proposals.isKnown(first)) || (await proposals.isKnown(second));
      await whileHanging("follow_proposals", firstOf("getSignaturesForAddress"), known);
      expect([await proposals.isKnown(first), await proposals.isKnown(second)]).toEqual([true, true]);
    },
    throws: async () => {
      const [broken, sound] = [await proposals.open(), await proposals.open()];
      await run("follow_proposals", proposals.silentAbout(broken));
      expect([await proposals.isKnown(broken), await proposals.isKnown(sound)]).toEqual([false, true]);
      // It is due again after the others, and not believed to be followed.
      await test.network.sandbox?.advanceClock(limits.refreshesApartLeastMs / 1000);
      await run("follow_proposals");
      expect(await proposals.isKnown(broken)).toBe(true);
    },
    crowded: async () => {
      const last = await proposals.open();
      await giveToOther(last.address);
      const others = await crowdOfAccounts(last.address);
      const subscription = (number: number) => ({
        settings_address: others[number]?.settings_address,
        tenant_id: "tenant-1",
        due_at: 1,
      });
      await multiply("proposal_watch", "settings_address", last.settings, crowd(subscription));
      await run("follow_proposals");
      expect(await proposals.isKnown(last)).toBe(true);
    },
  },
  pay_standing_orders: {
    hangs: async () => {
      for (const [id, tenant] of [
        ["first", "tenant-1"],
        ["second", "tenant-2"],
      ] as const)
        await orders.open(id, tenant);
      const paid = () => anyOf(["first", "second"], orders.isPaid);
      await whileHanging("pay_standing_orders", firstOf("simulateTransaction"), paid);
      expect([await orders.isPaid("first"), await orders.isPaid("second")]).toEqual([true, true]);
    },
    throws: async () => {
      await orders.open("broken", "tenant-1");
      await orders.open("sound", "tenant-2");
      await db().updateTable("standing_order").set({ amount: "no amount" }).where("id", "=", "broken").execute();
      await run("pay_standing_orders");
      expect([await orders.isPaid("broken"), await orders.isPaid("sound")]).toEqual([false, true]);
    },
    crowded: async () => {
      await orders.open("last", "tenant-2");
      const change = (number: number) => ({
        id: `crowd-${number}`,
        tenant_id: "tenant-1",
        account_address: random(32),
        spending_limit_address: random(32),
        attempt_at: 1,
        next_due_at: 1,
      });
      await multiply("standing_order", "id", "last", crowd(change));
      await run("pay_standing_orders");
      expect(await orders.isPaid("last")).toBe(true);
    },
  },
  follow_histories: {
    hangs: async () => {
      const [first, second] = await histories.open();
      const isFirst = firstOf("getSignaturesForAddress");
      const read = () => anyOf([first, second], histories.isRead);
      await whileHanging("follow_histories", isFirst, read);
      expect([await histories.isRead(first), await histories.isRead(second)]).toEqual([true, true]);
    },
    throws: async () => {
      const [first, second] = await histories.open();
      // An answer of no known form.
      const network = bendNetwork(test.network, async (call) =>
        call.method === "getSignaturesForAddress" && call.params[0] === first ? { result: [null] } : call.ask(),
      );
      await run("follow_histories", network);
      expect([await histories.isRead(first), await histories.isRead(second)]).toEqual([false, true]);
    },
    crowded: async () => {
      const [, last] = await histories.open();
      await giveToOther(last);
      const others = await crowdOfAccounts(last);
      const subscription = (number: number) => ({
        account_address: others[number]?.address,
        tenant_id: "tenant-1",
        due_at: 1,
      });
      await multiply("history_watch", "account_address", last, crowd(subscription));
      await run("follow_histories");
      expect(await histories.isRead(last)).toBe(true);
    },
  },
  follow_limits: {
    hangs: async () => {
      const [{ settings: first }, { settings: second }] = [await limitReads.leave(), await limitReads.leave()];
      const read = () => anyOf([first, second], limitReads.isRead);
      await whileHanging("follow_limits", limitReads.isOf(first), read);
      expect([await limitReads.isRead(first), await limitReads.isRead(second)]).toEqual([true, true]);
    },
    throws: async () => {
      const [{ settings: first }, { settings: second }] = [await limitReads.leave(), await limitReads.leave()];
      const network = bendNetwork(test.network, async (call) => {
        if (limitReads.isOf(first)(call)) throw new Error("there is no answer");
        return call.ask();
      });
      await run("follow_limits", network);
      expect([await limitReads.isRead(first), await limitReads.isRead(second)]).toEqual([false, true]);
      await test.network.sandbox?.advanceClock(limits.refreshesApartLeastMs / 1000);
      await run("follow_limits");
      expect(await limitReads.isRead(first)).toBe(true);
    },
    crowded: async () => {
      const { address, settings } = await limitReads.leave();
      await giveToOther(address);
      const others = await crowdOfAccounts(address);
      const subscription = (number: number) => ({
        settings_address: others[number]?.settings_address,
        tenant_id: "tenant-1",
        due_at: 1,
      });
      await multiply("spending_limit_watch", "settings_address", settings, crowd(subscription));
      await run("follow_limits");
      expect(await limitReads.isRead(settings)).toBe(true);
    },
  },
  choose_watched: { hangs: oneStatement, throws: oneStatement, crowded: oneStatement },
  close_proposals: {
    hangs: async () => {
      const [hanging, sound] = [await proposals.open("rejected"), await proposals.open("rejected")];
      await run("follow_proposals");
      await test.network.sandbox?.advanceClock(limits.proposalClosingDelayMs / 1000);
      const isHanging = ({ method, params: [asked] }: { method: string; params: readonly unknown[] }) =>
        method === "getMultipleAccounts" && Array.isArray(asked) && asked.includes(hanging.settings);
      const closed = async () => (await proposals.statusOf(sound)) === "closed";
      const needs = { pause: async () => undefined };
      await whileHanging("close_proposals", isHanging, closed, needs);
      expect([await proposals.statusOf(hanging), await proposals.statusOf(sound)]).toEqual(["closed", "closed"]);
    },
    throws: async () => {
      const [broken, sound] = [await proposals.open("rejected"), await proposals.open("rejected")];
      await run("follow_proposals");
      await test.network.sandbox?.advanceClock(limits.proposalClosingDelayMs / 1000);
      const network = bendNetwork(test.network, async (call) => {
        const asked: unknown = call.method === "getMultipleAccounts" ? call.params[0] : [];
        if (Array.isArray(asked) && asked.includes(broken.settings)) throw new Error("there is no answer");
        return call.ask();
      });
      await run("close_proposals", network);
      expect([await proposals.statusOf(broken), await proposals.statusOf(sound)]).toEqual(["rejected", "closed"]);
    },
    crowded: async () => {
      const last = await proposals.open("rejected");
      await run("follow_proposals");
      await test.network.sandbox?.advanceClock(limits.proposalClosingDelayMs / 1000);
      await giveToOther(last.address);
      const others = await crowdOfAccounts(last.address);
      const proposal = (number: number) => ({
        settings_address: others[number]?.settings_address,
        proposal_address: random(32),
        transaction_address: random(32),
        status_timestamp: 1,
      });
      const address = deriveProposalAddress(last.settings, 1n);
      await multiply("proposal", "proposal_address", address, crowd(proposal));
      await run("close_proposals");
      expect(await proposals.statusOf(last)).toBe("closed");
    },
  },
  read_program: {
    hangs: ownDeadline,
    throws: "it logs why nothing could be read, and the next run tries again",
    crowded: "there is one program in an environment",
  },
  report_poverty: { hangs: ownDeadline, throws: ownDeadline, crowded: "there is one key of the service's" },
  follow_rails: {
    hangs: async () => {
      const [first, second] = [await transfers.open(), await transfers.open()];
      const gate = createGate();
      let isFirst = true;
      const partner = transfers.partnerThat(async (ask) => {
        if (isFirst) {
          isFirst = false;
          await gate.opened;
        }
        return ask();
      });
      // Nor does it say what has changed.
      const silent = { ...partner, changesSince: () => gate.opened.then(() => transfers.nothingNew) };
      const running = run("follow_rails", test.network, transfers.served(silent));
      await until(() => anyOf([first, second], transfers.isSeen));
      gate.open();
      await running;
      expect([await transfers.isSeen(first), await transfers.isSeen(second)]).toEqual([true, true]);
    },
    throws: async () => {
      const both = [await transfers.open(), await transfers.open()];
      let isFirst = true;
      const partner = transfers.partnerThat(async (ask) => {
        if (!isFirst) return ask();
        isFirst = false;
        throw new Error("a fault of the adapter's");
      });
      await run("follow_rails", test.network, transfers.served(partner));
      expect(await anyOf(both, transfers.isSeen)).toBe(true);
    },
    crowded: async () => {
      const last = await transfers.open();
      await db().updateTable("rail_transfer").set({ tenant_id: "tenant-2" }).where("id", "=", last).execute();
      const transfer = (number: number) => ({
        id: `crowd-${number}`,
        tenant_id: "tenant-1",
        partner_ref: `crowd-${number}`,
        operation_id: null,
        operation_key: `operation-${number}`,
        cancel_key: `cancel-${number}`,
        look_at: 1,
      });
      await multiply("rail_transfer", "id", last, crowd(transfer));
      await run("follow_rails", test.network, transfers.served(transfers.partnerThat((ask) => ask())));
      expect(await transfers.isSeen(last)).toBe(true);
    },
  },
  deliver_events: {
    hangs: async () => {
      const gate = createGate();
      const { arrived, pass } = await events.open(async () => {
        await gate.opened;
        return claimed;
      });
      await events.emit("tenant-1", "one");
      await events.emit("tenant-2", "one");
      await pass.run();
      await until(async () => arrived.length === 1);
      gate.open();
      await pass.stop?.();
    },
    throws: async () => {
      const { arrived, pass } = await events.open(() => Promise.reject(new Error("a fault of the sender's")));
      await events.emit("tenant-1", "one");
      await events.emit("tenant-2", "one");
      await pass.run();
      await until(async () => arrived.length === 1);
      await pass.stop?.();
    },
    crowded: async () => {
      const { arrived, pass } = await events.open(async () => claimed);
      await events.emit("tenant-1", "model");
      const { id } = await db().selectFrom("event").select("id").executeTakeFirstOrThrow();
      const copied = "tenant_id, environment, type, object_id, data, is_example, created_at";
      await sql`insert into event (id, ${sql.raw(copied)}) select 'crowd-' || number, ${sql.raw(copied)}
        from event cross join generate_series(1, ${crowdSize}::int4) as number where event.id = ${id}`.execute(db());
      await events.emit("tenant-2", "last");
      // Places are given out ten thousand at a time; deliveries of each endpoint have turns of their own.
      await pass.run();
      await pass.run();
      await until(async () => arrived.length === 1);
      await pass.stop?.();
    },
  },
  cosign_audit_log: {
    hangs: "a witness has ten seconds, and holds up no checkpoint",
    throws: "each witness is asked on its own, and its failure is logged",
    crowded: "there are as many witnesses as an operator has configured",
  },
  cosign_custodian_logs: {
    hangs: "a custodian has ten seconds an answer",
    throws: "each custodian is asked on its own, and its failure is logged",
    crowded: "there are a few custodians at most",
  },
  sign_audit_log: { hangs: oneStatement, throws: oneStatement, crowded: "a pass gives 10,000 entries their leaves" },
  remove_outdated: { hangs: oneStatement, throws: oneStatement, crowded: "a pass removes 100,000 rows of each kind" },
};

describe("every pass", () => {
  it("is held to these demands", () => {
    const { sandbox: _, ...cluster } = test.network;
    const registered = [test.network, cluster].flatMap((network) => [
      ...passesOf(test.needs, network),
      ...sharedPasses(test.needs, [network]),
    ]);
    expect(Object.keys(demands).sort()).toEqual([...new Set(registered.map(({ name }) => name))].sort());
  });

  it.each(
    Object.entries(demands).flatMap(([name, held]) =>
      Object.entries(held).flatMap(([fault, check]) => (typeof check === "string" ? [] : [{ name, fault, check }])),
    ),
  )("$name: one item $fault, and the others get their end", ({ check }) => check());

  it("says of what it is not held to why it cannot have it", () => {
    for (const held of Object.values(demands))
      for (const reason of Object.values(held))
        if (typeof reason === "string") expect(reason.length).toBeGreaterThan(20);
  });
});

const random = (bytes: number) => getBase58Decoder().decode(randomBytes(bytes));

/** Something that somebody waits at until it is opened. */
function createGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Waits until something has come about, without a clock. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

/** Which of several comes first is the pass's own affair. */
async function anyOf(all: readonly string[], holds: (one: string) => Promise<boolean>): Promise<boolean> {
  for (const one of all) if (await holds(one)) return true;
  return false;
}

/** The pass while one of its items hangs: `holds` has to come about before that one goes on. */
async function whileHanging(
  name: string,
  isHanging: (call: { readonly method: string; readonly params: readonly unknown[] }) => boolean,
  holds: () => Promise<boolean>,
  needs: object = {},
): Promise<void> {
  const gate = createGate();
  const network = bendNetwork(test.network, async (call) => {
    if (isHanging(call)) await gate.opened;
    return call.ask();
  });
  const running = run(name, network, needs);
  await until(holds);
  gate.open();
  await running;
}

/** The first call of a method, and whatever repeats it word for word. */
function firstOf(method: string) {
  let first: string | undefined;
  return (call: { readonly method: string; readonly params: readonly unknown[] }) => {
    if (call.method !== method) return false;
    first ??= JSON.stringify(call.params[0]);
    return JSON.stringify(call.params[0]) === first;
  };
}

/** Rows like one that is there, each with changes of its own. */
const multiply = (table: string, key: string, model: string, changes: readonly object[]) =>
  sql`insert into ${sql.table(table)}
    select (jsonb_populate_record(model, change::jsonb)).*
    from ${sql.table(table)} as model, json_array_elements(${JSON.stringify(changes)}::json) as change
    where model.${sql.ref(key)} = ${model}`.execute(db());

const crowd = (change: (number: number) => object) => Array.from({ length: crowdSize }, (_, number) => change(number));

/** How a pass is held against one of its faults, or why it cannot have it. */
type Held = (() => Promise<void>) | string;

/** What is asked of every pass. */
interface Demands {
  /** One item hangs: the others get their end meanwhile. */
  readonly hangs: Held;
  /** One item throws: the others get their end all the same. */
  readonly throws: Held;
  /** So many items of one tenant come before one of another: that one does not wait for all of them. */
  readonly crowded: Held;
}

/** Accounts of the first tenant that are on no chain, with settings of their own: ten thousand. */
async function crowdOfAccounts(model: string): Promise<readonly { address: string; settings_address: string }[]> {
  const rows = crowd(() => ({ address: random(32), settings_address: random(32), tenant_id: "tenant-1" }));
  await multiply("account", "address", model, rows);
  return rows as { address: string; settings_address: string }[];
}

async function giveToOther(address: string): Promise<void> {
  const own = db().updateTable("account").set({ tenant_id: "tenant-2" }).where("address", "=", address);
  const { settings_address } = await own.returning("settings_address").executeTakeFirstOrThrow();
  const given = { tenant_id: "tenant-2" };
  await db().updateTable("history_watch").set(given).where("account_address", "=", address).execute();
  await db().updateTable("proposal_watch").set(given).where("settings_address", "=", settings_address).execute();
  await db().updateTable("spending_limit_watch").set(given).where("settings_address", "=", settings_address).execute();
}
