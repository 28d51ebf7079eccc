import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createSoftPasskey, type SoftPasskey } from "../../test/support/authenticator.js";
import {
  addressOfPasskey,
  answerOf,
  type Begun,
  beginCeremony,
  createPasskeySigner,
  createSessionKey,
  submission,
} from "../../test/support/passkey-signers.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { breakConnection, type CallParts, errorOf } from "../../test/support/test-network.js";
import { createAccount } from "../accounts/create-account.js";
import { completePasskeyCeremony } from "./complete-passkey-ceremony.js";
import { getPasskeyCeremonyOutcome } from "./get-passkey-ceremony-outcome.js";
import { getPasskeySigner } from "./get-passkey-signer.js";
import { submitPasskeyCeremony } from "./submit-passkey-ceremony.js";

const test = useTestNetwork();

const read = ({ challenge }: Pick<Begun, "challenge">, parts: CallParts = {}, alphabet: BufferEncoding = "base64url") =>
  test.call<Record<string, unknown>>(getPasskeyCeremonyOutcome, {
    params: { challenge: challenge.toString(alphabet) },
    ...parts,
  });
const submit = (begun: Begun, passkey: SoftPasskey, parts: CallParts = {}) =>
  test.call(submitPasskeyCeremony, { body: submission(begun, answerOf(passkey, begun)), ...parts });

describe("what came of a challenge", () => {
  it("is nothing, then the signer whose passkey has signed, its session, and the accounts that it signs for", async () => {
    const [passkey, session] = [createSoftPasskey(), createSessionKey()];
    const begun = await beginCeremony(test, "create", session.address);
    const open = await read(begun);
    expect(open).toMatchObject({
      challenge: begun.challenge.toString("base64url"),
      ceremony_type: "create",
      status: "pending",
      session_key: session.address,
      session_seconds: 900,
      session_expires_at: null,
      passkey_account: null,
      accounts: [],
      signature: null,
    });
    await test.call(completePasskeyCeremony, { body: { authenticatorResponse: answerOf(passkey, begun) } });
    const signer = addressOfPasskey(passkey);
    const done = await read(begun);
    expect(done).toEqual({
      ...open,
      status: "completed",
      passkey_account: signer,
      session_expires_at: expect.stringMatching(/Z$/),
      signature: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{64,90}$/),
    });
    expect(Date.parse(String(done.session_expires_at)) - test.network.clock.now()).toBeLessThanOrEqual(900_000);
    expect(await read(begun, {}, "base64")).toEqual(done);
    const body = { type: "signers", signers: [signer], threshold: 1 };
    const { address } = await test.call<{ address: string }>(createAccount, { body });
    expect(await read(begun)).toEqual({ ...done, accounts: [address] });
  });

  it("stays open while its transaction is, and then is what the chain says", async () => {
    const passkey = createSoftPasskey();
    const begun = await beginCeremony(test, "create", createSessionKey().address);
    const silent = breakConnection(test.network, (method) => method === "sendTransaction");
    await errorOf(submit(begun, passkey, { network: silent }));
    expect(await read(begun)).toMatchObject({ status: "pending", passkey_account: null });
    await submit(begun, passkey);
    expect(await read(begun)).toMatchObject({ status: "completed" });
    await sql`update submission set state = 'failed', failure = '{}' where id =
      (select submission_id from passkey_ceremony where challenge = ${begun.challenge.toString("base64url")})`.execute(
      test.needs.db,
    );
    expect(await read(begun)).toMatchObject({ status: "failed", passkey_account: null, signature: null });
  });

  it("is that nothing came of it, once it is over", async () => {
    const begun = await beginCeremony(test, "auth", createSessionKey().address);
    test.needs.realClock.advance(60_000);
    expect(await read(begun)).toMatchObject({ status: "expired", passkey_account: null });
  });

  it("stays open while a transaction is being signed as its time ends, which then is not stored", async () => {
    const { passkey, address } = await createPasskeySigner(test);
    const begun = await beginCeremony(test, "auth", createSessionKey().address);
    const { feePayer } = test.network;
    test.needs.realClock.advance(50_000);
    let seen: unknown;
    const late: typeof feePayer = {
      ...feePayer,
      sign: async (message) => {
        test.needs.realClock.advance(10_000);
        seen = (await read(begun)).status;
        return feePayer.sign(message);
      },
    };
    const error = await errorOf(submit(begun, passkey, { network: { ...test.network, feePayer: late } }));
    expect(error.code).toBe("passkey_challenge_over");
    expect(seen).toBe("pending");
    expect(await read(begun)).toMatchObject({ status: "expired", passkey_account: null });
    const { account } = await test.call<{ account: { session_key: { key: string } | null } }>(getPasskeySigner, {
      params: { passkey: address },
    });
    expect(account.session_key?.key).not.toBe((await read(begun)).session_key);
  });

  it("says when a session was ended", async () => {
    const { passkey, address } = await createPasskeySigner(test);
    const begun = await beginCeremony(test, "auth", createSessionKey().address, { seconds: 0 });
    await submit(begun, passkey);
    const ended = await read(begun);
    expect(ended).toMatchObject({ status: "completed", session_seconds: 0, passkey_account: address });
    expect(Date.parse(String(ended.session_expires_at))).toBeLessThanOrEqual(test.network.clock.now());
  });
});

it("404 for another tenant, in another environment, and for a challenge that was never begun", async () => {
  const begun = await beginCeremony(test, "create", createSessionKey().address);
  const caller = await test.addTenant("curious");
  for (const call of [
    () => read(begun, { caller }),
    () => read(begun, { network: { ...test.network, name: "devnet" } }),
    () => read({ challenge: Buffer.alloc(32, 9) }),
  ]) {
    expect((await errorOf(call())).code).toBe("passkey_ceremony_not_found");
  }
  expect((await errorOf(read({ challenge: Buffer.alloc(31) }))).code).toBe("invalid_request");
});
