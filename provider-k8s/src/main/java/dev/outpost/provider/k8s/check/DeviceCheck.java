package dev.outpost.provider.k8s.check;

import dev.outpost.provider.k8s.cluster.Devices;
import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.devices.AllocationChoice;
import dev.outpost.provider.k8s.devices.AllocationChoice.ClassState;
import dev.outpost.provider.k8s.devices.DeviceKind;
import dev.outpost.provider.k8s.devices.DeviceSupply;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** In which way machines get their GPUs, and which devices there are where they claim them. */
final class DeviceCheck {
    private static final String NAME = "GPU allocation";

    private final Devices devices;
    private final DeviceQuestions questions;

    DeviceCheck(KubernetesClient client, ClusterQuestions questions) {
        this.devices = new Devices(client, questions.namespace());
        this.questions = questions.devices();
    }

    /** The way that a start would choose; empty where the cluster does not tell. */
    Optional<AllocationChoice> choice() {
        return switch (Answer.to(
                () -> AllocationChoice.of(questions.setting(), questions.deviceClasses(), devices::deviceClass))) {
            case Answer.Told<AllocationChoice> told -> Optional.of(told.value());
            case Answer.Kept<AllocationChoice> kept -> Optional.empty();
        };
    }

    List<ClusterFinding> run(AllocationChoice choice) {
        if (questions.resource().isEmpty()) {
            return List.of();
        }
        if (!choice.isClaim()) {
            return List.of(ClusterFinding.ok(NAME, "machines ask for " + questions.resource() + ": " + choice.why()));
        }
        List<ClusterFinding> findings = new ArrayList<>();
        findings.add(missingClass()
                .orElseGet(() -> ClusterFinding.ok(
                        NAME,
                        "machines claim devices of " + String.join(" and ", questions.deviceClasses())
                                + " (resource.k8s.io/v1): " + choice.why())));
        findings.addAll(supply());
        return findings;
    }

    /** Whoever is forced to claim finds out here that there is nothing to claim. */
    private Optional<ClusterFinding> missingClass() {
        return questions.setting() == GpuAllocation.AUTO
                ? Optional.empty()
                : questions.deviceClasses().stream()
                        .filter(name -> isMissing(name))
                        .findFirst()
                        .map(name -> ClusterFinding.problem(
                                NAME,
                                "machines claim devices, since outpost.k8s.gpu-allocation says so, and the cluster has no"
                                        + " DeviceClass " + name + " in resource.k8s.io/v1",
                                "Install the DRA driver, correct outpost.k8s.device-class, or set"
                                        + " outpost.k8s.gpu-allocation=auto."));
    }

    private boolean isMissing(String name) {
        return Answer.to(() -> devices.deviceClass(name)) instanceof Answer.Told<ClassState> told
                && told.value() == ClassState.MISSING;
    }

    private List<ClusterFinding> supply() {
        return switch (Answer.to(devices::supply)) {
            case Answer.Told<Optional<DeviceSupply>> told ->
                told.value().map(this::counted).orElse(List.of());
            case Answer.Kept<Optional<DeviceSupply>> kept -> List.of();
        };
    }

    private List<ClusterFinding> counted(DeviceSupply supply) {
        List<ClusterFinding> findings = questions.kinds().stream()
                .filter(kind -> !supply.of(kind).isEmpty())
                .map(kind -> counted(kind, supply))
                .toList();
        return findings.isEmpty()
                ? List.of(ClusterFinding.warning(
                        "GPU devices",
                        "none of " + supply.devices().size() + " published devices is one that machines claim",
                        "Look at the pods of the DRA driver on the nodes with GPUs."))
                : findings;
    }

    /** Devices that claims of other namespaces have look free here. */
    private static ClusterFinding counted(DeviceKind kind, DeviceSupply supply) {
        int all = supply.of(kind).size();
        String name = "devices with " + kind.name();
        String sentence = supply.free(kind) + " of " + all + " not claimed in this namespace";
        List<String> taints = supply.taints(kind);
        return taints.isEmpty()
                ? ClusterFinding.ok(name, sentence)
                : ClusterFinding.warning(
                        name,
                        sentence + ", tainted " + String.join(", ", taints),
                        "The driver takes them for unhealthy: kubectl get resourceslices -o yaml shows them.");
    }
}
