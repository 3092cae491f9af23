// The id that custody has of a payment. A reference is credited once, so two that look alike must
// not be two: a payment written in two ways would be credited twice.

const charactersMax = 128

export const isPaymentReference = (text: string): boolean =>
  text.length <= charactersMax && /^[^\p{C}\p{Z}]+$/u.test(text) && text.normalize('NFC') === text

export const paymentReferenceRule =
  `must be 1 to ${charactersMax} characters that one sees, without spaces and control ` +
  'characters, in the form NFC of Unicode, such as wire-7731'
