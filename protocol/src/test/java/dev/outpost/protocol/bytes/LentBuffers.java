package dev.outpost.protocol.bytes;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Bytes as a network lends them: in direct buffers with arbitrary borders. */
public final class LentBuffers {
    private LentBuffers() {}

    public static byte[] numbers(int count) {
        byte[] bytes = new byte[count];
        for (int index = 0; index < count; index++) {
            bytes[index] = (byte) (31 * index + index / 256);
        }
        return bytes;
    }

    /** Returns the bytes in direct buffers of these lengths, and a last buffer with the rest. */
    public static Bytes cut(byte[] bytes, int... lengths) {
        List<ByteBuffer> buffers = new ArrayList<>();
        int from = 0;
        for (int length : lengths) {
            buffers.add(direct(bytes, from, Math.min(length, bytes.length - from)));
            from += buffers.getLast().remaining();
        }
        buffers.add(direct(bytes, from, bytes.length - from));
        return Bytes.of(buffers.toArray(ByteBuffer[]::new));
    }

    static ByteBuffer direct(byte[] bytes, int from, int length) {
        return ByteBuffer.allocateDirect(length).put(bytes, from, length).flip();
    }
}
