/** The whole interface over a socketless server, with members who sign in to the console. */
import { type MailMessage, MailRefused } from "@trellis/kernel/ports/mail.js";
import { scopes } from "@trellis/kernel/scope.js";
import { pino } from "pino";
import { endpoints } from "../../src/endpoints.js";
import { grid } from "../../src/http/dialects/grid.js";
import { createHttpServer } from "../../src/http/server.js";
import { invite } from "../../src/members/invite-member.js";
import { createSignInMails } from "../../src/members/sign-in-mails.js";
import { createPublishedKeys } from "../../src/sign-in/identity-keys.js";
import { createApiKey } from "../../src/tenants/api-key-store.js";
import { openTestNetwork } from "./test-network.js";
import { use } from "./use.js";

export const apiPath = "/api/service/v1";

/** What a page has of a member who is signed in. */
export interface Page {
  readonly memberId: string;
  readonly cookie: string;
  readonly csrf: string;
  /** What tells the browser that the member has signed in with it. */
  readonly browser: string;
}

/** What a browser has of a request for a code, and what its mail says. */
export interface AskedCode {
  readonly request_id: string;
  readonly code: string | undefined;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: { readonly code?: string; readonly data: unknown };
}

export type Console = Awaited<ReturnType<typeof openConsole>>;

/** The console's service for all tests of a file. */
export const useConsole = (publicUrl = "https://trellis.example", takesCookies = true): Console =>
  use(() => openConsole(publicUrl, takesCookies));

async function openConsole(publicUrl: string, takesCookies: boolean) {
  const test = await openTestNetwork();
  const { db, keyring, random, realClock, log } = test.needs;
  const mails: MailMessage[] = [];
  const lines: string[] = [];
  let isRefusing = false;
  const mailer = {
    senderName: "Trellis",
    send: async (mail: MailMessage) => {
      if (isRefusing) throw new MailRefused("not_configured", "none");
      mails.push(mail);
    },
  };

  const signInMails = createSignInMails({ db, keyring, random, realClock, mailer, log });
  const needs = {
    ...test.needs,
    mailer,
    signInMails,
    publicUrl: () => publicUrl,
    publishedKeys: createPublishedKeys({ db, clock: realClock }),
  };
  const app = await createHttpServer({
    endpoints,
    needs,
    networks: new Map([["sandbox", test.network]]),
    db,
    keyring,
    realClock,
    random,
    corsOrigins: ["https://app.example"],
    trustProxy: true,
    logger: pino({ level: "debug" }, { write: (line: string) => lines.push(line) }),
    readiness: async () => ({ ready: true, checks: {} }),
    version: "0",
    checkResponses: true,
    rateLimits: { perKeyPerMinute: 600, failedAuthenticationsPerAddressPerMinute: 0 },
    publicUrl: () => publicUrl,
    takesCookies,
    dialect: grid,
  });
  let addresses = 0;

  const ask = async (
    method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE",
    path: string,
    parts: { readonly body?: unknown; readonly page?: Page; readonly headers?: Record<string, string> } = {},
  ): Promise<Reply> => {
    const { page, body, headers } = parts;
    const host = publicUrl === "" ? "localhost:8080" : new URL(publicUrl).host;
    const response = await app.inject({
      method,
      url: path.startsWith("/api/") ? path : `${apiPath}${path}`,
      headers: {
        host,
        // Each request is another person's, where nothing else is said.
        "x-forwarded-for": `10.0.${(addresses >> 8) & 255}.${addresses++ & 255}`,
        ...(page && {
          cookie: page.cookie,
          "x-csrf-token": page.csrf,
          origin: publicUrl || "http://localhost:8080",
          "sec-fetch-site": "same-origin",
        }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body as object }),
    });
    return { status: response.statusCode, headers: response.headers, body: response.json() };
  };

  /** What a browser keeps of an answer that signs in. */
  const pageOf = ({ status, headers, body }: Reply): Page => {
    if (status !== 200) throw new Error(JSON.stringify(body));
    const [cookie = ""] = String(headers["set-cookie"]).split(";");
    const data = body.data as { member: { id: string }; csrf_token: string; browser_token: string };
    return { memberId: data.member.id, cookie, csrf: data.csrf_token, browser: data.browser_token };
  };

  const accept = (token: string) => ask("POST", "/console/accept", { body: { token } });

  return {
    needs,
    app,
    db,
    mails,
    clock: realClock,
    network: test.network,
    logged: () => lines.join("") + JSON.stringify(test.logLines),
    ask,
    accept,
    pageOf,
    addTenant: test.addTenant,
    refuseMails: (refuses: boolean) => {
      isRefusing = refuses;
    },
    /** An endpoint without the guard before it. */
    call: test.call,
    /** Invites as a command does. */
    invite: (email: string, plan: Partial<Parameters<typeof invite>[1]> = {}) =>
      invite(
        needs,
        { tenantId: "tenant-1", email, role: "owner", name: null, environments: ["sandbox"], ...plan },
        "operator",
      ),
    /** A member who is signed in. */
    signIn: async (email: string, plan: Partial<Parameters<typeof invite>[1]> = {}): Promise<Page> => {
      const { link } = await invite(
        needs,
        { tenantId: "tenant-1", email, role: "owner", name: null, environments: ["sandbox"], ...plan },
        "operator",
      );
      return pageOf(await accept(link.token));
    },
    /** An API key of a tenant. */
    makeKey: async (plan: Partial<Parameters<typeof createApiKey>[1]> = {}): Promise<Record<string, string>> => {
      const { value } = await createApiKey(
        { db, secret: keyring.macs("api-key"), random, now: realClock.now() },
        { tenantId: "tenant-1", name: "k", scopes, environments: ["sandbox"], expiresAt: null, ...plan },
      );
      return { authorization: `Bearer ${value}` };
    },
    /** The token of the links that were mailed to an address, the oldest first. */
    mailedTokens: (email: string): string[] =>
      mails.filter(({ to }) => to === email).flatMap(({ text }) => /#accept=([\w-]{43})/.exec(text)?.[1] ?? []),
    /** Asks for a code: the request's id, and the code that was mailed, if any. */
    requestCode: async (email: string, more: { tenant?: string; browser?: string } = {}): Promise<AskedCode> => {
      const before = mails.length;
      const reply = await ask("POST", "/console/sign-in", { body: { email, ...more } });
      if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
      await signInMails.settled();
      const subject = mails.slice(before).find(({ to }) => to === email)?.subject;
      const { request_id } = reply.body.data as { request_id: string };
      return { request_id, code: /\d{8}/.exec(subject ?? "")?.[0] };
    },
    close: async () => {
      await app.close();
      await signInMails.settled();
      await test.close();
    },
  };
}
