package dev.outpost.provider.k8s.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.k8s.desired.GpuChoice;
import dev.outpost.provider.k8s.devices.Slices;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the report of doctor about the method by which machines get their GPUs. */
@Tag("quick")
class DeviceCheckTest {
    private static final String API = "/apis/resource.k8s.io/v1";
    private static final String CLASS = API + "/deviceclasses/gpu.nvidia.com";

    private final FakeCluster cluster = new FakeCluster();

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    private void addClass() {
        cluster.answer(
                CLASS,
                200,
                new DeviceClassBuilder()
                        .withNewMetadata()
                        .withName("gpu.nvidia.com")
                        .endMetadata()
                        .withNewSpec()
                        .endSpec()
                        .build());
    }

    private List<ClusterFinding> run(GpuAllocation setting) {
        return run(setting, "nvidia.com/gpu", List.of("gpu.nvidia.com"));
    }

    private List<ClusterFinding> run(GpuAllocation setting, String resource, List<String> deviceClasses) {
        var config = SettingsReader.of(Map.of());
        ClusterQuestions questions = new ClusterQuestions(
                "outpost",
                false,
                false,
                List.of(),
                List.of(),
                List.of(),
                new DeviceQuestions(
                        setting,
                        resource,
                        deviceClasses,
                        GpuChoice.kinds(GpuCatalogue.standard().types(), config)));
        try (KubernetesClient client = cluster.client()) {
            return new ClusterCheck(client, questions).run();
        }
    }

    private ClusterFinding find(String what, GpuAllocation setting) {
        return find(what, run(setting));
    }

    private static ClusterFinding find(String what, List<ClusterFinding> findings) {
        return findings.stream()
                .filter(finding -> finding.what().equals(what))
                .findFirst()
                .orElseThrow(() -> new AssertionError(findings.toString()));
    }

    @Test
    void claimsAreMadeWhereTheClassIs() {
        addClass();
        cluster.objects(API + "/resourceslices", Slices.read("h100"), Slices.read("mig"));
        cluster.objects(API + "/namespaces/outpost/resourceclaims");
        assertEquals(
                ClusterFinding.ok(
                        "GPU allocation",
                        "machines claim devices of gpu.nvidia.com (resource.k8s.io/v1): the cluster has the DeviceClass"
                                + " gpu.nvidia.com"),
                find("GPU allocation", GpuAllocation.AUTO));
        assertEquals(
                ClusterFinding.warning(
                        "devices with H100",
                        "1 of 2 not claimed in this namespace, tainted gpu.nvidia.com/xid=79",
                        "The driver reports them as unhealthy: kubectl get resourceslices -o yaml shows them."),
                find("devices with H100", GpuAllocation.AUTO));
        assertTrue(run(GpuAllocation.AUTO).stream()
                .noneMatch(finding -> finding.what().equals("devices with A100-40GB")));
    }

    @Test
    void elsewhereTheExtendedResourceIsNamedWithTheReason() {
        assertEquals(
                ClusterFinding.ok(
                        "GPU allocation",
                        "machines ask for nvidia.com/gpu: the cluster has no DeviceClass gpu.nvidia.com in"
                                + " resource.k8s.io/v1"),
                find("GPU allocation", GpuAllocation.AUTO));
        cluster.forbid(CLASS, "get", "deviceclasses");
        assertEquals(
                "machines ask for nvidia.com/gpu: this user may not get the DeviceClass gpu.nvidia.com",
                find("GPU allocation", GpuAllocation.AUTO).sentence());
        assertEquals(
                "machines ask for nvidia.com/gpu: outpost.k8s.gpu-allocation requires it",
                find("GPU allocation", GpuAllocation.EXTENDED_RESOURCE).sentence());
    }

    @Test
    void aForcedClaimWithoutAClassIsAProblem() {
        assertEquals(
                ClusterFinding.problem(
                        "GPU allocation",
                        "machines claim devices, because outpost.k8s.gpu-allocation requires it, and the cluster has no"
                                + " DeviceClass gpu.nvidia.com in resource.k8s.io/v1",
                        "Install the DRA driver, correct outpost.k8s.device-class, or set"
                                + " outpost.k8s.gpu-allocation=auto."),
                find("GPU allocation", GpuAllocation.RESOURCE_CLAIM));
    }

    @Test
    void aForcedClaimOfAResourceWithoutCounterpartIsAProblem() {
        addClass();
        assertEquals(
                ClusterFinding.problem(
                        "GPU allocation",
                        "machines claim devices, because outpost.k8s.gpu-allocation requires it, and claims have no counterpart"
                                + " of outpost.k8s.resource-name = amd.com/gpu",
                        "Set it to nvidia.com/gpu or a slice such as nvidia.com/mig-1g.10gb, or set"
                                + " outpost.k8s.gpu-allocation=auto."),
                find("GPU allocation", run(GpuAllocation.RESOURCE_CLAIM, "amd.com/gpu", List.of())));
    }

    /** Machines on the CPU claim nothing, even if claims are forced. */
    @Test
    void withoutAGpuNoClaimIsChecked() {
        List<ClusterFinding> findings = run(GpuAllocation.RESOURCE_CLAIM, "", List.of());
        assertTrue(findings.stream().noneMatch(finding -> finding.what().equals("GPU allocation")), findings::toString);
        assertEquals(
                "all 24 that machines need, in namespace outpost",
                find("permissions", findings).sentence());
    }

    @Test
    void aClusterThatDoesNotTellIsUnknown() {
        cluster.answer(
                CLASS,
                500,
                FakeCluster.status(500, "InternalError", "etcd is away").build());
        ClusterFinding finding = find("GPU allocation", GpuAllocation.AUTO);
        assertEquals(ClusterFinding.State.UNKNOWN, finding.state());
        assertTrue(
                finding.sentence().startsWith("it is not known whether machines can claim devices: "),
                finding::sentence);
    }

    /** A Role from before claims has no right to list them. */
    @Test
    void claimsThatMayNotBeListedCountAsNone() {
        addClass();
        cluster.objects(API + "/resourceslices", Slices.read("h100"));
        cluster.forbid(API + "/namespaces/outpost/resourceclaims", "list", "resourceclaims");
        assertTrue(find("devices with H100", GpuAllocation.AUTO)
                .sentence()
                .startsWith("1 of 2 not claimed in this namespace"));
    }

    @Test
    void permissionsForClaimsAreCheckedWhereClaimsAreMade() {
        cluster.deny("create resourceclaimtemplates.resource.k8s.io", "list resourceslices.resource.k8s.io everywhere");
        assertEquals(
                ClusterFinding.ok("permissions", "all 24 that machines need, in namespace outpost"),
                find("permissions", GpuAllocation.AUTO));
        addClass();
        assertEquals(
                "this user may not create resourceclaimtemplates.resource.k8s.io in namespace outpost",
                find("permissions", GpuAllocation.AUTO).sentence());
        assertEquals(
                "this user may not list resourceslices.resource.k8s.io of the whole cluster: a start cannot say why it"
                        + " gets no device",
                find("permissions for devices", GpuAllocation.AUTO).sentence());
    }
}
