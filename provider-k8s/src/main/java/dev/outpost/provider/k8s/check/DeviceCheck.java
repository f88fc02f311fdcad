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

/** Checks how machines get their GPUs, and counts the devices that they may claim. */
final class DeviceCheck {
    private static final String NAME = "GPU allocation";
    private static final String FORCED = "machines claim devices, because outpost.k8s.gpu-allocation requires it, and ";

    private final Devices devices;
    private final DeviceQuestions questions;

    DeviceCheck(KubernetesClient client, ClusterQuestions questions) {
        this.devices = new Devices(client, questions.namespace());
        this.questions = questions.devices();
    }

    /** Returns the allocation that a start would choose. */
    ApiQueryResult<AllocationChoice> choice() {
        return ApiQueryResult.to(() -> AllocationChoice.of(
                questions.setting(),
                Optional.of(questions.resource()).filter(resource -> !resource.isEmpty()),
                questions.deviceClasses(),
                devices::deviceClass));
    }

    List<ClusterFinding> run(ApiQueryResult<AllocationChoice> choice) {
        return switch (choice) {
            case ApiQueryResult.Told<AllocationChoice> told ->
                questions.resource().isEmpty() ? List.of() : run(told.value());
            case ApiQueryResult.Kept<AllocationChoice> kept ->
                List.of(ClusterFinding.unknown(
                        NAME,
                        "it is not known whether machines can claim devices: "
                                + kept.problem().what(),
                        kept.problem().remedy()));
        };
    }

    private List<ClusterFinding> run(AllocationChoice choice) {
        if (!choice.isClaim()) {
            return List.of(ClusterFinding.ok(NAME, "machines ask for " + questions.resource() + ": " + choice.why()));
        }
        if (questions.deviceClasses().isEmpty()) {
            return List.of(ClusterFinding.problem(
                    NAME,
                    FORCED + AllocationChoice.NO_COUNTERPART + " = " + questions.resource(),
                    "Set it to nvidia.com/gpu or a slice such as nvidia.com/mig-1g.10gb, or set"
                            + " outpost.k8s.gpu-allocation=auto."));
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

    /** Reports a missing DeviceClass if the setting forces claims. */
    private Optional<ClusterFinding> missingClass() {
        return questions.setting() == GpuAllocation.AUTO
                ? Optional.empty()
                : AllocationChoice.missing(questions.deviceClasses(), this::state)
                        .map(missing -> ClusterFinding.problem(
                                NAME,
                                FORCED + missing,
                                "Install the DRA driver, correct outpost.k8s.device-class, or set"
                                        + " outpost.k8s.gpu-allocation=auto."));
    }

    /** Returns the state of a class. A class that could not be looked up does not count as missing. */
    private ClassState state(String deviceClass) {
        return ApiQueryResult.to(() -> devices.deviceClass(deviceClass))
                .answer()
                .orElse(ClassState.FORBIDDEN);
    }

    private List<ClusterFinding> supply() {
        return ApiQueryResult.to(devices::supply)
                .answer()
                .flatMap(supply -> supply)
                .map(this::counted)
                .orElse(List.of());
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

    /** Counts the devices. Claims of other namespaces are not visible, so their devices count as free. */
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
                        "The driver reports them as unhealthy: kubectl get resourceslices -o yaml shows them.");
    }
}
