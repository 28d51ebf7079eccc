import { endpoint } from "@trellis/kernel/endpoint.js";
import Type from "typebox";
import type { PublishedKeys } from "./identity-keys.js";

/** Gap 124. */
export const listIdentityKeys = endpoint(
  {
    operation: "listIdentityKeys",
    summary: "Read the keys that identity tokens are signed with",
    description:
      "A JSON Web Key Set (RFC 7517), for services that verify tokens of `POST /auth/token`. A key is in it a day before it signs " +
      "and a day after it last did; it may be remembered for as long as `cache-control` says.",
    tag: "Authentication",
    method: "GET",
    path: "/.well-known/jwks.json",
    scope: null,
    environment: "none",
    response: {
      status: 200,
      envelope: false,
      schema: Type.Object({
        keys: Type.Array(
          Type.Object({
            kty: Type.Literal("EC"),
            crv: Type.Literal("P-256"),
            x: Type.String(),
            y: Type.String(),
            kid: Type.String(),
            use: Type.Literal("sig"),
            alg: Type.Literal("ES256"),
          }),
        ),
      }),
    },
    errors: [],
  },
  async ({ publishedKeys }: { readonly publishedKeys: PublishedKeys }) => ({
    data: { keys: [...(await publishedKeys.list())] },
    headers: { "cache-control": "public, max-age=300" },
  }),
);
