import { createTrellisClient, generateEncryptionKeyPair, openSession, TransactionMismatchError } from "@trellis/sdk";
import { expect, it } from "vitest";
import { playGuardedDemo } from "../../src/cli/demo-guarded.js";
import { browserWith, createSoftPasskey } from "../support/authenticator.js";
import { startTestCustodian } from "../support/custodian.js";
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

it("the client library pays from a guarded account by a session and a passkey in one call, and by neither alone", async () => {
  const { account, session, signer } = await open("ada@example.org");
  const credentials = browserWith(createSoftPasskey());
  const named = { account, session, signer, name: "Phone", credentials };
  await expect(trellis.client.passkeys.add(named)).rejects.toBeInstanceOf(TypeError);
  const passkey = await trellis.client.passkeys.add({ ...named, guardian: { identity: guardian.identity } });
  expect(passkey).toMatchObject({ provider: "kms_c", signer });
  const passkeys = { passkeys: [passkey], credentials };
  const order = { account, currency: "sol", destination: payee, amount: 5_000_000n } as const;
  await expect(trellis.client.transfers.send({ ...order, session })).rejects.toMatchObject({
    code: "proposal_required",
  });
  await expect(trellis.client.transfers.send({ ...order, passkeys })).rejects.toMatchObject({
    code: "proposal_required",
  });
  await trellis.client.transfers.send({ ...order, session, passkeys });
  expect(await trellis.lamportsOf(payee)).toBe(5_000_000n);
});

it("the client library removes a passkey by another one, and again", async () => {
  const { client } = trellis;
  const opened = await open("lost@example.org");
  const { account } = opened;
  const one = first(opened);
  const passkeys = { passkeys: [await client.passkeys.add(one)], credentials: one.credentials };
  const lost = await client.passkeys.add({ account, passkeys, name: "Lost", credentials: first(opened).credentials });
  const remove = () => client.passkeys.remove({ account, passkey: lost, passkeys });
  expect([await remove(), await remove()]).toMatchObject([{ status: "removed" }, { status: "removed" }]);
  expect((await client.passkeys.list(account)).map(({ id }) => id)).toEqual(passkeys.passkeys.map(({ id }) => id));
});

it("the client library refuses a first passkey that the guardian has not certified, and shows no address for it", async () => {
  const { account, session, signer } = await open("grace@example.org");
  const { receipt: stranger } = await answered(await open("stranger@example.org"));
  const lies: ((receipt: Receipt) => Receipt | undefined)[] = [
    () => undefined,
    () => stranger,
    (receipt) => ({ ...receipt, document: receipt.document.replace("guarded", "session") }),
    (receipt) => ({ ...receipt, signature: stranger.signature }),
    () => ({ document: "", signature: "=" }),
  ];
  for (const [index, lie] of lies.entries()) {
    // An account of its own each time, as the first passkey is taken once.
    const opened = await open(`lied-to-${index}@example.org`);
    const liar = clientThat((data) => ({ ...data, receipt: data.receipt && lie(data.receipt) }));
    await expect(liar.passkeys.add(first(opened))).rejects.toBeInstanceOf(TransactionMismatchError);
  }
  const pinned = { ...first({ account, session, signer }), guardian: { identity: "A".repeat(43) } };
  await expect(trellis.client.passkeys.add(pinned)).rejects.toBeInstanceOf(TransactionMismatchError);
});

it("a service that has enrolled a passkey of its own before is found out: the guardian takes no second first one", async () => {
  const opened = await open("late@example.org");
  await trellis.client.passkeys.add(first(opened));
  await expect(trellis.client.passkeys.add(first(opened))).rejects.toMatchObject({ code: "insufficient_permissions" });
});

it("the guarded story plays from a recovery key on paper to a payment, and names the argument that it needs", async () => {
  const reported: string[] = [];
  const options = { baseUrl: trellis.url, apiKey: trellis.apiKey, say: (line: string) => void reported.push(line) };
  await expect(playGuardedDemo(options)).rejects.toThrow("npm run demo -- guarded <identity>");
  await playGuardedDemo({ ...options, identity: guardian.identity });
  expect(reported.filter((line) => line.includes("refused: "))).toHaveLength(2);
  expect(reported.join("\n")).toMatch(/signature +\w{64,}/);
  const pinned = playGuardedDemo({ ...options, identity: "A".repeat(43) });
  await expect(pinned).rejects.toBeInstanceOf(TransactionMismatchError);
});

interface Receipt {
  readonly document: string;
  readonly signature: string;
}

type Opened = Awaited<ReturnType<typeof open>>;

const first = (opened: Opened) => ({
  ...opened,
  name: "Phone",
  credentials: browserWith(createSoftPasskey()),
  guardian: { identity: guardian.identity },
});

/** What the service answers where a passkey is added. */
async function answered(opened: Opened): Promise<{ readonly receipt: Receipt }> {
  let seen: Receipt | undefined;
  await clientThat((data) => {
    seen = data.receipt;
    return data;
  }).passkeys.add(first(opened));
  if (seen === undefined) throw new Error("there is no receipt");
  return { receipt: seen };
}

/** A client whose service answers something else where a passkey was added. */
function clientThat(change: (data: { receipt?: Receipt }) => object) {
  return createTrellisClient({
    baseUrl: trellis.url,
    apiKey: trellis.apiKey,
    environment: "sandbox",
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (!String(url).endsWith("/wallet-passkeys") || init?.method !== "POST" || !answer.ok) return answer;
      const body = (await answer.json()) as { data: { receipt?: Receipt } };
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
  const {
    address: account,
    authentication,
    policies,
  } = await client.accounts.verify({
    email,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  const session = await openSession(authentication[0], keyPair);
  return { account, session, signer: policies.signers[1]?.address ?? "" };
}
