import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clientAddress, ProxyListError, parseTrustedProxies } from './client-address.ts'
import { canonicalIp, limitKeyOf } from './ip-address.ts'

test('an address has one spelling', () => {
  const spellings: Readonly<Record<string, readonly string[]>> = {
    '192.0.2.7': ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:207', '0:0:0:0:0:ffff:c000:0207'],
    '2001:db8::1': ['2001:DB8::1', '2001:0db8:0:0:0:0:0:1', '2001:db8::0.0.0.1'],
    '::1': ['::1', '0:0:0:0:0:0:0:1', '::0.0.0.1'],
    '::': ['::', '0::0', '0:0:0:0:0:0:0:0'],
    'fe80::1': ['fe80::1%eth0', 'FE80:0::1'],
    '2001:db8:0:1:1:1:1:1': ['2001:db8::1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    '2001:0:0:1::1': ['2001:0:0:1:0:0:0:1', '2001::1:0:0:0:1'],
    '1::': ['1::', '1:0:0:0:0:0:0:0'],
    '64:ff9b::c000:207': ['64:ff9b::192.0.2.7'],
  }
  for (const [canonical, texts] of Object.entries(spellings)) {
    for (const text of texts) assert.equal(canonicalIp(text), canonical, text)
  }
  for (const text of [
    '',
    'x',
    '1.2.3',
    '01.2.3.4',
    '256.1.1.1',
    '1.2.3.4:5',
    ':::',
    '[::1]',
    '::g',
  ]) {
    assert.equal(canonicalIp(text), null, text)
  }
})

test('the spelling of any IPv6 address is the one that URLs give it', () => {
  const group = fc.constantFrom(0, 0, 0, 1, 0xff, 0xffff, 0xabc)
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      fc.pre(groups[5] !== 0xffff)
      const text = groups.map((each) => each.toString(16).padStart(4, '0').toUpperCase()).join(':')
      const { hostname } = new URL(`http://[${text}]/`)
      assert.equal(canonicalIp(text), hostname.slice(1, -1))
    }),
    { numRuns: 2_000 },
  )
})

test('limits count IPv4 by address and IPv6 by its first 64 bits', () => {
  assert.equal(limitKeyOf('192.0.2.7'), '192.0.2.7')
  assert.equal(limitKeyOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(limitKeyOf('2001:db8:1:2::'), '2001:db8:1:2::/64')
  assert.equal(limitKeyOf('::1'), '0:0:0:0::/64')
  assert.notEqual(limitKeyOf('2001:db8:1:3::1'), limitKeyOf('2001:db8:1:2::1'))
})

const proxies = parseTrustedProxies(['10.0.0.0/8', '::1', '2001:db8:aa::/48', '192.0.2.1'])
const from = (socketAddress: string | undefined, forwardedFor?: string | readonly string[]) =>
  clientAddress({ socketAddress, forwardedFor }, proxies)

test('without a trusted proxy the header is not believed', () => {
  assert.equal(from('203.0.113.9', '1.2.3.4'), '203.0.113.9')
  assert.equal(from('::ffff:203.0.113.9', '1.2.3.4'), '203.0.113.9')
  const none = parseTrustedProxies([])
  const connection = { socketAddress: '127.0.0.1', forwardedFor: '1.2.3.4' }
  assert.equal(clientAddress(connection, none), '127.0.0.1')
})

test('behind proxies the right-most address that is not a proxy is the client', () => {
  assert.equal(from('10.1.2.3'), '10.1.2.3')
  assert.equal(from('10.1.2.3', '203.0.113.9'), '203.0.113.9')
  assert.equal(from('::ffff:10.1.2.3', '6.6.6.6, 203.0.113.9 ,10.9.9.9'), '203.0.113.9')
  assert.equal(from('::1', ['6.6.6.6', '203.0.113.9,192.0.2.1']), '203.0.113.9')
  assert.equal(from('2001:db8:aa:1::5', '2001:DB8:0::1'), '2001:db8::1')
  assert.equal(from('10.1.2.3', '10.0.0.1, 10.0.0.2'), '10.0.0.1')
  assert.equal(from('10.1.2.3', '203.0.113.9:4711'), '203.0.113.9')
  assert.equal(from('10.1.2.3', '[2001:db8::1]:4711'), '2001:db8::1')
})

test('an invalid address ends the search at the last proxy', () => {
  for (const text of [
    '',
    'unknown',
    '203.0.113.9, ',
    '203.0.113.9, x',
    ',',
    '1.2.3.4.5',
    '[',
    '[]',
  ]) {
    assert.equal(from('10.1.2.3', text), '10.1.2.3', text)
  }
  assert.equal(from('10.1.2.3', 'x, 10.0.0.9'), '10.0.0.9')
  assert.equal(from('10.1.2.3', `${'6.6.6.6,'.repeat(5_000)}10.0.0.9`), '6.6.6.6')
  assert.equal(from(undefined, '1.2.3.4'), '0.0.0.0')
})

test('of many forwarded addresses the 32 that our proxies wrote last are read, no more', () => {
  const proxies = (count: number) => Array.from({ length: count }, (_, at) => `10.0.1.${at}`)
  const forged = (count: number) => from('10.1.2.3', ['6.6.6.6', ...proxies(count)].join(', '))
  assert.equal(forged(31), '6.6.6.6')
  // From here on the caller's own end is out of sight: the farthest proxy is the client.
  assert.equal(forged(32), '10.0.1.0')
  assert.equal(forged(33), '10.0.1.1')
  assert.equal(forged(200), '10.0.1.168')
  const mixed = ['6.6.6.6', ...proxies(40), '203.0.113.9', ...proxies(20)]
  assert.equal(from('10.1.2.3', mixed.join(',')), '203.0.113.9')
  assert.equal(from('10.1.2.3', mixed), '203.0.113.9')
})

// Against the bits, one by one. Few addresses around few networks, so that both answers are common;
// lengths that end inside a byte, and both ends of each family.
test('an address is of a network when the first bits are the same, mapped or not', () => {
  const end = fc.constantFrom(0, 1, 2, 3, 127, 128, 254, 255)
  const dotted = fc.tuple(fc.constant(10), end, fc.constantFrom(0, 1), end)
  const grouped = fc.tuple(fc.constantFrom(0x2001, 0x2003), fc.constantFrom(0, 0x8000), end)
  const ipv4 = dotted.map((bytes) => ({
    text: bytes.join('.'),
    bits: `${'0'.repeat(80)}${'1'.repeat(16)}${bytes.map((each) => asBits(each, 8)).join('')}`,
    width: 32,
  }))
  const ipv6 = grouped.map((groups) => ({
    text: `${groups.map((each) => each.toString(16)).join(':')}::1`,
    bits: [...groups, 0, 0, 0, 0, 1].map((each) => asBits(each, 16)).join(''),
    width: 128,
  }))
  const address = fc.oneof(ipv4, ipv6)
  const share = fc.constantFrom(0, 1, 2, 8, 9, 16, 17, 31, 32, 33, 48, 127, 128)
  fc.assert(
    fc.property(address, address, share, (network, client, wanted) => {
      const length = Math.min(wanted, network.width)
      const first = 128 - network.width + length
      const { has } = parseTrustedProxies([`${network.text}/${length}`])
      const inside = network.bits.slice(0, first) === client.bits.slice(0, first)
      assert.equal(has(client.text), inside)
      if (client.width === 32) assert.equal(has(canonicalIp(`::ffff:${client.text}`)!), inside)
    }),
    { numRuns: 2_000 },
  )
})

const asBits = (value: number, width: number) => value.toString(2).padStart(width, '0')

test('a list of proxies that cannot be read is named', () => {
  for (const entry of [
    '',
    'x',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '1.2.3.4/-1',
  ]) {
    assert.throws(() => parseTrustedProxies([entry]), ProxyListError, entry)
  }
  const mapped = parseTrustedProxies(['::ffff:10.0.0.0/104'])
  assert.equal(mapped.has('10.200.0.1'), true)
  assert.equal(mapped.has('11.0.0.1'), false)
})
