import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createSoftPasskey } from "../../test/support/authenticator.js";
import {
  answerOf,
  beginCeremony,
  createPasskeySigner,
  createSessionKey,
  openSession,
  submission,
} from "../../test/support/passkey-signers.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { breakConnection, errorOf } from "../../test/support/test-network.js";
import { createAccount } from "../accounts/create-account.js";
import { recoverSubmissions } from "../submissions/recover-submissions.js";
import { getPasskeyCeremonyOutcome } from "./get-passkey-ceremony-outcome.js";
import { submitPasskeyCeremony } from "./submit-passkey-ceremony.js";

const test = useTestNetwork();

describe("a session of a passkey signer", () => {
  it("is reported and logged when it was opened and when it was ended, each as a call answers it", async () => {
    const { passkey, address } = await createPasskeySigner(test);
    const body = { type: "signers", signers: [address], threshold: 1 };
    const accounts = [];
    for (let i = 0; i < 2; i++) {
      accounts.unshift((await test.call<{ address: string }>(createAccount, { body })).address);
      test.needs.realClock.advance(1_000);
    }
    for (const [seconds, type] of [
      [900, "passkey_session.opened"],
      [0, "passkey_session.ended"],
    ] as const) {
      const { address: sessionKey } = createSessionKey();
      const begun = await beginCeremony(test, "auth", sessionKey, { seconds });
      await test.call(submitPasskeyCeremony, { body: submission(begun, answerOf(passkey, begun)) });
      const challenge = begun.challenge.toString("base64url");
      const outcome = await test.call<Record<string, unknown>>(getPasskeyCeremonyOutcome, { params: { challenge } });
      expect(outcome).toMatchObject({ status: "completed", accounts });
      expect(await eventsOf(challenge)).toEqual([{ type, tenant_id: "tenant-1", data: outcome }]);
      const { session_expires_at, signature } = outcome;
      expect(await entriesOf(address, type)).toMatchObject([
        {
          environment: "sandbox",
          details: { accounts, session_key: sessionKey, session_expires_at, ceremony_type: "auth", signature },
        },
      ]);
    }
  });

  it("is reported once, also by the process that finds out what became of another one's transaction", async () => {
    const passkey = createSoftPasskey();
    const begun = await beginCeremony(test, "create", createSessionKey().address);
    const challenge = begun.challenge.toString("base64url");
    const body = submission(begun, answerOf(passkey, begun));
    // Sent, and the process died before it knew.
    const deaf = breakConnection(test.network, (method) => method === "getSignatureStatuses");
    await errorOf(test.call(submitPasskeyCeremony, { body, network: deaf }));
    expect(await eventsOf(challenge)).toEqual([]);
    test.needs.realClock.advance(60_000);
    await Promise.all([1, 2].map(() => recoverSubmissions(test.needs, test.network, 0)));
    expect((await eventsOf(challenge)).map(({ type }) => type)).toEqual(["passkey_session.opened"]);
    await test.call(submitPasskeyCeremony, { body });
    expect(await eventsOf(challenge)).toHaveLength(1);
  });

  it("is reported to the tenant that has begun it, with its own accounts alone", async () => {
    const [mine, other] = [await test.addTenant("that-begins"), await test.addTenant("that-uses-it-too")];
    const passkey = createSoftPasskey();
    const { passkey_account: signer } = await openSession(test, "create", passkey, createSessionKey().address, {
      caller: mine,
    });
    const body = { type: "signers", signers: [signer], threshold: 1 };
    await test.call(createAccount, { body: { ...body, confirm_foreign_passkeys: true }, caller: other });
    const { address } = await test.call<{ address: string }>(createAccount, { body, caller: mine });
    const begun = await beginCeremony(test, "auth", createSessionKey().address, { caller: mine });
    await test.call(submitPasskeyCeremony, { body: submission(begun, answerOf(passkey, begun)), caller: mine });
    expect(await eventsOf(begun.challenge.toString("base64url"))).toMatchObject([
      { tenant_id: "that-begins", data: { accounts: [address] } },
    ]);
  });
});

async function eventsOf(challenge: string) {
  const events = await test.needs.db
    .selectFrom("event")
    .select(["type", "tenant_id", "data"])
    .where("object_id", "=", challenge)
    .execute();
  return events.map(({ data, ...rest }) => ({ ...rest, data: JSON.parse(data) as Record<string, unknown> }));
}

async function entriesOf(signer: string, kind: string) {
  const { rows } = await sql<{ environment: string; body: string }>`select environment, body from audit_entry
    where subject = ${`passkey_signer/${signer}`} and kind = ${kind} order by sequence desc limit 1`.execute(
    test.needs.db,
  );
  return rows.map(({ environment, body }) => ({
    environment,
    details: (JSON.parse(body) as { details: Record<string, unknown> }).details,
  }));
}
