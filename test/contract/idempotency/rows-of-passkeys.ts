import { type KeyObject, randomUUID } from "node:crypto";
import { parseClientEncryptionKey } from "@trellis/kernel/crypto/p256.js";
import { makeKey } from "../../adversarial/support.js";
import { createSoftPasskey } from "../../support/authenticator.js";
import {
  addition,
  type Begun,
  byPasskey,
  bySessionKey,
  page,
  removing,
  toPayload,
  type WirePasskey,
} from "../../support/passkeys.js";
import { encryptionKey, post, settleWithSession } from "./requests.js";
import { app, type Rows, send, test } from "./world.js";

/** Somebody who is signed in, with a wallet of their own. */
async function begin(of?: { readonly address: string; readonly key: KeyObject; readonly signer: string }) {
  const { address, key } = of ?? (await settleWithSession());
  const asked = of === undefined ? {} : { signer: of.signer };
  const answered = await send(app, post(`/accounts/${address}/wallet-passkeys:options`, asked));
  const begun = answered.data as unknown as Begun;
  const passkey = createSoftPasskey();
  const challenge = Buffer.from(begun.public_key.challenge, "base64url");
  const { clientDataJSON, authenticatorData } = passkey.register({ ...page, challenge });
  const body = {
    ceremony_id: begun.ceremony_id,
    name: "Phone",
    credential: { response: { clientDataJSON, authenticatorData } },
    authorization: bySessionKey(key, addition(begun, passkey)),
  };
  const count = async (isRemoved: boolean) => {
    const rows = test.needs.db.selectFrom("kms_passkey").select("id").where("credential_id", "=", idOf(passkey));
    return (await rows.where("removed_at", isRemoved ? "is not" : "is", null).execute()).length;
  };
  return { address, key, begun, body, count, soft: passkey };
}

const idOf = ({ credentialId }: { readonly credentialId: Uint8Array }) =>
  Buffer.from(credentialId).toString("base64url");

async function add() {
  const begun = await begin();
  const added = await send(app, post(`/accounts/${begun.address}/wallet-passkeys`, begun.body));
  return { ...begun, passkey: added.data as unknown as WirePasskey };
}

export const rowsOfPasskeys: Rows = {
  protectAccount: {
    "makes the guardian's wallet": async () => {
      const { address } = await settleWithSession();
      const owner = test.needs.db.selectFrom("account").select("user_id").where("address", "=", address);
      const wallets = test.needs.db.selectFrom("wallet").select("id").where("provider", "=", "kms_c");
      const effects = async () => (await wallets.where("owner_id", "in", owner).execute()).length;
      return post(`/accounts/${address}/protection`, { recovery: { address: makeKey().address } }, { effects });
    },
    "prepares the change": async () => {
      const { address, key } = await settleWithSession();
      const request = post(`/accounts/${address}/protection`, { recovery: { address: makeKey().address } });
      const { data } = await send(app, request);
      const { guardian } = data as unknown as { guardian: { address: string } };
      const { body } = await begin({ address, key, signer: guardian.address });
      await send(app, post(`/accounts/${address}/wallet-passkeys`, { ...body, signer: guardian.address }));
      return request;
    },
  },
  addPasskey: {
    single: async () => {
      const { address, body, count } = await begin();
      return post(`/accounts/${address}/wallet-passkeys`, body, { effects: () => count(false) });
    },
  },
  signInWithPasskey: {
    single: async () => {
      const { soft, address } = await add();
      const { data } = await send(app, post("/auth/passkey:options", {}));
      const { nonce } = data as unknown as { nonce: string };
      const own = { encryption_public_key: encryptionKey() };
      const document = { version: 1, method: "signIn", environment: "sandbox", params: own, nonce };
      const { kms_signed_payload: assertion } = byPasskey(soft, toPayload(document));
      const wallet = test.needs.db
        .selectFrom("account_signer")
        .select("wallet_id")
        .where("account_address", "=", address);
      const sealed = parseClientEncryptionKey(own.encryption_public_key);
      const effects = async () => {
        const opened = test.needs.db.selectFrom("session").select("id").where("wallet_id", "in", wallet);
        const mine = opened.where("client_public_key", "=", sealed.ok ? sealed.publicKey.point : new Uint8Array());
        return (await mine.where("state", "=", "live").execute()).length;
      };
      return post("/auth/passkey", { nonce, assertion, kms_provider_config: own }, { effects });
    },
  },
  setPasskeyRequirement: {
    single: async () => {
      const { soft, address, begun } = await add();
      const { data } = await send(app, post("/auth/passkey:options", {}));
      const { nonce } = data as unknown as { nonce: string };
      const { signer: wallet } = begun;
      const params = { required: true };
      const document = { version: 1, method: "requirePasskey", environment: "sandbox", wallet, params, nonce };
      const body = { required: true, nonce, authorization: byPasskey(soft, toPayload(document)) };
      const effects = async () => {
        const owner = test.needs.db.selectFrom("kms_wallet").select("owner_id").where("address", "=", wallet);
        const users = test.needs.db.selectFrom("app_user").select("id").where("id", "in", owner);
        return (await users.where("passkey_sign_in", "=", "required").execute()).length;
      };
      return { ...post(`/accounts/${address}/passkey-requirement`, body, { effects }), method: "PUT" };
    },
  },
  renamePasskey: {
    single: async () => {
      const { address, passkey } = await add();
      const effects = async () => {
        const named = test.needs.db.selectFrom("passkey").select("id").where("name", "=", "Renamed");
        return (await named.where("id", "=", passkey.id).execute()).length;
      };
      return {
        ...post(`/accounts/${address}/wallet-passkeys/${passkey.id}`, { name: "Renamed" }, { effects }),
        method: "PATCH",
      };
    },
  },
  removePasskey: {
    single: async () => {
      const { address, key, begun, passkey, count } = await add();
      const body = removing(test, begun, passkey, (document) => bySessionKey(key, document));
      const trial = post(`/accounts/${address}/wallet-passkeys/${passkey.id}`, body, { effects: () => count(true) });
      return { ...trial, method: "DELETE" };
    },
  },
  setRelyingParty: {
    single: () => {
      const name = randomUUID();
      const effects = async () => {
        const found = test.needs.db.selectFrom("tenant").select("id").where("relying_party", "like", `%${name}%`);
        return (await found.execute()).length;
      };
      const terms = { rp_id: "localhost", name, origins: [page.origin] };
      return { ...post("/relying-party", terms, { effects }), method: "PUT" };
    },
  },
};
