import type { AddressInfo } from "node:net";
import { MailRefused } from "@trellis/kernel/ports/mail.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  createClientKey,
  errorOf,
  openTestNetwork,
  type TestNetwork,
  type Verified,
} from "../../../test/support/test-network.js";
import { createAccount } from "../../accounts/create-account.js";
import { getAccount } from "../../accounts/get-account.js";
import { verifyAccount } from "../../accounts/verify-account.js";
import { renderCodeMail } from "../../people/templates.js";
import { removeOutdated } from "../../scheduler/retention.js";
import { createSmtpMailer, createUnconfiguredMailer } from "./smtp-mail.js";

let received: Received[] = [];
/** What the server says to the next message: undefined takes it. */
let refusal: (Error & { responseCode?: number }) | undefined;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      if (refusal) return done(refusal);
      const { mailFrom, rcptTo } = session.envelope;
      received.push({
        from: mailFrom ? mailFrom.address : "",
        to: rcptTo.map(({ address }) => address),
        raw: Buffer.concat(chunks),
      });
      done();
    });
  },
});
let url = "";
let test: TestNetwork;
let devnet: Network;
let mailer: ReturnType<typeof createSmtpMailer>;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  mailer = createSmtpMailer({ url, from: "Trellis <no-reply@trellis.example>", senderName: "Trellis" });
  test = await openTestNetwork();
  devnet = { ...test.network, name: "devnet" };
});
afterAll(async () => {
  mailer.close();
  await new Promise<void>((resolve) => server.close(resolve));
  await test.close();
});
beforeEach(() => {
  received = [];
  refusal = undefined;
});

describe("a message", () => {
  it("arrives with the text and the HTML of its template", async () => {
    const content = renderCodeMail("create", { code: "004217", senderName: "Trellis", lifetimeMs: 900_000 });
    await mailer.send({ to: "ada@example.org", ...content });
    const [mail] = received;
    expect(mail).toMatchObject({ from: "no-reply@trellis.example", to: ["ada@example.org"] });
    const parsed = await PostalMime.parse(mail?.raw ?? "");
    expect(parsed.subject).toBe(content.subject);
    expect(parsed.text?.trim()).toBe(content.text.trim());
    expect(parsed.html?.trim()).toBe(content.html.trim());
    expect(parsed.from).toEqual({ address: "no-reply@trellis.example", name: "Trellis" });
    expect(parsed.to?.map(({ address }) => address)).toEqual(["ada@example.org"]);
    expect(parsed.attachments).toEqual([]);
  });

  it("is refused without a word of what the server said", async () => {
    refuseWith(550);
    const content = renderCodeMail("create", { code: "004217", senderName: "Trellis", lifetimeMs: 900_000 });
    const error = await mailer.send({ to: "ada@example.org", ...content }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MailRefused);
    expect(error).toMatchObject({ reason: "rejected", message: "The mail server refused the message with code 550." });
    expect((error as Error).cause).toBeUndefined();
  });

  it("is refused when no server listens, and when none is configured", async () => {
    const nowhere = createSmtpMailer({ url: "smtp://127.0.0.1:1", from: "a@example.org", senderName: "Trellis" });
    const message = { to: "ada@example.org", subject: "s", text: "t", html: "h" };
    await expect(nowhere.send(message)).rejects.toMatchObject({ name: "MailRefused", reason: "unreachable" });
    nowhere.close();
    await expect(createUnconfiguredMailer("Trellis").send(message)).rejects.toMatchObject({ reason: "not_configured" });
  });
});

describe("an account outside the sandbox", () => {
  it("is created with the code from the mail, once its creation is final", async () => {
    const email = "ada@example.org";
    await test.call(createAccount, { body: { type: "email", email }, network: devnet, needs: { mailer } });
    const parsed = await PostalMime.parse(received[0]?.raw ?? "");
    const code = /\d{6}/.exec(parsed.text ?? "")?.[0] ?? "";
    const key = await createClientKey();
    const verified = await test.call<Verified>(verifyAccount, {
      body: { email, otp_code: code, kms_provider_config: { encryption_public_key: key.spki } },
      network: devnet,
    });
    const account = { params: { address: verified.address } };
    expect(await test.call(getAccount, { ...account, network: devnet })).toMatchObject({ email });
    expect((await errorOf(test.call(getAccount, account))).code).toBe("account_not_found");
  });

  it("leaves no mail behind after sending it", async () => {
    await test.call(createAccount, {
      body: { type: "email", email: "wiped@example.org" },
      network: devnet,
      needs: { mailer },
    });
    for (const row of await rowsOf()) expect(row).toEqual({ state: "sent", message: null });
  });

  it("answers mail_unavailable when the mail is refused; the code is void and the address not used up", async () => {
    refuseWith(550);
    const parts = { body: { type: "email", email: "refused@example.org" }, network: devnet, needs: { mailer } };
    for (let i = 0; i < 6; i += 1) {
      expect(await errorOf(test.call(createAccount, parts))).toMatchObject({ code: "mail_unavailable", status: 502 });
    }
    const codes = await test.needs.db
      .selectFrom("one_time_code")
      .select("state")
      .where("email", "=", "refused@example.org")
      .execute();
    expect(new Set(codes.map(({ state }) => state))).toEqual(new Set(["void"]));
    expect((await rowsOf()).filter(({ message }) => message !== null)).toEqual([]);
    refusal = undefined;
    await test.call(createAccount, parts);
    expect(received).toHaveLength(1);
  });

  it("keeps codes out of the log", async () => {
    refuseWith(451);
    const before = test.logLines.length;
    await errorOf(
      test.call(createAccount, {
        body: { type: "email", email: "log@example.org" },
        network: devnet,
        needs: { mailer },
      }),
    );
    expect(test.logLines.length).toBeGreaterThan(before);
    expect(JSON.stringify(test.logLines)).not.toMatch(/\b\d{6}\b/);
  });

  it("encrypts a mail while it is queued, and wipes it when a crash left it there", async () => {
    const email = "queued@example.org";
    let stored: Uint8Array | null = null;
    const watching = {
      senderName: "Trellis",
      send: async () => {
        const rows = await rowsOf();
        stored = rows.find(({ state }) => state === "queued")?.message ?? null;
        throw new Error("the process died here");
      },
    };
    const parts = { body: { type: "email", email }, network: devnet, needs: { mailer: watching } };
    await expect(test.call(createAccount, parts)).rejects.toThrow("the process died here");
    const bytes = Buffer.from(stored ?? []);
    expect(bytes.length).toBeGreaterThan(500);
    expect(bytes.includes(email)).toBe(false);
    expect(bytes.includes("Create your account")).toBe(false);
    expect(await removeOutdated(test.needs, [])).toMatchObject({ mail: 0 });
    test.needs.realClock.advance(900_001);
    expect(await removeOutdated(test.needs, [])).toMatchObject({ mail: 1 });
    expect((await rowsOf()).filter(({ message }) => message !== null)).toEqual([]);
  });
});

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: Buffer;
}

function refuseWith(responseCode: number): void {
  refusal = Object.assign(new Error("go away, 004217"), { responseCode });
}

async function rowsOf() {
  return test.needs.db.selectFrom("mail").select(["state", "message"]).where("environment", "=", "devnet").execute();
}
