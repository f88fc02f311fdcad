package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.symptom.StartSymptom;
import dev.outpost.provider.k8s.reason.symptom.SymptomOutcome;
import java.util.List;

/** The container does not run. */
final class StartCases {
    private StartCases() {}

    static List<PodCase> all() {
        return List.of(
                PodCase.of(
                        "sandbox-made-after-all",
                        StartSymptom.STARTING,
                        "starting on node gpu-node-1, which had the image"),
                PodCase.of("starting", StartSymptom.PLACED, "starting on node gpu-node-1"),
                PodCase.of(
                        "starting-image-pulled",
                        StartSymptom.STARTING,
                        "starting on node gpu-node-1, its image of 1.8 GB pulled in 1 min 58 s"),
                PodCase.of(
                        "starting-image-there",
                        StartSymptom.STARTING,
                        "starting on node gpu-node-1, which had the image"),
                PodCase.of(
                        "mount-failed",
                        StartSymptom.VOLUME_MISSING,
                        "a volume cannot be mounted: MountVolume.SetUp failed for volume \"models\" : "
                                + "secret \"models\" not found"),
                PodCase.of(
                        "attach-failed",
                        StartSymptom.MOUNT_FAILED,
                        "a volume cannot be mounted: Multi-Attach error for volume \"pvc-3f\" Volume is "
                                + "already exclusively attached to one node and can't be attached to another"),
                PodCase.of(
                        "runtime-missing",
                        StartSymptom.RUNTIME_MISSING,
                        "the node gpu-node-1 has no container runtime nvidia"),
                PodCase.of(
                        "sandbox-failed",
                        StartSymptom.SANDBOX_FAILED,
                        "the node gpu-node-1 cannot make a sandbox for the pod: rpc error: code = Unknown "
                                + "desc = failed to setup network for sandbox \"3a\": plugin type=\"aws-cni\" "
                                + "name=\"aws-cni\" failed (add): add cmd: failed to assign an IP address to "
                                + "container"),
                PodCase.of(
                        "config-key-missing",
                        StartSymptom.CONFIG_MISSING,
                        "the container needs a missing object: couldn't find key token in Secret " + "outpost/hub"),
                PodCase.of(
                        "config-missing",
                        StartSymptom.CONFIG_MISSING,
                        "the container needs a missing object: configmap \"models\" not found"),
                PodCase.of(
                        "runs-as-root",
                        StartSymptom.ROOT_FORBIDDEN,
                        "the image runs as root, which the pod forbids: container has runAsNonRoot and "
                                + "image will run as root"),
                PodCase.of(
                        "config-refused",
                        StartSymptom.CONFIG_REFUSED,
                        "the container's configuration is refused: failed to prepare subPath for "
                                + "volumeMount \"models\" of container \"machine\""),
                PodCase.of(
                        "create-failed",
                        StartSymptom.CREATE_FAILED,
                        "the container cannot be created: failed to reserve container name "
                                + "\"machine_outpost_0\": name is reserved for \"5e\""),
                PodCase.of(
                        "waits-unknown",
                        StartSymptom.CREATE_FAILED,
                        "the container waits: PostStartHookError: command hook exited with 1"),
                PodCase.of(
                        "driver-too-old",
                        StartSymptom.DRIVER_TOO_OLD,
                        "the driver of node gpu-node-1 is too old for the image's CUDA: it needs cuda>=12.8"),
                PodCase.of(
                                "driver-too-old-by-last-word",
                                StartSymptom.DRIVER_TOO_OLD,
                                "the driver of node gpu-node-1 is too old for the image's CUDA: "
                                        + "CUDA_ERROR_UNSUPPORTED_PTX_VERSION")
                        .followedBy(SymptomOutcome.ENDS),
                PodCase.of(
                                "driver-too-old-by-log",
                                StartSymptom.DRIVER_TOO_OLD,
                                "the driver of node gpu-node-1 is too old for the image's CUDA: CUDA driver "
                                        + "version is insufficient for CUDA runtime version")
                        .followedBy(SymptomOutcome.ENDS),
                PodCase.of(
                        "driver-broken",
                        StartSymptom.DRIVER_BROKEN,
                        "the NVIDIA driver of node gpu-node-1 does not work: initialization error: nvml "
                                + "error: driver not loaded"),
                PodCase.of(
                        "program-missing",
                        StartSymptom.EXECUTABLE_MISSING,
                        "the image has no program /opt/outpost/bin/runtime"),
                PodCase.of("run-container-error", StartSymptom.EXECUTABLE_MISSING, "the image has no program runtime"),
                PodCase.of(
                        "not-started",
                        StartSymptom.NOT_STARTED,
                        "the container cannot be started: failed to create containerd task: failed to "
                                + "create shim task: context deadline exceeded: unknown"),
                PodCase.of(
                        "claim-not-prepared",
                        StartSymptom.CLAIM_NOT_PREPARED,
                        "the node gpu-node-1 cannot prepare its device: prepare dynamic resources: NodePrepareResources"
                                + " failed for ResourceClaim outpost-a100-x7k2m9qd-4n2vz-gpu-8fj2k: DRA driver"
                                + " gpu.nvidia.com is not registered; the device gpu-0 of gpu-node-1 is not Ready: the GPU"
                                + " is being reset"),
                PodCase.of(
                        "device-refused",
                        StartSymptom.DEVICE_REFUSED,
                        "the node gpu-node-1 could not hand out its device: Allocate failed due to "
                                + "requested number of devices unavailable for nvidia.com/gpu. Requested: 1, "
                                + "Available: 0"),
                PodCase.of(
                        "device-refused-status-unknown",
                        StartSymptom.DEVICE_REFUSED,
                        "the node gpu-node-1 could not hand out its device: Allocate failed due to "
                                + "requested number of devices unavailable for nvidia.com/gpu. Requested: 1, "
                                + "Available: 0"),
                PodCase.of(
                        "node-refused",
                        StartSymptom.NODE_REFUSED,
                        "the node gpu-node-1 refused the pod: OutOfnvidia.com/gpu: Node didn't have enough "
                                + "resource: nvidia.com/gpu, requested: 1, used: 1, capacity: 1"),
                PodCase.of("node-silent", StartSymptom.NODE_SILENT, "the node gpu-node-1 does not answer"),
                PodCase.of(
                        "crashing",
                        StartSymptom.CRASHING,
                        "the runtime ends as soon as it starts, last with exit code 1: \"2026-03-01 "
                                + "12:00:11 INFO  the runtime starts\" / \"Error: Unable to access jarfile "
                                + "/opt/outpost/runtime.jar\""),
                PodCase.of("crashing-init", StartSymptom.CRASHING, "the container fetch ends as soon as it starts"));
    }
}
