package dev.outpost.runtime.state;

import dev.outpost.protocol.message.DeleteStates;
import dev.outpost.protocol.message.StateManifest;
import dev.outpost.runtime.source.SourceNotFoundException;
import dev.outpost.runtime.source.Sources;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Deletes old states of one name. A later state uses only chunks of its predecessor and its own. So everything that a complete state does
 * not use, and that a state up to its number has written, can be deleted at any time, even while later states are written. Manifests are
 * deleted first, so that no manifest is left whose chunks are missing.
 */
public final class StateDeletion {
    private static final int AT_ONCE = 16;
    /** A manifest, or a chunk in the folder of the state that wrote it. */
    private static final Pattern FILE = Pattern.compile("(\\d{1,18})(\\.manifest|/[0-9a-f]{64})");

    private StateDeletion() {}

    /**
     * Deletes the states before a complete one, or all states.
     *
     * @return the number of deleted files
     * @throws IOException if the complete state is missing, or was not written with the key; then nothing is deleted
     */
    public static long delete(Sources sources, DeleteStates request) throws IOException, InterruptedException {
        StateStore store = new StateStore(sources, request.getPlace());
        StateManifest kept;
        try {
            kept = store.manifest(request.getNumber());
        } catch (SourceNotFoundException failure) {
            throw new IOException(
                    "no state is deleted, because " + store.describe(request.getNumber()) + " is missing", failure);
        }
        Set<String> used = request.getAll() ? Set.of() : used(kept);
        List<String> old = store.list().stream()
                .filter(file -> !used.contains(file) && isOld(file, request))
                .toList();
        List<String> manifests =
                old.stream().filter(file -> file.endsWith(StateStore.MANIFEST)).toList();
        List<String> chunks =
                old.stream().filter(file -> !file.endsWith(StateStore.MANIFEST)).toList();
        delete(manifests, store);
        delete(chunks, store);
        if (request.getAll()) {
            store.deleteDrafts();
        }
        return old.size();
    }

    private static Set<String> used(StateManifest manifest) {
        Set<String> used = new HashSet<>();
        for (StateManifest.Block block : manifest.getBlocksList()) {
            block.getPiecesList().forEach(piece -> used.add(StateStore.path(piece)));
        }
        return used;
    }

    private static boolean isOld(String file, DeleteStates request) {
        Matcher parts = FILE.matcher(file);
        if (!parts.matches()) {
            return false;
        }
        long number = Long.parseLong(parts.group(1));
        boolean isKept = number == request.getNumber() && parts.group(2).equals(StateStore.MANIFEST);
        return request.getAll() || number <= request.getNumber() && !isKept;
    }

    private static void delete(List<String> files, StateStore store) throws IOException, InterruptedException {
        try (StoreCalls calls = new StoreCalls(AT_ONCE)) {
            for (String file : files) {
                calls.begin(() -> store.delete(file));
            }
            calls.finish();
        }
    }
}
