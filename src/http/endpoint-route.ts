import { csvContentType, prefersCsv, writeCsv } from "@trellis/kernel/csv.js";
import type { Answer, Call, Contract, Endpoint } from "@trellis/kernel/endpoint.js";
import { AssertionFailed, assertOurs, type ErrorCode, TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Compile } from "typebox/compile";
import { compileNullRemoval } from "./absent-nulls.js";
import { refuseLongBodies } from "./body-bounds.js";
import type { Speaker } from "./dialects/speaker.js";
import { floorErrors } from "./floor-errors.js";
import { bearerKey, createGuard, type Guards } from "./guards.js";
import { type IdempotentRuns, isIdempotent, type Outcome } from "./idempotent-runs.js";
import { jsonSchemaOf, withoutIds } from "./json-schema.js";
import { compileNearMissRefusal } from "./near-misses.js";
import { sessionCookieOf } from "./own-pages.js";
import { compileQueryReading } from "./query-text.js";
import { compileRefusedFields } from "./refused-fields.js";
import { findUndeclared } from "./response-check.js";
import { routePathOf } from "./route-path.js";
import { refuseZeroCharacters } from "./zero-characters.js";

export const jsonContentType = "application/json; charset=utf-8";

/** What every route is made with. */
export interface RouteNeeds<Needs> {
  readonly needs: Needs;
  readonly guards: Guards;
  /** Real time. */
  readonly clock: Clock;
  readonly idempotentRuns: IdempotentRuns;
  /** Absent: everybody says the neutral names. */
  readonly speaker?: Speaker | undefined;
  /** Holds every answer against its contract before it goes out, its data or its error's code: for tests and development. */
  readonly checkResponses: boolean;
}

/** Turns an endpoint record into a route: guards, validation, idempotency, handler, envelope, in this order. */
export function addEndpointRoute<Needs>(
  app: FastifyInstance,
  { contract, handle }: Endpoint<Needs>,
  route: RouteNeeds<Needs>,
): void {
  const { needs, idempotentRuns, speaker } = route;
  const render = createRenderer(contract, route);
  const readQuery = contract.query && compileQueryReading(jsonSchemaOf(contract.query));
  const removeNulls = contract.body && compileNullRemoval(jsonSchemaOf(contract.body));
  const refuseNearMisses =
    contract.body && contract.refusesNearMisses === true
      ? compileNearMissRefusal(jsonSchemaOf(contract.body), contract.refusesFieldsBeside)
      : undefined;
  const refuseFields = compileRefusedFields(contract.refusesFields);
  const checkError = route.checkResponses ? createErrorCheck(contract) : undefined;
  const countsKeys = isIdempotent(contract);
  const wantsCsv = compileCsvWish(contract);
  const spendWrites =
    contract.method === "GET" || contract.scope === null ? undefined : writeSpending(contract, route.guards);
  const hear = speaker?.hearing(contract);
  const say = speaker?.saying(contract);

  async function run(request: FastifyRequest, operationId: string | undefined): Promise<Outcome> {
    try {
      const isCsv = wantsCsv?.(request) ?? false;
      return render(
        await handle(needs, callOf(contract, request, operationId, route.guards.publicUrl())),
        request.id,
        isCsv,
      );
    } catch (error) {
      checkError?.(error);
      throw error;
    }
  }

  app.route({
    method: contract.method,
    url: routePathOf(contract.path),
    config: { operation: contract.operation, path: contract.path },
    schema: {
      ...(contract.params ? { params: withoutIds(jsonSchemaOf(contract.params)) } : {}),
      ...(contract.query ? { querystring: withoutIds(jsonSchemaOf(contract.query)) } : {}),
      ...(contract.body ? { body: withoutIds(jsonSchemaOf(contract.body)) } : {}),
    },
    // In the words of a dialect clients with keys alone ask.
    onRequest: createGuard(route.guards, contract, bearerKey, (request) =>
      speaker?.isSpokenBy(request) ? undefined : sessionCookieOf(request, route.guards.publicUrl()),
    ),
    ...(readQuery || contract.body
      ? {
          preValidation: async (request: FastifyRequest) => {
            if (contract.body) {
              refuseLongBodies(request.body);
              refuseZeroCharacters(request.bodyText, request.body);
            }
            if (contract.bodyMayBeAbsent === true) request.body ??= {};
            readQuery?.(request.query as Record<string, unknown>);
            // First of all: whatever is done with a body, its fingerprint included, is done with neutral names.
            if (hear && speaker?.isSpokenBy(request)) request.body = hear(request.body);
            refuseFields?.(request.body);
            refuseNearMisses?.(request.body);
            removeNulls?.(request.body);
          },
        }
      : {}),
    handler: async (request, reply) => {
      await spendWrites?.(request);
      const { status, headers, body } = countsKeys
        ? await idempotentRuns.run(request, contract, run)
        : (await run(request, undefined)).answer;
      reply.code(status).header("content-type", jsonContentType);
      for (const name in headers) reply.header(name, headers[name]);
      if (status >= 400) request.refusal = codeOf(body);
      // The columns of a table have one name each, whoever asks.
      if (headers["content-type"] !== undefined || !speaker?.isSpokenBy(request)) return reply.send(body);
      // Answers are stored in neutral names: one that is replayed is in the words of who asks now.
      return reply.send(status < 400 ? (say?.(body) ?? body) : speaker.sayError(body));
    },
  });
}

/**
 * Counts what a request may leave behind against its tenant's number of the day: itself, and a stored answer where it has an
 * idempotency key. What prepares transactions is counted apart, so that who has used that up can still submit and revoke; so are sign-ins
 * by wallet, which anybody can ask for on a page.
 */
function writeSpending(
  { preparesOnly, dailyWrites }: Contract,
  { writes }: Guards,
): ((request: FastifyRequest) => Promise<void>) | undefined {
  if (!writes || dailyWrites === "none") return undefined;
  const kind = dailyWrites ?? (preparesOnly === true ? "prepares" : "others");
  return async ({ caller, headers }) => {
    if (!caller) return;
    const hasKey = headers["x-idempotency-key"] !== undefined || headers["idempotency-key"] !== undefined;
    await writes.take(caller.tenantId, caller.isPublishable ? `page_${kind}` : kind, hasKey ? 2 : 1);
  };
}

/** The code in an error that was stored as an answer. */
function codeOf(body: string): string {
  const { code }: { code?: unknown } = JSON.parse(body);
  assertOurs(typeof code === "string", "an error was answered without its code");
  return code;
}

function callOf(
  contract: Contract,
  request: FastifyRequest,
  operationId: string | undefined,
  publicUrl: string,
): Call<Contract> {
  const call = {
    params: contract.params && request.params,
    query: contract.query && request.query,
    body: contract.body && request.body,
    caller: request.caller ?? undefined,
    network: request.network ?? undefined,
    requestId: request.id,
    ...(contract.console === "open" ? { presentedCookie: sessionCookieOf(request, publicUrl) } : {}),
    operationId,
  };
  // The parts have passed the contract's schemas, and the guard has seen to caller and network.
  return call as Call<Contract>;
}

function createRenderer<Needs>(
  { operation, response }: Contract,
  { clock, checkResponses }: RouteNeeds<Needs>,
): (answer: Answer<unknown>, requestId: string, isCsv: boolean) => Outcome {
  const none: Readonly<Record<string, string>> = {};
  const { csv } = response;
  const check = checkResponses ? createCheck(operation, response) : undefined;
  return (answer, requestId, isCsv) => {
    const { data, headers, metadata, finality = "final" } = answer;
    check?.(data);
    if (isCsv && csv !== undefined) {
      const form = {
        "content-type": csvContentType,
        "content-disposition": `attachment; filename="${csv.fileName}.csv"`,
        // Of `metadata`, this has no header otherwise, and who searches in vain has to know it.
        ...(typeof metadata?.complete_at === "string" ? { "x-complete-at": metadata.complete_at } : {}),
      };
      const body = writeCsv(csv, data as readonly unknown[]);
      return { answer: { status: response.status, headers: { ...headers, ...form }, body }, finality };
    }
    const whole = response.envelope
      ? { data, metadata: { request_id: requestId, timestamp: new Date(clock.now()).toISOString(), ...metadata } }
      : data;
    // Stringified as it is: a serializer made from the schema would drop what the schema does not name and bend what it
    // names otherwise, without a word.
    const body = JSON.stringify(whole);
    assertOurs(typeof body === "string", `${operation} answered without a body`);
    return { answer: { status: response.status, headers: headers ?? none, body }, finality };
  };
}

/** Whether a request asks for the other form of an answer, where there is one. */
function compileCsvWish({
  operation,
  method,
  query,
  response: { csv, envelope },
}: Contract): ((request: FastifyRequest) => boolean) | undefined {
  if (csv === undefined) return undefined;
  const hasFormat = query !== undefined && "format" in (jsonSchemaOf(query).properties ?? {});
  // What is stored under an idempotency key is JSON.
  assertOurs(method === "GET" && envelope && hasFormat, `${operation} cannot answer as CSV`);
  assertOurs(/^[a-z-]+$/.test(csv.fileName), `${operation} has a file name that is not safe`);
  return ({ query: asked, headers: { accept } }) => {
    const { format } = asked as { readonly format?: "json" | "csv" };
    return format === undefined ? prefersCsv(accept) : format === "csv";
  };
}

/** Throws where a handler refuses with a code that its contract does not declare: clients are informed of all there are. */
function createErrorCheck(contract: Contract): (error: unknown) => void {
  const declared = new Set<ErrorCode>([...contract.errors, ...floorErrors(contract)]);
  return (error) => {
    if (!(error instanceof TrellisError) || declared.has(error.code)) return;
    const message = `${contract.operation} answered with the error ${error.code}, which its contract does not declare`;
    throw new AssertionFailed(message, { cause: error });
  };
}

function createCheck(operation: string, response: Contract["response"]): (data: unknown) => void {
  const compile = () => [Compile(response.schema), findUndeclared(jsonSchemaOf(response.schema))] as const;
  // For the first answer: a server of one test answers few of its operations, and compiling all of them is a third of its start.
  let compiled: ReturnType<typeof compile> | undefined;
  return (data) => {
    assertOurs(Boolean(data), `${operation} answered with empty data: ${String(data)}`);
    compiled ??= compile();
    const [validator, undeclared] = compiled;
    const onTheWire: unknown = JSON.parse(JSON.stringify(data));
    if (!validator.Check(onTheWire)) {
      const [first] = validator.Errors(onTheWire);
      throw new AssertionFailed(
        `${operation} broke its response schema at "${first?.instancePath}": ${first?.message}`,
      );
    }
    const surplus = undeclared(onTheWire, "");
    assertOurs(surplus === undefined, `${operation} answered with a field its schema does not name: ${surplus}`);
  };
}
