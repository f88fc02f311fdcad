package dev.outpost.gpucheck.part;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class PlannedPartTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void partsShareTheTimeByWhatTheyAreExpectedToTake() {
        List<PlannedPart> parts = PlannedPart.of(EnumSet.of(CheckPart.MEMORY, CheckPart.FACTORIZATIONS), 1);
        assertEquals(
                List.of(
                        new PlannedPart(CheckPart.FACTORIZATIONS, 0, SECOND.multipliedBy(48)),
                        new PlannedPart(CheckPart.MEMORY, 0, SECOND.multipliedBy(12))),
                parts);
    }

    @Test
    void noPartHasMoreThanThreeMinutes() {
        List<PlannedPart> parts = PlannedPart.of(EnumSet.allOf(CheckPart.class), 1000);
        parts.forEach(part -> assertEquals(CheckPart.MOST, part.most()));
        assertEquals(Duration.ofMinutes(3), CheckPart.MOST);
        for (CheckPart part : CheckPart.values()) {
            assertTrue(part.estimate().compareTo(CheckPart.MOST) <= 0, part::toString);
        }
    }

    /** The order on the command line does not matter. */
    @Test
    void theGpuIsBrokenWhenAllElseHasRun() {
        assertEquals(
                CheckPart.FAILURE,
                PlannedPart.of(EnumSet.allOf(CheckPart.class), 10).getLast().part());
        assertEquals(
                List.of(CheckPart.MEMORY, CheckPart.FAILURE),
                PlannedPart.of(Set.of(CheckPart.FAILURE, CheckPart.MEMORY), 3).stream()
                        .map(PlannedPart::part)
                        .toList());
    }
}
