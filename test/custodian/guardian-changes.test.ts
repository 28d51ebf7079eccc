import { createTrellisClient, generateEncryptionKeyPair, openSession, TransactionMismatchError } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { browserWith, createSoftPasskey } from "../support/authenticator.js";
import { startTestCustodian } from "../support/custodian.js";
import { byPasskey, toPayload } from "../support/passkeys.js";
import { publicKeyOf } from "../support/test-network.js";
import { startTestService } from "../support/test-service.js";
import { use } from "../support/use.js";

const guardian = use(() => startTestCustodian({ variables: { TRELLIS_CUSTODIAN_NAME: "kms_c" } }));
const trellis = use(() =>
  startTestService({
    TRELLIS_GUARDIAN: "kms_c",
    TRELLIS_CUSTODIAN_KMS_C_URL: guardian.url,
    TRELLIS_CUSTODIAN_KMS_C_KEYS: guardian.folders.service,
  }),
);
const payee = publicKeyOf("whom a spending limit pays");
const day = 86_400;

describe("a change of settings that waits at the guardian", () => {
  it("is listed as the guardian certifies it, and one tap of any passkey cancels it", async () => {
    const { wallet, by, change, add } = await open("ada@example.net");
    const { guardianChanges } = trellis.client;
    expect(await guardianChanges.list(wallet)).toMatchObject({ changes: [] });
    const refused = await refusalOf(change("1000000"));
    expect(refused).toMatchObject({
      code: "guardian_refused",
      details: [{ rule: "settings_change_delayed", change_id: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
    const { changes, as_of: asOf } = await guardianChanges.list(wallet);
    expect(changes).toMatchObject([
      {
        id: refused.details[0]?.change_id,
        content: [
          { by: "members", actions: [{ __kind: "AddSpendingLimit", amount: "1000000", destinations: [payee] }] },
        ],
      },
    ]);
    const waitsMs = Date.parse(changes[0]?.from ?? "") - Date.parse(asOf);
    expect([waitsMs <= day * 1_000, waitsMs > (day - 60) * 1_000]).toEqual([true, true]);
    const id = changes[0]?.id ?? "";
    const other = await add();
    expect(await guardianChanges.cancel({ ...wallet, ...other, id })).toMatchObject({ changes: [] });
    expect(await guardianChanges.cancel({ ...wallet, ...by, id })).toMatchObject({ changes: [] });
    const [later] = (await refusalOf(change("2000000"))).details;
    // Its delay and the week in which it could be signed.
    await trellis.client.sandbox.advanceClock(8 * day);
    expect((await guardianChanges.list(wallet)).changes).toEqual([]);
    await expect(guardianChanges.cancel({ ...wallet, ...by, id: later?.change_id ?? "" })).rejects.toMatchObject({
      status: 409,
      code: "guardian_change_over",
    });
    await expect(guardianChanges.cancel({ ...wallet, ...by, id: "ab" })).rejects.toMatchObject({
      status: 404,
      code: "guardian_change_not_found",
    });
  });

  it("is believed of the guardian alone, and only as it is now: a service hides none", async () => {
    const { wallet, by, change } = await open("grace@example.net");
    const { wallet: other } = await open("heidi@example.net");
    const none = await answerOf(wallet.account);
    const others = await answerOf(other.account);
    await refusalOf(change("1"));
    const id = (await trellis.client.guardianChanges.list(wallet)).changes[0]?.id ?? "";
    const waits = await answerOf(wallet.account);
    const lies: ((answer: Answer) => Answer)[] = [
      () => none,
      () => others,
      () => waits,
      (answer) => ({ ...answer, certificate: null }),
      ({ certificate, ...rest }) => ({
        ...rest,
        certificate: certificate && {
          ...certificate,
          document: certificate.document.replace(/"changes":\[.*\]/, '"changes":[]'),
        },
      }),
    ];
    for (const lie of lies) {
      const liar = clientThat(lie);
      await expect(liar.guardianChanges.list(wallet)).rejects.toBeInstanceOf(TransactionMismatchError);
      await expect(liar.guardianChanges.cancel({ ...wallet, ...by, id })).rejects.toBeInstanceOf(
        TransactionMismatchError,
      );
    }
    expect((await trellis.client.guardianChanges.list(wallet)).changes).toHaveLength(1);
  });

  it("is cancelled by nothing that a passkey of the wallet has not signed just so, and just now", async () => {
    const { wallet, passkey, change } = await open("ivan@example.net");
    const { wallet: other, passkey: strangers } = await open("judy@example.net");
    await refusalOf(change("1"));
    const { changes, as_of: asOf } = await trellis.client.guardianChanges.list(wallet);
    const id = changes[0]?.id ?? "";
    const ends = (ms: number) => new Date(Date.parse(asOf) + ms).toISOString();
    const send = async (signed: object, more: { by?: typeof passkey; expires_at?: string; method?: string } = {}) => {
      const { by = passkey, expires_at = ends(600_000), method = "cancelSettingsChange" } = more;
      const document = {
        version: 1,
        method,
        environment: "sandbox",
        wallet: wallet.signer,
        params: { change_id: id },
        nonce: "n",
        expires_at,
        ...signed,
      };
      const authorization = byPasskey(by, toPayload(document), {}, "kms_c");
      const path = `/api/service/v1/accounts/${wallet.account}/guardian-changes/${id}`;
      const { body } = await trellis.request("DELETE", path, { nonce: "n", expires_at, authorization });
      return (body as { code?: string }).code;
    };
    expect(await send({}, { by: strangers })).toBe("invalid_signature");
    expect(await send({ wallet: other.signer })).toBe("invalid_signature");
    expect(await send({ params: { change_id: "ab".repeat(32) } })).toBe("invalid_signature");
    expect(await send({}, { method: "setWalletPolicy" })).toBe("invalid_signature");
    for (const ms of [-1, 7_200_000]) expect(await send({}, { expires_at: ends(ms) })).toBe("payload_expired");
    expect((await trellis.client.guardianChanges.list(wallet)).changes).toHaveLength(1);
    const answers = await Promise.all([send({}), send({})]);
    expect(answers).toEqual([undefined, undefined]);
    expect((await trellis.client.guardianChanges.list(wallet)).changes).toEqual([]);
  });

  it("is nothing where there is no guardian", async () => {
    const { address } = await trellis.openHolder();
    const { status, body } = await trellis.request("GET", pathOf(address));
    expect([status, body]).toMatchObject([200, { data: { signer: null, changes: [], certificate: null } }]);
  });
});

interface Answer {
  readonly certificate: { readonly document: string; readonly signature: string } | null;
}

interface Refused {
  readonly code: string;
  readonly details: readonly { readonly rule: string; readonly change_id?: string }[];
}

const pathOf = (account: string) => `/api/service/v1/accounts/${account}/guardian-changes`;

async function answerOf(account: string): Promise<Answer> {
  const { body } = await trellis.request("GET", `${pathOf(account)}?nonce=${"ab".repeat(32)}`);
  return (body as { data: Answer }).data;
}

const refusalOf = (call: Promise<unknown>): Promise<Refused> =>
  call.then(
    () => {
      throw new Error("it was signed");
    },
    (error: Refused) => error,
  );

/** A client whose service answers something else about what waits. */
function clientThat(change: (data: Answer) => Answer) {
  return createTrellisClient({
    baseUrl: trellis.url,
    apiKey: trellis.apiKey,
    environment: "sandbox",
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (!String(url).includes("/guardian-changes") || !answer.ok) return answer;
      const body = (await answer.json()) as { data: Answer };
      return Response.json({ ...body, data: change(body.data) }, { status: answer.status, headers: answer.headers });
    },
  });
}

async function open(email: string) {
  const { client } = trellis;
  const recovery = { address: publicKeyOf("kept in a drawer") };
  await client.accounts.create({ type: "email", email, protection: "guarded", recovery });
  const [mail] = await client.sandbox.outbox(email);
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.accounts.verify({
    email,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  const { address: account, authentication, policies } = verified;
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  const session = await openSession(authentication[0], keyPair);
  const wallet = { account, signer: policies.signers[1]?.address ?? "", guardian: { identity: guardian.identity } };
  const passkey = createSoftPasskey();
  const credentials = browserWith(passkey);
  const added = await client.passkeys.add({ ...wallet, session, name: "Phone", credentials });
  const by = { passkeys: { passkeys: [added], credentials } };
  const { as_of: asOf } = await client.guardianPolicy.get(wallet);
  /** Asks for a right to spend, which the guardian signs a day later. */
  const change = (amount: string) =>
    client.spendingLimits.create({
      account,
      session,
      ...by,
      limit: {
        currency: "sol",
        amount,
        period: "daily",
        signers: [session.wallets[0]?.address ?? ""],
        destinations: [payee],
        expiration: new Date(Date.parse(asOf) + 30 * day * 1_000),
      },
    });
  const add = async () => {
    const second = browserWith(createSoftPasskey());
    const { guardian: _, ...about } = wallet;
    const other = await client.passkeys.add({ ...about, ...by, name: "Key", credentials: second });
    return { passkeys: { passkeys: [other], credentials: second } };
  };
  return { wallet, passkey, by, change, add };
}
