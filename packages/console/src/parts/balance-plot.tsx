import "uplot/dist/uPlot.min.css";
import { useEffect, useRef, useSyncExternalStore } from "react";
import uPlot from "uplot";

interface PlotProps {
  readonly title: string;
  readonly values: readonly { readonly at: string; readonly units: string }[];
  readonly decimals: number;
}

/** Amounts at points in time, as a line. A picture: the exact amounts belong beside it, in text. */
export function BalancePlot(props: PlotProps) {
  const isDark = useSyncExternalStore(subscribeToScheme, () => scheme.matches);
  // It is drawn anew in the colours that the stylesheet has then.
  return <Plot key={String(isDark)} {...props} />;
}

function Plot({ title, values, decimals }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const node = place.current;
    if (node === null) return;
    const style = getComputedStyle(node);
    const ink = style.getPropertyValue("--soft");
    const line = style.getPropertyValue("--line");
    const axis = { stroke: ink, grid: { stroke: line }, ticks: { stroke: line } };
    const plot = new uPlot(
      {
        width: node.clientWidth,
        height: 220,
        legend: { show: false },
        axes: [axis, { ...axis, size: 80 }],
        series: [{}, { label: title, stroke: style.getPropertyValue("--accent"), width: 2 }],
      },
      [values.map(({ at }) => Date.parse(at) / 1000), values.map(({ units }) => Number(units) / 10 ** decimals)],
      node,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: node.clientWidth, height: 220 }));
    observer.observe(node);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [title, values, decimals]);
  return <div ref={place} role="img" aria-label={title} />;
}

const scheme = matchMedia("(prefers-color-scheme: dark)");

function subscribeToScheme(changed: () => void): () => void {
  scheme.addEventListener("change", changed);
  return () => scheme.removeEventListener("change", changed);
}
