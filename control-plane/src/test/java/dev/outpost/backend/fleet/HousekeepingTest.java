package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HousekeepingTest {
    @Test
    void failedTaskKeepsNoOtherFromBeingDone() {
        List<String> done = new ArrayList<>();
        IllegalStateException first = new IllegalStateException("seal-key");
        IllegalStateException second = new IllegalStateException("files");
        Housekeeping housekeeping = new Housekeeping(
                () -> {
                    throw first;
                },
                () -> done.add("machines"),
                () -> {
                    throw second;
                },
                () -> done.add("answers"));
        assertSame(first, assertThrows(IllegalStateException.class, housekeeping::run));
        assertEquals(List.of("machines", "answers"), done);
        assertEquals(List.of(second), List.of(first.getSuppressed()));
    }
}
