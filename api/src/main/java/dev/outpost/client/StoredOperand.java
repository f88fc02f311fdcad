package dev.outpost.client;

import dev.outpost.protocol.types.Layout;

/**
 * An operand that is whatever a handle holds when the instruction is recorded, seen in some layout. Another thread may bind or
 * close the handle until then: the operand is the value before or after, or the call is refused.
 *
 * @param handle holds the storage
 * @param layout over the storage's elements
 */
public record StoredOperand(ValueHandle handle, Layout layout) {}
