import { Component, type ReactNode } from "react";
import { texts } from "../texts.js";

/**
 * Keeps what stands around a view where the view fails to render, as its code cannot be loaded after the service was updated. The reason goes to
 * the browser's console. Loading the page again is what helps.
 */
export class Boundary extends Component<
  { readonly children: ReactNode; readonly reload?: () => void },
  { readonly hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    const { reload = () => location.reload() } = this.props;
    return (
      <div role="alert" className="notice alarm">
        <p>{texts.notRendered}</p>
        <button type="button" onClick={reload}>
          {texts.loadAgain}
        </button>
      </div>
    );
  }
}
