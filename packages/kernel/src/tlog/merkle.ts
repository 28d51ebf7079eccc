/** The Merkle tree of RFC 6962: hashes, what a proof consists of, and whether one holds. Sizes and places are whole numbers below 2^53. */
import { createHash } from "node:crypto";

/** The hash of a complete subtree: of 2^level leaves, the index-th of them. */
export interface TreeNode {
  readonly level: number;
  readonly index: number;
}

/** Leaves from `from` up to before `to`, where a tree is cut as RFC 6962 cuts it. */
export interface LeafRange {
  readonly from: number;
  readonly to: number;
}

/** Gives the hashes of complete subtrees, in the order asked for. */
export type NodeReader = (nodes: readonly TreeNode[]) => Promise<readonly Uint8Array[]>;

export const hashBytes = 32;

const leafPrefix = Uint8Array.of(0);
const nodePrefix = Uint8Array.of(1);

/** The hash of an entry's bytes. */
export function hashLeaf(entry: Uint8Array): Uint8Array {
  return createHash("sha256").update(leafPrefix).update(entry).digest();
}

/** The hash of two subtrees, side by side. */
export function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return createHash("sha256").update(nodePrefix).update(left).update(right).digest();
}

/** The root of a tree without leaves. */
export const emptyRoot = (): Uint8Array => createHash("sha256").digest();

/** The root over hashes that are all the leaves of a complete subtree, or the parts of a range from left to right. */
export function foldComplete(hashes: readonly Uint8Array[]): Uint8Array {
  let row = hashes;
  while (row.length > 1) {
    const above: Uint8Array[] = [];
    for (let i = 0; i < row.length; i += 2) above.push(hashNode(hashAt(row, i), hashAt(row, i + 1)));
    row = above;
  }
  return hashAt(row, 0);
}

/** What stands between the root and a leaf, from the leaf's sibling upwards. */
export function inclusionRanges(index: number, size: number): readonly LeafRange[] {
  if (!(index >= 0 && index < size)) throw new RangeError("a leaf stands inside its tree");
  const ranges: LeafRange[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    if (index < middle) {
      ranges.unshift({ from: middle, to });
      to = middle;
    } else {
      ranges.unshift({ from, to: middle });
      from = middle;
    }
  }
  return ranges;
}

/** What shows that a tree of `size` leaves begins with the tree of its first `old` leaves. */
export function consistencyRanges(old: number, size: number): readonly LeafRange[] {
  if (!(old >= 0 && old <= size)) throw new RangeError("an old tree is no larger than the new one");
  if (old === 0 || old === size) return [];
  const ranges: LeafRange[] = [];
  let [from, to] = [0, size];
  // The old tree is known to the verifier for as long as it is a whole left part.
  while (old !== to) {
    const middle = from + splitOf(to - from);
    if (old <= middle) {
      ranges.unshift({ from: middle, to });
      to = middle;
    } else {
      ranges.unshift({ from, to: middle });
      from = middle;
    }
  }
  return from === 0 ? ranges : [{ from, to }, ...ranges];
}

/** The hash of each range. */
export async function hashRanges(ranges: readonly LeafRange[], read: NodeReader): Promise<readonly Uint8Array[]> {
  const parts = ranges.map(nodesOf);
  const hashes = await read(parts.flat());
  let taken = 0;
  return parts.map((nodes) => {
    const own = hashes.slice(taken, taken + nodes.length);
    taken += nodes.length;
    return own.reduceRight((right, left) => hashNode(left, right));
  });
}

/** The root of the first `size` leaves. */
export async function rootOf(size: number, read: NodeReader): Promise<Uint8Array> {
  if (size === 0) return emptyRoot();
  return hashAt(await hashRanges([{ from: 0, to: size }], read), 0);
}

/** Whether a leaf stands at `index` in the tree of `size` leaves with this root (RFC 9162, 2.1.3.2). */
export function isIncluded(
  {
    index,
    size,
    leaf,
    root,
  }: { readonly index: number; readonly size: number; readonly leaf: Uint8Array; readonly root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (!(Number.isSafeInteger(index) && Number.isSafeInteger(size) && index >= 0 && index < size)) return false;
  const ranges = inclusionRanges(index, size);
  if (ranges.length !== proof.length) return false;
  const found = ranges.reduce(
    (hash, { from }, i) => (from > index ? hashNode(hash, hashAt(proof, i)) : hashNode(hashAt(proof, i), hash)),
    leaf,
  );
  return isSame(found, root);
}

/** A tree as a checkpoint says it. */
export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Whether the second tree begins with the first (RFC 9162, 2.1.4.2). */
export function isConsistent(first: TreeHead, second: TreeHead, proof: readonly Uint8Array[]): boolean {
  const [old, size] = [first.size, second.size];
  if (!(Number.isSafeInteger(old) && Number.isSafeInteger(size) && old >= 0 && old <= size)) return false;
  if (old === size) return proof.length === 0 && isSame(first.root, second.root);
  if (old === 0) return proof.length === 0 && isSame(first.root, emptyRoot());
  const ranges = consistencyRanges(old, size);
  if (ranges.length !== proof.length) return false;
  const isWholePart = ranges[0] !== undefined && ranges[0].to === old && ranges[0].from !== 0;
  const start = isWholePart ? hashAt(proof, 0) : first.root;
  let [ofFirst, ofSecond] = [start, start];
  for (const [i, { from, to }] of ranges.entries()) {
    if (isWholePart && i === 0) continue;
    const hash = hashAt(proof, i);
    if (to <= old) {
      ofFirst = hashNode(hash, ofFirst);
      ofSecond = hashNode(hash, ofSecond);
    } else if (from >= old) ofSecond = hashNode(ofSecond, hash);
    else return false;
  }
  return isSame(ofFirst, first.root) && isSame(ofSecond, second.root);
}

/** A tree that only grows, in the memory of its whole subtrees. */
export interface GrowingTree {
  add(leaf: Uint8Array): void;
  root(): Uint8Array;
}

export function createGrowingTree(): GrowingTree {
  const parts: { readonly level: number; readonly hash: Uint8Array }[] = [];
  return {
    add(leaf) {
      let [level, hash] = [0, leaf];
      for (let last = parts.at(-1); last?.level === level; last = parts.at(-1)) {
        hash = hashNode(last.hash, hash);
        level += 1;
        parts.pop();
      }
      parts.push({ level, hash });
    },
    root: () =>
      parts.length === 0
        ? emptyRoot()
        : parts.map(({ hash }) => hash).reduceRight((right, left) => hashNode(left, right)),
  };
}

/** The greatest power of two below a size of two or more. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** The complete subtrees that a range consists of, from left to right. */
function nodesOf({ from, to }: LeafRange): readonly TreeNode[] {
  const nodes: TreeNode[] = [];
  let start = from;
  while (start < to) {
    let [level, width] = [0, 1];
    while (width * 2 <= to - start) {
      width *= 2;
      level += 1;
    }
    nodes.push({ level, index: start / width });
    start += width;
  }
  return nodes;
}

/** Whether two hashes are the same. They are public. */
export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}

function hashAt(hashes: readonly Uint8Array[], i: number): Uint8Array {
  const hash = hashes[i];
  if (hash?.length !== hashBytes) throw new RangeError("a tree has a hash of 32 bytes at every place");
  return hash;
}
