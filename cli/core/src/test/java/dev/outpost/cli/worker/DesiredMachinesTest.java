package dev.outpost.cli.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.outpost.rest.client.BackendJson;
import dev.outpost.rest.worker.WorkerOrders;
import org.junit.jupiter.api.Test;

class DesiredMachinesTest {
    private static DesiredMachines read(String json) throws JsonProcessingException {
        return DesiredMachines.of(BackendJson.mapper().readValue(json, WorkerOrders.class));
    }

    @Test
    void wholeListIsRead() throws JsonProcessingException {
        DesiredMachines desired = read("""
                {"version": 3, "takes": ["labels"], "machines": [{"id": "a", "epoch": 1, "version": 2, "ending": true,
                  "started": true, "gpu": "A100", "gpus": 1, "labels": {}, "grants": [], "revoked": []}]}
                """);
        assertEquals(3, desired.version());
        assertTrue(desired.machines().getFirst().terms().ending());
        assertTrue(desired.takesLabels());
        assertFalse(read("{\"version\": 3, \"machines\": []}").takesLabels());
    }
}
