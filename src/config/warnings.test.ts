import { expect, it } from "vitest";
import { warningsOf } from "./warnings.js";

it("an installation for a cluster is warned where its tokens would name no issuer of their own", () => {
  const clusters = [{ name: "devnet" }] as never;
  expect(warningsOf({ clusters, publicUrl: null })).toEqual([expect.stringContaining("TRELLIS_PUBLIC_URL")]);
  expect(warningsOf({ clusters, publicUrl: "https://trellis.example" })).toEqual([]);
  expect(warningsOf({ clusters: [], publicUrl: null })).toEqual([]);
});
