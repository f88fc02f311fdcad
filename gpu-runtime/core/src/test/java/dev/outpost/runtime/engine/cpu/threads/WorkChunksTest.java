package dev.outpost.runtime.engine.cpu.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class WorkChunksTest {
    @Test
    void aThreadAloneTakesItsOwnAndThenThoseOfTheOthers() {
        assertEquals(List.of(3, 4, 5, 6, 0, 1, 2), all(new WorkChunks(7, 3), 1));
        assertEquals(List.of(6, 0, 1, 2, 3, 4, 5), all(new WorkChunks(7, 3), 2));
    }

    @Test
    void chunksOfAThreadAreNeighboursAndTheSameEachTime() {
        for (int round = 0; round < 2; round++) {
            WorkChunks chunks = new WorkChunks(8, 2);
            List<Integer> turns = new ArrayList<>();
            for (int turn = 0; turn < 4; turn++) {
                turns.add(chunks.next(1));
                turns.add(chunks.next(0));
            }
            assertEquals(List.of(4, 0, 5, 1, 6, 2, 7, 3), turns);
            assertTrue(chunks.next(0) < 0);
            assertTrue(chunks.next(1) < 0);
        }
    }

    @Test
    void fewerPiecesThanThreadsAreTakenByWhoComes() {
        assertEquals(List.of(0, 1), all(new WorkChunks(2, 8), 5));
    }

    @Test
    void eachIsTakenOnceByThreadsThatComeTogether() {
        int count = 10_000;
        WorkChunks chunks = new WorkChunks(count, 4);
        AtomicIntegerArray times = new AtomicIntegerArray(count);
        IntStream.range(0, 4).parallel().forEach(thread -> all(chunks, thread).forEach(times::incrementAndGet));
        assertTrue(IntStream.range(0, count).allMatch(piece -> times.get(piece) == 1));
    }

    private static List<Integer> all(WorkChunks chunks, int thread) {
        List<Integer> taken = new ArrayList<>();
        for (int piece = chunks.next(thread); piece >= 0; piece = chunks.next(thread)) {
            taken.add(piece);
        }
        return taken;
    }
}
