import { describe, expect, it } from "vitest";
import { escapeHtml, renderCodeMail } from "./templates.js";

const facts = { code: "004217", senderName: "Trellis", lifetimeMs: 15 * 60_000 };

describe.each(["create", "authenticate"] as const)("the %s mail", (kind) => {
  it("says the same in text and in HTML", () => {
    const { subject, text, html } = renderCodeMail(kind, facts);
    expect(subject.startsWith("004217 ")).toBe(true);
    for (const part of [text, html]) {
      expect(part).toContain("004217");
      expect(part).toContain("15 minutes");
      expect(part).toContain("Never give the code to anyone");
      expect(part).toContain("Trellis");
    }
  });

  it("loads nothing from anywhere and can be read by a screen reader", () => {
    const { html } = renderCodeMail(kind, facts);
    expect(html).not.toMatch(/<(img|link|script|iframe)|url\(|https?:/i);
    expect(html).toContain('<html lang="en">');
    expect(html).toMatch(/<title>[^<]+<\/title>/);
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
  });

  it("escapes a sender's name and keeps it to one line", () => {
    const { html, subject, text } = renderCodeMail(kind, {
      ...facts,
      senderName: 'A & <b>"B"</b>\r\nBcc: x@example.org',
    });
    expect(html).not.toContain("<b>");
    expect(html).toContain("&#60;b&#62;");
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text).toContain('A & <b>"B"</b> Bcc: x@example.org');
  });
});

it("says one minute in the singular", () => {
  expect(renderCodeMail("create", { ...facts, lifetimeMs: 90_000 }).text).toContain("1 minute ");
});

it("escapes everything that HTML gives a meaning", () => {
  expect(escapeHtml(`<a href="x">'&'</a>`)).toBe("&#60;a href=&#34;x&#34;&#62;&#39;&#38;&#39;&#60;/a&#62;");
});
