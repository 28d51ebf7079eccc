import { describe, expect, it } from "vitest";
import { excerptOf, rank } from "./rank.js";

describe("a search", () => {
  it("puts what is called so before what begins so, and that before what mentions it", () => {
    const [said, begun, called] = [entry("Money", "the fee is paid"), entry("The feed"), entry("Fees and rent")];
    expect(titles("fees", said, begun, called)).toEqual(["Fees and rent", "The feed", "Money"]);
  });

  it("finds a word where another begins with it, and not within one", () => {
    expect(titles("sign", entry("Signatures"), entry("Designs"))).toEqual(["Signatures"]);
  });

  it("leaves out words that say nothing, and hears what newcomers call things", () => {
    expect(titles("how do I log in", entry("Logs"), entry("Sign somebody in"))).toEqual(["Sign somebody in"]);
  });

  it("asks for all words, and for the most of them where nothing has all", () => {
    const [both, one] = [entry("Backup", "of the master key"), entry("Backup drill")];
    expect(titles("backup key", both, one)).toEqual(["Backup"]);
    expect(titles("backup submarine", both, one)).toEqual(["Backup", "Backup drill"]);
    expect(titles("submarine", both, one)).toEqual([]);
  });

  it("takes text as text", () => {
    expect(titles("(", entry("Begin ("))).toEqual([]);
    expect(titles("a+", entry("a+b"))).toEqual(["a+b"]);
  });

  it("shows the text around the first word it has found", () => {
    const text = `${"before ".repeat(30)}the deposit arrives ${"after ".repeat(40)}`;
    const excerpt = excerptOf(entry("Money", text), "deposits");
    expect(excerpt).toMatch(/^… .*the deposit arrives.* …$/);
    expect(excerpt.length).toBeLessThan(170);
  });
});

const entry = (title: string, text = "", page = "Page") => ({ title, text, page, url: `/docs/page#${title}` });

const titles = (query: string, ...entries: ReturnType<typeof entry>[]) =>
  rank(entries, query).map(({ title }) => title);
