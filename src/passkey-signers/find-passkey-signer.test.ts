import { expect, it } from "vitest";
import { createSoftPasskey } from "../../test/support/authenticator.js";
import { answerOf, beginCeremony, createPasskeySigner, createSessionKey } from "../../test/support/passkey-signers.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { findPasskeySigner } from "./find-passkey-signer.js";
import { getPasskeySigner } from "./get-passkey-signer.js";

const test = useTestNetwork();

it("finds whose answer it is, and opens nothing", async () => {
  const { passkey, session, address } = await createPasskeySigner(test);
  const begun = await beginCeremony(test, "auth", createSessionKey().address);
  const body = { sessionKey: { key: begun.key, expiration: 900 } };
  const find = (answer: ReturnType<typeof answerOf>, parts = {}) =>
    test.call(findPasskeySigner, { body: { ...body, authenticatorResponse: answer }, ...parts });
  const { response } = answerOf(passkey, begun);
  const { publicKey, ...nameless } = response;
  for (const each of [response, nameless]) {
    expect(await find({ response: each as typeof response })).toMatchObject({
      passkey_account: address,
      session_key: { key: session.address },
    });
  }
  const stranger = answerOf(createSoftPasskey(), begun);
  expect((await errorOf(find(stranger))).code).toBe("passkey_account_not_found");
  const caller = await test.addTenant("finds-nothing");
  expect((await errorOf(find(answerOf(passkey, begun), { caller }))).code).toBe("passkey_ceremony_not_found");
});

it("an account is read as the chain has it", async () => {
  const { session, address } = await createPasskeySigner(test);
  const read = (passkey: string) => test.call(getPasskeySigner, { params: { passkey } });
  expect(await read(address)).toMatchObject({
    account: { address, relying_party_id: "trellis.example", session_key: { key: session.address } },
  });
  for (const other of [session.address, test.network.feePayer.address]) {
    expect((await errorOf(read(other))).code).toBe("passkey_account_not_found");
  }
  expect((await errorOf(read("x"))).code).toBe("invalid_address");
});
