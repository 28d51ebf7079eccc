/** Accounts that were made elsewhere, and what their signers sign. */
import { signEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import { addressOfKey, type SignerKey } from "@trellis/sdk";
import { releaseAccount } from "../../src/account-releases/release-account.js";
import { createCustomAccount } from "../../src/accounts/create-custom-account.js";
import { importAccount } from "../../src/accounts/import-account.js";
import { may, newKey } from "../proposals/support.js";
import type { CallParts, TestNetwork } from "./test-network.js";

export interface OpenedElsewhere {
  readonly address: string;
  readonly settings_address: string;
}

interface Challenged {
  readonly challenge?: { readonly message: string };
}

/** A signer's proof. */
export const signedBy = (key: SignerKey, message: string) => ({
  signer_address: addressOfKey(key),
  message,
  signature: Buffer.from(signEd25519(key as Uint8Array, Buffer.from(message))).toString("base64"),
});

/** The calls about such accounts. */
export function importsOf(test: TestNetwork) {
  const forget = async (address: string): Promise<void> => {
    const { db } = test.needs;
    const { settings_address } = await db
      .selectFrom("account")
      .selectAll()
      .where("address", "=", address)
      .executeTakeFirstOrThrow();
    await db.deleteFrom("account_signer").where("account_address", "=", address).execute();
    await db.deleteFrom("history_watch").where("account_address", "=", address).execute();
    await db.deleteFrom("proposal").where("settings_address", "=", settings_address).execute();
    await db.deleteFrom("proposal_watch").where("settings_address", "=", settings_address).execute();
    await db.deleteFrom("account").where("address", "=", address).execute();
  };
  const create = async (keys: readonly SignerKey[], others: readonly object[] = []): Promise<OpenedElsewhere> => {
    const policies = { signers: [...keys.map((key) => may(key)), ...others], threshold: 1 };
    const { address, settings_address } = await test.call<OpenedElsewhere>(createCustomAccount, { body: { policies } });
    return { address, settings_address };
  };
  /** An account on the chain that this service knows nothing of. */
  const openElsewhere = async (keys: readonly SignerKey[] = [newKey()], others: readonly object[] = []) => {
    const account = await create(keys, others);
    await forget(account.address);
    await test.needs.db.deleteFrom("account_creation").execute();
    return [keys[0] ?? newKey(), account] as const;
  };
  const proofOf = async (key: SignerKey, { settings_address }: OpenedElsewhere, more: CallParts = {}) => {
    const { challenge } = await test.call<Challenged>(importAccount, { body: { settings_address }, ...more });
    return signedBy(key, challenge?.message ?? "");
  };
  const importAs = async (key: SignerKey, account: OpenedElsewhere, more: CallParts = {}): Promise<void> => {
    const { settings_address } = account;
    const { challenge } = await test.call<Challenged>(importAccount, { body: { settings_address }, ...more });
    // A wallet of the tenant's is a proof of its own.
    if (challenge === undefined) return;
    const proof = signedBy(key, challenge.message);
    const { status } = await test.call<{ status: string }>(importAccount, {
      body: { settings_address, proof },
      ...more,
    });
    if (status !== "active") throw new Error(`${account.address} is ${status}`);
  };
  /** An account that was made elsewhere, and is served here. */
  const openImported = async (others: readonly object[] = []) => {
    const [key, account] = await openElsewhere([newKey()], others);
    await importAs(key, account);
    return [key, account] as const;
  };
  const release = <T>({ address }: { readonly address: string }, body: object = {}, more: CallParts = {}) =>
    test.call<T>(releaseAccount, { params: { address }, body, ...more });
  const releaseProofOf = async (key: SignerKey, account: OpenedElsewhere, more: CallParts = {}) => {
    const { challenge } = await release<Challenged>(account, {}, more);
    return signedBy(key, challenge?.message ?? "");
  };
  return { create, forget, openElsewhere, proofOf, importAs, openImported, release, releaseProofOf };
}
