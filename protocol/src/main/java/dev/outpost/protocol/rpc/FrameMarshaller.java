package dev.outpost.protocol.rpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.outpost.protocol.bytes.Slice;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;

/**
 * A frame as the {@code Envelope} of the {@code .proto}: the same bytes that generated code would make and take, with one
 * copy less each way. gRPC knows the length of what it hands over, so {@code available} is all that is left.
 */
final class FrameMarshaller implements MethodDescriptor.Marshaller<WireFrame> {
    static final int TAG = Envelope.FRAME_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

    private final FramePool pool;

    FrameMarshaller(FramePool pool) {
        this.pool = pool;
    }

    @Override
    public InputStream stream(WireFrame frame) {
        return new EnvelopeStream(frame);
    }

    @Override
    public WireFrame parse(InputStream message) {
        try {
            return WireFrame.arrived(read(message));
        } catch (IOException broken) {
            throw Status.INVALID_ARGUMENT
                    .withDescription("a message is no envelope of a frame: " + broken.getMessage())
                    .withCause(broken)
                    .asRuntimeException();
        }
    }

    private Slice read(InputStream message) throws IOException {
        int length = length(message);
        byte[] target = pool.take(length);
        if (message.readNBytes(target, 0, length) < length) {
            throw new IOException("it was cut off");
        }
        return new Slice(target, 0, length);
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
            throw new IOException("its length is not what it says");
        }
        return length;
    }
}
