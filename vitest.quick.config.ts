import base from "./vitest.config.js";

// A minute's answer to "does it still work?", chosen and not measured: rules that need no database, the borders of HTTP, and
// a story from the e-mail to the payment. What may not break in production is in `npm test` only.
export default {
  ...base,
  test: {
    ...base.test,
    include: [
      "src/config/**/*.test.ts",
      "packages/{kernel,program-client,solana}/src/**/*.test.ts",
      "src/custody/**/*.test.ts",
      "packages/sandbox/src/**/*.test.ts",
      "src/adapters/chain/**/*.test.ts",
      "src/http/{absent-nulls,rate-limit,validation-error}.test.ts",
      "packages/docs-site/**/*.test.ts",
      "src/accounts/create-account.test.ts",
      "src/payments/{get,list}-payment-intent*.test.ts",
      "packages/sdk/src/**/*.test.ts",
      "program/test/vectors.test.ts",
      "test/architecture.test.ts",
      "test/adversarial/fee-payer-drains.test.ts",
      "test/contract/{docs-claims,http-floor,http-idempotency}.test.ts",
      "test/scenarios/story.test.ts",
    ],
  },
};
