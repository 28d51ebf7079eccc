import { Buffer } from "node:buffer";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import { environmentNames } from "@trellis/kernel/ports/environment.js";
import { InvalidPartnerSignature } from "@trellis/kernel/ports/rails.js";
import type { FastifyInstance } from "fastify";
import type { PartnerMessage } from "../rails/receive-news.js";
import { jsonContentType } from "./endpoint-route.js";
import { addressBucket, createRateLimiter } from "./rate-limit.js";
import { remoteAddressOf } from "./request-context.js";

/** Partners that send news, and where. Spoken by them alone, so that no document of ours describes it (gap 106). */
const path = "/hooks/bridge/:environment";
const partner = "bridge";

/**
 * Adds the route by which a partner reports that something has changed. No API key: the signature over the bytes says who
 * sends. What is answered with 200 is stored; everything else the partner sends again.
 */
export async function addPartnerHooks(
  app: FastifyInstance,
  parts: { readonly clock: Clock; readonly receive: (message: PartnerMessage) => Promise<boolean> },
): Promise<void> {
  const limiter = createRateLimiter(limits.partnerNewsPerMinute);
  await app.register(async (scope) => {
    // The signature is over the bytes as they were received.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<Buffer>("*", { parseAs: "buffer" }, (_request, bytes, done) => done(null, bytes));
    scope.route<{ Params: { environment: string } }>({
      method: "POST",
      url: path,
      bodyLimit: limits.bodyBytes,
      onRequest: async (request) => {
        const standing = limiter.take(addressBucket(remoteAddressOf(request)), parts.clock.now());
        if (!standing.allowed) {
          throw new TrellisError("rate_limit_exceeded", { retryAfterSeconds: standing.retryAfterSeconds });
        }
      },
      handler: async (request, reply) => {
        const environment = environmentNames.find((name) => name === request.params.environment);
        if (environment === undefined) throw new TrellisError("route_not_found");
        const rawBody = Buffer.isBuffer(request.body) ? request.body : new Uint8Array();
        const headers = Object.fromEntries(
          Object.entries(request.headers).flatMap(([name, value]) =>
            typeof value === "string" ? [[name, value]] : [],
          ),
        );
        try {
          const isKnown = await parts.receive({ partner, environment, headers, rawBody });
          if (!isKnown) throw new TrellisError("route_not_found");
        } catch (error) {
          if (!(error instanceof InvalidPartnerSignature)) throw error;
          throw new TrellisError("invalid_request", { message: error.message });
        }
        return reply.header("content-type", jsonContentType).send('{"received":true}');
      },
    });
  });
}
