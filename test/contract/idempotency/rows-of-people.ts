import { randomUUID, sign } from "node:crypto";
import { createCustomAccount } from "../../../src/accounts/create-custom-account.js";
import { makeKey } from "../../adversarial/support.js";
import { may, newKey } from "../../proposals/support.js";
import { signedBy } from "../../support/imported-accounts.js";
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
import { app, type Rows, send, test } from "./world.js";

/** A user who is signed in, and how many of their sessions have been ended. */
async function signedIn() {
  const email = await settle();
  await send(app, post("/auth", { email }, { environment: "devnet" }));
  const body = { email, otp_code: codeFor(email), kms_provider_config: provider };
  const answered = await send(app, post("/auth/verify", body, { environment: "devnet" }));
  const { address, grid_user_id: userId } = answered.data as unknown as { address: string; grid_user_id: string };
  const effects = async () => {
    const chains = test.needs.db
      .selectFrom("session_chain")
      .innerJoin("session", "session.chain_id", "session_chain.id");
    const ended = chains.innerJoin("app_user", "app_user.id", "session.user_id").where("ended_at", "is not", null);
    return (await ended.where("email", "=", email).select("session_chain.id").distinct().execute()).length;
  };
  return { address, userId, effects };
}

/** An account that counts as made elsewhere. */
async function importedAccount() {
  const key = newKey();
  const body = { policies: { signers: [may(key)], threshold: 1 } };
  const { address } = (await send(app, post("/accounts:custom", body))).data as unknown as { address: string };
  await test.needs.db.updateTable("account").set({ imported_at: 1n }).where("address", "=", address).execute();
  return { address, key };
}

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
  releaseAccount: {
    single: async () => {
      const { address, key } = await importedAccount();
      const asked = await send(app, post(`/accounts/${address}/release`, {}));
      const { challenge } = asked.data as unknown as { challenge: { message: string } };
      const effects = async () => {
        const events = test.needs.db.selectFrom("event").select("id").where("object_id", "=", address);
        return (await events.where("type", "=", "account.released").execute()).length;
      };
      return post(`/accounts/${address}/release`, { proof: signedBy(key, challenge.message) }, { effects });
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
  endSession: {
    single: async () => {
      const { address, effects } = await signedIn();
      const listed = await send(app, {
        ...post(`/accounts/${address}/sessions`, {}, { environment: "devnet" }),
        method: "GET",
      });
      const id = (listed.data as unknown as { id: string }[])[0]?.id;
      const trial = post(`/accounts/${address}/sessions/${id}`, {}, { environment: "devnet", effects });
      return { ...trial, method: "DELETE" };
    },
  },
  endAllSessions: {
    single: async () => {
      const { address, effects } = await signedIn();
      return { ...post(`/accounts/${address}/sessions`, {}, { environment: "devnet", effects }), method: "DELETE" };
    },
  },
  endUserSession: {
    single: async () => {
      const { userId, effects } = await signedIn();
      const path = `/users/${userId}/sessions`;
      const listed = await send(app, { ...post(path, {}, { environment: "devnet" }), method: "GET" });
      const id = (listed.data as unknown as { id: string }[])[0]?.id;
      return { ...post(`${path}/${id}`, {}, { environment: "devnet", effects }), method: "DELETE" };
    },
  },
  endUserSessions: {
    single: async () => {
      const { userId, effects } = await signedIn();
      return { ...post(`/users/${userId}/sessions`, {}, { environment: "devnet", effects }), method: "DELETE" };
    },
  },
  setSessionPolicy: {
    single: () => {
      // So long that no session of the others rests as long.
      const seconds = 2_500_000 + Math.floor(Math.random() * 90_000);
      const effects = async () => {
        const found = test.needs.db.selectFrom("tenant").select("id").where("session_idle_seconds", "=", seconds);
        return (await found.execute()).length;
      };
      return { ...post("/session-policy", { idle_seconds: seconds, one_session: false }, { effects }), method: "PUT" };
    },
  },
  signInWithWallet: {
    single: async () => {
      const { address, privateKey } = makeKey();
      const signers = [{ address, permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] }];
      await test.call(createCustomAccount, { body: { policies: { signers, threshold: 1 } } });
      const { data } = await send(app, post("/auth/wallet:message", { address }, { byPage: true }));
      const { message, nonce } = data as unknown as { message: string; nonce: string };
      const signature = sign(null, Buffer.from(message), privateKey).toString("base64");
      const effects = async () => {
        const opened = test.needs.db.selectFrom("wallet_session").select("id");
        return (await opened.where("signer_address", "=", address).execute()).length;
      };
      return post("/auth/wallet", { address, nonce, signature }, { byPage: true, effects });
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
