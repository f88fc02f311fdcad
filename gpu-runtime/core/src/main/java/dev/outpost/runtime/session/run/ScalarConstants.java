package dev.outpost.runtime.session.run;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.types.Half;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Immediate numbers of instructions as arrays that a kernel can read. They do not count against the quota. Used by the
 * worker thread alone.
 */
public final class ScalarConstants {
    private static final int MAX_IDLE = 256;

    private final Engine engine;
    private final LinkedHashMap<Scalar, Array> arrays = new LinkedHashMap<>(16, 0.75f, true);

    public ScalarConstants(Engine engine) {
        this.engine = engine;
    }

    /** Returns the number as an array without dimensions, valid until {@link #trim}. */
    public Array array(Scalar scalar) {
        return arrays.computeIfAbsent(scalar, this::create);
    }

    /** Releases the least recently used arrays. Called between instructions. */
    public void trim() {
        while (arrays.size() > MAX_IDLE) {
            Map.Entry<Scalar, Array> eldest = arrays.pollFirstEntry();
            engine.release(eldest.getValue().buffer());
        }
    }

    public void clear() {
        arrays.values().forEach(array -> engine.release(array.buffer()));
        arrays.clear();
    }

    private Array create(Scalar scalar) {
        byte[] bytes = littleEndian(scalar);
        EngineBuffer buffer = engine.allocate(scalar.dtype(), 1);
        engine.write(buffer, 0, new Slice(bytes));
        return Array.contiguous(buffer, Shape.SCALAR);
    }

    public static byte[] littleEndian(Scalar scalar) {
        ByteBuffer out = ByteBuffer.allocate(scalar.dtype().bytes()).order(ByteOrder.LITTLE_ENDIAN);
        switch (scalar.dtype()) {
            case FLOAT32 -> out.putFloat((float) scalar.asDouble());
            case FLOAT64 -> out.putDouble(scalar.asDouble());
            case FLOAT16 -> out.putShort(Half.toFloat16((float) scalar.asDouble()));
            case BFLOAT16 -> out.putShort(Half.toBfloat16((float) scalar.asDouble()));
            case INT64 -> out.putLong(scalar.asLong());
            case INT32 -> out.putInt((int) scalar.asLong());
            case INT16 -> out.putShort((short) scalar.asLong());
            case INT8, UINT8 -> out.put((byte) scalar.asLong());
            case BOOL -> out.put((byte) (scalar.asLong() != 0 ? 1 : 0));
        }
        return out.array();
    }
}
