// Operations in words, and those among many that matter.

function describeOperation(operation) {
  return operation.call + (operation.answer ? ` → ${operation.answer}` : "");
}

function duration(nanoseconds, tick) {
  const size = Math.max(Math.abs(nanoseconds), tick);
  const [unit, factor] = size >= 1e9 ? ["s", 1e9] : size >= 1e6 ? ["ms", 1e6] : size >= 1e3 ? ["µs", 1e3] : ["ns", 1];
  return `${Number((nanoseconds / factor).toPrecision(6))} ${unit}`;
}

/// Of a long log, the few operations that show what is wrong, each moment after the one before it whatever time lies between; nothing if they are all
/// there is to see.
function guiltyOf(data) {
  const numbers = data.operations.map((operation, index) => (operation.core || operation.blamed ? index : -1)).filter((index) => index >= 0);
  if (data.operations.length <= 40 || !numbers.length || numbers.length > 200) return undefined;
  const operations = numbers.map((index) => data.operations[index]);
  const moments = [...new Set(operations.flatMap((operation) => (operation.pending ? [operation.begin] : [operation.begin, operation.end ?? operation.begin])))].sort((a, b) => a - b);
  const place = new Map(moments.map((moment, at) => [moment, at]));
  const folded = operations.map((operation) => ({ ...operation, begin: place.get(operation.begin), end: operation.pending ? undefined : place.get(operation.end ?? operation.begin) }));
  return { numbers, data: { operations: folded } };
}
