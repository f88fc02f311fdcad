package dev.outpost.provider.k8s.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.GpuCatalogue;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("quick")
class BadSettingsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lease | soon | expected a duration such as 30s, 15m or 24h, got \"soon\"",
                "lease | 30 | expected a duration such as 30s, 15m or 24h, got \"30\"",
                "lease | 0s | expected a time above zero, got \"PT0S\"",
                "start-timeout | PT-1S | expected a time above zero, got \"PT-1S\"",
                "idle-timeout | 0s | expected a time above zero, got \"PT0S\"",
                "ttl-after-finished | PT-1S | expected no less than 0s, got \"PT-1S\"",
                "session-lease | 2m | a session cannot outlive its machine: expected no more than lease = PT1M, got \"PT2M\"",
                "cpu | two | expected processors such as 4, 1.5 or 500m, got \"two\"",
                "cpu | 0 | expected processors such as 4, 1.5 or 500m, got \"0\"",
                "cpu-limit | 1500m | expected no less than cpu = 2, got \"1500m\"",
                "memory | 512m | expected an amount of memory such as 16Gi or 512Mi, got \"512m\"",
                "memory-limit | 7.9Gi | expected no less than memory = 8Gi, got \"7.9Gi\"",
                "shared-memory | 9Gi | it counts as the machine's memory, which ends at 8Gi, got \"9Gi\"",
                "endpoint | tunnel | expected auto, pod-ip, service or port-forward, got \"tunnel\"",
                "service-type | ClusterIP | expected load-balancer or node-port, got \"ClusterIP\"",
                "image-pull-policy | often | expected always, if-not-present or never, got \"often\"",
                "engine | tpu | expected cuda, cpu or reference, got \"tpu\"",
                "namespace | Team A | expected a name in lower case such as team-a, got \"Team A\"",
                "image-pull-secrets | good,Bad | expected a name in lower case such as team-a, got \"Bad\"",
                "queue | a_b | expected a name in lower case such as team-a, got \"a_b\"",
                "image | an image | expected an image such as registry/name:tag, got \"an image\"",
                "image | '' | it cannot be empty; leave it out for ghcr.io/outpost-dev/runtime:0.1.0",
                "resource-name | gpu | expected a resource such as nvidia.com/gpu or nvidia.com/mig-1g.10gb, got \"gpu\"",
                "gpus.T4.resource-name | a b | expected a resource such as nvidia.com/gpu or nvidia.com/mig-1g.10gb, got \"a b\"",
                "node-selector | pool | expected key=value with commas between them, \"pool\" has no =, got \"pool\"",
                "node-selector | pool=a b | the value of pool must have letters, digits, dashes, dots and underscores, 63 at the most, got \"a b\"",
                "gpus.T4.node-selector | a/b/c=d | \"a/b/c\" is no key, expected such as example.com/team or team, got \"a/b/c=d\"",
                "labels | team=a,team=b | team stands there twice, got \"team=a,team=b\"",
                "labels | outpost.dev/machine=x | machines are found by outpost.dev/machine, which cannot be set, got \"outpost.dev/machine\"",
                "annotations | outpost.dev/owner=x | machines are found by outpost.dev/owner, which cannot be set, got \"outpost.dev/owner\"",
                "labels | kueue.x-k8s.io/queue-name=x | a queue is chosen by outpost.k8s.queue, got \"kueue.x-k8s.io/queue-name\"",
                "tolerations | a=b:Never | \"Never\" is no effect, expected NoSchedule, PreferNoSchedule or NoExecute, got \"a=b:Never\"",
                "patch | a: [ | the patch is no YAML: while parsing a flow node, got \"a: [\"",
                "patch | 5 | expected a mapping in YAML, or file: and a path, got \"5\"",
                "context | ${nobody.set.this} | an expression in it has no value, got \"${nobody.set.this}\""
            })
    void aBadValueIsRefusedInASentenceWithItsNameAndTheValue(String name, String value, String sentence) {
        assertEquals("outpost.k8s." + name + ": " + sentence, refusal(Map.of(name, value)));
    }

    @Test
    void aLongValueIsCutShort() {
        String message = refusal(Map.of("patch", "a: [\n" + "x".repeat(100)));
        assertTrue(message.endsWith("got \"a: [\\n" + "x".repeat(74) + "...\""), message);
    }

    @Test
    void anUnknownOptionIsRefusedWithTheNearest() {
        String message = refusal(Map.of("namespce", "x"));
        assertTrue(
                message.startsWith("outpost.k8s.namespce: no setting is called namespce; did you mean namespace? "
                        + "There are alternatives, annotations, connect-timeout, context, "),
                message);
        assertTrue(refusal(Map.of("gpus.T4.nodes", "x")).startsWith("outpost.k8s.gpus.T4.nodes: no setting is called"));
        assertTrue(refusal(Map.of("lease[0]", "x")).startsWith("outpost.k8s.lease[0]: no setting is called lease[0]"));
    }

    @Test
    void anUnknownGpuIsRefusedWithTheNearest() {
        String message = refusal(Map.of("gpus.A1000.resource-name", "x/y"));
        assertTrue(message.startsWith("outpost.k8s.gpus.A1000: no GPU is called A1000; did you mean A100? "), message);
    }

    @Test
    void oneGpuHasOneSetOfSettings() {
        Map<String, String> twice = new HashMap<>();
        twice.put("gpus.T4.resource-name", "x/y");
        twice.put("gpus.Tesla-T4.resource-name", "x/z");
        assertTrue(refusal(twice)
                .matches("outpost\\.k8s\\.gpus\\.(T4|Tesla-T4): it is the same GPU as "
                        + "gpus\\.(Tesla-T4|T4); set one of them"));
    }

    /** Only the mapping knows the name of such a variable, so the library writes the message, which contains the value. */
    @Test
    void aBadVariableOfOneGpuIsRefused() {
        var builder = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(new EnvConfigSource(Map.of("OUTPOST_K8S_GPUS_T4_TOLERATIONS", "a b"), 300));
        var refused = assertThrows(
                IllegalArgumentException.class, () -> SettingsReader.read(Map.of(), builder, GpuCatalogue.standard()));
        assertTrue(refused.getMessage().contains("outpost.k8s.gpus.t4.tolerations"), refused.getMessage());
        assertTrue(refused.getMessage().contains("\"a b\""), refused.getMessage());
    }

    private static String refusal(Map<String, String> options) {
        return assertThrows(IllegalArgumentException.class, () -> SettingsReader.of(options))
                .getMessage();
    }
}
