import { generateEncryptionKeyPair, openSession } from "@trellis/sdk";
import { expect, it } from "vitest";
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
  const passkey = await trellis.client.passkeys.add({ ...named, isFirstOfGuardian: true });
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
