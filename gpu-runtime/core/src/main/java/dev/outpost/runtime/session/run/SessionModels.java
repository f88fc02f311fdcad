package dev.outpost.runtime.session.run;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.op.ModelCall;
import dev.outpost.protocol.op.ModelOpen;
import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.runtime.memory.HeapTransfer;
import dev.outpost.runtime.model.ModelHost;
import dev.outpost.runtime.model.ModelOptions;
import dev.outpost.runtime.model.ModelValue;
import dev.outpost.runtime.model.Models;
import dev.outpost.runtime.model.OpenModel;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.runtime.session.memory.SessionMemory;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * The models of other libraries that a session has open. A model stays open until the value that is its handle is
 * freed. All bytes that were passed to open it count against the session's memory.
 */
public final class SessionModels {
    /** The number of bytes that are read from a device at once. */
    private static final int PIECE_BYTES = 1 << 20;

    private static final int ALIGNMENT = 64;
    /** The maximum number of bytes that a buffer outside of the heap can hold. */
    private static final long MAX_BYTES = Integer.MAX_VALUE;

    private final SessionMemory memory;
    private final Engine engine;
    private final Models models;
    /** The host of models; null before the first model. Used by the worker thread alone. */
    private ModelHost host;
    /**
     * The open models by the storage of their handle. Another thread may release the last owner of a handle, which
     * closes the model.
     */
    private final Map<RefCountedStorage, OpenModel> open = new ConcurrentHashMap<>();

    public SessionModels(SessionMemory memory, Engine engine, Models models) {
        this.memory = memory;
        this.engine = engine;
        this.models = models;
    }

    /** Returns true if a model is open. */
    public boolean isAnyOpen() {
        return !open.isEmpty();
    }

    /**
     * Opens or calls a model. The caller owns the results. Used by the worker thread alone.
     *
     * @param isStopped returns true if the call must stop; called by any thread
     */
    public Value.Present[] run(Op op, Value.Present[] operands, BooleanSupplier isStopped) {
        return switch (op) {
            case ModelOpen opening -> new Value.Present[] {open(opening, operands)};
            case ModelCall call -> call(call, operands, isStopped);
            default -> throw new IllegalStateException(op.label() + " is no work for a model");
        };
    }

    // ---- opening

    private Value.Present open(ModelOpen op, Value.Present[] operands) {
        long bytes = 0;
        for (Value.Present operand : operands) {
            bytes += operand.type().bytes();
        }
        memory.reserve(bytes);
        OpenModel model = null;
        boolean isDone = false;
        try {
            model = opened(op, operands);
            Value.Present handle = handle(model, bytes);
            isDone = true;
            return handle;
        } finally {
            if (!isDone) {
                close(model, bytes);
            }
        }
    }

    private OpenModel opened(ModelOpen op, Value.Present[] operands) {
        try (Arena arena = Arena.ofShared()) {
            ByteBuffer code = outside(operands[0].array(), arena).elements();
            Map<String, ModelValue> weights = new LinkedHashMap<>();
            for (int weight = 0; weight < op.weights().size(); weight++) {
                weights.put(op.weights().get(weight), outside(operands[1 + weight].array(), arena));
            }
            return host().open(code, weights, new ModelOptions(models.isOnGpu(), op.isOptimized()));
        }
    }

    private ModelHost host() {
        if (host == null) {
            host = models.require().host();
        }
        return host;
    }

    private Value.Present handle(OpenModel model, long bytes) {
        RefCountedStorage element = memory.allocate(DType.UINT8, 1);
        engine.write(element.buffer(), 0, new Slice(new byte[1]));
        RefCountedStorage[] self = new RefCountedStorage[1];
        self[0] = RefCountedStorage.shared(element.buffer(), engine, () -> {
            open.remove(self[0]);
            close(model, bytes);
            element.release();
        });
        open.put(self[0], model);
        return Value.Present.whole(self[0], ModelOpen.HANDLE);
    }

    private void close(OpenModel model, long bytes) {
        try {
            if (model != null) {
                model.close();
            }
        } finally {
            memory.quota().release(bytes);
        }
    }

    // ---- calling

    private Value.Present[] call(ModelCall call, Value.Present[] operands, BooleanSupplier isStopped) {
        OpenModel model = open.get(operands[0].storage());
        if (model == null) {
            throw new OpException(call.label(), "the first operand is no open model");
        }
        long bytes = 0;
        for (TensorType type : call.results()) {
            bytes += requireHeld(type);
        }
        // The library's output buffers need memory in addition to the values.
        memory.reserve(bytes);
        try (Arena arena = Arena.ofShared()) {
            List<ModelValue> inputs = new ArrayList<>();
            for (int input = 1; input < operands.length; input++) {
                inputs.add(outside(operands[input].array(), arena));
            }
            List<ModelValue> outputs = new ArrayList<>();
            for (TensorType type : call.results()) {
                outputs.add(new ModelValue(type, room(type.bytes(), arena)));
            }
            model.run(inputs, outputs, isStopped);
            return stored(outputs);
        } finally {
            memory.quota().release(bytes);
        }
    }

    private Value.Present[] stored(List<ModelValue> outputs) {
        Value.Present[] results = new Value.Present[outputs.size()];
        boolean isDone = false;
        try {
            for (int output = 0; output < results.length; output++) {
                TensorType type = outputs.get(output).type();
                RefCountedStorage storage =
                        memory.allocate(type.dtype(), type.shape().elements());
                results[output] = Value.Present.whole(storage, type);
                if (type.bytes() > 0) {
                    engine.write(
                            storage.buffer(), 0, Bytes.of(outputs.get(output).elements()));
                }
            }
            isDone = true;
            return results;
        } finally {
            for (int output = 0; !isDone && output < results.length; output++) {
                if (results[output] != null) {
                    results[output].release();
                }
            }
        }
    }

    // ---- memory outside of the heap

    private static long requireHeld(TensorType type) {
        if (type.shape().elements() > MAX_BYTES / type.dtype().bytes()) {
            throw new OpException("model_call", "a value of a model takes at most 2 GiB, got " + type);
        }
        return type.bytes();
    }

    private static ByteBuffer room(long bytes, Arena arena) {
        return arena.allocate(Math.max(1, bytes), ALIGNMENT)
                .asByteBuffer()
                .order(ByteOrder.LITTLE_ENDIAN)
                .limit((int) bytes);
    }

    private ModelValue outside(Array array, Arena arena) {
        ByteBuffer target = room(requireHeld(array.type()), arena);
        int count = target.limit() / array.dtype().bytes();
        if (array.buffer() instanceof HeapBuffer heap) {
            HeapTransfer.read(heap, array.layout(), 0, count, target.duplicate().order(ByteOrder.LITTLE_ENDIAN));
            return new ModelValue(array.type(), target);
        }
        int max = PIECE_BYTES / array.dtype().bytes();
        for (int first = 0; first < count; first += max) {
            target.put(engine.read(array, first, Math.min(max, count - first)));
        }
        return new ModelValue(array.type(), target.position(0));
    }
}
