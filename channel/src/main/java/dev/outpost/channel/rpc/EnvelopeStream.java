package dev.outpost.channel.rpc;

import com.google.protobuf.CodedOutputStream;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The envelope of an outgoing frame. All bytes are passed to gRPC at once, so that gRPC allocates one buffer of the
 * right size.
 */
final class EnvelopeStream extends InputStream implements KnownLength, Drainable {
    private static final int SCRATCH_BYTES = 128 << 10;

    /** The buffer in which a frame of bulk data is assembled. It is reused, so it stays in the processor's cache. */
    private static final ThreadLocal<byte[]> SCRATCH = ThreadLocal.withInitial(() -> new byte[SCRATCH_BYTES]);

    private final byte[] envelope;
    private final WireFrame frame;
    private @Nullable InputStream rest;

    EnvelopeStream(WireFrame frame) {
        this.envelope = envelope(frame.length());
        this.frame = frame;
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
        if (rest != null) {
            return (int) rest.transferTo(target);
        }
        int length = envelope.length + frame.length();
        byte[] message = isBulk(length) ? SCRATCH.get() : new byte[length];
        System.arraycopy(envelope, 0, message, 0, envelope.length);
        System.arraycopy(frame.head(), 0, message, envelope.length, frame.head().length);
        frame.body().copyTo(message, envelope.length + frame.head().length);
        target.write(message, 0, length);
        rest = InputStream.nullInputStream();
        return length;
    }

    private static boolean isBulk(int length) {
        return length > FrameMarshaller.LARGE_BYTES && length <= SCRATCH_BYTES;
    }

    @Override
    public int read() throws IOException {
        return rest().read();
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        return rest().read(target, from, length);
    }

    /** Returns the remaining bytes. GRPC sends this number before the message. */
    @Override
    public int available() throws IOException {
        return rest == null ? envelope.length + frame.length() : rest.available();
    }

    private InputStream rest() {
        if (rest == null) {
            rest = new SequenceInputStream(
                    new SequenceInputStream(new ByteArrayInputStream(envelope), new ByteArrayInputStream(frame.head())),
                    new ByteArrayInputStream(frame.body().toByteArray()));
        }
        return rest;
    }

    private static byte[] envelope(int length) {
        byte[] envelope = new byte[1 + CodedOutputStream.computeUInt32SizeNoTag(length)];
        CodedOutputStream out = CodedOutputStream.newInstance(envelope);
        try {
            out.writeRawByte((byte) FrameMarshaller.TAG);
            out.writeUInt32NoTag(length);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return envelope;
    }
}
