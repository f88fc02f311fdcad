package dev.outpost.channel.rpc;

import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** A message as gRPC passes it on from the network: in direct buffers, which are released if they are skipped without a mark. */
final class LentMessage extends InputStream implements HasByteBuffer, Detachable, KnownLength {
    private final ByteBuffer bytes;
    private final int bufferBytes;
    private LentMessage own;
    private boolean marked;
    private boolean givenBack;

    LentMessage(byte[] message, int bufferBytes) {
        this(ByteBuffer.allocateDirect(message.length).put(message).flip(), bufferBytes);
    }

    private LentMessage(ByteBuffer bytes, int bufferBytes) {
        this.bytes = bytes;
        this.bufferBytes = bufferBytes;
    }

    boolean isDetached() {
        return own != null;
    }

    /** True if the stream that detached the buffers has closed them. */
    boolean isGivenBack() {
        return own.givenBack;
    }

    @Override
    public int read() {
        return bytes.hasRemaining() ? bytes.get() & 0xff : -1;
    }

    @Override
    public long skip(long count) throws IOException {
        if (!marked) {
            throw new IOException("what is skipped unmarked is given back");
        }
        int skipped = (int) Math.min(count, bytes.remaining());
        bytes.position(bytes.position() + skipped);
        return skipped;
    }

    @Override
    public int available() {
        return bytes.remaining();
    }

    @Override
    public boolean byteBufferSupported() {
        return true;
    }

    @Override
    public ByteBuffer getByteBuffer() {
        return bytes.slice(bytes.position(), Math.min(bufferBytes, bytes.remaining()));
    }

    @Override
    public boolean markSupported() {
        return true;
    }

    @Override
    public synchronized void mark(int readLimit) {
        marked = true;
    }

    @Override
    public InputStream detach() {
        own = new LentMessage(bytes, bufferBytes);
        return own;
    }

    @Override
    public void close() {
        givenBack = true;
    }
}
