// A bar for a number: from the left, or from the middle where some are negative.
export function Bar(props: { value: number; most: number; signed: boolean; soft?: boolean }) {
  const share = props.most ? Math.min(1, Math.abs(props.value) / props.most) : 0;
  const size = props.signed ? 50 * share : 100 * share;
  const left = props.signed ? (props.value < 0 ? 50 - size : 50) : 0;
  return (
    <span class={`bar ${props.signed ? "signed" : ""} ${props.soft ? "soft" : ""}`} aria-hidden="true">
      <i style={{ left: `${left}%`, width: `max(2px, ${size}%)` }} />
    </span>
  );
}
