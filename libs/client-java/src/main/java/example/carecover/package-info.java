/**
 * The client of the Carecover API: every operation with its types, retries under one idempotency key, iteration over lists, typed errors, and
 * webhook verification. It starts with {@link example.carecover.Carecover}.
 *
 * <p>Amounts are integers in the currency's minor unit: 350000 in KES is 3,500.00.
 */
package example.carecover;
