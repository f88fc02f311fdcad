package dev.outpost.runtime.state;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.SaveState;
import dev.outpost.protocol.message.StateManifest;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.runtime.source.SourceNotFoundException;
import dev.outpost.runtime.source.Sources;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes one state: the elements of values as chunks, and then the manifest. A large value has chunks of its own; small values share
 * chunks. A value never changes, so the elements of a value that an earlier state has are not written again.
 */
public final class StateWriter {
    /** Values of fewer bytes share chunks. */
    private static final int SMALL = 1 << 20;

    private final StateStore store;
    private final Engine engine;
    private final StateManifest.Builder manifest;
    private final List<StateManifest.Block.Builder> blocks = new ArrayList<>();
    private final Map<Fault, Integer> faults = new IdentityHashMap<>();
    /** The blocks that were written for arrays of the present state. */
    private final Map<Array, Integer> written = new HashMap<>();
    /** The arrays in each buffer. */
    private final Map<EngineBuffer, Set<Array>> sharing = new IdentityHashMap<>();
    /** The values of the earlier state. */
    private final Map<Long, StateManifest.SavedValue> earlierValues = new HashMap<>();
    /** The blocks that were taken over from the earlier state, by their index there. */
    private final Map<Integer, Integer> kept = new HashMap<>();

    private StateManifest earlier = StateManifest.getDefaultInstance();
    /** The blocks of the earlier state that the store has, and that are worth keeping. */
    private Set<Integer> usable = Set.of();

    private final ChunkWriter chunks;

    private StateWriter(Sources sources, Engine engine, SaveState request) {
        this.store = new StateStore(sources, request.getPlace());
        this.engine = engine;
        this.chunks = new ChunkWriter(store, request.getNumber());
        this.manifest = StateManifest.newBuilder()
                .setFormat(1)
                .setName(store.name())
                .setNumber(request.getNumber())
                .setEngine(engine.name())
                .setDevice(engine.device())
                .setClient(request.getClient());
    }

    /**
     * Writes a state.
     *
     * @return the number of bytes that were written
     * @throws IOException if the store refused; the message says that nothing is lost
     */
    public static long write(Sources sources, Engine engine, SaveState request, SavedSession state)
            throws IOException, InterruptedException {
        StateWriter writer = new StateWriter(sources, engine, request);
        try (writer.chunks) {
            return writer.write(request.getPrevious(), state);
        } catch (IOException failure) {
            throw new IOException(
                    "the state was not written to " + writer.store.uri() + ": " + reason(failure)
                            + "; the machine keeps " + state.values().size() + " values",
                    failure);
        }
    }

    private static String reason(IOException failure) {
        if (failure instanceof FileSystemException file && file.getReason() == null) {
            String what = failure instanceof AccessDeniedException ? "no permission for " : "cannot write ";
            return what + file.getFile();
        }
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }

    private long write(long previous, SavedSession state) throws IOException, InterruptedException {
        store.requireNew(manifest.getNumber());
        for (SavedSession.Held value : state.values()) {
            if (value.fault() == null) {
                sharing.computeIfAbsent(value.array().buffer(), buffer -> new HashSet<>())
                        .add(value.array());
            }
        }
        if (previous != 0) {
            readEarlier(previous, state);
        }
        for (SavedSession.Held value : state.values()) {
            manifest.addValues(saved(value));
            state.afterEach().run();
        }
        for (Map.Entry<Integer, byte[]> program : state.programs().entrySet()) {
            int block = newBlock();
            chunks.append(program.getValue(), blocks.get(block));
            manifest.addPrograms(StateManifest.SavedProgram.newBuilder()
                    .setSlot(program.getKey())
                    .setBlock(block));
        }
        long writtenBytes = chunks.finish();
        blocks.forEach(manifest::addBlocks);
        manifest.setLastFault(state.lastFault()).addAllKept(state.names());
        return writtenBytes + store.write(manifest.build());
    }

    /** Reads the earlier state. If it is gone or was changed, everything is written. */
    private void readEarlier(long number, SavedSession state) throws IOException, InterruptedException {
        try {
            earlier = store.manifest(number);
        } catch (SourceNotFoundException | StateLostException ignored) {
            return;
        }
        earlier.getValuesList().forEach(value -> earlierValues.put(value.getId(), value));
        Set<Integer> blocksOfBoth = new HashSet<>();
        for (SavedSession.Held value : state.values()) {
            StateManifest.SavedValue before = earlierValues.get(value.id());
            if (before != null && value.fault() == null && isSame(before, described(value))) {
                blocksOfBoth.add(before.getBlock());
            }
        }
        usable = new EarlierChunks(store, earlier, blocksOfBoth).usable();
    }

    /** Returns a value without its elements. */
    private StateManifest.SavedValue.Builder described(SavedSession.Held value) {
        StateManifest.SavedValue.Builder saved = StateManifest.SavedValue.newBuilder()
                .setId(value.id())
                .setDtype(value.type().dtype().code());
        for (int size = 0; size < value.type().shape().rank(); size++) {
            saved.addShape(value.type().shape().size(size));
        }
        if (value.fault() == null && isView(value.array())) {
            addLayout(value.array(), saved);
        }
        return saved;
    }

    private StateManifest.SavedValue saved(SavedSession.Held value) throws IOException, InterruptedException {
        StateManifest.SavedValue.Builder saved = described(value);
        if (value.fault() != null) {
            return saved.setFault(fault(value.fault())).build();
        }
        Array array = value.array();
        Array stored = isView(array)
                ? Array.contiguous(array.buffer(), Shape.of(array.buffer().elements()))
                : array;
        StateManifest.SavedValue before = earlierValues.get(value.id());
        if (!written.containsKey(stored)
                && before != null
                && isSame(before, saved)
                && usable.contains(before.getBlock())) {
            written.put(stored, keep(before.getBlock()));
        }
        return saved.setBlock(block(stored)).build();
    }

    /** Returns true if the whole buffer is saved: it is smaller than the value, or than the values that share it are together. */
    private boolean isView(Array array) {
        if (array.shape().elements() > array.buffer().elements()) {
            return true;
        }
        Set<Array> all = sharing.get(array.buffer());
        if (all.size() == 1) {
            return false;
        }
        long elements = 0;
        for (Array each : all) {
            elements += each.shape().elements();
        }
        return elements > array.buffer().elements();
    }

    /** Takes over a block of the earlier state, once for all values that share it. */
    private int keep(int block) {
        return kept.computeIfAbsent(block, index -> {
            blocks.add(earlier.getBlocks(index).toBuilder());
            return blocks.size() - 1;
        });
    }

    private static void addLayout(Array array, StateManifest.SavedValue.Builder saved) {
        Layout layout = array.layout();
        for (long stride : layout.strides()) {
            saved.addStrides(stride);
        }
        saved.setOffset(layout.offset()).setStorageElements(array.buffer().elements());
    }

    private static boolean isSame(StateManifest.SavedValue before, StateManifest.SavedValue.Builder now) {
        return before.hasBlock()
                && before.getDtype() == now.getDtype()
                && before.getShapeList().equals(now.getShapeList())
                && before.getStridesList().equals(now.getStridesList())
                && before.getOffset() == now.getOffset()
                && before.getStorageElements() == now.getStorageElements();
    }

    private int fault(Fault fault) {
        Integer index = faults.putIfAbsent(fault, faults.size());
        if (index == null) {
            manifest.addFaults(fault);
            return faults.size() - 1;
        }
        return index;
    }

    // ---- blocks

    private int newBlock() {
        blocks.add(StateManifest.Block.newBuilder());
        return blocks.size() - 1;
    }

    private int block(Array array) throws IOException, InterruptedException {
        Integer known = written.get(array);
        if (known != null) {
            return known;
        }
        int index = newBlock();
        StateManifest.Block.Builder block = blocks.get(index);
        TensorType type = array.type();
        int max = StateStore.MAX_CHUNK / type.dtype().bytes();
        long elements = type.shape().elements();
        for (long first = 0; first < elements; first += max) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the session has ended");
            }
            byte[] bytes = engine.read(array, first, (int) Math.min(max, elements - first));
            if (type.bytes() >= SMALL) {
                chunks.appendChunk(bytes, block);
            } else {
                chunks.append(bytes, block);
            }
        }
        written.put(array, index);
        return index;
    }
}
