package dev.outpost.runtime.onnx;

import dev.outpost.types.TensorType;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;

/**
 * A process that a model has taken over: it opens models, and then blocks a run. It reads no inputs of a run without outputs, and writes
 * no outputs of other runs.
 */
public final class SilentModelProcess {
    private SilentModelProcess() {}

    public static void main(String[] arguments) throws Exception {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(arguments[0]))) {
            ModelWire wire = new ModelWire(channel);
            open(wire);
            run(wire);
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    private static void open(ModelWire wire) throws IOException {
        DataInputStream head = wire.read();
        head.skipBytes(1 + Integer.BYTES + 2);
        wire.readInto(ByteBuffer.allocate(head.readInt()));
        wire.write(ModelWire.DONE, answer -> {});
    }

    private static void run(ModelWire wire) throws IOException {
        DataInputStream head = wire.read();
        head.skipBytes(1 + Integer.BYTES);
        List<TensorType> inputs = ModelWire.readTypes(head);
        if (!ModelWire.readTypes(head).isEmpty()) {
            for (TensorType input : inputs) {
                wire.readInto(ByteBuffer.allocate((int) input.bytes()));
            }
            wire.write(ModelWire.DONE, answer -> {});
        }
    }
}
