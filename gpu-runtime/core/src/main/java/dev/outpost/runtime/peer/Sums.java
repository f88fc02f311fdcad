package dev.outpost.runtime.peer;

import dev.outpost.types.DType;
import dev.outpost.types.Half;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Sums of little-endian elements, term by term from the first to the last. 16-bit floats accumulate in float32; integers wrap. */
final class Sums {
    private Sums() {}

    /** @param terms at least one, of equal length */
    static byte[] of(DType dtype, List<byte[]> terms) {
        byte[] sum = new byte[terms.getFirst().length];
        ByteBuffer target = view(sum);
        List<ByteBuffer> sources = terms.stream().map(Sums::view).toList();
        for (int at = 0; at < sum.length; at += dtype.bytes()) {
            add(dtype, sources, target, at);
        }
        return sum;
    }

    private static ByteBuffer view(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void add(DType dtype, List<ByteBuffer> sources, ByteBuffer target, int at) {
        switch (dtype) {
            case FLOAT32 -> {
                float sum = sources.getFirst().getFloat(at);
                for (int term = 1; term < sources.size(); term++) {
                    sum += sources.get(term).getFloat(at);
                }
                target.putFloat(at, sum);
            }
            case FLOAT64 -> {
                double sum = sources.getFirst().getDouble(at);
                for (int term = 1; term < sources.size(); term++) {
                    sum += sources.get(term).getDouble(at);
                }
                target.putDouble(at, sum);
            }
            case FLOAT16, BFLOAT16 -> {
                boolean isBrain = dtype == DType.BFLOAT16;
                float sum = half(sources.getFirst().getShort(at), isBrain);
                for (int term = 1; term < sources.size(); term++) {
                    sum += half(sources.get(term).getShort(at), isBrain);
                }
                target.putShort(at, isBrain ? Half.toBfloat16(sum) : Half.toFloat16(sum));
            }
            case INT64 -> {
                long sum = 0;
                for (ByteBuffer source : sources) {
                    sum += source.getLong(at);
                }
                target.putLong(at, sum);
            }
            case INT32 -> {
                int sum = 0;
                for (ByteBuffer source : sources) {
                    sum += source.getInt(at);
                }
                target.putInt(at, sum);
            }
            case INT16 -> {
                short sum = 0;
                for (ByteBuffer source : sources) {
                    sum += source.getShort(at);
                }
                target.putShort(at, sum);
            }
            case INT8, UINT8 -> {
                byte sum = 0;
                for (ByteBuffer source : sources) {
                    sum += source.get(at);
                }
                target.put(at, sum);
            }
            case BOOL -> throw new IllegalArgumentException("bool has no sum");
        }
    }

    private static float half(short bits, boolean isBrain) {
        return isBrain ? Half.fromBfloat16(bits) : Half.fromFloat16(bits);
    }
}
