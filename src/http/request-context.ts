import type { Caller } from "@trellis/kernel/endpoint.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** Who calls, once the key is known. */
    caller: Caller | null;
    /** What the call is about, once the environment is known. */
    network: Network | null;
    /** The body as it was received; empty without one. */
    bodyText: string;
    /** The code of the error it is answered with; empty without one. */
    refusal: string;
  }
  interface FastifyContextConfig {
    /** The contract's operation, for the log. */
    operation?: string;
    /** The contract's path, with its parameters in braces. */
    path?: string;
  }
}

const wellFormedRequestId = /^[A-Za-z0-9._-]{1,40}$/;
/** Keys, secrets of webhooks, and one-time codes. Tokens have 43 characters. */
const refreshesSecret = /^(sk|pk)_|^whsec_|^\d{1,8}$/i;

/**
 * The caller's own request id when it is well formed: 1 to 40 of `A-Z a-z 0-9 . _ -`, and nothing that may be a secret, which
 * would stand in the log (gap 5).
 */
export function givenRequestId(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== "string" || !wellFormedRequestId.test(header) || refreshesSecret.test(header)) return undefined;
  return header;
}

/** One value of a header that occurs once; Node joins repetitions with a comma. */
export function headerText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.join(", ");
}

/** Where a request comes from. Some proxies write a port behind the address. */
export function remoteAddressOf({ ip }: Pick<FastifyRequest, "ip">): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(ip) ?? [];
  const [, plain] = /^(\d+(?:\.\d+){3}):\d+$/.exec(ip) ?? [];
  return bracketed ?? plain ?? ip;
}
