/** A page of the documentation. */
export interface DocPage {
  /** As in `/docs/<slug>`. */
  readonly slug: string;
  readonly title: string;
  readonly markdown: string;
}

/** A section that was found. */
export interface FoundSection {
  readonly page: string;
  readonly title: string;
  readonly excerpt: string;
}

/** The documentation that belongs to this version. */
export interface DocsLibrary {
  readonly pages: readonly DocPage[];
  /** The sections that say most of the words, best first, at most so many. */
  readonly search: (words: string, max: number) => readonly FoundSection[];
  readonly read: (slug: string) => DocPage | undefined;
  /** What an error code means, and what ends it, as Markdown. */
  readonly explain: (code: string) => string | undefined;
}

const pagePath = /^\/docs\/([a-z0-9-]+)\.md$/;
const excerptMax = 400;

/** Makes the library of files by their paths: of the service's site, those at `/docs/<slug>.md` count. */
export function createDocsLibrary(files: Iterable<readonly [path: string, text: () => string]>): DocsLibrary {
  const pages = [...files].flatMap(([path, text]): DocPage[] => {
    const slug = pagePath.exec(path)?.[1];
    if (slug === undefined) return [];
    const markdown = text();
    return [{ slug, title: /^# (.+)$/m.exec(markdown)?.[1] ?? slug, markdown }];
  });
  const bySlug = new Map(pages.map((page) => [page.slug, page]));
  return {
    pages,
    search: (words, max) => search(pages, words, max),
    read: (slug) => bySlug.get(slug),
    explain: (code) => sectionsOf(bySlug.get("errors")?.markdown ?? "").find(({ title }) => title === code)?.text,
  };
}

function search(pages: readonly DocPage[], text: string, max: number): readonly FoundSection[] {
  const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{2,40}/gu) ?? [])].slice(0, 12);
  if (words.length === 0) return [];
  const found = pages.flatMap((page) =>
    sectionsOf(page.markdown).map((section) => {
      const title = `${page.title} ${section.title}`.toLowerCase();
      const body = section.text.toLowerCase();
      const score = words.reduce(
        (sum, word) => sum + (title.includes(word) ? 3 : 0) + (body.includes(word) ? 1 : 0),
        0,
      );
      return { page, section, score };
    }),
  );
  return found
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, max)
    .map(({ page, section }) => ({
      page: page.slug,
      title: section.title,
      excerpt: section.text.replace(/\s+/g, " ").slice(0, excerptMax),
    }));
}

function sectionsOf(markdown: string): readonly { readonly title: string; readonly text: string }[] {
  return markdown
    .split(/^(?=#{1,3} )/m)
    .map((text) => ({ title: /^#+ (.+)$/m.exec(text)?.[1] ?? "", text: text.trim() }))
    .filter(({ text }) => text !== "");
}
