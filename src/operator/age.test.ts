import { randomBytes } from "node:crypto";
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { describe, expect, it } from "vitest";
import { AgeError, decryptWithIdentity, encryptToRecipients, generateIdentity, recipientOfIdentity } from "./age.js";

const own = generateIdentity();
/** Around every edge of a chunk. */
const sizes = [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000];

describe("Against another implementation", () => {
  it.each(sizes)("its decrypter opens what is encrypted here, %i bytes", async (size) => {
    const text = randomBytes(size);
    const decrypter = new Decrypter();
    decrypter.addIdentity(own.identity);
    const opened = await decrypter.decrypt(await encrypt([own.recipient], text));
    expect(Buffer.from(opened).equals(text)).toBe(true);
  });

  it.each(sizes)("what it encrypted opens here, %i bytes", async (size) => {
    const text = randomBytes(size);
    const encrypter = new Encrypter();
    encrypter.addRecipient(own.recipient);
    expect((await decrypt(own.identity, await encrypter.encrypt(text))).equals(text)).toBe(true);
  });

  it("identities are its identities, and recipients its recipients", async () => {
    expect(await identityToRecipient(own.identity)).toBe(own.recipient);
    const theirs = await generateX25519Identity();
    expect(recipientOfIdentity(theirs)).toBe(await identityToRecipient(theirs));
    const text = await decrypt(theirs, await encrypt([own.recipient, await identityToRecipient(theirs)], "for two"));
    expect(text.toString()).toBe("for two");
  });
});

describe("A file", () => {
  it("opens for each recipient, whatever pieces it is read in", async () => {
    const other = generateIdentity();
    const text = randomBytes(150_000);
    const file = await encrypt([own.recipient, other.recipient], text);
    for (const size of [1_000, 65_536, 150_001]) {
      const pieces = Array.from({ length: Math.ceil(file.length / size) }, (_, i) =>
        file.subarray(i * size, (i + 1) * size),
      );
      for (const { identity } of [own, other]) expect((await decrypt(identity, ...pieces)).equals(text)).toBe(true);
    }
    expect(
      (
        await decrypt(own.identity, ...[...file.subarray(0, 300)].map((byte) => Buffer.of(byte)), file.subarray(300))
      ).equals(text),
    ).toBe(true);
  });

  it("is read and written a piece at a time", async () => {
    let asked = 0;
    const endless = (function* () {
      for (;;) {
        asked += 1;
        yield Buffer.alloc(65_536, asked);
      }
    })();
    const opened = decryptWithIdentity(own.identity, encryptToRecipients([own.recipient], endless));
    for (let i = 1; i <= 5; i += 1) expect((await opened.next()).value?.[0]).toBe(i);
    expect(asked).toBeLessThan(12);
    await opened.return(undefined);
  });

  it("does not open for others, and says so", async () => {
    const file = await encrypt([own.recipient], "mine");
    await expect(decrypt(generateIdentity().identity, file)).rejects.toThrow("other recipients");
  });

  it("does not open where any byte was changed", async () => {
    const file = await encrypt([own.recipient], "a text");
    for (let i = 0; i < file.length; i += 1) {
      const altered = Buffer.from(file);
      altered[i] = (altered[i] ?? 0) ^ 1;
      await expect(decrypt(own.identity, altered), `byte ${i}`).rejects.toThrow(AgeError);
    }
  });

  it("does not open where it was cut anywhere, continued, or its chunks were exchanged", async () => {
    const file = await encrypt([own.recipient], randomBytes(3 * 65_536 + 10));
    const start = file.indexOf("\n--- ");
    const payload = file.indexOf("\n", start + 1) + 1 + 16;
    const chunk = (i: number) => file.subarray(payload + i * 65_552, payload + (i + 1) * 65_552);
    const head = file.subarray(0, payload);
    const wrong = [
      ...[0, 10, start, start + 20, payload - 3, payload, payload + 7].map((end) => file.subarray(0, end)),
      ...[1, 2, 3].map((count) => file.subarray(0, payload + count * 65_552)),
      file.subarray(0, file.length - 1),
      Buffer.concat([file, Buffer.of(0)]),
      Buffer.concat([head, chunk(1), chunk(0), chunk(2), chunk(3)]),
      Buffer.concat([head, chunk(1), chunk(2), chunk(3)]),
    ];
    for (const [i, one] of wrong.entries())
      await expect(decrypt(own.identity, one), `case ${i}`).rejects.toThrow(AgeError);
  });

  it("is none where its header has no end", async () => {
    const endless = Array.from({ length: 3 }, () => Buffer.alloc(40_000, "a"));
    await expect(decrypt(own.identity, ...endless)).rejects.toThrow("no file of age");
  });
});

describe("A key", () => {
  it("is refused where it is none, and no message repeats a secret", async () => {
    const wrong = [own.recipient, own.identity.toLowerCase(), own.identity.slice(0, -1), `${own.identity}Q`, ""];
    for (const identity of wrong) {
      const refused = await decrypt(identity, Buffer.from("anything")).then(String, (error: Error) => error);
      expect(refused).toBeInstanceOf(AgeError);
      expect(String(refused)).not.toMatch(/age-secret-key-1[a-z0-9]{8}/i);
    }
    for (const recipients of [[], [own.identity], ["age1"], [own.recipient, "age1qqqq"]]) {
      await expect(encrypt(recipients, "a text")).rejects.toThrow(AgeError);
    }
  });

  it("that gives everybody the same secret is no recipient", async () => {
    const { bech32 } = await import("@scure/base");
    const zero = bech32.encode("age", bech32.toWords(new Uint8Array(32)));
    await expect(encrypt([zero], "a text")).rejects.toThrow(AgeError);
  });
});

async function all(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
}
const encrypt = (recipients: readonly string[], text: string | Buffer) =>
  all(encryptToRecipients(recipients, [Buffer.from(text)]));
const decrypt = (identity: string, ...file: readonly Uint8Array[]) => all(decryptWithIdentity(identity, file));
