package dev.outpost.runtime.state;

import dev.outpost.protocol.message.StateManifest;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The chunks of an earlier state that a new state uses again. A chunk of which the new state needs less than half is not used, because it
 * would keep the space of values that were freed. It has small values, which are written again.
 */
final class EarlierChunks {
    private static final int AT_ONCE = 16;

    private final StateManifest earlier;
    private final Set<Integer> wanted;
    private final Set<String> good = ConcurrentHashMap.newKeySet();

    /** @param wanted the indices of the earlier state's blocks that the new state could use */
    EarlierChunks(StateStore store, StateManifest earlier, Set<Integer> wanted)
            throws IOException, InterruptedException {
        this.earlier = earlier;
        this.wanted = wanted;
        Map<String, StateManifest.Piece> chunks = new HashMap<>();
        Map<String, Long> neededBytes = new HashMap<>();
        for (int block : wanted) {
            for (StateManifest.Piece piece : earlier.getBlocks(block).getPiecesList()) {
                chunks.put(StateStore.path(piece), piece);
                neededBytes.merge(StateStore.path(piece), piece.getLength(), Long::sum);
            }
        }
        try (StoreCalls calls = new StoreCalls(AT_ONCE)) {
            for (Map.Entry<String, StateManifest.Piece> each : chunks.entrySet()) {
                if (2 * neededBytes.get(each.getKey()) >= each.getValue().getChunkBytes()) {
                    calls.begin(() -> check(store, each.getKey(), each.getValue()));
                }
            }
            calls.finish();
        }
    }

    private void check(StateStore store, String path, StateManifest.Piece piece) throws IOException {
        if (store.has(piece)) {
            good.add(path);
        }
    }

    /** Returns the indices of the blocks whose chunks are all in the store. */
    Set<Integer> usable() {
        return wanted.stream()
                .filter(block -> earlier.getBlocks(block).getPiecesList().stream()
                        .allMatch(piece -> good.contains(StateStore.path(piece))))
                .collect(Collectors.toSet());
    }
}
