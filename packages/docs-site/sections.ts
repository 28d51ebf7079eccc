/** The lines of each section of a page, its heading first; what stands before the first one is a section too. A comment in a block of code is no heading. */
export function splitAtHeadings(markdown: string): readonly (readonly string[])[] {
  const sections: string[][] = [[]];
  let isInCode = false;
  for (const line of markdown.split("\n")) {
    if (line.trimStart().startsWith("```")) isInCode = !isInCode;
    if (!isInCode && /^#{1,3} /.test(line)) sections.push([]);
    sections.at(-1)?.push(line);
  }
  return sections;
}
