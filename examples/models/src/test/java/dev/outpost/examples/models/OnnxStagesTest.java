package dev.outpost.examples.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The stages compute what the model computes. */
@ResourceLock(Resources.SYSTEM_OUT)
class OnnxStagesTest {
    private static final Pattern BATCH = Pattern.compile("batch \\d: differs from the model by at most (\\S+)");

    @Test
    void stagesComputeWhatTheModelComputes() throws Exception {
        String printed = PrintedOutput.of(OnnxStages::main);
        List<MatchResult> batches = BATCH.matcher(printed).results().toList();
        assertEquals(5, batches.size(), printed);
        batches.forEach(batch -> assertTrue(Double.parseDouble(batch.group(1)) < 1e-5, printed));
        assertTrue(printed.contains("a batch every"), printed);
    }
}
