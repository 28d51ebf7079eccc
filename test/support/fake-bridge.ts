import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answer, openBooks, type Row, type SeenRequest } from "./fake-bridge-books.js";

export { fakeBridgeKey } from "./fake-bridge-books.js";

/** Ways in which an answer goes wrong; `…_after`: what was asked has happened. */
export type Fault =
  | "html"
  | "hang"
  | "hang_after"
  | "half"
  | "half_after"
  | "giant"
  | "redirect"
  | "500"
  | "500_after"
  | "429"
  | "503_until"
  | "401"
  | "403"
  | "close"
  | "empty_object_after";

/** One for all of a file: making it takes longer than most tests. */
const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** The partner Bridge on a socket of this machine: keeps what it receives, and misbehaves on request. */
export async function startFakeBridge() {
  const publicKey = keys.publicKey.export({ type: "spki", format: "pem" }).toString();
  const books = openBooks(publicKey);
  const { forms, links, customers, accounts, activities, transfers, stamp, act } = books;
  const seen: SeenRequest[] = [];
  const faults: { readonly about: string; readonly fault: Fault }[] = [];
  const lies: { readonly about: string; readonly change: object }[] = [];
  let redirected = 0;
  const refuse = (status: number, code: string, message: string): Answer => ({ status, body: { code, message } });

  function send(response: ServerResponse, { status, body }: Answer, headers: Record<string, string> = {}) {
    let written = JSON.stringify(body);
    if (forms.quotedNames) written = JSON.stringify(quoted(body));
    if (forms.numbersUnquoted) written = written.replace(/:"(\d+\.\d+)"/g, ":$1");
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(written);
  }

  function misbehave(fault: Fault, request: SeenRequest, response: ServerResponse) {
    const answer = fault.endsWith("_after") ? act(request) : undefined;
    if (fault === "hang" || fault === "hang_after") return;
    if (fault === "close") return void response.destroy();
    if (fault === "html") {
      return void response
        .writeHead(200, { "content-type": "text/html" })
        .end("<!doctype html><h1>Just a moment…</h1>");
    }
    if (fault === "half" || fault === "half_after") {
      const whole = JSON.stringify(answer?.body ?? { id: "half" });
      response.writeHead(200, { "content-length": String(whole.length) });
      response.write(whole.slice(0, Math.floor(whole.length / 2)));
      return void setTimeout(() => response.destroy(), 20);
    }
    if (fault === "giant") {
      response.writeHead(200, { "content-type": "application/json" });
      const chunk = `"${"x".repeat(65_536)}",`;
      response.write("[");
      const flood = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", flood);
      return flood();
    }
    if (fault === "redirect") {
      const { port } = server.address() as AddressInfo;
      return void response.writeHead(307, { location: `http://127.0.0.1:${port}/private` }).end();
    }
    if (fault === "429") return send(response, refuse(429, "rate_limited", "Slow down"), { "retry-after": "7" });
    if (fault === "503_until") {
      const until = new Date(Date.now() + 90_000).toUTCString();
      return send(response, refuse(503, "unavailable", "Maintenance"), { "retry-after": until });
    }
    if (fault === "401") return send(response, { status: 401, body: { code: "required", message: "missing" } });
    if (fault === "403") return send(response, refuse(403, "not_permitted", "Not enabled for you"));
    if (fault === "empty_object_after") return send(response, { status: 201, body: {} });
    send(response, { status: 500, body: { errors: [{ code: "unexpected" }] } });
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://fake");
      if (url.pathname === "/private") {
        redirected += 1;
        return response.end("{}");
      }
      const written = Buffer.concat(chunks).toString();
      const one: SeenRequest = {
        method: request.method ?? "",
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: written === "" ? undefined : JSON.parse(written),
      };
      seen.push(one);
      const at = faults.findIndex(({ about }) => `${one.method} ${one.path}`.startsWith(about));
      const [next] = at < 0 ? [] : faults.splice(at, 1);
      const lie = lies.findIndex(({ about }) => `${one.method} ${one.path}`.startsWith(about));
      const [untrue] = lie < 0 ? [] : lies.splice(lie, 1);
      if (next !== undefined) misbehave(next.fault, one, response);
      else if (untrue !== undefined) {
        const { status, body } = act(one);
        send(response, { status, body: { ...(body as object), ...untrue.change } });
      } else send(response, act(one));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    baseUrl: `${origin}/v0`,
    ...books,
    seen,
    publicKey,
    redirectsFollowed: () => redirected,
    /** The next request that begins so goes wrong: `POST /v0/transfers`. */
    fail(about: string, ...kinds: readonly Fault[]): void {
      faults.push(...kinds.map((fault) => ({ about, fault })));
    },
    /** The next answer to a request that begins so says this instead. */
    answerNextWith(about: string, change: object): void {
      lies.push({ about, change });
    },
    /** What a person did on the hosted pages, and what the partner thinks of it. */
    decide(
      email: string,
      kycStatus: string,
      change: { tos?: string; endorsements?: Record<string, string> } = {},
    ): Row {
      const link = [...links.values()].find((one) => one.email === email);
      if (link === undefined) throw new Error(`nobody has the address ${email}`);
      link.customer_id ??= randomUUID();
      link.kyc_status = kycStatus;
      link.tos_status = change.tos ?? "approved";
      const id = String(link.customer_id);
      const endorsements = change.endorsements ?? { base: kycStatus === "approved" ? "approved" : "incomplete" };
      const row: Row = {
        id,
        email,
        status: kycStatus === "approved" ? "active" : kycStatus,
        requirements_due: kycStatus === "approved" ? [] : ["id_verification"],
        endorsements: Object.entries(endorsements).map(([name, status]) => ({
          name,
          status,
          requirements: { complete: [], missing: status === "approved" ? null : { all_of: ["proof_of_address"] } },
        })),
      };
      customers.set(id, row);
      return row;
    },
    /** One activity of an account, in whatever order the caller likes. */
    addActivity(account: string, type: string, change: Record<string, unknown> = {}): Row {
      const row: Row = {
        id: randomUUID(),
        type,
        virtual_account_id: account,
        customer_id: accounts.get(account)?.customer_id,
        amount: "100.00",
        currency: "usd",
        created_at: stamp(),
        ...change,
      };
      activities.push(row);
      return row;
    },
    /** An address received coins by this payment on chain. */
    addDrain(address: string, signature: string, change: Record<string, unknown> = {}): Row {
      const { id: liquidation_address_id, currency } = [...books.addresses.values()].find(
        (one) => one.address === address,
      ) ?? { id: "unknown", currency: "usdc" };
      const row: Row = {
        id: randomUUID(),
        liquidation_address_id,
        amount: "5.00",
        currency,
        state: "funds_received",
        deposit_tx_hash: signature,
        receipt: { initial_amount: "5.00", developer_fee: "0.0", final_amount: "5.00" },
        created_at: stamp(),
        ...change,
      };
      books.drains.push(row);
      return row;
    },
    moveTransfer(id: string, state: string, change: Record<string, unknown> = {}): void {
      Object.assign(transfers.get(id) ?? {}, { state, updated_at: stamp(), ...change });
    },
    /** A message with the signature the partner would send it with. */
    signed(body: unknown, at = Date.now()): { readonly body: string; readonly headers: Record<string, string> } {
      const written = typeof body === "string" ? body : JSON.stringify(body);
      const digest = createHash("sha256").update(`${at}.${written}`).digest();
      const signature = sign("sha256", digest, keys.privateKey).toString("base64");
      return { body: written, headers: { "x-webhook-signature": `t=${at},v0=${signature}` } };
    },
    close(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export type FakeBridge = Awaited<ReturnType<typeof startFakeBridge>>;

/** Names in quotation marks inside names, as one of the published examples has them. */
function quoted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(quoted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [`"${name}"`, quoted(inner)]));
}
