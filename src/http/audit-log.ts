import { Buffer } from "node:buffer";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import { addCheckpointBytesMax } from "@trellis/kernel/tlog/witness.js";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ServedLog } from "../audit/served-log.js";
import { addressBucket, createRateLimiter } from "./rate-limit.js";
import { remoteAddressOf } from "./request-context.js";

/** Where the log is read, by the protocol of others (C2SP tlog-tiles): no document of ours describes it (gap 181). */
const prefix = "/audit/v1";

/** Adds the log as anybody may read it: its last checkpoint, and the hashes of its tree. */
export async function addAuditLog(
  app: FastifyInstance,
  { clock, served }: { readonly clock: Clock; readonly served: ServedLog },
): Promise<void> {
  const limiter = createRateLimiter(limits.auditReadsPerMinute);
  const onRequest = async (request: FastifyRequest) => {
    const standing = limiter.take(addressBucket(remoteAddressOf(request)), clock.now());
    if (standing.allowed) return;
    throw new TrellisError("rate_limit_exceeded", { retryAfterSeconds: standing.retryAfterSeconds });
  };
  app.get(`${prefix}/key`, { onRequest }, async (_request, reply) =>
    reply.header("content-type", "text/plain; charset=utf-8").send(Buffer.from(`${served.vkey}\n`)),
  );
  app.get(`${prefix}/checkpoint`, { onRequest }, async (_request, reply) => {
    const checkpoint = await served.checkpoint();
    if (checkpoint === undefined) throw new TrellisError("route_not_found");
    return reply
      .header("content-type", "text/plain; charset=utf-8")
      .header("cache-control", "no-store")
      .send(Buffer.from(checkpoint));
  });
  app.get<{ Params: { "*": string } }>(`${prefix}/tile/*`, { onRequest }, async (request, reply) => {
    const tile = await served.tile(request.params["*"]);
    if (tile === undefined) throw new TrellisError("route_not_found");
    // What a tile has it keeps: a part of one is the same for good, too.
    return reply
      .header("content-type", "application/octet-stream")
      .header("cache-control", "public, max-age=31536000, immutable")
      .send(Buffer.from(tile.bytes));
  });
  const { addCheckpoint } = served;
  if (addCheckpoint === undefined) return;
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<string>("*", { parseAs: "string" }, (_request, text, done) => done(null, text));
    const options = { onRequest, bodyLimit: addCheckpointBytesMax };
    scope.post(`${prefix}/add-checkpoint`, options, async (request, reply) => {
      const { status, contentType, body } = await addCheckpoint(typeof request.body === "string" ? request.body : "");
      return reply.code(status).header("content-type", contentType).send(Buffer.from(body));
    });
  });
}
