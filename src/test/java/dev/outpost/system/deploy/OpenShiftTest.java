package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.k8s.desired.DesiredState;
import dev.outpost.provider.k8s.desired.KubernetesMachineSpec;
import dev.outpost.provider.k8s.desired.LifetimePolicy;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Machines in a namespace whose users the cluster draws. */
@Tag("quick")
class OpenShiftTest {
    /** The patch that deploy/README.md shows. */
    private static String patch() {
        return DeployFolder.read(DeployFolder.ROOT.resolve("README.md"))
                .lines()
                .dropWhile(line -> !line.startsWith("### OpenShift"))
                .dropWhile(line -> !line.equals("    spec:"))
                .takeWhile(line -> line.startsWith("    "))
                .map(line -> line.substring(4))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void patchOfTheReadmeLeavesTheUserToTheCluster() {
        KubernetesMachineSpec request = new KubernetesMachineSpec(
                "outpost-a100-x7k2m9qd",
                GpuCatalogue.standard().find("A100"),
                new LifetimePolicy.ClientLease(),
                "ada@laptop",
                SettingsReader.of(Map.of("namespace", "outpost", "patch", patch())));
        PodSecurityContext security =
                DesiredState.job(request).getSpec().getTemplate().getSpec().getSecurityContext();
        assertNull(security.getRunAsUser());
        assertNull(security.getRunAsGroup());
        assertNull(security.getFsGroup());
        assertTrue(security.getRunAsNonRoot());
        assertEquals("RuntimeDefault", security.getSeccompProfile().getType());
    }
}
