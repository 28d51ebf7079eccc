import { randomBytes } from "node:crypto";
import type { Address } from "@solana/kit";
import { addressBytes, SIGNATURE_PROGRAM_ADDRESS, SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import { readPasskeys } from "@trellis/solana/read-passkeys.js";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { describe, expect, it } from "vitest";
import { createSoftPasskey } from "../../test/support/authenticator.js";
import {
  addressOfPasskey,
  answerOf,
  type Begun,
  beginCeremony,
  createPasskeySigner,
  createSessionKey,
  openSession,
  page,
  submission,
  type WireSession,
} from "../../test/support/passkey-signers.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { breakConnection, type CallParts, errorOf } from "../../test/support/test-network.js";
import { createAccount } from "../accounts/create-account.js";
import { setRelyingParty } from "../tenants/relying-party.js";
import { ceremonyRefusal } from "./ceremony-transaction.js";
import { submitPasskeyCeremony } from "./submit-passkey-ceremony.js";

const test = useTestNetwork();
const secp256r1 = "Secp256r1SigVerify1111111111111111111111111";

const submit = (begun: Begun, answer: ReturnType<typeof answerOf>, parts: CallParts = {}, more: object = {}) =>
  test.call<WireSession>(submitPasskeyCeremony, { body: { ...submission(begun, answer), ...more }, ...parts });
const read = async (address: string) =>
  (await readPasskeys(test.network, [address as Address])).get(address as Address);
const rowOf = ({ challenge }: Begun) =>
  test.needs.db
    .selectFrom("passkey_ceremony")
    .selectAll()
    .where("challenge", "=", challenge.toString("base64url"))
    .executeTakeFirstOrThrow();
const seconds = () => Math.floor(test.network.clock.now() / 1_000);
const submissions = () =>
  test.needs.db.selectFrom("submission").select("id").where("purpose", "=", "passkey").execute();

describe("200", () => {
  it("gives a new passkey its account, with the session that it signed, whatever half its signature is in", async () => {
    for (let i = 0; i < 6; i++) {
      const [passkey, session] = [createSoftPasskey(), createSessionKey()];
      const begun = await beginCeremony(test, "create", session.address);
      const opened = await submit(begun, answerOf(passkey, begun));
      const end = seconds() + 900;
      expect(opened).toEqual({
        passkey_account: addressOfPasskey(passkey),
        session_key: { key: session.address, expiration: end },
      });
      expect(await read(opened.passkey_account)).toMatchObject({
        relyingPartyId: "trellis.example",
        session: { key: session.address, expiresAt: BigInt(end) },
        counter: 0n,
      });
    }
  });

  it("opens one on the tenant's own domain, whatever account came first, unless another tenant had the passkey made", async () => {
    const [rpId, origin] = ["app.example", "https://app.example"];
    const hostile = await test.addTenant("first-account");
    const { caller: own } = test;
    const { db } = test.needs;
    await setRelyingParty(db, own.tenantId, { id: rpId, name: "App", origins: [origin] });
    const outcomes = [];
    for (const maker of [undefined, hostile.tenantId]) {
      const passkey = createSoftPasskey();
      const made = await beginCeremony(test, "create", createSessionKey().address, { baseUrl: origin });
      const { passkey_account: address } = await submit(made, answerOf(passkey, made, { rpId, origin }));
      // The signer was made by another service at this domain.
      await db.deleteFrom("passkey_signer").where("address", "=", address).execute();
      if (maker !== undefined) {
        await db.insertInto("passkey_signer").values({ environment: "sandbox", address, tenant_id: maker }).execute();
      }
      const body = { type: "signers", signers: [address], threshold: 1, confirm_foreign_passkeys: true };
      await test.call(createAccount, { body, caller: hostile });
      const begun = await beginCeremony(test, "auth", createSessionKey().address, { baseUrl: origin });
      outcomes.push(
        await submit(begun, answerOf(passkey, begun, { rpId, origin })).then(
          () => "opened",
          ({ code }) => code,
        ),
      );
    }
    expect(outcomes).toEqual(["opened", "passkey_account_not_found"]);
  });

  it("replaces the session, and ends it, of a passkey that names its key or does not", async () => {
    const { passkey, address } = await createPasskeySigner(test);
    for (const names of [true, false]) {
      const session = createSessionKey();
      const begun = await beginCeremony(test, "auth", session.address, { seconds: 3_600 });
      const { response } = answerOf(passkey, begun);
      const { publicKey, ...nameless } = response;
      const opened = await submit(begun, { response: names ? response : (nameless as typeof response) });
      const { expiration } = opened.session_key;
      expect(opened).toEqual({ passkey_account: address, session_key: { key: session.address, expiration } });
      expect(Math.abs(expiration - 3_600 - seconds())).toBeLessThanOrEqual(1);
      expect((await read(address))?.session).toEqual({ key: session.address, expiresAt: BigInt(expiration) });
    }
    const ended = await openSession(test, "auth", passkey, createSessionKey().address, { seconds: 0 });
    expect(ended.session_key.expiration).toBeLessThanOrEqual(seconds());
    expect((await read(address))?.session?.expiresAt).toBe(BigInt(ended.session_key.expiration));
  });

  it("writes keys as the caller wrote its own, and takes the end in either form", async () => {
    const [passkey, session] = [createSoftPasskey(), createSessionKey()];
    const key = [...addressBytes(session.address)];
    const begun = await beginCeremony(test, "create", key);
    const { session_ends_at: end } = await rowOf(begun);
    const sessionKey = { key, expiration: Number(end) };
    expect(await submit(begun, answerOf(passkey, begun), {}, { sessionKey })).toEqual({
      passkey_account: [...addressBytes(addressOfPasskey(passkey))],
      session_key: { key, expiration: Number(end) },
    });
  });

  it("is the same for the same request again, and for many at once: one transaction", async () => {
    const { passkey, address } = await createPasskeySigner(test);
    const session = createSessionKey();
    const begun = await beginCeremony(test, "auth", session.address);
    const answer = answerOf(passkey, begun);
    const before = (await submissions()).length;
    const all = await Promise.all(Array.from({ length: 5 }, () => submit(begun, answer)));
    test.needs.realClock.advance(120_000);
    const later = await submit(begun, answer);
    expect(new Set([...all, later].map((each) => JSON.stringify(each))).size).toBe(1);
    expect((await submissions()).length).toBe(before + 1);
    // Another sign-in has replaced it meanwhile: what this one was stays what it is.
    await openSession(test, "auth", passkey, createSessionKey().address);
    expect(await submit(begun, answer)).toMatchObject({
      passkey_account: address,
      session_key: { key: session.address },
    });
    expect((await read(address))?.session?.key).not.toBe(session.address);
  });

  it("follows a transaction whose outcome the first call never heard of", async () => {
    const [passkey, session] = [createSoftPasskey(), createSessionKey()];
    const begun = await beginCeremony(test, "create", session.address);
    const answer = answerOf(passkey, begun);
    const silent = breakConnection(test.network, (method) => method === "sendTransaction");
    expect((await errorOf(submit(begun, answer, { network: silent }))).code).toBe("chain_unavailable");
    expect(await read(addressOfPasskey(passkey))).toBeUndefined();
    expect((await rowOf(begun)).submission_id).not.toBeNull();
    expect(await submit(begun, answer)).toMatchObject({ passkey_account: addressOfPasskey(passkey) });
  });

  it("costs the service fee and rent, which come out of the tenant's budget", async () => {
    const balance = async () => (await test.network.rpc.getBalance(test.network.feePayer.address).send()).value;
    const before = await balance();
    const { address } = await createPasskeySigner(test);
    const costs = await test.needs.db
      .selectFrom("sponsored_cost")
      .select(["kind", "reserved_lamports", "beneficiary", "account_address"])
      .where("submission_id", "in", (query) =>
        query.selectFrom("passkey_ceremony").select("submission_id").where("passkey_address", "=", address),
      )
      .orderBy("position")
      .execute();
    expect(costs).toEqual([
      { kind: "fee", reserved_lamports: 10_000n, beneficiary: null, account_address: null },
      { kind: "passkey_rent", reserved_lamports: 1_948_800n, beneficiary: null, account_address: null },
    ]);
    expect(before - (await balance())).toBe(1_958_800n);
  });
});

describe("with a payer of its own", () => {
  it("has it pay and sign, and not the fee payer, which lands what it had begun", async () => {
    const passkeyPayer = serviceKeyOf(new Uint8Array(randomBytes(32)));
    await test.airdrop(passkeyPayer.address, "sol", "1000000000");
    const feePayer = {
      ...test.network.feePayer,
      sign: () => Promise.reject(new Error("the fee payer signs nothing here")),
    };
    const serviceAddresses = new Set([...test.network.serviceAddresses, passkeyPayer.address]);
    const network = { ...test.network, feePayer, passkeyPayer, serviceAddresses };
    const balance = async () => (await network.rpc.getBalance(passkeyPayer.address).send()).value;
    const before = await balance();
    const passkey = createSoftPasskey();
    const begun = await beginCeremony(test, "create", createSessionKey().address, { network });
    expect((await rowOf(begun)).payer).toBe(passkeyPayer.address);
    expect(await submit(begun, answerOf(passkey, begun), { network })).toHaveProperty("passkey_account");
    expect(before - (await balance())).toBe(1_958_800n);

    const earlier = await beginCeremony(test, "auth", createSessionKey().address);
    const now = { ...network, feePayer: test.network.feePayer };
    expect(await submit(earlier, answerOf(passkey, earlier), { network: now })).toHaveProperty("passkey_account");
    expect(before - (await balance())).toBe(1_958_800n);

    const another = { ...now, passkeyPayer: serviceKeyOf(new Uint8Array(randomBytes(32))) };
    const lost = await beginCeremony(test, "auth", createSessionKey().address, { network });
    const refused = await errorOf(submit(lost, answerOf(passkey, lost), { network: another }));
    expect(refused.code).toBe("passkey_challenge_over");
    const named = await errorOf(beginCeremony(test, "auth", passkeyPayer.address, { network }));
    expect(named.code).toBe("forbidden_account");
  });
});

describe("400", () => {
  it.each<[string, Parameters<typeof answerOf>[2]]>([
    ["origin", { origin: "https://evil.example" }],
    ["origin", { origin: "https://trellis.example:8443" }],
    ["origin", { origin: "http://trellis.example" }],
    ["origin", { origin: "https://app.trellis.example" }],
    ["relying_party", { rpId: "other.example" }],
    ["user_not_present", { flags: 0x04 }],
    ["user_not_verified", { flags: 0x01 }],
    ["cross_origin", { clientData: { crossOrigin: true } }],
    ["client_data", { clientData: { topOrigin: "https://evil.example" } }],
    ["signature", { key: createSoftPasskey() }],
  ])("for an answer that is wrong: %s %o", async (reason, bent) => {
    const passkey = createSoftPasskey();
    const begun = await beginCeremony(test, "create", createSessionKey().address);
    const error = await errorOf(submit(begun, answerOf(passkey, begun, bent)));
    expect([error.code, error.details[0]?.reason]).toEqual(["invalid_passkey_assertion", reason]);
    expect((await rowOf(begun)).submission_id).toBeNull();
    // It costs the honest answer nothing.
    expect(await submit(begun, answerOf(passkey, begun))).toMatchObject({ passkey_account: addressOfPasskey(passkey) });
  });

  it("for a flipped signature, or a new passkey without its key", async () => {
    const begun = await beginCeremony(test, "create", createSessionKey().address);
    const { response } = answerOf(createSoftPasskey(), begun);
    const bytes = Buffer.from(response.signature, "base64url");
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    const { publicKey, ...nameless } = response;
    for (const bent of [{ ...response, signature: bytes.toString("base64url") }, nameless]) {
      const error = await errorOf(submit(begun, { response: bent as typeof response }));
      expect(error.code).toBe("invalid_passkey_assertion");
    }
  });

  it("for another session key, end, slot or kind than the challenge was made for", async () => {
    const begun = await beginCeremony(test, "create", createSessionKey().address);
    const answer = answerOf(createSoftPasskey(), begun);
    const { key } = begun;
    for (const bent of [
      { sessionKey: { key: createSessionKey().address, expiration: 900 } },
      { sessionKey: { key, expiration: 901 } },
      { slotNumber: begun.slotNumber + 1 },
      { ceremonyType: "auth" },
    ]) {
      expect((await errorOf(submit(begun, answer, {}, bent))).code).toBe("invalid_request");
    }
    expect((await rowOf(begun)).submission_id).toBeNull();
  });
});

describe("404", () => {
  it("for a challenge that was not made here, or for another tenant", async () => {
    const passkey = createSoftPasskey();
    const begun = await beginCeremony(test, "create", createSessionKey().address);
    const foreign = { ...begun, challenge: Buffer.alloc(32, 7) };
    const caller = await test.addTenant("hostile");
    for (const call of [
      () => submit(foreign, answerOf(passkey, foreign)),
      () => submit(begun, answerOf(passkey, begun), { caller }),
      () => submit(begun, answerOf(passkey, begun), { network: { ...test.network, name: "devnet" } }),
    ]) {
      expect((await errorOf(call())).code).toBe("passkey_ceremony_not_found");
    }
  });

  it("for a session that one tenant asks of a passkey of another one, also once it has an account with it", async () => {
    const { passkey, address } = await createPasskeySigner(test);
    const caller = await test.addTenant("look-alike");
    const body = { type: "signers", signers: [address], threshold: 1, confirm_foreign_passkeys: true };
    for (const hasAccount of [false, true]) {
      if (hasAccount) await test.call(createAccount, { body, caller });
      const begun = await beginCeremony(test, "auth", createSessionKey().address, { caller });
      expect((await errorOf(submit(begun, answerOf(passkey, begun), { caller }))).code).toBe(
        "passkey_account_not_found",
      );
      expect((await rowOf(begun)).submission_id).toBeNull();
    }
    const session = createSessionKey();
    await openSession(test, "auth", passkey, session.address);
    expect((await read(address))?.session?.key).toBe(session.address);
  });

  it("for a session of a passkey without a maker here that became a signer of another tenant's account first", async () => {
    const { passkey, address } = await createPasskeySigner(test);
    await test.needs.db.deleteFrom("passkey_signer").where("address", "=", address).execute();
    const [first, second] = [await test.addTenant("first"), await test.addTenant("second")];
    const body = { type: "signers", signers: [address], threshold: 1, confirm_foreign_passkeys: true };
    for (const caller of [first, second]) await test.call(createAccount, { body, caller });
    const outcomes = [];
    for (const caller of [first, second]) {
      const begun = await beginCeremony(test, "auth", createSessionKey().address, { caller });
      outcomes.push(
        await submit(begun, answerOf(passkey, begun), { caller }).then(
          () => "opened",
          ({ code }) => code,
        ),
      );
    }
    expect(outcomes).toEqual(["opened", "passkey_account_not_found"]);
  });

  it("for a session on the service's own host, also to a tenant that has set it as its relying party", async () => {
    const { passkey, address } = await createPasskeySigner(test);
    const { db } = test.needs;
    await db.deleteFrom("passkey_signer").where("address", "=", address).execute();
    const [first, caller] = [await test.addTenant("owner"), await test.addTenant("claims-the-host")];
    await test.call(createAccount, { body: { type: "signers", signers: [address], threshold: 1 }, caller: first });
    await setRelyingParty(db, caller.tenantId, { id: page.rpId, name: "App", origins: [page.origin] });
    const begun = await beginCeremony(test, "auth", createSessionKey().address, { caller });
    expect((await errorOf(submit(begun, answerOf(passkey, begun), { caller }))).code).toBe("passkey_account_not_found");
    await setRelyingParty(db, caller.tenantId, { id: "unused.example", name: "App", origins: [] });
  });

  it("for a session of a passkey without an account", async () => {
    const begun = await beginCeremony(test, "auth", createSessionKey().address);
    const error = await errorOf(submit(begun, answerOf(createSoftPasskey(), begun)));
    expect(error.code).toBe("passkey_account_not_found");
  });
});

describe("409", () => {
  it("for a challenge that is over, here or on chain", async () => {
    const passkey = createSoftPasskey();
    const [over, tooOld] = [
      await beginCeremony(test, "create", createSessionKey().address),
      await beginCeremony(test, "create", createSessionKey().address),
    ];
    const later = BigInt(test.network.clock.now() + 3_600_000);
    await test.needs.db
      .updateTable("passkey_ceremony")
      .set({ expires_at: later })
      .where("challenge", "=", tooOld.challenge.toString("base64url"))
      .execute();
    test.needs.realClock.advance(61_000);
    for (const begun of [over, tooOld]) {
      expect((await errorOf(submit(begun, answerOf(passkey, begun)))).code).toBe("passkey_challenge_over");
    }
    expect((await rowOf(tooOld)).submission_id).toBeNull();
    expect(await read(addressOfPasskey(passkey))).toBeUndefined();
  });

  it("for a challenge of an earlier slot than the passkey has signed for", async () => {
    const { passkey } = await createPasskeySigner(test);
    const earlier = await beginCeremony(test, "auth", createSessionKey().address);
    await openSession(test, "auth", passkey, createSessionKey().address);
    expect((await errorOf(submit(earlier, answerOf(passkey, earlier)))).code).toBe("passkey_challenge_over");
  });

  it("where the program has another hash for the slot: the answer is not at fault", async () => {
    const passkey = createSoftPasskey();
    const made = await beginCeremony(test, "create", createSessionKey().address);
    const begun = { ...made, slotNumber: made.slotNumber - 1 };
    await test.needs.db
      .updateTable("passkey_ceremony")
      .set({ slot: BigInt(begun.slotNumber) })
      .where("challenge", "=", begun.challenge.toString("base64url"))
      .execute();
    test.logLines.length = 0;
    expect((await errorOf(submit(begun, answerOf(passkey, begun)))).code).toBe("passkey_challenge_over");
    expect(test.logLines.map(({ level, fields }) => [level, (fields as { event?: string }).event])).toEqual([
      ["warn", "passkey_ceremony_refused"],
    ]);
  });

  it.each<[string, "create" | "auth", number, number | string, string, string]>([
    ["a number of another build", "create", 1, 6_003, SIGNATURE_PROGRAM_ADDRESS, "passkey_challenge_over"],
    ["a number of another build", "auth", 1, 7_008, SIGNATURE_PROGRAM_ADDRESS, "passkey_challenge_over"],
    ["a reason without a number", "auth", 1, "InvalidArgument", SIGNATURE_PROGRAM_ADDRESS, "passkey_challenge_over"],
    ["a crash", "auth", 1, "ProgramFailedToComplete", SIGNATURE_PROGRAM_ADDRESS, "service_unavailable"],
    ["a counter that has not grown", "auth", 1, 7_022, SIGNATURE_PROGRAM_ADDRESS, "invalid_passkey_assertion"],
    ["the check of the signature", "auth", 0, 2, secp256r1, "invalid_passkey_assertion"],
    ["a fee payer without money", "create", 1, 1, SYSTEM_PROGRAM_ADDRESS, "service_unavailable"],
  ])("by what refuses, and not by its number: %s, %s", async (_, kind, index, code, program, expected) => {
    const failure = {
      error: { InstructionError: [index, typeof code === "string" ? code : { Custom: code }] },
      logs: [`Program ${program} failed: ${code}`],
    };
    const of = { kind, passkeyAddress: addressOfPasskey(createSoftPasskey()) };
    const error = await ceremonyRefusal(test.needs.log, test.network, of, failure);
    expect(error.code).toBe(expected);
    const made = { kind: "create", passkeyAddress: (await createPasskeySigner(test)).address } as const;
    const another = await ceremonyRefusal(test.needs.log, test.network, made, failure);
    expect(another.code).toBe(index === 0 ? "invalid_passkey_assertion" : "passkey_account_exists");
  });

  it("for a challenge that another passkey has used", async () => {
    const [one, other] = [createSoftPasskey(), createSoftPasskey()];
    const begun = await beginCeremony(test, "create", createSessionKey().address);
    await submit(begun, answerOf(one, begun));
    expect((await errorOf(submit(begun, answerOf(other, begun)))).code).toBe("passkey_challenge_used");
    expect(await read(addressOfPasskey(other))).toBeUndefined();
  });

  it("for one of two passkeys that answer at once", async () => {
    const both = [createSoftPasskey(), createSoftPasskey()];
    const begun = await beginCeremony(test, "create", createSessionKey().address);
    const outcomes = await Promise.allSettled(both.map((passkey) => submit(begun, answerOf(passkey, begun))));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const made = await Promise.all(both.map((passkey) => read(addressOfPasskey(passkey))));
    expect(made.filter((each) => each !== undefined)).toHaveLength(1);
  });

  it("for a passkey that has its account", async () => {
    const { passkey } = await createPasskeySigner(test);
    const begun = await beginCeremony(test, "create", createSessionKey().address);
    expect((await errorOf(submit(begun, answerOf(passkey, begun)))).code).toBe("passkey_account_exists");
  });
});

describe("429", () => {
  it("where the budget is used up: nothing was signed, and the challenge is good for a later try", async () => {
    const passkey = createSoftPasskey();
    const begun = await beginCeremony(test, "create", createSessionKey().address);
    const { sponsorship } = test.network;
    const network = {
      ...test.network,
      sponsorship: { ...sponsorship, perTenantPerDay: 1n, reservedPerTenantPerDay: 1n },
    };
    const error = await errorOf(submit(begun, answerOf(passkey, begun), { network }));
    expect(error.code).toBe("sponsorship_limit_exceeded");
    expect((await rowOf(begun)).submission_id).toBeNull();
    expect(await submit(begun, answerOf(passkey, begun))).toMatchObject({ passkey_account: addressOfPasskey(passkey) });
  });
});
