// Has the service make a publishable key for this page, and writes it where Vite reads it:
//   TRELLIS_API_KEY=sk_test_… node examples/vite-app/make-key.mjs
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createTrellisClient } from "@trellis/sdk";

const { TRELLIS_API_KEY: apiKey, TRELLIS_URL: baseUrl = "http://127.0.0.1:8080" } = process.env;
if (!apiKey) throw new Error("Set TRELLIS_API_KEY to the key that the service printed at its first start.");
const { APP_ORIGIN: origin = "http://localhost:5173", BACKEND_URL: backend = "http://127.0.0.1:8787" } = process.env;

const trellis = createTrellisClient({ baseUrl, apiKey, environment: "sandbox" });
const { key } = await trellis.apiKeys.create({
  name: "Purse, the example",
  type: "publishable",
  environments: ["sandbox"],
  allowed_origins: [origin],
  // The first three are usual; the others let the page show the account and take part in its votes.
  scopes: ["auth:write", "payments:write", "transactions:write", "accounts:read", "proposals:read", "proposals:write"],
});

const lines = [`VITE_TRELLIS_URL=${baseUrl}`, `VITE_TRELLIS_KEY=${key}`, `VITE_BACKEND_URL=${backend}`];
writeFileSync(fileURLToPath(new URL(".env.local", import.meta.url)), `${lines.join("\n")}\n`);
process.stdout.write(`${key} is for pages of ${origin}; it stands in examples/vite-app/.env.local.\n`);
