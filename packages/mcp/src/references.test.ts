import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openReferences } from "./references.js";

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "trellis-references-")), "kept");
});
afterEach(() => rm(join(folder, ".."), { recursive: true }));

const hour = 3_600_000;
const use = { signer: "agent", reference: "invoice 1", content: { recipient: "shop", amount: "5" }, from: {} };
const from = (allowance: string) => async () => ({ account: "account", allowance });
const never = () => Promise.reject(new Error("chosen anew"));
const open = (now = 0, service = ["https://trellis.example", "sandbox", "sk_1"]) =>
  openReferences({ folder, service, now: () => now });

it("binds a reference to its first place, for every server that shares the folder", async () => {
  const chosen = await Promise.all(["a", "b", "c", "d"].map((allowance) => open().bind(use, from(allowance))));
  expect(new Set(chosen.map(({ allowance }) => allowance)).size).toBe(1);
  expect(await open(19 * hour).bind(use, never)).toEqual(chosen[0]);
  const [name = "", ...others] = await readdir(folder);
  expect(others).toEqual([]);
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

it.each([
  ["another content", { ...use, content: { recipient: "shop", amount: "6" } }, open],
  ["another allowance", { ...use, from: { allowance: "b" } }, open],
  ["another account", { ...use, from: { account: "other" } }, open],
  ["a day later", use, () => open(21 * hour)],
  ["a clock that was set back", use, () => open(-21 * hour)],
  ["another API key", use, () => open(0, ["https://trellis.example", "sandbox", "sk_2"])],
] as const)("refuses a reference with %s", async (_what, changed, reopen) => {
  await open().bind(use, from("a"));
  await expect(reopen().bind(changed, never)).rejects.toMatchObject({ code: "reference_used" });
});

it("binds nothing where nothing is chosen, and other references apart", async () => {
  await expect(open().bind(use, never)).rejects.toThrow("chosen anew");
  await open().bind(use, from("a"));
  expect(await open().bind({ ...use, reference: "invoice 2" }, from("b"))).toMatchObject({ allowance: "b" });
  expect(await open().bind({ ...use, signer: "other" }, from("c"))).toMatchObject({ allowance: "c" });
});

it("refuses new references when it is full, and then forgets those of more than 90 days", async () => {
  await mkdir(folder);
  const full = Array.from({ length: 10_000 }, (_each, index) => writeFile(join(folder, `${index}.json`), "{}"));
  await Promise.all(full);
  const now = Date.now();
  await expect(open(now).bind(use, never)).rejects.toMatchObject({ code: "references_full" });
  await open(now + 91 * 24 * hour).bind(use, from("a"));
  expect(await readdir(folder)).toHaveLength(1);
});
