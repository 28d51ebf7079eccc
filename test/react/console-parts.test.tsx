import { possibleAgentScopes, possiblePublishableScopes } from "@trellis/kernel/scope.js";
import { TrellisProvider } from "@trellis/react";
import type { ReactNode } from "react";
import { create, type ReactTestInstance, type ReactTestRenderer } from "react-test-renderer";
import { describe, expect, it } from "vitest";
import { PlaceProvider } from "../../packages/console/src/app/place.js";
import { texts as treasuryTexts } from "../../packages/console/src/app/texts.js";
import type { Rules } from "../../packages/console/src/app/views/rules-difference.js";
import { RulesForm } from "../../packages/console/src/app/views/rules-form.js";
import { Boundary } from "../../packages/console/src/parts/boundary.js";
import { TextField } from "../../packages/console/src/parts/fields.js";
import { texts } from "../../packages/console/src/texts.js";
import { agentScopes, publishableScopes } from "../../packages/console/src/views/create-key.js";
import { makeKey } from "../adversarial/support.js";
import { act } from "./support.js";

const words = treasuryTexts.rules;

describe("the form that makes API keys", () => {
  it("knows what keys of each kind can be given", () => {
    expect(new Set(agentScopes)).toEqual(new Set(possibleAgentScopes));
    expect(new Set(publishableScopes)).toEqual(new Set(possiblePublishableScopes));
  });
});

describe("the boundary around a view", () => {
  it("says that the view could not be shown, and loads the page again", async () => {
    let reloads = 0;
    const Broken = (): ReactNode => {
      throw new TypeError("the code of this view is not there any more");
    };
    const screen = await render(
      <Boundary
        reload={() => {
          reloads += 1;
        }}
      >
        <Broken />
      </Boundary>,
    );
    expect(textIn(screen.root)).toContain(texts.notRendered);
    await act(() => press(screen.root, texts.loadAgain));
    expect(reloads).toBe(1);
  });
});

describe("the form for other rules", () => {
  const [first, second] = [makeKey().address, makeKey().address];
  const rulesOf = (...addresses: readonly string[]): Rules => ({
    members: addresses.map((address) => ({ address, permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] })),
    threshold: 1,
    timeLockSeconds: 0,
  });

  it("does not turn a member that was added meanwhile into one to be removed", async () => {
    const screen = await render(formOf(rulesOf(first)));
    // More approvals than members: a draft that cannot be proposed yet.
    await act(() => fieldOf(screen.root, words.newThreshold).onValue("2"));
    expect(textIn(screen.root)).toContain(words.faults["too-few-voters"]);
    await act(() => screen.update(formOf(rulesOf(first, second))));
    expect(textIn(screen.root)).toContain(words.outdated);
    expect(textIn(screen.root)).not.toContain(treasuryTexts.decisions.whatHappens);
    await act(() => press(screen.root, words.startAnew));
    expect(textIn(screen.root)).toContain(second);
    expect(textIn(screen.root)).toContain(words.nothingChanged);
    expect(fieldOf(screen.root, words.newThreshold).value).toBe("1");
  });

  const formOf = (rules: Rules) => (
    // Nobody is signed in, and nothing is asked.
    <TrellisProvider baseUrl="http://127.0.0.1:9" apiKey="pk_test_none" environment="sandbox">
      <PlaceProvider place={{ tenant: "default", environment: "sandbox", account: first, signers: [first] }}>
        <RulesForm
          rules={rules}
          own={{
            signers: [first],
            permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"],
            threshold: 1,
            timeLockSeconds: 0,
            way: "direct",
          }}
          names={new Map()}
        />
      </PlaceProvider>
    </TrellisProvider>
  );
});

async function render(element: ReactNode): Promise<ReactTestRenderer> {
  let screen: ReactTestRenderer | undefined;
  await act(() => {
    screen = create(element);
  });
  if (screen === undefined) throw new Error("nothing was rendered");
  return screen;
}

type Props = Readonly<Record<string, unknown>>;

const allIn = (instance: ReactTestInstance): readonly ReactTestInstance[] => [
  instance,
  ...instance.children.flatMap((child) => (typeof child === "string" ? [] : allIn(child))),
];

const textIn = (instance: ReactTestInstance): string =>
  instance.children.map((child) => (typeof child === "string" ? child : textIn(child))).join("");

function press(root: ReactTestInstance, title: string): void {
  const button = allIn(root).find((one) => one.type === "button" && textIn(one) === title);
  if (button === undefined) throw new Error(`there is no button “${title}”`);
  const props: Props = button.props;
  (props as { readonly onClick: () => void }).onClick();
}

function fieldOf(root: ReactTestInstance, label: string) {
  const field = allIn(root).find(({ type, props }) => type === TextField && props.label === label);
  if (field === undefined) throw new Error(`there is no field “${label}”`);
  const props: Props = field.props;
  return props as { readonly value: string; readonly onValue: (value: string) => void };
}
