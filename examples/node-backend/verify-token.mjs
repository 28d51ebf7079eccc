import { createPublicKey, verify } from "node:crypto";

/** The token proves nothing. */
export class TokenRefused extends Error {}

/** For how long the service's keys may be remembered, and how soon they are asked for again because of an unknown one. */
const rememberMs = 5 * 60_000;
const askAgainMs = 10_000;
/** By how much two clocks may differ. */
const leewaySeconds = 30;

/**
 * Makes a function that checks an identity token (a JWT, ES256) against the keys that the service publishes, and answers its
 * claims: `sub` is the user. It rejects with `TokenRefused` unless the token is of this service, for this tenant and
 * environment, and of these minutes.
 */
export function createTokenVerifier({ keysUrl, issuer, audience, now = Date.now }) {
  let keys = new Map();
  let askedAt = Number.NEGATIVE_INFINITY;

  const ask = async () => {
    const response = await fetch(keysUrl);
    if (!response.ok) throw new Error(`the service's keys were answered with ${response.status}`);
    const { keys: published } = await response.json();
    keys = new Map(published.map((jwk) => [jwk.kid, createPublicKey({ key: jwk, format: "jwk" })]));
    askedAt = now();
  };

  const keyOf = async (id) => {
    const age = now() - askedAt;
    // A key that is not known is a new one, or somebody's invention: it is asked for, and not as often as somebody likes.
    if (age > rememberMs || (!keys.has(id) && age > askAgainMs)) await ask();
    return keys.get(id);
  };

  return async (token) => {
    const parts = token?.split(".") ?? [];
    const [head, claims] = parts.slice(0, 2).map(parse);
    // The algorithm is ours to say, not the token's.
    if (parts.length !== 3 || head?.alg !== "ES256" || !claims) throw new TokenRefused("Sign in first.");
    const key = await keyOf(head.kid);
    const signed = Buffer.from(parts.slice(0, 2).join("."));
    const signature = Buffer.from(parts[2], "base64url");
    if (key === undefined || !verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, signature)) {
      throw new TokenRefused("This token is not signed by the service.");
    }
    if (claims.iss !== issuer || claims.aud !== audience) throw new TokenRefused("This token is for somebody else.");
    const seconds = now() / 1000;
    if (!(claims.exp + leewaySeconds > seconds && claims.iat - leewaySeconds <= seconds)) {
      throw new TokenRefused("This token is too old. Ask for another.");
    }
    return claims;
  };
}

function parse(part) {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
