// Numbers for people: thousands are separated, and a column has as many decimals throughout.

const MOST_DECIMALS = 20; // what every browser can write
const _formats = new Map();

/** Returns a number with this many decimals, or that it is nearer to zero than these can say. */
function formatted(value, decimals = 0) {
  const least = 10 ** -decimals;
  if (value && Math.abs(value) < least / 2)
    return value > 0 ? `< ${formatted(least, decimals)}` : `> -${formatted(least, decimals)}`;
  let format = _formats.get(decimals);
  if (!format) {
    format = new Intl.NumberFormat("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    _formats.set(decimals, format);
  }
  return format.format(value);
}

/** Returns how many decimals tell numbers of this size apart: none if all are whole. */
function decimalsFor(values) {
  let largest = 0;
  let isWhole = true;
  for (const value of values) {
    if (typeof value !== "number") continue;
    largest = Math.max(largest, Math.abs(value));
    isWhole &&= Number.isInteger(value);
  }
  if (isWhole) return 0;
  return Math.min(MOST_DECIMALS, Math.max(0, 3 - Math.floor(Math.log10(largest))));
}

/** Returns a share of 0 to 1 as a percentage of three digits. */
function percent(share) {
  if (!Number.isFinite(share)) return "–";
  const value = 100 * share;
  if (value === 0) return "0 %";
  if (value < 0.01) return "< 0.01 %";
  return `${value.toFixed(value >= 99.95 ? 0 : value >= 10 ? 1 : 2)} %`;
}

/** Returns a share that others are below, however small it is. */
function bound(share) {
  return `${new Intl.NumberFormat("en-US", { maximumSignificantDigits: 2, roundingMode: "ceil" }).format(100 * share)} %`;
}

/** Returns the plural of a noun, as reports/wording.py does. */
function plural(noun) {
  if (/(?:s|x|z|ch|sh)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** Returns "1 call", "2 calls". */
function counted(n, noun, decimals = 0) {
  return `${formatted(n, decimals)} ${n === 1 ? noun : plural(noun)}`;
}

/** Returns a large number as people say it: 12.3 M. */
function rounded(value) {
  const steps = [
    [1e12, 1e12, "T"],
    [1e9, 1e9, "G"],
    [1e6, 1e6, "M"],
    [1e4, 1e3, "k"],
  ];
  const near = Number(value.toPrecision(3));
  for (const [least, size, letter] of steps) {
    const n = near / size;
    if (Math.abs(near) >= least) return `${Math.abs(n) < 1e3 ? n.toPrecision(3) : formatted(n)} ${letter}`;
  }
  return formatted(value, decimalsFor([value]));
}
