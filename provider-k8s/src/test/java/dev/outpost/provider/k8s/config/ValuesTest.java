package dev.outpost.provider.k8s.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.support.Durations;
import dev.outpost.provider.support.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the texts of values of settings. */
@Tag("quick")
class ValuesTest {
    @ParameterizedTest
    @CsvSource({
        "30s, 30000",
        "15m, 900000",
        "24h, 86400000",
        "1h30m, 5400000",
        "2d, 172800000",
        "500ms, 500",
        "PT0.5S, 500"
    })
    void durations(String text, long millis) {
        assertEquals(Duration.ofMillis(millis), Durations.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "s", "30 s", "-5s", "5x", "half an hour"})
    void textThatIsNoDurationIsRefused(String text) {
        var refused = assertThrows(IllegalArgumentException.class, () -> Durations.parse(text));
        assertEquals("expected a duration such as 30s, 15m or 24h", refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"4, 4000", "1.5, 1500", "500m, 500", "0.001, 1", " 2 , 2000"})
    void processors(String text, long millis) {
        assertEquals(millis, Cpus.of(text).millis());
    }

    @ParameterizedTest
    @CsvSource({"1Gi, 1023Mi", "1Gi, 1G", "1025, 1Ki", "0.6G, 500M", "2k, 1999"})
    void moreMemory(String more, String less) {
        assertTrue(Memory.of(more).isMoreThan(Memory.of(less)));
        assertFalse(Memory.of(less).isMoreThan(Memory.of(more)));
        assertFalse(Memory.of(more).isMoreThan(Memory.of(more)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0Gi", "512m", "1GB", "-1Gi", "1 Gi", "lots"})
    void textThatIsNoMemoryIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Memory.of(text));
    }

    @Test
    void pairsKeepTheirOrderAndTheirCommas() {
        Pairs pairs = Pairs.of("b=2, example.com/a = x=y ,note=one\\,two,empty=");
        assertEquals(
                List.of("b", "example.com/a", "note", "empty"),
                List.copyOf(pairs.map().keySet()));
        assertEquals(List.of("2", "x=y", "one,two", ""), List.copyOf(pairs.map().values()));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "key=value:NoSchedule, key, Equal, value, NoSchedule",
                "nvidia.com/gpu:NoExecute, nvidia.com/gpu, Exists, -, NoExecute",
                "key=value, key, Equal, value, -",
                "key=:PreferNoSchedule, key, Equal, '', PreferNoSchedule",
                "key, key, Exists, -, -",
                "*, -, Exists, -, -",
                "*:NoSchedule, -, Exists, -, NoSchedule"
            })
    void tolerations(String text, String key, String operator, String value, String effect) {
        var toleration = Tolerations.of(text).list().getFirst();
        assertEquals(key, toleration.getKey());
        assertEquals(operator, toleration.getOperator());
        assertEquals(value, toleration.getValue());
        assertEquals(effect, toleration.getEffect());
    }

    @Test
    void tolerationsAreParsedFromOneLine() {
        assertEquals(3, Tolerations.of("a, b=c:NoExecute ,*").list().size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"a,,b | ''", "=b | '=b'", "*=b | '*=b'", "a b | 'a b'", "a=b c:NoSchedule | 'a=b c:NoSchedule'"})
    void textThatIsNoTolerationIsRefused(String text, String entry) {
        var refused = assertThrows(IllegalArgumentException.class, () -> Tolerations.of(text));
        assertEquals(
                "expected tolerations such as key=value:NoSchedule, key:NoExecute, key or *, not \"" + entry + "\"",
                refused.getMessage());
    }

    @Test
    void anEffectIsSpelledAsKubernetesDoes() {
        var refused = assertThrows(IllegalArgumentException.class, () -> Tolerations.of("a:noschedule"));
        assertEquals(
                "\"noschedule\" is no effect, expected NoSchedule, PreferNoSchedule or NoExecute",
                refused.getMessage());
        assertThrows(IllegalArgumentException.class, () -> Tolerations.of("a:"));
    }

    @Test
    void aPatchIsYamlOrAFileOfIt(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("patch.yaml"), "spec:\n  suspend: true\n");
        Map<String, Object> expected = Map.of("spec", Map.of("suspend", true));
        assertEquals(expected, MergePatch.of("spec: {suspend: true}").tree());
        assertEquals(expected, MergePatch.of("file:" + file).tree());
    }

    @Test
    void aPatchThatCannotBeReadSaysWhy(@TempDir Path folder) {
        Path file = folder.resolve("nowhere.yaml");
        var refused = assertThrows(IllegalArgumentException.class, () -> MergePatch.of("file:" + file));
        assertEquals("the file cannot be read: java.nio.file.NoSuchFileException: " + file, refused.getMessage());
    }

    @Test
    void namesAreValidated() {
        assertTrue(KubernetesNames.isLabel("a".repeat(63)));
        assertFalse(KubernetesNames.isLabel("a".repeat(64)));
        assertFalse(KubernetesNames.isLabel("a.b"));
        assertFalse(KubernetesNames.isLabel("-a"));
        assertTrue(KubernetesNames.isSubdomain("a.b-c.d"));
        assertFalse(KubernetesNames.isSubdomain("a..b"));
        assertTrue(KubernetesNames.isKey("nvidia.com/mig-1g.10gb.me"));
        assertFalse(KubernetesNames.isKey("nvidia.com/"));
        assertTrue(KubernetesNames.isLabelValue(""));
        assertFalse(KubernetesNames.isLabelValue("a."));
    }
}
