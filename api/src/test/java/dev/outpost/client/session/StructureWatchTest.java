package dev.outpost.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToRuntime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class StructureWatchTest {
    private static final int LARGE = StructureWatch.FEW_INSTRUCTIONS;

    private final List<String> logged = new ArrayList<>();
    private String line = "Train.java:42";
    private int walks;
    private final StructureWatch watch = new StructureWatch(
            "mock-A100",
            () -> {
                walks++;
                return line;
            },
            logged::add);

    private static Message fresh(int number) {
        return new ToRuntime.RememberSegment(number % 64, new byte[0]);
    }

    private static Message repeat(int slot) {
        return new ToRuntime.RepeatSegment(slot, new byte[0]);
    }

    @Test
    void newStructuresInARowAtOnePlaceAreHintedAtOnce() {
        for (int step = 0; step < 100; step++) {
            watch.sealed(fresh(step), LARGE);
        }
        assertEquals(List.of(watch.hint()), logged);
        assertTrue(watch.hint().contains("Train.java:42"), watch.hint());
        assertEquals(StructureWatch.MANY, walks, "once it was said, nothing is looked for any more");
    }

    @Test
    void aRepeatAtThePlaceBeginsTheCountAnew() {
        for (int step = 0; step < 100; step++) {
            watch.sealed(step % 10 == 9 ? repeat(step - 1 & 63) : fresh(step), LARGE);
        }
        assertEquals("", watch.hint());
    }

    /** For example, an optimizer's step repeats although the forward pass before it does not. */
    @Test
    void repeatsAtAnotherPlaceChangeNothing() {
        line = "Train.java:50";
        watch.sealed(fresh(63), LARGE);
        line = "Train.java:42";
        for (int step = 0; step < StructureWatch.MANY; step++) {
            watch.sealed(fresh(step), LARGE);
            watch.sealed(repeat(63), LARGE);
        }
        assertTrue(watch.hint().contains("Train.java:42"), watch.hint());
    }

    @Test
    void differentPlacesAndSmallSegmentsAreNoHabit() {
        for (int step = 0; step < 1000; step++) {
            line = "Cell.java:" + step;
            watch.sealed(fresh(step), LARGE);
            line = "Train.java:42";
            watch.sealed(fresh(step), LARGE - 1);
        }
        assertEquals("", watch.hint());
    }
}
