package dev.outpost.rest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.rest.deployment.GatewayOrders;
import dev.outpost.rest.machine.MachineRequest;
import dev.outpost.rest.usage.BudgetThreshold;
import dev.outpost.rest.worker.WorkerOrders;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class BackendJsonTest {
    private final ObjectMapper mapper = BackendJson.mapper();

    /** As a proxy answers, or a backend that has broken off: machines and replicas would end by it. */
    @Test
    void answerWithoutAWholeListIsNoAnswer() {
        for (String json : List.of(
                "{}",
                "[]",
                "\"\"",
                "{\"version\": 1}",
                "{\"machines\": []}",
                "{\"version\": \"1\", \"machines\": []}",
                "{\"version\": null, \"machines\": []}",
                "{\"version\": 1, \"machines\": null}",
                "{\"version\": 1, \"machines\": [null]}",
                "{\"version\": 1, \"machines\": [{}]}",
                "{\"version\": 1, \"machines\": [{\"id\": \"a\", \"epoch\": 1, \"version\": 1}]}")) {
            assertThrows(JsonMappingException.class, () -> mapper.readValue(json, WorkerOrders.class), json);
        }
        for (String json : List.of(
                "{}",
                "[]",
                "\"\"",
                "{\"deployments\": null, \"complete\": true}",
                "{\"deployments\": [{}]}",
                "{\"deployments\": [{\"name\": \"chat\"}]}")) {
            assertThrows(JsonMappingException.class, () -> mapper.readValue(json, GatewayOrders.class), json);
        }
    }

    @Test
    void answerOfANewerBackendIsRead() throws JsonProcessingException {
        BudgetThreshold threshold =
                mapper.readValue("{\"percent\": 120, \"action\": \"HIBERNATE\", \"mood\": 1}", BudgetThreshold.class);
        assertEquals(120, threshold.percent());
        assertNull(threshold.action());
    }

    @Test
    void absentListIsEmpty() throws JsonProcessingException {
        assertEquals(
                List.of(),
                mapper.readValue("{\"version\": 3, \"machines\": []}", WorkerOrders.class)
                        .takes());
    }

    @Test
    void absentFieldIsNotSent() throws JsonProcessingException {
        MachineRequest request =
                new MachineRequest(null, "A100", null, null, Duration.ofMinutes(1), null, null, null, null);
        assertEquals("{\"gpu\":\"A100\",\"lease\":\"PT1M\"}", mapper.writeValueAsString(request));
    }
}
