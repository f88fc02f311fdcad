package dev.outpost.runtime.onnx;

import dev.outpost.runtime.model.ModelValue;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages between a runtime and the process of its models. Each has a length, a head, and then the elements that the head describes, in
 * their memory format. One thread reads, and one at a time writes.
 */
final class ModelWire {
    /** Requests. */
    static final int OPEN = 1;

    static final int RUN = 2;
    static final int STOP = 3;
    static final int CLOSE = 4;

    /** Answers. */
    static final int DONE = 5;

    static final int REFUSED = 6;

    private static final int MAX_OF_A_HEAD = 16 << 20;

    private final SocketChannel channel;

    ModelWire(SocketChannel channel) {
        this.channel = channel;
    }

    /** Writes a head. */
    @FunctionalInterface
    interface Head {
        void write(DataOutputStream out) throws IOException;
    }

    void write(int kind, Head head) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0);
        out.writeByte(kind);
        head.write(out);
        ByteBuffer whole = ByteBuffer.wrap(bytes.toByteArray());
        whole.putInt(0, whole.capacity() - Integer.BYTES);
        write(whole);
    }

    /** @param elements the bytes between position and limit, which do not change */
    void write(ByteBuffer elements) throws IOException {
        ByteBuffer left = elements.duplicate();
        while (left.hasRemaining()) {
            channel.write(left);
        }
    }

    /** Reads the next head. */
    DataInputStream read() throws IOException {
        ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
        readInto(length);
        int bytes = length.getInt(0);
        if (bytes < 1 || bytes > MAX_OF_A_HEAD) {
            throw new IOException("a head of " + bytes + " bytes");
        }
        ByteBuffer head = ByteBuffer.allocate(bytes);
        readInto(head);
        return new DataInputStream(new ByteArrayInputStream(head.array()));
    }

    /** Fills the bytes between position and limit, which do not change. */
    void readInto(ByteBuffer elements) throws IOException {
        ByteBuffer left = elements.duplicate();
        while (left.hasRemaining()) {
            if (channel.read(left) < 0) {
                throw new EOFException("the other side has ended");
            }
        }
    }

    static void writeTypes(DataOutputStream out, List<ModelValue> values) throws IOException {
        out.writeInt(values.size());
        for (ModelValue value : values) {
            writeType(out, value.type());
        }
    }

    static void writeType(DataOutputStream out, TensorType type) throws IOException {
        out.writeUTF(type.dtype().name());
        out.writeInt(type.shape().rank());
        for (int dim = 0; dim < type.shape().rank(); dim++) {
            out.writeLong(type.shape().size(dim));
        }
    }

    static List<TensorType> readTypes(DataInputStream in) throws IOException {
        List<TensorType> types = new ArrayList<>();
        for (int count = in.readInt(); count > 0; count--) {
            types.add(readType(in));
        }
        return types;
    }

    static TensorType readType(DataInputStream in) throws IOException {
        DType dtype = DType.valueOf(in.readUTF());
        long[] sizes = new long[in.readInt()];
        for (int dim = 0; dim < sizes.length; dim++) {
            sizes[dim] = in.readLong();
        }
        return new TensorType(dtype, Shape.of(sizes));
    }
}
