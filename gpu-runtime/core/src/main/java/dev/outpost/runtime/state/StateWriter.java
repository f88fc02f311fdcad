package dev.outpost.runtime.state;

import com.google.protobuf.ByteString;
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
    /** For each chunk that was looked for, true if the store has it. */
    private final Map<ByteString, Boolean> known = new HashMap<>();

    private final byte[] open = new byte[StateStore.MAX_CHUNK];
    private int openBytes;
    private final List<Part> openParts = new ArrayList<>();
    private long writtenBytes;

    /** A block, or a part of it, in the open chunk. */
    private record Part(StateManifest.Block.Builder block, int from, int length) {}

    private StateWriter(Sources sources, Engine engine, SaveState request) {
        this.store = new StateStore(sources, request.getPlace());
        this.engine = engine;
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
        try {
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
        if (previous != 0) {
            readEarlier(previous);
        }
        for (SavedSession.Held value : state.values()) {
            if (value.fault() == null) {
                sharing.computeIfAbsent(value.array().buffer(), buffer -> new HashSet<>())
                        .add(value.array());
            }
        }
        for (SavedSession.Held value : state.values()) {
            manifest.addValues(saved(value));
            state.afterEach().run();
        }
        flush();
        for (Map.Entry<Integer, byte[]> program : state.programs().entrySet()) {
            int block = newBlock();
            append(program.getValue(), blocks.get(block));
            manifest.addPrograms(StateManifest.SavedProgram.newBuilder()
                    .setSlot(program.getKey())
                    .setBlock(block));
        }
        flush();
        blocks.forEach(manifest::addBlocks);
        manifest.setLastFault(state.lastFault()).addAllKept(state.names());
        return writtenBytes + store.write(manifest.build());
    }

    /** Reads the earlier state. If it is gone or was changed, everything is written. */
    private void readEarlier(long number) throws IOException {
        try {
            earlier = store.manifest(number);
        } catch (SourceNotFoundException | StateLostException ignored) {
            return;
        }
        earlier.getValuesList().forEach(value -> earlierValues.put(value.getId(), value));
    }

    private StateManifest.SavedValue saved(SavedSession.Held value) throws IOException, InterruptedException {
        StateManifest.SavedValue.Builder saved = StateManifest.SavedValue.newBuilder()
                .setId(value.id())
                .setDtype(value.type().dtype().code());
        for (int size = 0; size < value.type().shape().rank(); size++) {
            saved.addShape(value.type().shape().size(size));
        }
        if (value.fault() != null) {
            return saved.setFault(fault(value.fault())).build();
        }
        Array array = value.array();
        boolean isView = isView(array);
        if (isView) {
            addLayout(array, saved);
        }
        Array stored = isView
                ? Array.contiguous(array.buffer(), Shape.of(array.buffer().elements()))
                : array;
        StateManifest.SavedValue before = earlierValues.get(value.id());
        if (!written.containsKey(stored)
                && before != null
                && isSame(before, saved)
                && isStored(earlier.getBlocks(before.getBlock()))) {
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

    private boolean isStored(StateManifest.Block block) throws IOException {
        for (StateManifest.Piece piece : block.getPiecesList()) {
            Boolean isThere = known.get(piece.getChunk());
            if (isThere == null) {
                isThere = store.has(piece.getChunk(), piece.getChunkBytes());
                known.put(piece.getChunk(), isThere);
            }
            if (!isThere) {
                return false;
            }
        }
        return true;
    }

    private int fault(Fault fault) {
        Integer index = faults.putIfAbsent(fault, faults.size());
        if (index == null) {
            manifest.addFaults(fault);
            return faults.size() - 1;
        }
        return index;
    }

    // ---- blocks and chunks

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
        if (type.bytes() >= SMALL) {
            flush();
        }
        int max = StateStore.MAX_CHUNK / type.dtype().bytes();
        long elements = type.shape().elements();
        for (long first = 0; first < elements; first += max) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the session has ended");
            }
            append(engine.read(array, first, (int) Math.min(max, elements - first)), block);
        }
        if (type.bytes() >= SMALL) {
            flush();
        }
        written.put(array, index);
        return index;
    }

    /** Appends at most a chunk's bytes to the open chunk, or begins another one if they do not fit. So no element is cut. */
    private void append(byte[] bytes, StateManifest.Block.Builder block) throws IOException {
        if (bytes.length > open.length - openBytes) {
            flush();
        }
        System.arraycopy(bytes, 0, open, openBytes, bytes.length);
        openParts.add(new Part(block, openBytes, bytes.length));
        openBytes += bytes.length;
    }

    /** Writes the open chunk, unless the store has it. */
    private void flush() throws IOException {
        if (openBytes == 0) {
            return;
        }
        ByteString chunk = store.name(open, openBytes);
        if (!store.has(chunk, openBytes)) {
            store.write(chunk, open, openBytes);
            writtenBytes += openBytes;
        }
        known.put(chunk, true);
        for (Part part : openParts) {
            part.block()
                    .addPieces(StateManifest.Piece.newBuilder()
                            .setChunk(chunk)
                            .setChunkBytes(openBytes)
                            .setOffset(part.from())
                            .setLength(part.length()));
        }
        openParts.clear();
        openBytes = 0;
    }
}
