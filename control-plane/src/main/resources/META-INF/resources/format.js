// Amounts, times and periods as people read them.

/** Two places, rounded half up. Nano-units are integers, so nothing is lost before the rounding. */
export function money(nanos, currency) {
  const cents = ((BigInt(nanos) + 5000000n) / 10000000n).toString().padStart(3, '0');
  return `${cents.slice(0, -2)}.${cents.slice(-2)}${currency ? ` ${currency}` : ''}`;
}

export function duration(millis) {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
}

export const age = (since, until = Date.now()) => duration(until - Date.parse(since));

/** Uses powers of 1024. */
export function bytes(count) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let value = count;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

export const clock = (time) => new Date(time).toISOString().replace('T', ' ').slice(0, 19);

/** A period of less than a day, as the API writes it: PT1M7.5S. */
export function period(text) {
  const [, hours, minutes, seconds] = text.match(/^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/) ?? [];
  const parts = [[hours, 'h'], [minutes, 'min'], [seconds && Number(seconds).toFixed(hours || minutes ? 0 : 1), 's']];
  return parts.filter(([value]) => value).map(([value, unit]) => `${value} ${unit}`).join(' ') || text;
}

/** Words of the API's constants: GPU_HOURS_PER_MONTH is "gpu hours per month". */
export const words = (constant) => constant.toLowerCase().replaceAll('_', ' ');
