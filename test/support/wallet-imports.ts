import { signEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import { addressOfKey, type SignerKey, sealKeyForImport } from "@trellis/sdk";
import type { Static } from "typebox";
import { createCustomAccount } from "../../src/accounts/create-custom-account.js";
import { importAccount } from "../../src/accounts/import-account.js";
import { startAuthentication } from "../../src/sign-in/start-authentication.js";
import { verifyAuthentication } from "../../src/sign-in/verify-authentication.js";
import { beginWalletImport } from "../../src/wallet-imports/begin-wallet-import.js";
import { importWallet } from "../../src/wallet-imports/import-wallet.js";
import type { WalletImport } from "../../src/wallet-imports/wallet-import.js";
import { may, newKey } from "../proposals/support.js";
import { bySession } from "./passkeys.js";
import {
  type CallParts,
  createClientKey,
  type HeldAccount,
  importAuthorizationKey,
  sessionOf,
  type TestNetwork,
  type Verified,
} from "./test-network.js";
import { documentIn } from "./wallet-exports.js";

/** What beginning an import answers. */
export interface BegunImport {
  readonly import_id: string;
  readonly signer: string;
  readonly provider: "kms_a" | "kms_b" | "kms_c";
  readonly authorizing_signer: string;
  readonly recipient_public_key: string;
  readonly payload: string;
  readonly passkey_required: boolean;
  readonly expires_at: string;
}

type Imported = Static<typeof WalletImport>;

/** Somebody who has come with an account: it signs by a key of theirs, and nobody here holds that. */
export interface Arrival {
  readonly holder: HeldAccount;
  readonly key: SignerKey;
}

/** An account that was made elsewhere from keys of its owner's own, imported for an address whose user is signed in by a code. */
export async function arrive(
  test: TestNetwork,
  email: string,
  keys: readonly SignerKey[] = [newKey()],
): Promise<Arrival> {
  const [key = newKey()] = keys;
  const body = { policies: { signers: keys.map((each) => may(each)), threshold: 1 } };
  const made = await test.call<{ address: string; settings_address: string }>(createCustomAccount, { body });
  await forgetAccount(test, made);
  const named = { settings_address: made.settings_address, email };
  const { challenge } = await test.call<{ challenge: { message: string } }>(importAccount, { body: named });
  const { message } = challenge;
  const signature = Buffer.from(signEd25519((key as Uint8Array).subarray(0, 32), Buffer.from(message))).toString(
    "base64",
  );
  const proof = { signer_address: addressOfKey(key), message, signature };
  await test.call(importAccount, { body: { ...named, proof } });
  // Who has an account here already signs in to that.
  const { verified, ...holder } = await signIn(test, email);
  const { address } = made;
  return { holder: { ...holder, address: address as HeldAccount["address"], verified: { ...verified, address } }, key };
}

/** Signs a user in by a code. */
export async function signIn(test: TestNetwork, email: string, more: object = {}): Promise<HeldAccount> {
  test.needs.realClock.advance(1);
  await test.call(startAuthentication, { body: { email, ...more } });
  const clientKey = await createClientKey();
  const body = {
    email,
    otp_code: await test.latestCode(email),
    ...more,
    kms_provider_config: { encryption_public_key: clientKey.spki },
  };
  const verified = await test.call<Verified>(verifyAuthentication, { body });
  const opened = await clientKey.open(sessionOf(verified).session.encrypted_authorization_key);
  const address = verified.address as HeldAccount["address"];
  return { email, address, verified, clientKey, authorizationKey: importAuthorizationKey(opened) };
}

/** What another service has made: this one knows nothing of it. */
async function forgetAccount(test: TestNetwork, made: { readonly address: string; readonly settings_address: string }) {
  const { db } = test.needs;
  await db.deleteFrom("account_signer").where("account_address", "=", made.address).execute();
  await db.deleteFrom("history_watch").where("account_address", "=", made.address).execute();
  await db.deleteFrom("proposal_watch").where("settings_address", "=", made.settings_address).execute();
  await db.deleteFrom("account").where("address", "=", made.address).execute();
  await db.deleteFrom("account_creation").where("account_address", "=", made.address).execute();
}

/** The calls of an import, by somebody who has arrived. */
export function importsOf(test: TestNetwork, { holder, key }: Arrival) {
  const params = { address: holder.address };
  const begin = (more: object = {}, parts: CallParts = {}) =>
    test.call<BegunImport>(beginWalletImport, { params, body: { signer: addressOfKey(key), ...more }, ...parts });
  /** The request that completes it, by the session's key unless something else is sent. */
  const bodyOf = async (begun: BegunImport, more: object = {}) => ({
    import_id: begun.import_id,
    sealed_key: await sealKeyForImport(key, begun),
    authorization: bySession(holder, documentIn(begun.payload)),
    ...more,
  });
  const complete = (body: object, parts: CallParts = {}) =>
    test.call<Imported>(importWallet, { params, body, ...parts });
  return {
    begin,
    bodyOf,
    complete,
    take: async (begun: BegunImport, more: object = {}) => complete(await bodyOf(begun, more)),
    all: async () => complete(await bodyOf(await begin())),
  };
}
