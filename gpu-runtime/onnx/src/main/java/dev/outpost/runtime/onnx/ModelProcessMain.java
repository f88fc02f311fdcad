package dev.outpost.runtime.onnx;

import dev.outpost.runtime.model.ModelOptions;
import dev.outpost.runtime.model.ModelValue;
import dev.outpost.runtime.model.OpenModel;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The main class of the process in which the models of a session are open. It handles the runtime's requests, which arrive at the socket
 * named by its argument, and ends when the socket is closed.
 */
public final class ModelProcessMain {
    private static final int ALIGNMENT = 64;

    private final ModelWire wire;
    /** The open models by their number. Used only by the worker thread. */
    private final Map<Integer, Held> open = new HashMap<>();

    private final ExecutorService worker = Executors.newSingleThreadExecutor();
    private volatile boolean isStopped;

    private ModelProcessMain(ModelWire wire) {
        this.wire = wire;
    }

    /** An open model, and the memory that it reads. */
    private record Held(OpenModel model, Arena arena) {
        void close() {
            model.close();
            arena.close();
        }
    }

    public static void main(String[] arguments) {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(arguments[0]))) {
            new ModelProcessMain(new ModelWire(channel)).serve();
        } catch (IOException ignored) {
            // Ignored: the runtime has ended, or no longer needs this process.
        }
        // Halts, since a model may still run.
        Runtime.getRuntime().halt(0);
    }

    /** Continues to read messages while a model runs, because one of them may stop the run. */
    private void serve() throws IOException {
        while (true) {
            DataInputStream head = wire.read();
            switch (head.readByte()) {
                case ModelWire.OPEN -> readOpen(head);
                case ModelWire.RUN -> readRun(head);
                case ModelWire.STOP -> isStopped = true;
                case ModelWire.CLOSE -> {
                    int number = head.readInt();
                    worker.execute(() -> open.remove(number).close());
                }
                default -> throw new IOException("a request of an unknown kind");
            }
        }
    }

    // ---- opening

    private void readOpen(DataInputStream head) throws IOException {
        int number = head.readInt();
        ModelOptions options = new ModelOptions(head.readBoolean(), head.readBoolean());
        int length = head.readInt();
        List<String> names = new ArrayList<>();
        for (int count = head.readInt(); count > 0; count--) {
            names.add(head.readUTF());
        }
        List<TensorType> types = ModelWire.readTypes(head);
        Arena arena = Arena.ofShared();
        ByteBuffer model = room(length, arena);
        wire.readInto(model);
        List<ModelValue> values = readValues(types, arena);
        Map<String, ModelValue> weights = new LinkedHashMap<>();
        for (int weight = 0; weight < values.size(); weight++) {
            weights.put(names.get(weight), values.get(weight));
        }
        worker.execute(() -> answer(() -> open(number, model, weights, options, arena), List.of()));
    }

    private void open(
            int number, ByteBuffer model, Map<String, ModelValue> weights, ModelOptions options, Arena arena) {
        boolean isOpen = false;
        try {
            open.put(number, new Held(OnnxSessions.open(model, weights, options), arena));
            isOpen = true;
        } finally {
            if (!isOpen) {
                arena.close();
            }
        }
    }

    // ---- running

    private void readRun(DataInputStream head) throws IOException {
        isStopped = false;
        int number = head.readInt();
        List<TensorType> inputTypes = ModelWire.readTypes(head);
        List<TensorType> outputTypes = ModelWire.readTypes(head);
        Arena arena = Arena.ofShared();
        List<ModelValue> inputs = readValues(inputTypes, arena);
        List<ModelValue> outputs = new ArrayList<>();
        for (TensorType type : outputTypes) {
            outputs.add(new ModelValue(type, room(type.bytes(), arena)));
        }
        worker.execute(() -> {
            try (arena) {
                answer(() -> open.get(number).model().run(inputs, outputs, () -> isStopped), outputs);
            }
        });
    }

    // ---- both

    private void answer(Runnable work, List<ModelValue> outputs) {
        try {
            refusal(work);
            wire.write(ModelWire.DONE, head -> {});
            for (ModelValue output : outputs) {
                wire.write(output.elements());
            }
        } catch (OutpostException failure) {
            refuse(failure);
        } catch (IOException ignored) {
            Runtime.getRuntime().halt(0);
        }
    }

    /** Reports refusals to the runtime. Any other failure is a defect, and is also reported. */
    private static void refusal(Runnable work) {
        try {
            work.run();
        } catch (OutpostException failure) {
            throw failure;
        } catch (RuntimeException | LinkageError failure) {
            throw new OutpostException(FaultKind.INTERNAL, "onnx: " + failure, failure);
        } catch (OutOfMemoryError outOfMemory) {
            throw new OutpostException(FaultKind.RESOURCES, "onnx: " + outOfMemory.getMessage(), outOfMemory);
        }
    }

    private void refuse(OutpostException refused) {
        try {
            wire.write(ModelWire.REFUSED, head -> {
                head.writeInt(refused.kind().code());
                head.writeUTF(refused.getMessage());
            });
        } catch (IOException ignored) {
            Runtime.getRuntime().halt(0);
        }
    }

    private List<ModelValue> readValues(List<TensorType> types, Arena arena) throws IOException {
        List<ModelValue> values = new ArrayList<>();
        for (TensorType type : types) {
            ByteBuffer elements = room(type.bytes(), arena);
            wire.readInto(elements);
            values.add(new ModelValue(type, elements));
        }
        return values;
    }

    private static ByteBuffer room(long bytes, Arena arena) {
        return arena.allocate(Math.max(1, bytes), ALIGNMENT)
                .asByteBuffer()
                .order(ByteOrder.LITTLE_ENDIAN)
                .limit(Math.toIntExact(bytes));
    }
}
