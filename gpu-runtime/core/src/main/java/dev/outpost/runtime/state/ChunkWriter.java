package dev.outpost.runtime.state;

import com.google.protobuf.ByteString;
import dev.outpost.protocol.message.StateManifest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Collects the bytes of blocks in chunks, and writes the chunks. Several chunks are named and written at the same time, so the memory for
 * them is bounded. Used by one thread.
 */
final class ChunkWriter implements AutoCloseable {
    /** The number of chunks that are in memory at the same time, besides the open one. */
    private static final int AT_ONCE = 6;

    private final StateStore store;
    private final long state;
    private final StoreCalls calls = new StoreCalls(AT_ONCE);
    private final Set<ByteString> written = ConcurrentHashMap.newKeySet();
    private final AtomicLong writtenBytes = new AtomicLong();

    /** Null if no chunk is open. */
    private byte[] open;

    private int openBytes;
    private List<StateManifest.Piece.Builder> openPieces = new ArrayList<>();

    /** @param state the number of the state that gets the chunks */
    ChunkWriter(StateStore store, long state) {
        this.store = store;
        this.state = state;
    }

    /** Appends bytes to a block and to the open chunk, or begins another chunk if they do not fit. So no element is cut. */
    void append(byte[] bytes, StateManifest.Block.Builder block) throws IOException, InterruptedException {
        if (bytes.length > StateStore.MAX_CHUNK - openBytes) {
            flush();
        }
        if (open == null) {
            open = new byte[StateStore.MAX_CHUNK];
        }
        System.arraycopy(bytes, 0, open, openBytes, bytes.length);
        openPieces.add(piece(block, openBytes, bytes.length));
        openBytes += bytes.length;
    }

    /** Appends a whole chunk to a block. The bytes must not be changed afterwards. */
    void appendChunk(byte[] bytes, StateManifest.Block.Builder block) throws IOException, InterruptedException {
        begin(bytes, List.of(piece(block, 0, bytes.length)));
    }

    /** Returns a piece of a block. It gets the chunk's name later. */
    private StateManifest.Piece.Builder piece(StateManifest.Block.Builder block, int from, int length) {
        return block.addPiecesBuilder().setState(state).setOffset(from).setLength(length);
    }

    /** Writes the open chunk. */
    private void flush() throws IOException, InterruptedException {
        if (openBytes == 0) {
            return;
        }
        byte[] content = openBytes == open.length ? open : Arrays.copyOf(open, openBytes);
        List<StateManifest.Piece.Builder> pieces = openPieces;
        open = null;
        openBytes = 0;
        openPieces = new ArrayList<>();
        begin(content, pieces);
    }

    private void begin(byte[] content, List<StateManifest.Piece.Builder> pieces)
            throws IOException, InterruptedException {
        calls.begin(() -> {
            ByteString chunk = store.name(content);
            pieces.forEach(piece -> piece.setChunk(chunk).setChunkBytes(content.length));
            if (written.add(chunk)) {
                store.write(state, chunk, content);
                writtenBytes.addAndGet(content.length);
            }
        });
    }

    /** Writes the open chunk, and waits for all chunks. Returns the number of written bytes. */
    long finish() throws IOException, InterruptedException {
        flush();
        calls.finish();
        return writtenBytes.get();
    }

    @Override
    public void close() {
        calls.close();
    }
}
