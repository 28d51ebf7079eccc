import { expect, it } from "vitest";
import { signAwsCall } from "./aws-sigv4.js";

// Made by botocore, AWS's own library, for the same call at the same second.
it.each([
  [null, "dfd4e8d5ec504fb0fd2ecf8b99e8c646dc6b9cfa7a8e1835dc757340a5fab88f"],
  ["a session token/==", "7e31900f7687982759bad9a0830845e236bc90a82978af3a290867dd3c31480b"],
])("signs as AWS does, with the session token %s", (sessionToken, signature) => {
  const call = {
    host: "kms.eu-central-1.amazonaws.com",
    region: "eu-central-1",
    target: "TrentService.Decrypt",
    body: '{"KeyId":"alias/trellis"}',
    now: Date.UTC(2026, 10, 27, 8, 15, 30),
  };
  const credentials = {
    accessKeyId: "AKIDEXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    sessionToken,
  };
  expect(signAwsCall(call, credentials).authorization).toContain(`Signature=${signature}`);
});
