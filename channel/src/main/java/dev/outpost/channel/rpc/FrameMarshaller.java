package dev.outpost.channel.rpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads and writes a frame as the {@code Envelope} of the {@code .proto}. The bytes are the same as with the generated code, but outgoing
 * frames and large incoming frames are not copied. The stream from gRPC ends with its message, so {@code available} is exactly the number
 * of remaining bytes.
 */
final class FrameMarshaller implements MethodDescriptor.Marshaller<WireFrame> {
    static final int TAG = Envelope.FRAME_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

    /** Frames below this size carry no bulk data, so they are copied. */
    static final int LARGE_BYTES = 16 << 10;

    @Override
    public InputStream stream(WireFrame frame) {
        return new EnvelopeStream(frame);
    }

    @Override
    public WireFrame parse(InputStream message) {
        try {
            int length = length(message);
            return length >= LARGE_BYTES && isLent(message) ? lent(message) : copied(message, length);
        } catch (IOException failure) {
            throw Status.INVALID_ARGUMENT
                    .withDescription("a message is no envelope of a frame: " + failure.getMessage())
                    .withCause(failure)
                    .asRuntimeException();
        }
    }

    /** Returns true if the frame can be read in the network's buffers. These buffers are kept until the frame is released. */
    private static boolean isLent(InputStream message) {
        return message instanceof HasByteBuffer buffers
                && buffers.byteBufferSupported()
                && message instanceof Detachable
                && message.markSupported();
    }

    /** Takes ownership of the buffers. Marks the stream, so that skipping does not release them. */
    private static WireFrame lent(InputStream message) throws IOException {
        InputStream own = ((Detachable) message).detach();
        own.mark(own.available());
        List<ByteBuffer> content = new ArrayList<>();
        while (own.available() > 0) {
            ByteBuffer piece = ((HasByteBuffer) own).getByteBuffer();
            content.add(piece);
            own.skipNBytes(piece.remaining());
        }
        return WireFrame.arrived(own, content.toArray(ByteBuffer[]::new));
    }

    private static WireFrame copied(InputStream message, int length) throws IOException {
        byte[] frame = message.readNBytes(length);
        if (frame.length < length) {
            throw new IOException("it was cut off");
        }
        return WireFrame.arrived(() -> {}, ByteBuffer.wrap(frame));
    }

    private static int length(InputStream message) throws IOException {
        if (message.read() != TAG) {
            throw new IOException("it does not begin with the frame");
        }
        int first = message.read();
        int length = first < 0 ? -1 : CodedInputStream.readRawVarint32(first, message);
        if (length < 0 || length > RuntimeCalls.MAX_MESSAGE_BYTES) {
            throw new IOException("a frame of " + Integer.toUnsignedString(length) + " bytes");
        }
        if (message.available() != length) {
            throw new IOException("its length is not the stated one");
        }
        return length;
    }
}
