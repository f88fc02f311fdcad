package dev.outpost.backend.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.faults.Invariants.Rule;
import dev.outpost.backend.faults.Invariants.Violation;
import dev.outpost.backend.faults.Search.Finding;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Tests the tester: it finds defects that are put in on purpose and shortens their histories. */
class FaultTesterTest {
    private static final int COUNT = 80;
    private static final int MAX_HISTORIES = 20;
    private static final int FEW_STEPS = 20;

    @Test
    void plantedDefectBreaksItsRule() {
        List<HistoryStep> steps = List.of(new HistoryStep.Submit(0, 0, 60, 0), new HistoryStep.Cancel(0));
        try (Search search = new Search(Defect.CANCEL_FORGOTTEN)) {
            assertEquals(
                    List.of(Rule.ACCEPTED_IS_KEPT),
                    Invariants.check(search.run(steps, 1)).stream()
                            .map(Violation::rule)
                            .toList());
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    @Tag("full")
    void plantedDefectIsFoundAndMadeSmall(Defect defect) {
        assertFound(defect);
    }

    private static void assertFound(Defect defect) {
        try (Search search = new Search(defect)) {
            for (long seed = 0; seed < MAX_HISTORIES && !search.findings().containsKey(defect.broken()); seed++) {
                search.run(seed, COUNT);
            }
            Finding finding = search.findings().get(defect.broken());
            assertTrue(finding != null, () -> defect + " is not found in " + search.text());
            assertTrue(finding.kept().size() <= FEW_STEPS, finding::text);
            assertTrue(finding.violations().stream().anyMatch(one -> one.rule() == defect.broken()), finding::text);
        }
    }

    @Test
    void seedRepeatsAHistory() {
        assertEquals(lines(), lines());
    }

    /** Returns the lines without ids, which the backend draws. */
    private static List<String> lines() {
        try (Search search = new Search(Defect.NONE)) {
            return search.run(StepDrawer.draw(1, COUNT), 1).happenings().stream()
                    .filter(one -> !(one.what() instanceof Happening.Quiet))
                    .map(one -> one.toString().replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID"))
                    .toList();
        }
    }
}
