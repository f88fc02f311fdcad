package dev.outpost.runtime.state;

import dev.outpost.protocol.message.StateManifest;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Reads chunks in an order that is known before. Reads some of the next ones at the same time, so the memory for them is bounded. Used by
 * one thread.
 */
final class ChunkReader implements AutoCloseable {
    /** The number of chunks that are in memory at the same time, besides the one that is used. */
    private static final int AHEAD = 6;

    /** A chunk that is being read. */
    private record Coming(String path, CompletableFuture<byte[]> content) {}

    private final StateStore store;
    private final StoreCalls calls = new StoreCalls(AHEAD + 1);
    private final Iterator<StateManifest.Piece> planned;
    private final Deque<Coming> coming = new ArrayDeque<>();
    private String latestPath = "";
    private byte[] latest;

    /** @param order one piece of each chunk, in the order in which the chunks will be used */
    ChunkReader(StateStore store, List<StateManifest.Piece> order) {
        this.store = store;
        this.planned = order.iterator();
    }

    /**
     * Returns the content of the whole chunk of a piece. It must not be changed.
     *
     * @throws StateLostException if the chunk is missing or was changed
     * @throws IOException if the store cannot be read at present
     */
    byte[] chunk(StateManifest.Piece piece) throws IOException, InterruptedException {
        String path = StateStore.path(piece);
        if (!path.equals(latestPath)) {
            latest = read(path, piece);
            latestPath = path;
        }
        return latest;
    }

    private byte[] read(String path, StateManifest.Piece piece) throws IOException, InterruptedException {
        readAhead();
        if (coming.isEmpty() || !coming.peek().path().equals(path)) {
            return store.read(piece);
        }
        Coming next = coming.remove();
        readAhead();
        try {
            return next.content().get();
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof IOException io) {
                throw io;
            }
            throw new IllegalStateException("a chunk was not read", failure.getCause());
        }
    }

    private void readAhead() throws IOException, InterruptedException {
        while (coming.size() < AHEAD && planned.hasNext()) {
            StateManifest.Piece piece = planned.next();
            CompletableFuture<byte[]> content = new CompletableFuture<>();
            coming.add(new Coming(StateStore.path(piece), content));
            calls.begin(() -> {
                try {
                    content.complete(store.read(piece));
                } catch (IOException | RuntimeException | Error failure) {
                    content.completeExceptionally(failure);
                }
            });
        }
    }

    @Override
    public void close() {
        calls.close();
    }
}
