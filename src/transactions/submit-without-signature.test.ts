import { expect, it } from "vitest";
import { openPayer, prepareIntent, submitIntent } from "../../test/support/payments.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { KeyStoreError } from "../adapters/keys/key-store-error.js";
import { openRemoteServiceKey } from "../adapters/keys/remote-service-key.js";

const test = useTestNetwork();

/** The environment with its fee payer in a key store that fails when a test says so. */
async function withRemoteFeePayer(isDown: () => boolean) {
  const { feePayer } = test.network;
  const sign = async (message: Uint8Array): Promise<Uint8Array> => {
    if (isDown()) throw new KeyStoreError("unavailable", "The store does not answer within 5 seconds.");
    return feePayer.sign(message);
  };
  const key = await openRemoteServiceKey({
    environment: "sandbox",
    purpose: "fee_payer",
    address: feePayer.address,
    signer: { store: "The store", sign },
    log: test.needs.log,
  });
  return { ...test.network, feePayer: key };
}

it("sends nothing while the fee payer's key store is down, and the same submit is paid once when it is back", async () => {
  const holder = await openPayer(test, "remote@example.org");
  let isDown = false;
  const network = await withRemoteFeePayer(() => isDown);
  const prepared = await prepareIntent(test, holder, {}, { network });
  const stored = () =>
    test.needs.db.selectFrom("submission").select("id").where("account_address", "=", holder.address).execute();
  const before = await stored();
  isDown = true;
  const refused = await errorOf(submitIntent(test, holder, prepared, network));
  expect(refused.code).toBe("service_unavailable");
  expect(refused.message).toContain("has sent nothing");
  expect(await stored()).toEqual(before);
  isDown = false;
  const paid = await submitIntent(test, holder, prepared, network);
  // Once more, also with the store down: the outcome is known.
  isDown = true;
  expect(await submitIntent(test, holder, prepared, network)).toEqual(paid);
  expect(await stored()).toHaveLength(before.length + 1);
});
