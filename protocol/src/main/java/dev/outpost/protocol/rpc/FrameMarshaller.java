package dev.outpost.protocol.rpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;

/**
 * A frame as the {@code Envelope} of the {@code .proto}: the same bytes that generated code would make and take, with one
 * copy less each way.
 */
enum FrameMarshaller implements MethodDescriptor.Marshaller<WireFrame> {
    INSTANCE;

    static final int TAG = Envelope.FRAME_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

    @Override
    public InputStream stream(WireFrame frame) {
        return new EnvelopeStream(frame);
    }

    @Override
    public WireFrame parse(InputStream message) {
        try {
            return new WireFrame(read(message));
        } catch (IOException broken) {
            throw Status.INVALID_ARGUMENT
                    .withDescription("a message is no envelope of a frame: " + broken.getMessage())
                    .withCause(broken)
                    .asRuntimeException();
        }
    }

    private static byte[] read(InputStream message) throws IOException {
        if (message.read() != TAG) {
            throw new IOException("it does not begin with the frame");
        }
        int first = message.read();
        int length = first < 0 ? -1 : CodedInputStream.readRawVarint32(first, message);
        if (length < 0 || length > RuntimeCalls.MAX_MESSAGE_BYTES) {
            throw new IOException("a frame of " + Integer.toUnsignedString(length) + " bytes");
        }
        byte[] frame = message.readNBytes(length);
        if (frame.length < length || message.read() >= 0) {
            throw new IOException("its length is not what it says");
        }
        return frame;
    }
}
