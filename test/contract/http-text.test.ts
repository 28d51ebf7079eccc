import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { endpoint } from "@trellis/kernel/endpoint.js";
import Type from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Floor, openFloor } from "./http-fixture.js";

let floor: Floor;
beforeAll(async () => {
  floor = await openFloor({ endpoints: [echo] as never });
});
afterAll(() => floor.close());

const path = "/api/service/v1/echo/word";

describe("a body", () => {
  it("is accepted where it is UTF-8", async () => {
    const answer = await post(Buffer.from('{"memo":"Grüße 💶 \ufffd"}', "utf8"), `${path}?q=%C3%BC`);
    expect(answer.json().data.said.trim()).toBe("word ü Grüße 💶 \ufffd");
  });

  it.each([
    ["Latin-1", Buffer.from('{"memo":"Gr\u00fc\u00dfe"}', "latin1")],
    ["UTF-16", Buffer.from('{"memo":"x"}', "utf16le")],
    ["a lone surrogate in three bytes", Buffer.from("7b226d656d6f223a22eda080227d", "hex")],
    ["an overlong form", Buffer.from("7b226d656d6f223a22c0af227d", "hex")],
    ["a character that is cut off", Buffer.from("7b226d656d6f223a22e282227d", "hex")],
    ["nothing but such bytes", Buffer.from([0xff, 0xfe])],
  ])("is refused in %s", async (_what, bytes) => {
    const answer = await post(bytes);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: "malformed_json" });
  });

  it("is refused with two members of one name, and the answer says where", async () => {
    const answer = await post('{"amount":"1",\n"amount":"2000000"}');
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: "malformed_json" });
    expect(answer.json().message).toContain("line 2, column 1");
    expect(answer.body).not.toContain("2000000");
  });
});

describe("a URL", () => {
  it.each([`${path}?q=%FF`, `${path}?q=%C3`, `${path}?q=100%`, `${path}?q=%ED%A0%80`, `${path}?%FF=1`])(
    "is refused with escapes that are not UTF-8: %s",
    async (url) => {
      const answer = await post("{}", url);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ code: "invalid_request" });
    },
  );

  it.each(["%FF", "%C3%28", "%"])("is refused with a path part that is not UTF-8: %s", async (part) => {
    const answer = await post("{}", `/api/service/v1/echo/${part}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toHaveProperty("code");
  });

  it("is refused with bytes that are not escaped", async () => {
    await floor.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = floor.app.server.address() as AddressInfo;
    const head = `POST ${path}?q=\u00fc HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${floor.key}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
    const answer = await new Promise<string>((resolve, reject) => {
      const parts: Buffer[] = [];
      const socket = connect(port, "127.0.0.1", () => socket.write(Buffer.from(head, "latin1")));
      socket.on("data", (part) => parts.push(part));
      socket.on("close", () => resolve(Buffer.concat(parts).toString("utf8")));
      socket.on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"invalid_request"');
  });
});

const echo = endpoint(
  {
    operation: "echo",
    summary: "Say it again",
    tag: "Test",
    method: "POST",
    path: "/api/service/v1/echo/{word}",
    scope: "accounts:read",
    environment: "optional",
    params: Type.Object({ word: Type.String() }),
    query: Type.Object({ q: Type.Optional(Type.String()) }),
    body: Type.Object({ memo: Type.Optional(Type.String()), amount: Type.Optional(Type.String()) }),
    response: { status: 200, envelope: true, schema: Type.Object({ said: Type.String() }) },
    errors: [],
  },
  async (_needs: unknown, { params, query, body }) => ({
    data: { said: `${params.word} ${query.q ?? ""} ${body.memo ?? ""} ${body.amount ?? ""}` },
  }),
);

const post = (payload: string | Buffer, url = path) =>
  floor.app.inject({
    method: "POST",
    url,
    payload,
    headers: { authorization: `Bearer ${floor.key}`, "content-type": "application/json" },
  });
