import { randomBytes } from "node:crypto";
import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { executeSettingsTransactionSyncInstruction } from "@trellis/program-client";
import { addressOfKey, type SignerKey, signTransaction } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { createCustomAccount } from "../accounts/create-custom-account.js";
import { updateAccount } from "./update-account.js";

const test = useTestNetwork();

describe("settings that were changed elsewhere, or right before the process died", () => {
  it("are adopted: a custodian's wallet of the same tenant that became a signer is asked to sign", async () => {
    const { verified } = await test.openHolder("joiner@example.org");
    const wallet = verified.policies.signers.find(({ provider }) => provider === "kms_a")?.address ?? "";
    const own = newKey();
    const account = await create([may(addressOfKey(own))]);
    await addElsewhere(account, own, wallet as Address);
    const prepared = await removeWith(account, wallet, wallet);
    expect(prepared.kms_payloads).toMatchObject([{ address: wallet, provider: "kms_a" }]);
  });

  it("give another tenant's wallet no payload here", async () => {
    const other = await test.addTenant("tenant-2");
    const elsewhere = await test.call<Created & { policies: { signers: { address: string }[] } }>(createCustomAccount, {
      caller: other,
      body: {
        policies: {
          signers: [{ type: "email", email: "far@example.org", permissions: may("").permissions }],
          threshold: 1,
        },
      },
    });
    const wallet = elsewhere.policies.signers[0]?.address ?? "";
    const own = newKey();
    const account = await create([may(addressOfKey(own))]);
    await addElsewhere(account, own, wallet as Address);
    const prepared = await removeWith(account, wallet, wallet);
    expect(prepared.kms_payloads).toEqual([]);
  });

  it("are hidden from another tenant", async () => {
    const stranger = await test.addTenant("tenant-3");
    const account = await create([may(addressOfKey(newKey()))]);
    const refused = test.call(updateAccount, {
      params: { address: account.address },
      body: { time_lock: 5 },
      caller: stranger,
    });
    expect((await errorOf(refused)).code).toBe("account_not_found");
  });
});

describe("a custom account whose creation was broken off", () => {
  it("is resumed by the repetition of the call, with the same wallet and address", async () => {
    const body = {
      policies: {
        signers: [{ type: "email", email: "again@example.org", permissions: may("").permissions }],
        threshold: 1,
      },
    };
    const call = (operationId: string, network = test.network) =>
      createCustomAccount.handle(test.needs, {
        params: undefined,
        query: {},
        body,
        caller: test.caller,
        network,
        requestId: "request-1",
        operationId,
      } as never);
    const first = (await call("operation-1")).data as Created;
    const again = (await call("operation-1")).data as Created;
    const second = (await call("operation-2")).data as Created;
    expect(again).toEqual(first);
    expect(second.address).not.toBe(first.address);
  });
});

interface Created {
  readonly address: string;
  readonly settings_address: Address;
}

interface Prepared {
  readonly kms_payloads: readonly { readonly address: string; readonly provider: string }[];
}

const newKey = (): SignerKey => new Uint8Array(randomBytes(32));

const may = (address: string) => ({ address, permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] });

const create = (signers: unknown[]) =>
  test.call<Created>(createCustomAccount, { body: { policies: { signers, threshold: 1 } } });

/** Adds a signer by a transaction that the service never hears of. */
async function addElsewhere(account: Created, member: SignerKey, newSigner: Address): Promise<void> {
  const { rpc } = test.network;
  const payer = newKey();
  await test.airdrop(addressOfKey(payer), "sol", "1000000000");
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(addressOfKey(payer), m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    (m) =>
      appendTransactionMessageInstructions(
        [
          executeSettingsTransactionSyncInstruction({
            settings: account.settings_address,
            members: [addressOfKey(member)],
            rentPayer: addressOfKey(payer),
            actions: [{ __kind: "AddSigner", newSigner: { key: newSigner, permissions: 7 } }],
          }),
        ],
        m,
      ),
  );
  const unsigned = getBase64EncodedWireTransaction(compileTransaction(message));
  const signed = signTransaction(unsigned, [payer, member]) as typeof unsigned;
  const signature = await rpc.sendTransaction(signed, { encoding: "base64" }).send();
  const { value } = await rpc.getSignatureStatuses([signature]).send();
  expect(value[0]?.err).toBeNull();
}

const removeWith = (account: Created, keep: string, signer: string) =>
  test.call<Prepared>(updateAccount, {
    params: { address: account.address },
    body: { signers: [may(keep)], transaction_signers: [signer] },
  });
