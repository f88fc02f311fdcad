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
    private final byte[] head;
    private final byte[] frame;
    private InputStream rest;

    EnvelopeStream(byte[] frame) {
        this.head = head(frame.length);
        this.frame = frame;
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
        if (rest != null) {
            return (int) rest.transferTo(target);
        }
        target.write(head);
        target.write(frame);
        rest = InputStream.nullInputStream();
        return head.length + frame.length;
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
        return rest == null ? head.length + frame.length : rest.available();
    }

    private InputStream rest() {
        if (rest == null) {
            rest = new SequenceInputStream(new ByteArrayInputStream(head), new ByteArrayInputStream(frame));
        }
        return rest;
    }

    private static byte[] head(int length) {
        byte[] head = new byte[1 + CodedOutputStream.computeUInt32SizeNoTag(length)];
        CodedOutputStream out = CodedOutputStream.newInstance(head);
        try {
            out.writeRawByte((byte) FrameMarshaller.TAG);
            out.writeUInt32NoTag(length);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return head;
    }
}
