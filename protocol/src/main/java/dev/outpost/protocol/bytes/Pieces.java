package dev.outpost.protocol.bytes;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Bytes in several buffers. Only the first few are copied: enough for everything before the bulk data. So the data are copied only
 * once, from the network's buffers to their destination.
 */
public final class Pieces implements Bytes {
    /** The length of the copied head, in bytes; larger than the heads of a frame and of a chunk together. */
    public static final int HEAD_BYTES = 96;

    private final byte[] head;
    private final int from;
    private final int to;
    private final ByteBuffer[] rest;
    private final int restLength;

    private Pieces(byte[] head, int from, int to, ByteBuffer[] rest, int restLength) {
        this.head = head;
        this.from = from;
        this.to = to;
        this.rest = rest;
        this.restLength = restLength;
    }

    static Pieces of(ByteBuffer... lent) {
        ByteBuffer[] rest = Arrays.stream(lent).map(Pieces::view).toArray(ByteBuffer[]::new);
        byte[] head = new byte[Math.min(HEAD_BYTES, length(rest))];
        for (int filled = 0, at = 0; filled < head.length; at++) {
            int count = Math.min(rest[at].remaining(), head.length - filled);
            rest[at].get(head, filled, count);
            filled += count;
        }
        return new Pieces(head, 0, head.length, rest, length(rest));
    }

    /** Returns the bytes from a position in the head to the end. */
    Pieces from(int position) {
        return new Pieces(head, position, to, rest, restLength);
    }

    byte[] head() {
        return head;
    }

    /** Returns the position in the head at which the bytes begin. */
    int from() {
        return from;
    }

    /** Returns the position at which the head ends and the rest begins. */
    int to() {
        return to;
    }

    @Override
    public int length() {
        return to - from + restLength;
    }

    @Override
    public byte[] toByteArray() {
        byte[] all = Arrays.copyOfRange(head, from, from + length());
        int filled = to - from;
        for (ByteBuffer piece : rest) {
            piece.get(piece.position(), all, filled, piece.remaining());
            filled += piece.remaining();
        }
        return all;
    }

    /** Copies units that cross the border of two buffers into a separate buffer. */
    @Override
    public void forEach(int unit, Consumer<ByteBuffer> receiver) {
        ByteBuffer across = ByteBuffer.allocate(unit).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer first = ByteBuffer.wrap(head, from, to - from);
        handOver(view(first), across, receiver);
        for (ByteBuffer piece : rest) {
            handOver(view(piece), across, receiver);
        }
    }

    private static void handOver(ByteBuffer piece, ByteBuffer across, Consumer<ByteBuffer> receiver) {
        if (across.position() > 0) {
            fill(across, piece);
            if (across.hasRemaining()) {
                return;
            }
            receiver.accept(across.flip());
            across.clear();
        }
        int end = piece.limit();
        int whole = piece.remaining() / across.capacity() * across.capacity();
        if (whole > 0) {
            int border = piece.position() + whole;
            receiver.accept(piece.limit(border));
            piece.limit(end).position(border);
        }
        fill(across, piece);
    }

    private static void fill(ByteBuffer across, ByteBuffer piece) {
        while (across.hasRemaining() && piece.hasRemaining()) {
            across.put(piece.get());
        }
    }

    /** Makes a little-endian view with a separate position. */
    private static ByteBuffer view(ByteBuffer bytes) {
        return bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int length(ByteBuffer... buffers) {
        return Arrays.stream(buffers).mapToInt(ByteBuffer::remaining).reduce(0, Math::addExact);
    }

    @Override
    public String toString() {
        return "Pieces[" + length() + " bytes]";
    }
}
