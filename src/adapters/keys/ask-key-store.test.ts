import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { localhostCertificate, testAuthority } from "../../../test/support/certificates.js";
import { useLyingStore } from "../../../test/support/key-stores/lying-store.js";
import { createKeyStoreDoor } from "./ask-key-store.js";

const store = useLyingStore();
const question = () => ({
  store: "The store",
  url: `${store.url()}/v1/transit/decrypt/trellis`,
  method: "POST" as const,
  headers: { "x-vault-token": "hvs.secret" },
  body: '{"a":1}',
});

describe("the door to a key store", () => {
  it("gives the status and the JSON of an answer, over a connection that is kept", async () => {
    store.answersJson({ errors: ["no"] }, 403);
    const ask = createKeyStoreDoor();
    for (let i = 0; i < 3; i += 1) expect(await ask(question())).toEqual({ status: 403, body: { errors: ["no"] } });
    expect(store.seen()[0]).toMatchObject({ body: '{"a":1}', headers: { "x-vault-token": "hvs.secret" } });
  });

  it("reads what is no JSON as nothing", async () => {
    store.answers((response) => response.end("<html>"));
    expect(await createKeyStoreDoor()(question())).toEqual({ status: 200, body: undefined });
  });

  it("follows no redirect", async () => {
    store.answers((response) => response.writeHead(307, { location: `${store.url()}/elsewhere` }).end());
    await expect(createKeyStoreDoor()(question())).rejects.toMatchObject({
      kind: "wrong",
      message: "The store answers with a redirect, which is not followed.",
    });
    expect(store.seen()).toHaveLength(1);
  });

  it("reads no more of an answer than is allowed", async () => {
    store.answers((response) => {
      const more = () => {
        while (response.write(Buffer.alloc(65_536, 32))) if (response.destroyed) return;
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    await expect(createKeyStoreDoor()(question())).rejects.toMatchObject({ kind: "wrong" });
  });

  it("waits no longer than is allowed, also for an answer that comes drop by drop", async () => {
    const ask = createKeyStoreDoor({ totalMs: 100 });
    const late = { kind: "unavailable", message: "The store does not answer within 0.1 seconds." };
    store.answers(() => {});
    await expect(ask(question())).rejects.toMatchObject(late);
    store.answers((response) => response.write("{"));
    await expect(ask(question())).rejects.toMatchObject(late);
  });

  it("has no more calls waiting than is allowed", async () => {
    store.answers(() => {});
    const ask = createKeyStoreDoor({ totalMs: 300 });
    const ended = await Promise.allSettled(Array.from({ length: 520 }, () => ask(question())));
    const messages = ended.map((one) => (one.status === "rejected" ? String(one.reason.message) : "answered"));
    expect(messages.filter((message) => message === "The store is asked too much at once.")).toHaveLength(8);
    // It does not stay so.
    store.answersJson({});
    expect(await createKeyStoreDoor()(question())).toEqual({ status: 200, body: {} });
  });

  it("asks once more over a new connection where a kept one was closed", async () => {
    const ask = createKeyStoreDoor();
    store.answersJson({ n: 1 });
    await ask(question());
    let times = 0;
    store.answers((response) => {
      times += 1;
      if (times === 1) response.socket?.resetAndDestroy();
      else response.end("{}");
    });
    expect(await ask(question())).toEqual({ status: 200, body: {} });
  });

  it("reports a store that is down by its code alone", async () => {
    const ask = createKeyStoreDoor();
    await expect(ask({ ...question(), url: "http://127.0.0.1:1/v1/x" })).rejects.toMatchObject({
      kind: "unavailable",
      message: "The store does not answer (ECONNREFUSED).",
    });
  });

  it("trusts the authorities that are named, and no other then", async () => {
    const server = createServer(localhostCertificate, (_request, response) => response.end("{}"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `https://localhost:${(server.address() as AddressInfo).port}/v1/x`;
    try {
      const named = createKeyStoreDoor({ authorities: testAuthority });
      expect(await named({ ...question(), url })).toEqual({ status: 200, body: {} });
      await expect(createKeyStoreDoor()({ ...question(), url })).rejects.toMatchObject({ kind: "unavailable" });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
