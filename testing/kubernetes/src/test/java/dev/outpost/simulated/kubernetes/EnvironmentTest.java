package dev.outpost.simulated.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.outpost.simulated.kubernetes.node.ContainerStart;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the variables that a container gets besides those of its specification, as on a real node. */
class EnvironmentTest {
    private final TestCluster cluster = TestCluster.start();
    private final CompletableFuture<ContainerStart> started = new CompletableFuture<>();

    @AfterEach
    void close() {
        cluster.close();
    }

    private Map<String, String> environment(Job job) {
        cluster.runWith(start -> {
            started.complete(start);
            throw new IOException("the test runs nothing");
        });
        cluster.client()
                .resource(new ServiceBuilder()
                        .withNewMetadata()
                        .withName("outpost-backend")
                        .endMetadata()
                        .withNewSpec()
                        .withClusterIP("10.96.0.7")
                        .addNewPort()
                        .withName("api")
                        .withPort(443)
                        .withNewTargetPort("api")
                        .endPort()
                        .endSpec()
                        .build())
                .create();
        new SampleMachine(cluster.client()).start(job);
        return ClusterAwait.present("the container starts", () -> Optional.ofNullable(started.getNow(null)))
                .environment();
    }

    @Test
    void servicesOfTheNamespaceSetVariables() {
        Map<String, String> variables = environment(SampleMachine.job());
        assertEquals("tcp://10.96.0.7:443", variables.get("OUTPOST_BACKEND_PORT"));
        assertEquals("10.96.0.7", variables.get("OUTPOST_BACKEND_SERVICE_HOST"));
        assertEquals("443", variables.get("OUTPOST_BACKEND_SERVICE_PORT"));
        assertEquals("443", variables.get("OUTPOST_BACKEND_SERVICE_PORT_API"));
        assertEquals("tcp://10.96.0.7:443", variables.get("OUTPOST_BACKEND_PORT_443_TCP"));
        assertEquals("tcp", variables.get("OUTPOST_BACKEND_PORT_443_TCP_PROTO"));
        assertEquals("443", variables.get("OUTPOST_BACKEND_PORT_443_TCP_PORT"));
        assertEquals("10.96.0.7", variables.get("OUTPOST_BACKEND_PORT_443_TCP_ADDR"));
        assertEquals("443", variables.get("KUBERNETES_SERVICE_PORT_HTTPS"));
        assertFalse(variables.get("HOSTNAME").isEmpty());
    }

    @Test
    void withoutServiceLinksOnlyTheApiServerDoes() {
        Map<String, String> variables = environment(
                SampleMachine.job(spec -> spec.getTemplate().getSpec().setEnableServiceLinks(false)));
        assertFalse(variables.keySet().stream().anyMatch(name -> name.startsWith("OUTPOST_BACKEND")));
        assertEquals("10.96.0.1", variables.get("KUBERNETES_SERVICE_HOST"));
        assertEquals("tcp://10.96.0.1:443", variables.get("KUBERNETES_PORT"));
    }

    @Test
    void variableOfTheSpecificationWins() {
        Map<String, String> variables = environment(SampleMachine.job(spec -> spec.getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getEnv()
                .add(new EnvVarBuilder()
                        .withName("OUTPOST_BACKEND_PORT")
                        .withValue("8750")
                        .build())));
        assertEquals("8750", variables.get("OUTPOST_BACKEND_PORT"));
        assertEquals("443", variables.get("OUTPOST_BACKEND_SERVICE_PORT"));
    }
}
