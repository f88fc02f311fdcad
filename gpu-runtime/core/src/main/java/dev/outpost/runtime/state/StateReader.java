package dev.outpost.runtime.state;

import dev.outpost.protocol.message.ClientState;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.KeptValue;
import dev.outpost.protocol.message.RestoreState;
import dev.outpost.protocol.message.StateManifest;
import dev.outpost.runtime.source.SourceNotFoundException;
import dev.outpost.runtime.source.Sources;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads a state. Checks each size before it is used, because the store is not trusted. */
public final class StateReader implements AutoCloseable {
    private final StateStore store;
    private final StateManifest manifest;
    private final List<Saved> values = new ArrayList<>();
    private final ChunkReader chunks;

    /**
     * A value of the state.
     *
     * @param block the index of its block; negative if a fault is in place of the elements
     * @param stored the elements in the block
     * @param layout the places of the value's elements among the stored ones
     * @param fault null if there are elements
     */
    public record Saved(long id, TensorType type, int block, TensorType stored, Layout layout, Fault fault) {
        /** Returns the memory of the value. Values with equal memory share it. */
        public Memory memory() {
            return new Memory(block, stored.dtype());
        }
    }

    /** Memory that contains the elements of a block. */
    public record Memory(int block, DType dtype) {}

    /** Takes the bytes of a block, in order. */
    @FunctionalInterface
    public interface Sink {
        void take(long offset, byte[] bytes, int from, int length);
    }

    private StateReader(StateStore store, StateManifest manifest, boolean isKeptOnly) throws IOException {
        this.store = store;
        this.manifest = manifest;
        Set<Long> kept =
                manifest.getKeptList().stream().map(KeptValue::getValue).collect(Collectors.toSet());
        for (StateManifest.SavedValue value : manifest.getValuesList()) {
            if (isKeptOnly && !kept.contains(value.getId())) {
                continue;
            }
            try {
                values.add(saved(value));
            } catch (OutpostException
                    | IllegalArgumentException
                    | IndexOutOfBoundsException
                    | ArithmeticException failure) {
                throw new IOException(
                        store.describe(manifest.getNumber()) + ": value %" + value.getId() + " is wrong: "
                                + failure.getMessage(),
                        failure);
            }
        }
        chunks = new ChunkReader(store, order());
    }

    /** Returns one piece of each chunk, in the order in which the chunks are used if the values are read in their order, and then the programs. */
    private List<StateManifest.Piece> order() {
        SequencedMap<String, StateManifest.Piece> order = new LinkedHashMap<>();
        for (Saved value : values) {
            if (value.fault() == null) {
                addPieces(value.block(), order);
            }
        }
        for (StateManifest.SavedProgram program : manifest.getProgramsList()) {
            if (program.getBlock() >= 0 && program.getBlock() < manifest.getBlocksCount()) {
                addPieces(program.getBlock(), order);
            }
        }
        return List.copyOf(order.values());
    }

    private void addPieces(int block, SequencedMap<String, StateManifest.Piece> order) {
        for (StateManifest.Piece piece : manifest.getBlocks(block).getPiecesList()) {
            order.putIfAbsent(StateStore.path(piece), piece);
        }
    }

    /**
     * Reads the manifest of a state.
     *
     * @throws IOException if there is no such state, or it was changed
     */
    public static StateReader open(Sources sources, RestoreState request) throws IOException {
        StateStore store = new StateStore(sources, request.getPlace());
        long number = request.getNumber() == 0 ? store.latest() : request.getNumber();
        try {
            StateManifest manifest = store.manifest(number);
            if (manifest.getFormat() != 1) {
                throw new IOException(store.describe(number) + " has format " + manifest.getFormat()
                        + ", and this machine reads format 1");
            }
            return new StateReader(store, manifest, request.getKeptOnly());
        } catch (SourceNotFoundException failure) {
            throw new IOException(
                    "all values of the state are lost: " + store.describe(number) + " is missing", failure);
        }
    }

    private Saved saved(StateManifest.SavedValue value) {
        long[] sizes = value.getShapeList().stream().mapToLong(Long::longValue).toArray();
        TensorType type = new TensorType(DType.ofCode(value.getDtype()), Shape.of(sizes));
        if (value.hasFault()) {
            return new Saved(value.getId(), type, -1, type, null, manifest.getFaults(value.getFault()));
        }
        boolean isView = value.getStorageElements() > 0;
        Shape shape = isView ? Shape.of(value.getStorageElements()) : type.shape();
        TensorType stored = new TensorType(type.dtype(), shape);
        long bytes = 0;
        for (StateManifest.Piece piece : manifest.getBlocks(value.getBlock()).getPiecesList()) {
            if (piece.getLength() < 0 || piece.getLength() % type.dtype().bytes() != 0) {
                throw new IllegalArgumentException(
                        "a piece has " + piece.getLength() + " bytes, which are no elements");
            }
            bytes = Math.addExact(bytes, piece.getLength());
        }
        if (bytes != stored.bytes()) {
            throw new IllegalArgumentException(stored + " has " + stored.bytes() + " bytes, got " + bytes);
        }
        return new Saved(value.getId(), type, value.getBlock(), stored, layout(value, type, isView), null);
    }

    private static Layout layout(StateManifest.SavedValue value, TensorType type, boolean isView) {
        if (!isView) {
            return Layout.contiguous(type.shape());
        }
        long[] strides =
                value.getStridesList().stream().mapToLong(Long::longValue).toArray();
        Layout layout = Layout.of(type.shape(), strides, value.getOffset());
        if (layout.end() > value.getStorageElements()) {
            throw new IllegalArgumentException(layout + " is outside of " + value.getStorageElements() + " elements");
        }
        return layout;
    }

    public StateManifest manifest() {
        return manifest;
    }

    /** Returns the position of the client. The number of the state counts as asked for. */
    public ClientState client() {
        ClientState saved = manifest.getClient();
        return saved.toBuilder()
                .setLastState(Math.max(saved.getLastState(), manifest.getNumber()))
                .build();
    }

    /** Returns the values in the order of their ids. */
    public List<Saved> values() {
        return values;
    }

    /** Returns the bytes of all values that have elements. Memory that values share counts once. */
    public long bytes() {
        long bytes = 0;
        Set<Memory> counted = new HashSet<>();
        for (Saved value : values) {
            if (value.fault() == null && counted.add(value.memory())) {
                bytes = Math.addExact(bytes, value.stored().bytes());
            }
        }
        return bytes;
    }

    /**
     * Reads a block. Each chunk is checked before its bytes are handed on.
     *
     * @throws StateLostException if a chunk is missing or was changed
     * @throws IOException if the store cannot be read at present
     */
    public void read(int block, Sink sink) throws IOException, InterruptedException {
        long offset = 0;
        for (StateManifest.Piece piece : manifest.getBlocks(block).getPiecesList()) {
            byte[] chunk = chunks.chunk(piece);
            if (piece.getOffset() < 0
                    || piece.getLength() < 0
                    || piece.getOffset() > chunk.length - piece.getLength()) {
                throw new StateLostException(store.describe(manifest.getNumber()) + " names bytes outside of a chunk");
            }
            sink.take(offset, chunk, (int) piece.getOffset(), (int) piece.getLength());
            offset += piece.getLength();
        }
    }

    /** Reads the code of a program. */
    public byte[] program(StateManifest.SavedProgram program) throws IOException, InterruptedException {
        if (program.getBlock() < 0 || program.getBlock() >= manifest.getBlocksCount()) {
            throw new IOException(store.describe(manifest.getNumber()) + " has no block of a program");
        }
        ByteArrayOutputStream code = new ByteArrayOutputStream();
        read(program.getBlock(), (offset, bytes, from, length) -> {
            if (offset <= StateStore.MAX_CHUNK) {
                code.write(bytes, from, length);
            }
        });
        return code.toByteArray();
    }

    /** Stops reading chunks. */
    @Override
    public void close() {
        chunks.close();
    }
}
