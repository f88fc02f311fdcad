package dev.outpost.runtime.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.DeleteStates;
import dev.outpost.protocol.message.RestoreState;
import dev.outpost.protocol.message.SaveState;
import dev.outpost.protocol.message.StateManifest;
import dev.outpost.protocol.message.StatePlace;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.runtime.source.MemoryStores;
import dev.outpost.runtime.source.SourceSettings;
import dev.outpost.runtime.source.Sources;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StateDeletionTest {
    /** More elements than values that share chunks have. */
    private static final int LARGE = 300_000;

    private final CpuEngine engine = new CpuEngine(1, 0);
    private final Map<Long, Array> values = new TreeMap<>();
    private final List<EngineBuffer> buffers = new ArrayList<>();
    private Sources sources;
    private MemoryStores.Content store;
    private StatePlace place;

    StateDeletionTest() {
        begin();
    }

    /** Begins with an empty store and no values. */
    private void begin() {
        String uri = "memory:" + UUID.randomUUID();
        sources = new Sources(SourceSettings.parse(uri));
        store = MemoryStores.content(uri);
        place = StatePlace.newBuilder()
                .setUri(uri)
                .setName("state")
                .setKey(ByteString.copyFrom(new byte[StateKeys.BYTES]))
                .build();
        values.clear();
    }

    @AfterEach
    void close() {
        buffers.forEach(engine::release);
        engine.close();
    }

    /** Defines a value whose elements depend on its id. */
    private void define(long id, int elements) {
        EngineBuffer buffer = engine.allocate(DType.FLOAT32, elements);
        byte[] bytes = new byte[4 * elements];
        Arrays.fill(bytes, (byte) id);
        engine.write(buffer, 0, new Slice(bytes, 0, bytes.length));
        buffers.add(buffer);
        values.put(id, Array.contiguous(buffer, Shape.of(elements)));
    }

    private void write(StatePlace where, long number, long previous) throws IOException, InterruptedException {
        List<SavedSession.Held> held = new ArrayList<>();
        values.forEach((id, array) -> held.add(new SavedSession.Held(id, array.type(), array, null)));
        SaveState request = SaveState.newBuilder()
                .setPlace(where)
                .setNumber(number)
                .setPrevious(previous)
                .build();
        StateWriter.write(
                sources,
                engine,
                request,
                new SavedSession(held, new TreeMap<>(Map.of(3, new byte[] {1})), 0, List.of(), () -> {}));
    }

    private void write(long number, long previous) throws IOException, InterruptedException {
        write(place, number, previous);
    }

    private long delete(long number, boolean all) throws IOException, InterruptedException {
        return StateDeletion.delete(
                sources,
                DeleteStates.newBuilder()
                        .setPlace(place)
                        .setNumber(number)
                        .setAll(all)
                        .build());
    }

    private StateReader reader(StatePlace where, long number) throws IOException {
        return StateReader.open(
                sources,
                RestoreState.newBuilder().setPlace(where).setNumber(number).build());
    }

    /** Reads all elements and programs of a state that has the present values. */
    private void assertWhole(StatePlace where, long number) throws IOException, InterruptedException {
        try (StateReader reader = reader(where, number)) {
            assertEquals(
                    List.copyOf(values.keySet()),
                    reader.values().stream().map(StateReader.Saved::id).toList());
            for (StateReader.Saved saved : reader.values()) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                reader.read(saved.block(), (offset, chunk, from, length) -> bytes.write(chunk, from, length));
                byte[] expected = new byte[(int) saved.type().bytes()];
                Arrays.fill(expected, (byte) saved.id());
                assertArrayEquals(expected, bytes.toByteArray(), "value " + saved.id());
            }
            for (StateManifest.SavedProgram program : reader.manifest().getProgramsList()) {
                assertArrayEquals(new byte[] {1}, reader.program(program));
            }
        }
    }

    /** Returns the files that a state needs. */
    private Set<String> needed(long number) throws IOException {
        try (StateReader reader = reader(place, number)) {
            return Stream.concat(
                            Stream.of(number + ".manifest"),
                            reader.manifest().getBlocksList().stream()
                                    .flatMap(block -> block.getPiecesList().stream())
                                    .map(StateStore::path))
                    .map(path -> "states/state/" + path)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** Three states: values are kept, freed and added. */
    private void writeThree() throws IOException, InterruptedException {
        begin();
        define(1, LARGE);
        define(2, LARGE);
        define(3, 10);
        define(4, 20);
        write(1, 0);
        values.remove(2L);
        values.remove(3L);
        define(5, LARGE);
        write(2, 1);
        values.remove(5L);
        define(6, 30);
        write(3, 2);
    }

    @Test
    void onlyWhatTheKeptStateNeedsIsLeft() throws Exception {
        writeThree();
        assertTrue(delete(3, false) > 0);
        assertEquals(needed(3), store.files.keySet());
        assertWhole(place, 3);
        assertEquals(0, delete(3, false));
    }

    @Test
    void aCrashAtAnyStepLosesNothing() throws Exception {
        writeThree();
        long steps = delete(3, false);
        for (int step = 0; step < steps; step++) {
            writeThree();
            store.failAfter(step);
            assertThrows(IOException.class, () -> delete(3, false));
            store.failAfter(Integer.MAX_VALUE);
            assertWhole(place, 3);
            for (String file : Set.copyOf(store.files.keySet())) {
                if (file.endsWith(".manifest")) {
                    long number = Long.parseLong(file.replaceAll("\\D", ""));
                    assertTrue(store.files.keySet().containsAll(needed(number)), "state " + number + ", step " + step);
                }
            }
            delete(3, false);
            assertEquals(needed(3), store.files.keySet());
        }
    }

    @Test
    void aCrashOfTheWriterLeavesTheEarlierStateWhole() throws Exception {
        int steps = 0;
        boolean isWritten = false;
        while (!isWritten) {
            begin();
            define(1, LARGE);
            define(2, 10);
            write(1, 0);
            Map<Long, Array> before = new TreeMap<>(values);
            values.remove(2L);
            define(3, LARGE);
            define(4, 10);
            store.failAfter(steps++);
            try {
                write(2, 1);
                isWritten = true;
            } catch (IOException ignored) {
                store.failAfter(Integer.MAX_VALUE);
                values.clear();
                values.putAll(before);
                assertWhole(place, 1);
                define(5, 10);
                write(3, 1);
                delete(3, false);
                assertEquals(needed(3), store.files.keySet(), "nothing of the failed attempt is left");
                assertWhole(place, 3);
            }
        }
        assertEquals(4, steps, "a large chunk, a small one and the manifest");
    }

    @Test
    void aLateDeletionTakesNothingFromLaterStates() throws Exception {
        writeThree();
        delete(2, false);
        assertWhole(place, 3);
        assertThrows(IOException.class, () -> delete(1, false), "the state is gone already");
        assertWhole(place, 3);
        // A failed attempt writes equal content; a later state does not use its chunks.
        store.failAfter(1);
        define(7, LARGE);
        assertThrows(IOException.class, () -> write(4, 3));
        store.failAfter(Integer.MAX_VALUE);
        write(5, 3);
        delete(3, false);
        assertWhole(place, 5);
        delete(5, false);
        assertWhole(place, 5);
        assertEquals(needed(5), store.files.keySet());
    }

    @Test
    void otherStatesInTheStoreAreLeftAlone() throws Exception {
        writeThree();
        StatePlace other = place.toBuilder().setName("state2").build();
        write(other, 1, 0);
        store.files.put("states/state/notes.txt", new byte[1]);
        store.files.put("models/model.safetensors", new byte[1]);
        delete(3, true);
        assertWhole(other, 1);
        assertTrue(store.files.containsKey("states/state/notes.txt"));
        assertTrue(store.files.containsKey("models/model.safetensors"));
        assertTrue(store.files.keySet().stream().noneMatch(file -> file.matches("states/state/\\d.*")));
    }

    @Test
    void anotherKeyDeletesNothing() throws Exception {
        writeThree();
        Set<String> before = Set.copyOf(store.files.keySet());
        place = place.toBuilder()
                .setKey(ByteString.copyFrom(new byte[] {1})
                        .concat(place.getKey().substring(1)))
                .build();
        IOException refused = assertThrows(IOException.class, () -> delete(3, true));
        assertTrue(refused.getMessage().contains("is not this session's state"), refused::getMessage);
        IOException missing = assertThrows(IOException.class, () -> delete(4, true));
        assertTrue(missing.getMessage().contains("is missing"), missing::getMessage);
        assertEquals(before, store.files.keySet());
    }

    @Test
    void aChunkThatIsMostlyFreedIsNotKept() throws Exception {
        define(1, 200_000);
        define(2, 10);
        write(1, 0);
        values.remove(1L);
        write(2, 1);
        delete(2, false);
        assertWhole(place, 2);
        assertTrue(
                store.files.values().stream().allMatch(file -> file.length < 1000),
                "the bytes of a freed value are not kept");
    }
}
