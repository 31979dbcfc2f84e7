// Numbers as people read them.
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const few = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

export function count(value: number): string {
  return whole.format(value);
}

/** A number in at most four digits, with a proper minus. */
export function short(value: number): string {
  const size = Math.abs(value);
  const text =
    size !== 0 && (size >= 1e7 || size < 1e-4) ? value.toExponential(2) : few.format(value);
  return text.replace("-", "−");
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.0995 ? 2 : 1)} %`;
}

export function minus(text: string): string {
  return text.replace(/^-/, "−");
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 2 });

/** A number that changes from run to run: two digits of it. */
export function about(value: number): string {
  return compact.format(value);
}
