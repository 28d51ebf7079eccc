// An application's own backend: it learns who is signed in from the token that the page sends, and does what a page may not.
//   TRELLIS_API_KEY=sk_test_… node examples/node-backend/server.mjs
import { createServer } from "node:http";
import { createTrellisClient, TrellisApiError } from "@trellis/sdk";
import { createTokenVerifier, TokenRefused } from "./verify-token.mjs";

const { TRELLIS_API_KEY: apiKey, TRELLIS_URL: baseUrl = "http://127.0.0.1:8080" } = process.env;
if (!apiKey) throw new Error("Set TRELLIS_API_KEY to the key that the service printed at its first start.");
const { APP_ORIGIN: origin = "http://localhost:5173", PORT = "8787" } = process.env;

const trellis = createTrellisClient({ baseUrl, apiKey, environment: "sandbox" });
const verifyToken = createTokenVerifier({
  keysUrl: `${baseUrl}/.well-known/jwks.json`,
  // What the service is called outside (its TRELLIS_PUBLIC_URL), and the tenant and environment of the key.
  issuer: process.env.TRELLIS_ISSUER ?? baseUrl.replace("//127.0.0.1:", "//localhost:"),
  audience: process.env.TRELLIS_AUDIENCE ?? "default/sandbox",
});

/** Each takes who is signed in and the request's body, and answers a status and a body. */
const routes = {
  /** Who the backend thinks it is. */
  "GET /me": async ({ sub, exp }) => [200, { user: sub, until: new Date(exp * 1000).toISOString() }],

  /** Play money for a new user, once: what a shop would give as a bonus. */
  "POST /welcome": async ({ sub }, { account }) => {
    if (typeof account !== "string") return [400, { message: "Say which account." }];
    // The token says who asks; whose the account is says the service. What the page says is believed in nothing.
    const { grid_user_id: owner } = await trellis.accounts.get(account);
    if (owner !== sub) return [403, { message: "That is not your account." }];
    // Under these keys it happens once, however often it is asked for at the same time. In earnest note it in a table: the
    // service forgets keys after a day.
    const gift = (currency, amount) =>
      trellis.sandbox.airdrop({ address: account, currency, amount }, { idempotencyKey: `welcome-${currency}-${sub}` });
    await gift("usdc", "250000000");
    await gift("sol", "1000000000");
    return [200, { message: "Welcome!" }];
  },
};

const server = createServer(async (request, response) => {
  const answer = (status, body) => {
    response.writeHead(status, {
      "content-type": "application/json",
      "access-control-allow-origin": origin,
      "access-control-allow-headers": "authorization, content-type",
      vary: "origin",
    });
    response.end(body && JSON.stringify(body));
  };
  try {
    if (request.method === "OPTIONS") return answer(204);
    const route = routes[`${request.method} ${new URL(request.url ?? "/", "http://backend").pathname}`];
    if (route === undefined) return answer(404, { message: "There is nothing here." });
    const [, token] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "") ?? [];
    const claims = await verifyToken(token);
    answer(...(await route(claims, await readJson(request))));
  } catch (error) {
    if (error instanceof TokenRefused) return answer(401, { message: error.message });
    if (error instanceof TrellisApiError && error.status === 404)
      return answer(404, { message: "There is no such account." });
    console.error(error);
    answer(500, { message: "That did not work. Try again." });
  }
});

async function readJson(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > 10_000) return {};
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8")) ?? {};
  } catch {
    return {};
  }
}

server.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`The backend answers at http://127.0.0.1:${server.address().port}, to pages of ${origin}.`);
});
