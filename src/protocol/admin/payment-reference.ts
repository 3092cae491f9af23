// Custody's id of a payment. A reference is credited once, so two references must not look alike: a
// payment written in two ways would be credited twice.

const charactersMax = 128

/** Also the selectors of emoji: with and without one, two references look alike. */
const seen = /^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]+$/u

export const isPaymentReference = (text: string): boolean =>
  text.length <= charactersMax && seen.test(text) && text.normalize('NFC') === text

export const paymentReferenceRule =
  `must be 1 to ${charactersMax} characters that one sees, without spaces and control ` +
  'characters, in the form NFC of Unicode, such as wire-7731'
