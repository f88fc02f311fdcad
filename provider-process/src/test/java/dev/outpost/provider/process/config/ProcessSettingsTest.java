package dev.outpost.provider.process.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.support.EngineKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("quick")
class ProcessSettingsTest {
    private static ProcessConfig read(
            Map<String, String> options, Map<String, String> properties, Map<String, String> environment) {
        return ProcessSettings.read(options, properties::get, environment::get);
    }

    private static ProcessConfig of(Map<String, String> options) {
        return read(options, Map.of(), Map.of());
    }

    @Test
    void optionsWinOverPropertiesAndTheseOverTheEnvironment() {
        Map<String, String> environment = Map.of(
                "OUTPOST_PROCESS_LEASE", "1s", "OUTPOST_PROCESS_IDLE_TIMEOUT", "2s", "OUTPOST_PROCESS_HOST", "c");
        Map<String, String> properties = Map.of("outpost.process.lease", "3s", "outpost.process.host", "b");
        ProcessConfig config = read(Map.of("host", "a"), properties, environment);
        assertEquals("a", config.host());
        assertEquals(Duration.ofSeconds(3), config.times().lease());
        assertEquals(Optional.of(Duration.ofSeconds(2)), config.times().idleTimeout());
    }

    @Test
    void unsetSettingsHaveDefaults() {
        ProcessConfig config = of(Map.of());
        assertEquals("127.0.0.1", config.host());
        assertEquals(Optional.empty(), config.program().jar());
        assertEquals(Optional.empty(), config.memory());
        assertEquals(Optional.empty(), config.engine());
        assertEquals(
                List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"),
                config.program().flags());
        assertTrue(config.state().endsWith(Path.of(".local", "state", "outpost", "machines")), config::toString);
    }

    @Test
    void machinesReadModelsFromWhatIsNamed() {
        assertEquals(Optional.empty(), of(Map.of()).sources().allowed());
        ProcessConfig config = of(Map.of("sources", "file:/models,s3://bucket", "sources-cache", "/cache"));
        assertEquals(Optional.of("file:/models,s3://bucket"), config.sources().allowed());
        assertEquals(Optional.of(Path.of("/cache")), config.sources().cache());
    }

    @Test
    void theStateIsWhereTheDesktopKeepsState() {
        ProcessConfig config = read(Map.of(), Map.of(), Map.of("XDG_STATE_HOME", "/state"));
        assertEquals(Path.of("/state/outpost/machines"), config.state());
    }

    @Test
    void standInsAreFoundWhateverTheirCase() {
        assertEquals(
                Map.of("a100", EngineKind.CPU, "h100", EngineKind.REFERENCE),
                of(Map.of("gpus", "A100:cpu, H100:reference,")).gpus());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    lease  | soon   | expected a duration such as 30s, 15m or 24h
                    lease  | 0s     | expected a time above zero
                    memory | 1Gb    | expected an amount of memory such as 16Gi or 512Mi
                    memory | 100Mi  | expected 256Mi or more
                    engine | gpu    | expected cuda, cpu or reference
                    gpus   | A100   | expected NAME:ENGINE such as A100:cpu
                    gpus   | A:cuda | expected cpu or reference as a stand-in for a GPU
                    """)
    void aValueThatMakesNoSenseIsRefusedWithItsName(String name, String value, String problem) {
        var refused = assertThrows(IllegalArgumentException.class, () -> of(Map.of(name, value)));
        assertEquals("outpost.process." + name + ": " + problem + ", got \"" + value + "\"", refused.getMessage());
    }

    @Test
    void anUnknownNameIsAnsweredWithTheNearest() {
        var refused = assertThrows(IllegalArgumentException.class, () -> of(Map.of("leese", "1s")));
        assertTrue(
                refused.getMessage()
                        .startsWith("outpost.process.leese: no setting is called leese; did you mean lease?"),
                refused::getMessage);
    }
}
