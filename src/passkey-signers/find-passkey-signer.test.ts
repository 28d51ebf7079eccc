import { expect, it } from "vitest";
import { createSoftPasskey } from "../../test/support/authenticator.js";
import {
  answerOf,
  beginCeremony,
  createPasskeySigner,
  createSessionKey,
  submission,
} from "../../test/support/passkey-signers.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { findPasskeySigner } from "./find-passkey-signer.js";
import { getPasskeySigner } from "./get-passkey-signer.js";
import { submitPasskeyCeremony } from "./submit-passkey-ceremony.js";

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

it("reads no answer to a challenge that is over, but to one that was carried out", async () => {
  const { passkey, address } = await createPasskeySigner(test);
  const [over, done] = [createSessionKey(), createSessionKey()];
  const [unused, used] = [
    await beginCeremony(test, "auth", over.address),
    await beginCeremony(test, "auth", done.address),
  ];
  await test.call(submitPasskeyCeremony, { body: submission(used, answerOf(passkey, used)) });
  test.needs.realClock.advance(60_000);
  const find = (begun: typeof used, answer: ReturnType<typeof answerOf>) =>
    test.call(findPasskeySigner, {
      body: { sessionKey: { key: begun.key, expiration: 900 }, authenticatorResponse: answer },
    });
  // Not even to say what is wrong with it.
  for (const bent of [{}, { origin: "https://evil.example" }]) {
    expect((await errorOf(find(unused, answerOf(passkey, unused, bent)))).code).toBe("passkey_challenge_over");
  }
  expect(await find(used, answerOf(passkey, used))).toMatchObject({ passkey_account: address });
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
