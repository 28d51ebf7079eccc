/** Plays the story of the first page in the browser, with the same client library that applications use. */
import { createTrellisClient, generateEncryptionKeyPair, openSession, type TrellisClient } from "@trellis/sdk";

/** One call as it went over the wire, without the API key. */
interface SeenCall {
  readonly request: string;
  readonly answer: string;
}

const form = document.querySelector<HTMLFormElement>("#play");
const list = document.querySelector<HTMLOListElement>("#story");
const input = document.querySelector<HTMLInputElement>("#key");
const button = form?.querySelector("button");

// `/docs/#key=…` fills the key in: what stands behind # is sent to no server.
const given = new URLSearchParams(location.hash.slice(1)).get("key");
if (given !== null && input) {
  input.value = given;
  history.replaceState(null, "", location.pathname);
  handOn();
}

input?.addEventListener("input", handOn);

/** The console is opened with the key that this page has. */
function handOn(): void {
  const key = input?.value.trim() ?? "";
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="/docs/api/"]'))
    link.href = key === "" ? "/docs/api/" : `/docs/api/#${new URLSearchParams({ key })}`;
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!input || !list || !button) return;
  button.disabled = true;
  list.replaceChildren();
  play(input.value.trim(), list).finally(() => {
    button.disabled = false;
  });
});

async function play(apiKey: string, steps: HTMLOListElement): Promise<void> {
  const seen: SeenCall[] = [];
  const client = createTrellisClient({
    baseUrl: location.origin,
    apiKey,
    environment: "sandbox",
    maxRetries: 0,
    fetch: watched(seen),
  });
  const step = async <T>(title: string, act: () => Promise<readonly [result: T, told: string]>): Promise<T> => {
    const view = showStep(steps, title);
    try {
      const [result, reported] = await act();
      view.end("done", reported, seen.splice(0));
      return result;
    } catch (error) {
      view.end("failed", error instanceof Error ? error.message : String(error), seen.splice(0));
      throw error;
    }
  };
  try {
    const ada = await step("Ada asks for an account, types the code of the mail, and has one", () =>
      openAccount(client, "ada"),
    );
    const grace = await step("Grace gets one too", () => openAccount(client, "grace"));
    await step("The faucet gives Ada 250 play USDC", async () => {
      await client.sandbox.airdrop({ address: ada.address, currency: "sol", amount: "1000000000" });
      await client.sandbox.airdrop({ address: ada.address, currency: "usdc", amount: "250000000" });
      return [undefined, "They are in her vault, on the sandbox's chain."];
    });
    await step("Ada pays Grace 12.50 USDC; her key signs what was checked", async () => {
      const paid = await client.transfers.send({
        account: ada.address,
        session: ada.session,
        currency: "usdc",
        destination: grace.address,
        amount: 12_500_000n,
      });
      return [undefined, `Confirmed at ${paid.confirmedAt}, signature ${paid.signature}.`];
    });
    await step("What Grace holds now", async () => {
      const { tokens } = await client.accounts.balances(grace.address);
      const held = tokens.map(({ amount_decimal: amount, symbol }) => `${amount} ${symbol ?? ""}`.trim());
      return [undefined, held.join(", ")];
    });
  } catch {
    // Reported at the step that failed.
  }
}

async function openAccount(client: TrellisClient, name: string) {
  const email = `${name}.${crypto.randomUUID().slice(0, 8)}@example.org`;
  await client.accounts.create({ type: "email", email });
  const [mail] = await client.sandbox.outbox(email);
  if (!mail) throw new Error("The outbox holds no mail.");
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.accounts.verify({
    email,
    otp_code: mail.otp_code,
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  const session = await openSession(verified.authentication[0], keyPair);
  return [{ address: verified.address, session }, `${email}, code ${mail.otp_code}: ${verified.address}`] as const;
}

/** The browser's own fetch, noting what goes through it. */
function watched(seen: SeenCall[]): typeof fetch {
  return async (url, init) => {
    const answer = await fetch(url, init);
    const path = new URL(String(url)).pathname;
    const body = typeof init?.body === "string" ? `\n${indented(init.body)}` : "";
    seen.push({
      request: `${init?.method ?? "GET"} ${path}${body}`,
      answer: `${answer.status}\n${indented(await answer.clone().text())}`,
    });
    return answer;
  };
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

function showStep(steps: HTMLOListElement, title: string) {
  const item = document.createElement("li");
  const said = element("p", "…");
  item.append(element("h3", title), said);
  steps.append(item);
  return {
    end: (state: "done" | "failed", reported: string, calls: readonly SeenCall[]) => {
      item.className = state;
      said.textContent = reported;
      for (const { request, answer } of calls) {
        const details = document.createElement("details");
        const [line = ""] = request.split("\n", 1);
        details.append(element("summary", line), block(request), block(answer));
        item.append(details);
      }
    },
  };
}

/** The keyboard reaches what is out of sight in it. */
function block(text: string): HTMLPreElement {
  return Object.assign(element("pre", text), { tabIndex: 0 });
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, text: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
