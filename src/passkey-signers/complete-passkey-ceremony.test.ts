import { limits } from "@trellis/kernel/limits.js";
import { addressBytes } from "@trellis/program-client";
import { describe, expect, it } from "vitest";
import { createSoftPasskey } from "../../test/support/authenticator.js";
import {
  answerOf,
  type Begun,
  beginCeremony,
  createPasskeySigner,
  createSessionKey,
  submission,
  type WireSession,
} from "../../test/support/passkey-signers.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { completePasskeyCeremony } from "./complete-passkey-ceremony.js";
import { submitPasskeyCeremony } from "./submit-passkey-ceremony.js";

const test = useTestNetwork();

/** As the page does it, which has no key. */
const complete = (authenticatorResponse: ReturnType<typeof answerOf>) =>
  test.call<WireSession>(completePasskeyCeremony, { body: { authenticatorResponse } });

describe("200", () => {
  it("opens the session that was asked for, at the expense of the tenant that has begun", async () => {
    const caller = await test.addTenant("of-the-page");
    const session = createSessionKey();
    const begun = await beginCeremony(test, "create", session.address, { caller });
    const opened = await complete(answerOf(createSoftPasskey(), begun));
    expect(opened.session_key.key).toBe(session.address);
    const { submission_id } = await rowOf(begun);
    const paid = await test.needs.db
      .selectFrom("sponsored_cost")
      .select("tenant_id")
      .where("submission_id", "=", submission_id)
      .execute();
    expect(new Set(paid.map(({ tenant_id }) => tenant_id))).toEqual(new Set([caller.tenantId]));
  });

  it("is the same again, and for the application that submits the same answer", async () => {
    const { passkey, address } = await createPasskeySigner(test);
    const begun = await beginCeremony(test, "auth", createSessionKey().address);
    const answer = answerOf(passkey, begun);
    const opened = await complete(answer);
    expect(opened.passkey_account).toBe(address);
    expect(await complete(answer)).toEqual(opened);
    expect(await test.call(submitPasskeyCeremony, { body: submission(begun, answer) })).toEqual(opened);
  });

  it("writes keys as text, however the application wrote its own", async () => {
    const { address } = createSessionKey();
    const begun = await beginCeremony(test, "create", [...addressBytes(address)]);
    const opened = await complete(answerOf(createSoftPasskey(), begun));
    expect(opened.session_key.key).toBe(address);
  });
});

it("404 for a challenge that was never begun here", async () => {
  const answer = answerOf(createSoftPasskey(), { challenge: Buffer.alloc(32, 7) });
  expect((await errorOf(complete(answer))).code).toBe("passkey_ceremony_not_found");
});

it("400 for an answer that another passkey has signed, or that names no challenge", async () => {
  const begun = await beginCeremony(test, "create", createSessionKey().address);
  const passkey = createSoftPasskey();
  const stolen = answerOf(passkey, begun, { key: createSoftPasskey() });
  expect((await errorOf(complete(stolen))).code).toBe("invalid_passkey_assertion");
  const { response } = answerOf(passkey, begun);
  const nothing = { response: { ...response, clientDataJSON: "e30" } };
  expect((await errorOf(complete(nothing))).code).toBe("invalid_passkey_assertion");
  expect((await rowOf(begun)).submission_id).toBeNull();
});

it("has the fee payer sign once, however many answers come at once", async () => {
  const { passkey } = await createPasskeySigner(test);
  const begun = await beginCeremony(test, "auth", createSessionKey().address);
  const { feePayer } = test.network;
  let signed = 0;
  const sign = async (message: Uint8Array) => {
    signed += 1;
    return feePayer.sign(message);
  };
  const networks = new Map([[test.network.name, { ...test.network, feePayer: { ...feePayer, sign } }]]);
  const body = { authenticatorResponse: answerOf(passkey, begun) };
  const all = await Promise.all(
    Array.from({ length: 6 }, () => test.call(completePasskeyCeremony, { body, needs: { networks } })),
  );
  expect(new Set(all.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(signed).toBe(1);
  expect((await rowOf(begun)).signing_until).toBeNull();
});

it("takes the answer again where the process that had claimed to sign is gone", async () => {
  const { passkey, address } = await createPasskeySigner(test);
  const begun = await beginCeremony(test, "auth", createSessionKey().address);
  const until = BigInt(test.needs.realClock.now() + limits.signerSigningMs);
  await test.needs.db
    .updateTable("passkey_ceremony")
    .set({ signing_until: until })
    .where("challenge", "=", begun.challenge.toString("base64url"))
    .execute();
  const waits: number[] = [];
  const opened = await test.call<WireSession>(completePasskeyCeremony, {
    body: { authenticatorResponse: answerOf(passkey, begun) },
    needs: {
      pause: async (ms) => {
        waits.push(ms);
      },
    },
  });
  expect(opened.passkey_account).toBe(address);
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(limits.signerSigningMs);
});

it("409 once a minute has passed, whatever the answer is", async () => {
  const begun = await beginCeremony(test, "create", createSessionKey().address);
  test.needs.realClock.advance(60_000);
  for (const key of [undefined, createSoftPasskey()]) {
    const answer = answerOf(createSoftPasskey(), begun, key === undefined ? {} : { key });
    expect((await errorOf(complete(answer))).code).toBe("passkey_challenge_over");
  }
});

it("409 for a challenge whose answers had the chain read too often, from wherever, and no other one", async () => {
  const { passkey } = await createPasskeySigner(test);
  const [begun, other] = [await beginAuth(), await beginAuth()];
  // Its signature is a true one, of a passkey that has no account.
  const strange = answerOf(createSoftPasskey(), begun);
  const codes = [];
  for (let i = 0; i <= limits.signerAnswersMax; i++) codes.push((await errorOf(complete(strange))).code);
  expect(codes).toEqual([
    ...Array<string>(limits.signerAnswersMax).fill("passkey_account_not_found"),
    "passkey_challenge_over",
  ]);
  expect((await errorOf(complete(answerOf(passkey, begun)))).code).toBe("passkey_challenge_over");
  // The tenant's own server is none of those who answer without a key.
  const body = submission(begun, answerOf(passkey, begun));
  expect(await test.call(submitPasskeyCeremony, { body })).toHaveProperty("passkey_account");
  expect(await complete(answerOf(passkey, other))).toHaveProperty("passkey_account");
});

it("counts no answer whose signature is wrong, and none to what is stored already", async () => {
  const passkey = createSoftPasskey();
  const begun = await beginCeremony(test, "create", createSessionKey().address);
  const stolen = answerOf(passkey, begun, { key: createSoftPasskey() });
  for (let i = 0; i <= limits.signerAnswersMax; i++) {
    expect((await errorOf(complete(stolen))).code).toBe("invalid_passkey_assertion");
  }
  const honest = answerOf(passkey, begun);
  const opened = await complete(honest);
  for (let i = 0; i <= limits.signerAnswersMax; i++) expect(await complete(honest)).toEqual(opened);
  expect((await rowOf(begun)).answers).toBe(1);
});

it("409 submission_in_progress where one answer is being carried out, and there were too many", async () => {
  const { passkey } = await createPasskeySigner(test);
  const begun = await beginAuth();
  await test.needs.db
    .updateTable("passkey_ceremony")
    .set({ answers: limits.signerAnswersMax, signing_until: BigInt(test.needs.realClock.now() + 1_000) })
    .where("challenge", "=", begun.challenge.toString("base64url"))
    .execute();
  expect((await errorOf(complete(answerOf(passkey, begun)))).code).toBe("submission_in_progress");
});

it("503 while the tenant is moved", async () => {
  const caller = await test.addTenant("that-is-moved");
  const begun = await beginCeremony(test, "create", createSessionKey().address, { caller });
  await test.needs.db.updateTable("tenant").set({ frozen_at: 1n }).where("id", "=", caller.tenantId).execute();
  expect((await errorOf(complete(answerOf(createSoftPasskey(), begun)))).code).toBe("tenant_frozen");
});

const beginAuth = () => beginCeremony(test, "auth", createSessionKey().address);

const rowOf = ({ challenge }: Begun) =>
  test.needs.db
    .selectFrom("passkey_ceremony")
    .selectAll()
    .where("challenge", "=", challenge.toString("base64url"))
    .executeTakeFirstOrThrow();
