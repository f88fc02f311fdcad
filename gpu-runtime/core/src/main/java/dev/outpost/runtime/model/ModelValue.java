package dev.outpost.runtime.model;

import dev.outpost.types.TensorType;
import java.nio.ByteBuffer;

/**
 * An operand or a result of a model, outside of the heap.
 *
 * @param type dtype and shape
 * @param elements row-major, little-endian, in a direct buffer from 0 to its limit
 */
public record ModelValue(TensorType type, ByteBuffer elements) {}
