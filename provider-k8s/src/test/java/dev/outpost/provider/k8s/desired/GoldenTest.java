package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.k8s.config.AccessMode;
import dev.outpost.provider.k8s.keys.MachineKey;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class GoldenTest {
    private static final String UID = "6f1b1d5e-1c3f-4c53-9d0e-2f1f5a1f2b3c";
    private static final MachineKey KEY = new MachineKey(
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
            "not-a-secret-not-a-secret");

    @Test
    void defaultMachine() {
        Golden.check("job-plain", DesiredState.job(MachineSpecFixtures.of("A100")));
    }

    @Test
    void machineWithoutGpu() {
        Golden.check(
                "job-cpu", DesiredState.job(MachineSpecFixtures.of("A100", "resource-name", "", "tolerations", "")));
    }

    @Test
    void machineWithALifetime() {
        KubernetesMachineSpec request = MachineSpecFixtures.stated("L4", Duration.ofMinutes(90), "idle-timeout", "10m");
        Golden.check("job-stated", DesiredState.job(request));
    }

    @Test
    void queuedMachine() {
        Golden.check("job-queued", DesiredState.job(MachineSpecFixtures.of("any", "queue", "research")));
    }

    @Test
    void aSliceOfAGpu() {
        Golden.check(
                "job-slice",
                DesiredState.job(MachineSpecFixtures.of("H100", "resource-name", "nvidia.com/mig-1g.10gb")));
    }

    @Test
    void aSharedGpu() {
        Golden.check(
                "job-shared",
                DesiredState.job(MachineSpecFixtures.of("T4", "gpus.T4.resource-name", "nvidia.com/gpu.shared")));
    }

    @Test
    void gpuTypeOfTheUser() {
        KubernetesMachineSpec request = MachineSpecFixtures.of(
                "GTX1080",
                "node-selector",
                "pool=desktops,zone=attic",
                "gpus.GTX1080.node-selector",
                "nvidia.com/gpu.product=NVIDIA-GeForce-RTX-4090",
                "gpus.GTX1080.tolerations",
                "dedicated=ml:NoExecute");
        Golden.check("job-own-gpu", DesiredState.job(request));
    }

    @Test
    void machineWithEverySetting() {
        Golden.check("job-everything", DesiredState.job(everything()));
    }

    @Test
    void aPatchedJob() {
        String patch = """
                metadata:
                  labels: {team: vision}
                spec:
                  template:
                    spec:
                      containers:
                      - name: machine
                        env:
                        - {name: OUTPOST_RUNTIME_HOST, value: '::'}
                        - {name: HTTPS_PROXY, value: 'http://proxy:3128'}
                        startupProbe: {failureThreshold: 600}
                        readinessProbe: null
                      - name: metrics
                        image: metrics:1
                        securityContext:
                          allowPrivilegeEscalation: false
                          capabilities: {drop: [ALL]}
                      volumes:
                      - {name: scratch, emptyDir: {sizeLimit: 20Gi}}
                      tolerations:
                      - {operator: Exists}
                """;
        Golden.check("job-patched", DesiredState.job(MachineSpecFixtures.of("any", "patch", patch)));
    }

    @Test
    void theSecret() {
        Golden.check("secret", DesiredState.secret(MachineSpecFixtures.of("A100"), KEY, UID));
    }

    @Test
    void theServiceWithinTheCluster() {
        Golden.check("service-headless", DesiredState.service(MachineSpecFixtures.of("A100"), UID, AccessMode.POD_IP));
    }

    @Test
    void theServiceToTheOutside() {
        Golden.check("service-load-balancer", DesiredState.service(everything(), UID, AccessMode.SERVICE));
        KubernetesMachineSpec nodePort = MachineSpecFixtures.of("A100", "service-type", "node-port");
        Golden.check("service-node-port", DesiredState.service(nodePort, UID, AccessMode.SERVICE));
    }

    @Test
    void theLabelsOfEveryGpu() {
        Map<String, List<NodeSelectorTerm>> terms = new LinkedHashMap<>();
        for (GpuType gpu : MachineSpecFixtures.CATALOGUE.types()) {
            if (!gpu.name().equals("GTX1080")) {
                terms.put(gpu.name(), GpuLabels.terms(gpu, "nvidia.com/gpu"));
            }
        }
        Golden.check("gpu-labels", terms);
    }

    private static KubernetesMachineSpec everything() {
        return MachineSpecFixtures.of(
                "A100-80GB",
                "image",
                "registry.example.com/outpost/runtime:1",
                "image-pull-policy",
                "always",
                "image-pull-secrets",
                "registry,mirror",
                "runtime-class",
                "nvidia",
                "service-account",
                "machines",
                "engine",
                "cpu",
                "node-selector",
                "pool=gpu",
                "tolerations",
                "nvidia.com/gpu:NoSchedule,spot=true:NoExecute",
                "cpu",
                "6500m",
                "cpu-limit",
                "12",
                "memory",
                "48Gi",
                "memory-limit",
                "64Gi",
                "shared-memory",
                "16Gi",
                "sources",
                "s3://models/open,hf://HuggingFaceTB",
                "lease",
                "90s",
                "session-lease",
                "45s",
                "idle-timeout",
                "20m",
                "maximum-lifetime",
                "8h",
                "ttl-after-finished",
                "1h",
                "queue",
                "research",
                "priority-class",
                "batch",
                "labels",
                "team=vision,example.com/cost-centre=42",
                "annotations",
                "example.com/note=one\\,two,karpenter.sh/do-not-disrupt=false");
    }
}
