import { expect, it } from "vitest";
import { createRenderer } from "./markdown.js";

it("lets the keyboard reach whatever can be wider than the window", async () => {
  expect(await render("| A | B |\n| - | - |\n| 1 | 2 |")).toContain(
    '<div class="wide" tabindex="0" role="group" aria-label="Table: A, B">',
  );
  expect(await render("```sh\ncurl <x>\n```")).toContain(
    '<div class="code"><pre tabindex="0"><code class="language-sh">curl &lt;x&gt;\n</code></pre></div>',
  );
});

it("gives the boxes of a checklist a name", async () => {
  expect(await render("- [ ] one\n- [x] two")).toMatch(/aria-label="Done">[\s\S]*aria-label="Done" checked>/);
});

it("says in each cell whose column it is of", async () => {
  expect(await render("| `A` | B |\n| - | - |\n| 1 | 2 |")).toContain(
    '<tr role="row"><td role="cell" data-of="A">1</td><td role="cell" data-of="B">2</td></tr>',
  );
});

it("breaks long names at their seams", async () => {
  expect(await render("`TRELLIS_RATE_LIMIT`")).toContain("<code>TRELLIS_<wbr>RATE_<wbr>LIMIT</code>");
  expect(await render("`transactions:write`")).toContain("<code>transactions:<wbr>write</code>");
  expect(await render("`signers[].address`")).toContain("<code>signers[].<wbr>address</code>");
  expect(await render("`invalid_otp`")).toContain(
    '<a href="/docs/errors#invalid_otp"><code>invalid_<wbr>otp</code></a>',
  );
});

const render = async (markdown: string) => (await createRenderer(() => undefined))(markdown, "README.md");
