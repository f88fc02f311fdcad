package dev.outpost.cli.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DesiredMachinesTest {
    private static Optional<DesiredMachines> read(String json) throws JsonProcessingException {
        return DesiredMachines.of(new ObjectMapper().readTree(json));
    }

    /** As a proxy answers, or a backend that has broken off. */
    @Test
    void answerWithoutAWholeListIsNoCommand() throws JsonProcessingException {
        for (String json : List.of(
                "{}",
                "[]",
                "null",
                "\"\"",
                "{\"version\": 1}",
                "{\"machines\": []}",
                "{\"version\": \"1\", \"machines\": []}",
                "{\"version\": 1, \"machines\": [{}]}",
                "{\"version\": 1, \"machines\": [{\"id\": \"a\", \"epoch\": 1, \"version\": 1}]}")) {
            assertEquals(Optional.empty(), read(json), json);
        }
        assertEquals(Optional.empty(), DesiredMachines.of(MissingNode.getInstance()));
    }

    @Test
    void wholeListIsRead() throws JsonProcessingException {
        DesiredMachines desired = read("{\"version\": 3, \"machines\":"
                        + " [{\"id\": \"a\", \"epoch\": 1, \"version\": 2, \"ending\": true}], \"takes\": [\"labels\"]}")
                .orElseThrow();
        assertEquals(3, desired.version());
        assertTrue(desired.machines().getFirst().isEnding());
        assertTrue(desired.takesLabels());
        assertFalse(read("{\"version\": 3, \"machines\": []}").orElseThrow().takesLabels());
    }
}
