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
const payee = publicKeyOf("a shop that guarded accounts pay");
const atMost = (lamports: string) => ({
  limits: [{ mint: null, per_transaction: lamports }],
  other_mints: "refuse",
  destinations: { type: "any" },
});

describe("the guardian's policy of an account", () => {
  it("is set by a passkey through the client library, and the guardian pays by it", async () => {
    const { wallet, by, pay } = await open("ada@example.org");
    const { guardianPolicy } = trellis.client;
    const before = await guardianPolicy.get(wallet);
    expect(before).toMatchObject({ version: 0, next: null, policy: { transfers: { limits: [] } } });
    const policy = { ...before.policy, transfers: atMost("1000000") };
    expect(await guardianPolicy.set({ ...wallet, ...by, policy })).toMatchObject({ policy, version: 1, next: null });
    await expect(pay(1_000_001n)).rejects.toMatchObject({
      code: "guardian_refused",
      details: [{ rule: "over_transaction_limit" }],
    });
    await pay(1_000_000n);
    const looser = { ...policy, transfers: atMost("2000000") };
    const waiting = await guardianPolicy.set({ ...wallet, ...by, policy: looser });
    expect(waiting).toMatchObject({ policy, version: 2, next: { policy: looser } });
    expect(Date.parse(waiting.next?.from ?? "") - Date.parse(waiting.as_of)).toBe(86_400_000);
    await expect(pay(2_000_000n)).rejects.toMatchObject({ code: "guardian_refused" });
    expect(await guardianPolicy.cancel({ ...wallet, ...by })).toMatchObject({ policy, version: 3, next: null });
    await guardianPolicy.set({ ...wallet, ...by, policy: looser });
    await trellis.client.sandbox.advanceClock(86_400);
    expect(await guardianPolicy.get(wallet)).toMatchObject({ policy: looser, version: 4, next: null });
  });

  it("is believed of the guardian alone, and only as it is now", async () => {
    const { wallet, by } = await open("grace@example.org");
    const { wallet: other } = await open("heidi@example.org");
    const policy = { ...(await trellis.client.guardianPolicy.get(wallet)).policy, transfers: atMost("1") };
    const older = await answerOf(wallet.account);
    const others = await answerOf(other.account);
    await trellis.client.guardianPolicy.set({ ...wallet, ...by, policy });
    const lies: ((answer: Answer) => Answer)[] = [
      () => older,
      () => others,
      (answer) => ({ ...answer, certificate: null }),
      ({ certificate, ...rest }) => ({
        ...rest,
        certificate: certificate && { ...certificate, document: certificate.document.replace('"1"', '"9"') },
      }),
    ];
    for (const lie of lies) {
      const liar = clientThat(lie);
      await expect(liar.guardianPolicy.get(wallet)).rejects.toBeInstanceOf(TransactionMismatchError);
      await expect(liar.guardianPolicy.set({ ...wallet, ...by, policy })).rejects.toBeInstanceOf(
        TransactionMismatchError,
      );
    }
    const pinned = { ...wallet, guardian: { identity: "A".repeat(43) } };
    await expect(trellis.client.guardianPolicy.get(pinned)).rejects.toBeInstanceOf(TransactionMismatchError);
    const elsewhere = { ...wallet, signer: other.signer };
    await expect(trellis.client.guardianPolicy.get(elsewhere)).rejects.toBeInstanceOf(TransactionMismatchError);
  });

  it("is changed by nothing that a passkey has not signed just so", async () => {
    const { wallet, passkey } = await open("ivan@example.org");
    const { policy, version, as_of: asOf } = await trellis.client.guardianPolicy.get(wallet);
    const put = orders({ ...wallet, asOf }, passkey);
    const [stricter, looser] = [
      { ...policy, transfers: atMost("1") },
      { ...policy, opaque: "allow" },
    ];
    expect(await put(stricter, version, { sent: looser })).toMatchObject({ code: "invalid_signature" });
    expect(await put(stricter, 7)).toMatchObject({ status: 409, code: "guardian_policy_changed" });
    expect(await put({ ...stricter, opaque: "perhaps" }, version)).toMatchObject({
      status: 400,
      code: "invalid_guardian_policy",
    });
    expect(await put(stricter, version, { expires_at: "2020-01-01T00:00:00.000Z" })).toMatchObject({
      status: 400,
      code: "payload_expired",
    });
    const stranger = orders({ ...wallet, asOf }, createSoftPasskey());
    expect(await stranger(stricter, version)).toMatchObject({ code: "invalid_signature" });
    expect(await trellis.client.guardianPolicy.get(wallet)).toMatchObject({ policy, version: 0, next: null });
    expect(await put(stricter, version)).toMatchObject({ status: 200 });
  });

  it("is nothing where there is no guardian, and waits while the guardian is down", async () => {
    const { address } = await trellis.openHolder();
    const { status, body } = await trellis.request("GET", pathOf(address));
    expect([status, body]).toMatchObject([
      200,
      { data: { signer: null, policy: null, version: 0, certificate: null } },
    ]);
    const { wallet, passkey } = await open("judy@example.org");
    const put = orders({ ...wallet, account: address, asOf: "2027-01-01T00:00:00.000Z" }, passkey);
    expect(await put({}, 0)).toMatchObject({ status: 403, code: "insufficient_permissions" });
    const { port } = new URL(guardian.url);
    await guardian.stop();
    expect(await trellis.request("GET", pathOf(wallet.account))).toMatchObject({
      status: 502,
      body: { code: "provider_unavailable" },
    });
    await guardian.start(Number(port));
    expect(await trellis.client.guardianPolicy.get(wallet)).toMatchObject({ version: 0 });
  });
});

interface Answer {
  readonly certificate: { readonly document: string; readonly signature: string } | null;
}

const pathOf = (account: string) => `/api/service/v1/accounts/${account}/guardian-policy`;

async function answerOf(account: string): Promise<Answer> {
  const { body } = await trellis.request("GET", `${pathOf(account)}?nonce=${"ab".repeat(32)}`);
  return (body as { data: Answer }).data;
}

/** Sends documents that a passkey has signed, or what `sent` names in place of the policy that it signed. */
function orders(
  wallet: { readonly account: string; readonly signer: string; readonly asOf: string },
  passkey: ReturnType<typeof createSoftPasskey>,
) {
  return async (policy: object, replaces: number, more: { sent?: object; expires_at?: string } = {}) => {
    const { sent = policy, expires_at = new Date(Date.parse(wallet.asOf) + 600_000).toISOString() } = more;
    const signed = {
      version: 1,
      method: "setWalletPolicy",
      environment: "sandbox",
      wallet: wallet.signer,
      params: { policy, replaces },
      nonce: "n",
      expires_at,
    };
    const authorization = byPasskey(passkey, toPayload(signed), {}, "kms_c");
    const body = { policy: sent, replaces, nonce: "n", expires_at, authorization };
    const { status, body: answered } = await trellis.request("PUT", pathOf(wallet.account), body);
    return { status, code: (answered as { code?: string }).code };
  };
}

/** A client whose service answers something else about the policy. */
function clientThat(change: (data: Answer) => Answer) {
  return createTrellisClient({
    baseUrl: trellis.url,
    apiKey: trellis.apiKey,
    environment: "sandbox",
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (!String(url).includes("/guardian-policy") || !answer.ok) return answer;
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
  const pay = (amount: bigint) =>
    client.transfers.send({ account, currency: "sol", destination: payee, amount, session, ...by });
  return { wallet, passkey, by, pay };
}
