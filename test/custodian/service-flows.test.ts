import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import type { CustodianName } from "@trellis/kernel/ports/custodian.js";
import { createTrellisClient, generateEncryptionKeyPair, OutcomeUnknownError, openSession } from "@trellis/sdk";
import { expect, it } from "vitest";
import { createLogger, createPinoLog } from "../../src/adapters/log/pino-log.js";
import { createRealClock, systemRandom } from "../../src/adapters/system.js";
import { openCustodians } from "../../src/composition/open-custodians.js";
import { browserWith, createSoftPasskey } from "../support/authenticator.js";
import { startTestCustodian } from "../support/custodian.js";
import { startTestService } from "../support/test-service.js";
import { use } from "../support/use.js";

/** The whole service, with two custodians that are processes of their own. */
const remotes = use(async () => {
  const [kmsA, kmsC] = [
    await startTestCustodian({ variables: named("kms_a") }),
    await startTestCustodian({ variables: named("kms_c") }),
  ];
  return {
    kmsA,
    kmsC,
    variables: {
      TRELLIS_CUSTODIAN_KMS_A_URL: kmsA.url,
      TRELLIS_CUSTODIAN_KMS_A_KEYS: kmsA.folders.service,
      TRELLIS_CUSTODIAN_KMS_C_URL: kmsC.url,
      TRELLIS_CUSTODIAN_KMS_C_KEYS: kmsC.folders.service,
    },
    close: async () => {
      await kmsA.close();
      await kmsC.close();
    },
  };
});
const trellis = use(() => startTestService(remotes.variables));
const payee = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";
const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;

it("an e-mail account pays by a session and by a passkey, over a key that only the other process has", async () => {
  const ada = await trellis.openHolder({ sol: "1000000000" });
  const { address: account, session } = ada;
  const order = { account, currency: "sol", destination: payee, amount: 5_000_000n } as const;
  await trellis.client.transfers.send({ ...order, session });
  const credentials = browserWith(createSoftPasskey());
  const passkey = await trellis.client.passkeys.add({ account, session, name: "Phone", credentials });
  await trellis.client.transfers.send({ ...order, passkeys: { passkeys: [passkey], credentials } });
  const signedIn = await trellis.client.auth.signInWithPasskey({ credentials });
  await trellis.client.transfers.send({ ...order, session: signedIn.session });
  expect(await trellis.lamportsOf(payee)).toBe(15_000_000n);
  const here = trellis.service.db.selectFrom("kms_wallet").select("id").where("provider", "=", "kms_a");
  expect(await here.execute()).toEqual([]);
});

it("a signer of kms_c signs where one is configured", async () => {
  const email = "grace@example.org";
  const signers = [{ type: "email", email, provider: "kms_c", permissions: everything }];
  const made = await trellis.post("/accounts:custom", { policies: { signers, threshold: 1 } });
  const { address: account } = (made.body as { data: { address: string } }).data;
  await trellis.client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  await trellis.client.auth.start({ email, provider: "kms_c" });
  const [mail] = await trellis.client.sandbox.outbox(email);
  const keyPair = generateEncryptionKeyPair();
  const { authentication } = await trellis.client.auth.verify({
    email,
    provider: "kms_c",
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  const session = await openSession(authentication[0], keyPair);
  expect(session.provider).toBe("kms_c");
  const before = await trellis.lamportsOf(payee);
  await trellis.client.transfers.send({ account, session, currency: "sol", destination: payee, amount: 5_000_000n });
  expect((await trellis.lamportsOf(payee)) - before).toBe(5_000_000n);
});

it("its keys are not exported through the service, which mails no code for one", async () => {
  const ada = await trellis.openHolder({});
  const { publicKeySpkiBase64: recipientPublicKey } = generateEncryptionKeyPair();
  const begin = trellis.client.walletExports.begin({ account: ada.address, recipientPublicKey });
  await expect(begin).rejects.toMatchObject({ code: "provider_not_available" });
  const codes = trellis.service.db.selectFrom("one_time_code").select("id").where("purpose", "=", "export");
  expect(await codes.execute()).toEqual([]);
});

it("a payment waits while the custodian is away, and is made when it is back", async () => {
  const ada = await trellis.openHolder({ sol: "1000000000" });
  const { address: account, session } = ada;
  // Patient for moments only: the custodian stays away until this test has it back.
  const { url: baseUrl, apiKey } = trellis;
  const { transfers } = createTrellisClient({ baseUrl, apiKey, environment: "sandbox", maxRetries: 1 });
  const send = () => transfers.send({ account, session, currency: "sol", destination: payee, amount: 1_000_000n });
  const [port, portOfC] = [remotes.kmsA, remotes.kmsC].map(({ url }) => Number(new URL(url).port));
  await remotes.kmsC.stop();
  await send();
  await remotes.kmsC.start(portOfC);
  await remotes.kmsA.stop();
  const unknown = await send().catch((error: unknown) => error);
  if (!(unknown instanceof OutcomeUnknownError)) throw unknown;
  expect(unknown.cause).toMatchObject({ code: "provider_unavailable" });
  await remotes.kmsA.start(port);
  const before = await trellis.lamportsOf(payee);
  await trellis.client.transactions.resume(unknown.signed);
  expect((await trellis.lamportsOf(payee)) - before).toBe(1_000_000n);
});

it("a name does not change the place of its wallets' keys", async () => {
  const { db } = trellis.service;
  const keyring = createKeyring({ masterKeys: [{ id: "m", key: new Uint8Array(32) }], activeId: "m" });
  const open = (names: readonly CustodianName[]) => {
    const remoteCustodians = names.map((name) => ({
      name,
      url: remotes.kmsA.url,
      keyFolder: remotes.kmsA.folders.service,
      isGuardian: false,
    }));
    const log = createPinoLog(createLogger("fatal"));
    const parts = { db, keyring, random: systemRandom, realClock: createRealClock(), log };
    const none = { localGuardian: false, dataDirectory: "", logLevel: "fatal" } as const;
    return openCustodians({ remoteCustodians, ...none }, parts, []);
  };
  await expect(open(["kms_a", "kms_c"])).resolves.toBeDefined();
  await expect(open(["kms_a", "kms_b", "kms_c"])).rejects.toThrow("TRELLIS_CUSTODIAN_KMS_B_URL cannot be set");
  await expect(open(["kms_c"])).rejects.toThrow("TRELLIS_CUSTODIAN_KMS_A_URL is missing");
});

function named(name: string): Readonly<Record<string, string>> {
  return { TRELLIS_CUSTODIAN_NAME: name };
}
