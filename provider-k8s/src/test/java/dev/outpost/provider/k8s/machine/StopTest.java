package dev.outpost.provider.k8s.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.MachineObjects;
import dev.outpost.provider.k8s.MockApi;
import dev.outpost.provider.k8s.Quick;
import dev.outpost.provider.k8s.cluster.ClusterException;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.k8s.task.AdminOperation;
import dev.outpost.support.tests.Await;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StopTest {
    private final MockApi api = MockApi.start();
    private final KubernetesClient client = api.client();

    @AfterEach
    void closeApi() {
        api.close();
    }

    @Test
    void aMachineIsItsJob() {
        create(MachineObjects.claimTemplate(create(MachineObjects.job())));
        stop();
        assertEquals(0, count(Job.class));
        assertEquals(1, count(ResourceClaimTemplate.class), "the cluster removes it after the Job");
    }

    @Test
    void objectsThatLostTheirJobAreRemoved() {
        create(MachineObjects.secret(MachineObjects.job()));
        create(MachineObjects.claimTemplate(MachineObjects.job()));
        stop();
        assertEquals(0, count(Secret.class));
        assertEquals(0, count(ResourceClaimTemplate.class));
        create(MachineObjects.claimTemplate(MachineObjects.job()));
        stop();
        assertEquals(0, count(ResourceClaimTemplate.class), "also where nothing else is left");
    }

    @Test
    void aMachineThatIsNotThereIsNamed() {
        create(MachineObjects.claimTemplate(MachineObjects.job("outpost-other")));
        ClusterException missing = assertThrows(ClusterException.class, this::stop);
        assertTrue(missing.getMessage().contains(MachineObjects.ID), missing::getMessage);
        assertEquals(1, count(ResourceClaimTemplate.class));
    }

    private void stop() {
        AdminOperation.uni(
                        Quick.surroundings(client.getConfiguration()),
                        SettingsReader.of(Map.of("namespace", "test")),
                        operation -> new Stop(operation, MachineObjects.ID).run())
                .await()
                .atMost(Await.GUARD);
    }

    private <T extends HasMetadata> T create(T object) {
        return client.resource(object).inNamespace("test").create();
    }

    private int count(Class<? extends HasMetadata> type) {
        return client.resources(type).inNamespace("test").list().getItems().size();
    }
}
