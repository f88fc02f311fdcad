package dev.outpost.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.runtime.session.context.Limits;
import dev.outpost.runtime.session.stats.LaneTraffic;
import dev.outpost.runtime.session.stats.RuntimeLoad;
import dev.outpost.runtime.session.stats.RuntimeStats;
import dev.outpost.runtime.session.stats.SessionState;
import dev.outpost.runtime.session.stats.SessionStats;
import dev.outpost.runtime.session.stats.WorkCounters;
import io.smallrye.openapi.api.SmallRyeOpenAPI;
import java.io.IOException;
import org.jboss.jandex.Index;
import org.jboss.jandex.Indexer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The document describes our resources as their annotations and types do, and contains no others of ours. */
class RuntimeOpenApiTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Class<?>[] TYPES = {
        ManagementResource.class,
        RuntimeInfo.Description.class,
        RuntimeStats.class,
        SessionStats.class,
        SessionState.class,
        Limits.class,
        RuntimeLoad.class,
        LaneTraffic.class,
        WorkCounters.class
    };

    private final JsonNode written = JSON.readTree(SmallRyeOpenAPI.builder()
            .withCustomStaticFile(() -> RuntimeOpenApiTest.class.getResourceAsStream("/openapi.yaml"))
            .enableAnnotationScan(false)
            .build()
            .toJSON());
    private final JsonNode scanned = JSON.readTree(SmallRyeOpenAPI.builder()
            .withIndex(index())
            .enableStandardStaticFiles(false)
            .build()
            .toJSON());

    RuntimeOpenApiTest() throws IOException {}

    @ParameterizedTest
    @ValueSource(strings = {"/paths", "/components/schemas", "/components/securitySchemes"})
    void scannedApiEqualsTheWrittenDocument(String part) {
        assertEquals(false, scanned.at(part).isEmpty());
        scanned.at(part)
                .properties()
                .forEach(
                        entry -> assertEquals(entry.getValue(), written.at(part).get(entry.getKey()), entry::getKey));
    }

    @Test
    void nothingElseIsWrittenOfOurs() {
        written.at("/paths")
                .fieldNames()
                .forEachRemaining(path -> assertEquals(scanned.at("/paths").has(path), !path.startsWith("/q/"), path));
    }

    private static Index index() throws IOException {
        Indexer indexer = new Indexer();
        for (Class<?> type : TYPES) {
            indexer.indexClass(type);
        }
        return indexer.complete();
    }
}
