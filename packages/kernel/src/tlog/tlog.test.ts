import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateEd25519KeyPair } from "../crypto/ed25519.js";
import { checkpointText, openCheckpoint, parseCheckpoint, signCheckpoint } from "./checkpoint.js";
import {
  consistencyRanges,
  createGrowingTree,
  emptyRoot,
  hashLeaf,
  hashNode,
  hashRanges,
  inclusionRanges,
  isConsistent,
  isIncluded,
  rootOf,
  type TreeHead,
} from "./merkle.js";
import { cosign, findSignature, formatVkey, joinNote, parseNote, parseVkey, signNote, verifierOf } from "./note.js";
import { appendLeaves, openTiles, parseTilePath, readNodes, type Tile, tilePath } from "./tile.js";
import { addCheckpoint, formatAddCheckpoint, parseAddCheckpoint, type Witness } from "./witness.js";

const leaves = Array.from({ length: 70_000 }, (_, i) => hashLeaf(Buffer.from(`entry ${i}`)));

/** RFC 6962, 2.1, word for word. */
function plainRoot(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 0) return createHash("sha256").digest();
  if (hashes.length === 1) return hashes[0] as Uint8Array;
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  return hashNode(plainRoot(hashes.slice(0, split)), plainRoot(hashes.slice(split)));
}

/** A tree that grew by these numbers of leaves. */
function grow(steps: readonly number[]) {
  const tiles = new Map<string, Tile>();
  let size = 0;
  const key = ({ level, index }: { level: number; index: number }) => `${level}/${index}`;
  for (const step of steps) {
    const open = openTiles(size).map((name) => tiles.get(key(name)) as Tile);
    for (const tile of appendLeaves(size, open, leaves.slice(size, size + step))) tiles.set(key(tile), tile);
    size += step;
  }
  const read = readNodes(async (names) => names.flatMap((name) => tiles.get(key(name)) ?? []));
  return { size, read, tiles };
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe("a tree in tiles", () => {
  it("has the root of RFC 6962, however it grew", async () => {
    const steps = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(steps, async (parts) => {
        const { size, read } = grow(parts);
        expect(hex(await rootOf(size, read))).toBe(hex(plainRoot(leaves.slice(0, size))));
      }),
      { numRuns: 25 },
    );
  });

  it("reaches a third level of tiles", async () => {
    const { size, read, tiles } = grow([255, 1, 65_000, 279, 4_465]);
    expect(size).toBe(70_000);
    expect([...tiles.keys()].filter((name) => name.startsWith("2/"))).toEqual(["2/0"]);
    expect(hex(await rootOf(size, read))).toBe(hex(plainRoot(leaves)));
    expect(hex(await rootOf(65_536, read))).toBe(hex(plainRoot(leaves.slice(0, 65_536))));
  });

  it("has the same root where it grows leaf by leaf", () => {
    const tree = createGrowingTree();
    for (const [i, leaf] of leaves.slice(0, 300).entries()) {
      if (i % 7 === 0) expect(hex(tree.root())).toBe(hex(plainRoot(leaves.slice(0, i))));
      tree.add(leaf);
    }
  });

  it("has the root of nothing while nothing is in it", async () => {
    expect(hex(await rootOf(0, async () => []))).toBe(hex(emptyRoot()));
  });

  it("does not append to a tile that is shorter than its tree", () => {
    expect(() => appendLeaves(3, [{ level: 0, index: 0, hashes: new Uint8Array(64) }], leaves.slice(0, 1))).toThrow(
      "an open tile is as long as its tree says",
    );
  });
});

describe("proofs", () => {
  const places = fc
    .tuple(fc.integer({ min: 1, max: 700 }), fc.nat(), fc.nat(), fc.nat())
    .map(([size, a, b, c]) => ({ size, index: a % size, old: b % (size + 1), bit: c }));

  it("show that a leaf is in a tree, and nothing else is in its place", async () => {
    const { read } = grow([700]);
    await fc.assert(
      fc.asyncProperty(places, async ({ size, index, bit }) => {
        const root = plainRoot(leaves.slice(0, size));
        const proof = await hashRanges(inclusionRanges(index, size), read);
        const leaf = leaves[index] as Uint8Array;
        expect(isIncluded({ index, size, leaf, root }, proof)).toBe(true);
        expect(isIncluded({ index, size, leaf: hashLeaf(Buffer.from("other")), root }, proof)).toBe(false);
        expect(isIncluded({ index: (index + 1) % size, size, leaf, root }, proof)).toBe(size === 1);
        expect(isIncluded({ index, size, leaf, root }, [...proof, root])).toBe(false);
        if (proof.length === 0) return;
        expect(isIncluded({ index, size, leaf, root }, flip(proof, bit))).toBe(false);
        expect(isIncluded({ index, size, leaf, root }, proof.slice(1))).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it("show that a tree begins with an earlier one, and no other history passes", async () => {
    const { read } = grow([700]);
    await fc.assert(
      fc.asyncProperty(places, async ({ size, old, index, bit }) => {
        const head = (count: number, of = leaves): TreeHead => ({ size: count, root: plainRoot(of.slice(0, count)) });
        const proof = await hashRanges(consistencyRanges(old, size), read);
        expect(isConsistent(head(old), head(size), proof)).toBe(true);
        if (old === 0) return;
        const forged = leaves.with(index % old, hashLeaf(Buffer.from("forged")));
        const forgedProof = await hashRanges(consistencyRanges(old, size), (nodes) =>
          Promise.resolve(
            nodes.map(({ level, index: i }) => plainRoot(forged.slice(i * 2 ** level, (i + 1) * 2 ** level))),
          ),
        );
        expect(isConsistent(head(old), head(size, forged), forgedProof)).toBe(false);
        expect(isConsistent(head(old), head(size, forged), proof)).toBe(false);
        if (proof.length > 0) expect(isConsistent(head(old), head(size), flip(proof, bit))).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});

function flip(proof: readonly Uint8Array[], bit: number): Uint8Array[] {
  const flipped = proof.map((hash) => Uint8Array.from(hash));
  const hash = flipped[bit % flipped.length] as Uint8Array;
  hash[bit % 32] = (hash[bit % 32] as number) ^ (1 << (bit % 8));
  return flipped;
}

describe("paths of tiles", () => {
  it("are written as C2SP writes them, and in no other way", () => {
    expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe("0/x001/x234/067");
    expect(tilePath({ level: 1, index: 0, width: 7 })).toBe("1/000.p/7");
    for (const path of ["0/x001/x234/067", "1/000.p/7", "0/255.p/255"]) {
      expect(tilePath(parseTilePath(path) as never)).toBe(path);
    }
    for (const path of [
      "0/x000/001",
      "0/1",
      "64/000",
      "0/000.p/0",
      "0/000.p/256",
      "00/000",
      "0/000/",
      "-1/000",
      "0/x001",
    ]) {
      expect(parseTilePath(path)).toBeUndefined();
    }
  });
});

const signer = { name: "log.example/audit", seed: generateEd25519KeyPair().seed };
const cosigner = { name: "witness.example/w1", seed: generateEd25519KeyPair().seed };
const headOf = (size: number): TreeHead => ({ size, root: plainRoot(leaves.slice(0, size)) });

describe("signed notes", () => {
  it("open with the vkey of their signer and no other", () => {
    const signed = signCheckpoint(signer, headOf(5));
    const vkey = formatVkey(verifierOf(signer, "ed25519"));
    const verifier = parseVkey(vkey);
    expect(verifier).toMatchObject({ name: signer.name, kind: "ed25519" });
    expect(openCheckpoint(signed, verifier as never)).toMatchObject({ origin: signer.name, size: 5 });
    const stranger = { name: signer.name, seed: generateEd25519KeyPair().seed };
    expect(openCheckpoint(signed, verifierOf(stranger, "ed25519"))).toBeUndefined();
    expect(openCheckpoint(signed.replace("\n5\n", "\n6\n"), verifier as never)).toBeUndefined();
    expect(parseVkey(vkey.replace("log.", "lag."))).toBeUndefined();
  });

  it("carry cosignatures with their time", () => {
    const text = checkpointText(signer.name, headOf(5));
    const note = parseNote(joinNote(text, [signNote(text, signer), cosign(text, cosigner, 1_800_000_000)]));
    const verifier = parseVkey(formatVkey(verifierOf(cosigner, "cosignature/v1")));
    expect(findSignature(note as never, verifier as never)).toMatchObject({ time: 1_800_000_000 });
    expect(
      findSignature({ ...(note as never as { signatures: [] }), text: `${text}x\n` }, verifier as never),
    ).toBeUndefined();
  });

  it("are refused in any other form", () => {
    const signed = signCheckpoint(signer, headOf(5));
    for (const bad of [
      "",
      signed.slice(0, -1),
      signed.replace("\n\n", "\n"),
      signed.replace("— ", "- "),
      `${signed}x`,
      `\r${signed}`,
    ]) {
      expect(parseNote(bad)).toBeUndefined();
    }
    for (const [from, to] of [
      ["\n5\n", "\n05\n"],
      ["\n5\n", "\n-5\n"],
      ["\n5\n", "\n9007199254740993\n"],
      ["\n5\n", "\n5\nAA"],
    ] as const) {
      expect(parseCheckpoint(signed.replace(from, to))).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.string(), (text) => parseCheckpoint(text) === undefined && parseAddCheckpoint(text) === undefined),
    );
  });
});

/** A witness that keeps what it has seen in memory. */
function openWitness(): Witness & { readonly seen: Map<string, TreeHead> } {
  const seen = new Map<string, TreeHead>();
  return {
    seen,
    signer: cosigner,
    logs: [{ origin: signer.name, verifier: verifierOf(signer, "ed25519") }],
    now: () => 1_800_000_000_000,
    store: {
      find: async (origin) => seen.get(origin) ?? { size: 0, root: new Uint8Array() },
      advance: async (origin, from, to) => {
        if ((seen.get(origin)?.size ?? 0) !== from.size) return false;
        seen.set(origin, to);
        return true;
      },
    },
  };
}

describe("a witness", () => {
  const request = async (old: number, size: number, of = leaves) => {
    const read = async (nodes: readonly { level: number; index: number }[]) =>
      nodes.map(({ level, index }) => plainRoot(of.slice(index * 2 ** level, (index + 1) * 2 ** level)));
    const proof = await hashRanges(consistencyRanges(old, size), read);
    const checkpoint = signCheckpoint(signer, { size, root: plainRoot(of.slice(0, size)) });
    return formatAddCheckpoint({ old, proof, checkpoint });
  };

  it("cosigns a log that grows, and the same checkpoint again", async () => {
    const witness = openWitness();
    for (const [old, size] of [
      [0, 3],
      [3, 9],
      [9, 9],
    ] as const) {
      const answer = await addCheckpoint(witness, await request(old, size));
      expect(answer.status).toBe(200);
      const text = checkpointText(signer.name, headOf(size));
      const note = parseNote(joinNote(text, [answer.body.trimEnd()]));
      expect(findSignature(note as never, verifierOf(cosigner, "cosignature/v1"))?.time).toBe(1_800_000_000);
    }
  });

  it("answers 409 with the size that it has seen", async () => {
    const witness = openWitness();
    await addCheckpoint(witness, await request(0, 3));
    expect(await addCheckpoint(witness, await request(0, 9))).toEqual({
      status: 409,
      contentType: "text/x.tlog.size",
      body: "3\n",
    });
    const other = leaves.with(1, hashLeaf(Buffer.from("forged")));
    expect((await addCheckpoint(witness, await request(3, 3, other))).status).toBe(409);
  });

  it("answers 422 for a rewritten history, and keeps what it has seen", async () => {
    const witness = openWitness();
    await addCheckpoint(witness, await request(0, 3));
    const forged = leaves.with(1, hashLeaf(Buffer.from("forged")));
    expect((await addCheckpoint(witness, await request(3, 9, forged))).status).toBe(422);
    expect(witness.seen.get(signer.name)?.size).toBe(3);
  });

  it("answers 400, 403 and 404 for what is no checkpoint of a log that it knows", async () => {
    const witness = openWitness();
    const good = await request(0, 3);
    expect((await addCheckpoint(witness, "old x\n\n")).status).toBe(400);
    await addCheckpoint(witness, good);
    expect((await addCheckpoint(witness, good.replace("old 0", "old 4"))).status).toBe(400);
    expect((await addCheckpoint(witness, good.replace("\n3\n", "\n4\n"))).status).toBe(403);
    expect((await addCheckpoint(witness, good.replace(signer.name, "other.example"))).status).toBe(404);
  });

  it("cosigns one of two histories that are sent at once", async () => {
    const witness = openWitness();
    await addCheckpoint(witness, await request(0, 3));
    const forged = leaves.with(5, hashLeaf(Buffer.from("forged")));
    const answers = await Promise.all([
      addCheckpoint(witness, await request(3, 9)),
      addCheckpoint(witness, await request(3, 9, forged)),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("never throws for what is sent", async () => {
    const good = await request(0, 3);
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length), fc.string({ maxLength: 3 }), async (at, text) => {
        const { status } = await addCheckpoint(openWitness(), good.slice(0, at) + text + good.slice(at + 1));
        expect([200, 400, 403, 404, 422]).toContain(status);
      }),
    );
  });
});
