import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from "fastify";
import type { Logger } from "pino";
import type { Answers } from "./answers.js";
import { answerClientError } from "./client-error.js";
import type { Speaker } from "./dialects/speaker.js";
import { givenRequestId } from "./request-context.js";
import { pathOf } from "./route-path.js";
import { type BrokenRule, validationError } from "./validation-error.js";

export interface FrameworkOptions {
  readonly logger: Logger;
  readonly realClock: Clock;
  readonly random: Random;
  /** Whether a proxy in front reports the caller's address as the last entry of `x-forwarded-for`. */
  readonly trustProxy: boolean;
  /** How long a request may take to arrive whole, in milliseconds, and how often that is checked. Default: 27 and 2 seconds. */
  readonly lateRequests?: { readonly afterMs: number; readonly checkEveryMs: number };
}

/** The longest path parameter; addresses have 44 characters. */
const pathParameterMax = 256;
/** A request that has not arrived whole by then is given up: within half a minute, with the time until the next check. */
const lateRequests = { afterMs: 27_000, checkEveryMs: 2_000 };
/** Longer than the 60 s after which usual load balancers drop an idle connection. */
const keepAliveTimeoutMs = 72_000;

/** The web framework as it is used here: no route and no hook yet. */
export function openFramework(
  options: FrameworkOptions,
  { answers, speaker }: { readonly answers: Answers; readonly speaker: Speaker | undefined },
): FastifyInstance {
  const { random, realClock, lateRequests: late = lateRequests } = options;
  return Fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // One line a request is written by a hook; a child logger for each would cost more than the line.
    childLoggerFactory: (parent) => parent,
    genReqId: (request) => givenRequestId(request.headers["x-request-id"]) ?? random.uuid(),
    // One hop: entries further left in x-forwarded-for are whatever the caller wrote there.
    trustProxy: options.trustProxy ? (_address: string, hop: number) => hop === 0 : false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: late.afterMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Node would refuse a request without one in words of its own; a hook does in ours.
    http: {
      requireHostHeader: false,
      connectionsCheckingInterval: late.checkEveryMs,
      // Of these two Node applies the one for headers, a minute, where a request was answered before its body has arrived.
      requestTimeout: late.afterMs,
      headersTimeout: late.afterMs,
    },
    rewriteUrl: ({ url = "/" }) => withPlainColons(speaker?.neutralUrl(url) ?? url),
    routerOptions: { maxParamLength: pathParameterMax },
    // What arrives on an open connection while the server drains is answered, and the connection closed.
    return503OnClosing: false,
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allErrors: true,
        strictTypes: false,
        strictTuples: false,
      },
      onCreate: compileWhenUsed,
    },
    schemaErrorFormatter: (rules, part) => validationError(rules as BrokenRule[], part),
    frameworkErrors: (error, request, reply) => {
      answers.begin(request, reply);
      answers.sendError(error, request, reply);
      // No hook hears of these.
      answers.note(request, reply);
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, random.uuid(), realClock.now()),
  }) as unknown as FastifyInstance;
}

type Ajv = Parameters<NonNullable<NonNullable<FastifyServerOptions["ajv"]>["onCreate"]>>[0];

/** Has it compile each schema for the first request that it is for: all of them together take as long as the rest of a start. */
function compileWhenUsed(ajv: Ajv): void {
  const compile = ajv.compile.bind(ajv);
  ajv.compile = ((schema: object) => {
    let compiled: ReturnType<typeof compile> | undefined;
    const validate = (value: unknown) => {
      compiled ??= compile(schema);
      const isValid = compiled(value);
      validate.errors = compiled.errors;
      return isValid;
    };
    validate.errors = undefined as (typeof compiled & object)["errors"];
    return validate;
  }) as Ajv["compile"];
}

/** Some clients encode the colon of `/accounts:custom`, which means the same (RFC 3986, section 2.2, leaves it to the scheme). */
function withPlainColons(url: string): string {
  const path = pathOf(url);
  return path.replaceAll(/%3a/gi, ":") + url.slice(path.length);
}
