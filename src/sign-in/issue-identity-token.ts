import { sign } from "node:crypto";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { getSigningKey, type IdentityKey } from "./identity-keys.js";

export interface IdentityTokenNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly realClock: Clock;
  /** Where this service is found: the issuer. */
  readonly publicUrl: () => string;
}

/** Gap 124. */
export const issueIdentityToken = endpoint(
  {
    operation: "issueIdentityToken",
    summary: "Issue an identity token for an application's backend",
    description:
      "A signed token (JWT, ES256) for the holder of a session, which the application's own backend checks with the keys at " +
      "`/.well-known/jwks.json`: `iss` is this service, `aud` is `<tenant>/<environment>`, `sub` is the grid_user_id. It " +
      "lives five minutes at most, by the real clock, and commands nothing here.",
    tag: "Authentication",
    method: "POST",
    path: "/api/service/v1/auth/token",
    scope: "auth:write",
    environment: "optional",
    publishable: "user",
    needsSession: true,
    idempotent: false,
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({
        token: Type.String({ description: "Three base64url parts." }),
        expires_at: Type.String({ format: "date-time", description: "Real time." }),
      }),
    },
    errors: [],
  },
  async (needs: IdentityTokenNeeds, { caller, network }) => {
    const { session, tenantId } = caller;
    assertOurs(session?.kind === "user", "a user's session was proven before");
    const now = needs.realClock.now();
    // Real time, as backends know no other; what is left of the session is counted by its own clock.
    const lifeMs = Math.min(limits.identityTokenMs, session.expiresAt - network.clock.now());
    const issuedAt = Math.floor(now / 1000);
    const expiresAt = Math.floor((now + lifeMs) / 1000);
    const token = signToken(await getSigningKey(needs, now), {
      iss: needs.publicUrl(),
      aud: `${tenantId}/${network.name}`,
      sub: session.userId,
      iat: issuedAt,
      exp: expiresAt,
    });
    return { data: { token, expires_at: new Date(expiresAt * 1000).toISOString() } };
  },
);

/** RFC 7515, compact. */
function signToken({ id, privateKey }: IdentityKey, claims: Readonly<Record<string, string | number>>): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg: "ES256", typ: "JWT", kid: id })}.${part(claims)}`;
  const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}
