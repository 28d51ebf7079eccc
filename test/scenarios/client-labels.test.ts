import { randomUUID } from "node:crypto";
import { createTrellisClient, sessionTokenOf } from "@trellis/sdk";
import { beforeAll, expect, it } from "vitest";
import { makeKey } from "../adversarial/support.js";
import { useTestService } from "../support/scene.js";
import { refusalOf } from "../support/signed-in-people.js";

const trellis = useTestService({ TRELLIS_PUBLISHABLE_ADDRESS_RATE_LIMIT: "0" });
const origin = "https://app.example";
const keys = { reading: "", writing: "" };

beforeAll(async () => {
  for (const [name, scopes] of [
    ["reading", ["accounts:read", "payments:write"]],
    ["writing", ["accounts:read", "labels:write"]],
  ] as const) {
    const plan = { name, type: "publishable", scopes, environments: ["sandbox"], allowed_origins: [origin] } as const;
    keys[name] = (await trellis.client.apiKeys.create({ ...plan, scopes: [...scopes], environments: ["sandbox"] })).key;
  }
});

type Holder = Awaited<ReturnType<typeof trellis.openHolder>>;

const pageOf = ({ session }: Holder, apiKey: string) =>
  createTrellisClient({
    baseUrl: trellis.url,
    apiKey,
    environment: "sandbox",
    sessionToken: () => sessionTokenOf(session),
    fetch: (url, init) => fetch(url, { ...init, headers: { ...(init?.headers as object), origin } }),
  }).labels;

const nameOf = () => `Payee ${randomUUID().slice(0, 8)}`;

it("names addresses, lists them and says what is shown, for more of them than one question may have", async () => {
  const { labels } = trellis.client;
  const { address: account } = await trellis.openHolder({});
  const addresses = Array.from({ length: 120 }, () => makeKey().address);
  const named = [];
  for (const address of [addresses[0], addresses[119]])
    named.push(await labels.put({ address: address ?? "", name: nameOf() }));
  const shown = await labels.shown({ account, addresses });
  expect([...shown.values()]).toEqual(named);
  const own = await labels.put({ account, address: addresses[0] ?? "", name: nameOf(), note: "Rent" });
  expect((await labels.shown({ account, addresses })).get(own.address)).toEqual(own);
  expect((await labels.shown({ addresses })).get(own.address)).toEqual(named[0]);
  const listed = [];
  for await (const label of labels.list({ limit: 1 })) listed.push(label);
  expect(listed).toEqual(expect.arrayContaining(named));
  expect(await labels.page({ account })).toEqual({ labels: [own] });
  expect(await labels.remove({ account, address: own.address })).toEqual(own);
  expect(await refusalOf(labels.remove({ account, address: own.address }))).toBe("label_not_found");
});

it("lets a page name addresses for its own account alone, and with the scope alone", async () => {
  const [ada, eve] = [await trellis.openHolder({}), await trellis.openHolder({})];
  const [address, name] = [makeKey().address, nameOf()];
  const { address: account } = ada;
  const reading = pageOf(ada, keys.reading);
  expect(await refusalOf(reading.put({ account, address, name }))).toBe("insufficient_scope");
  const writing = pageOf(ada, keys.writing);
  const label = await writing.put({ account, address, name });
  expect(await reading.page({ account })).toEqual({ labels: [label] });
  expect((await reading.shown({ account, addresses: [address] })).get(address)).toEqual(label);
  for (const refused of [
    () => pageOf(eve, keys.writing).put({ account, address, name: nameOf() }),
    () => pageOf(eve, keys.writing).remove({ account, address }),
    () => pageOf(eve, keys.reading).page({ account }),
  ])
    expect(await refusalOf(refused())).toBe("account_not_found");
  for (const refused of [
    () => writing.put({ address, name: nameOf() }),
    () => writing.page(),
    () => writing.remove({ address }),
  ])
    expect(await refusalOf(refused())).toBe("secret_key_required");
  const entries = (await trellis.client.auditEvents.page({ type: "label.created" })).auditEvents;
  const [signedIn] = (await trellis.client.sessions.page(account)).sessions;
  expect(entries.find(({ subject }) => subject === `label/${address}`)).toMatchObject({
    actor: `session/${signedIn?.id}`,
    details: { account, name },
  });
  await writing.remove({ account, address });
  expect(await reading.page({ account })).toEqual({ labels: [] });
});

it("takes names as they are sent, in bounds of characters, not of bytes", async () => {
  const { labels } = trellis.client;
  const put = (name: string) => labels.put({ address: makeKey().address, name });
  const name = `a${"🏠".repeat(59)}`;
  expect((await put(name)).name).toBe(name);
});
