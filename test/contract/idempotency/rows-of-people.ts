import { randomUUID } from "node:crypto";
import { makeKey } from "../../adversarial/support.js";
import {
  accountsNamed,
  codeFor,
  encryptionKey,
  liveCodes,
  liveSessions,
  newEmail,
  post,
  provider,
  register,
  settle,
} from "./requests.js";
import { app, type Rows, send } from "./world.js";

export const rowsOfPeople: Rows = {
  createAccount: {
    email: () => {
      const email = newEmail();
      return post("/accounts", { type: "email", email }, { environment: "devnet", effects: liveCodes(email) });
    },
    signers: () => {
      const memo = randomUUID();
      const signers = [makeKey().address];
      return post("/accounts", { type: "signers", signers, threshold: 1, memo }, { effects: accountsNamed(memo) });
    },
  },
  verifyAccount: {
    single: async () => {
      const email = await register();
      const body = { email, otp_code: codeFor(email), kms_provider_config: provider };
      return post("/accounts/verify", body, { environment: "devnet", effects: liveSessions(email) });
    },
  },
  createCustomAccount: {
    single: () => {
      const memo = randomUUID();
      const signer = { type: "email", email: newEmail(), permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] };
      return post(
        "/accounts:custom",
        { policies: { signers: [signer], threshold: 1 }, memo },
        { effects: accountsNamed(memo) },
      );
    },
  },
  startAuthentication: {
    single: async () => {
      const email = await settle();
      return post("/auth", { email }, { environment: "devnet", effects: liveCodes(email) });
    },
  },
  initAuthentication: {
    single: async () => {
      const email = await settle();
      return post("/auth/init", { email }, { environment: "devnet", effects: liveCodes(email) });
    },
  },
  verifyAuthentication: {
    single: async () => {
      const email = await settle();
      await send(app, post("/auth", { email }, { environment: "devnet" }));
      const body = { email, otp_code: codeFor(email), kms_provider_config: provider };
      return post("/auth/verify", body, { environment: "devnet", effects: liveSessions(email) });
    },
  },
  refreshSession: {
    single: async () => {
      const email = await settle();
      await send(app, post("/auth", { email }, { environment: "devnet" }));
      const body = { email, otp_code: codeFor(email), kms_provider_config: provider };
      const { data } = await send(app, post("/auth/verify", body, { environment: "devnet" }));
      const refresh = { ...provider, kms_payload: data.authentication[0] };
      return post("/auth/refresh-session", refresh, { environment: "devnet", effects: liveSessions(email) });
    },
  },
  startLegacyAuthentication: {
    single: async () => {
      const email = await settle();
      const trial = post("", { email, app_name: "App" }, { environment: "devnet", effects: liveCodes(email) });
      return { ...trial, path: "/api/v0/service/smart-accounts/auth" };
    },
  },
  verifyLegacyAuthentication: {
    single: async () => {
      const email = await settle();
      const path = "/api/v0/service/smart-accounts";
      const { data } = await send(app, { ...post("", { email }, { environment: "devnet" }), path: `${path}/auth` });
      const body = { ...data, otp_code: codeFor(email), auth_public_key: encryptionKey() };
      return { ...post("", body, { environment: "devnet", effects: liveSessions(email) }), path: `${path}/verify-otp` };
    },
  },
};
