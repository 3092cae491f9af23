// Typed arrays that grow by doubling, so that an empty exchange is small and a full one is compact.

type Numbers = Float64Array | Int32Array | Uint8Array

/** Returns a copy of the array with at least this many elements. New elements are 0. */
export function grown<A extends Numbers>(array: A, length: number): A {
  if (array.length >= length) return array
  let capacity = array.length || 8
  while (capacity < length) capacity *= 2
  const larger = new (array.constructor as new (n: number) => A)(capacity)
  larger.set(array)
  return larger
}
