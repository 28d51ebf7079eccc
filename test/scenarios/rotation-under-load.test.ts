import { expect, it } from "vitest";
import { useTestLocation } from "../support/use-database.js";
import { useDirectory } from "../support/use-directory.js";
import { playRotationUnderLoad } from "./rotation-under-load.js";

const directory = useDirectory();
const place = useTestLocation();

it("moves thousands of sealed values and replaces all secrets while requests are served, and none fails", {
  timeout: 240_000,
}, async () => {
  const count = 2_000;
  const played = await playRotationUnderLoad({ count, directory, databaseUrl: place.url });
  expect(played.failures).toEqual([]);
  expect(played.requests).toBeGreaterThan(10);
  expect(played.movedBefore).toBe(count / 2);
  expect(played.movedAfter).toBeLessThan(count);
  const { columns, brokenBindings } = played.checked;
  expect(columns.flatMap(({ broken }) => broken)).toEqual([]);
  expect(new Set(columns.flatMap(({ opened }) => [...opened.keys()]))).toEqual(new Set(["new"]));
  expect(columns.find(({ name }) => name === "kms_wallet.secret")?.opened.get("new")).toBe(count);
  expect(brokenBindings.size).toBe(0);
  expect(played.paysAfterwards).toBe(true);
});
