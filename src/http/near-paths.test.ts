import { describe, expect, it } from "vitest";
import { endpoints } from "../endpoints.js";
import { createNearPathFinder } from "./near-paths.js";

const find = createNearPathFinder(endpoints.map(({ contract }) => contract));
const base = "/api/service/v1";

describe("a path that there is not", () => {
  it.each([
    ["POST", "/accounts", `POST ${base}/accounts`],
    ["POST", "/v1/accounts", `POST ${base}/accounts`],
    ["POST", "/api/v1/accounts/", `POST ${base}/accounts`],
    ["POST", `${base}/accounts/custom`, `POST ${base}/accounts:custom`],
    ["POST", `${base}/account`, `POST ${base}/accounts`],
    ["POST", `${base}/acounts`, `POST ${base}/accounts`],
    ["POST", `${base}/Accounts/Verify`, `POST ${base}/accounts/verify`],
    ["GET", `${base}/account/9WzDXwBb/balance`, `GET ${base}/accounts/{address}/balances`],
    ["POST", `${base}/accounts/9WzDXwBb/payment_intents`, `POST ${base}/accounts/{address}/payment-intent`],
    ["POST", "/sandbox/airdrop", `POST ${base}/sandbox/airdrop`],
    ["POST", "/api/v0/other/smart-accounts/verify-otp", "POST /api/v0/service/smart-accounts/verify-otp"],
    ["POST", "/rest/other/v1/accounts", `POST ${base}/accounts`],
    ["POST", `${base}/accounts/9WzDXwBb/payments`, `POST ${base}/accounts/{address}/payment-intent`],
    ["GET", `${base}/accounts/9WzDXwBb/payments`, `GET ${base}/accounts/{address}/payment-intents`],
    ["POST", `${base}/webhooks`, `POST ${base}/webhook-endpoints`],
    ["GET", `${base}/wallets/9WzDXwBb`, `GET ${base}/accounts/{address}`],
    ["GET", "/", undefined],
    ["GET", "/favicon.ico", undefined],
    ["GET", "/wp-login.php", undefined],
    ["GET", `${base}/invoices`, undefined],
    ["GET", "/a/b/c/d/e/f/g/h/i/j/k/l/m/n", undefined],
  ])("%s %s is near %s", (method, path, meant) => {
    expect(find(method, path)).toBe(meant);
  });

  it("is searched among one method's paths where the path is another's", () => {
    expect(find("POST", `${base}/accounts/custom`, true)).toBe(`POST ${base}/accounts:custom`);
    expect(find("PUT", `${base}/accounts/custom`, true)).toBe(undefined);
    const account = `${base}/accounts/9WzDXwBb`;
    expect(find("POST", `${account}/transfers`, true)).toBe(`POST ${base}/accounts/{address}/payment-intent`);
    expect(find("POST", `${account}/standing-orders`, true)).toBe(
      `POST ${base}/accounts/{address}/standing-order-intent`,
    );
  });

  it("is one thing's, where a list is asked for that there is not", () => {
    expect(find("GET", `${base}/accounts/9WzDXwBb/kyc`, true)).toBe(`GET ${base}/accounts/{address}/kyc/{kyc_id}`);
    expect(find("DELETE", `${base}/accounts/9WzDXwBb`, true)).toBe(undefined);
  });
});
