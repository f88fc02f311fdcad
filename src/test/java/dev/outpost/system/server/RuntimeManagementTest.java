package dev.outpost.system.server;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.support.tests.MetricLabels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers of a runtime over REST. */
class RuntimeManagementTest {
    private static final String BULK_IN = "outpost_lane_bytes_total{direction=\"in\",lane=\"bulk\"}";

    private static ManagementClient management;

    @BeforeAll
    static void connect() {
        management = ManagementClient.of(RuntimeProcess.shared());
    }

    @ParameterizedTest
    @ValueSource(strings = {"live", "ready", "started"})
    void itIsWell(String question) {
        management
                .anonymous()
                .get("/q/health/" + question)
                .then()
                .statusCode(200)
                .body("status", equalTo("UP"))
                .body("checks.status", everyItem(equalTo("UP")));
    }

    @Test
    void thePageForOperatorsListsTheMetrics() throws IOException {
        String page = Files.readString(
                Path.of(System.getProperty("basedir", "."), "..", "..", "docs", "admin", "metrics.md"));
        Map<String, Set<String>> own = new TreeMap<>(MetricLabels.exported(management
                .owner()
                .get("/q/metrics")
                .then()
                .statusCode(200)
                .extract()
                .asString()));
        own.keySet().removeIf(name -> !name.startsWith("outpost_"));
        assertEquals(MetricLabels.documented(page, "Machines"), own);
    }

    @Test
    void anybodyMayAskWhatTheMachineIs() {
        management
                .anonymous()
                .get("/info")
                .then()
                .statusCode(200)
                .body("engine", equalTo("cpu"))
                .body("device", containsString("cpu"))
                .body("protocol", equalTo(ProtocolVersions.CURRENT.toString()))
                .body("draining", equalTo(false))
                .body("limits.sessions", equalTo(64))
                .body("quotaBytes", greaterThan(0));
    }

    @Test
    void theOwnerSeesSessions() {
        try (RemoteMachine machine = RuntimeProcess.shared().connect()) {
            Tensor ones = machine.ones(1000);
            machine.synchronize();
            int number = management.sessions().getInt("max { it.number }.number");
            management
                    .owner()
                    .get("/sessions/" + number)
                    .then()
                    .statusCode(200)
                    .body("state", equalTo("OPEN"))
                    .body("connected", equalTo(true))
                    .body("load.liveBytes", equalTo(4000))
                    .body("work.segments", equalTo(1));
            ones.close();
        }
        management.owner().get("/sessions/1000000").then().statusCode(404);
    }

    @Test
    void metricsCountWhatSessionsDo() {
        double segments = management.metric("outpost_segments_total");
        double kernels = management.metric("outpost_kernels_total");
        double bytes = management.metric(BULK_IN);
        try (RemoteMachine machine = RuntimeProcess.shared().connect()) {
            Tensor numbers = machine.tensor(SampleComputations.large(1)).neg();
            machine.synchronize();
            assertTrue(management.metric("outpost_sessions") >= 1);
            assertTrue(management.metric("outpost_connections") >= 1);
            assertTrue(management.metric("outpost_live_bytes") >= 1 << 20);
            numbers.close();
        }
        assertEquals(segments + 1, management.metric("outpost_segments_total"));
        assertTrue(management.metric("outpost_kernels_total") > kernels);
        double more = management.metric(BULK_IN) - bytes;
        assertTrue(more > 1 << 20, () -> "an upload of a megabyte brought " + more + " bytes");
    }

    @Test
    void theInterfaceDescribesItself() {
        String document = management
                .anonymous()
                .get("/q/openapi")
                .then()
                .statusCode(200)
                .extract()
                .asString();
        assertTrue(document.contains("title: Outpost runtime"), document);
        assertTrue(document.contains("  /sessions/{number}:"), document);
        assertTrue(document.contains("  /q/health/ready:"), document);
    }
}
