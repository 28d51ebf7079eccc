import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** How the partner writes what it means; each form was seen in its documents or its answers. */
export interface Forms {
  quotedNames: boolean;
  railsAs: "array" | "string" | "singular";
  tosLinkAs: "text" | "url" | "data";
  withoutCount: boolean;
  /** Leaves names out that its schema requires. */
  withoutRequired: boolean;
  numbersUnquoted: boolean;
}

export type Row = Record<string, unknown> & { id: string };

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const dayMs = 86_400_000;
export const fakeBridgeKey = "sk-test-0123456789abcdef";

/** What the partner of `fake-bridge.ts` keeps, and what it answers from that. */
export function openBooks(publicKey: string) {
  const forms: Forms = {
    quotedNames: false,
    railsAs: "array",
    tosLinkAs: "text",
    withoutCount: false,
    withoutRequired: false,
    numbersUnquoted: false,
  };
  const links = new Map<string, Row>();
  const customers = new Map<string, Row>();
  const accounts = new Map<string, Row>();
  const activities: Row[] = [];
  const banks = new Map<string, Row & { number: string }>();
  const transfers = new Map<string, Row>();
  const addresses = new Map<string, Row>();
  const drains: Row[] = [];
  const webhooks = new Map<string, Row>();
  const answered = new Map<string, { readonly request: string; readonly at: number; readonly answer: Answer }>();
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const stamp = () => new Date(now()).toISOString();

  const refuse = (status: number, code: string, message: string, more: object = {}): Answer => ({
    status,
    body: { code, message, ...more },
  });
  const notFound = () => refuse(404, "not_found", "Unknown id");
  const show = (row: Row | undefined): Answer => (row === undefined ? notFound() : { status: 200, body: row });

  const list = (rows: readonly Row[], query: URLSearchParams): Answer => {
    const newestFirst = [...rows].reverse();
    const after = query.get("starting_after");
    const from = after === null ? 0 : newestFirst.findIndex(({ id }) => id === after) + 1;
    const data = newestFirst.slice(from, from + Number(query.get("limit") ?? 10));
    return { status: 200, body: forms.withoutCount ? { data } : { count: rows.length, data } };
  };

  const tosLink = (id: string) => {
    const url = `https://dashboard.bridge.xyz/accept-terms-of-service?t=${id}`;
    return forms.tosLinkAs === "text" ? url : forms.tosLinkAs === "url" ? { url } : { data: { url } };
  };
  const railsOf: Record<string, readonly string[]> = {
    usd: ["ach_push", "wire", "fednow"],
    eur: ["sepa"],
    gbp: ["faster_payments"],
    mxn: ["spei"],
    brl: ["pix"],
  };
  const instructionsOf = (currency: string) => {
    const rails = railsOf[currency] ?? [];
    const said =
      forms.railsAs === "array"
        ? { payment_rails: rails }
        : forms.railsAs === "string"
          ? { payment_rails: rails.join(",") }
          : { payment_rail: rails[0] };
    const numbers: Record<string, object> = {
      usd: { bank_account_number: "900012345678", bank_routing_number: "101019644", bank_name: "Lead Bank" },
      eur: { iban: "DE89370400440532013000", bic: "COBADEFFXXX", account_holder_name: "Ada" },
      gbp: { account_number: "12345678", sort_code: "040004", account_holder_name: "Ada" },
      mxn: { clabe: "646180111812345678", account_holder_name: "Ada" },
      brl: { br_code: "00020126", account_holder_name: "Ada" },
    };
    return { currency, ...said, ...numbers[currency] };
  };

  function post(parts: readonly string[], body: Record<string, never> & Record<string, unknown>): Answer {
    const [noun, id = "", inner, innerId, act] = parts;
    if (noun === "kyc_links") {
      const known = [...links.values()].find(({ email }) => email === body.email);
      if (known !== undefined) {
        return refuse(400, "duplicate_record", "A customer with this email already exists", {
          existing_kyc_link: known,
        });
      }
      const linkId = randomUUID();
      const row: Row = {
        id: linkId,
        full_name: body.full_name,
        email: body.email,
        type: body.type,
        kyc_link: `https://bridge.withpersona.com/verify?inquiry=${linkId}`,
        tos_link: tosLink(linkId),
        kyc_status: "not_started",
        tos_status: "pending",
        rejection_reasons: [],
        customer_id: null,
        created_at: stamp(),
        asked: body.endorsements,
      };
      links.set(linkId, row);
      return { status: 201, body: row };
    }
    if (noun === "webhooks" && id === "") {
      const row: Row = {
        id: `wep_${randomUUID().slice(0, 8)}`,
        url: body.url,
        status: "disabled",
        public_key: publicKey,
      };
      webhooks.set(row.id, { ...row, event_categories: body.event_categories });
      return { status: 201, body: webhooks.get(row.id) };
    }
    if (noun === "transfers") return makeTransfer(body);
    const customer = customers.get(id);
    if (noun !== "customers" || customer === undefined) return notFound();
    if (inner === "virtual_accounts" && innerId === undefined) return makeAccount(customer, body);
    if (inner === "virtual_accounts" && (act === "deactivate" || act === "reactivate")) {
      const account = accounts.get(innerId ?? "");
      if (account) account.status = act === "deactivate" ? "deactivated" : "activated";
      return show(account);
    }
    if (inner === "external_accounts") return makeBank(customer, body);
    if (inner === "liquidation_addresses") return makeLiquidationAddress(customer, body);
    return notFound();
  }

  function makeAccount(customer: Row, body: Record<string, unknown>): Answer {
    const { currency } = body.source as { currency: string };
    const needed = { usd: "base", eur: "sepa", gbp: "faster_payments", mxn: "spei", brl: "pix" }[currency];
    const endorsed = (customer.endorsements as { name: string; status: string }[]).find(({ name }) => name === needed);
    if (customer.status !== "active") return refuse(400, "bad_customer_request", "Customer KYC is not approved");
    if (endorsed?.status !== "approved") {
      return refuse(400, "bad_customer_request", `Customer does not have the ${needed} endorsement`);
    }
    const row: Row = {
      id: randomUUID(),
      status: "activated",
      customer_id: customer.id,
      source_deposit_instructions: instructionsOf(currency),
      destination: { ...(body.destination as object) },
      created_at: stamp(),
      ...(body.developer_fee_percent === undefined ? {} : { developer_fee_percent: body.developer_fee_percent }),
    };
    accounts.set(row.id, row);
    return { status: 201, body: row };
  }

  function makeBank(customer: Row, body: Record<string, unknown>): Answer {
    const inside = (body.account ?? body.iban ?? body.clabe ?? body.pix) as Record<string, string>;
    const number = inside.account_number ?? inside.pix_key ?? "";
    const known = [...banks.values()].find(
      (bank) => bank.number === number && bank.customer_id === customer.id && bank.active === true,
    );
    if (known) return refuse(400, "duplicate_external_account", "An external account with these details exists");
    const row = {
      id: randomUUID(),
      customer_id: customer.id,
      currency: body.currency,
      account_owner_name: body.account_owner_name,
      bank_name: body.bank_name ?? "Some Bank",
      last_4: number.slice(-4),
      active: true,
      number,
    };
    banks.set(row.id, row);
    const { number: _, ...view } = row;
    return { status: 201, body: view };
  }

  function makeLiquidationAddress(customer: Row, body: Record<string, unknown>): Answer {
    const bank = banks.get(String(body.external_account_id));
    if (customer.status !== "active") return refuse(400, "bad_customer_request", "Customer KYC is not approved");
    if (bank === undefined || bank.customer_id !== customer.id || bank.active !== true) {
      return refuse(404, "not_found", "Unknown external account");
    }
    const row: Row = {
      id: randomUUID(),
      ...(forms.withoutRequired ? {} : { customer_id: customer.id, state: "active" }),
      chain: body.chain,
      currency: body.currency,
      external_account_id: bank.id,
      destination_payment_rail: body.destination_payment_rail,
      destination_currency: body.destination_currency,
      address: nextAddresses.shift() ?? payOutAddress,
      return_address: body.return_address,
      owner: customer.id,
      created_at: stamp(),
    };
    addresses.set(row.id, row);
    return { status: 201, body: row };
  }
  const nextAddresses: string[] = [];

  function makeTransfer(body: Record<string, unknown>): Answer {
    const customer = customers.get(String(body.on_behalf_of));
    const source = body.source as Record<string, string>;
    const destination = body.destination as Record<string, string>;
    const amount = String(body.amount);
    if (customer?.status !== "active") return refuse(400, "bad_customer_request", "Customer KYC is not approved");
    if (amount === "666.66") return refuse(403, "aml_violation", "Transfer refused by compliance");
    if (Number(amount) < 1) {
      return refuse(400, "invalid_parameters", "Please resubmit", {
        source: { location: "body", key: { amount: "is below the minimum of 1.00" } },
      });
    }
    const id = randomUUID();
    const onChain = source.payment_rail === "solana";
    const row: Row = {
      id,
      client_reference_id: body.client_reference_id,
      state: "awaiting_funds",
      on_behalf_of: customer.id,
      amount,
      ...(forms.withoutRequired ? {} : { currency: onChain ? destination.currency : source.currency }),
      developer_fee: "0.0",
      source: { ...source },
      destination: { ...destination },
      source_deposit_instructions: onChain
        ? { payment_rail: "solana", amount, currency: source.currency, to_address: payOutAddress }
        : {
            ...instructionsOf(source.currency ?? ""),
            payment_rail: source.payment_rail,
            amount,
            deposit_message: `BRG${id.slice(0, 8)}`,
          },
      receipt: { initial_amount: amount, developer_fee: "0.0", exchange_fee: "0.0", gas_fee: "0.0" },
      created_at: stamp(),
      updated_at: stamp(),
    };
    transfers.set(id, row);
    return { status: 201, body: row };
  }
  let payOutAddress = "BridgeDeposit1111111111111111111111111111111";

  function read(parts: readonly string[], query: URLSearchParams): Answer {
    const [noun, id = "", inner, innerId = "", act] = parts;
    if (noun === "customers" && id === "") return list([...customers.values()], query);
    if (noun === "kyc_links") return show(links.get(id));
    if (noun === "webhooks") return id === "" ? list([...webhooks.values()], query) : show(webhooks.get(id));
    if (noun === "virtual_accounts") return list(activities, query);
    if (noun === "liquidation_addresses") return list(drains, query);
    if (noun === "transfers" && id !== "") return show(transfers.get(id));
    if (noun === "transfers") {
      const after = Number(query.get("updated_after_ms") ?? 0);
      return list(
        [...transfers.values()].filter((one) => Date.parse(String(one.updated_at)) >= after),
        query,
      );
    }
    const customer = customers.get(id);
    if (customer === undefined) return notFound();
    if (inner === undefined) return show(customer);
    if (inner === "kyc_link")
      return { status: 200, body: { kyc_link: `https://bridge.withpersona.com/again?c=${id}` } };
    const own = (rows: Iterable<Row>) => [...rows].filter((row) => row.customer_id === id);
    if (inner === "external_accounts") {
      const view = own(banks.values()).map(({ number: _, ...bank }) => bank as unknown as Row);
      return innerId === "" ? list(view, query) : show(view.find((bank) => bank.id === innerId));
    }
    if (inner === "liquidation_addresses") {
      const opened = [...addresses.values()].filter(({ owner }) => owner === id);
      if (innerId === "") return list(opened, query);
      if (act !== "drains") return show(opened.find((one) => one.id === innerId));
      return list(
        drains.filter((one) => one.liquidation_address_id === innerId),
        query,
      );
    }
    if (inner === "transfers") {
      const after = Number(query.get("updated_after_ms") ?? 0);
      return list(
        [...transfers.values()].filter((one) => one.on_behalf_of === id && Date.parse(String(one.updated_at)) >= after),
        query,
      );
    }
    if (inner !== "virtual_accounts") return notFound();
    if (innerId === "") return list(own(accounts.values()), query);
    if (act === "history")
      return list(
        activities.filter((one) => one.virtual_account_id === innerId),
        query,
      );
    return show(own(accounts.values()).find((one) => one.id === innerId));
  }

  function remove(parts: readonly string[]): Answer {
    const [noun, id = "", inner, innerId = ""] = parts;
    if (noun === "transfers") {
      const transfer = transfers.get(id);
      if (transfer === undefined) return notFound();
      if (transfer.state !== "awaiting_funds") return refuse(400, "invalid_parameters", "Transfer cannot be deleted");
      Object.assign(transfer, { state: "canceled", updated_at: stamp() });
      return show(transfer);
    }
    const bank = inner === "external_accounts" ? banks.get(innerId) : undefined;
    if (bank === undefined || bank.active !== true) return notFound();
    bank.active = false;
    return { status: 200, body: { id: bank.id, active: false } };
  }

  function act(request: SeenRequest): Answer {
    const parts = request.path.replace("/v0/", "").split("/").map(decodeURIComponent);
    const body = (request.body ?? {}) as Record<string, never> & Record<string, unknown>;
    if (request.headers["api-key"] !== fakeBridgeKey) {
      return {
        status: 401,
        body: { code: "invalid", location: "header", name: "Api-Key", message: "Invalid API key" },
      };
    }
    if (request.method === "GET") return read(parts, request.query);
    if (request.method === "DELETE") return remove(parts);
    if (request.method === "PUT" && parts[0] === "webhooks") {
      const webhook = webhooks.get(parts[1] ?? "");
      if (webhook) Object.assign(webhook, body);
      return show(webhook);
    }
    const key = String(request.headers["idempotency-key"] ?? "");
    if (key === "") return refuse(400, "required", "Idempotency-Key is missing");
    const said = `${request.path} ${JSON.stringify(request.body)}`;
    const before = answered.get(key);
    if (before !== undefined && now() - before.at > dayMs) {
      return refuse(422, "invalid_idempotency_key", "Idempotency key has expired");
    }
    if (before !== undefined && before.request !== said) {
      return refuse(400, "idempotency_error", "Idempotency key was used with another body");
    }
    const answer = before?.answer ?? post(parts, body);
    // Refusals are replayed as well.
    answered.set(key, before ?? { request: said, at: now(), answer: structuredClone(answer) });
    return answer;
  }

  return {
    forms,
    links,
    customers,
    accounts,
    activities,
    banks,
    transfers,
    addresses,
    drains,
    webhooks,
    stamp,
    act,
    passTime(ms: number): void {
      aheadMs += ms;
    },
    /** The addresses that are opened next. */
    openNextAt(...some: readonly string[]): void {
      nextAddresses.push(...some);
    },
    payOutsGoTo(address: string): void {
      payOutAddress = address;
    },
  };
}
