package dev.outpost.protocol.rpc;

import com.google.protobuf.CodedOutputStream;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;

/** An envelope that gRPC copies straight to where it sends from, without putting it together first. */
final class EnvelopeStream extends InputStream implements KnownLength, Drainable {
    private final byte[] envelope;
    private final WireFrame frame;
    private InputStream rest;

    EnvelopeStream(WireFrame frame) {
        this.envelope = envelope(frame.length());
        this.frame = frame;
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
        if (rest != null) {
            return (int) rest.transferTo(target);
        }
        target.write(envelope);
        target.write(frame.head());
        frame.body().writeTo(target);
        rest = InputStream.nullInputStream();
        return envelope.length + frame.length();
    }

    @Override
    public int read() throws IOException {
        return rest().read();
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        return rest().read(target, from, length);
    }

    /** All that is left: gRPC sends this before the message. */
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
