package dev.outpost.provider.k8s.desired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.k8s.config.AccessMode;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.config.KubernetesNames;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.support.MachineNames;
import dev.outpost.provider.support.MachineNamesTest;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An API server would accept the names, labels and references, for all settings and all names of GPUs. */
@Tag("quick")
class ValidNamesTest {
    private static final List<String> STRANGE_GPUS = List.of("9", "R.T_X-", "g".repeat(70), "g".repeat(62) + ".x");

    /** Each setting is left out or set, so the number of combinations is a power of two. */
    private static final List<Map<String, String>> CHOICES = List.of(
            Map.of("queue", "q"),
            Map.of("resource-name", ""),
            Map.of("shared-memory", "1Gi", "memory-limit", "16Gi", "cpu-limit", "8"),
            Map.of("node-selector", "a.b/c=D_e.f", "tolerations", "*"),
            Map.of("labels", "example.com/" + "l".repeat(63) + "=" + "v".repeat(63), "annotations", "a=any thing"),
            Map.of("image-pull-secrets", "one,two", "runtime-class", "nvidia", "priority-class", "low"),
            Map.of("patch", "spec: {template: {spec: {volumes: [{name: more, emptyDir: {}}]}}}"));

    private final MachineNames names = new MachineNames(new Random(42));

    @Test
    void everyCombinationIsValid() {
        for (int choice = 0; choice < 1 << CHOICES.size(); choice++) {
            KubernetesConfig config = config(choice);
            // In turn, so that each choice is tested with each GPU, but not all combinations with all GPUs.
            List<GpuType> gpus = gpus(config);
            GpuType gpu = gpus.get(choice % gpus.size());
            check(new KubernetesMachineSpec(names.draw(gpu), gpu, life(choice), "ada@laptop", config));
        }
    }

    private static KubernetesConfig config(int choice) {
        Map<String, String> options = new HashMap<>();
        for (int bit = 0; bit < CHOICES.size(); bit++) {
            if ((choice >> bit & 1) == 1) {
                options.putAll(CHOICES.get(bit));
            }
        }
        return SettingsReader.of(options);
    }

    private static LifetimePolicy life(int choice) {
        return choice % 3 == 0 ? new LifetimePolicy.Stated(Duration.ofHours(1)) : new LifetimePolicy.ClientLease();
    }

    /** Unknown GPUs have labels only if no GPU is requested. */
    private static List<GpuType> gpus(KubernetesConfig config) {
        List<GpuType> gpus = new ArrayList<>(GpuCatalogue.standard().types());
        gpus.add(GpuType.ANY);
        if (config.resourceName().isEmpty()) {
            STRANGE_GPUS.forEach(name -> gpus.add(MachineNamesTest.type(name)));
        }
        return gpus;
    }

    private static void check(KubernetesMachineSpec request) {
        Job job = DesiredState.job(request);
        Service service = DesiredState.service(request, "uid", AccessMode.POD_IP);
        Stream.of(job, service).map(HasMetadata::getMetadata).forEach(metadata -> {
            assertEquals(request.id(), metadata.getName());
            checkMetadata(metadata);
        });
        checkMetadata(job.getSpec().getTemplate().getMetadata());
        checkPod(job.getSpec().getTemplate().getSpec());
        Map<String, String> pod = job.getSpec().getTemplate().getMetadata().getLabels();
        assertTrue(pod.entrySet().containsAll(service.getSpec().getSelector().entrySet()), "the Service finds its pod");
    }

    private static void checkMetadata(ObjectMeta metadata) {
        if (metadata.getName() != null) {
            assertTrue(KubernetesNames.isLabel(metadata.getName() + "-abcde"), metadata.getName());
        }
        metadata.getLabels().forEach((key, value) -> {
            assertTrue(KubernetesNames.isKey(key), key);
            assertTrue(KubernetesNames.isLabelValue(value), value);
        });
        metadata.getAnnotations().keySet().forEach(key -> assertTrue(KubernetesNames.isKey(key), key));
    }

    private static void checkPod(PodSpec pod) {
        Set<String> volumes = new HashSet<>();
        pod.getVolumes().forEach(volume -> {
            assertTrue(KubernetesNames.isLabel(volume.getName()), volume.getName());
            assertTrue(volumes.add(volume.getName()), volume.getName() + " is there twice");
        });
        Container container = pod.getContainers().getFirst();
        container.getVolumeMounts().forEach(mount -> assertTrue(volumes.contains(mount.getName()), mount.getName()));
        Set<String> variables = new HashSet<>();
        container.getEnv().forEach(variable -> assertTrue(variables.add(variable.getName()), variable.getName()));
        // The name of a port may have 15 letters.
        container.getPorts().forEach(port -> assertTrue(port.getName().length() <= 15, port.getName()));
    }
}
