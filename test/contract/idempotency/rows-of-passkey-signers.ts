import { randomUUID } from "node:crypto";
import type { Address } from "@solana/kit";
import { addressOfKey } from "@trellis/sdk";
import { readPasskeys } from "@trellis/solana/read-passkeys.js";
import { may } from "../../proposals/support.js";
import { createSoftPasskey } from "../../support/authenticator.js";
import {
  addressOfPasskey,
  answerOf,
  beginCeremony,
  createPasskeySigner,
  createSessionKey,
  submission,
} from "../../support/passkey-signers.js";
import { accountsNamed, post } from "./requests.js";
import { onAccount, scene } from "./scene.js";
import { app, client, type Rows, send, type Trial, test } from "./world.js";

/** What a new passkey has answered, and whether it has its account. */
async function answered() {
  const passkey = createSoftPasskey();
  const begun = await beginCeremony(test, "create", createSessionKey().address);
  const address = addressOfPasskey(passkey);
  const effects = async () => {
    const { passkey_address, submission_id } = await test.needs.db
      .selectFrom("passkey_ceremony")
      .select(["passkey_address", "submission_id"])
      .where("challenge", "=", begun.challenge.toString("base64url"))
      .executeTakeFirstOrThrow();
    const isThere = (await readPasskeys(test.network, [address])).has(address);
    return isThere && passkey_address === address && submission_id !== null ? 1 : 0;
  };
  return { body: submission(begun, answerOf(passkey, begun)), effects };
}

const begin = () => ({
  sessionKey: { key: createSessionKey().address, expiration: 900 },
  metaInfo: { appName: "App" },
});

/** An account of the scene's two keys, who decide together, and a passkey. */
async function accountWithPasskey(): Promise<{ readonly account: string; readonly passkey: Address }> {
  const { address: passkey } = await createPasskeySigner(test);
  const permissions = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
  const signers = [...scene.keys.map((key) => may(key)), { address: passkey, permissions }];
  const { data } = await send(app, post("/accounts:custom", { policies: { signers, threshold: 2 } }));
  return { account: (data as unknown as { address: string }).address, passkey };
}

async function removal(named: readonly string[]): Promise<Trial> {
  const { account, passkey } = await accountWithPasskey();
  const body = { transaction_signers: named };
  return { ...post(`/accounts/${account}/passkeys/${passkey}/transaction`, body), method: "DELETE" };
}

/** What a passkey is to approve, of an account that it signs for alone. */
async function approval(): Promise<Trial> {
  const { address: passkey } = await createPasskeySigner(test);
  const { data } = await send(
    app,
    post("/accounts:custom", {
      policies: {
        signers: [{ address: passkey, permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] }],
        threshold: 1,
      },
    }),
  );
  const { address: account } = data as unknown as { address: string };
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  const prepared = await client.transfers.prepare(account, {
    amount: "1000000",
    source: { account, currency: "sol" },
    destination: { address: createSessionKey().address, currency: "sol" },
    passkey_approval: true,
  });
  const body = { transaction: prepared.transaction, metaInfo: { appName: "App" } };
  return post(`/accounts/${account}/passkeys/${passkey}/approvals`, body);
}

const both = () => scene.keys.map((key) => addressOfKey(key));

export const rowsOfPasskeySigners: Rows = {
  beginPasskeySigner: { single: () => post("/passkeys", begin()) },
  beginPasskeySession: { single: () => post("/passkeys/auth", begin()) },
  beginPasskeyApproval: { single: approval },
  submitPasskeyCeremony: {
    single: async () => {
      const { body, effects } = await answered();
      return post("/passkeys/submit", body, { effects });
    },
  },
  createPasskeyAccount: {
    single: async () => {
      const { ceremonyType: _type, ...body } = (await answered()).body;
      const memo = randomUUID();
      return post("/passkeys/account", { ...body, memo }, { effects: accountsNamed(memo) });
    },
  },
  addAccountPasskey: {
    "as a proposal": async () => {
      const { address } = await createPasskeySigner(test);
      return onAccount("/passkeys/transaction", { passkey: { address }, transaction_signers: both().slice(0, 1) });
    },
    "at once": async () => {
      const { address } = await createPasskeySigner(test);
      return onAccount("/passkeys/transaction", { passkey: { address }, transaction_signers: both() });
    },
  },
  removeAccountPasskey: {
    "as a proposal": () => removal(both().slice(0, 1)),
    "at once": () => removal(both()),
  },
};
