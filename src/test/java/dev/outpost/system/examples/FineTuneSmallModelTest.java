package dev.outpost.system.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.examples.tuning.FineTuneSmallModel;
import dev.outpost.examples.tuning.FineTuneSmallModel.Scores;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small model learns something new by an adapter, and has lost nothing when the adapter is removed. */
@Tag("full")
class FineTuneSmallModelTest {
    @Test
    void theAdapterTeachesTheModelToWriteCapitals(@TempDir Path folder) {
        MachineOptions options = new MachineOptions().option("sources", "file:" + folder);
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100", options)) {
            Scores scores = FineTuneSmallModel.run(machine, "file:" + folder.resolve("model"), 400, 150);
            assertEquals(0, scores.made().repeated());
            assertTrue(scores.trained().repeated() >= 90, scores::toString);
            assertEquals(0, scores.trained().capitals());
            assertTrue(scores.adapted().capitals() >= 90, scores::toString);
            assertEquals(scores.trained(), scores.takenOff());
        }
    }
}
