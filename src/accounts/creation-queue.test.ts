import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { addressOfBytes, candidateSettings } from "@trellis/program-client";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { openWorkPasses } from "../scheduler/passes.js";
import { createAccount } from "./create-account.js";
import { type CreationPlace, type CreationTerms, createCreationQueue } from "./creation-queue.js";

const test = useTestNetwork();

it("lets no creation be overtaken by more than its candidates allow, however long it takes", async () => {
  const { admitted, run, settle } = openQueue({ landsInOrder: false });
  const runs = upTo(24).map((name) => run(name));
  expect(await settle()).toEqual(upTo(8));
  for (const place of upTo(8).slice(1)) admitted[place]?.release();
  expect(await settle()).toEqual(upTo(8));
  admitted[0]?.release();
  expect(await settle()).toEqual(upTo(16));
  // Seven before it and seven after it: the first of the middle ones still finds its own among fifteen.
  for (const place of upTo(16)) expect(admitted[place]?.terms.candidates).toEqual(candidateSettings(0n, 15));
  for (const place of upTo(24).slice(8)) {
    await settle();
    admitted[place]?.release();
  }
  await Promise.all(runs);
});

it("offers the numbers around the expected one where transactions are confirmed in order", async () => {
  const { network, queue, admitted, run, settle } = openQueue({ landsInOrder: true });
  for (const seed of upTo(28)) queue.noteCreated(network, BigInt(seed + 1));
  const runs = upTo(40).map((name) => run(name));
  expect(await settle()).toEqual(upTo(23));
  for (const place of upTo(23)) {
    expect(admitted[place]?.terms.candidates, `place ${place}`).toEqual(
      candidateSettings(28n + BigInt(Math.max(0, place - 3)), 7),
    );
  }
  // The first has become the thirty-third account: somebody else made four.
  queue.noteCreated(network, 33n);
  admitted[0]?.release();
  expect(await settle()).toEqual(upTo(24));
  // Twenty-two are to come before it: it is expected to be the fifty-sixth.
  expect(admitted[23]?.terms.candidates).toEqual(candidateSettings(52n, 7));
  for (const place of upTo(40).slice(1)) {
    await settle();
    admitted[place]?.release();
  }
  await Promise.all(runs);
});

it("admits no more than the candidates cover until some are confirmed, and again after a failure", async () => {
  const { network, queue, admitted, run, settle } = openQueue({ landsInOrder: true });
  const runs = upTo(14).map((name) => run(name));
  expect(await settle()).toEqual(upTo(4));
  for (const place of upTo(4)) expect(admitted[place]?.terms.candidates).toEqual(candidateSettings(0n, 7));
  queue.noteCreated(network, 1n);
  admitted[0]?.release();
  expect(await settle()).toEqual(upTo(6));
  queue.noteCreated(network, 2n);
  admitted[1]?.release();
  expect(await settle()).toEqual(upTo(8));
  queue.forgetTerms(network);
  for (const place of [2, 3]) admitted[place]?.release();
  expect(await settle()).toEqual(upTo(8));
  for (const place of [4, 5, 6]) admitted[place]?.release();
  // The last one of those before the failure may still land: three more are covered.
  expect(await settle()).toEqual(upTo(11));
  for (const place of upTo(14).slice(7)) {
    await settle();
    admitted[place]?.release();
  }
  await Promise.all(runs);
});

it("gives tickets and turns in the same order while new callers ask and others are admitted", async () => {
  const { network, queue, admitted, run, settle } = openQueue({ landsInOrder: true });
  const runs = upTo(6).map((name) => run(name));
  await settle();
  admitted[0]?.release();
  // In the midst of letting the fifth one in.
  await Promise.resolve();
  runs.push(run(6));
  queue.noteCreated(network, 1n);
  await settle();
  const sent: (number | undefined)[] = [];
  const places = admitted.filter(({ name }) => name !== 0);
  for (const { name, place } of places.toReversed()) void place.inTurn().then(() => sent.push(name));
  await settle();
  expect(sent).toEqual(places.map(({ name }) => name));
  for (let i = 0; i < 7; i += 1) {
    for (const { release } of admitted) release();
    await settle();
  }
  await Promise.all(runs);
});

it("lets those that were admitted be sent in that order, past those that ended without", async () => {
  const { admitted, run, settle } = openQueue({ landsInOrder: true });
  const runs = upTo(4).map((name) => run(name));
  await settle();
  const sent: number[] = [];
  const send = (place: number) => admitted[place]?.place.inTurn().then(() => sent.push(place));
  void send(3);
  void send(1);
  await settle();
  expect(sent).toEqual([]);
  void send(0);
  await settle();
  expect(sent).toEqual([0, 1]);
  admitted[2]?.release();
  await settle();
  expect(sent).toEqual([0, 1, 3]);
  for (const { release } of admitted) release();
  await Promise.all(runs);
});

it("offers the accounts behind the highest reported number, until the terms are forgotten", async () => {
  const { network, queue, admitted, run, settle } = openQueue({ landsInOrder: false });
  const first = run(0);
  await settle();
  expect(admitted[0]?.terms.candidates).toEqual(candidateSettings(0n, 15));
  queue.noteCreated(network, 5n);
  queue.noteCreated(network, 3n);
  const second = run(1);
  await settle();
  expect(admitted[1]?.terms.candidates).toEqual(candidateSettings(5n, 15));
  queue.forgetTerms(network);
  const third = run(2);
  await settle();
  expect(admitted[2]?.terms.candidates).toEqual(candidateSettings(0n, 15));
  for (const { release } of admitted) release();
  await Promise.all([first, second, third]);
});

it("frees the place of work that fails", async () => {
  const { network, queue, run, settle, admitted } = openQueue({ landsInOrder: true });
  const failing = upTo(8).map(() =>
    queue.run(network, { tenantId: "tenant-1", assertWorthwhile: async () => undefined }, async () => {
      throw new Error("broken off");
    }),
  );
  for (const outcome of await Promise.allSettled(failing)) expect(outcome.status).toBe("rejected");
  const next = run(9);
  expect(await settle()).toEqual([9]);
  await admitted[0]?.place.inTurn();
  admitted[0]?.release();
  await next;
});

describe("the line", () => {
  const outcomeOf = (run: Promise<void>) =>
    run.then(
      () => "made",
      (error: unknown) => (error instanceof TrellisError ? error.code : String(error)),
    );

  it("lets tenants take turns: one creation does not wait behind eight hundred of another tenant", async () => {
    const { admitted, run, settle } = openQueue({ landsInOrder: false });
    const many = upTo(800).map((name) => outcomeOf(run(name, "many")));
    await settle();
    const one = outcomeOf(run(1_000, "one"));
    const few = upTo(3).map((name) => outcomeOf(run(2_000 + name, "few")));
    await settle();
    for (const { release } of [...admitted]) release();
    // The next eight: in turns, as long as there are several.
    expect((await settle()).slice(8)).toEqual([8, 1_000, 2_000, 9, 2_001, 10, 2_002, 11]);
    while (admitted.some(({ name }) => name < 1_000) && (await settle()).length < 8 + 200 + 4) {
      for (const { release } of [...admitted]) release();
    }
    for (const { release } of admitted) release();
    expect(await one).toBe("made");
    expect(await Promise.all(few)).toEqual(["made", "made", "made"]);
    const ends = await Promise.all(many);
    // Eight had a place, two hundred could wait; the others were told at once.
    expect(ends.filter((end) => end === "made")).toHaveLength(208);
    expect(ends.filter((end) => end === "creation_queue_full")).toHaveLength(592);
  });

  it("is bounded over all tenants, and says when to retry", async () => {
    const { admitted, run, settle } = openQueue({ landsInOrder: false });
    const runs = upTo(12 * 90).map((name) => outcomeOf(run(name, `tenant-${name % 12}`)));
    await settle();
    await expect(run(-1, "tenant-13")).rejects.toMatchObject({
      code: "creation_queue_full",
      status: 503,
      retryAfterSeconds: 5,
    });
    test.needs.realClock.advance(15_000);
    admitted[0]?.release();
    const places = upTo(8).length;
    await settle();
    for (const { release } of admitted) release();
    const ends = await Promise.all(runs);
    // Whoever waited for a quarter of a minute was told so; those with a place were not touched.
    expect(ends.filter((end) => end === "made")).toHaveLength(places);
    expect(ends.filter((end) => end === "creation_queue_full")).toHaveLength(12 * 90 - places);
  });

  it("refuses callers that have waited too long while the holders of places still wait for the chain", async () => {
    const { network, queue, admitted, run, settle } = openQueue({ landsInOrder: false });
    const holding = upTo(8).map((name) => run(name));
    const early = outcomeOf(run(8));
    await settle();
    test.needs.realClock.advance(10_000);
    const late = outcomeOf(run(9));
    await settle();
    test.needs.realClock.advance(5_000);
    queue.dismissOverdue(network);
    expect(await early).toBe("creation_queue_full");
    for (const { release } of admitted) release();
    await settle();
    for (const { release } of admitted) release();
    await Promise.all(holding);
    expect(await late).toBe("made");
  });

  it("refuses them also when only the holders of places call, each time one of those begins anew", async () => {
    const { admitted, run, settle } = openQueue({ landsInOrder: false });
    const holding = upTo(8).map((name) => run(name));
    const waiting = outcomeOf(run(8));
    await settle();
    test.needs.realClock.advance(15_000);
    await admitted[3]?.place.getTerms();
    expect(await waiting).toBe("creation_queue_full");
    for (const { release } of admitted) release();
    await Promise.all(holding);
  });

  it("refuses them also when all who hold places are stuck in a call to the chain", async () => {
    const { network, queue, admitted, run, settle } = openQueue({ landsInOrder: false });
    const holding = upTo(8).map((name) => run(name));
    const waiting = outcomeOf(run(8));
    await settle();
    test.needs.realClock.advance(15_000);
    for (const pass of openWorkPasses({ ...test.needs, creationQueue: queue }, network)) await pass.run();
    expect(await waiting).toBe("creation_queue_full");
    for (const { release } of admitted) release();
    await Promise.all(holding);
  });

  it("is closed to those who cannot pay, and admits the next one when a caller can no longer pay", async () => {
    const { network, queue, admitted, run, settle } = openQueue({ landsInOrder: false });
    const holding = upTo(8).map((name) => run(name));
    await settle();
    const poor = (refreshes: number) => {
      let left = refreshes;
      const assertWorthwhile = async () => {
        if (left === 0) throw new TrellisError("sponsorship_limit_exceeded");
        left -= 1;
      };
      return outcomeOf(queue.run(network, { tenantId: "poor", assertWorthwhile }, async () => undefined));
    };
    expect(await poor(0)).toBe("sponsorship_limit_exceeded");
    const becomesPoor = poor(1);
    const behind = run(9);
    await settle();
    admitted[0]?.release();
    await settle();
    expect(await becomesPoor).toBe("sponsorship_limit_exceeded");
    expect(admitted.at(-1)?.name).toBe(9);
    for (const { release } of admitted) release();
    await Promise.all([...holding, behind]);
  });
});

describe("creations on the chain", () => {
  const newAddress = () => addressOfBytes(generateEd25519KeyPair().publicKey);
  const create = async (needs: object = {}) => {
    const body = { type: "signers", signers: [newAddress()], threshold: 1 };
    const { address } = await test.call<{ address: string }>(createAccount, { body, needs });
    return address;
  };
  const failures = async () => {
    const rows = await test.needs.db
      .selectFrom("submission")
      .select("state")
      .where("state", "in", ["failed", "expired"])
      .execute();
    return rows.length;
  };

  const countSubmissions = async () => (await test.needs.db.selectFrom("submission").select("id").execute()).length;

  it("are all confirmed at the first try when no other process makes accounts", async () => {
    const before = await failures();
    const addresses = await Promise.all(upTo(80).map(() => create()));
    expect(new Set(addresses).size).toBe(80);
    expect(await failures()).toBe(before);
  });

  it("are all confirmed while another process makes accounts, at the price of some tries", async () => {
    const before = await failures();
    const other = { creationQueue: createCreationQueue(test.needs.realClock) };
    const addresses = await Promise.all([...upTo(60).map(() => create()), ...upTo(20).map(() => create(other))]);
    expect(new Set(addresses).size).toBe(80);
    expect((await failures()) - before).toBeLessThan(160);
  });

  it("are all confirmed when what was under way has expired", async () => {
    const before = await failures();
    const recorded = await countSubmissions();
    const creating = upTo(80).map(() => create());
    await expect.poll(countSubmissions, { timeout: 30_000, interval: 5 }).toBeGreaterThan(recorded);
    await test.network.sandbox?.advanceClock(61);
    expect(new Set(await Promise.all(creating)).size).toBe(80);
    expect((await failures()) - before).toBeLessThan(80);
  });
});

/** A queue with work that waits to be released, in the order it was admitted. */
function openQueue({ landsInOrder }: { landsInOrder: boolean }) {
  const network = { ...test.network, landsInOrder };
  const queue = createCreationQueue(test.needs.realClock);
  const admitted: { name: number; place: CreationPlace; terms: CreationTerms; release(): void }[] = [];
  const run = (name: number, tenantId = "tenant-1") =>
    queue.run(network, { tenantId, assertWorthwhile: async () => undefined }, async (place) => {
      const terms = await place.getTerms();
      await new Promise<void>((resolve) => admitted.push({ name, place, terms, release: resolve }));
    });
  const settle = async () => {
    for (let i = 0; i < 50; i += 1) await new Promise((resolve) => setImmediate(resolve));
    return admitted.map(({ name }) => name);
  };
  return { network, queue, admitted, run, settle };
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);
