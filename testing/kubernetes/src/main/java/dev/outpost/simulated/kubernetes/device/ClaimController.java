package dev.outpost.simulated.kubernetes.device;

import dev.outpost.simulated.kubernetes.api.Change;
import dev.outpost.simulated.kubernetes.api.ClusterObjects;
import dev.outpost.simulated.kubernetes.api.ClusterTime;
import dev.outpost.simulated.kubernetes.api.NameSuffix;
import dev.outpost.simulated.kubernetes.api.PodPhases;
import dev.outpost.simulated.kubernetes.control.ControlLoop;
import dev.outpost.simulated.kubernetes.control.EventRecorder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Makes the claims of pods from their templates, removes the claims of ended pods, and evicts pods from devices with a NoExecute taint.
 */
public final class ClaimController implements AutoCloseable {
    private static final String NAME = "resource-claim-controller";

    private final ClusterObjects objects;
    private final ClusterTime time;
    private final EventRecorder events;
    private final ControlLoop loop = new ControlLoop("test-claim-controller", this::pass);

    public ClaimController(ClusterObjects objects, ClusterTime time) {
        this.objects = objects;
        this.time = time;
        this.events = new EventRecorder(objects, time, NAME);
        objects.follow(this::changed);
        loop.start();
    }

    private void changed(Change change) {
        if (change.isOf(Pod.class) || change.isOf(ResourceClaimTemplate.class) || change.isOf(ResourceSlice.class)) {
            loop.poke();
        }
    }

    private Optional<Duration> pass() {
        List<Pod> pods = objects.list(Pod.class).stream()
                .filter(pod -> !DeviceScheduling.claimsOf(pod).isEmpty())
                .toList();
        List<ResourceClaim> claims = objects.list(ResourceClaim.class);
        for (Pod pod : pods) {
            List<ResourceClaim> own = claims.stream()
                    .filter(claim -> DeviceScheduling.isOf(claim, pod))
                    .toList();
            if (PodPhases.hasEnded(pod)) {
                own.forEach(objects::delete);
            } else if (pod.getMetadata().getDeletionTimestamp() == null) {
                makeMissing(pod, own);
                sendAwayFromTaints(pod, own);
            }
        }
        return Optional.empty();
    }

    // ---- claims

    private void makeMissing(Pod pod, List<ResourceClaim> own) {
        if (own.isEmpty()) {
            DeviceScheduling.claimsOf(pod).forEach(wanted -> make(pod, wanted));
        }
    }

    private void make(Pod pod, PodResourceClaim wanted) {
        String namespace = pod.getMetadata().getNamespace();
        String template = wanted.getResourceClaimTemplateName();
        objects.find(ResourceClaimTemplate.class, namespace, template)
                .ifPresentOrElse(
                        found -> objects.create(claim(pod, wanted, found), ResourceClaim.class),
                        () -> events.warning(
                                pod,
                                "FailedResourceClaimCreation",
                                "PodResourceClaim " + wanted.getName() + ": resource claim template \"" + template
                                        + "\": resourceclaimtemplate.resource.k8s.io \"" + template + "\" not found"));
    }

    private static ResourceClaim claim(Pod pod, PodResourceClaim wanted, ResourceClaimTemplate template) {
        var metadata = Optional.ofNullable(template.getSpec().getMetadata());
        return new ResourceClaimBuilder()
                .withNewMetadata()
                .withName(pod.getMetadata().getName() + "-" + wanted.getName() + "-" + NameSuffix.draw())
                .withNamespace(pod.getMetadata().getNamespace())
                .withLabels(metadata.map(given -> given.getLabels()).orElse(null))
                .addToAnnotations("resource.kubernetes.io/pod-claim-name", wanted.getName())
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("Pod")
                        .withName(pod.getMetadata().getName())
                        .withUid(pod.getMetadata().getUid())
                        .withController(true)
                        .withBlockOwnerDeletion(true)
                        .build())
                .endMetadata()
                .withSpec(template.getSpec().getSpec())
                .build();
    }

    // ---- taints

    private void sendAwayFromTaints(Pod pod, List<ResourceClaim> own) {
        boolean isSentAway = PublishedDevice.of(objects.list(ResourceSlice.class)).stream()
                .filter(device -> device.isTainted("NoExecute"))
                .anyMatch(device -> own.stream().anyMatch(claim -> DeviceScheduling.has(claim, device)));
        if (isSentAway) {
            objects.edit(
                    Pod.class,
                    pod.getMetadata().getNamespace(),
                    pod.getMetadata().getName(),
                    NAME,
                    this::sentAway);
            objects.delete(pod);
        }
    }

    private Pod sentAway(Pod pod) {
        return new PodBuilder(pod)
                .editStatus()
                .addToConditions(new PodConditionBuilder()
                        .withType("DisruptionTarget")
                        .withStatus("True")
                        .withReason("DeletionByDeviceTaintManager")
                        .withMessage("Device Taint manager: deleting due to NoExecute taint")
                        .withLastTransitionTime(time.stamp())
                        .build())
                .endStatus()
                .build();
    }

    @Override
    public void close() {
        loop.close();
    }
}
