// Numbers shared by two threads. If arrays were transferred instead, V8 would check every typed
// array of the thread for detachment from then on (docs/performance.md).

export function sharedNumbers(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT))
}

/** Returns the array, or a larger copy with at least this length. */
export function grownShared(array: Float64Array, length: number): Float64Array {
  if (array.length >= length) return array
  const larger = sharedNumbers(Math.max(length, 2 * array.length))
  larger.set(array)
  return larger
}
